import { describe, expect, test } from 'vitest';
import type { Layout } from '../../../src/config/settings.ts';
import { readWorktree } from '../../helpers/read-worktree.ts';

const defaults = {
  maxIterations: 5,
  stateTimeoutMinutes: 30,
  commandTimeoutSeconds: 120,
  failFast: true,
};

describe('without a setting, the default holds', () => {
  const files = ['', 'ralph:\n', 'ralph: # nothing yet\n  # agents: [x]\n', 'verify:\n  - a\n'];
  const layouts: [Layout, string[]][] = [
    ['trellis', ['check']],
    ['stand-alone', ['main', 'check']],
  ];
  test.each(layouts.flatMap(([layout, agents]) => files.map((text) => ({ layout, agents, text }))))(
    '$layout: $text',
    async ({ layout, agents, text }) => {
      const { settings, problems } = await readWorktree(text, layout);

      expect(problems).toEqual([]);
      expect(settings).toEqual({ agents, ...defaults });
    },
  );
});

describe('ralph: sets', () => {
  test.each([
    ['agents', 'ralph:\n  agents: [a, main]\n', { agents: ['a', 'main'] }],
    ['agents as a list below', 'ralph:\n  agents:\n    - a\n    - "b c"\n', { agents: ['a', 'b c'] }],
    ['no agents at all', 'ralph:\n  agents: []\n', { agents: [] }],
    ['the cap', 'ralph:\n  max_iterations: 1\n', { maxIterations: 1 }],
    ['the state timeout', 'ralph:\n  state_timeout_minutes: 0.5\n', { stateTimeoutMinutes: 0.5 }],
    ['the command timeout', 'ralph:\n  command_timeout: 600\n', { commandTimeoutSeconds: 600 }],
    ['fail-fast', 'ralph:\n  fail_fast: false # all of them\n', { failFast: false }],
    ['names to be passed', 'ralph:\n  env:\n    pass: [A, B]\n', { passEnv: ['A', 'B'] }],
    ['no name to be passed', 'ralph: {env: {pass: []}}\n', { passEnv: [] }],
    ['an environment that says nothing', 'ralph:\n  env: {}\n', {}],
    ['names by an alias', 'ralph:\n  agents: &a [check]\n  env: {pass: *a}\n', { passEnv: ['check'] }],
    ['braces', 'ralph: {max_iterations: 2, fail_fast: false}\n', { maxIterations: 2, failFast: false }],
    ['with tabs', 'ralph:\n\tmax_iterations: 3\n', { maxIterations: 3 }],
    ['with CRLF', '\uFEFFralph:\r\n  max_iterations: 3\r\n', { maxIterations: 3 }],
    ['behind verify', 'verify:\n  - a\nralph:\n  max_iterations: 3\n', { maxIterations: 3 }],
  ])('%s', async (_, text, settings) => {
    expect(await readWorktree(text)).toMatchObject({
      settings: { agents: ['check'], ...defaults, ...settings },
      problems: [],
    });
  });

  test('what is right, though something else is wrong', async () => {
    const { settings, problems } = await readWorktree('ralph:\n  max_iterations: 0\n  fail_fast: false\n');

    expect(settings).toEqual({ agents: ['check'], ...defaults, failFast: false });
    expect(problems).toHaveLength(1);
  });
});
