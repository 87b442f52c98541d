import { describe, expect, test } from 'vitest';
import { ROOT, readWorktree } from '../../helpers/read-worktree.ts';

const base = {
  kind: 'command',
  name: 'a',
  command: 'a',
  cwd: ROOT,
  env: {},
  timeoutSeconds: 120,
  blocking: true,
  order: 100,
};

const rows: [what: string, item: string, differs: object][] = [
  ['a plain command', 'a', {}],
  ['run alone', 'run: a', {}],
  ['a name', 'run: a\n    name: lint', { name: 'lint' }],
  ['a timeout', 'run: a\n    timeout: 600', { timeoutSeconds: 600 }],
  ['a timeout below a second', 'run: a\n    timeout: 0.5', { timeoutSeconds: 0.5 }],
  ['a directory', 'run: a\n    cwd: packages/web', { cwd: `${ROOT}/packages/web` }],
  ['a directory by a way round', 'run: a\n    cwd: x/../y/.', { cwd: `${ROOT}/y` }],
  ['the root itself', 'run: a\n    cwd: .', { cwd: ROOT }],
  ['an absolute directory inside', `run: a\n    cwd: ${ROOT}/y`, { cwd: `${ROOT}/y` }],
  ['a name that only begins with dots', 'run: a\n    cwd: ..y', { cwd: `${ROOT}/..y` }],
  [
    'an environment',
    'run: a\n    env: {A: x, B: 5, C: true, D: ""}',
    { env: { A: 'x', B: '5', C: 'true', D: '' } },
  ],
  ['an environment below', 'run: a\n    env:\n      A: x y', { env: { A: 'x y' } }],
  ['names to be passed', 'run: a\n    env: {pass: [A, b_2]}', { passEnv: ['A', 'b_2'] }],
  ['names and values', 'run: a\n    env:\n      B: x\n      pass: [A]', { env: { B: 'x' }, passEnv: ['A'] }],
  ['no name to be passed', 'run: a\n    env: {pass: []}', { passEnv: [] }],
  ['a variable called pass', 'run: a\n    env: {pass: A}', { env: { pass: 'A' } }],
  ['names by an alias', 'run: &r A\n    name: a\n    env: {pass: [*r]}', { command: 'A', passEnv: ['A'] }],
  ['a gate that only warns', 'run: a\n    blocking: false', { blocking: false }],
  ['a gate that blocks', 'run: a\n    blocking: true', {}],
  ['an order', 'run: a\n    order: -1.5', { order: -1.5 }],
  ['a description', 'run: a\n    description: for humans', { description: 'for humans' }],
  ['enabled', 'run: a\n    enabled: true', {}],
  [
    'a literal block',
    'run: |\n      a\n      - b\n    timeout: 5',
    { name: 'a\n- b', command: 'a\n- b', timeoutSeconds: 5 },
  ],
  ['a folded block', 'run: >\n      a\n      b', { name: 'a b', command: 'a b' }],
  ['a quoted command', 'run: " a "', {}],
  ['braces', '{run: a, name: n, order: 3}', { name: 'n', order: 3 }],
  ['braces on several lines', '{run: a,\n     name: n}', { name: 'n' }],
  ['its first key below the dash', '\n    run: a\n    name: n', { name: 'n' }],
  ['comments', '# first\n    run: a # second\n    # third\n    name: n', { name: 'n' }],
];

describe('a gate is read from a mapping', () => {
  test.each(rows)('with %s', async (_, item, differs) => {
    const { gates, problems } = await readWorktree(`verify:\n  - ${item}\n`);

    expect(problems).toEqual([]);
    expect(gates).toEqual([{ ...base, ...differs }]);
  });

  test('with every field at once', async () => {
    const item =
      'name: n\n    run: a\n    timeout: 3\n    cwd: y\n    env: {A: x}\n    blocking: false\n    order: 2\n    enabled: true\n    description: d';
    const { gates } = await readWorktree(`verify:\n  - ${item}\n`);

    expect(gates).toEqual([
      {
        kind: 'command',
        name: 'n',
        command: 'a',
        cwd: `${ROOT}/y`,
        env: { A: 'x' },
        timeoutSeconds: 3,
        blocking: false,
        order: 2,
        description: 'd',
      },
    ]);
  });

  test('and left out where it is disabled', async () => {
    const text = 'verify:\n  - run: a\n    enabled: false\n  - b\n';

    expect(await readWorktree(text)).toMatchObject({ commands: ['b'], problems: [] });
  });

  test("with the section's command timeout where it has none of its own", async () => {
    const text = 'verify:\n  - a\n  - run: b\n  - run: c\n    timeout: 3\nralph:\n  command_timeout: 9\n';
    const { gates } = await readWorktree(text);

    expect(gates.map(({ timeoutSeconds }) => timeoutSeconds)).toEqual([9, 9, 3]);
  });
});

test.each([
  ["the section's where it has none of its own", '  - a\n  - run: b\n', [['A'], ['A']]],
  ['its own instead', '  - a\n  - run: b\n    env: {pass: [B]}\n', [['A'], ['B']]],
  ['its own though it is empty', '  - a\n  - run: b\n    env: {pass: []}\n', [['A'], []]],
])('a gate is passed the names of %s', async (_, items, passed) => {
  const { gates } = await readWorktree(`verify:\n${items}ralph:\n  env: {pass: [A]}\n`);

  expect(gates.map(({ passEnv }) => passEnv)).toEqual(passed);
});

describe('a YAML alias stands for what it names', () => {
  test.each([
    ['a value of the same gate', 'verify:\n  - run: &r a\n    description: *r\n', { description: 'a' }],
    [
      'an environment of the same gate',
      'verify:\n  - run: a\n    name: &n N\n    env: {A: *n}\n',
      { env: { A: 'N' } },
    ],
  ])('%s', async (_, text, gate) => {
    expect(await readWorktree(text)).toMatchObject({ gates: [gate], problems: [] });
  });

  test('but not of another item, which is read by itself: never an environment that nobody wrote', async () => {
    const { gates, problems } = await readWorktree(
      'verify:\n  - run: a\n    env: &e {A: x}\n  - run: b\n    env: *e\n',
    );

    expect(problems).toEqual(['5:10: found the alias "*e" of nothing, expected the value in quotes']);
    expect(gates.map(({ env }) => env)).toEqual([{ A: 'x' }, {}]);
  });

  test('of another item in a list in brackets', async () => {
    expect(await readWorktree('verify: [{run: a, env: &e {A: x}}, {run: b, env: *e}]\n')).toMatchObject({
      gates: [{ env: { A: 'x' } }, { env: { A: 'x' } }],
      problems: [],
    });
  });
});

describe('gate names are unique', () => {
  test.each([
    ['one command, three times', '  - a\n  - a\n  - a\n', ['a', 'a (2)', 'a (3)']],
    [
      'a command called like the number given to another',
      '  - a\n  - a\n  - a (2)\n',
      ['a', 'a (2)', 'a (2) (2)'],
    ],
    ['a name that another command has', '  - a\n  - name: a\n    run: b\n', ['a (2)', 'a']],
    [
      'a name that commands behind it have',
      '  - name: a\n    run: b\n  - a\n  - a\n',
      ['a', 'a (2)', 'a (3)'],
    ],
    [
      'a name like the number given to another',
      '  - a\n  - a\n  - name: a (2)\n    run: b\n',
      ['a', 'a (3)', 'a (2)'],
    ],
    ['a name of a gate that is disabled', '  - name: a\n    run: b\n    enabled: false\n  - a\n', ['a (2)']],
    ['different names for one command', '  - name: x\n    run: a\n  - name: y\n    run: a\n', ['x', 'y']],
  ])('%s', async (_, items, names) => {
    const { gates, problems } = await readWorktree(`verify:\n${items}`);

    expect(problems).toEqual([]);
    expect(gates.map(({ name }) => name)).toEqual(names);
  });
});
