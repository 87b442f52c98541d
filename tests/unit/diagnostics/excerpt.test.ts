import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../src/diagnostics/excerpt.ts';
import { SEVERITY } from '../../../src/diagnostics/lines/rules.ts';
import type { ExcerptLine } from '../../../src/state/failures.ts';
import { condensed, type Piece } from '../../helpers/condensed.ts';

const MAX = 6000;
const linesOf = (output: string | readonly Piece[], maxCharacters = MAX, hung = false) =>
  excerptOf(condensed(output), maxCharacters, { hung });
const of = (...args: Parameters<typeof linesOf>) => excerptText(linesOf(...args));
const many = (n: number, of: (i: number) => string) => Array.from({ length: n }, (_, i) => of(i)).join('\n');
const notesOf = (lines: readonly ExcerptLine[]) =>
  lines.filter(({ kind }) => kind === 'note').map(({ text }) => text);

describe('the excerpt of a short output', () => {
  test.each([
    ['keeps its text', 'a\n\n  b\tc', 'a\n\n  b\tc'],
    ['has no blank lines at its ends', '\n\n a \n\n', ' a'],
    ['has no blanks at the ends of lines', 'a  \nb\t\n', 'a\nb'],
    ['has no colours', '\u001b[31mred\u001b[0m \u001b[1;38;5;208mbold\u001b[39m', 'red bold'],
    [
      'has all of a line with a colour for each character',
      [...'b'.repeat(200)].map((character) => `\u001b[1m\u001b[31m${character}\u001b[0m`).join(''),
      'b'.repeat(200),
    ],
    ['has no commands for the cursor', '\u001b[2K\u001b[1Ga\u001b[?25l', 'a'],
    ['has no links that BEL ends', '\u001b]8;;https://x.y\u0007a\u001b]8;;\u0007', 'a'],
    [
      'has no escape sequence that the end of its line cuts off',
      'a\u001b[3\nb\u001b\nc\u001b[38;5',
      'a\nb\nc',
    ],
    ['has no link that the end of its line cuts off', 'a\u001b]8;;https://x.y\nb', 'a\nb'],
    ['has the last state of a redrawn line', '10 %\r50 %\r100 %\ndone', '100 %\ndone'],
    ['has a line whose cursor went back to its start', 'done\r', 'done'],
    ['has the last state of a redrawn line whose cursor went back to its start', '10 %\r100 %\r\r', '100 %'],
    ['has the last state of each redrawn line', 'a\rb\r\nc\rd\r', 'b\nd'],
    [
      'has the last state of a line that is redrawn from its first column',
      'run a\u001b[1G\u001b[Kok a',
      'ok a',
    ],
    ['has lines that end as on Windows', 'a\r\nb\r\r\nc', 'a\nb\nc'],
    ['has no control characters', 'a\0b\u0007c\u0008d\u007f\u0085e', 'abcde'],
    ['has no escape sequences of 8-bit codes', 'a\u009b31mb', 'ab'],
    [
      'has no links that ST ends, but their text',
      'a\u001b]8;;https://x.y\u001b\\b\u001b]8;;\u001b\\c',
      'abc',
    ],
    ['has letters of all scripts', 'é検🎉', 'é検🎉'],
    ['has the replacement character of the output', 'a\ufffdb', 'a\ufffdb'],
    ['is empty for an empty output', '', ''],
    ['is empty for an output of blanks', ' \n\r\n\t\0', ''],
  ])('%s', (_, text, expected) => {
    expect(of(text)).toBe(expected);
  });

  test('has one of several blank lines, and counts more than three others', () => {
    expect(of('a\n\n\nb\n\n\n\n\n\nc')).toBe('a\n\nb\n\n… 4 lines …\nc');
  });

  test('has a failure that was drawn over', () => {
    expect(of('Error: boom\r10 %\r100 %\n')).toBe('Error: boom\n100 %');
  });

  test('has the whole lines of both streams, in order of arrival', () => {
    const pieces: Piece[] = [
      ['stdout', 'a '],
      ['stderr', '\u001b[3'],
      ['stderr', '1mb\n'],
      ['stdout', 'c'],
    ];

    expect(of(pieces)).toBe('b\na c');
  });

  test('has letters whose bytes came in two pieces', () => {
    const [first, second] = [Buffer.from('検').subarray(0, 2), Buffer.from('検').subarray(2)];

    expect(
      of([
        ['stdout', first],
        ['stderr', 'x'],
        ['stdout', second],
      ]),
    ).toBe('検\nx');
  });

  test('has the replacement character for bytes that are not text', () => {
    expect(of([['stdout', Buffer.from([0x61, 0xff, 0x62])]])).toBe('a\ufffdb');
  });
});

describe('two long values that a test compares', () => {
  const value = (difference: string) => `${'<li>same</li>'.repeat(900)}${difference}${'<hr>'.repeat(2000)}`;
  test.each([
    ['of a diff', '- ', '+ '],
    ['of a diff in colour', '\u001b[32m- ', '\u001b[31m+ '],
    ['of Jest', 'Expected: "', 'Received: "'],
    ['of RSpec', '     expected: "', '          got: "'],
    ['of pytest', 'E         - ', 'E         + '],
    ['of ExUnit', '     left:  "', '     right: "'],
  ])('are cropped to where they differ: %s', (_, expected, received) => {
    const shown = of(`FAIL page\n${expected}${value('Duo')}\n${received}${value('Uno')}\n`);

    expect(shown.split('\n')).toHaveLength(3);
    expect(shown).toMatch(/<\/li>Duo<hr>.*\n.*<\/li>Uno<hr>/);
    expect(shown.length).toBeLessThan(620);
  });

  test('are cropped to the first and the last of several differences', () => {
    const shown = of(`- ${value('one')}${value('two')}\n+ ${value('eins')}${value('zwei')}\n`);

    expect(shown).toMatch(/^- .*<\/li>one<hr>.* … .*two<hr>.*\n\+ .*<\/li>eins<hr>.* … .*zwei<hr>/);
    expect(shown.length).toBeLessThan(620);
  });

  test.each([
    ['are equal', [`- ${value('a')}`, `+ ${value('a')}`]],
    ['differ at their start', [`- a${value('')}`, `+ b${value('')}`]],
    ['are not next to each other', [`- ${value('a')}`, 'b', `+ ${value('c')}`]],
  ])('are cropped as any other line if they %s', (_, lines) => {
    expect(of(lines.join('\n'))).toBe(lines.map((line) => of(line)).join('\n'));
  });

  test('are shown in order of arrival', () => {
    const pieces: Piece[] = [
      ['stdout', `- ${value('a')}\n`],
      ['stderr', `+ ${value('b')}\n`],
      ['stdout', 'c\n'],
      ['stdout', `- ${value('d')}`],
    ];

    expect(of(pieces).replace(/<.*/gm, '')).toBe('- \n+ \nc\n- ');
  });
});

describe('a short output', () => {
  const passed = many(9, (i) => `✓ adds${' a'.repeat(i)}`);
  const alike = many(20, (i) => `compiling part ${i}`);
  test.each([
    ['two lines', 2, true],
    ['none of many lines', 9, false],
  ])('with a failed test has %s of the program', (_, count, isShown) => {
    const logged = [
      'connected to the store of carts, which is on port 4711, and read from the replica beside it',
      'opened data/stock.db',
      'the stock of pens (blue, and with a cap) is 40, of which 12 have been sold in the last hour',
      'mail "welcome to the shop, and thank you for the order of pens" goes to ann, and to the office',
      'slot at ten has a place for bob',
      '[audit] ann | took | pens | 2 | with the coupon of the spring sale | from the web shop | paid',
      'closing: carts, slots, stock, mail, audit (each waits for the one before it, up to a second)',
      'bye',
      'the replica is closed as well',
    ].slice(0, count);
    const failed = '✗ refuses a full slot\n  Error: expected 3 to be 4\n      at book (src/slot.js:3:5)';

    expect(of(`${logged.join('\n')}\n\n${failed}`).includes('stock.db')).toBe(isShown);
  });

  test.each([
    [
      'is shown whole, but for steps that differ in numbers only, if nothing in it says what is wrong',
      `${alike}\n${passed}`,
      `compiling part 0\n… 18 lines …\ncompiling part 19\n${passed}`,
    ],
    ['has plain lines', 'one\ntwo words\nError: boom\nand so on', 'one\ntwo words\nError: boom\nand so on'],
    [
      'has no list that chatter introduces',
      `[2:43:26 AM] Projects in this build:\n${many(5, (i) => `    * part${i}/tsconfig.json`)}\n\none and two\nsrc/b.c:3:5: error: x`,
      '… 6 lines …\n\none and two\nsrc/b.c:3:5: error: x',
    ],
    [
      'has a table of files with shares that is not about coverage',
      '✗ is fast\n  Error: too slow\n\nroutes.json | 120 | 40% |\nindex.html | 80 | 12.5% |',
      '✗ is fast\n  Error: too slow\n\nroutes.json | 120 | 40% |\nindex.html | 80 | 12.5% |',
    ],
    ['has no passed tests beside a failure', `${passed}\n✗ subtracts`, '… 9 lines …\n✗ subtracts'],
    [
      'has the last of the steps before a failure',
      `${alike}\nError: boom`,
      '… 19 lines …\ncompiling part 19\nError: boom',
    ],
    [
      'has the last of the lines that differ in hashes',
      'blob 0a1\nblob 17f\nblob 7b3\nblob c3c\nblob 4d0\nblob 7fe\nError: boom',
      '… 5 lines …\nblob 7fe\nError: boom',
    ],
    [
      'has the first and the last of the files that a command only went through, also if no word for a failure is known',
      '合并 a.md\n合并 b.md\n合并 c.md\n合并 d.md\n合并 e.md\n合并 f.md\n锁定：f.md',
      '合并 a.md\n… 4 lines …\n合并 f.md\n锁定：f.md',
    ],
    [
      'has no passed tests but the last if something only mentions a failure',
      `${passed}\n✓ divides\nsubtracts: expected 3`,
      '… 9 lines …\n✓ divides\nsubtracts: expected 3',
    ],
    [
      'has what was being done right before a failure, but not long before',
      'Reading the map\na\n\nb\n\nApplying part 7\nError: boom',
      'a\n\nb\n\nApplying part 7\nError: boom',
    ],
    [
      'has not what the program says of itself',
      'lint 4.2.0 (e7f3) - https://lint.example\n\nUsing lint.json\nError: boom',
      'Using lint.json\nError: boom',
    ],
    [
      'has versions that look alike',
      'lodash 4.17.20\nminimist 1.2.5\nError: boom',
      'lodash 4.17.20\nminimist 1.2.5\nError: boom',
    ],
    [
      'has the line that mentions a failure among those that look alike',
      'dangling blob 0a1\nmissing blob 17f\ndangling blob ab3\nError: boom',
      'dangling blob 0a1\nmissing blob 17f\ndangling blob ab3\nError: boom',
    ],
    [
      'has the last of those that look alike, also with results between them, where something only mentions a failure',
      `${['a', 'b', 'c', 'd', 'e', 'f'].map((zone) => `zone ${zone}.example: loaded\nOK\n`).join('')}zone g.example: not loaded due to errors.\n`,
      '… 10 lines …\nzone f.example: loaded\nOK\nzone g.example: not loaded due to errors.',
    ],
    [
      'has the last test that passed before a crash',
      `${passed}\n✓ divides\nSegmentation fault`,
      '… 9 lines …\n✓ divides\nSegmentation fault',
    ],
    [
      'has no test that passed before an error that says where',
      '✓ divides\nError: boom\n    at main (src/a.ts:3:1)',
      'Error: boom\n    at main (src/a.ts:3:1)',
    ],
    [
      'has no line that only introduces the address of a manual',
      'The key "env" is not supported.\n\nPlease see the following page for more:\nhttps://lint.example/docs/keys\n\nOther keys are.',
      'The key "env" is not supported.\n\nOther keys are.',
    ],
    ['has no single word for what was being done', 'a\ntransforming...\nError: boom', 'a\nError: boom'],
    ['has no letter for each test', 'a\n..F..E.E\nError: boom', 'a\nError: boom'],
    ['has no letter for each test of a file', 'a\nt.py FF.F   [100%]\nError: boom', 'a\nError: boom'],
    ['has no letter for each test with a count', 'a\n.FF  3 / 3 (100%)\nError: boom', 'a\nError: boom'],
  ])('%s', (_, output, expected) => {
    expect(of(output)).toBe(expected);
  });
});

describe('a frame of text in a short output', () => {
  const framed = (...texts: string[]) =>
    ` /----\\\n${texts.map((text) => ` |  ${text}  |`).join('\n')}\n \\----/`;
  const license = framed('The program', '', 'Permission to use it', 'for any purpose', 'is hereby granted');
  test('is not shown beside a failure that is sure', () => {
    expect(of(`${license}\n\nERROR: no module`)).not.toContain('Permission');
  });

  test.each([
    ['nothing else is', `${license}\ndone`, 'Permission'],
    ['it says what is wrong', `${framed('a', 'b', 'c', 'Error: boom')}\nError: bang`, 'Error: boom'],
    ['it is a table', `${many(6, (i) => `| part${i} | ${i} |`)}\nError: bang`, 'part3'],
  ])('is shown if %s', (_, output, text) => {
    expect(of(output)).toContain(text);
  });
});

describe('beside a failure that is sure, a long output', () => {
  const steps = many(400, (i) => `compiled (part ${i}) of the pages of the shop into one file\n✓ adds ${i}`);
  const error = 'Error: boom';
  const placed = 'src/a.c:3:5: error: e';
  const after = many(400, (i) => `compiled (part ${i}) of the pages of the shop into one file`);
  test.each([
    [
      'has no line of a rare shape far from it',
      `(rare) [shape]\n${steps}\n${error}`,
      '(rare) [shape]',
      false,
    ],
    ['has one near it', `${steps}\n(rare) [shape]\nplain\n${error}`, '(rare) [shape]', true],
    [
      'has none beside a place',
      `${steps}\n(rare) [shape]\nplain\n${placed}\n${after}`,
      '(rare) [shape]',
      false,
    ],
    [
      'has none beside a test that says what is wrong',
      `${steps}\n(rare) [shape]\nplain\n✗ subtracts\n  Error: expected 3 to be 4\n${after}`,
      '(rare) [shape]',
      false,
    ],
    [
      'has none beside the first print of a failed test, which says its name only',
      `${steps}\n(rare) [shape]\nplain\n✗ subtracts\n${after}\n✗ subtracts\n  Error: expected 3 to be 4\n${after}\n${error}`,
      '(rare) [shape]',
      false,
    ],
    [
      'has none beside a warning far from it',
      `${steps}\n(rare) [shape]\nwarning: slow disk\n${after}\n${error}`,
      '(rare) [shape]',
      false,
    ],
    [
      'has one beside an error that says no place, where another does',
      `${steps}\n${placed}\n${after}\n(rare) [shape]\nplain\n${error}`,
      '(rare) [shape]',
      true,
    ],
    ['has none of those before a place', `${steps}\nlinked it\n${placed}\n${after}`, 'linked it', false],
    [
      'has no notice for a service at its end',
      `${placed}\n${steps}\n::notice title=Run::  1 failed`,
      '::notice',
      false,
    ],
    [
      'has none of a list on the way to it',
      `${steps}\n${many(9, (i) => `Download ${word(i)}.jar`)}\n${error}`,
      `Download ${word(7)}`,
      false,
    ],
    [
      'has the last of that list',
      `${steps}\n${many(9, (i) => `Download ${word(i)}.jar`)}\n${error}`,
      `Download ${word(8)}`,
      true,
    ],
    [
      'has no file that was made of a project',
      `${steps}\n  Shop -> /p/bin/Shop.dll\n${placed}\n  Tests -> /p/bin/Tests.dll\n`,
      '.dll',
      false,
    ],
    ['has one that names a place', `  src/b.c:7: (rare)\n${steps}\n${error}`, 'src/b.c:7: (rare)', true],
    [
      'has none that names a place, beside another',
      `  src/b.c:7: (rare)\n${steps}\n${placed}`,
      'src/b.c:7: (rare)',
      false,
    ],
    ['has the last of the lines that look alike and lead to it', `${steps}\n${error}`, 'part 399', true],
    ['has one of them', `${steps}\n${error}`, 'part 398', false],
    ['has the last of the lines that look alike at its end', `${error}\n${steps}`, 'part 399', true],
    ['has one of those', `${error}\n${steps}`, 'part 398', false],
    [
      'has a file at its end that has warnings only',
      `${steps}\nsrc/a.js\n  3:5  error  no x\n\nsrc/warned.js\n${many(9, (i) => `  ${i}:5  warning  x`)}`,
      'src/warned.js',
      false,
    ],
    [
      'has a file at its end, where nothing is a warning',
      `${error}\n${steps}\nsrc/unformatted.js`,
      'src/unformatted.js',
      true,
    ],
    [
      'has the names of all tasks, far from the list of those that failed',
      `- web:build\n- api:build\n- web:test\n${steps}\nError: failed tasks:\n- web:test`,
      'api:build',
      false,
    ],
  ])('%s', (_, output, part, isShown) => {
    expect(of(output).includes(part)).toBe(isShown);
  });
});

test('an output without a recognized line is shown with its start and its end', () => {
  const shown = of(`START\n${many(5000, (i) => `${'abcdefgh'[i % 8]} ${'#'.repeat(i % 40)} ${i}`)}\nEND`);

  expect(shown).toMatch(/^START\n/);
  expect(shown).toMatch(/\nEND$/);
});

test('a line of an excerpt has a kind', () => {
  expect(linesOf('a\nsrc/a.c:3:5: warning: w\nsrc/a.c:3:5: error: e\n')).toEqual([
    { kind: 'plain', text: 'a' },
    { kind: 'plain', text: 'src/a.c:3:5: warning: w' },
    { kind: 'error', text: 'src/a.c:3:5: error: e' },
  ]);
});

test('the excerpt of a command that hung has its last lines', () => {
  const output = `src/a.c:3:5: error: e\n${many(400, (i) => `line ${i} ${'x'.repeat(i % 30)}`)}\nwatching for changes`;

  expect(of(output, MAX, true)).toMatch(/\nwatching for changes$/);
});

/** Random bytes, the same in every run. */
function garbage(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 42;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

const stack = (n: number) =>
  many(
    n,
    (i) =>
      `    at own${i} (/p/src/a${i}.ts:3:5)\n    at x (/p/node_modules/x.js:1:1)\n    at y (/p/node_modules/y.js:1:1)`,
  );
const HARD: [string, string | Buffer][] = [
  ['one line of 150,000 characters', 'x'.repeat(150_000)],
  ['one line of a million characters', `${'word '.repeat(200_000)}Error: boom`],
  ['10,000 distinct errors', many(10_000, (i) => `src/a${i}.c:${i}:5: error: ${word(i)} is not declared`)],
  ['10,000 kinds of errors', many(10_000, (i) => `src/a${i}.c:${i}:5: error: ${word(i)} [${word(i)}]`)],
  ['300 alike', many(300, (i) => `src/a.ts(${i},5): error TS2322: Type 'a' is not assignable to type 'b'.`)],
  ['the same 10,000 times', 'Error: boom\n'.repeat(10_000)],
  ['binary garbage', garbage(300_000)],
  ['CJK', many(2000, (i) => `src/a.c:${i}:5: 错误：${'检'.repeat(i % 200)}未声明`)],
  ['one line of CJK', '検'.repeat(50_000)],
  ['emoji', many(500, (i) => `Error: ${'🎉'.repeat(i)}`)],
  ['one line of emoji', '🎉'.repeat(75_000)],
  ['emoji that no cut may halve', `x${'🎉'.repeat(75_000)}`],
  ['NULs', 'x\0'.repeat(100_000)],
  ['blank lines', 'x\n\n\n\n'.repeat(50_000)],
  ['errors among blank lines', many(3000, (i) => `Error: boom ${word(i)}\n\n\n`)],
  ['redrawn lines', `${'xy\r'.repeat(100_000)}${'z'.repeat(2000)}`],
  ['redrawn errors', many(5000, (i) => `Error: ${word(i)}\r`)],
  ['escape sequences', '\u001b[31mx\u001b[0m'.repeat(20_000)],
  ['lines of many shapes', many(5000, (i) => `${'#'.repeat(i % 50)} ${i} ${'!'.repeat(i % 7)}`)],
  ['a stack of own and foreign frames by turns', `Error: boom\n${stack(200)}`],
  [
    'stacks of own and foreign frames by turns',
    many(40, (i) => `TypeError: ${word(i)} is no function\n${stack(8)}\n\n`),
  ],
  ['long error lines', many(50, (i) => `src/a.c:${i}:5: error: ${`${word(i)} `.repeat(150)}`)],
];

describe('an excerpt is well-formed and no longer than its limit', () => {
  const budgets = [6000, 3000, 1000, 500, 200, 60, 20];
  test.each(HARD.flatMap(([name, output]) => budgets.map((budget) => [name, budget, output] as const)))(
    'for %s: %d characters',
    (_, budget, output) => {
      const shown = of([['stdout', output]], budget);

      expect(shown.length).toBeLessThanOrEqual(budget);
      expect(shown.isWellFormed()).toBe(true);
      expect(shown).not.toMatch(/[^\P{Cc}\n\t]/u);
    },
  );

  test.each(HARD)('and not empty for %s', (_, output) => {
    expect(of([['stdout', output]])).not.toBe('');
  });
});

/** A different word for each number: `baa`, `bab`, … */
function word(i: number): string {
  return [...(i + 10_000).toString(26)]
    .map((digit) => 'abcdefghijklmnopqrstuvwxyz'[Number.parseInt(digit, 26)])
    .join('');
}

describe('what an excerpt omits', () => {
  const output = `START of the build\n${many(3000, (i) => `compiling part ${i}`)}\nsrc/a.c:3:5: error: e\n${many(3000, (i) => `compiling part ${i}`)}\nEND`;

  test('is marked where it was, and counted', () => {
    const lines = linesOf(output);
    const gaps = notesOf(lines).map((note) =>
      Number(/^… ([\d,]+) lines …$/.exec(note)?.[1]?.replace(',', '')),
    );
    const shown = lines.filter(({ kind }) => kind !== 'note').length;

    expect(gaps.length).toBeGreaterThan(1);
    expect(shown + gaps.reduce((sum, gap) => sum + gap, 0)).toBe(output.split('\n').length);
  });

  const steps = many(900, (i) => `${i} ${'step '.repeat(i % 7)}`);

  describe('is shown, or not marked, if it is at most three lines', () => {
    const error = (i: number) => `src/a.c:${i}:5: error: ${word(i)} is not declared`;
    const words = (n: number) => many(n, (i) => `In the part ${word(i)}`);
    /** The middle of a long output: what is between two errors. */
    const between = (gap: string) => {
      const shown = of(`${steps}\n${error(1)}\n${gap}\n${error(2)}\n${steps}`);
      return shown.slice(shown.indexOf(error(1)) + error(1).length + 1, shown.indexOf(error(2)));
    };
    test.each([
      ['words', 'In the whole: 3 parts', 'In the whole: 3 parts\n'],
      ['three lines of words', `\u0020\n${words(2)}`, `${words(2)}\n`],
      ['passed tests', '✓ adds\n✓ subtracts\n✓ divides', ''],
      ['progress', 'Downloading a\nDownloading b', ''],
      ['blank lines', '\n\n', ''],
      ['blank lines with a prefix', '\npackages/web test:\n', ''],
      ['an external frame with a prefix', '\npackages/web test:     at f (node:internal/timers:483:21)', ''],
      ['warnings', 'src/b.c:1:1: warning: unused x\nsrc/b.c:7:1: warning: unused x', ''],
    ])('%s', (_, gap, expected) => {
      expect(between(gap)).toBe(expected);
    });

    test('but not if it is longer', () => {
      expect(between(`\n\n\n${words(9)}`)).toContain('lines …');
    });

    test('and is marked where there is no space left for it', () => {
      const notes = many(2, () => `In the part ${'x'.repeat(290)}`);
      const output = many(60, (i) => `${error(i)}\n\n${notes}`);
      const lines = of(output, 1000).split('\n');

      expect(lines).toContain('… 3 lines …');
    });
  });

  test.each([
    ['frames of packages', (i: number) => `    at step${i} (/p/node_modules/a.js:${i}:1)`],
    ['passed tests', (i: number) => `    ✓ adds ${i}`],
  ])('is not marked where it says nothing about the failure that it is in: %s', (_, line) => {
    const own = '    at b (/p/src/b.js:1:1)';
    const output = `${steps}\nError: boom\n${many(30, line)}\n${own}\n${steps}`;

    expect(of(output)).toContain(`Error: boom\n${own}`);
  });

  test('is not marked where its lines say nothing new, also if others take their space', () => {
    const names = ['adds', 'pays', 'sends', 'waits', 'stops'].map((name) => `cart ${name}`);
    const failed = names.map((name) => `  ✕ ${name} (3 ms)`).join('\n');
    const details = names.map(
      (name) =>
        `  ● ${name}\n\n    expected 3\n${many(30, (i) => `    value ${name} ${word(i)} has cents left`)}`,
    );
    const output = `FAIL src/cart.test.ts\n${failed}\n\n${details.join('\n\n')}`;

    expect(of(output)).toMatch(/^FAIL src\/cart\.test\.ts\n {2}● cart adds\n/);
  });

  test('is not marked if it is a single line', () => {
    expect(of('Error: boom\n    at a (/p/node_modules/a.js:1:1)\n    at b (/p/src/b.js:1:1)\n')).toBe(
      'Error: boom\n    at b (/p/src/b.js:1:1)',
    );
  });

  test('is counted by kind and file if there were many failures', () => {
    const errors = many(
      300,
      (i) => `src/a${i % 3}.ts(${i},5): error TS${i < 280 ? 2339 : 2322}: Property 'p${i}' is wrong.`,
    );

    expect(linesOf(errors).at(-1)).toEqual({
      kind: 'note',
      text: '… 300 in all: 280 × TS2339, 20 × TS2322; 3 files: src/a0.ts 100, src/a1.ts 100, src/a2.ts 100',
    });
  });

  test('is counted without kinds if these have no code', () => {
    const errors = many(300, (i) => `src/a${i % 2}.c:${i}:5: error: '${word(i % 9)}${i}' undeclared`);

    expect(linesOf(errors).at(-1)?.text).toBe('… 300 in all; 2 files: src/a0.c 150, src/a1.c 150');
  });

  test('is not counted where tests have failed: they may have logged it', () => {
    const logged = many(
      300,
      (i) => `compiled invoice.${word(i)}.mjml\n    at Object.debug (test/mail.test.js:1:138)`,
    );
    const failed = '  ● counts the lamps\n\n    Expected: 3\n    Received: 2\n';

    expect(notesOf(linesOf(logged)).at(-1)).toContain(' in all');
    expect(of(`${logged}\n${failed}`)).not.toContain(' in all');
  });
});

test('the details of a test have the space that those of the tests around it would take', () => {
  const suite = (name: string) => [
    `# Subtest: ${name}`,
    `    not ok 1 - adds to ${name}`,
    '      ---',
    ...Array.from({ length: 8 }, (_, i) => `      "${i}": ${word(i)} ${'x'.repeat(60)}`),
    `      actual: "the value of ${name}"`,
    '      ...',
    '    1..1',
    `not ok 1 - ${name} # time=8.3ms`,
    '  ---',
    ...Array.from({ length: 8 }, (_, i) => `  at: ${name}.js:${i} ${word(i)} ${'y'.repeat(60)}`),
    '  ...',
  ];
  const names = ['carts', 'orders', 'prices', 'taxes', 'users'];
  const excerpt = of(names.flatMap(suite).join('\n'), 5300);

  for (const name of names) expect(excerpt).toContain(`actual: "the value of ${name}"`);
});

test('what a single failed test says may take more than half of the space', () => {
  const details = many(200, (i) => `  ${word(i)}: ${word(i + 7)} of ${word(i + 3)} in the ${word(i + 11)}`);

  expect(of(`not ok 1 - adds\n  ---\n${details}\n  ...\n`, 5300).length).toBeGreaterThan(2650);
});

test('a short output in TAP is shown without the titles and the details of what passed', () => {
  const passed = (i: number) =>
    `# Subtest: adds ${word(i)}\nok ${i} - adds ${word(i)}\n  ---\n  duration_ms: 0.3\n  ...\n`;
  const failed = '# Subtest: joins\nnot ok 9 - joins\n  ---\n  error: no cart\n  ...\n';

  expect(of(passed(1) + passed(2) + failed + passed(3))).toBe(
    '… 11 lines …\nnot ok 9 - joins\n  error: no cart\n… 6 lines …',
  );
});

test('what each linter of a script found is shown above many failed tests with details', () => {
  const findings = [
    'would reformat src/cart.py',
    'ERROR: src/cart.py Imports are incorrectly sorted and/or formatted.',
    "src/cart.py:6:1: F401 'os' imported but unused",
    'src/cart.py:23: error: Incompatible return value type  [return-value]',
  ];
  const details = (i: number) =>
    many(8, (line) => `E     what is wrong with ${word(i)} in detail ${line} of ${word(i + line)}`);
  const failed = many(
    12,
    (i) =>
      `____________ test_${word(i)} ____________\n\n>       assert ${word(i)}() == ${i}\nE       ${word(i)}Error: ${word(i + 1)}\n${details(i)}\n\ntests/test_${word(i)}.py:${i + 3}: ${word(i)}Error`,
  );
  const names = many(
    12,
    (i) => `FAILED tests/test_${word(i)}.py::test_${word(i)} - ${word(i)}Error: ${word(i + 1)}`,
  );
  const shown = of(`${findings.join('\n')}\n${failed}\n${names}\n12 failed in 3.01s\n`);

  for (const finding of findings) expect(shown).toContain(finding);
});

test('a test around others whose hook failed is shown as one that failed itself', () => {
  const result = (name: string, indent: string, details: readonly string[]) =>
    [`not ok 1 - ${name}`, '  ---', ...details.map((line) => `  ${line}`), '  ...'].map(
      (line) => indent + line,
    );
  const failed = (i: number) =>
    result(`adds ${word(i)}`, '', many(7, (n) => `at${n}: ${word(i)} ${'x'.repeat(60)}`).split('\n'));
  const output = [
    ...Array.from({ length: 5 }, (_, i) => failed(i)).flat(),
    '# Subtest: orders',
    ...result('adds', '    ', ['error: 3 != 4']),
    ...result('orders', '', ["error: '1 subtest failed'"]),
    '# Subtest: import',
    ...result('reads all', '    ', ["error: 'test did not finish before its parent and was cancelled'"]),
    ...result('import', '', [
      "error: 'ENOENT: orders.json'",
      'stack: |-',
      '  async load (/proj/src/load.ts:4:13)',
    ]),
    ...Array.from({ length: 5 }, (_, i) => failed(i + 5)).flat(),
  ];
  const excerpt = of(output.join('\n'), 5300);

  expect(excerpt).toContain('ENOENT: orders.json');
  expect(excerpt).toContain('src/load.ts:4:13');
});

describe('beside hundreds of other lines, the excerpt has', () => {
  const others = Array.from({ length: 300 }, (_, at) => `ok ${at} - adds ${at} and ${at}`);
  const kept = (...lines: readonly string[]) =>
    excerptText(excerptOf(condensed([...others, ...lines, ...others].join('\n')), 5300, { hung: false }));

  test('the place in a test below the frame of a package that is less indented', () => {
    const place = '    api_test.go:26: GET /orders/8: EOF';
    const text = kept(
      'http: panic serving 127.0.0.1: runtime error: nil pointer dereference',
      'net/http.(*Server).Serve',
      '\t/usr/lib/go-1.19/src/net/http/server.go:3102 +0x4db',
      place,
      '--- FAIL: TestGetOrder (0.00s)',
    );

    expect(text).toContain(place);
  });

  test('two failures of one assertion that differ in a value below its name', () => {
    const failed = (value: number) =>
      `main.cpp:9: FAILED:\n  CHECK( a.cents == 98 )\nwith expansion:\n  ${value} == 98`;
    const text = kept(failed(99), '', 'withdraws', '', failed(97));

    expect(text).toContain('  99 == 98');
    expect(text).toContain('  97 == 98');
  });

  test('the rows of a table of what is wrong, and the file that it is about, above a ruler', () => {
    const file = 'FILE: /p/src/Price.php';
    const rows = [
      " 8  | VIOLATION | Avoid unused parameters such as '$locale'.",
      ' 14 | ERROR     | Line is too long',
    ];
    const text = kept(file, '-'.repeat(60), ...rows, '-'.repeat(60));

    for (const line of [file, ...rows]) expect(text).toContain(line);
  });

  test('what a test in TAP printed below the name of it, and a comment without a word', () => {
    const lines = [
      'not ok 5 keeps two',
      ...many(6, (i) => `# Saved ${word(i)}`).split('\n'),
      '#',
      '# actual : 3',
    ];

    expect(kept(...lines)).toContain(lines.join('\n'));
  });

  test('a value in brackets, which looks like the name of a task', () => {
    const lines = ['--- FAIL: ExampleParse (0.00s)', 'got:', '[lamp desk]', 'want:', '[lamp, desk]'];

    expect(kept(...lines)).toContain(lines.join('\n'));
  });

  test('the message in a box below the file of PHP that threw it, without the frames of packages', () => {
    const lines = [
      'In ImportCommand.php line 31:',
      '',
      '  [RuntimeException]',
      '  import stopped after 2 rows',
      'Exception trace:',
      '  at /proj/src/ImportCommand.php:31',
      ' App\\ImportCommand->store() at /proj/src/ImportCommand.php:21',
      ' Symfony\\Component\\Console\\Command\\Command->run() at /usr/share/php/Symfony/Application.php:1040',
    ];

    expect(kept(...lines)).toContain(lines.slice(0, -1).join('\n'));
    expect(kept(...lines)).not.toContain('Symfony');
  });

  test('what happens on the path to an error, but not where the path goes', () => {
    const [error, leaks] = [
      'conf.c:24:14: error: leak of ‘entry.key’ [CWE-401]',
      '    |      |          (4) ‘entry.key’ leaks here',
    ];
    const path = [
      '  ‘main’: events 1-4',
      '    |',
      '    |   34 | int main(int argc, char **argv)',
      '    |      |          (1) entry to ‘main’',
      '    |      |          (2) following ‘true’ branch...',
      '    |      |          (3) ...to here',
    ];

    expect(kept(error, ...path, leaks)).toMatch(/leak of .*\n.*\(4\) ‘entry.key’ leaks here/);
  });

  test('each item of a list that the message of an exception introduces', () => {
    const lines = [
      'AssertionError: 5 != 1 : 5 queries executed, 1 expected',
      'Captured queries were:',
      ...Array.from({ length: 5 }, (_, at) => `${at + 1}. SELECT column_${'abcde'[at]} FROM orders`),
    ];

    expect(kept(...lines)).toContain(lines.join('\n'));
  });
});

describe('the paragraphs between an exception and its stack', () => {
  const exception =
    '  3) parses\n     UnexpectedError:\nexpected a\nto satisfy b\n\n{\n  host: 1, // should be 2\n}\n';
  const steps = many(40, (i) => `step ${word(i)}`);
  const frame = '      at Context.<anonymous> (test/a.js:6:3)';
  const linesOfFailures = (output: string) =>
    condensed(output).failures.flatMap(({ block }) => block.lines.map(({ text }) => text));

  test('are part of its message, also at the left edge', () => {
    const lines = linesOfFailures(`${exception}\n${frame}\n`);
    expect(lines).toContain('  host: 1, // should be 2');
    expect(lines).toContain(frame);
  });

  test('are part of it however many they are, and with lines of signs, if they are indented', () => {
    const roles = many(25, (i) => `  ${word(i)}:\n  <${word(i)} />\n  ${'-'.repeat(20)}`);
    const lines = linesOfFailures(`Error: no role\n\nThese are the roles:\n\n${roles}\n${frame}\n`);

    expect(lines).toContain(`  <${word(20)} />`);
    expect(lines).toContain(frame);
  });

  test.each([
    ['no stack follows', ''],
    ['another failure comes first', `  4) ends\n     Error: c\n${frame}`],
    ['they are long', `${steps}\n${frame}`],
    ['a title comes first', `====== summary ======\nstep\n${frame}`],
  ])('are no part of a failure if %s', (_, rest) => {
    expect(linesOfFailures(`${exception}\n${rest}\n`)).not.toContain('  host: 1, // should be 2');
  });
});

test.each([
  [
    'another line below an open bracket',
    '  (test-failed\n   (should (= 1 2)))',
    '  (test-failed\n   (should (= 3 4)))',
    2,
  ],
  [
    'the same line below an open bracket',
    '  (test-failed\n   (should x))',
    '  (test-failed\n   (should x))',
    1,
  ],
  ['another line below a whole statement', '  (test-failed) a\n   a', '  (test-failed) a\n   b', 1],
  ['another line below a single word', '  console.error\n    GET /a', '  console.error\n    GET /b', 2],
  ['the same line below a single word', '  console.error\n    GET /a', '  console.error\n    GET /a', 1],
])('of two failures with one headline, those with %s are counted apart or as one', (_, a, b, expected) => {
  expect(condensed(`${a}\n\n\n\n${b}\n`).failures).toHaveLength(expected);
});

test('the lines of an excerpt are in order of arrival', () => {
  const output = many(400, (i) =>
    i % 7 === 0 ? `src/a.c:${i}:5: error: ${word(i)} e` : `${i} step ${word(i)}`,
  );
  const all = output.split('\n');
  const places = linesOf(output)
    .filter(({ kind }) => kind !== 'note')
    .map(({ text }) => all.indexOf(text));

  expect(places.length).toBeGreaterThan(10);
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test('an output has the same excerpt wherever it is split', () => {
  const bytes = Buffer.from(
    `検証 🎉\r\n10 %\r\u001b[31m✗ adds\u001b[0m\r\n  Error: é expected 検\n    at a (/p/src/ä.ts:3:5)\n\n✓ subtracts\n`,
  );
  const whole = of([['stdout', bytes]]);
  const split = Array.from(bytes, (_, at) =>
    of([
      ['stdout', bytes.subarray(0, at)],
      ['stdout', bytes.subarray(at)],
    ]),
  );
  const single = of(Array.from(bytes, (byte) => ['stdout', Buffer.from([byte])] as const));

  expect(whole).toContain('✗ adds');
  expect([...new Set([...split, single])]).toEqual([whole]);
});

test.each([
  ['an error of another script is sure', '> web@1.0.0 build', SEVERITY.thrown],
  ['another one is expected', 'retried', SEVERITY.mentioned],
])('before a task that passed, %s', (_, below, severity) => {
  const [failure] = condensed(`SyntaxError: Unexpected end\n\n${below}\n\n✔ build web\n`).failures;

  expect(failure?.severity).toBe(severity);
});

describe('the end of a long output with a sure failure', () => {
  const steps = (n: number) => many(n, (i) => `${i} ${'step '.repeat(i % 7)}`);
  const before = `${steps(1500)}\nsrc/a.c:3:5: error: 'depth_of' undeclared\n\n${steps(20)}\n`;
  const last = 'output was saved\nshutting down';

  test.each([
    ['the files that were written', '[Utils] Directory test-output exists: true'],
    ['what the program went on with', 'writer 1: 39'],
  ])('has no line that is about something else: %s', (_, line) => {
    expect(of(`${before}${line}\n${last}\n`)).not.toContain(line);
  });

  test.each([
    ['names what the failure names', 'wrote the report of depth_of'],
    ['says what is not shown', 'Diagnostics not shown: 30.'],
    ['has the status of a request', '[404] GET /team'],
    ['is one of the last two', 'shutting down'],
  ])('has a line that %s', (_, line) => {
    expect(of(`${before}${line}\n${last}\n`)).toContain(line);
  });
});

test('what tests have logged above the counts of a run is no heading of what is below them', () => {
  const log = 'prisma:query SELECT id, email, role FROM users WHERE id = $1';
  const output = `> mocha\n\n  users\n${many(300, (i) => `${log}\n      ✔ reads user ${i}`)}\n\n  300 passing (2s)\n  1 failing\n\n  1) users\n       counts the members:\n\n      AssertionError: expected 196 to equal 224\n\n      at Context.<anonymous> (test/users.test.js:11:100)\n`;

  expect(of(output)).not.toContain(log);
});

test('what a passed test has logged right above the counts is no end of the run', () => {
  const output = `${many(300, (i) => `query SELECT * FROM users WHERE id = ${i}\n    ✔ reads user ${i}`)}\nquery COMMIT\n\n  300 passing (2s)\n  1 failing\n\n  1) counts the users:\n\n      AssertionError: expected 196 to equal 224\n\n      at Context.<anonymous> (test/users.test.js:11:100)\n`;

  expect(of(output)).not.toMatch(/query COMMIT|SELECT/);
});

test('below a failed test, those of its suite that passed leave the rest of it there', () => {
  const output = `${many(300, (i) => `✔ counts ${i}`)}\n✗ cart\n    ✔ is empty\n    ✔ has a lamp\n    expected 3 lamps\n`;

  expect(of(output)).toContain('expected 3 lamps');
});

test('the count of errors is shown above that of warnings', () => {
  const errors = many(
    2,
    (i) => `src/Cart${i}.java:${i + 3}: error: cannot find symbol\n  symbol: method total()`,
  );
  const warnings = many(56, (i) => `src/Order${i}.java:6: warning: [serial] class ${word(i)} has no version`);

  expect(of(`${errors}\n${warnings}\n2 errors\n56 warnings\n`)).toContain('2 errors\n56 warnings');
});
