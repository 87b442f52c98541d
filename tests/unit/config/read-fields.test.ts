import { expect, describe as group, test } from 'vitest';
import type { YAMLMap } from 'yaml';
import {
  type ConfigProblem,
  describe,
  didYouMean,
  FIELD,
  nearestKey,
  readFields,
} from '../../../src/config/validate.ts';
import { fieldsOf, parseYaml } from '../../../src/config/yaml.ts';

const TYPES = { count: FIELD.count, texts: FIELD.texts };

function read(text: string): { values: object; problems: ConfigProblem[] } {
  const yaml = parseYaml(text.split('\n'), 7);
  return readFields(fieldsOf(yaml.contents as unknown as YAMLMap, yaml), TYPES);
}

group('a mapping is read by a table of its keys', () => {
  test('what is right is returned, though the rest is wrong', () => {
    const { values, problems } = read('count: 3\ntexts: x\nother: 1');

    expect(values).toEqual({ count: 3 });
    expect(problems.map(({ line, column }) => [line, column])).toEqual([
      [8, 8],
      [9, 1],
    ]);
  });

  test('a key that is no text is an unknown key', () => {
    expect(read('5: x\n[a]: y').problems.map(({ message }) => message)).toEqual([
      'found unknown key "5", expected one of count, texts',
      expect.stringContaining('found unknown key "['),
    ]);
  });

  test('an alias stands for what it names', () => {
    expect(read('texts: &t [a]\ncount: *t').problems.map(({ message }) => message)).toEqual([
      'found a list for "count", expected a whole number from 1',
    ]);
    expect(read('count: &n 3\ntexts: [*n]').problems).toHaveLength(1);
    expect(read('texts: [&t a, *t]').values).toEqual({ texts: ['a', 'a'] });
  });

  test('an alias of nothing, or of itself, is a value of no kind', () => {
    expect(read('texts: *t').problems.map(({ message }) => message)).toEqual([
      'found nothing for "texts", expected a list of texts, as [check]',
    ]);
    expect(read('texts: &t [*t]').values).toEqual({});
  });

  test.each(['toString', 'constructor', '__proto__', 'hasOwnProperty'])(
    'a key that every object has is unknown all the same: %s',
    (key) => {
      expect(read(`${key}: x`).problems).toEqual([
        { line: 7, column: 1, message: expect.stringContaining(`found unknown key "${key}"`) },
      ]);
    },
  );
});

group('a value has the kind that its key asks for', () => {
  test.each([
    ['text', ['a', ' a '], ['', '  ', 'a\0', 5, true, null, [], {}]],
    ['boolean', [true, false], ['true', 0, null]],
    ['number', [0, -1.5, 1e9], ['1', Number.NaN, Number.POSITIVE_INFINITY, null]],
    ['count', [1, 5], [0, -1, 1.5, '1', 2 ** 53, null]],
    ['seconds', [0.001, 120, 2_147_483], [0, -1, 2_147_484, Number.NaN, '1', null]],
    ['minutes', [0.5, 30], [0, '30', null]],
    ['texts', [[], ['a'], ['a', 'b c']], ['a', [''], ['a', 5], { a: 'b' }, null]],
    [
      'environment',
      [{}, { A: 'x', B: 5, C: false, 'd.e': '' }, { pass: [] }, { pass: [5], A: 'x' }, { pass: 'x' }],
      [
        [],
        'A=1',
        null,
        { A: null },
        { A: ['x'] },
        { 'A=B': 'x' },
        { '': 'x' },
        { A: 'x\0' },
        { 'A\0': 'x' },
        { pass: {} },
      ],
    ],
    ['passing', [{}, { pass: [] }], [[], 'x', null]],
    ['names', [[], ['A'], [5]], ['A', { A: 'x' }, null]],
  ] as [keyof typeof FIELD, unknown[], unknown[]][])('%s', (type, right, wrong) => {
    expect(right.filter((value) => !FIELD[type].accepts(value))).toEqual([]);
    expect(wrong.filter((value) => FIELD[type].accepts(value))).toEqual([]);
  });
});

test.each([
  [null, 'nothing'],
  [undefined, 'nothing'],
  [[1], 'a list'],
  [{ a: 1 }, 'a mapping'],
  ['a "b"\n', 'text "a \\"b\\"\\n"'],
  [5, 'a number 5'],
  [Number.NaN, 'a number NaN'],
  [Number.POSITIVE_INFINITY, 'a number Infinity'],
  [false, 'a truth value false'],
  ['x'.repeat(70), `text "${'x'.repeat(56)}…`],
])('a value in the words of a message: %j', (value, words) => {
  expect(describe(value)).toBe(words);
});

test.each([
  ['timeout', 'timeout'],
  ['tiemout', 'timeout'],
  ['TIMEOUT', 'timeout'],
  ['timeouts', 'timeout'],
  ['evn', 'env'],
  ['rnu', 'run'],
  ['urn', 'run'],
  ['env', 'env'],
  ['nev', 'env'],
  ['ENV', 'env'],
  ['nve', undefined],
  ['x', undefined],
  ['retries', undefined],
  ['', undefined],
])('the key nearest to %j is %j', (word, nearest) => {
  expect(nearestKey(word, ['run', 'timeout', 'env'])).toBe(nearest);
  expect(didYouMean(word, ['run', 'timeout', 'env'])).toBe(nearest ? `; did you mean "${nearest}"?` : '');
});
