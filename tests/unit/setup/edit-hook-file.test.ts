import { describe, expect, test } from 'vitest';
import { HOSTS } from '../../../src/hosts/hosts.ts';
import { editHookFile, type WantedHook } from '../../../src/setup/edit-hook-file.ts';

const hookFileOf = (name: string) => {
  const host = HOSTS.find((known) => known.name === name);
  if (!host) throw new Error(`no host ${name}`);
  return host.hookFile;
};
const CLAUDE = hookFileOf('claude-code');
const OURS = 'node x/ralph-loop.js hook --deadline 570';
const form = () => ({ command: OURS, timeout: 600 });
const STOP: WantedHook = { event: 'Stop', matcher: undefined, form };
const SUBAGENT: WantedHook = { event: 'SubagentStop', matcher: 'check', form };
const BOTH = [STOP, SUBAGENT];

const edited = (text: string, wanted: readonly WantedHook[], hookFile = CLAUDE): string => {
  const result = editHookFile(text, hookFile, wanted);
  return 'text' in result ? result.text : JSON.stringify(result.problems);
};
/** Settings as people write them, with tabs, or with blanks. */
const written = (value: unknown, indentation: string | number = 2) =>
  `${JSON.stringify(value, null, indentation)}\n`;
const hook = (command: string, timeout?: number) => ({
  type: 'command',
  command,
  ...(timeout && { timeout }),
});
const WITH_BOTH = {
  hooks: {
    Stop: [{ hooks: [hook(OURS, 600)] }],
    SubagentStop: [{ matcher: 'check', hooks: [hook(OURS, 600)] }],
  },
};

describe('hooks are put in', () => {
  test.for([
    ['no file', '', written(WITH_BOTH)],
    ['an empty object', '{}\n', written(WITH_BOTH)],
    ['other settings', written({ model: 'x' }), written({ model: 'x', ...WITH_BOTH })],
    ['tabs', written({ model: 'x' }, '\t'), written({ model: 'x', ...WITH_BOTH }, '\t')],
    ['four blanks', written({ model: 'x' }, 4), written({ model: 'x', ...WITH_BOTH }, 4)],
    [
      'Windows line ends',
      written({ model: 'x' }).replaceAll('\n', '\r\n'),
      written({ model: 'x', ...WITH_BOTH }).replaceAll('\n', '\r\n'),
    ],
    ['a byte order mark', `\uFEFF${written({})}`, `\uFEFF${written(WITH_BOTH)}`],
    [
      'what is no event',
      written({ hooks: { enabled: true, disabled: ['x'] } }),
      written({ hooks: { enabled: true, disabled: ['x'], ...WITH_BOTH.hooks } }),
    ],
    [
      'neighbours that stand on one line, and go on to',
      written({ permissions: 0 }).replace('0', '{ "allow": ["a"], "deny": [] }'),
      written({ permissions: 0, ...WITH_BOTH }).replace('0', '{ "allow": ["a"], "deny": [] }'),
    ],
    [
      'hooks of others, which stay before ours',
      written({ hooks: { PreToolUse: [], Stop: [{ hooks: [hook('other')] }] }, last: 1 }),
      written({
        hooks: {
          PreToolUse: [],
          Stop: [{ hooks: [hook('other')] }, { hooks: [hook(OURS, 600)] }],
          SubagentStop: [{ matcher: 'check', hooks: [hook(OURS, 600)] }],
        },
        last: 1,
      }),
    ],
  ] as const)('of %s', ([, before, after]) => {
    expect(edited(before, BOTH)).toBe(after);
    expect(edited(after, BOTH)).toBe(after);
  });

  test('and comments stay', () => {
    const before = '{\n  // mine\n  "model": "x", /* too */\n  "hooks": {\n    // none yet\n  }\n}\n';
    const after = edited(before, [STOP]);
    for (const comment of ['// mine', '/* too */', '// none yet']) expect(after).toContain(comment);
    expect(edited(after, [STOP])).toBe(after);
  });

  test.for(HOSTS)('in the form of $name', ({ name, hookFile }) => {
    const wanted: WantedHook[] = [{ event: hookFile.events.main, matcher: undefined, form }];
    const text = edited('', wanted, hookFile);
    expect(JSON.parse(text)).toMatchObject(hookFile.head ?? {});
    expect(text).toContain(OURS);
    expect(text).toMatchSnapshot(name);
    expect(edited(text, wanted, hookFile)).toBe(text);
  });
});

describe('an entry of ours is changed where it stands', () => {
  const older = 'npx ralph-loop hook --deadline 50 --verbose';
  test.for([
    ['its command and its timeout', { hooks: [hook(older, 60)] }, { hooks: [hook(OURS, 600)] }],
    ['a timeout that it has not', { hooks: [hook(older)] }, { hooks: [hook(OURS, 600)] }],
    ['and its matcher goes', { matcher: 'x', hooks: [hook(older, 60)] }, { hooks: [hook(OURS, 600)] }],
    [
      'and a group with others keeps its matcher',
      { matcher: 'x', hooks: [hook('a'), hook(older, 60)] },
      { matcher: 'x', hooks: [hook('a'), hook(OURS, 600)] },
    ],
  ])('%s', ([, before, after]) => {
    const text = (group: unknown) =>
      written({ hooks: { Stop: [group], PreToolUse: [{ hooks: [hook('b')] }] } });
    expect(edited(text(before), [STOP])).toBe(text(after));
  });

  test('on its line, where it stands on one', () => {
    const text = (more: string) => `{\n  "hooks": { "Stop": [{ "hooks": [{ "command": "${more} }] }] }\n}\n`;
    expect(edited(text(`${older}"`), [STOP])).toBe(text(`${OURS}","timeout": 600`));
  });

  test('or goes to a group of its own, where that of others has another matcher', () => {
    const of = (matcher: string, ...commands: string[]) => ({
      matcher,
      hooks: commands.map((command) => hook(command, 600)),
    });
    const text = (...groups: unknown[]) => written({ hooks: { SubagentStop: groups } });
    expect(edited(text(of('a', 'other', OURS)), [SUBAGENT])).toBe(text(of('a', 'other'), of('check', OURS)));
    expect(edited(text(of('check', 'other', OURS)), [SUBAGENT])).toBe(text(of('check', 'other', OURS)));
  });

  test('further ones go, with the groups that held nothing else', () => {
    const before = written({
      hooks: {
        Stop: [{ hooks: [hook(OURS, 600), hook(OURS, 600), hook('other')] }, { hooks: [hook(OURS, 600)] }],
        SubagentStop: [{ matcher: 'a', hooks: [hook(OURS, 600), hook(OURS, 600)] }],
      },
    });
    expect(edited(before, [STOP])).toBe(
      written({ hooks: { Stop: [{ hooks: [hook(OURS, 600), hook('other')] }] } }),
    );
  });

  test('the entry is told what it takes the place of', () => {
    const seen: unknown[] = [];
    const spying: WantedHook = {
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

test("Trellis's Python hook gives way, and that is told", () => {
  const python = hook('python3 .claude/hooks/ralph-loop.py', 10);
  const text = (entry: unknown) =>
    written({ hooks: { SubagentStop: [{ matcher: 'check', hooks: [entry] }] }, x: 1 }, 4);
  const result = editHookFile(text(python), CLAUDE, [SUBAGENT]);
  expect(result).toMatchObject({
    text: text(hook(OURS, 600)),
    replacedPythonHooks: [{ event: 'SubagentStop', timeout: 10 }],
  });
  // Whoever takes ours out keeps theirs.
  expect(edited(text(python), [])).toBe(text(python));
});

describe('ours are taken out', () => {
  test.for([
    ['and hooks of others stay', { hooks: { Stop: [{ hooks: [hook('other')] }] }, a: 1 }],
    ['and other settings stay', { a: 1 }],
  ])('%s', ([, settings]) => {
    const before = written(settings);
    expect(edited(edited(before, BOTH), [])).toBe(before);
  });

  test('of a list with others, on either side', () => {
    const text = (hooks: unknown[]) => written({ hooks: { Stop: [{ hooks }] } });
    expect(edited(text([hook('a'), hook(OURS), hook('b'), hook(OURS)]), [])).toBe(
      text([hook('a'), hook('b')]),
    );
  });
});

describe('ours are taken out of what stands on one line', () => {
  const text = (groups: unknown[]) => JSON.stringify({ hooks: { Stop: groups }, a: 1 });
  const [ours, other] = [hook(OURS, 600), hook('other')];
  const rows: [string, string, string][] = [
    ['the last entry', text([{ hooks: [other, ours] }]), text([{ hooks: [other] }])],
    ['the last group', text([{ hooks: [other] }, { hooks: [ours] }]), text([{ hooks: [other] }])],
    ['the first group', text([{ hooks: [ours] }, { hooks: [other] }]), text([{ hooks: [other] }])],
    ['all hooks', text([{ hooks: [ours] }]), '{"a":1}'],
    ['all that there is, and a comma', `{"hooks":{"Stop":[{"hooks":[${JSON.stringify(ours)}]}]},}`, '{}'],
  ];
  test.for(rows)('%s', ([, before, after]) => {
    expect(edited(before, [])).toBe(after);
  });
});

describe('what could be lost is not touched', () => {
  test.for([
    ['no JSON', '{"hooks": }', 1, 11],
    ['a comma too few', '{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['hooks that are a list', '{"hooks": []}', 1, 11],
    ['an event that is no list', '{\n "hooks": {"Stop": {}}}', 2, 20],
    ['a group that is no object', '{"hooks": {"Stop": ["x"]}}', 1, 21],
    ['hooks of a group that are no list', '{"hooks": {"Stop": [{"hooks": 1}]}}', 1, 31],
    ['a list', '[]', 1, 1],
    ['hooks that are set twice', '{"hooks": {}, "hooks": {}}', 1, 15],
    ['an event that is set twice', '{"hooks": {"Stop": [],\n"Stop": []}}', 2, 1],
  ] as const)('%s', ([, text, line, column]) => {
    const result = editHookFile(text, CLAUDE, BOTH);
    expect(result).not.toHaveProperty('text');
    expect(result).toMatchObject({ problems: [{ line, column, message: expect.stringMatching(/./) }] });
  });
});
