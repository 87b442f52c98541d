import { expect, test } from 'vitest';
import {
  withoutEmptyHeadings,
  withoutLoneClosers,
  withoutRulers,
  withoutTagsOfPages,
} from '../../../../src/diagnostics/fold/separators.ts';

const unruled = (...texts: readonly string[]) =>
  withoutRulers(texts.map((text, at) => ({ at, text }))).map(({ text }) => text);

test.each([
  ['signs of one kind', '='.repeat(70)],
  ['blanks before many signs', `       ${'='.repeat(60)}`],
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
  ['tildes', '~'.repeat(79)],
  ['what is between two stacks', '      ----'],
  ['the start of YAML', '  ---'],
  ['the end of YAML', '      ...'],
  ['the mark of information', `ℹ ${'-'.repeat(60)}`],
])('a line that only separates others, with %s, is left out', (_, ruler) => {
  expect(unruled('1) adds', ruler, 'expected 3')).toEqual(['1) adds', 'expected 3']);
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
])('a line that %s is unruled', (_, before, line) => {
  expect(unruled(before, line)).toEqual([before, line]);
});

/** @param texts a number stands for so many lines that were left out */
function kept(...texts: readonly (string | number)[]): string[] {
  let at = 0;
  const lines = texts.flatMap((text) => {
    if (typeof text === 'string') return { at: at++, text };
    at += text;
    return [];
  });
  return withoutEmptyHeadings(lines).map(({ text }) => text);
}

const ERROR = "src/b.c:3:5: error: 'x' undeclared";

test.each([
  ['a title', '====== test session starts ======'],
  ['words', 'Stack backtrace:'],
  ['an item', '* Try:'],
  ['the first of two exceptions', 'The above exception was the direct cause of the following exception:'],
])('a heading with nothing below it is left out at the end: %s', (_, heading) => {
  expect(kept(ERROR, heading)).toEqual([ERROR]);
});

test('between two exceptions, a line that says so stays only above the second one', () => {
  const chained = 'During handling of the above exception, another exception occurred:';
  const title = '_______ test_adds _______';

  expect(kept(chained, 109, title, ERROR)).toEqual([title, ERROR]);
  expect(kept(title, chained, 109, ERROR)).toEqual([title, chained, ERROR]);
});

test.each([
  ['what it introduces was left out', ['Summary of tests:', 41, ERROR], [ERROR]],
  [
    'a title of its sort is next',
    ['====== starts ======', 9, '====== FAILURES ======', ERROR],
    ['====== FAILURES ======', ERROR],
  ],
  [
    'a title of a larger part is next',
    [
      `${'-'.repeat(20)} Captured log call ${'-'.repeat(20)}`,
      4,
      `${'_'.repeat(20)} test_pays ${'_'.repeat(20)}`,
      ERROR,
    ],
    [`${'_'.repeat(20)} test_pays ${'_'.repeat(20)}`, ERROR],
  ],
  [
    'it is the title of a file, and what is wrong in it was left out',
    ['FILE: src/Cart.php', 6, 'FILE: src/Price.php', 'FOUND 1 ERROR AFFECTING 1 LINE', ERROR],
    ['FILE: src/Price.php', 'FOUND 1 ERROR AFFECTING 1 LINE', ERROR],
  ],
  [
    'it is a file, and what is wrong in it was left out',
    ['src/pages/a.tsx', 3, 'Error: boom'],
    ['Error: boom'],
  ],
  [
    'its own heading is empty too',
    ['====== a ======', 5, '====== b ======', 5, '====== c ======', ERROR],
    ['====== c ======', ERROR],
  ],
])('a heading is left out if %s', (_, texts, expected) => {
  expect(kept(...texts)).toEqual(expected);
});

test.each([
  ['is directly below', ['Errors:', 'no tax table']],
  ['is below a blank line', ['Errors:', '', 'no tax table']],
  ['is indented, below a gap', ['Roles:', 9, '  main']],
  ['is an item, below a gap', ['Files without a license:', 9, '* f9.c']],
  ['is in that file, below a gap', ['src/pages/a.tsx', 3, '  6:3  error  no x']],
  ['is in that file, at the left edge', ['src/pages/a.tsx', 3, '6:3  error  no x']],
  ['is a file of a list', ['src/a.ts', 'src/b.ts']],
  ['is a frame, below a gap', ['Traceback:', 9, 'tests/test_a.py:1: in <module>']],
  ['is a title of another sort', ['====== billing ======', '', '______ test_a ______', '1 != 2']],
  ['says nothing else of what failed', ['====== FAILURES ======', 'tests/test_a.py:3: 1 != 2']],
])('a heading is kept if what it introduces %s', (_, texts) => {
  expect(kept(...texts)).toEqual(texts.filter((text) => typeof text === 'string'));
});

test.each([
  ['the title of a test', '====== FAILURES ======', '______ test_a ______'],
  ['a failed test', '⎯⎯⎯⎯⎯⎯⎯ Failed Tests 2 ⎯⎯⎯⎯⎯⎯⎯', ' FAIL  src/a.test.ts > adds'],
])('a title that says only that something failed is left out above %s', (_, title, name) => {
  expect(kept(title, name, '1 != 2')).toEqual([name, '1 != 2']);
});

test.each([
  ['an error', 'Error: the build failed:'],
  ['what was expected', 'Expected:'],
  ['the name of a file', 'in docs/users.graphql:'],
  ['how the run ended', '====== 1 failed, 2 passed ======'],
])('a line with nothing below it is kept if it says %s', (_, line) => {
  expect(kept(ERROR, line)).toEqual([ERROR, line]);
});

const PAGE =
  '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>Sign in</title>\n</head>\n</html>';

test.each([
  ['a page of HTML', PAGE, '<!DOCTYPE html>\n<title>Sign in</title>'],
  [
    'a page of HTML in quotation marks',
    `Received: "${PAGE}"`,
    'Received: "<!DOCTYPE html>\n<title>Sign in</title>\n</html>"',
  ],
  [
    'how a page looks and what it does',
    '<!DOCTYPE html>\n<style>\n  td { padding: 0; }\n</style>\n<td>No price</td>\n<script>\n  show(1);\n<b>2 problems</b>\n</html>',
    '<!DOCTYPE html>\n<td>No price</td>\n<b>2 problems</b>',
  ],
  ['what follows a page', `${PAGE}\n<App />`, '<!DOCTYPE html>\n<title>Sign in</title>\n<App />'],
  ['an element that a test has printed', '<body>\n  <div />\n</body>', '<body>\n  <div />\n</body>'],
])('of %s, the lines that have more than tags are shown', (_, output, shown) => {
  const lines = output.split('\n').map((text, at) => ({ at, text }));

  expect(
    withoutTagsOfPages(lines)
      .map(({ text }) => text)
      .join('\n'),
  ).toBe(shown);
});

test.each([
  [
    'closes what is not shown',
    "Error: no\n    at a (a.js:3:5)\n  code: 'E'\n}",
    "Error: no\n    at a (a.js:3:5)\n  code: 'E'",
  ],
  ['closes what is shown', 'Error {\n  code: 1,\n}', 'Error {\n  code: 1,\n}'],
  ['closes what is shown, deeper', '{\n  items: [\n    1,\n  ],\n}', '{\n  items: [\n    1,\n  ],\n}'],
  ['is below a line of a diff', '+   total: 3\n  }', '+   total: 3\n  }'],
])('a bracket that %s', (_, output, shown) => {
  const lines = output.split('\n').map((text, at) => ({ at, text }));

  expect(
    withoutLoneClosers(lines)
      .map(({ text }) => text)
      .join('\n'),
  ).toBe(shown);
});

test('the place of a test is left out without the name of the test, which is right below it', () => {
  const place = 'test at test/cart.test.mjs:8:3';
  const lines = (at: number) => [
    { at: 1, text: place },
    { at, text: '✖ counts the lamps (1.2ms)' },
  ];

  expect(withoutEmptyHeadings(lines(2))).toHaveLength(2);
  expect(withoutEmptyHeadings(lines(9))).toHaveLength(1);
});

test.each([
  [
    'is left out without its frames',
    'Traceback (most recent call last):\nValueError: no lamp',
    'ValueError: no lamp',
  ],
  [
    'is shown above a frame',
    'Traceback (most recent call last):\n  File "a.py", line 3, in f\nValueError: no lamp',
    'Traceback (most recent call last):\n  File "a.py", line 3, in f\nValueError: no lamp',
  ],
  [
    'is shown as what was expected',
    'Expected:\n    Traceback (most recent call last):\n    ValueError: no lamp',
    'Expected:\n    Traceback (most recent call last):\n    ValueError: no lamp',
  ],
])('the heading of a stack of Python %s', (_, output, shown) => {
  const lines = output.split('\n').map((text, at) => ({ at, text }));

  expect(
    withoutEmptyHeadings(lines)
      .map(({ text }) => text)
      .join('\n'),
  ).toBe(shown);
});
