import { expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
/** More than is kept of an output that is known whole. */
const PASSED = Array.from(
  { length: 300 },
  (_, i) => `=== RUN   TestItem${i}\n--- PASS: TestItem${i} (0.00s)`,
);
/** So many lines that look like no other that none is shown for that. */
const varied = (sign: string) => Array.from({ length: 40 }, (_, i) => `item${`${sign} a`.repeat(i)}`);
const ERROR = 'cart_test.go:7:2: error: undefined: total';
const DIFF = ['mug: 3', 'cap: 1', '-- tee: 5', '+- tee: 4'];

test.each<[string, readonly string[]]>([
  [
    'above it, where a runner prints what a test has printed before its name',
    [
      '=== RUN   TestWeek',
      '    mismatch:',
      ...DIFF.map((line) => `       ${line}`),
      '       ',
      '--- FAIL: TestWeek (0.00s)',
      '=== RUN   TestMonth',
    ],
  ],
  [
    'below it, up to the next ruler',
    ['3/4 codec / script      FAIL            0.02s', '――――― ✀ ―――――', ...DIFF, '――――――――'],
  ],
  [
    'below it, behind a ruler, although another line is right above it',
    [
      'codec / hang timed out (After 2 seconds)',
      '4/4 codec / hang   TIMEOUT         2.01s   killed by signal 15 SIGTERM',
      '――――― ✀ ―――――',
      ...DIFF,
      '――――――――',
    ],
  ],
])('of a failed test that says nothing, the lines next to its name are shown: %s', (_, printed) => {
  const shown = excerpt(
    [...PASSED, ...varied(','), ERROR, '', ...printed, '', ...varied(';'), ...PASSED, 'FAIL'].join('\n'),
  );

  expect(DIFF.filter((line) => !shown.includes(line))).toEqual([]);
  expect(shown).not.toContain('TestItem');
});

test('of a failed test that says why, the lines next to its name are not shown', () => {
  const printed = [
    '=== RUN   TestWeek',
    'opened cart-db',
    'opened mail-db',
    'has 3 carts',
    'has 4 mails',
    '--- FAIL: TestWeek (0.00s)',
    '    week_test.go:9: want 5, got 4',
  ];

  expect(
    excerpt([...PASSED, ...varied(','), ERROR, '', ...printed, ...varied(';'), ...PASSED].join('\n')),
  ).not.toContain('3 carts');
});

test.each([
  [
    'the exception right below it',
    ['2) adds', 'java.lang.AssertionError: boom', '    at shop.Cart.add(Cart.java:3)'],
  ],
  ['nothing below it', ['2) adds']],
])('what has called a runner is not shown above a failed test that has %s', (_, printed) => {
  const frames = ['run', 'evaluate', 'main'].map((name) => `    at org.junit.Runner.${name}(Runner.java:3)`);
  const shown = excerpt(
    [...varied(','), '1) drops', 'java.lang.AssertionError: bang', ...frames, ...printed].join('\n'),
  );

  expect(shown).toContain('2) adds');
  expect(shown).not.toContain('org.junit');
});

test.each([
  [
    'a test of it says why it failed',
    ['ok  \ta\t0.1s', '--- FAIL: TestWeek (0.00s)', '    week_test.go:9: want 5'],
    false,
  ],
  ['no test says why it failed', ['ok  \ta\t0.1s'], true],
  [
    'a test of another package has failed',
    ['--- FAIL: TestWeek (0.00s)', '    week_test.go:9: want 5', 'FAIL\ta\t0.1s'],
    true,
  ],
  ['an error is above a package that passed', ['a.go:9:3: undefined: b', 'ok  \ta\t0.1s'], true],
])(
  'the line above the verdict of a package of Go is shown only if nothing else says why: %s',
  (_, above, isShown) => {
    const passed = PASSED.slice(0, 80);
    const rows = Array.from({ length: 8 }, (_, i) => `2026/11/27 19:16:15 manifest: row ${i} is open`);
    const shown = excerpt([...passed, ...above, ...rows, 'FAIL\tmanifest\t0.006s', ...passed].join('\n'));

    expect(shown).toContain('FAIL\tmanifest');
    expect(shown.includes('row 7')).toBe(isShown);
  },
);

test('of a failed test that a list at the end has again, the lines next to its name are not shown', () => {
  const next = ['tram:db opens', 'tram:db migrates', 'tram:db is ready'];
  const end = [
    '  1) Notes',
    '       keeps the order:',
    '',
    '      AssertionError: expected 500 to equal 201',
  ];
  const shown = excerpt(
    [
      ...PASSED,
      ...varied(','),
      '    1) keeps the order',
      ...next,
      ...varied(';'),
      '  1 failing',
      '',
      ...end,
    ].join('\n'),
  );

  expect(shown).not.toContain('tram:db');
  expect(shown).toContain('expected 500 to equal 201');
});

test('the name of a hook that failed is shown once, where the list at the end says why', () => {
  const hook = '"before all" hook for "lists trams"';
  const end = [
    '  1) Trams',
    `       ${hook}:`,
    '     Error: no db',
    '      at Context.<anonymous> (a.js:3:5)',
  ];
  const shown = excerpt(
    [...PASSED, '  Trams', `    1) ${hook}`, ...varied(','), ...varied(';'), '  1 failing', '', ...end].join(
      '\n',
    ),
  );

  expect(shown.split(hook)).toHaveLength(2);
  expect(shown).toContain('Error: no db');
});

test('the number of a test in a run that has ended says nothing of a test in the next one', () => {
  const list = [
    '  1 failing',
    '',
    '  1) Trams',
    '       leaves on time:',
    '     Error: late',
    '      at a.js:3:5',
  ];
  const shown = excerpt(
    [...PASSED, ...list, '', '> mocha notes', ...PASSED, '    1) keeps the order'].join('\n'),
  );

  expect(shown).toContain('1) keeps the order');
});

test('what is less deep than the name of a failed test is no part of it', () => {
  const shown = excerpt(
    [...PASSED, '    ✗ keeps the order', '      expected 500', 'opened cart-db', ...varied(';'), 'FAIL'].join(
      '\n',
    ),
  );

  expect(shown).toContain('      expected 500');
  expect(shown).not.toContain('cart-db');
});
