import { describe, expect, test } from 'vitest';
import type { KnownHost } from '../../../src/hosts/host.ts';
import { HOSTS } from '../../../src/hosts/registry.ts';
import { LAUNCHER } from '../../../src/process/own-command.ts';
import { hookCommand, isPythonHook, parseHookCommand, startedProgram } from '../../../src/setup/program.ts';

const knownHost = (name: string) => HOSTS.find((host) => host.name === name) as KnownHost;
const IN_GEMINI = `"$\{GEMINI_PROJECT_DIR}/.trellis/ralph-hook.cjs"`;

describe('hookCommand', () => {
  const rows: [string, string][] = [
    [
      'claude-code',
      `node "$\{CLAUDE_PROJECT_DIR:-$\{DEVIN_PROJECT_DIR:-.}}/.trellis/ralph-hook.cjs" hook --deadline 570`,
    ],
    [
      'codex',
      'node "$(git rev-parse --show-toplevel 2>/dev/null || pwd)/.trellis/ralph-hook.cjs" hook --deadline 570',
    ],
    ['gemini', `test ! -f ${IN_GEMINI} || exec node ${IN_GEMINI} hook --deadline 570 2>/dev/null`],
  ];
  test.for(rows)('finds the launcher by the variable of %s', ([name, command]) => {
    const { hookFile } = knownHost(name);
    expect(hookCommand(hookFile, { host: undefined, deadlineSeconds: 570, flags: '' })).toBe(command);
  });

  test.for(HOSTS)('writes a command for $name that can be parsed again', ({ name, hookFile }) => {
    const command = hookCommand(hookFile, { host: name, deadlineSeconds: 55, flags: '--verbose' });
    expect(parseHookCommand(command)).toEqual({ deadlineSeconds: 55, flags: '--verbose' });
    expect(command).toContain(` hook --host ${name} --deadline 55 --verbose`);
    expect(startedProgram(command, '/my project')).toBe(`/my project/${LAUNCHER}`);
  });
});

test.for([
  ['ralph-gate --hook', 'ralph-gate'],
  ['ralph-loop hook --deadline 570', 'ralph-loop'],
  ['node "/a \\"b\\"/\\$c/bin/ralph-loop.js" hook --deadline 570', '/a "b"/$c/bin/ralph-loop.js'],
  ['node "$CLAUDE_PROJECT_DIR/.trellis/ralph-hook.cjs" hook', `/root/${LAUNCHER}`],
  ['node "$A/$B/ralph-loop.js" hook', undefined],
  ['npx ralph-loop-cli hook', undefined],
  ['node node_modules/ralph-loop-cli/bin/ralph-loop.js hook', undefined],
  ['"$CLAUDE_PROJECT_DIR"/node_modules/.bin/ralph-loop hook', undefined],
] as const)('startedProgram of %s is %s', ([command, program]) => {
  expect(startedProgram(command, '/root')).toBe(program);
});

test.for([
  ['ralph-loop hook', { deadlineSeconds: undefined, flags: '' }],
  ['npx ralph-loop-cli hook --deadline=90', { deadlineSeconds: 90, flags: '' }],
  ['npx ralph-loop hook', { deadlineSeconds: undefined, flags: '' }],
  ['ralph-loop-cli hook', { deadlineSeconds: undefined, flags: '' }],
  ['ralph-loop-client hook', undefined],
  [
    'node "$CLAUDE_PROJECT_DIR/node_modules/ralph-loop/bin/ralph-loop.js" hook --deadline 90',
    { deadlineSeconds: 90, flags: '' },
  ],
  ['my-ralph-hook.cjs hook', undefined],
  ['npx -y ralph-loop@1.2.3 hook --deadline 90', { deadlineSeconds: 90, flags: '' }],
  ['ralph-loop subagent-stop --format trellis', { deadlineSeconds: undefined, flags: '--format trellis' }],
  [
    'cd /x && node bin/ralph-loop.js hook --deadline 1 --config "a b.json" --host qwen || true',
    { deadlineSeconds: 1, flags: '--config "a b.json"' },
  ],
  ["sh -c 'npx ralph-loop-cli hook --verbose'", { deadlineSeconds: undefined, flags: '--verbose' }],
  ['(cd x; ralph-loop hook --deadline 50)', { deadlineSeconds: 50, flags: '' }],
  [
    'ralph-loop hook --config "$D"/a\\ b >> log 2>&1',
    { deadlineSeconds: undefined, flags: '--config "$D"/a\\ b' },
  ],
  ['npx ralph-gate --hook', { deadlineSeconds: undefined, flags: '' }],
  ['ralph-gate --config x --hook', { deadlineSeconds: undefined, flags: '--config x' }],
  ['ralph-gate --dry-run', undefined],
  ['ralph-gate-tool --hook', undefined],
  ['ralph-loop verify', undefined],
  ['ralph-loop', undefined],
  ['python3 .claude/hooks/ralph-loop.py', undefined],
  ['my-ralph-loop-wrapper hook', undefined],
  ['echo hook', undefined],
] as const)('parseHookCommand reads %s', ([command, parsed]) => {
  expect(parseHookCommand(command)).toEqual(parsed);
});

test.for([
  ['python3 .claude/hooks/ralph-loop.py', true],
  ['uv run "$CLAUDE_PROJECT_DIR"/.claude/hooks/ralph-loop.py --x', true],
  ['ralph-loop hook', false],
  ['python3 my-ralph-loop.python', false],
] as const)('isPythonHook of %s is %s', ([command, isPython]) => {
  expect(isPythonHook(command)).toBe(isPython);
});
