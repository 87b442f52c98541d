import { describe, expect, test } from 'vitest';
import { hasContent, sectionOf, sliceSections, splitLines } from '../../../src/config/slice-sections.ts';

describe('a file is cut at its top-level keys', () => {
  test.each([
    [
      'a key and the lines below it',
      'a:\n  b\n\nc: d\n',
      [
        { key: 'a', line: 1, width: 2, inline: '', body: ['  b', ''] },
        { key: 'c', line: 4, width: 4, inline: ' d', body: [''] },
      ],
    ],
    [
      'quoted keys',
      '"a": 1\n\'b\':\n',
      [
        { key: 'a', line: 1, width: 6, inline: ' 1', body: [] },
        { key: 'b', line: 2, width: 4, inline: '', body: [''] },
      ],
    ],
    ['a blank before the colon', 'a :x\nb : y', [{ key: 'b', line: 2, width: 5, inline: ' y', body: [] }]],
    ['dashes and digits in a key', 'a-b_1:', [{ key: 'a-b_1', line: 1, width: 6, inline: '', body: [] }]],
    ['the comment behind the colon', 'a: # x', [{ key: 'a', line: 1, width: 6, inline: ' # x', body: [] }]],
  ])('%s', (_, text, sections) => {
    expect(sliceSections(text).sections).toEqual(sections);
  });

  test.each(['"a\': x', 'a:b', ' a: b', '- a: b', '1a: b', 'a b: c', '# a: b'])('no key: %s', (line) => {
    expect(sliceSections(line).sections).toEqual([]);
  });

  test('what stands before the first key is one problem, at its first line', () => {
    expect(sliceSections('\n# c\nx\ny\na:\n').problems).toEqual([
      { line: 3, column: 1, message: expect.stringContaining('found "x" before any key') },
    ]);
  });

  test('the first of two sections with the same key counts', () => {
    const { sections } = sliceSections('a: 1\nb: 2\na: 3\n');

    expect(sectionOf(sections, 'a')?.inline).toBe(' 1');
    expect(sectionOf(sections, 'x')).toBeUndefined();
  });
});

test.each([
  ['\n', 'a\nb\n', ['a', 'b', '']],
  ['\r\n', 'a\r\n\r\nb', ['a', '', 'b']],
  ['\r', 'a\rb', ['a', 'b']],
  ['a mixture', 'a\r\nb\rc\nd', ['a', 'b', 'c', 'd']],
  ['a byte order mark, the first only', '\uFEFFa\n\uFEFFb', ['a', '\uFEFFb']],
])('lines end with %j', (_, text, lines) => {
  expect(splitLines(text)).toEqual(lines);
});

test.each([
  ['', false],
  [' \t', false],
  ['# c', false],
  ['   # c', false],
  ['---', false],
  ['...', false],
  ['%YAML 1.2', false],
  ['a # c', true],
  ['  - a', true],
  [' ---', true],
])('whether a line holds anything: %j', (line, expected) => {
  expect(hasContent(line)).toBe(expected);
});
