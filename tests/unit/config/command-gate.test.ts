import { describe, expect, test } from 'vitest';
import { commandGate, isWeaker } from '../../../src/config/command-gate.ts';
import { GATE_SCHEMA } from '../../../src/config/schema.ts';
import { ROOT, readWorktree } from '../../helpers/read-worktree.ts';

const CONTEXT = { root: ROOT, directory: ROOT, workingDirectory: ROOT, timeoutSeconds: 120 };

const rows: [what: string, item: string, differs: object][] = [
  ['a plain command', 'a', {}],
  ['only a command', 'run: a', {}],
  ['name', 'run: a\n    name: lint', { name: 'lint' }],
  ['timeout', 'run: a\n    timeout: 600', { timeoutSeconds: 600 }],
  ['a timeout of less than a second', 'run: a\n    timeout: 0.5', { timeoutSeconds: 0.5 }],
  ['cwd', 'run: a\n    cwd: packages/web', { cwd: `${ROOT}/packages/web` }],
  ['a cwd that is normalized', 'run: a\n    cwd: x/../y/.', { cwd: `${ROOT}/y` }],
  ['the root as cwd', 'run: a\n    cwd: .', { cwd: ROOT }],
  ['an absolute cwd inside the project', `run: a\n    cwd: ${ROOT}/y`, { cwd: `${ROOT}/y` }],
  ['a cwd whose name starts with dots', 'run: a\n    cwd: ..y', { cwd: `${ROOT}/..y` }],
  ['env', 'run: a\n    env: {A: x, B: 5, C: true, D: ""}', { env: { A: 'x', B: '5', C: 'true', D: '' } }],
  ['env as a block mapping', 'run: a\n    env:\n      A: x y', { env: { A: 'x y' } }],
  ['env.pass', 'run: a\n    env: {pass: [A, b_2]}', { passEnv: ['A', 'b_2'] }],
  [
    'env.pass and variables',
    'run: a\n    env:\n      B: x\n      pass: [A]',
    { env: { B: 'x' }, passEnv: ['A'] },
  ],
  ['an empty env.pass', 'run: a\n    env: {pass: []}', { passEnv: [] }],
  ['a variable called pass', 'run: a\n    env: {pass: A}', { env: { pass: 'A' } }],
  ['env.pass by an alias', 'run: &r A\n    name: a\n    env: {pass: [*r]}', { command: 'A', passEnv: ['A'] }],
  ['blocking: false', 'run: a\n    blocking: false', { blocking: false }],
  ['blocking: true', 'run: a\n    blocking: true', {}],
  ['order', 'run: a\n    order: -1.5', { order: -1.5 }],
  ['report', 'run: a\n    report: "out/TEST-*.xml"', { report: 'out/TEST-*.xml' }],
  ['description', 'run: a\n    description: for humans', { description: 'for humans' }],
  ['enabled: true', 'run: a\n    enabled: true', {}],
  [
    'a literal block',
    'run: |\n      a\n      - b\n    timeout: 5',
    { name: 'a\n- b', command: 'a\n- b', timeoutSeconds: 5 },
  ],
  ['a folded block', 'run: >\n      a\n      b', { name: 'a b', command: 'a b' }],
  ['a quoted command', 'run: " a "', {}],
  ['a flow mapping', '{run: a, name: n, order: 3}', { name: 'n', order: 3 }],
  ['a flow mapping on several lines', '{run: a,\n     name: n}', { name: 'n' }],
  ['its first key on the line after the dash', '\n    run: a\n    name: n', { name: 'n' }],
  ['comments', '# first\n    run: a # second\n    # third\n    name: n', { name: 'n' }],
];

test('a gate has the defaults for options that are not set', () => {
  expect(commandGate({ command: 'a' }, CONTEXT)).toEqual({
    kind: 'command',
    name: 'a',
    command: 'a',
    cwd: ROOT,
    env: {},
    timeoutSeconds: 120,
    blocking: true,
    order: 100,
  });
});

describe('a gate is parsed', () => {
  test.each(rows)('with %s', async (_, item, differs) => {
    const { gates, problems } = await readWorktree(`verify:\n  - ${item}\n`);

    expect(problems).toEqual([]);
    expect(gates).toEqual([{ ...commandGate({ command: 'a' }, CONTEXT), ...differs }]);
  });

  test('with all options at once', async () => {
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

  test('and left out if it is disabled', async () => {
    const text = 'verify:\n  - run: a\n    enabled: false\n  - b\n';

    expect(await readWorktree(text)).toMatchObject({ commands: ['b'], problems: [] });
  });

  test('with command_timeout if it sets no timeout', async () => {
    const text = 'verify:\n  - a\n  - run: b\n  - run: c\n    timeout: 3\nralph:\n  command_timeout: 9\n';
    const { gates } = await readWorktree(text);

    expect(gates.map(({ timeoutSeconds }) => timeoutSeconds)).toEqual([9, 9, 3]);
  });
});

test.each([
  ['of ralph if it sets none', '  - a\n  - run: b\n', [['A'], ['A']]],
  ['of its own instead of those of ralph', '  - a\n  - run: b\n    env: {pass: [B]}\n', [['A'], ['B']]],
  ['of its own, even if that list is empty', '  - a\n  - run: b\n    env: {pass: []}\n', [['A'], []]],
])('a gate inherits the variables %s', async (_, items, passed) => {
  const { gates } = await readWorktree(`verify:\n${items}ralph:\n  env: {pass: [A]}\n`);

  expect(gates.map(({ passEnv }) => passEnv)).toEqual(passed);
});

describe('a YAML alias in a gate is replaced by', () => {
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

  test('nothing if its anchor is in another item, and is reported', async () => {
    const { gates, problems } = await readWorktree(
      'verify:\n  - run: a\n    env: &e {A: x}\n  - run: b\n    env: *e\n',
    );

    expect(problems).toEqual(['5:10: found the undefined alias "*e", expected the value in quotes']);
    expect(gates.map(({ env }) => env)).toEqual([{ A: 'x' }, {}]);
  });

  test('a value of another item of a flow list', async () => {
    expect(await readWorktree('verify: [{run: a, env: &e {A: x}}, {run: b, env: *e}]\n')).toMatchObject({
      gates: [{ env: { A: 'x' } }, { env: { A: 'x' } }],
      problems: [],
    });
  });
});

describe('gate names are made unique for', () => {
  test.each([
    ['one command, three times', '  - a\n  - a\n  - a\n', ['a', 'a (2)', 'a (3)']],
    ['a command that equals a numbered name', '  - a\n  - a\n  - a (2)\n', ['a', 'a (2)', 'a (2) (2)']],
    ['a given name that equals a command', '  - a\n  - name: a\n    run: b\n', ['a (2)', 'a']],
    [
      'a given name that equals later commands',
      '  - name: a\n    run: b\n  - a\n  - a\n',
      ['a', 'a (2)', 'a (3)'],
    ],
    [
      'a given name that equals a numbered name',
      '  - a\n  - a\n  - name: a (2)\n    run: b\n',
      ['a', 'a (3)', 'a (2)'],
    ],
    [
      'a command that equals the name of a disabled gate',
      '  - name: a\n    run: b\n    enabled: false\n  - a\n',
      ['a (2)'],
    ],
    ['a command with two given names', '  - name: x\n    run: a\n  - name: y\n    run: a\n', ['x', 'y']],
  ])('%s', async (_, items, names) => {
    const { gates, problems } = await readWorktree(`verify:\n${items}`);

    expect(problems).toEqual([]);
    expect(gates.map(({ name }) => name)).toEqual(names);
  });
});

describe('isWeaker', () => {
  const before = commandGate({ name: 'n', command: 'a', env: { A: '1' }, description: 'd' }, CONTEXT);

  const rows: [option: string, changes: object, expected: boolean][] = [
    ['command', { command: 'true' }, true],
    ['cwd', { cwd: `${ROOT}/y` }, true],
    ['env', { env: {} }, true],
    ['env', { env: { A: '1', B: '2' } }, true],
    ['env', { passEnv: [] }, true],
    ['blocking', { blocking: false }, true],
    ['timeoutSeconds', { timeoutSeconds: 1 }, false],
    ['timeoutSeconds', { timeoutSeconds: 600 }, true],
    ['order', { order: 1 }, false],
    ['description', { description: 'e' }, false],
    // Gates are compared by name, and a disabled gate does not exist.
    ['name', { name: 'm' }, false],
    ['enabled', {}, false],
    ['needs', { needs: ['lint'] }, false],
    ['exclusive', { exclusive: true }, false],
    ['paths', { paths: ['src/**'] }, true],
    ['inputs', { inputs: ['.env'] }, false],
    ['report', { report: 'junit.xml' }, false],
    ['reuse', { reuse: true }, false],
    ['retries', { retries: 1 }, true],
    ['allowEmpty', { allowEmpty: true }, true],
  ];

  test.each(rows)('judges a change of %s to %j: %s', (_, changes, expected) => {
    expect(isWeaker(before, { ...before, ...changes })).toBe(expected);
  });

  test.each([
    [['src/**'], undefined, false],
    [['src/**'], ['src/**', 'tests/**'], false],
    [['src/**', 'tests/**'], ['src/**'], true],
    [['src/**'], ['src/**', '!src/a.ts'], true],
    [['src/**', '!src/a.ts'], ['src/**'], false],
  ])('judges a change of paths from %j to %j: %s', (paths, changed, expected) => {
    const { paths: _, ...all } = { ...before, paths };
    expect(isWeaker({ ...all, paths }, changed ? { ...all, paths: changed } : all)).toBe(expected);
  });

  test('is tested with every option', () => {
    expect(new Set(rows.map(([option]) => option))).toEqual(new Set(Object.keys(GATE_SCHEMA)));
  });

  test('allows a gate to become blocking', () => {
    expect(isWeaker({ ...before, blocking: false }, before)).toBe(false);
  });
});
