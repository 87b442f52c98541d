import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandGate } from '../../../src/config/command-gate.ts';
import { parseGateConfig, readGateConfigFile } from '../../../src/config/gate-config.ts';
import { formatProblem } from '../../../src/config/validate.ts';
import { planGates } from '../../../src/gates/plan.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

/** The directories of the config and of the agent. They do not exist. */
const CONTEXT = {
  directory: '/the/project',
  root: '/the/project',
  workingDirectory: '/the/project/packages/a',
};
const GATE_OBJECT = 'expected an object with "name" and "command"';
const ROOT_OBJECT = 'expected an object such as {"gates": [{"name": "test", "command": "npm test"}]}';
const VARIABLES = 'expected an object of variable names to text';
const NOT_JSON = 'found text that is not valid JSON:';

/** Parses a config, its problems in the form that people read, without the file's name: `2:3: found …`. */
async function read(text: string) {
  const parsed = await parseGateConfig(text, CONTEXT);
  return { ...parsed, problems: parsed.problems.map((problem) => formatProblem('', problem).slice(1)) };
}

/** The positions of problems: `2:3:`. */
const placesIn = (problems: readonly string[]) => problems.map((problem) => problem.split(' ', 1)[0]);

/** A config of one gate with a member in line 3. */
const withMember = (member: string) =>
  `{\n  "gates": [{"name": "a", "command": "b",\n    ${member}\n  }]\n}\n`;

describe('a gate config is parsed', () => {
  test('with the defaults', async () => {
    expect(await read('{"gates": [{"name": "test", "command": "npm test"}]}')).toEqual({
      gates: [
        {
          kind: 'command',
          name: 'test',
          command: 'npm test',
          cwd: '/the/project/packages/a',
          env: {},
          timeoutSeconds: Number.POSITIVE_INFINITY,
          blocking: true,
          order: 100,
          inUserShell: true,
        },
      ],
      failFast: true,
      outputPath: 'gate-results-<pid>.json',
      problems: [],
    });
  });

  test.each([
    ['description', '"description": "unit tests"', { description: 'unit tests' }],
    ['order', '"order": 10', { order: 10 }],
    ['order 0', '"order": 0', { order: 0 }],
    ['a negative order with a fraction', '"order": -1.5', { order: -1.5 }],
    ['blocking', '"blocking": false', { blocking: false }],
    ['enabled', '"enabled": true', {}],
    ['timeout', '"timeout": 0.5', { timeoutSeconds: 0.5 }],
    ['cwd', '"cwd": "sub/../x"', { cwd: '/the/project/x' }],
    ['the directory of the config as cwd', '"cwd": "."', { cwd: '/the/project' }],
    ['env', '"env": {"A": "1", "B": 2, "C": true}', { env: { A: '1', B: '2', C: 'true' } }],
    ['an empty env', '"env": {}', { env: {} }],
    ['an unknown key', '"x-owner": {"name": 5}', {}],
    ['a key that every object inherits', '"__proto__": {"blocking": false}', {}],
    ['$schema', '"$schema": "./gate.schema.json"', {}],
  ])('%s', async (_, member, fields) => {
    const { gates, problems } = await read(withMember(member));

    expect(problems).toEqual([]);
    expect(gates).toEqual([
      {
        ...commandGate(
          { name: 'a', command: 'b' },
          { ...CONTEXT, timeoutSeconds: Number.POSITIVE_INFINITY, inUserShell: true },
        ),
        ...fields,
      },
    ]);
  });

  test.each([
    ['failFast', '{"gates": [], "failFast": false}', { failFast: false }],
    ['outputPath', '{"gates": [], "outputPath": "out/<pid>/a.json"}', { outputPath: 'out/<pid>/a.json' }],
    ['$schema', '{"$schema": "https://example.org/schema.json", "gates": []}', {}],
    ['an unknown key', '{"gates": [], "version": 2, "comment": null}', {}],
    [
      'a key that every object inherits',
      '{"gates": [], "__proto__": {"failFast": false}, "constructor": 1}',
      {},
    ],
  ])('%s', async (_, text, fields) => {
    expect(await read(text)).toEqual({
      ...{ gates: [], failFast: true, outputPath: 'gate-results-<pid>.json', problems: [] },
      ...fields,
    });
  });

  test('to gates that run by order, then in the order of the file, without the disabled ones', async () => {
    const { gates } = await read(
      `{"gates": [
        {"name": "default", "command": "x"},
        {"name": "last", "command": "x", "order": 101},
        {"name": "off", "command": "x", "order": 1, "enabled": false},
        {"name": "tie of default", "command": "x", "order": 100},
        {"name": "first", "command": "x", "order": -5},
        {"name": "second", "command": "x", "order": 99.5}
      ]}`,
    );

    expect(planGates(gates).map(({ name }) => name)).toEqual([
      'first',
      'second',
      'default',
      'tie of default',
      'last',
    ]);
  });

  test.each([
    ['an empty list', '{"gates": []}'],
    ['only disabled gates', '{"gates": [{"name": "a", "command": "b", "enabled": false}]}'],
  ])('without problems if it has no gate: %s', async (_, text) => {
    expect(await read(text)).toMatchObject({ gates: [], problems: [] });
  });

  test.each([
    ['a line comment', '{"gates": [ // fast ones first\n{"name": "a", "command": "b"}]}'],
    ['block comments', '/* gates */ {"gates": [{"name": /* a */ "a", "command": "b"}]}'],
    ['a trailing comma in a list', '{"gates": [{"name": "a", "command": "b"},]}'],
    ['a trailing comma in an object', '{"gates": [{"name": "a", "command": "b",}],}'],
    ['CRLF', '{"gates":\r\n[{"name": "a", "command": "b"}]}\r\n'],
    ['text that looks like a comment', '{"gates": [{"name": "a", "command": "b"}], "x": "// /* ,]"}'],
    ['text that looks like a key', '{"gates": [{"name": "a", "command": "b"}], "x": "\\"name\\": 1"}'],
    ['escapes', '{"\\u0067ates": [{"name": "\\u0061", "command": "b"}]}'],
    ['a megabyte of blanks', `{"gates": [${' '.repeat(1e6)}{"name": "a", "command": "b"}]}`],
  ])('with %s', async (_, text) => {
    const { gates, problems } = await read(text);

    expect(problems).toEqual([]);
    expect(gates).toMatchObject([{ name: 'a', command: 'b' }]);
  });

  test.each([
    ['a path', '../a/b'],
    ['blanks', '  type check  '],
    ['300 characters', 'x'.repeat(300)],
    ['a line end', 'a\nb'],
    ['other scripts', '検証 ✓'],
    ['a name that every object inherits', '__proto__'],
  ])('with any name: %s', async (_, name) => {
    const { gates, problems } = await read(JSON.stringify({ gates: [{ name, command: 'x' }] }));

    expect(problems).toEqual([]);
    expect(gates).toMatchObject([{ name }]);
  });

  test('with gates that run anywhere in the project, even above the config', async () => {
    const context = { ...CONTEXT, directory: '/the/project/conf' };
    const cwdOf = async (cwd: string) => {
      const { gates, problems } = await parseGateConfig(withMember(`"cwd": "${cwd}"`), context);
      return problems.length > 0 ? 'refused' : gates.map((gate) => gate.cwd).join();
    };

    expect(await Promise.all(['.', '..', '../src', '../..', '/the/project/a', '/the'].map(cwdOf))).toEqual([
      '/the/project/conf',
      '/the/project',
      '/the/project/src',
      'refused',
      '/the/project/a',
      'refused',
    ]);
  });

  test('with the variables to inherit that the project names', async () => {
    const text = '{"gates": [{"name": "a", "command": "b"}]}';
    const { gates } = await parseGateConfig(text, { ...CONTEXT, passEnv: ['DATABASE_URL'] });

    expect(gates).toMatchObject([{ passEnv: ['DATABASE_URL'] }]);
  });
});

type Row = readonly [text: string, ...problems: string[]];

const members: Row[] = [
  ['"enabled": "false"', '3:16: found text "false" for "enabled", expected true or false'],
  ['"enabled": 0', '3:16: found the number 0 for "enabled", expected true or false'],
  ['"enabled": null', '3:16: found nothing for "enabled", expected true or false'],
  ['"blocking": "no"', '3:17: found text "no" for "blocking", expected true or false'],
  ['"order": "10"', '3:14: found text "10" for "order", expected a number'],
  ['"order": 1e400', '3:14: found the number Infinity for "order", expected a number'],
  ['"order": [1]', '3:14: found a list for "order", expected a number'],
  ['"timeout": 0', '3:16: found the number 0 for "timeout", expected a number of seconds above 0'],
  ['"timeout": -1', '3:16: found the number -1 for "timeout", expected a number of seconds above 0'],
  ['"timeout": "5"', '3:16: found text "5" for "timeout", expected a number of seconds above 0'],
  [
    '"timeout": 2147484',
    '3:16: found the number 2147484 for "timeout", expected a number of seconds above 0',
  ],
  ['"cwd": 5', '3:12: found the number 5 for "cwd", expected text'],
  ['"cwd": ".."', '3:12: found ".." for "cwd", expected a directory inside the project'],
  ['"cwd": "/etc"', '3:12: found "/etc" for "cwd", expected a directory inside the project'],
  ['"cwd": "x/../../y"', '3:12: found "x/../../y" for "cwd", expected a directory inside the project'],
  ['"env": ["A"]', `3:12: found a list for "env", ${VARIABLES}`],
  ['"env": "A=1"', `3:12: found text "A=1" for "env", ${VARIABLES}`],
  ['"env": {"A": null}', `3:12: found a mapping for "env", ${VARIABLES}`],
  ['"env": {"A": ["x"]}', `3:12: found a mapping for "env", ${VARIABLES}`],
  ['"env": {"A=B": "x"}', `3:12: found a mapping for "env", ${VARIABLES}`],
  ['"env": {"": "x"}', `3:12: found a mapping for "env", ${VARIABLES}`],
  ['"env": {"A": "x\\u0000"}', `3:12: found a mapping for "env", ${VARIABLES}`],
  ['"description": {}', '3:20: found a mapping for "description", expected text'],
  ['"tiemout": 5', '3:5: found unknown key "tiemout"; did you mean "timeout"?'],
  ['"Blocking": false', '3:5: found unknown key "Blocking"; did you mean "blocking"?'],
  ['"enable": false', '3:5: found unknown key "enable"; did you mean "enabled"?'],
  ['"command": "c"', '3:5: found "command" again, expected it once'],
  ['"order": 1, "order": 1', '3:17: found "order" again, expected it once'],
  ['"x": 1, "x": 2', '3:13: found "x" again, expected it once'],
  ['"env": {"A": "1", "A": "2"}', '3:23: found "A" again, expected it once'],
];

const gates: Row[] = [
  ['{"name": "", "command": "b"}', '2:10: found an empty text for "name", expected text'],
  ['{"name": "  ", "command": "b"}', '2:10: found an empty text for "name", expected text'],
  ['{"name": 5, "command": "b"}', '2:10: found the number 5 for "name", expected text'],
  ['{"name": "a\\u0000", "command": "b"}', '2:10: found text "a\\u0000" for "name", expected text'],
  ['{"name": "a", "command": ""}', '2:26: found an empty text for "command", expected text'],
  ['{"name": "a", "command": ["npm", "test"]}', '2:26: found a list for "command", expected text'],
  ['{"name": "a", "command": "b\\u0000"}', '2:26: found text "b\\u0000" for "command", expected text'],
  ['"npm test"', `2:1: found text "npm test" among the gates, ${GATE_OBJECT}`],
  ['5', `2:1: found the number 5 among the gates, ${GATE_OBJECT}`],
  ['null', `2:1: found nothing among the gates, ${GATE_OBJECT}`],
  ['[]', `2:1: found a list among the gates, ${GATE_OBJECT}`],
];

const files: Row[] = [
  ['', '1:1: found an empty file, expected JSON'],
  [' \n\t\n', '1:1: found an empty file, expected JSON'],
  ['// later\n', '1:1: found an empty file, expected JSON'],
  ['[]', `1:1: found a list, ${ROOT_OBJECT}`],
  ['\n  5', `2:3: found the number 5, ${ROOT_OBJECT}`],
  ['null', `1:1: found nothing, ${ROOT_OBJECT}`],
  ['"npm test"', `1:1: found text "npm test", ${ROOT_OBJECT}`],
  ['{}', '1:1: found a config without "gates", expected a list of gates'],
  ['// c\n {"failFast": true}', '2:2: found a config without "gates", expected a list of gates'],
  ['{"gates": {}}', '1:11: found a mapping for "gates", expected a list'],
  ['{"gates": null}', '1:11: found nothing for "gates", expected a list'],
  ['{"gates": "npm test"}', '1:11: found text "npm test" for "gates", expected a list'],
  ['{"gates": [], "gates": []}', '1:15: found "gates" again, expected it once'],
  ['{"gates": [], "failFast": "yes"}', '1:27: found text "yes" for "failFast", expected true or false'],
  ['{"gates": [], "outputPath": ""}', '1:29: found an empty text for "outputPath", expected text'],
  ['{"gates": [], "outputPath": 5}', '1:29: found the number 5 for "outputPath", expected text'],
  ['{"gates": [], "failfast": true}', '1:15: found unknown key "failfast"; did you mean "failFast"?'],
  ['{', `1:2: ${NOT_JSON} close brace expected`],
  ['{"gates": []', `1:13: ${NOT_JSON} close brace expected`],
  ['{\n  "gates": []\n  "failFast": true\n}', `3:3: ${NOT_JSON} comma expected`],
  ['{"gates": []} x', `1:15: ${NOT_JSON} invalid symbol`],
  ['{"gates": []}\n{"gates": []}', `2:1: ${NOT_JSON} end of file expected`],
  ['{"gates": [], "x": "\\x"}', `1:20: ${NOT_JSON} invalid escape character`],
  ['{"gates": [], "x": "a\tb"}', `1:20: ${NOT_JSON} invalid character`],
];

describe('a problem in a gate config names its position, the found and the expected value:', () => {
  test.each(members)('option of a gate: %s', async (member, ...problems) => {
    expect((await read(withMember(member))).problems).toEqual(problems);
  });

  test.each(gates)('gate: %s', async (gate, ...problems) => {
    expect((await read(`{"gates": [\n${gate}\n]}`)).problems).toEqual(problems);
  });

  test.each(files)('file: %j', async (text, ...problems) => {
    expect((await read(text)).problems).toEqual(problems);
  });

  test.each([
    ['name', '{"command": "b"}', /^2:1: found .*without "name"/],
    ['command', '{"name": "a"}', /^2:1: found .*without "command"/],
    ['command, but with a typo of it', '{"name": "a", "commnad": "b"}', /^2:1: found .*without "command"/],
    ['command that is disabled', '{"name": "a", "enabled": false}', /^2:1: found .*without "command"/],
  ])('a gate without a %s', async (_, gate, problem) => {
    expect((await read(`{"gates": [\n${gate}\n]}`)).problems[0]).toMatch(problem);
  });

  test.each([
    ["{'gates': []}", '1:2:'],
    ['{gates: []}', '1:2:'],
    ['{"gates": [}', '1:12:'],
    ['{"gates": [\n{"name": "a" "command": "b"}\n]}', '2:14:'],
  ])('invalid JSON: %j', async (text, place) => {
    const { problems } = await read(text);

    expect(placesIn(problems)[0]).toBe(place);
    expect(problems.every((problem) => problem.includes(NOT_JSON))).toBe(true);
  });

  test.each(['\r\n', '\n'])('lines that end with %j', async (lineEnd) => {
    const lines = ['{', '  "gates": [', '    {"name": "a", "command": "b", "order": "1"}', '  ]', '}'];

    expect((await read(lines.join(lineEnd))).problems).toEqual([
      '3:44: found text "1" for "order", expected a number',
    ]);
  });

  test('a long value, which is cut', async () => {
    const { problems } = await read(withMember(`"order": "${'x\\n'.repeat(10_000)}"`));

    expect(problems).toHaveLength(1);
    expect(problems[0]?.length).toBeLessThan(160);
    expect(problems[0]).not.toContain('\n');
  });
});

describe('all problems of a gate config are reported at once:', () => {
  test('in the order of the file', async () => {
    const text = `{
  "outputPath": 5,
  "gates": [
    {"command": "x", "order": "1"},
    "npm test",
    {"name": "n", "command": "x"},
    {"name": "n", "comand": "y", "enabled": "no"}
  ],
  "failFast": 1
}`;

    expect(placesIn((await read(text)).problems)).toEqual([
      '2:17:',
      '4:5:',
      '4:31:',
      '5:5:',
      '7:5:',
      '7:14:',
      '7:19:',
      '7:45:',
      '9:15:',
    ]);
  });

  test('repeated names, also of disabled gates, with the line of the first one', async () => {
    const text = `{"gates": [
{"name": "n", "command": "x", "enabled": false},
{"name": "m", "command": "x"},
{"name": "n", "command": "x"},
{"name": "n", "command": "x", "enabled": false}
]}`;

    expect((await read(text)).problems).toEqual([
      '4:10: found the name "n" again (first in line 2), expected a unique name',
      '5:10: found the name "n" again (first in line 2), expected a unique name',
    ]);
  });

  test('not names that differ in case or by a blank', async () => {
    const named = (name: string) => ({ name, command: 'x' });

    expect((await read(JSON.stringify({ gates: ['a', 'A', 'a '].map(named) }))).problems).toEqual([]);
  });

  test('only syntax errors if the JSON is invalid', async () => {
    const { problems } = await read('{"gates": [{"name": 5, "order": "x"}]');

    expect(problems).toEqual([`1:38: ${NOT_JSON} close brace expected`]);
  });

  test('at most 20 syntax errors', async () => {
    const { problems } = await read(`{"gates": [${'"a" '.repeat(1000)}]}`);

    expect(problems.length).toBeGreaterThan(0);
    expect(problems.length).toBeLessThanOrEqual(20);
  });
});

describe('a gate config of any size is parsed or rejected:', () => {
  const gate = '{"name": "a", "command": "b"}';

  test.each([
    ['a text of 10 MB', `{"gates": [${gate}], "x": "${'x'.repeat(1e7)}"}`],
    ['a text of 10 MB and a comment', `{/**/"gates": [${gate}], "x": "${'x'.repeat(1e7)}"}`],
    ['10 MB of numbers', `{"gates": [${gate}], "x": [${'1,'.repeat(5e6)}1]}`],
  ])('%s', async (_, text) => {
    const { gates, problems } = await read(text);

    expect(problems).toEqual([]);
    expect(gates).toMatchObject([{ name: 'a' }]);
  });

  test('10 MB that are not JSON', async () => {
    expect(placesIn((await read('x'.repeat(1e7))).problems)).toEqual(['1:1:']);
  });

  const depths = [100, 1000, 2000, 3000, 4000, 6000, 10_000, 100_000, 1_000_000];
  test.each(
    depths.flatMap((depth) => [
      ['lists', depth, '[', '', ']'] as const,
      ['objects', depth, '{"a":', '1', '}'] as const,
    ]),
  )('%s nested %i deep, with a comment and without', async (_, depth, open, core, close) => {
    const nested = `${open.repeat(depth)}${core}${close.repeat(depth)}`;
    for (const comment of ['', '/**/']) {
      const { gates, problems } = await read(`{${comment}"gates": [${gate}], "x": ${nested}}`);
      // The depth that overflows the stack depends on the platform.
      if (problems.length > 0) expect(problems.join()).toContain('nested too deeply');
      else expect(gates).toMatchObject([{ name: 'a' }]);
    }
  });
});

describe('readGateConfigFile', () => {
  const text = '{"gates": [{"name": "a", "command": "b"}], "outputPath": "out/<pid>-<pid>.json"}';

  test('returns the path of the results with the process id', async () => {
    const root = temporaryTree({
      'gate.config.json': text,
      'absolute.json': text.replace('out/', '/tmp/x/'),
    });
    const context = { directory: root, root, workingDirectory: join(root, 'packages') };
    const pids = `${process.pid}-${process.pid}`;

    const { parsed } = await readGateConfigFile(join(root, 'gate.config.json'), context);
    expect(parsed.resultsPath).toBe(join(root, `out/${pids}.json`));
    const absolute = await readGateConfigFile(join(root, 'absolute.json'), context);
    expect(absolute.parsed.resultsPath).toBe(`/tmp/x/${pids}.json`);
  });

  test('ignores a byte order mark in positions', async () => {
    const root = temporaryTree({
      'good.json': `\uFEFF${text}`,
      'bad.json': `\uFEFF{"gates": 5}`,
    });
    const context = { directory: root, root, workingDirectory: root };

    expect((await readGateConfigFile(join(root, 'good.json'), context)).parsed).toMatchObject({
      gates: [{ name: 'a' }],
      problems: [],
    });
    expect((await readGateConfigFile(join(root, 'bad.json'), context)).parsed.problems).toMatchObject([
      { line: 1, column: 11 },
    ]);
  });

  test.each([
    ['does not exist', 'gone.json'],
    ['is a directory', 'directory'],
    ['is a link to itself', 'loop.json'],
    ['is a link to nothing', 'dangling.json'],
  ])('returns an error for a file that %s', async (_, name) => {
    const root = temporaryTree({ 'directory/': '' });
    symlinkSync('loop.json', join(root, 'loop.json'));
    symlinkSync('gone.json', join(root, 'dangling.json'));
    const { file, parsed } = await readGateConfigFile(join(root, name), {
      directory: root,
      root,
      workingDirectory: root,
    });

    expect(file.unreadable).toMatch(/./);
    expect(parsed.gates).toEqual([]);
  });

  test('follows a link', async () => {
    const root = temporaryTree({ 'shared/gates.json': text });
    symlinkSync('shared/gates.json', join(root, 'gate.config.json'));
    const { parsed } = await readGateConfigFile(join(root, 'gate.config.json'), {
      directory: root,
      root,
      workingDirectory: root,
    });

    expect(parsed).toMatchObject({ gates: [{ name: 'a' }], problems: [] });
  });

  test('rejects a cwd that leaves the project through a link', async () => {
    const parent = temporaryTree({ 'outside/': '' });
    const directory = join(parent, 'project');
    mkdirSync(directory);
    symlinkSync(join(parent, 'outside'), join(directory, 'link'));
    const { problems } = await parseGateConfig(withMember('"cwd": "link"'), {
      directory,
      root: directory,
      workingDirectory: directory,
    });

    expect(problems).toMatchObject([
      {
        line: 3,
        column: 12,
        message: 'found "link" for "cwd", expected a directory inside the project',
      },
    ]);
  });
});
