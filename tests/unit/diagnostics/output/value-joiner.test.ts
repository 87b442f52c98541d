import { describe, expect, test } from 'vitest';
import { RawLine } from '../../../../src/diagnostics/lines/raw-line.ts';
import { ValueJoiner } from '../../../../src/diagnostics/output/value-joiner.ts';
import type { OutputStream } from '../../../../src/process/output.ts';

function joined(lines: readonly (readonly [OutputStream, string])[]): string[] {
  const given: string[] = [];
  const joiner = new ValueJoiner((_stream, { text }) => given.push(text));
  for (const [stream, text] of lines) joiner.take(stream, RawLine.of(text));
  joiner.end();
  return given;
}

const ofOutput = (output: string) => joined(output.split('\n').map((line) => ['stdout', line] as const));
const LONG = 'x'.repeat(70);

describe('what a printer has broken into lines is one line if it is', () => {
  test.each([
    ['an element with a text', '  <h1>\n    Your order\n  </h1>', '  <h1>Your order</h1>'],
    ['an element with attributes', '<input\n  id="a"\n  disabled\n/>', '<input id="a" disabled />'],
    [
      'an element with attributes and several texts',
      '<p\n  class="sum"\n  hidden={false}\n>\n  2\n   × \n  4.50\n</p>',
      '<p class="sum" hidden={false}>2 × 4.50</p>',
    ],
    ['the tag of an element that has others', '<p\n  id="a"\n>\n  <b />\n</p>', '<p id="a">\n  <b />\n</p>'],
    ['an element in another one', '<p>\n  <b>\n    a\n  </b>\n</p>', '<p>\n  <b>a</b>\n</p>'],
    ['a list', '  "path": [\n    "lines",\n    0,\n    null\n  ],', '  "path": ["lines", 0, null],'],
    ['a list of a list', 'a: [\n  [\n    1,\n    -2.5e3\n  ]\n]', 'a: [\n  [1, -2.5e3]\n]'],
    ['an empty list', 'a: [\n]', 'a: []'],
    [
      'a message of a type checker',
      'shop/store.py:26: error: Returning Any from function declared to return\n"List[List[str]]"  [no-any-return]\n    return x',
      'shop/store.py:26: error: Returning Any from function declared to return "List[List[str]]"  [no-any-return]\n    return x',
    ],
  ])('%s', (_, output, expected) => {
    expect(ofOutput(output)).toEqual(expected.split('\n'));
  });
});

describe('lines stay as they are if they are', () => {
  test.each([
    ['a list with a line of a diff', '  [\n    "a",\n-   "b",\n  ]'],
    [
      'a message without a rule',
      'shop/store.py:26: error: Returning Any from function declared to return\n    return x\nshop/a.py:3: error: a [b]',
    ],
    ['a list with objects', '[\n  {\n    "a": 1\n  }\n]'],
    ['a list that ends at another level', '  [\n    "a"\n]'],
    ['a list that is cut off', '[\n  "a",'],
    ['a list that is too long', `[\n  "${LONG}",\n  "${LONG}"\n]`],
    ['an element that is too long', `<p>\n  ${LONG}\n  ${LONG}\n</p>`],
    ['an element with a line that is no attribute', '<input\n  is wrong here\n/>'],
    ['an element with a blank line', '<p>\n\n  a\n</p>'],
    ['the sign of a comparison', '  < 3\n  3'],
    ['a long line that ends with a bracket', `${LONG}${LONG} [\n  1\n]`],
  ])('%s', (_, output) => {
    expect(ofOutput(output)).toEqual(output.split('\n'));
  });

  test('of two streams', () => {
    const lines = [
      ['stdout', '['],
      ['stderr', '  1'],
      ['stdout', ']'],
    ] as const;
    expect(joined(lines)).toEqual(['[', '  1', ']']);
  });
});
