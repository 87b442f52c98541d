import { describe, expect, test } from 'vitest';
import { settingsIn } from '../../../src/hosts/plugin-page.ts';
import { HOSTS } from '../../../src/hosts/registry.ts';
import { editHookFile, type RequiredHook } from '../../../src/setup/hook-files.ts';

const hookFileOf = (name: string) => {
  const host = HOSTS.find((known) => known.name === name);
  if (!host) throw new Error(`no host ${name}`);
  return host.hookFile;
};
const CLAUDE = hookFileOf('claude-code');
const OWN = 'node x/ralph-loop.js hook --deadline 570';
const form = () => ({ command: OWN, timeout: 600 });
const STOP: RequiredHook = { event: 'Stop', matcher: undefined, form };
const SUBAGENT: RequiredHook = { event: 'SubagentStop', matcher: 'check', form };
const BOTH = [STOP, SUBAGENT];

/** The text after the edit, or the problems. */
const edited = (text: string, required: readonly RequiredHook[], hookFile = CLAUDE): string => {
  const result = editHookFile(text, hookFile, required);
  return result.ok ? result.value.text : JSON.stringify(result.failure);
};
/** Settings as people write them, indented by tabs or spaces. */
const written = (value: unknown, indentation: string | number = 2) =>
  `${JSON.stringify(value, null, indentation)}\n`;
const hook = (command: string, timeout?: number) => ({
  type: 'command',
  command,
  ...(timeout && { timeout }),
});
const WITH_BOTH = {
  hooks: {
    Stop: [{ hooks: [hook(OWN, 600)] }],
    SubagentStop: [{ matcher: 'check', hooks: [hook(OWN, 600)] }],
  },
};

describe('editHookFile adds hooks', () => {
  test.for([
    ['to a new file', '', written(WITH_BOTH)],
    ['to an empty object', '{}\n', written(WITH_BOTH)],
    ['to other settings', written({ model: 'x' }), written({ model: 'x', ...WITH_BOTH })],
    ['indented by tabs', written({ model: 'x' }, '\t'), written({ model: 'x', ...WITH_BOTH }, '\t')],
    ['indented by four spaces', written({ model: 'x' }, 4), written({ model: 'x', ...WITH_BOTH }, 4)],
    [
      'with Windows line endings',
      written({ model: 'x' }).replaceAll('\n', '\r\n'),
      written({ model: 'x', ...WITH_BOTH }).replaceAll('\n', '\r\n'),
    ],
    ['after a byte order mark', `\uFEFF${written({})}`, `\uFEFF${written(WITH_BOTH)}`],
    [
      'beside keys that are not events',
      written({ hooks: { enabled: true, disabled: ['x'] } }),
      written({ hooks: { enabled: true, disabled: ['x'], ...WITH_BOTH.hooks } }),
    ],
    [
      'beside objects that are written on one line',
      written({ permissions: 0 }).replace('0', '{ "allow": ["a"], "deny": [] }'),
      written({ permissions: 0, ...WITH_BOTH }).replace('0', '{ "allow": ["a"], "deny": [] }'),
    ],
    [
      'after other hooks of the same event',
      written({ hooks: { PreToolUse: [], Stop: [{ hooks: [hook('other')] }] }, last: 1 }),
      written({
        hooks: {
          PreToolUse: [],
          Stop: [{ hooks: [hook('other')] }, { hooks: [hook(OWN, 600)] }],
          SubagentStop: [{ matcher: 'check', hooks: [hook(OWN, 600)] }],
        },
        last: 1,
      }),
    ],
  ] as const)('%s', ([, before, after]) => {
    expect(edited(before, BOTH)).toBe(after);
    expect(edited(after, BOTH)).toBe(after);
  });

  test('and keeps comments', () => {
    const before = '{\n  // mine\n  "model": "x", /* too */\n  "hooks": {\n    // none yet\n  }\n}\n';
    const after = edited(before, [STOP]);
    for (const comment of ['// mine', '/* too */', '// none yet']) expect(after).toContain(comment);
    expect(edited(after, [STOP])).toBe(after);
  });

  test.for(HOSTS.filter(({ hookFile }) => !hookFile.isOfUser))(
    'in the form of $name',
    ({ name, hookFile }) => {
      const required: RequiredHook[] = [{ event: hookFile.events.main, matcher: undefined, form }];
      const text = edited('', required, hookFile);
      expect(JSON.parse(settingsIn(text, hookFile))).toMatchObject(hookFile.head ?? {});
      expect(text).toContain(OWN);
      expect(settingsIn(text, hookFile)).toMatchSnapshot(name);
      expect(edited(text, required, hookFile)).toBe(text);
    },
  );
});

describe('editHookFile changes an existing entry in place:', () => {
  const older = 'npx ralph-loop-cli hook --deadline 50 --verbose';
  test.for([
    ['its command and its timeout', { hooks: [hook(older, 60)] }, { hooks: [hook(OWN, 600)] }],
    ['a missing timeout', { hooks: [hook(older)] }, { hooks: [hook(OWN, 600)] }],
    [
      'its matcher, which it must not have',
      { matcher: 'x', hooks: [hook(older, 60)] },
      { hooks: [hook(OWN, 600)] },
    ],
    [
      'its command, in a group with another entry that keeps the matcher',
      { matcher: 'x', hooks: [hook('a'), hook(older, 60)] },
      { matcher: 'x', hooks: [hook('a'), hook(OWN, 600)] },
    ],
  ])('%s', ([, before, after]) => {
    const text = (group: unknown) =>
      written({ hooks: { Stop: [group], PreToolUse: [{ hooks: [hook('b')] }] } });
    expect(edited(text(before), [STOP])).toBe(text(after));
  });

  test('an entry on one line stays on one line', () => {
    const text = (more: string) => `{\n  "hooks": { "Stop": [{ "hooks": [{ "command": "${more} }] }] }\n}\n`;
    expect(edited(text(`${older}"`), [STOP])).toBe(text(`${OWN}","timeout": 600`));
  });

  test('an entry that needs another matcher than its group moves to a new group', () => {
    const of = (matcher: string, ...commands: string[]) => ({
      matcher,
      hooks: commands.map((command) => hook(command, 600)),
    });
    const text = (...groups: unknown[]) => written({ hooks: { SubagentStop: groups } });
    expect(edited(text(of('a', 'other', OWN)), [SUBAGENT])).toBe(text(of('a', 'other'), of('check', OWN)));
    expect(edited(text(of('check', 'other', OWN)), [SUBAGENT])).toBe(text(of('check', 'other', OWN)));
  });

  test('further entries are removed, with the groups that are empty then', () => {
    const before = written({
      hooks: {
        Stop: [{ hooks: [hook(OWN, 600), hook(OWN, 600), hook('other')] }, { hooks: [hook(OWN, 600)] }],
        SubagentStop: [{ matcher: 'a', hooks: [hook(OWN, 600), hook(OWN, 600)] }],
      },
    });
    expect(edited(before, [STOP])).toBe(
      written({ hooks: { Stop: [{ hooks: [hook(OWN, 600), hook('other')] }] } }),
    );
  });

  test('the required hook sees the entry that it replaces', () => {
    const seen: unknown[] = [];
    const spying: RequiredHook = {
      ...STOP,
      form(earlier) {
        seen.push(earlier?.command, earlier?.timeout);
        return form();
      },
    };
    edited(written({ hooks: { Stop: [{ hooks: [hook(older, 60)] }] } }), [spying]);
    expect(seen).toEqual([older, 60]);
  });
});

test("editHookFile replaces Trellis's Python hook and reports it", () => {
  const python = hook('python3 .claude/hooks/ralph-loop.py', 10);
  const text = (entry: unknown) =>
    written({ hooks: { SubagentStop: [{ matcher: 'check', hooks: [entry] }] }, x: 1 }, 4);
  const result = editHookFile(text(python), CLAUDE, [SUBAGENT]);
  expect(result).toMatchObject({
    value: {
      text: text(hook(OWN, 600)),
      replaced: [{ event: 'SubagentStop', timeout: 10 }],
    },
  });
  // A removal keeps it.
  expect(edited(text(python), [])).toBe(text(python));
});

describe('editHookFile removes its hooks', () => {
  test.for([
    ['and keeps other hooks', { hooks: { Stop: [{ hooks: [hook('other')] }] }, a: 1 }],
    ['and keeps other settings', { a: 1 }],
  ])('%s', ([, settings]) => {
    const before = written(settings);
    expect(edited(edited(before, BOTH), [])).toBe(before);
  });

  test('from a list with other entries before and after them', () => {
    const text = (hooks: unknown[]) => written({ hooks: { Stop: [{ hooks }] } });
    expect(edited(text([hook('a'), hook(OWN), hook('b'), hook(OWN)]), [])).toBe(text([hook('a'), hook('b')]));
  });
});

describe('editHookFile removes, from settings on one line,', () => {
  const text = (groups: unknown[]) => JSON.stringify({ hooks: { Stop: groups }, a: 1 });
  const [own, other] = [hook(OWN, 600), hook('other')];
  const rows: [string, string, string][] = [
    ['the last entry', text([{ hooks: [other, own] }]), text([{ hooks: [other] }])],
    ['the last group', text([{ hooks: [other] }, { hooks: [own] }]), text([{ hooks: [other] }])],
    ['the first group', text([{ hooks: [own] }, { hooks: [other] }]), text([{ hooks: [other] }])],
    ['all hooks', text([{ hooks: [own] }]), '{"a":1}'],
    ['everything, with a trailing comma', `{"hooks":{"Stop":[{"hooks":[${JSON.stringify(own)}]}]},}`, '{}'],
  ];
  test.for(rows)('%s', ([, before, after]) => {
    expect(edited(before, [])).toBe(after);
  });
});

describe('editHookFile fails with a position for', () => {
  test.for([
    ['invalid JSON', '{"hooks": }', 1, 11],
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['"hooks" that is a list', '{"hooks": []}', 1, 11],
    ['an event that is not a list', '{\n "hooks": {"Stop": {}}}', 2, 20],
    ['a group that is not an object', '{"hooks": {"Stop": ["x"]}}', 1, 21],
    ['"hooks" of a group that is not a list', '{"hooks": {"Stop": [{"hooks": 1}]}}', 1, 31],
    ['a list', '[]', 1, 1],
    ['"hooks" that is set twice', '{"hooks": {}, "hooks": {}}', 1, 15],
    ['an event that is set twice', '{"hooks": {"Stop": [],\n"Stop": []}}', 2, 1],
  ] as const)('%s', ([, text, line, column]) => {
    const result = editHookFile(text, CLAUDE, BOTH);
    expect(result).toEqual({ ok: false, failure: [{ line, column, message: expect.stringMatching(/./) }] });
  });
});
