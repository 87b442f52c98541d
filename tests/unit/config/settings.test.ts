import { describe, expect, test } from 'vitest';
import type { ProjectLayout } from '../../../src/config/discover.ts';
import { DEFAULT_AGENT_RUN, stageSettings } from '../../../src/config/settings.ts';
import { readWorktree } from '../../helpers/read-worktree.ts';

const defaults = {
  maxIterations: 5,
  stateTimeoutMinutes: 30,
  commandTimeoutSeconds: 120,
  failFast: true,
  jobs: 1,
  reuse: true,
  integrity: 'block',
  typedGates: true,
  answer: 'block',
};

describe('the settings are the defaults if ralph is not set', () => {
  const files = ['', 'ralph:\n', 'ralph: # nothing yet\n  # agents: [x]\n', 'verify:\n  - a\n'];
  const layouts: [ProjectLayout, object][] = [
    ['trellis', { agents: ['check'], when: 'always', markers: 'anywhere' }],
    ['stand-alone', { agents: ['main', 'check', 'trellis-check'], when: 'changed', markers: 'strict' }],
  ];
  test.each(layouts.flatMap(([layout, own]) => files.map((text) => ({ layout, own, text }))))(
    '$layout: $text',
    async ({ layout, own, text }) => {
      const { settings, problems } = await readWorktree(text, layout);

      expect(problems).toEqual([]);
      expect(settings).toEqual({ ...own, ...defaults });
    },
  );
});

describe('ralph sets', () => {
  test.each([
    ['agents', 'ralph:\n  agents: [a, main]\n', { agents: ['a', 'main'] }],
    ['agents by a block list', 'ralph:\n  agents:\n    - a\n    - "b c"\n', { agents: ['a', 'b c'] }],
    ['no agents', 'ralph:\n  agents: []\n', { agents: [] }],
    ['max_iterations', 'ralph:\n  max_iterations: 1\n', { maxIterations: 1 }],
    ['state_timeout_minutes', 'ralph:\n  state_timeout_minutes: 0.5\n', { stateTimeoutMinutes: 0.5 }],
    ['command_timeout', 'ralph:\n  command_timeout: 600\n', { commandTimeoutSeconds: 600 }],
    ['fail_fast', 'ralph:\n  fail_fast: false # all of them\n', { failFast: false }],
    ['jobs', 'ralph:\n  jobs: auto\n', { jobs: 'auto' }],
    ['reuse', 'ralph:\n  reuse: false\n', { reuse: false }],
    ['when', 'ralph:\n  when: changed\n', { when: 'changed' }],
    ['integrity', 'ralph:\n  integrity: warn\n', { integrity: 'warn' }],
    [
      'integrity_rules',
      'ralph:\n  integrity_rules: {test-skipped: off}\n',
      { integrityRules: { 'test-skipped': 'off' } },
    ],
    ['markers', 'ralph:\n  markers: strict\n', { markers: 'strict' }],
    ['typed_gates', 'ralph:\n  typed_gates: false\n', { typedGates: false }],
    ['answer', 'ralph:\n  answer: context\n', { answer: 'context' }],
    ['env.pass', 'ralph:\n  env:\n    pass: [A, B]\n', { passEnv: ['A', 'B'] }],
    ['an empty env.pass', 'ralph: {env: {pass: []}}\n', { passEnv: [] }],
    ['nothing by an empty env', 'ralph:\n  env: {}\n', {}],
    ['env.pass by an alias', 'ralph:\n  agents: &a [check]\n  env: {pass: *a}\n', { passEnv: ['check'] }],
    [
      'options in a flow mapping',
      'ralph: {max_iterations: 2, fail_fast: false}\n',
      { maxIterations: 2, failFast: false },
    ],
    ['options indented by tabs', 'ralph:\n\tmax_iterations: 3\n', { maxIterations: 3 }],
    ['options in a file with CRLF', '\uFEFFralph:\r\n  max_iterations: 3\r\n', { maxIterations: 3 }],
    ['options after verify', 'verify:\n  - a\nralph:\n  max_iterations: 3\n', { maxIterations: 3 }],
  ])('%s', async (_, text, settings) => {
    expect(await readWorktree(text)).toMatchObject({
      settings: { agents: ['check'], ...defaults, ...settings },
      problems: [],
    });
  });

  test('the valid options if others are invalid', async () => {
    const { settings, problems } = await readWorktree('ralph:\n  max_iterations: 0\n  fail_fast: false\n');

    const own = { agents: ['check'], when: 'always', markers: 'anywhere' };
    expect(settings).toEqual({ ...own, ...defaults, failFast: false });
    expect(problems).toHaveLength(1);
  });
});

const stageOf = async (ralph: string, agent: string) => {
  const { settings, problems } = await readWorktree(`ralph:\n${ralph}`);
  expect(problems).toEqual([]);
  return stageSettings(agent, settings.agentRun ?? DEFAULT_AGENT_RUN);
};

describe('the settings of a stage are', () => {
  test.each([
    ['coder', 15, 'IMPLEMENTATION_COMPLETE'],
    ['reviewer', 5, 'REVIEW_COMPLETE'],
    ['tester', 10, 'TESTS_COMPLETE'],
    ['qa', 5, 'QA_PASSED'],
    ['designer', 10, 'STAGE_COMPLETE'],
    ['Coder', 10, 'STAGE_COMPLETE'],
    ['constructor', 10, 'STAGE_COMPLETE'],
  ])('by default for %s: %i iterations, %s', async (agent, maxIterations, completionPromise) => {
    expect(await stageOf('  fail_fast: true\n', agent)).toEqual({
      agent,
      enabled: true,
      maxIterations,
      completionPromise,
      command: undefined,
      prompt: undefined,
    });
  });

  test.each([
    [
      'those of all agents',
      'designer',
      '  default_max_iterations: 3\n  command: a\n',
      { maxIterations: 3, command: 'a' },
    ],
    [
      'its default iterations, before those of all agents',
      'coder',
      '  default_max_iterations: 3\n',
      { maxIterations: 15 },
    ],
    [
      'its own, before those of all agents',
      'coder',
      '  command: a\n  coder:\n    command: b\n    max_iterations: 2\n    completion_promise: DONE\n    prompt: |\n      Be brief.\n',
      { command: 'b', maxIterations: 2, completionPromise: 'DONE', prompt: 'Be brief.\n' },
    ],
    ['its own enabled', 'qa', '  qa: {enabled: false}\n', { enabled: false }],
    ['disabled if all agents are', 'qa', '  enabled: false\n  qa: {enabled: true}\n', { enabled: false }],
    ['those of an alias', 'tester', '  coder: &a {max_iterations: 7}\n  tester: *a\n', { maxIterations: 7 }],
  ])('%s', async (_, agent, ralph, expected) => {
    expect(await stageOf(ralph, agent)).toMatchObject(expected);
  });
});

describe('a wrong option of an agent run is reported with its position', () => {
  test.each([
    [
      '  coder:\n    max_iteration: 3\n',
      '3:5: found unknown key "max_iteration"; did you mean "max_iterations"?',
    ],
    [
      '  coder:\n    completion_promise: "<promise>X</promise>"\n',
      '3:25: found text "<promise>X</promise>" for "completion_promise", expected text on one line without < and >, such as TESTS_COMPLETE',
    ],
    ['  max_cost_usd: -1\n', '2:17: found the number -1 for "max_cost_usd", expected a number above 0'],
    ['  agent:\n    enabled: true\n', '2:3: found unknown key "agent"; did you mean "agents"?'],
    ['  coder: 5\n', /^2:3: found unknown key "coder"/],
  ])('%s', async (ralph, problem) => {
    const { problems } = await readWorktree(`ralph:\n${ralph}`);
    expect(problems).toEqual([typeof problem === 'string' ? problem : expect.stringMatching(problem)]);
  });
});
