import { expect, test } from 'vitest';
import { withoutRulers } from '../../../src/diagnostics/rulers.ts';

const kept = (...texts: readonly string[]) =>
  withoutRulers(texts.map((text, at) => ({ at, text }))).map(({ text }) => text);

test.each([
  ['signs of one kind', '='.repeat(70)],
  ['blanks between the signs', '- - - - - - - - - - - -'],
  ['an ordinal', '⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/2]⎯'],
  ['horizontal bars', '―――――――――――――――'],
  ['columns', '----------|---------|----------|-----'],
  ['corners', '├───────────────┼──────────────┤'],
  ['the mark of a comment', '# +-------------------+----+'],
  ['the prefix of a tool', '==123== ------------------------'],
  ['the margin of source', '   |'],
  ['the number of a blank line of source', '  12 |'],
  ['the corner of a frame', '   ╰────'],
  ['the end of a box', '───╯'],
  ['slashes as corners', ' /-----------------------\\'],
  ['the tag of an error', 'npm error'],
])('a line that only separates others, with %s, is left out', (_, ruler) => {
  expect(kept('1) adds', ruler, 'expected 3')).toEqual(['1) adds', 'expected 3']);
});

test.each([
  ['points into the line above', 'let x = 1', '        ----------'],
  ['points with a caret', '  Expected: "Main"', '  -----------^'],
  ['underlines', 'let cart = new Cart()', '~~~~~~~~~~~~~~~~~~~~~'],
  ['has a title', '', '=========== FAILURES ==========='],
  ['shows a box with text', '', '│ node10 │ No types │'],
  ['is short', 'name: shop', '---'],
  ['shows a label beside code', '4 | let x = 1', '  |     -----------'],
  ['a diff removes', '-Title', '-----------'],
  ['a diff adds', '+Title', '+=========='],
  ['is a value', 'Expected:', '    =========='],
  ['marks a blank line of source', '', '> 12 |'],
  ['points into two columns', 'assert a == b', '       |    |'],
  ['is an operator that a diff adds', '@@ -1 +1 @@', '+|'],
  ['is a sign as a value', 'Expected:', '  |'],
  ['is progress', '', '##################   72.0%'],
])('a line that %s is kept', (_, before, line) => {
  expect(kept(before, line)).toEqual([before, line]);
});
