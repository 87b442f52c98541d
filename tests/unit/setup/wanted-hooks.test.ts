import { expect, test } from 'vitest';
import type { KnownHost } from '../../../src/hosts/host.ts';
import { HOSTS } from '../../../src/hosts/hosts.ts';
import type { HookEntry } from '../../../src/setup/read-hook-file.ts';
import { wantedHooks } from '../../../src/setup/wanted-hooks.ts';

/** The main agent's hook of a host, in the place of an earlier one. */
function formOf(name: string, gateSeconds: number, earlier?: { command: string; timeout: number }) {
  const host = HOSTS.find((known) => known.name === name) as KnownHost;
  const hooks = wantedHooks(host, { program: { kind: 'on-path' }, agents: ['main'], gateSeconds });
  const hook = hooks.find(({ event }) => event === host.hookFile.events.main);
  return hook?.form(earlier as HookEntry | undefined);
}

test.for([
  ['claude-code', 10, 'ralph-loop hook --deadline 570', 600],
  ['claude-code', 571, 'ralph-loop hook --deadline 600', 630],
  ['claude-code', Number.POSITIVE_INFINITY, 'ralph-loop hook --deadline 570', 600],
  ['gemini', 1000, 'exec ralph-loop hook --host gemini --deadline 1020 2>/dev/null', 1_050_000],
  ['qwen', 1000, 'exec ralph-loop hook --host qwen --deadline 55 2>/dev/null', 60_000],
] as const)('%s, whose gates take %d s', ([name, gateSeconds, command, timeout]) => {
  expect(formOf(name, gateSeconds)).toEqual({ command, timeout });
});

test.for([
  ['a longer deadline stays', 'ralph-loop hook --deadline 900', 1000, 900, 1000],
  ['but not one that the host does not wait for', 'ralph-loop hook --deadline 900', 900, 570, 600],
  ['a shorter one does not', 'ralph-loop hook --deadline 50', 1000, 570, 600],
] as const)('%s', ([, command, timeout, deadline, wanted]) => {
  expect(formOf('claude-code', 10, { command, timeout })).toEqual({
    command: `ralph-loop hook --deadline ${deadline}`,
    timeout: wanted,
  });
});
