import { describe, expect, test } from 'vitest';
import { findWithinBounds } from '../../../src/integrity/bounds.ts';
import type { FileChange, Finding, ProjectChange } from '../../../src/integrity/types.ts';
import { weakened } from '../../helpers/weakened.ts';

const PATH = 'tests/a.test.js';
const RUNS = "it('adds up', () => {\n  expect(add(1, 2)).toBe(3);\n});\n";
const NO_LIMIT = 1e9;
const DEEP = "it('a', () => {\n".repeat(5000);

const judged = (findings: readonly Finding[]) =>
  findings.map(({ rule, severity, path, line }) => ({ rule, severity, path, line }));

describe('code that is nested too deep is a finding, with the line', () => {
  test.each([
    ['a.test.js', "it('a', () => {\n"],
    ['test_a.py', 'assert (\n'],
    ['a_test.go', 'func TestA(t *testing.T) {\n'],
    ['tests/a.rs', 'mod a {\n'],
    ['src/test/java/ATest.java', 'class A {\n'],
    ['src/test/kotlin/ATest.kt', 'fun a() {\n'],
    ['tests/ATests.cs', '[Fact] void A() {\n'],
    ['spec/a_spec.rb', "it 'a' do\n"],
    ['tests/ATest.php', '<?php function a() {\n'],
  ])('in %s', async (path, level) => {
    expect(judged(await weakened({}, { [path]: level.repeat(5000) }))).toEqual([
      { rule: 'not-judged', severity: 'high', path, line: expect.any(Number) },
    ]);
  });
});

describe('what cannot be judged blocks the stop if it could be judged before', () => {
  test.each([
    ['tests that became too deep', PATH, RUNS, DEEP, 'high'],
    ['tests that were too deep and still are', PATH, DEEP, `${DEEP}\n`, 'medium'],
    ['tests that were too deep', PATH, DEEP, RUNS, 'medium'],
    ['code that became too deep', 'src/a.js', RUNS, DEEP, 'medium'],
  ])('%s', async (_, path, before, after, severity) => {
    expect(await weakened({ [path]: before }, { [path]: after })).toEqual([
      expect.objectContaining({ rule: 'not-judged', severity, path }),
    ]);
  });
});

test('other files are judged beside one that is nested too deep', async () => {
  const before = { [PATH]: RUNS };
  const after = { [PATH]: RUNS.replace('it(', 'it.skip('), 'tests/b.test.js': DEEP };

  expect((await weakened(before, after)).map(({ rule }) => rule)).toEqual(['test-skipped', 'not-judged']);
});

test('a bracket that is never closed counts as a level', async () => {
  const [finding] = await weakened({}, { [PATH]: '{ ( }\n'.repeat(1000) });

  expect(finding).toMatchObject({ rule: 'not-judged', line: 200 });
});

test('a configuration that its parser cannot follow is a finding', async () => {
  expect(await weakened({ 'package.json': '{}' }, { 'package.json': '[0, '.repeat(20_000) })).toEqual([
    expect.objectContaining({ rule: 'not-judged', severity: 'high', path: 'package.json' }),
  ]);
});

describe('a check that does not come to an end', () => {
  const file = (path: string, after = ''): FileChange => ({ path, before: undefined, after });
  const change = (...changes: FileChange[]) => ({ changes, read: () => undefined });
  // A stack that is full ends at once. Time that is up would depend on how fast the other files are judged.
  const endless = (): never => endless();

  test('names the file that keeps it from one', () => {
    const find = ({ changes }: ProjectChange) =>
      changes.some(({ path }) => path === 'b.js') ? endless() : [];

    expect(findWithinBounds(change(file('a.js', 'long'), file('b.js')), find, NO_LIMIT)).toEqual([
      expect.objectContaining({ rule: 'not-judged', severity: 'high', path: 'b.js' }),
    ]);
  });

  test('names the largest file if no file does so alone', () => {
    const find = ({ changes }: ProjectChange) => (changes.length > 1 ? endless() : []);

    expect(findWithinBounds(change(file('a.js'), file('b.js', 'long')), find, NO_LIMIT)).toEqual([
      expect.objectContaining({ rule: 'not-judged', severity: 'medium', path: 'b.js' }),
    ]);
  });

  test('is ended within a regular expression too', () => {
    const find = () => (/^(?:a+)+$/.test(`${'a'.repeat(60)}b`) ? [] : []);

    expect(findWithinBounds(change(file('a.js')), find, 100)).toEqual([
      expect.objectContaining({ rule: 'not-judged', severity: 'high', path: 'a.js' }),
    ]);
  });

  test('is a finding where the check itself fails, in whatever file', () => {
    const larger = Array.from({ length: 20 }, (_, i) => file(`a${i}.js`, 'long'));
    const find = ({ changes }: ProjectChange) => {
      if (changes.some(({ path }) => path === 'b.js')) throw new TypeError('a bug');
      return [];
    };

    expect(findWithinBounds(change(...larger, file('b.js')), find)).toEqual([
      {
        rule: 'not-judged',
        severity: 'high',
        path: 'b.js',
        message:
          'the file makes the check fail, which is a bug of ralph-loop (TypeError: a bug); nothing else that changed was judged',
      },
    ]);
  });
});
