import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../../src/config/parse-yaml.ts';
import { TYPES } from '../../../src/config/schema.ts';
import {
  type ConfigProblem,
  describeValue,
  didYouMean,
  nearestKey,
  validate,
} from '../../../src/config/validate.ts';

const SCHEMA = {
  count: { type: TYPES.count, description: '' },
  texts: { type: TYPES.texts, description: '' },
};

function read(text: string): { values: object; problems: ConfigProblem[] } {
  return validate(parseYaml(text.split('\n'), 7).root, SCHEMA);
}

describe('validate', () => {
  test('returns the valid values beside the problems', () => {
    const { values, problems } = read('count: 3\ntexts: x\nother: 1');

    expect(values).toEqual({ count: 3 });
    expect(problems.map(({ line, column }) => [line, column])).toEqual([
      [8, 8],
      [9, 1],
    ]);
  });

  test('reports a key that is not text as unknown', () => {
    expect(read('5: x\n[a]: y').problems.map(({ message }) => message)).toEqual([
      'found unknown key "5", expected one of count, texts',
      expect.stringContaining('found unknown key "['),
    ]);
  });

  test('follows YAML aliases', () => {
    expect(read('texts: &t [a]\ncount: *t').problems.map(({ message }) => message)).toEqual([
      'found a list for "count", expected a whole number from 1',
    ]);
    expect(read('count: &n 3\ntexts: [*n]').problems).toHaveLength(1);
    expect(read('texts: [&t a, *t]').values).toEqual({ texts: ['a', 'a'] });
  });

  test('rejects an undefined alias, and one that contains itself', () => {
    expect(read('texts: *t').problems.map(({ message }) => message)).toEqual([
      'found nothing for "texts", expected a list of texts, such as [a, b]',
    ]);
    expect(read('texts: &t [*t]').values).toEqual({});
  });

  test('reports a repeated key', () => {
    expect(read('count: 3\ncount: 4').problems).toEqual([
      { line: 8, column: 1, message: 'found "count" again, expected it once' },
    ]);
  });

  test('reports a missing option at the mapping', () => {
    const { root } = parseYaml(['  count: 3'], 7);
    const name = { type: TYPES.text, description: '', required: 'a unique name' };

    expect(validate(root, { ...SCHEMA, name }, { subject: 'a gate' }).problems).toEqual([
      { line: 7, column: 3, message: 'found a gate without "name", expected a unique name' },
    ]);
  });

  test('ignores unknown keys on request, except typos', () => {
    const { root } = parseYaml(['owner: x', 'cuont: 3'], 7);

    expect(validate(root, SCHEMA, { ignoreUnknown: true }).problems).toEqual([
      {
        line: 8,
        column: 1,
        message: 'found unknown key "cuont"; did you mean "count"?',
      },
    ]);
  });

  test.each(['toString', 'constructor', '__proto__', 'hasOwnProperty'])(
    'reports a key that every object inherits as unknown: %s',
    (key) => {
      expect(read(`${key}: x`).problems).toEqual([
        { line: 7, column: 1, message: expect.stringContaining(`found unknown key "${key}"`) },
      ]);
    },
  );
});

describe('an option accepts only values of its type:', () => {
  test.each([
    ['text', ['a', ' a '], ['', '  ', 'a\0', 5, true, null, [], {}]],
    ['boolean', [true, false], ['true', 0, null]],
    ['number', [0, -1.5, 1e9], ['1', Number.NaN, Number.POSITIVE_INFINITY, null]],
    ['count', [1, 5], [0, -1, 1.5, '1', 2 ** 53, null]],
    ['seconds', [0.001, 120, 2_147_483], [0, -1, 2_147_484, Number.NaN, '1', null]],
    ['minutes', [0.5, 30], [0, '30', null]],
    ['texts', [[], ['a'], ['a', 'b c']], ['a', [''], ['a', 5], { a: 'b' }, null]],
    [
      'variablesAndPass',
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
    ['variables', [{}, { A: 'x', B: 5 }, { pass: 'x' }], [[], null, { pass: [] }, { A: null }]],
    ['dollars', [0.5, 3], [0, -1, '1', null]],
    ['promise', ['A b'], ['', ' a', '<a>', 'a\nb', 5]],
    ['list', [[], [5]], [{}, null]],
    ['names', [[], ['A'], [5]], ['A', { A: 'x' }, null]],
  ] as [keyof typeof TYPES, unknown[], unknown[]][])('%s', (type, right, wrong) => {
    expect(right.filter((value) => !TYPES[type].accepts(value))).toEqual([]);
    expect(wrong.filter((value) => TYPES[type].accepts(value))).toEqual([]);
  });
});

test.each([
  [null, 'nothing'],
  [undefined, 'nothing'],
  [[1], 'a list'],
  [{ a: 1 }, 'a mapping'],
  ['a "b"\n', 'text "a \\"b\\"\\n"'],
  [5, 'the number 5'],
  [Number.NaN, 'the number NaN'],
  [Number.POSITIVE_INFINITY, 'the number Infinity'],
  [false, 'the boolean false'],
  ['x'.repeat(70), `text "${'x'.repeat(56)}…`],
])('describeValue describes %j as %s', (value, words) => {
  expect(describeValue(value)).toBe(words);
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
])('nearestKey finds for %j the key %j', (word, nearest) => {
  expect(nearestKey(word, ['run', 'timeout', 'env'])).toBe(nearest);
  expect(didYouMean(word, ['run', 'timeout', 'env'])).toBe(nearest ? `; did you mean "${nearest}"?` : '');
});
