import { describe, expect, test } from 'vitest';
import { isPlainCommand, sliceItems, sliceSections } from '../../../src/config/sections.ts';

function itemsOf(text: string) {
  const [section] = sliceSections(text).sections;
  return sliceItems(section as NonNullable<typeof section>);
}

describe('a section is cut at its dashes', () => {
  test('an item knows its place, and its columns stay what they were', () => {
    expect(itemsOf('a:\n\n  -   b: c\n      d: e\n').items).toEqual([
      { line: 3, column: 7, text: 'b: c', source: ['      b: c', '      d: e', ''] },
    ]);
  });

  test.each([
    ['whatever the indentation', '    - a\n  - b\n      - c\n- d', ['a', 'b', 'c', 'd']],
    ['but not inside a block', '  - |\n    a\n    - b\n  - c', ['|', 'c']],
    ['but not inside a mapping', '  - run: |\n      a\n      - b\n  - c', ['run: |', 'c']],
    ['a block ends at a dash that is not indented more', '  - >-\n    a\n  - b', ['>-', 'b']],
    ['an empty item is an item', '  -\n  - a', ['', 'a']],
    ['a dash without a blank is no item', '  - a\n  -b', ['a']],
  ])('%s', (_, body, texts) => {
    expect(itemsOf(`a:\n${body}`).items.map(({ text }) => text)).toEqual(texts);
  });

  test('comments and blank lines between two items belong to neither', () => {
    expect(itemsOf('a:\n  - b\n  # c\n\n  - d\n').items.map(({ source }) => source)).toEqual([
      ['    b'],
      ['    d'],
    ]);
  });

  test('a comment between the lines of a command does not swallow the rest of it', async () => {
    const { readWorktree } = await import('../../helpers/read-worktree.ts');
    const { commands } = await readWorktree('verify:\n  - a &&\n    # why\n    b\n');

    expect(commands).toEqual(['a && b']);
  });

  test.each([
    ['in front of all items', '\n  x y\n  - a', [{ line: 3, column: 3, text: 'x y' }]],
    ['between two', '  - a\n  x\n  - b', [{ line: 3, column: 3, text: 'x' }]],
    ['behind the last', '  - a\n x', [{ line: 3, column: 2, text: 'x' }]],
    ['a dash without a blank', '  - a\n  -b', [{ line: 3, column: 3, text: '-b' }]],
    [
      'each of several',
      '  x\n  y\n  - a\n  z',
      [
        { line: 2, column: 3, text: 'x' },
        { line: 3, column: 3, text: 'y' },
        { line: 5, column: 3, text: 'z' },
      ],
    ],
    ['as deep as the dash of a mapping', '  - a: b\n  c: d', [{ line: 3, column: 3, text: 'c: d' }]],
    ['a comment is none', '  # x\n  - a\n  # y\n# z', []],
    ['a blank line is none', '  - a\n\n', []],
    ['a line deeper than the dash is none', '  - a\n   b', []],
  ])('a line that is part of no item is told: %s', (_, body, strays) => {
    expect(itemsOf(`a:\n${body}`).strays).toEqual(strays);
  });

  test('a line that is part of no item is no part of one', () => {
    expect(itemsOf('a:\n  - b\n  x\n  - c').items.map(({ source }) => source)).toEqual([
      ['    b'],
      ['    c'],
    ]);
  });
});

test.each([
  ['npm test', true],
  ['a#b', true],
  ['a:b', true],
  ['a && "b"', true],
  ['a: b', false],
  ['a:', false],
  ['a # b', true],
  ['a # b: c', false],
  ['a \u2028b', true],
  ['a \u2028b: c', false],
  ['# a', false],
  ['"a"', false],
  ['[ -f a ]', false],
  ['! a', false],
  ['- a', false],
  ['', false],
])('whether a command needs no YAML to be understood: %j', (text, expected) => {
  expect(isPlainCommand({ line: 1, column: 1, text, source: [text] })).toBe(expected);
});

test('a command of two lines needs YAML', () => {
  expect(isPlainCommand({ line: 1, column: 1, text: 'a', source: ['a', '  b'] })).toBe(false);
});
