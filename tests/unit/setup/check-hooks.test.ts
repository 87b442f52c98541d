import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { KnownHost } from '../../../src/hosts/host.ts';
import { HOSTS } from '../../../src/hosts/registry.ts';
import { checkHooks, checkTrust } from '../../../src/setup/check-hooks.ts';
import { type FoundHook, findHooks } from '../../../src/setup/hook-files.ts';

const ROOT = '/my/project';
const HOOK: FoundHook = {
  file: '.codex/hooks.json',
  event: 'SubagentStop',
  matcher: 'check',
  command: 'ralph-loop hook',
  timeout: undefined,
  path: ['hooks', 'SubagentStop', 2, 'hooks', 1],
  groupPath: ['hooks', 'SubagentStop', 2],
  isAlone: false,
};

/** The JSON that Codex 0.169.0 hashes. */
const HASHED =
  '{"event_name":"subagent_stop","hooks":[{"async":false,"command":"ralph-loop hook","timeout":600,"type":"command"}],"matcher":"check"}';
const TRUSTED = `[projects."${ROOT}"]\ntrust_level = "trusted"\n`;
const codexTrust = (hashed: string) =>
  `${TRUSTED}[hooks.state."${ROOT}/.codex/hooks.json:subagent_stop:2:1"]\ntrusted_hash = "sha256:${createHash('sha256').update(hashed).digest('hex')}"\n`;

const rows: [string, string, Record<string, string>, Record<string, string>, string][] = [
  ['Claude Code needs no trust', 'claude-code', {}, {}, 'none'],
  ['Codex does not trust the project', 'codex', {}, {}, 'error'],
  ['Codex does not trust the hook', 'codex', { '~/.codex/config.toml': TRUSTED }, {}, 'error'],
  ['Codex trusts the hook', 'codex', { '~/.codex/config.toml': codexTrust(HASHED) }, {}, 'ok'],
  [
    'Codex trusts an earlier form of the hook',
    'codex',
    { '~/.codex/config.toml': codexTrust('x') },
    {},
    'warning',
  ],
  [
    'CODEX_HOME has the configuration',
    'codex',
    { '/c/config.toml': codexTrust(HASHED) },
    { CODEX_HOME: '/c' },
    'ok',
  ],
  ['the configuration of Copilot is broken', 'copilot', { '~/.copilot/config.json': '{' }, {}, 'error'],
  [
    'Copilot trusts a parent folder',
    'copilot',
    { '~/.copilot/config.json': '{"trustedFolders":["/my"]}' },
    {},
    'ok',
  ],
  [
    'Gemini does not trust the folder',
    'gemini',
    { '~/.gemini/trustedFolders.json': `{"${ROOT}":"DO_NOT_TRUST"}` },
    {},
    'error',
  ],
  [
    'the environment makes Gemini trust the workspace',
    'gemini',
    {},
    { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    'ok',
  ],
  [
    'Gemini does not require trust',
    'gemini',
    { '~/.gemini/settings.json': '{"security":{"folderTrust":{"enabled":false}}}' },
    {},
    'ok',
  ],
];

test.for(rows)('checkTrust when %s: $4', ([, name, files, env, level]) => {
  const host = HOSTS.find((known) => known.name === name) as KnownHost;
  const [finding] = checkTrust(host, ROOT, [HOOK], { env, read: (file) => files[file] });
  expect(finding?.level ?? 'none').toBe(level);
});

describe('checkHooks', () => {
  const OWN = 'ralph-loop hook --deadline 570';
  const GATE = 'npx ralph-gate --hook';
  const PYTHON = 'python3 "$CLAUDE_PROJECT_DIR/.claude/hooks/ralph-loop.py"';
  const at = (event: string, command: string, matcher?: string) => ({
    [event]: [{ ...(matcher && { matcher }), hooks: [{ type: 'command', command, timeout: 600 }] }],
  });
  const [PROJECT, LOCAL, USER] = [
    '.claude/settings.json',
    '.claude/settings.local.json',
    '~/.claude/settings.json',
  ];
  const demands = {
    agents: ['main', 'check'],
    when: 'changed' as 'changed' | 'always',
    maxIterations: 5,
    answer: 'block' as 'block' | 'context',
    gateSeconds: 1,
    canStart: () => true,
    worktreesWithoutProgram: (): string[] => [],
  };
  const BOTH = { ...at('Stop', OWN), ...at('SubagentStop', OWN, 'check') };

  function errorsOf(files: Record<string, object>, more: Partial<typeof demands> = {}): string[] {
    const host = HOSTS.find(({ name }) => name === 'claude-code') as KnownHost;
    const read = (file: string) => files[file] && JSON.stringify(files[file]);
    return checkHooks(host, findHooks(host, read), { ...demands, ...more }).flatMap(({ level, what }) =>
      level === 'error' ? [what] : [],
    );
  }

  type Row = [what: string, files: Record<string, object>, error: string | undefined];
  const duplicates: Row[] = [
    [
      "Ralph Gate's own entry",
      { [PROJECT]: { hooks: BOTH }, [LOCAL]: { hooks: at('Stop', GATE) } },
      `Every stop is checked 2 times: Stop in ${PROJECT} and ${LOCAL}.`,
    ],
    [
      "the user's settings",
      { [PROJECT]: { hooks: BOTH }, [USER]: { hooks: at('Stop', OWN) } },
      `Every stop is checked 2 times: Stop in ${PROJECT} and ${USER}.`,
    ],
    [
      'the same file',
      {
        [PROJECT]: {
          hooks: { ...BOTH, Stop: [...(at('Stop', OWN).Stop ?? []), ...(at('Stop', GATE).Stop ?? [])] },
        },
      },
      `Every stop is checked 2 times: Stop in ${PROJECT} and ${PROJECT}.`,
    ],
    [
      "Trellis's hook",
      { [PROJECT]: { hooks: BOTH }, [LOCAL]: { hooks: at('SubagentStop', PYTHON, 'check') } },
      `Every stop is checked 2 times: SubagentStop in ${PROJECT} and ${LOCAL}. One of the hooks is Trellis's ralph-loop.py.`,
    ],
    [
      'a hook for every subagent',
      { [PROJECT]: { hooks: BOTH }, [LOCAL]: { hooks: at('SubagentStop', OWN) } },
      `Every stop is checked 2 times: SubagentStop in ${PROJECT} and ${LOCAL}.`,
    ],
    [
      'two prompt hooks',
      {
        [PROJECT]: { hooks: { ...BOTH, ...at('UserPromptSubmit', OWN) } },
        [LOCAL]: { hooks: at('UserPromptSubmit', OWN) },
      },
      `Every prompt is read 2 times: UserPromptSubmit in ${PROJECT} and ${LOCAL}.`,
    ],
    [
      'the plugin',
      { [PROJECT]: { hooks: BOTH }, [LOCAL]: { enabledPlugins: { 'ralph-loop@x': true } } },
      `Every stop is checked twice: by the plugin (${LOCAL}) and by the hooks.`,
    ],
    [
      'a hook for other subagents',
      { [PROJECT]: { hooks: BOTH }, [LOCAL]: { hooks: at('SubagentStop', OWN, 'review') } },
      undefined,
    ],
    [
      'the hook of another tool',
      { [PROJECT]: { hooks: BOTH }, [LOCAL]: { hooks: at('Stop', 'say done') } },
      undefined,
    ],
  ];
  test.each([
    ['changed', ', and the first question of a session runs the gates'],
    ['always', ''],
  ] as const)('warns that no hook reads prompts, with `when: %s`', (when, more) => {
    const host = HOSTS.find(({ name }) => name === 'claude-code') as KnownHost;
    const read = (file: string) => (file === PROJECT ? JSON.stringify({ hooks: BOTH }) : undefined);
    expect(checkHooks(host, findHooks(host, read), { ...demands, when })).toContainEqual({
      about: 'Claude Code',
      level: 'warning',
      what: `There is no hook at UserPromptSubmit: gates typed into a prompt are ignored${more}.`,
      fix: 'ralph-loop init --host claude-code',
    });
  });

  test.each([
    ['claude-code', true],
    ['cursor', false],
  ])('warns that no hook follows edits where a note reaches the agent: %s, %s', (name, warns) => {
    const host = HOSTS.find((known) => known.name === name) as KnownHost;
    const { path, events } = host.hookFile;
    const stop = host.hookFile.form === 'flat' ? { command: OWN } : BOTH.Stop?.[0];
    const text = JSON.stringify({ version: 1, hooks: { [events.main]: [stop] } });
    const found = findHooks(host, (file) => (file === path ? text : undefined));
    expect(found.hooks).toHaveLength(1);
    const warnings = checkHooks(host, found, demands).filter(({ what }) => what.includes('became weaker'));
    expect(warnings.map(({ level, fix }) => `${level}: ${fix}`)).toEqual(
      warns ? ['warning: ralph-loop init --host claude-code'] : [],
    );
  });

  test.each([
    ['claude-code', 'block', []],
    [
      'claude-code',
      'context',
      [
        'answer: context: Claude Code gets context from version 2.1.197 on; an older or unknown one gets a block.',
      ],
    ],
    ['qwen', 'block', []],
    ['qwen', 'context', ['answer: context: Qwen Code gets a block all the same.']],
  ] as const)('says what %s gets with `answer: %s`', (name, answer, said) => {
    const host = HOSTS.find((known) => known.name === name) as KnownHost;
    const read = (file: string) =>
      file === host.hookFile.path ? JSON.stringify({ hooks: BOTH }) : undefined;
    const findings = checkHooks(host, findHooks(host, read), { ...demands, answer });
    const about = findings.filter(({ what }) => what.startsWith('answer: '));
    expect(about.map(({ what }) => what)).toEqual(said);
    expect(about.every(({ level }) => level === 'ok')).toBe(true);
  });

  test.each([
    ['check', ['trellis-check']],
    ['check|trellis', ['trellis-check']],
    ['check|trellis-check', []],
    ['check.*', []],
    ['trellis-check', []],
    ['', []],
  ])('names the agents that the matcher "%s" does not include: %j', (matcher, missed) => {
    const host = HOSTS.find(({ name }) => name === 'claude-code') as KnownHost;
    const hooks = { ...at('Stop', OWN), ...at('SubagentStop', OWN, matcher) };
    const read = (file: string) => (file === PROJECT ? JSON.stringify({ hooks }) : undefined);
    const agents = ['main', 'trellis-check'];
    const found = checkHooks(host, findHooks(host, read), { ...demands, agents });
    expect(found.flatMap(({ what }) => /does not include (.+)\./.exec(what)?.[1] ?? [])).toEqual(missed);
  });

  test.each(duplicates)('reports that stops are judged twice: %s', (_, files, error) => {
    expect(errorsOf(files)).toEqual(error === undefined ? [] : [error]);
  });

  test('names the git worktrees that have the hook, but not its program', () => {
    const worktreesWithoutProgram = () => ['/w/a', '/w/b'];
    expect(errorsOf({ [PROJECT]: { hooks: BOTH } }, { worktreesWithoutProgram })).toEqual([
      'The git worktree /w/a has the hook, but not its program: stops there are not verified.',
      'The git worktree /w/b has the hook, but not its program: stops there are not verified.',
    ]);
  });
});
