import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import {
  withoutAttempts,
  withoutRepeats,
  withoutRetries,
} from '../../../../src/diagnostics/failures/repeats.ts';
import { withoutRepeatedHeadlines } from '../../../../src/diagnostics/fold/failure-names.ts';
import { condensed } from '../../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const LONG = Array.from({ length: 800 }, (_, i) => `step ${i} of 800 is done`).join('\n');

const ASSERTION = `    def test_burst():
>       assert run(20) == {"passed": 300}
E       AssertionError: assert {'passed': 299} == {'passed': 300}
E         Differing items:
E         {'passed': 299} != {'passed': 300}
E         Full diff:
E         - {'passed': 300}
E         + {'passed': 299}`;
const SUMMARY = `FAILED tests/test_sim.py::test_burst - AssertionError: assert {'passed': 299} == {'passed': 300}
  Differing items:
  {'passed': 299} != {'passed': 300}
  Full diff:
  - {'passed': 300}
  + {'passed': 299}`;
const TRACE = `Error: filter not found: isoDate
    at Environment.getFilter (src/environment.js:172:13)
    at Template.render (src/environment.js:454:10)
    at Build.render (src/build.js:9:4)`;

const JAVAC = ['7', '12']
  .map(
    (line) =>
      `src/Shop${line}.java:${line}: error: cannot find symbol\n    return orders${line}.of(1);\n           ^\n  symbol:   variable orders${line}\n  location: class Shop${line}\n`,
  )
  .join('');
/** The lines of a step of a container's build. */
const inStep = (time: number, lines: string) => lines.replace(/^(?=.)/gm, `#9 ${time} `);

test.each([
  [
    'what a summary says below the name of a failed test',
    `____ test_burst ____\n${ASSERTION}\n\ntests/test_sim.py:19: AssertionError\n==== short test summary info ====\n${SUMMARY}\n==== 1 failed in 2.93s ====`,
    /Differing items/g,
    'FAILED tests/test_sim.py::test_burst\n',
  ],
  [
    'the stack of an error that another heading has too',
    `Problem writing templates:\n${TRACE}\nWrote 0 files\nFatal Error (CLI):\n${TRACE}`,
    /src\/build\.js:9:4/g,
    'Fatal Error (CLI):\nError: filter not found: isoDate\n    at Environment.getFilter (src/environment.js:172:13)',
  ],
  [
    'what a build tool indents in its summary, in a step of a container with times',
    inStep(1.5, `> Task :compile\n${JAVAC}2 errors\n`) +
      inStep(1.7, `Task ':compile' failed:\n${JAVAC.replace(/^/gm, '  ')}`),
    /symbol: {3}variable orders12/g,
    "Task ':compile' failed:",
  ],
  [
    'an error that a build tool puts into its summary, with a tag before each line',
    `[ERROR] /p/src/Rule.java:[3,31] cannot find symbol\n  symbol: class Rule of the shop\n[ERROR] /p/src/Price.java:[12,30] cannot find symbol\n  symbol:   method intVal()\n[INFO] 2 errors\n[ERROR] Failed to execute goal compile on project shop: Compilation failure\n[ERROR] /p/src/Rule.java:[3,31] cannot find symbol\n[ERROR]   symbol: class Rule of the shop\n[ERROR] /p/src/Price.java:[12,30] cannot find symbol\n[ERROR]   symbol:   method intVal()\n`,
    /class Rule of/g,
    '[ERROR] /p/src/Rule.java:[3,31] cannot find symbol\n  symbol: class Rule of the shop\n',
  ],
])('%s is shown once', (_, output, repeated, kept) => {
  for (const text of [output, `${LONG}\n${output}`]) {
    const shown = excerpt(text);

    expect(shown.match(repeated)).toHaveLength(1);
    expect(shown).toContain(kept);
  }
});

const FRAME = `   |
13 |     function rate() public view returns (uint8) { return 300; }
   |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
Note: Overridden function is here`;

test.each([
  [
    'the place of an error that is not in its headline',
    `TypeError: "override" is missing.\n  --> src/Token.sol:13:5:\n${FRAME}\n\nTypeError: Return types differ.\n  --> src/Token.sol:13:5:\n${FRAME}\n`,
    'TypeError: Return types differ.\n  --> src/Token.sol:13:5:',
  ],
  [
    'what leads to something new',
    `✗ reads LU\n${TRACE}\n    with the code LU\n✗ reads XX\n${TRACE}\n    with the code XX\n`,
    // But the callers.
    `✗ reads XX\n${TRACE.split('\n').slice(0, 2).join('\n')}\n    with the code XX`,
  ],
  [
    'a pointer to another column',
    `error: invalid value\n  ┌─ c9.toml:3:15\n3 │ version = 0.1.0\n  │      ^ expected new line\nerror: invalid value\n  ┌─ c9.toml:3:19\n3 │ version = 0.1.0\n  │               ^ expected new line\n`,
    '  │               ^ expected new line',
  ],
  [
    'two lines',
    'left: 1 of the shop\nright: 2 of the shop\n---\nleft: 1 of the shop\nright: 2 of the shop\n',
    '---\nleft',
  ],
])('%s is shown again', (_, output, kept) => {
  expect(excerpt(output)).toContain(kept);
});

test('the package that threw the errors of several tests is shown once', () => {
  const failed = (name: string) =>
    `${name}\n     TypeError: withResolvers is not a function\n      at new Socket (/p/node_modules/nock/net.js:421:36)\n      at mock (/p/node_modules/nock/mock.js:4:3)\n`;
  const shown = excerpt(`${failed('1) reads LU')}\n${failed('2) reads XX')}`);

  expect(shown.match(/nock\/net\.js/g)).toHaveLength(1);
  expect(shown.match(/withResolvers is not/g)).toHaveLength(2);
});

const failed = (name: string, reason: string, below = '') => `  ✗ ${name}\n    Error: ${reason}\n${below}\n`;
const REFUSED = 'the browser was not found at /opt/browser';

test('what made several tests fail is shown once, with their number', () => {
  const shown = excerpt(
    failed('adds', REFUSED, '      at src/cart.test.js:3:5\n') +
      failed('pays', REFUSED, '      at src/cart.test.js:9:5\n') +
      failed('counts', REFUSED),
  );

  expect(shown.match(/the browser was not found/g)).toHaveLength(1);
  expect(shown).toContain(`${REFUSED} (×3)`);
  for (const text of ['✗ adds', '✗ pays', 'cart.test.js:9:5', '✗ counts']) expect(shown).toContain(text);
});

test('what made two tests fail is shown with their number where only one of them says it', () => {
  const code = '      at src/cart.test.js:3:5\n'.repeat(3);
  const shown = excerpt(
    `${failed('adds', REFUSED, code)}${'✓ counts\n'.repeat(400)}${failed('pays', REFUSED, code)}${'x\n'.repeat(400)}`,
  );

  expect(shown.match(/the browser was not found/g)).toHaveLength(1);
  expect(shown).toContain(`${REFUSED} (×2)`);
});

test.each([
  ['two tests fail', failed('adds', REFUSED) + failed('pays', REFUSED), 2],
  [
    'more is said of each',
    failed('adds', REFUSED) +
      failed('pays', REFUSED, '    of Ada\n') +
      failed('counts', REFUSED, '    of Bo\n'),
    3,
  ],
])('why tests failed is shown of each where %s', (_, output, times) => {
  expect(excerpt(output).match(/the browser was not found/g)).toHaveLength(times);
});

const attempt = (seconds: number, value: string) =>
  `running the suite of the shop\nFAIL src/cart.test.ts\n  expected ${value} to be 3\n1 failed, took ${seconds} s of 90 s\n`;
const AGAIN = 'The command "npm test" failed. Retrying, 2 of 3.\n';

test('what a further attempt prints again is left out, also with other numbers', () => {
  const lines = `${attempt(12, '2')}${AGAIN}${attempt(17, '2')}${AGAIN.replace('2', '3')}${attempt(14, '2')}`
    .split('\n')
    .map((text, at) => ({ at, text }));

  expect(withoutRetries(lines).map(({ text }) => text)).toEqual([
    ...`${attempt(12, '2')}${AGAIN}`.split('\n'),
  ]);
});

test('what a further attempt prints of another value is shown', () => {
  const lines = `${attempt(12, '2')}${AGAIN}${attempt(17, '4')}`
    .split('\n')
    .map((text, at) => ({ at, text }));

  expect(withoutRetries(lines).map(({ text }) => text)).toContain('  expected 4 to be 3');
});

test('without a further attempt, lines with other numbers are shown', () => {
  const lines = `${attempt(12, '2')}${attempt(17, '2')}`.split('\n').map((text, at) => ({ at, text }));

  expect(withoutRetries(lines)).toEqual(lines);
});

test('what a second attempt prints again below a first one is left out', () => {
  const printed = [
    'GET /bread (attempt 1 of 2)',
    'no bread: 502',
    'GET /bread (attempt 2 of 2)',
    'no bread: 503',
  ];
  const lines = printed.map((text, at) => ({ at, text }));

  expect(withoutRetries(lines).map(({ at }) => at)).toEqual([0, 1]);
});

test('what is printed below a first attempt that no other one follows is no repetition', () => {
  const lines = [
    'client: GET /bread -> 502 (attempt 1 of 1)',
    '  items: [ { label: rye, grams: 10 } ]',
    '} to equal {',
    '  items: [ { label: rye, grams: 11 } ]',
  ].map((text, at) => ({ at, text }));

  expect(withoutRetries(lines)).toEqual(lines);
});

test('a headline is shown again only if something is shown below it', () => {
  const blocks = condensed('✗ adds\n').failures.map(({ block }) => block);
  const lines = [
    { at: 0, text: '✗ adds' },
    { at: 5, text: '✗ adds' },
    { at: 9, text: '✗ adds' },
    { at: 10, text: '  expected 3' },
  ];

  expect(withoutRepeatedHeadlines(lines, blocks).map(({ at }) => at)).toEqual([0, 9, 10]);
});

test('the heading of another error with the same headline is shown', () => {
  const output = 'error: invalid value\n  a.toml: no number\nerror: invalid value\n  b.toml: no date';

  expect(excerpt(output)).toBe(output);
});

const ADVISED = 'error: x is declared but never used\n  help: remove the declaration';

test('advice is shown once', () => {
  const shown = excerpt(`a.js:3:5: ${ADVISED}\n\nb.js:7:1: ${ADVISED}`);

  expect(shown.match(/help:/g)).toHaveLength(1);
  expect(shown.match(/never used/g)).toHaveLength(2);
});

test.each([
  ['goes on with source', `a.js:3:5: ${ADVISED}\n  |\n3 - let x;\n\nb.js:7:1: ${ADVISED}\n  |\n7 - let x;`],
  ['names a place', 'a.c:3:5: error: x\nh.h:1:1: note: here\na.c:7:5: error: y\nh.h:1:1: note: here'],
])('advice is shown again if it %s', (_, output) => {
  expect(excerpt(output)).toBe(output.replaceAll('  |\n', ''));
});

test('possible solutions are shown once, although each print has its own error', () => {
  const solutions =
    'Potential solutions:\n- Is OrdersModule a valid module?\n- Is "LEDGER" a part of OrdersModule?\n- Is "LEDGER" exported from a module?';
  const shown = excerpt(
    `[app] 7:51 ERROR no provider of LEDGER\n\n${solutions}\n\nError: no provider of LEDGER\n\n${solutions}\n\n    at src/main.ts:3:5`,
  );

  expect(shown.match(/a valid module/g)).toHaveLength(1);
  expect(shown).toContain('\nError: no provider of LEDGER\n');
});

const linesAt = (texts: readonly (readonly [at: number, text: string])[]) =>
  texts.map(([at, text]) => ({ at, text }));
const FIRST = [0, '    Error Context: results/adds/error-context.md'] as const;

test('what two failures have in common is shown once, also if each names a file with more about it', () => {
  const failed = (name: string) =>
    `  1) a.spec.js:5:3 › ${name}\n\n    Error: no browser at /home/dev/browser\n    | It was just installed. |\n    | Run this to download it: |\n    | npx browser install |\n\n    Error Context: results/${name.length}/context.md\n`;
  const shown = excerpt(`${failed('has a title')}\n${failed('sums up')}`);

  expect(shown.match(/npx browser install/g)).toHaveLength(1);
  expect(shown.match(/no browser at/g)).toHaveLength(2);
  expect(shown.match(/results\/.*\.md/g)).toHaveLength(1);
});

test('a further attempt that says nothing of its own is left out', () => {
  const lines = linesAt([FIRST, [2, '    Retry #1 ─────'], [40, '  1 failed']]);

  expect(withoutAttempts(lines)).toEqual(linesAt([FIRST, [40, '  1 failed']]));
});

test.each([
  { of: 'an error of its own', at: 4, text: '    Error: boom' },
  { of: 'a file of its own', at: 4, text: '    Trace: results/adds-retry1/trace.zip' },
])('a further attempt with $of is shown', ({ at, text }) => {
  const lines = linesAt([FIRST, [2, '    Retry #1 ─────'], [at, text]]);

  expect(withoutAttempts(lines)).toEqual(lines);
});

test('what is printed again is left out, also if a program goes on below', () => {
  const printed =
    '==1== Lock at 0x10 was first observed\n==1==    by 0x11: deposit (bank.c:5)\n==1==  Address 0x10 is inside "accounts"';
  const error = (n: number) => `==1== Possible data race number ${n} of size 8: error\n`;
  const shown = excerpt(`${error(1)}${printed}\n${error(2)}${printed}\nworker 0 has done its part\n`);

  expect(shown.match(/was first observed/g)).toHaveLength(1);
});

test('what made several tests fail is shown once, with the place that they have in common', () => {
  const failed = (n: number) =>
    `  ● page ${n} looks right\n\n    Error: Could not find Chrome\n\n      at Object.launch (tests/shots.test.js:3:35)\n`;
  const lines = excerpt(`${LONG}\nFAIL tests/shots.test.js\n${[1, 2, 3].map(failed).join('\n')}`).split('\n');

  expect(lines.filter((line) => line.includes('shots.test.js:3:35'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('looks right'))).toHaveLength(3);
});

describe('tests that failed for one reason', () => {
  const test1 = (name: string, line: number, reason = 'SyntaxError: Unexpected token in cookie.js') =>
    `  ● api › ${name}\n\n    ${reason}\n\n      at Object.<anonymous> (test/api.test.ts:${line}:7)\n`;
  const others = Array.from({ length: 30 }, (_, i) =>
    test1(`answers ${'abcdefghij'[i % 10]?.repeat(i + 1)}`, i + 9),
  ).join('\n');
  const diff = `  ● cart › adds the costs\n\n    expect(received).toEqual(expected)\n\n    -   "total": 702,\n    +   "total": 726,\n\n      at test/cart.test.ts:14:35\n`;
  const shown = excerpt(`${test1('creates', 3)}\n${others}\n${diff}`);

  test('show it once, with their number', () => {
    expect(shown.split('\n').filter((line) => line.includes('SyntaxError'))).toEqual([
      '    SyntaxError: Unexpected token in cookie.js (×31)',
    ]);
  });

  test('leave the space to a test that failed for another one', () => {
    for (const line of [
      '● cart › adds the costs',
      '-   "total": 702,',
      '+   "total": 726,',
      'cart.test.ts:14:35',
    ])
      expect(shown).toContain(line);
  });

  test('are named, without a mark of what the first one says', () => {
    expect(shown).toContain(
      '  ● api › answers a\n      at Object.<anonymous> (test/api.test.ts:9:7)\n  ● api › answers bb\n',
    );
  });
});

test('what a test says in other words than the first one with its reason is shown', () => {
  const failed = (name: string, line: number) =>
    `  ● ${name}\n\n    expected 200 "OK", got 500 "Internal Server Error"\n\n      at Object.<anonymous> (test/api.test.ts:${line}:7)\n`;
  const shown = excerpt(`${LONG}\n${failed('creates', 3)}\n${failed('lists', 9)}`);

  expect(shown).toContain('test/api.test.ts:3:7');
  expect(shown).toContain('● lists\n      at Object.<anonymous> (test/api.test.ts:9:7)');
});

test('what a further attempt of a test prints again is left out, though it asks for other things', () => {
  const attempt = (cart: number) =>
    `    Error: checkout answers OK\n\n    expect(response).toBeOK() failed\n\n    Call log:\n    → POST http://127.0.0.1:4179/carts/c${cart}/checkout\n      content-type: application/json\n    ← 500 Internal Server Error\n\n        at tests/checkout.spec.ts:21:44\n\n`;
  const shown = excerpt(
    `  1) tests/checkout.spec.ts:18:3 › checkout › pays ───\n\n${attempt(18)}    Retry #1 ───\n\n${attempt(19)}    Retry #2 ───\n\n${attempt(20)}  1 failed\n`,
  );

  expect(shown).toContain('carts/c18/checkout');
  expect(excerpt(`${attempt(18)}${attempt(19)}`)).toContain('carts/c19/checkout');
  const lines = (text: string) => text.split('\n').map((line, at) => ({ at, text: line }));
  expect(
    withoutRepeats(
      lines(
        `  1) a.spec.ts:8:3 › pays ───\n\n${attempt(18)}    Retry #1 ───\n\n${attempt(19)}  2) a.spec.ts:30:3 › pays twice ───\n\n${attempt(21)}  2 failed\n`,
      ),
    )
      .map(({ text }) => text)
      .join('\n'),
  ).toContain('carts/c21/checkout');
  expect(shown).not.toMatch(/Retry|carts\/c19|carts\/c20/);
});
