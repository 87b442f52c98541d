import { describe, expect, test } from 'vitest';
import { mayGuard } from '../../../src/config/discover.ts';
import type { Layout } from '../../../src/config/settings.ts';
import { parseWorktree } from '../../../src/config/worktree.ts';

const files: [what: string, text: string][] = [
  ['empty', ''],
  ['no settings', 'verify:\n  - a\n'],
  ['settings without agents', 'ralph:\n  max_iterations: 3\n'],
  ['empty settings', 'ralph:\nverify:\n  - a\n'],
  ['agents in brackets', 'ralph:\n  agents: [review, main]\n'],
  ['agents below', 'ralph:\n  agents:\n    - review\n    - "check"\n'],
  ['agents in braces', 'ralph: {agents: [review]}\n'],
  ['no agents', 'ralph:\n  agents: []\n'],
  ['agents and no one else', 'verify:\n  - a\n"ralph":\n  agents: [main]\n'],
  ['CRLF', '\uFEFFverify:\r\n  - a\r\nralph:\r\n  agents: [review]\r\n'],
  ['the word in a command', 'verify:\n  - ralph agents review\n'],
  ["the word in someone else's section", 'copy:\n  ralph: x\nnotes: agents main\n'],
  ['two sections', 'ralph:\n  agents: [review]\nralph:\n  agents: [main]\n'],
  ['agents in a comment only', 'ralph:\n  # agents: see the manual\n  max_iterations: 3\n'],
  ['agents of the wrong kind', 'ralph:\n  agents: 5\n'],
  ['agents that are no list', 'ralph:\n  agents: review\n'],
  ['broken settings', 'ralph:\n  agents: [review\nverify:\n  - a\n'],
  ['an unknown key', 'ralph:\n  subagents: [review]\n'],
  ['agents by an alias', 'ralph:\n  state_timeout_minutes: &a [review]\n  agents: *a\n'],
  ['agents in parts', 'ralph:\n  agents:\n    [review, "code review",\n     main]\n'],
];
const layouts: Layout[] = ['trellis', 'stand-alone'];

const rows = files.flatMap(([what, text]) => layouts.map((layout) => ({ what, text, layout })));

// Saying no is final: whoever the settings guard must never be told so.
test.each(rows)('$layout, $what: no agent that is guarded is turned away', async ({ text, layout }) => {
  const { settings } = await parseWorktree(text, layout, '/the/project');

  expect(settings.agents.filter((agent) => !mayGuard(text, layout, agent))).toEqual([]);
});

describe('without agents of its own, a project turns away everyone but the default ones', () => {
  test.each([
    ['trellis', 'check', true],
    ['trellis', 'main', false],
    ['trellis', 'implement', false],
    ['trellis', 'Check', false],
    ['stand-alone', 'main', true],
    ['stand-alone', 'check', true],
    ['stand-alone', 'implement', false],
    ['stand-alone', '', false],
  ] as const)('%s: %s', (layout, agent, expected) => {
    expect(mayGuard('verify:\n  - a\n', layout, agent)).toBe(expected);
    expect(mayGuard('ralph:\n  max_iterations: 3\n', layout, agent)).toBe(expected);
  });
});

// A default agent is never turned away: telling whether `agents` is set takes reading the YAML.
test.each([
  ['trellis', 'check', true],
  ['trellis', 'review', true],
  ['trellis', 'main', false],
  ['trellis', 'implement', false],
  ['trellis', '', false],
  ['stand-alone', 'main', true],
  ['stand-alone', 'check', true],
  ['stand-alone', 'review', true],
  ['stand-alone', 'implement', false],
  ['stand-alone', '', false],
] as const)(
  'beside the default ones, whoever the settings mention may be guarded: %s: %s',
  (layout, agent, expected) => {
    expect(mayGuard('ralph:\n  agents: [review]\ncopy: [x]\n', layout, agent)).toBe(expected);
    expect(mayGuard('copy: [x]\nralph: {agents: [review]}\n', layout, agent)).toBe(expected);
  },
);
