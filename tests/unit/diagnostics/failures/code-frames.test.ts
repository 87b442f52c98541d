import { expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import {
  unmarkedSourceIn,
  withoutContext,
  withoutNotesOfLibraries,
  withoutQuotedAgain,
  withoutUnderlines,
} from '../../../../src/diagnostics/failures/code-frames.ts';
import { condensed } from '../../../helpers/condensed.ts';

const without = (output: string) =>
  withoutQuotedAgain(withoutContext(output.split('\n').map((text, at) => ({ at, text }))))
    .map(({ text }) => text)
    .join('\n');

const BARE = 'int risky(int n) { return *p; }';

test.each([
  [
    'a line that is marked',
    '  1 | add(1);\n> 2 | expect(sum).toBe(2);\n  3 | add(3);',
    '> 2 | expect(sum).toBe(2);',
  ],
  [
    'a line that is pointed at',
    '  1 │ let a;\n  2 │ let b: Set = new Map();\n    │     ^\n  3 │ let c;',
    '  2 │ let b: Set = new Map();\n    │     ^',
  ],
  [
    'two lines that are pointed at and what is between them',
    '19 | let a = self.list.get();\n   |         --------- first borrow\n20 | a.add();\n21 | let b = self.list.get();\n   |         ^^^^^^^^^ second borrow\n22 | b.add();',
    '19 | let a = self.list.get();\n   |         --------- first borrow\n20 | a.add();\n21 | let b = self.list.get();\n   |         ^^^^^^^^^ second borrow',
  ],
  [
    'a line that is marked behind a level',
    '[error]   1 | jobs:\n[error]   2 |   test:\n[error] > 3 |    steps: []\n[error]     | ^\n[error]   4 |',
    '[error] > 3 |    steps: []\n[error]     | ^',
  ],
  [
    'a line with a margin of the mark',
    '  > 4 | <body><img src="./img/hero.webp">\n  >   | ^\n    5 | </html>',
    '  > 4 | <body><img src="./img/hero.webp">\n  >   | ^',
  ],
])('the source around %s is left out', (_, output, shown) => {
  expect(without(output)).toBe(shown);
});

test.each([
  ['the lines before and after a short one', '  1 | const price = 2 *\n> 2 | );\n  3 | const total = price;'],
  ['the next line of a call', "> 5 | expect(rows.map(String)).toEqual([\n    | ^\n  6 |   'a',"],
  ['numbered lines without a mark', '  1 | first of the lines\n  2 | second of the lines'],
])('%s are shown', (_, output) => {
  expect(without(output)).toBe(output);
});

test.each([
  [
    'at a column that is named',
    `a.c:3:5: error: one\n${BARE}\n    ^\na.c:3:29: error: two\n${BARE}\n                            ^`,
    `a.c:3:5: error: one\n${BARE}\n    ^\na.c:3:29: error: two`,
  ],
  [
    'at a column that is named in brackets',
    "a.js\n  ╭─[1:0]\n1 │ import path from 'path';\n  · ───────\nb.js\n  ╭─[1:0]\n1 │ import path from 'path';\n  · ───────",
    "a.js\n  ╭─[1:0]\n1 │ import path from 'path';\n  · ───────\nb.js\n  ╭─[1:0]",
  ],
])('source that was quoted before is left out %s', (_, output, shown) => {
  expect(without(output)).toBe(shown);
});

test.each([
  [
    'the same words at the same place of another file',
    'a.php\n  7 | ERROR | a space before "="\nb.php\n  7 | ERROR | a space before "="',
  ],
  [
    'the same words at the same line and column of another file',
    'a.html\n  2:0  error  no alt text\nb.html\n  2:0  error  no alt text',
  ],
  ['the same words behind a number and a colon', 'a.py\n  12: line too long\nb.py\n  12: line too long'],
  [
    'a line that points to another column, if no column is named',
    `one\n${BARE}\n    ^\ntwo\n${BARE}\n                            ^`,
  ],
  [
    'a line with words below it',
    `a.rs:3:5: error: one\n${BARE}\n    ^\na.rs:3:29: error: two\n${BARE}\n    ^ consider a reference`,
  ],
  ['a line of a diff', '> 1 | a\n  2 | - b\n✗ two\n> 1 | a\n  2 | - b'],
  ['the line that is marked', '> 1 | add(1);\n✗ two\n> 1 | add(1);'],
])('%s is shown again', (_, output) => {
  expect(without(output)).toBe(output);
});

test('lines that say nothing new leave no mark', () => {
  const frame = (line: number) =>
    [1, 2, 3, 4].map((n) => `${n === line ? '  >' : '   '} ${n} | expect(sum).toBe(${n});`).join('\n');
  const test = (name: string, line: number) =>
    `  ● ${name}\n\n    expected ${line}\n\n${frame(line)}\n\n      at test (src/sum.test.js:${line}:3)\n`;
  const shown = excerptText(
    excerptOf(condensed(`${test('one', 2)}\n${test('two', 3)}`), 5300, { hung: false }),
  );

  expect(shown).not.toContain('1 | expect');
  expect(shown).not.toContain('…');
});

test.each([
  [
    'all of a line',
    '9 |   function rate() public;\n  |   ^^^^^^^^^^^^^^^^^^^^^^^',
    '9 |   function rate() public;',
  ],
  [
    'all of a line without a number',
    '    def pick(x): return x\n    ^~~~~~~~~~~~~~~~~~~~~',
    '    def pick(x): return x',
  ],
  ['a part of a line', '9 |   function rate() public;\n  |            ^^^^', undefined],
  ['all of a word', '9 | };\n  | ^^', undefined],
  [
    'all of a line, and say why',
    '9 |   function rate() public;\n  |   ^^^^^^^^^^^^^^^^^^^^^^^ no body',
    undefined,
  ],
])('signs below %s', (_, output, shown = output) => {
  const lines = output.split('\n').map((text, at) => ({ at, text }));

  expect(
    withoutUnderlines(lines)
      .map(({ text }) => text)
      .join('\n'),
  ).toBe(shown);
});

test('the source around what is wrong takes no space of what is wrong in other failures', () => {
  const source = 'const value = 1; '.repeat(16);
  const failure = (line: number) =>
    `✗ adds ${'abcdefghijkl'.charAt(line)}\n  Error: wrong\n\n    1 | ${source}\n    2 | ${source}\n  > 3 | expect(${line});\n      | ^\n    4 | ${source}\n    5 | ${source}\n`;
  const output = Array.from({ length: 12 }, (_, line) => failure(line)).join('\n');
  const shown = excerptText(excerptOf(condensed(output), 5300, { hung: false }));

  expect(shown.match(/> 3 \| expect/g)).toHaveLength(12);
  expect(shown).not.toContain('const value');
});

test('the source around what is wrong is left out behind the prefix of a task', () => {
  expect(
    without('web:test:   9| a();\nweb:test:  10| total(b);\nweb:test:    |  ^\nweb:test:  11| c();'),
  ).toBe('web:test:  10| total(b);\nweb:test:    |  ^');
});

test.each([
  ['the line that the place above names', 'test/cron.js:22\n\n', ' 22: b'],
  ['each line if the place is none of them', 'test/cron.js:25\n\n', ' 21: a\n 22: b\n 23: c'],
  [
    'each line below a line with more than a place',
    'fails at test/cron.js:22 too\n',
    ' 21: a\n 22: b\n 23: c',
  ],
])('of source without a mark, %s is shown', (_, above, kept) => {
  expect(without(`${above} 21: a\n 22: b\n 23: c`)).toBe(`${above}${kept}`);
});

test('the source below a marked line is left out where the sign between them was', () => {
  const lines = [
    { at: 1, text: "> 21 |     console.warn('sandbox');" },
    { at: 3, text: '  22 |     send();' },
    { at: 4, text: '  23 |   });' },
  ];

  expect(withoutContext(lines).map(({ at }) => at)).toEqual([1]);
});

test('the signs below a call in Python are left out where the next frame is in the function', () => {
  const frame = (line: number, name: string, source: string, signs: string) =>
    `  File "/p/a.py", line ${line}, in ${name}\n    ${source}\n    ${signs}\n`;
  const output = `Traceback (most recent call last):\n${frame(9, 'test_count', 'self.assertEqual(count(jars), 20)', '                 ^^^^^^^^^^^')}${frame(3, 'count', 'return jars * 2.0', '       ~~~~~^~~~~')}TypeError: unsupported operand\n`;
  const lines = output.split('\n').map((text, at) => ({ at, text }));

  expect(withoutUnderlines(lines).map(({ text }) => text)).toEqual(
    output.split('\n').filter((text) => !text.includes('^^^')),
  );
});

test('the source below a frame of Python is shown once', () => {
  const frame = '  File "/p/t.py", line 3, in test_a';
  const source = '    rate(total(cart), 2)\n         ^^^^^^^^^^^';
  const other = '  File "/p/t.py", line 9, in test_b\n    rate(total(cart), 2)\n         ^^^^^^^^^^^';

  expect(
    without(`${frame}\n${source}\nKeyError: 1\n${other}\nKeyError: 2\n${frame}\n${source}\nKeyError: 3`),
  ).toBe(`${frame}\n${source}\nKeyError: 1\n${other}\nKeyError: 2\n${frame}\nKeyError: 3`);
});

test('what the notes of an error say of a library is left out', () => {
  const own = ['error[E0277]: cannot subtract `usize` from `u16`', '  --> src/plan.rs:30:33'];
  const kept = ['note: required by a bound in `Seats`', '  --> src/seats.rs:3:5'];
  const foreign = [
    'help: the following other types implement trait `Sub<Rhs>`',
    '  --> /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/ops/arith.rs:212:8',
    '   = note: `u16` implements `Sub`',
    '   = note: in this macro invocation',
  ];
  const lines = [...own, ...foreign, ...kept].map((text, at) => ({ at, text }));

  expect(withoutNotesOfLibraries(lines).map(({ text }) => text)).toEqual([...own, ...kept]);
});

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));

test('of the tests of a table that fail in one line, each has its values, and the first one the line', () => {
  const failed = (kwh: number) =>
    `  ● price › of ${kwh} kWh\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: ${kwh * 30}\n    Received: ${kwh * 32}\n\n      3 | describe('price', () => {\n    > 4 |   test.each(USAGE)('of %i kWh', (kwh, cents) => expect(priceOf(kwh)).toBe(cents));\n        |                                                                      ^\n      5 | });\n\n      at Object.toBe (test/price.test.ts:4:72)\n\n`;
  const shown = excerpt(
    `FAIL test/price.test.ts\n${failed(10)}${failed(20)}${failed(30)}Tests: 3 failed, 3 total\n`,
  );

  expect(shown.match(/> 4 \|/g)).toHaveLength(1);
  expect(shown.match(/Object\.is equality/g)).toHaveLength(1);
  expect(shown.match(/Received: \d+/g)).toHaveLength(3);
});

test('signs are left out where the source above them is not shown', () => {
  const lines = [
    { at: 3, text: 'orders.tex:4: a space is missing' },
    { at: 9, text: '                  ^^^' },
  ];

  expect(withoutUnderlines(lines)).toEqual(lines.slice(0, 1));
});

test.each([
  ['above and below the mark', ['source: >', '  a();', '  b();', '--^', '  c();', 'type: TAP'], [1, 4]],
  ['without a mark', ['source: >', '  a();', '  b();', 'type: TAP'], []],
])('of the source that TAP quotes, the lines %s are context', (_, members, context) => {
  const lines = members.map((text, at) => ({ at, text: /^(?:source|type)/.test(text) ? text : `  ${text}` }));

  expect(unmarkedSourceIn(lines)).toEqual(context);
});
