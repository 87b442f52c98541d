import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { logPathsIn, planGates } from '../../../src/gates/plan.ts';
import type { Gate } from '../../../src/gates/types.ts';
import { markerGate, shellGate } from '../../helpers/gate-results.ts';

const gate = (name: string, order = 100) => shellGate(name, { order });

test.each<[string, Gate[], string[]]>([
  ['by order', [gate('c', 3), gate('a', 1), gate('b', 2)], ['a', 'b', 'c']],
  ['of equal order as in the config', [gate('b'), gate('a'), gate('c')], ['b', 'a', 'c']],
  [
    'with the default order between lower and higher ones',
    [gate('c', 101), gate('b'), gate('a', 99)],
    ['a', 'b', 'c'],
  ],
  ['by negative orders and fractions', [gate('c'), gate('b', 0.5), gate('a', -1)], ['a', 'b', 'c']],
  [
    'that are markers as in the config',
    [markerGate('B_FINISH'), markerGate('A_FINISH')],
    ['B_FINISH', 'A_FINISH'],
  ],
  ['if there are none', [], []],
])('plans the gates %s', (_, gates, names) => {
  expect(planGates(gates).map(({ name }) => name)).toEqual(names);
});

test('planGates does not change the config', () => {
  const gates = Object.freeze([gate('b', 2), gate('a', 1)]);

  planGates(gates);

  expect(gates.map(({ name }) => name)).toEqual(['b', 'a']);
});

const DIRECTORY = '/the/project/.trellis/.ralph/output';

function pathsOf(names: readonly string[]): string[] {
  const gates = names.map((name) => shellGate(name));
  return gates.map(logPathsIn(DIRECTORY, gates, []));
}

test.each([
  ['of the environment', 'deploy hunter2-hunter2 now', 'deploy-now.log'],
  ['of a well-known kind', `curl -H x:ghp_${'aB3'.repeat(12)}`, 'curl--H-x.log'],
])('the log of a gate has no secret %s in its file name', (_, name, file) => {
  const gate = shellGate(name);
  expect(basename(logPathsIn(DIRECTORY, [gate], ['hunter2-hunter2'])(gate))).toBe(file);
});

const fileOf = (name: string) => basename(pathsOf([name])[0] ?? '');

test.each([
  ['test', 'test.log'],
  ['type_check-2', 'type_check-2.log'],
  ['pnpm run lint', 'pnpm-run-lint.log'],
  ['a/b\\c', 'a-b-c.log'],
  ['../../etc/passwd', 'etc-passwd.log'],
  ['..', 'gate.log'],
  ['.', 'gate.log'],
  ['.hidden', 'hidden.log'],
  ['a..', 'a.log'],
  ['v1.2', 'v1.2.log'],
  ['! grep -q "TODO" src/*.ts', 'grep--q-TODO-src-.ts.log'],
  ['a\0b\nc:d', 'a-b-c-d.log'],
  ['[ -f a ] && b', 'f-a-b.log'],
  ['***', 'gate.log'],
  ['🎉', 'gate.log'],
  ['\ud800', 'gate.log'],
  ['prüfung 検証', 'prüfung-検証.log'],
  ['e\u0301', '\u00e9.log'],
])('the log of the gate %j is %j', (name, file) => {
  expect(fileOf(name)).toBe(file);
});

describe('a log has a short name in the directory if the gate is called', () => {
  const names = [
    'x'.repeat(300),
    '検'.repeat(300),
    '𝒳'.repeat(300),
    `${'a '.repeat(150)}é`,
    '/'.repeat(300),
    'x\n'.repeat(5000),
  ];
  test.each(names.map((name) => [name.slice(0, 8), name]))('%j…', (_, name) => {
    const [path = ''] = pathsOf([name]);

    expect(dirname(path)).toBe(DIRECTORY);
    expect(Buffer.byteLength(basename(path))).toBeLessThanOrEqual(100);
  });
});

describe('two gates do not share a log, even if case is ignored,', () => {
  test.each([
    ['if their names differ in characters that are replaced', ['a b', 'a-b', 'a/b']],
    ['if their names differ in case', ['Test', 'test', 'TEST']],
    ['if their names differ after the cut', ['x'.repeat(200), `${'x'.repeat(200)}y`]],
    ['if their names differ in Unicode form', ['e\u0301', '\u00e9']],
    ['if one is named like the numbered log of another', ['a b', 'a-b', 'a-b-2']],
    ['if one is named like the numbered log of another in another case', ['a b', 'A-B', 'a-b-2', 'A-b-2']],
    ['if no character of their names is left', ['..', '***', 'gate']],
  ])('%s', (_, names) => {
    const files = pathsOf(names).map((path) => path.toLowerCase());

    expect(new Set(files).size).toBe(names.length);
  });

  test('and each log has the same name in every run', () => {
    expect(pathsOf(['a b', 'a-b', 'A-B']).map((path) => basename(path))).toEqual([
      'a-b.log',
      'a-b-2.log',
      'A-B-3.log',
    ]);
  });
});
