import { expect, test } from 'vitest';
import type { KnownHost } from '../../../src/hosts/host.ts';
import { HOSTS } from '../../../src/hosts/registry.ts';
import type { HookEntry } from '../../../src/setup/hook-files.ts';
import { requiredHooks } from '../../../src/setup/plan-hooks.ts';

/** The hook at the main agent's stop, in place of an earlier one. */
function formOf(name: string, gateSeconds: number, earlier?: { command: string; timeout: number }) {
  const host = HOSTS.find((known) => known.name === name) as KnownHost;
  const hooks = requiredHooks(host, { agents: ['main'], gateSeconds });
  const hook = hooks.find(({ event }) => event === host.hookFile.events.main);
  return hook?.form(earlier as HookEntry | undefined);
}

const CLAUDE = `node "$\{CLAUDE_PROJECT_DIR:-$\{DEVIN_PROJECT_DIR:-.}}/.trellis/ralph-hook.cjs"`;
const GEMINI = `"$\{GEMINI_PROJECT_DIR}/.trellis/ralph-hook.cjs"`;
const QWEN = `"$\{QWEN_PROJECT_DIR}/.trellis/ralph-hook.cjs"`;

test.for([
  ['claude-code', 10, `${CLAUDE} hook --deadline 570`, 600],
  ['claude-code', 571, `${CLAUDE} hook --deadline 600`, 630],
  ['claude-code', Number.POSITIVE_INFINITY, `${CLAUDE} hook --deadline 570`, 600],
  [
    'gemini',
    1000,
    `test ! -f ${GEMINI} || exec node ${GEMINI} hook --host gemini --deadline 1020 2>/dev/null`,
    1_050_000,
  ],
  ['qwen', 1000, `test ! -f ${QWEN} || exec node ${QWEN} hook --host qwen --deadline 55 2>/dev/null`, 60_000],
] as const)(
  'requiredHooks for %s and gates of %d s leaves the gates their time',
  ([name, gateSeconds, command, timeout]) => {
    expect(formOf(name, gateSeconds)).toEqual({ command, timeout });
  },
);

test.for([
  ['keeps a longer deadline', 'ralph-loop hook --deadline 900', 1000, 900, 1000],
  ['replaces a deadline that is not below the timeout', 'ralph-loop hook --deadline 900', 900, 570, 600],
  ['replaces a shorter deadline', 'ralph-loop hook --deadline 50', 1000, 570, 600],
] as const)('requiredHooks %s', ([, command, timeout, deadline, expected]) => {
  expect(formOf('claude-code', 10, { command, timeout })).toEqual({
    command: `${CLAUDE} hook --deadline ${deadline}`,
    timeout: expected,
  });
});
