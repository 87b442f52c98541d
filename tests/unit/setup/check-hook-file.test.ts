import { describe, expect, test } from 'vitest';
import type { KnownHost } from '../../../src/hosts/host.ts';
import { HOSTS } from '../../../src/hosts/registry.ts';
import { editHookFile, findHooks } from '../../../src/setup/hook-files.ts';
import { requiredHooks } from '../../../src/setup/plan-hooks.ts';

const hostNamed = (name: string) => HOSTS.find((host) => host.name === name) as KnownHost;
const COMMAND = 'ralph-loop hook --deadline 570';
const HOOK = { type: 'command', command: COMMAND };
const STOP = { Stop: [{ hooks: [HOOK] }] };
const FLAT = { version: 1, hooks: { Stop: [{ type: 'command', bash: COMMAND }] } };
const CURSOR = { version: 1, hooks: { stop: [{ command: COMMAND }] } };

/** The problems of a host's own file with this content. */
function problemsOf(name: string, content: unknown): readonly string[] {
  const host = hostNamed(name);
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return findHooks(host, (file) => (file === host.hookFile.path ? text : undefined)).problems;
}

type Row = [what: string, host: string, content: unknown, problem: RegExp];

const groupedRows: [string, unknown, RegExp][] = [
  ['an event without groups', { hooks: { Stop: [HOOK] } }, /1:19: found a group of "Stop" without "hooks"/],
  ['an event that is an object', { hooks: { Stop: { hooks: [HOOK] } } }, /expected "Stop" to be a list/],
  ['an event that is text', { hooks: { ...STOP, PreToolUse: 'x' } }, /expected "PreToolUse" to be a list/],
  [
    'an event that is null',
    { hooks: { ...STOP, Notification: null } },
    /expected "Notification" to be a list/,
  ],
  [
    'a group that is text',
    { hooks: { ...STOP, PreToolUse: ['x'] } },
    /a group of "PreToolUse" to be an object/,
  ],
  [
    'the group of another tool without hooks',
    { hooks: { ...STOP, PreToolUse: [{ matcher: 'Bash', command: 'x' }] } },
    /a group of "PreToolUse" without "hooks"/,
  ],
  ['hooks that are an object', { hooks: { Stop: [{ hooks: HOOK }] } }, /expected "hooks" to be a list/],
  ['a hook that is text', { hooks: { Stop: [{ hooks: [COMMAND] }] } }, /a hook of "Stop" to be an object/],
  [
    'a hook without a type',
    { hooks: { Stop: [{ hooks: [{ command: COMMAND }] }] } },
    /expected "type": "command"/,
  ],
  [
    'a type that is no text',
    { hooks: { Stop: [{ hooks: [{ ...HOOK, type: 1 }] }] } },
    /expected "type": "command"/,
  ],
  [
    'a command that is a list',
    { hooks: { Stop: [{ hooks: [HOOK, { type: 'command', command: ['x'] }] }] } },
    /found a hook without a command/,
  ],
  [
    'a timeout that is text',
    { hooks: { Stop: [{ hooks: [{ ...HOOK, timeout: '600' }] }] } },
    /to be a number/,
  ],
  [
    'a matcher that is a list',
    { hooks: { Stop: [{ matcher: ['a'], hooks: [HOOK] }] } },
    /"matcher" to be text/,
  ],
  ['hooks that are a list', { hooks: [{ Stop: [HOOK] }] }, /expected "hooks" to be an object/],
  ['a file that is a list', [{ hooks: STOP }], /expected the file to be an object/],
  ['JSON that ends too early', `{"hooks": ${JSON.stringify(STOP)}`, /not valid JSON/],
];
const grouped = ['claude-code', 'codex', 'qwen', 'droid'];

const rows: Row[] = [
  ...groupedRows.map(([what, content, problem], index): Row => {
    const host = grouped[index % grouped.length] ?? 'claude-code';
    return [what, host, content, problem];
  }),
  ['an unknown key', 'codex', { hooks: STOP, model: 'x' }, /1:\d+: found the key "model"/],
  ['a $schema', 'codex', { $schema: 'x', hooks: STOP }, /found the key "\$schema"/],
  ['no version', 'copilot', { hooks: FLAT.hooks }, /found no "version", expected "version": 1/],
  ['a version that is text', 'copilot', { ...FLAT, version: '1' }, /found "1", expected "version": 1/],
  ['groups', 'copilot', { version: 1, hooks: STOP }, /found a hook without a type/],
  ['no type', 'copilot', { version: 1, hooks: { Stop: [{ bash: COMMAND }] } }, /expected "type": "command"/],
  ['no version', 'cursor', { hooks: CURSOR.hooks }, /found no "version"/],
  ['groups', 'cursor', { version: 1, hooks: { stop: [{ hooks: [HOOK] }] } }, /a hook without a command/],
  [
    'an unknown event',
    'cursor',
    { version: 1, hooks: { ...CURSOR.hooks, Stop: [] } },
    /found the event "Stop"/,
  ],
  ['a misspelt event', 'cursor', { version: 1, hooks: { ...CURSOR.hooks, stopp: [] } }, /the event "stopp"/],
];

test.each(rows)('settings are reported that the host ignores: %s, %s', (_, host, content, problem) => {
  expect(problemsOf(host, content)).toContainEqual(expect.stringMatching(problem));
});

describe('settings are accepted', () => {
  test.each(HOSTS)('as init writes them for $name', (host) => {
    const required = requiredHooks(host, { agents: ['main', 'check'], gateSeconds: 10 });
    const edited = editHookFile('', host.hookFile, required);
    expect(problemsOf(host.name, edited.ok ? edited.value.text : '')).toEqual([]);
  });

  test.each([
    [
      'with hooks of other types',
      'claude-code',
      { ...STOP, PreToolUse: [{ hooks: [{ type: 'prompt', prompt: 'x' }] }] },
    ],
    ['with an event that is empty', 'claude-code', { ...STOP, PreToolUse: [] }],
    ['with a matcher', 'droid', { ...STOP, PreToolUse: [{ matcher: 'Bash', hooks: [HOOK] }] }],
    ['with switches', 'gemini', { enabled: true, disabled: ['x'], AfterAgent: STOP.Stop }],
  ])('%s', (_, host, hooks) => {
    expect(problemsOf(host, { model: 'x', hooks })).toEqual([]);
  });

  test('with a command for PowerShell', () => {
    const other = { type: 'command', powershell: 'x' };
    const hooks = { ...FLAT.hooks, sessionStart: [other] };
    expect(problemsOf('copilot', { version: 1, hooks })).toEqual([]);
  });

  test('in any form, if they have no hook of ralph-loop', () => {
    expect(problemsOf('claude-code', { hooks: { Stop: [{ type: 'command', command: 'other' }] } })).toEqual(
      [],
    );
  });
});
