import { describe, expect, test } from 'vitest';
import { hasContent, sectionOf, sliceSections, splitLines } from '../../../src/config/sections.ts';

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

  // Whatever stands behind the margin ends the section before it: its lines are not the commands of ours.
  test.each([
    ['"a\': x', '"a\''],
    ['1a: b', '1a'],
    ['a b: c', 'a b'],
    ['a.b/c: d', 'a.b/c'],
    ['é:', 'é'],
    ['"a b": c', 'a b'],
    ['<<: *x', '<<'],
    ['a:b: c', 'a:b'],
    ['a: b: c', 'a'],
    ['a:\tb', 'a'],
    ['a\u2028b: c', 'a\u2028b'],
  ])('a key of any characters: %j', (line, key) => {
    const { sections } = sliceSections(`verify:\n${line}\n  - x`);

    expect(sections.map((section) => [section.key, section.body])).toEqual([
      ['verify', []],
      [key, ['  - x']],
    ]);
  });

  test.each(['a:b', ' a: b', '\ta: b', '- a: b', '-a: b', '# a: b', '#a: b', 'a', ''])(
    'no key: %j',
    (line) => {
      expect(sliceSections(`verify:\n${line}\n  - x`).sections).toEqual([
        { key: 'verify', line: 1, width: 7, inline: '', body: [line, '  - x'] },
      ]);
    },
  );

  test('what stands before the first key is one problem, at its first line', () => {
    expect(sliceSections('\n# c\nx\ny\na:\n').problems).toEqual([
      { line: 3, column: 1, message: expect.stringContaining('found "x" before any key') },
    ]);
  });

  test('and the place of that problem is the first character of its text', () => {
    expect(sliceSections('  verify:\n').problems).toMatchObject([{ line: 1, column: 3 }]);
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
  ['# a\u2028b', false],
])('whether a line holds anything: %j', (line, expected) => {
  expect(hasContent(line)).toBe(expected);
});
