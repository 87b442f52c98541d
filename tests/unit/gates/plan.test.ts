import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { logPathsIn, planGates } from '../../../src/gates/plan.ts';
import type { Gate } from '../../../src/gates/types.ts';
import { markerGate, shellGate } from '../../helpers/gate-results.ts';

const gate = (name: string, order = 100) => shellGate(name, { order });

test.each<[string, Gate[], string[]]>([
  ['by order', [gate('c', 3), gate('a', 1), gate('b', 2)], ['a', 'b', 'c']],
  ['equal orders as in the config', [gate('b'), gate('a'), gate('c')], ['b', 'a', 'c']],
  ['one without an order in the middle', [gate('c', 101), gate('b'), gate('a', 99)], ['a', 'b', 'c']],
  ['negative orders and fractions', [gate('c'), gate('b', 0.5), gate('a', -1)], ['a', 'b', 'c']],
  ['markers as in the config', [markerGate('B_FINISH'), markerGate('A_FINISH')], ['B_FINISH', 'A_FINISH']],
  ['none', [], []],
])('gates run %s', (_, gates, names) => {
  expect(planGates(gates).map(({ name }) => name)).toEqual(names);
});

test('planning leaves the config as it is', () => {
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
])('a secret is in no file name: one %s', (_, name, file) => {
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
])('the output of the gate %j goes to %j', (name, file) => {
  expect(fileOf(name)).toBe(file);
});

describe('whatever a gate is called, its log has a short name in the directory', () => {
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

describe('no two gates share a log, even where case does not count', () => {
  test.each([
    ['by what was left out', ['a b', 'a-b', 'a/b']],
    ['by case', ['Test', 'test', 'TEST']],
    ['by what was cut', ['x'.repeat(200), `${'x'.repeat(200)}y`]],
    ['by form of the letters', ['e\u0301', '\u00e9']],
    ['by the number given to another', ['a b', 'a-b', 'a-b-2']],
    ['by the number given to another, in another case', ['a b', 'A-B', 'a-b-2', 'A-b-2']],
    ['by nothing left', ['..', '***', 'gate']],
  ])('%s', (_, names) => {
    const files = pathsOf(names).map((path) => path.toLowerCase());

    expect(new Set(files).size).toBe(names.length);
  });

  test('and each keeps it from run to run', () => {
    expect(pathsOf(['a b', 'a-b', 'A-B']).map((path) => basename(path))).toEqual([
      'a-b.log',
      'a-b-2.log',
      'A-B-3.log',
    ]);
  });
});
