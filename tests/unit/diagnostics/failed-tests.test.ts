import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../src/diagnostics/excerpt.ts';
import { SEVERITY } from '../../../src/diagnostics/lines/rules.ts';
import { condensed } from '../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const PASSED = Array.from({ length: 200 }, (_, i) => `ok ${i} - adds ${i}`).join('\n');

test('the name of a failed test is below what went wrong, and not in the list at the end', () => {
  const failed = (i: number) =>
    `error: expect(received).toBe(expected)\n\nExpected: ${i}\nReceived: 0\n\n      at a (/p/cart.test.ts:${i}:24)\n(fail) cart > adds ${i} [1.02ms]`;
  const passed = Array.from({ length: 40 }, (_, i) => `(pass) cart > removes ${i} [0.01ms]`).join('\n');
  const list = '(fail) cart > adds 1 [1.02ms]\n(fail) cart > adds 2 [1.02ms]\n\n 40 pass\n 2 fail';
  const shown = excerpt(`${failed(1)}\n${passed}\n${failed(2)}\n${passed}\n\n2 tests failed:\n${list}\n`);

  for (const name of ['adds 1', 'adds 2']) expect(shown.split(name)).toHaveLength(2);
  expect(shown).toMatch(/cart\.test\.ts:2:24\)\n\(fail\) cart > adds 2/);
});

test.each([
  ['which only the list at the end names', 'src/cart.mjs:7:26', true],
  ['which its stack has, too, stays where it was', 'test/cart.test.mjs:12:9', false],
])('a failed test that is printed again has the file of the test, %s', (_, place, isLast) => {
  const failed = `✖ counts the lamps (1.2ms)\n  TypeError [Error]: rows is not iterable\n      at count (file:///p/${place})`;
  const shown = excerpt(
    `${PASSED}\n${failed}\n${PASSED}\nℹ fail 1\n\n✖ failing tests:\n\ntest at test/cart.test.mjs:11:3\n${failed}\n`,
  );

  expect(shown.split('rows is not iterable')).toHaveLength(2);
  expect(shown.indexOf('rows is not iterable') > shown.indexOf('fail 1')).toBe(isLast);
  expect(shown.includes('test at test/cart.test.mjs:11:3\n✖ counts')).toBe(isLast);
});

test('a step of a scenario that failed is shown below the steps before it, not the hooks', () => {
  const scenario = [
    '1) Scenario: Weekend pay # features/pay.feature:27',
    '   ✔ Before # features/world.ts:23',
    '   ✔ Given "Bryn" works Sunday from 10:00 to 16:00 # features/steps.ts:5',
    '   ✖ Then the pay is 14760 # features/steps.ts:48',
    '       AssertionError: 12300 !== 14760',
    '   ✔ After # features/world.ts:27',
  ].join('\n');
  const shown = excerpt(`Failures:\n\n${scenario}\n\n31 scenarios (1 failed, 30 passed)\n`);

  expect(shown).toContain('✔ Given "Bryn" works Sunday');
  expect(shown).not.toContain('features/world.ts');
});

describe('a failed test of GoogleTest that CTest has run', () => {
  const test12 = (number: number, name: string, ...assertion: string[]) =>
    [
      ` ${number}/12 Test  #${number}: Cart.${name} ...........................***Failed    0.00 sec`,
      'Running main() from ./googletest/src/gtest_main.cc',
      '[==========] Running 1 test from 1 test suite.',
      `[ RUN      ] Cart.${name}`,
      ...assertion,
      `[  FAILED  ] Cart.${name} (0 ms)`,
      '[----------] Global test environment tear-down',
      '[  PASSED  ] 0 tests.',
      '[  FAILED  ] 1 test, listed below:',
      `[  FAILED  ] Cart.${name}`,
      '',
      ' 1 FAILED TEST',
      '',
      `      Start  ${number + 1}: Cart.Next`,
    ].join('\n');
  const passed = Array.from(
    { length: 200 },
    (_, i) => `${i + 4}/203 Test #${i + 4}: Cart.Is${i} ........   Passed    0.00 sec`,
  );
  const near = [
    'The difference between 1.0 and 2.0 is 1, which exceeds 0.1, where',
    '1.0 evaluates to 1,',
    '2.0 evaluates to 2, and',
    '0.1 evaluates to 0.1.',
    'rate of row 4',
  ];
  const shown = excerpt(
    [
      test12(1, 'Adds', '/p/a_test.cpp:14: Failure', ...near),
      test12(2, 'Removes', 'unknown file: Failure', 'C++ exception with description "no item 7" thrown'),
      test12(3, 'Totals', '/p/a_test.cpp:7: Failure', 'Failed', 'total not computed'),
      ...passed,
    ].join('\n'),
  );

  test.each(['Adds', 'Removes', 'Totals'])('is named: %s', (name) => {
    expect(shown).toContain(`Cart.${name} ....`);
  });

  test('has all that its assertion says', () => {
    expect(shown).toContain(near.join('\n'));
    expect(shown).toContain('/p/a_test.cpp:7: Failure\nFailed\ntotal not computed');
  });
});

test('what a test has logged as a comment in TAP is not shown if it has passed, also before a suite that has failed', () => {
  const logged = '# shop: Error: ENOENT, scandir nowhere\n#     at async walk (file:///p/crawl.js:7:24)';
  const failed =
    '    not ok 2 - is broken\n      ---\n      error: |-\n        2 !== 1\n      ...\nnot ok 2 - shop check';
  const passed = (i: number) => `    # Subtest: adds ${i}\n    ok ${i} - adds ${i}`;
  const many = Array.from({ length: 200 }, (_, i) => passed(i)).join('\n');
  const [crashes, ends] = ['    # Subtest: crashes\n    ok 6 - crashes', '    1..6'];

  expect(excerpt(`${many}\n${logged}\n${crashes}\n${ends}\n${failed}\n`)).not.toContain('crawl.js');
  expect(excerpt(`${many}\n${logged}\n${ends}\n${failed}\n`)).toContain('crawl.js');
});

test('what a failed test says while the tests run is left out if it is said again at the end', () => {
  const message = 'expect(element).toHaveTextContent()\n\nExpected element to have text content:\n  2 of 3';
  const state = ` ❯ a.test.tsx (4 tests | 1 failed) 299ms\n   × List > narrows 93ms\n     → ${message}\n`;
  const many = Array.from({ length: 90 }, (_, i) => ` ✓ b${i}.test.tsx (4 tests) 299ms`).join('\n');
  const end = ` FAIL  a.test.tsx > List > narrows\nError: ${message}\n ❯ a.test.tsx:15:19\n`;

  expect(excerpt(`${state}${many}\n${end}`).split('2 of 3')).toHaveLength(2);
  expect(excerpt(`${state}${many}\n${end.replace('2 of 3', '…')}`)).toContain('2 of 3');
});

test('a test of Perl that is still to be done is not shown, nor what it expected', () => {
  const toDo = [
    'not ok 9 - southern summer # TODO the southern garden',
    "#   Failed (TODO) test 'southern summer'",
    '#   at t/30-season.t line 10.',
    "#          got: 'winter'",
    "#     expected: 'summer'",
  ].join('\n');
  const failed = "#   Failed test 'imperial'\n#   at t/10-parser.t line 12.\n#          got: '24.5'";
  const shown = excerpt(`${PASSED}\n${toDo}\n1..9\nok\n${PASSED}\n${failed}\nnot ok 10 - imperial\n`);

  expect(shown).not.toMatch(/TODO|winter|summer/);
  expect(shown).toContain(failed);
});

test('a request that a server has logged is no heading of the test below it', () => {
  const { failures } = condensed('  bookings\nPOST /bookings 400 6.942 ms\n    ✖ confirms\n');

  expect(failures[0]?.block.lines.map(({ text }) => text)).toEqual(['  bookings', '    ✖ confirms']);
});

test('an error that no test of Vitest has caught has its heading, and where it has come from', () => {
  const heading = '⎯⎯⎯⎯ Unhandled Rejection ⎯⎯⎯⎯⎯';
  const origin = 'This error originated in "src/Banner.test.tsx" test file. It doesn\'t mean';
  const { failures } = condensed(
    `⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[5/5]⎯\n\n${heading}\nTypeError: no map\n ❯ load src/weather.ts:5:20\n\n${origin}\n`,
  );

  expect(failures[0]?.block.lines.map(({ text }) => text).filter(Boolean)).toEqual([
    heading,
    'TypeError: no map',
    ' ❯ load src/weather.ts:5:20',
    origin,
  ]);
});

test('what ReScript says below a title is one failure, up to the next title', () => {
  const fault = (file: string, message: string) =>
    `  We've found a bug for you!\n  /p/src/${file}.res:10:47-60\n\n   9 │ \n  10 │ let f = v => v.name\n\n  ${message}\n\n\n`;
  const { failures } = condensed(
    `${fault('Export', 'This has type: int')}  Warning number 26\n  /p/src/Vessel.res:22:7\n\n  unused variable now.\n\n\n${fault('Ledger', 'The module Csv cannot be found.')}`,
  );

  expect(failures.map(({ block }) => block.lines.at(-1)?.text.trim())).toEqual([
    'This has type: int',
    'unused variable now.',
    'The module Csv cannot be found.',
  ]);
  expect(failures.map(({ severity }) => severity)).toEqual([
    SEVERITY.located,
    SEVERITY.warning,
    SEVERITY.located,
  ]);
});

test('an error of GNAT is below the name of its file', () => {
  const { failures } = condensed(
    'Compiling: /p/src/berths.adb\nCompiled at: 2026-11-28 11:41:42\n\n    23.             B.Taken := 1;\n                               |\n        >>> error: expected type "Boolean"\n',
  );

  expect(failures[0]?.block.lines[0]?.text).toBe('Compiling: /p/src/berths.adb');
});

const TASK_OF_ANSIBLE = 'TASK [Check the ports] *********************************';

test('an error that a task of Ansible may have is not shown, nor the values of hosts without one', () => {
  const value = (host: string) =>
    `ok: [${host}] => {\n    "probe": {\n        "failed": false,\n        "rc": 1,\n        "stderr": "cat: /srv/${host}.json: No such file or directory"\n    }\n}\n`;
  const shown = excerpt(
    `TASK [Try the old probe] *****\nfatal: [web01]: FAILED! => {"changed": false, "msg": "non-zero return code"}\n...ignoring\n\nTASK [Show what it says] *****\n${['a', 'b', 'c', 'd'].map(value).join('')}\n${TASK_OF_ANSIBLE}\nfatal: [web02]: FAILED! => {"assertion": "port < 4095", "msg": "Assertion failed"}\nok: [e]\n`,
  );

  expect(shown).toContain(
    'fatal: [web02]: FAILED! => {"assertion": "port < 4095", "msg": "Assertion failed"}',
  );
  expect(shown).toContain('TASK [Check the ports]');
  expect(shown).not.toMatch(/web01|ignoring|probe|No such file/);
});

test('a test of TAP that is still to be done is not shown with the block below it', () => {
  const record = (title: string, message: string) =>
    `not ok 9 ${title}\n  ---\n  message: ${message}\n  actual  : false\n  stack: |\n        at Object.<anonymous> (file:///p/test/a.test.js:12:77)\n  ...`;
  const shown = excerpt(
    `${PASSED}\n${record('Button > is a link # TODO', 'failed: no link')}\n${PASSED}\n${record('Badge > counts', 'no cap')}\n`,
  );

  expect(shown).not.toMatch(/link/);
  expect(shown).toContain('  message: no cap\n  actual  : false');
});

test.each([
  ['the end of its block is missing', '  message: failed: no link', ''],
  ['a subtest is below its block', '  message: failed: no link\n  ...', '    '],
])('a test that failed below one that is still to be done is shown where %s', (_, block, indent) => {
  const failed = ['not ok 10 - counts', '  ---', '  message: no cap', '  ...'].join(`\n${indent}`);
  const shown = excerpt(
    `${PASSED}\nnot ok 9 - is a link # TODO\n  ---\n${block}\n${indent}${failed}\n${PASSED}\n${PASSED}\n1..410\n# fail 1\n`,
  );

  expect(shown).toContain(`not ok 10 - counts\n${indent}  message: no cap`);
});

test('the title of a subtest that has passed is not shown, also behind a prefix', () => {
  const subtests = (name: string, result: string) =>
    `# Subtest: ${name}\n${result} 1 - ${name}\n  ---\n  duration_ms: 0.1\n  ...`;
  const output = [
    PASSED,
    subtests('fails without a command', 'ok'),
    subtests('adds', 'not ok'),
    PASSED.replaceAll('adds', 'pays'),
  ];
  const prefixed = output.join('\n').replace(/^/gm, 'packages/cli test: ');
  const shown = excerpt(`${PASSED.replace(/^/gm, 'packages/web test: ')}\n${prefixed}`);

  expect(shown).toContain('not ok 1 - adds');
  expect(shown).not.toContain('without a command');
});

test('a failed row of a scenario outline is below its own name', () => {
  const steps = (name: string) => `  ${name}\n    Given a shelf\n    When Ada borrows "Emma"\n`;
  const passed = Array.from({ length: 40 }, (_, i) => steps(`Scenario Outline: Loan -- @1.${i}`)).join('\n');
  const failed = `${steps('Scenario Outline: Periods -- @1.3')}      Assertion Failed: expected 9, got 16\n`;
  const shown = excerpt(
    `Feature: Loans\n${passed}\n  Scenario: All are out\n    Given a shelf\n${passed}\n${failed}\n`,
  );

  expect(shown).toContain('Scenario Outline: Periods -- @1.3');
  expect(shown).not.toContain('All are out');
});

test('of a step with a table, the steps are shown before the rows', () => {
  const rows = Array.from(
    { length: 60 },
    (_, i) => `       | 97801404491${i} | The Odyssey, part ${i} | ${i} |`,
  );
  const step = '   ✔ Given "Cleo" works Sunday # features/steps.ts:5';
  const scenario = `1) Scenario: Pay # features/pay.feature:27\n   ✔ Given the staff: # features/steps.ts:3\n${rows.join('\n')}\n${step}\n   ✖ Then the pay is 14 # features/steps.ts:48\n       AssertionError: 12 !== 14\n`;
  const others = Array.from({ length: 12 }, (_, i) =>
    scenario.replace('1)', `${i + 2})`).replace('12 !==', `${i} !==`),
  );

  expect(excerpt(`Failures:\n\n${scenario}\n${others.join('\n')}`)).toContain(step);
});

test('an example is shown above what it should have printed', () => {
  const example = '010     >>> moving_average([1, 2, 3, 4], 2)';
  const section = [
    '___ [doctest] stats.moving_average ___',
    '006 Mean over a window; shorter at the start.',
    '007 The window is trailing.',
    '008 It is used by the report.',
    '009 ',
    example,
    'Expected:\n    [1.0, 2.5]\nGot:\n    [1.0, 2.0]\n',
    '/p/stats.py:10: DocTestFailure',
  ].join('\n');

  expect(excerpt(`${PASSED}\n=== FAILURES ===\n${section}\n`)).toContain(`${example}\nExpected:`);
});

test('where a linter is called on the next file, what it said of the last one ends', () => {
  const call = (name: string) => `clang-tidy-14 --use-color -p=build /p/src/${name}.c`;
  const error =
    '/p/src/card.c:29:9: error: null pointer [core.NullDereference]\n    if (c->level > MAX) {\n        ^';
  const suppressed = (n: number) =>
    `${n} warnings generated.\nSuppressed ${n} warnings (${n} in non-user code).\n`;
  const calls = ['config', 'events', 'queue']
    .map((name, i) => `${call(name)}\n${suppressed(i + 419)}`)
    .join('');
  const shown = excerpt(
    `${PASSED}\n${call('card')}\n${error}\n${calls}\n${PASSED}\nmake: *** [lint] Error 1\n`,
  );

  expect(shown).toContain('card.c:29:9');
  expect(shown).not.toContain(call('config'));
});

test('a failed test of pytest is named above its error, also if the name has a word for a warning or an error', () => {
  const section = (name: string, at: number) =>
    `_______________ ${name} _______________\n\n    def ${name}(caplog):\n${'        check(limit)\n'.repeat(200)}>       assert warn(${at}) == []\nE       AssertionError: assert [${at}] == []\n\ntests/test_limits.py:${at}: AssertionError\n------------------------------ Captured log call -------------------------------\nINFO     limits:limits.py:19 checked ${at}`;
  const names = ['test_over', 'test_over_is_a_warning', 'test_far_over_is_an_error'];
  const sections = names.map((name, at) => section(name, 10 * at + 9));
  const shown = excerpt(`= FAILURES =\n${sections.join('\n')}\n= 3 failed, 60 passed in 0.12s =\n`);

  for (const [at, name] of names.entries())
    expect(shown).toMatch(
      new RegExp(`_ ${name} _(?:(?!___ )[^])*E +AssertionError: assert \\[${10 * at + 9}\\]`),
    );
});

test('of the values that the path to an error assumes, only null is shown', () => {
  const note = (at: number, value: string) =>
    `/p/src/a.c:${at}:7: note: Assuming '${value}\n    if (n)\n        ^`;
  const path = Array.from({ length: 40 }, (_, i) => note(i, `n' is ${i}`)).join('\n');
  const shown = excerpt(
    `${PASSED}\n/p/src/a.c:90:9: error: null pointer [core.NullDereference]\n${path}\n${note(80, "card' is null")}\n`,
  );

  expect(shown).toContain("80:7: note: Assuming 'card' is null");
  expect(shown).not.toContain("'n' is 3");
});

test.each([
  [
    'Leiningen',
    'lein test :only shop.cart-test/adds',
    '\nFAIL in (adds) (cart_test.clj:9)\nexpected: (= 3 2)\n',
  ],
  [
    'dune',
    'File "test/dune", line 2, characters 7-11:\n   cart alias test/runtest (exit 1)',
    'Fatal error: exception Stdlib.Exit\n',
  ],
])('the program or the test that %s names above what went wrong is shown with it', (_, title, failed) => {
  const shown = excerpt(`${PASSED}\n\n${title}\n${failed}${PASSED.replaceAll('adds', 'pays')}`);

  expect(shown).toContain(title.split('\n').at(-1));
});

test('how many warnings a linter could repair is not shown where a later command has failed', () => {
  const warnings =
    '/p/src/cart.js\n  3:1  warning  Unexpected console statement  no-console\n\n✖ 1 problem (0 errors, 1 warning)\n  0 errors and 1 warning potentially fixable with the `--fix` option.\n';
  const shown = excerpt(
    `${warnings}\n${PASSED}\nsrc/cart.ts(3,5): error TS2322: Type 'string' is not assignable.\n${PASSED}`,
  );

  expect(shown).toContain('TS2322');
  expect(shown).not.toContain('potentially fixable');
});

test('the name of what a paragraph is about is shown above what is wrong with it', () => {
  const size = (name: string, said: string) =>
    `  ${name}\n  ${said}\n  Size limit: 300 B\n  Size:       350 B\n`;
  const passed = Array.from({ length: 60 }, (_, i) =>
    size(`entry ${i}`, `Package size is ${i} B less than limit`),
  );
  const shown = excerpt(
    `${passed.join('\n')}\n${size('bearing', 'Package size limit has exceeded by 50 B')}\n${passed.join('\n')}\nERROR: "size" exited with 1.\n`,
  );

  expect(shown).toContain('  bearing\n  Package size limit has exceeded');
});

describe('a suite of Node.js of which only tests have failed', () => {
  const record = (indent: string, name: string, type: string, error: string) =>
    [
      `not ok 1 - ${name}`,
      '  ---',
      '  duration_ms: 4.5',
      `  location: '/p/test/rink.test.js:${name.length}:1'`,
      `  failureType: '${type}'`,
      `  error: '${error}'`,
      "  code: 'ERR_TEST_FAILURE'",
      '  ...',
    ].join(`\n${indent}`);
  const suite = record('', 'rink', 'subtestsFailed', '1 subtest failed');

  test('is not shown beside them', () => {
    const tests = `    ${record('    ', 'plans', 'testCodeFailure', 'no slot is free')}\n    1..1`;
    const output = `${PASSED}\n# Subtest: rink\n${PASSED.replace(/^/gm, '    ')}\n# TypeError: no slot\n#     at plan (file:///p/src/plan.js:19:36)\n    # Subtest: plans\n${tests}\n${suite}\n${PASSED.replaceAll('adds', 'pays')}\n1..401\n# fail 2\n`;
    const shown = excerpt(output);

    expect(shown).toContain("error: 'no slot is free'");
    expect(shown).not.toContain('not ok 1 - rink');
  });

  test('is shown if none of them is there', () => {
    expect(excerpt(`${PASSED}\n${suite}\n1..201\n# fail 1\n`)).toContain('not ok 1 - rink');
  });
});

test('why a test failed is said below its name, though it has logged the same before', () => {
  const thrown = "AttributeError: 'Composer' object has no attribute 'full_name'";
  const frame = (file: string, line: number) =>
    `  File "/p/shop/${file}", line ${line}, in rows\n    yield composer.full_name`;
  const logged = `2026-11-28 07:54:59,906 ERROR   django.request: Internal Server Error: /loans/new/\nTraceback (most recent call last):\n${frame('receipts.py', 9)}\n${thrown}\nERROR`;
  const told = `ERROR: test_create (shop.tests.LoanTests.test_create)\n${'-'.repeat(70)}\nTraceback (most recent call last):\n${frame('tests.py', 38)}\n${frame('receipts.py', 9)}\n${thrown}`;
  const shown = excerpt(
    `${logged}\n${PASSED}\n\n${'='.repeat(70)}\n${told}\n\n${'-'.repeat(70)}\nRan 522 tests in 0.889s\n`,
  );

  expect(shown.slice(shown.indexOf('ERROR: test_create'))).toContain(thrown);
});

test('what each of several tests of GoogleTest has thrown is shown, though none has a place', () => {
  const thrown = (name: string, what: string) =>
    `[ RUN      ] ${name}\nunknown file: Failure\nC++ exception with description "${what}" thrown in the test body.\n[  FAILED  ] ${name} (0 ms)\n`;
  const shown = excerpt(
    `${thrown('Gll.Reads', 'stod')}${PASSED}\n${thrown('Median.Empty', 'median of no samples')}`,
  );

  expect(shown).toContain('"stod"');
  expect(shown).toContain('"median of no samples"');
});

test.each(['Failed', 'Timeout', 'Subprocess aborted'])(
  'a test of CTest in the list at the end is left out if its output is shown, however it has ended: %s',
  (state) => {
    const passed = Array.from(
      { length: 40 },
      (_, i) => `${i + 2}/42 Test #${i + 2}: reads${i} ......   Passed    0.01 sec`,
    );
    const shown = excerpt(
      `1/42 Test  #1: address .....***Exception:   0.01 sec\ntests/a.cpp:7: Failure: domain == "example.com"\n\n${passed.join('\n')}\n\nThe following tests FAILED:\n\t  1 - address (${state})\nErrors while running CTest\n`,
    );

    expect(shown).toContain('domain == "example.com"');
    expect(shown).not.toContain('The following tests FAILED');
  },
);

test('a failed test of Catch2 has its name, and those of its sections', () => {
  const ruler = '-'.repeat(79);
  const case_ = (names: string, line: number) =>
    `${ruler}\n${names}\n${ruler}\ntests/order.cpp:${line}\n${'.'.repeat(79)}\n\ntests/order.cpp:${line + 3}: FAILED:\n  REQUIRE( net() == ${line} )\nwith expansion:\n  7 == ${line}\n\nput 10 x DESK\n`;
  const shown = excerpt(
    `${PASSED}\n${case_('an order has a net amount\n  of three pieces', 12)}${case_('stock is counted', 19)}${'='.repeat(79)}\ntest cases: 2 | 2 failed\n${PASSED}\nsrc/a.cpp:1:2: error: no\n`,
  );

  expect(shown).toMatch(
    /an order has a net amount\n {2}of three pieces\n(?:…[^\n]*\n)?tests\/order\.cpp:15: FAILED:/,
  );
  expect(shown).toMatch(/stock is counted\n(?:…[^\n]*\n)?tests\/order\.cpp:22: FAILED:/);
  // What comes below the last ruler is not of that test.
  expect(shown.split('stock is counted')).toHaveLength(2);
});

test('a result that is alone on its line is not shown beside the test that it is of', () => {
  const test_ = 'test_cents (tests.test_a.RowTest.test_cents)';
  const shown = excerpt(
    `${PASSED}\n${test_} ... 10:30:00 [INFO] row 1\nFAIL\n\n======================================================================\nFAIL: ${test_}\n----------------------------------------------------------------------\nTraceback (most recent call last):\n  File "tests/test_a.py", line 14, in test_cents\n    self.assertEqual(cents(row), 1999)\nAssertionError: 1998 != 1999\n\nRan 324 tests in 0.088s\n\nFAILED (failures=1)\n`,
  );

  expect(shown).toContain(`FAIL: ${test_}`);
  expect(shown).not.toMatch(/^FAIL$/m);
});

test('in the list of GoogleTest, a test whose result is below what went wrong is not named again', () => {
  const failed = '[  FAILED  ] Stock.TakesTheLastOne';
  const shown = excerpt(
    `tests/stock.cpp:7: Failure\nValue of: take(1)\n  Actual: false\nExpected: true\ntests/stock.cpp:8: Failure\nExpected equality of these values:\n  level()\n    Which is: 1\n  0\n${failed} (0 ms)\n${PASSED}\n[  FAILED  ] 1 test, listed below:\n${failed}\n\n 1 FAILED TEST\n`,
  );

  expect(shown.split('Stock.TakesTheLastOne')).toHaveLength(2);
});

test('of many tests that failed for one reason at one place, the first ones are named', () => {
  const failed = (i: number) =>
    `  ● api › answers ${i}\n\n    TypeError: Invalid URL: undefined\n\n      at startServer (src/server.js:2:20)\n      at Object.<anonymous> (jest.setup.js:4:32)\n\n`;
  const all = (count: number) => Array.from({ length: count }, (_, i) => failed(i)).join('');
  const named = (shown: string) => shown.match(/answers \d+/g)?.length;

  expect(named(excerpt(`${all(24)}Tests:       24 failed, 24 total\n`))).toBe(6);
  expect(named(excerpt(`${all(9)}Tests:       9 failed, 9 total\n`))).toBe(9);
});

test('a file that Node.js could not load has its place above the source that is quoted', () => {
  const shown = excerpt(
    "TAP version 13\n# file:///p/test/import.test.js:2\n# import { parseCsv } from '../src/csv.js';\n#          ^^^^^^^^\n# SyntaxError: The requested module '../src/csv.js' does not provide an export named 'parseCsv'\n#     at ModuleJob._instantiate (node:internal/modules/esm/module_job:213:21)\n# Node.js v20.20.2\n# Subtest: /p/test/import.test.js\nnot ok 1 - /p/test/import.test.js\n  ---\n  location: '/p/test/import.test.js:1:1'\n  error: 'test failed'\n  ...\n# fail 1\n",
  );

  expect(shown).toContain('# file:///p/test/import.test.js:2\n# import { parseCsv }');
});

test('rows of a table that go on in other words are two failures', () => {
  const row = (text: string, next: string) => ` 8 | ERROR | [x] ${text}\n   |       |     ${next}\n`;
  const constant = 'TRUE, FALSE and NULL must be lowercase; expected';
  const shown = excerpt(
    `FILE: /p/src/a.php\n--------------------\nFOUND 3 ERRORS AFFECTING 1 LINE\n--------------------\n${row(constant, '"null" but found "NULL"')}${row('Opening brace must be on a line', 'of its own')}${row(constant, '"false" but found "FALSE"')}--------------------\n`,
  );

  expect(shown.split(constant)).toHaveLength(3);
  expect(shown).not.toContain('×2');
});

test('a race that is reported again at other addresses is shown once, with its count', () => {
  const race = (address: string, offset: string) =>
    `==================\nWARNING: DATA RACE\nRead at ${address} by goroutine 9:\n  example.com/shop.(*Store).Level()\n      /p/store.go:20 +${offset}\n\nPrevious write at ${address} by goroutine 8:\n  example.com/shop.TestPut.func1()\n      /p/store_test.go:18 +${offset}\n==================\n`;
  const shown = excerpt(
    `${race('0x00c000094390', '0xdd')}${race('0x00c000096978', '0xe4')}--- FAIL: TestPut (0.00s)\n    testing.go:1319: race detected during execution of test\nFAIL\n`,
  );

  expect(shown).toContain('DATA RACE (×2)');
  expect(shown.split('/p/store.go:20')).toHaveLength(2);
});

test('a crash below the last test of TAP is shown beside a test that has failed', () => {
  const crash =
    "/p/lib/index.js:3\nexports.unslug = (s) => s.split('-').map((w) => w[0].toUpperCase())\n                                                 ^\n\nTypeError: Cannot read properties of undefined (reading 'toUpperCase')\n    at /p/lib/index.js:3:50\n    at Test.<anonymous> (/p/test/slug.js:15:31)\n\nNode.js v20.20.2\n";
  const shown = excerpt(
    `TAP version 13\n# slugify\nnot ok 1 strips\n  ---\n    operator: equal\n    expected: 'uber'\n    actual:   'u-ber'\n    at: Test.<anonymous> (/p/test/slug.js:10:5)\n  ...\n# unslug\nok 2 has a title\n${crash}`,
  );

  expect(shown).toContain('not ok 1 strips');
  expect(shown).toContain("reading 'toUpperCase'");
  expect(shown).toContain('/p/test/slug.js:15:31');
});

test('errors behind a cross of ASCII have their places, and the warnings beside them are left out', () => {
  const frame = (mark: string, message: string, name: string) =>
    `  ${mark} ${message}\n   ,-[src/${name}.js:2:23]\n 1 | import { ${name} } from './${name}.js'\n 2 | const ${name}2 = ${name}\n   :       ^^^|^^^\n   :          \`-- ${name}\n   \`----\n\n`;
  const shown = excerpt(
    `${frame('!', 'eslint(no-unused-vars): never used.', 'lamp')}${frame('x', 'Expected `Identifier` but found `export`', 'cart')}${frame('x', 'eslint(no-debugger): `debugger` is not allowed', 'order')}${frame('!', 'eslint(use-isnan): false', 'rate')}Found 2 warnings and 2 errors.\n`,
  );

  for (const said of [
    'x Expected `Identifier`',
    'src/cart.js:2:23',
    'x eslint(no-debugger)',
    'src/order.js:2:23',
  ])
    expect(shown).toContain(said);
  expect(shown).not.toMatch(/no-unused-vars|use-isnan|src\/(?:lamp|rate)\.js/);
});

describe('of what Jest shows of the logs of its tests', () => {
  const logged = (message: string) =>
    `    console.error\n      ${message}\n          at UserMenu (/p/src/UserMenu.jsx:3:23)\n          at render (/p/src/render.jsx:3:23)\n\n      at printWarning (node_modules/react-dom/cjs/react-dom.js:86:30)\n      at error (node_modules/react-dom/cjs/react-dom.js:60:7)\n\n`;
  const failed =
    '  ● UserMenu › shows the menu\n\n    useUser must be used inside <Provider>\n\n      at useUser (src/UserContext.jsx:5:20)\n\nTest Suites: 1 failed, 1 passed, 2 total\n';
  const output = (passed: string, own: string) =>
    `PASS test/UserList.test.jsx\n  ● Console\n\n${logged(passed).repeat(12)}FAIL test/UserMenu.test.jsx\n  ● Console\n\n${own}${failed}`;

  test('those of a file that has passed are left out, also if they are nearly all of the output', () => {
    const shown = excerpt(output('Warning: Each child in a list should have a key, Error: none', ''));

    expect(shown).toContain('UserMenu › shows the menu');
    expect(shown).not.toContain('Each child');
  });

  test('what jsdom and React say of the error of a failed test is left out, and what they say of another one is not', () => {
    const react = (message: string) =>
      logged(`Error: Uncaught [Error: ${message}]`) +
      logged('The above error occurred in the <UserMenu> component:');

    expect(excerpt(output('Warning: act', react('useUser must be used inside <Provider>')))).not.toMatch(
      /Uncaught|The above error/,
    );
    expect(excerpt(output('Warning: act', react('no such user')))).toContain(
      'Uncaught [Error: no such user]',
    );
  });
});

test('in RSpec, the statement that Ruby quotes again is left out', () => {
  const statement = '@customer.name.strip';
  const shown = excerpt(
    `${PASSED}\nFailures:\n\n  1) Order is empty\n     Failure/Error: ${statement}\n\n     NoMethodError:\n       undefined method \`name' for nil:NilClass\n\n             ${statement}\n                      ^^^^^\n     # ./lib/order.rb:38:in \`customer_name'\n\n1 example, 1 failure\n`,
  );

  expect(shown.split(statement)).toHaveLength(2);
  expect(shown).toContain('./lib/order.rb:38');
});

test('the exception of a test of Ant is its own, though the test above has failed too', () => {
  const test_ = (name: string, message: string, error: string, frames: string) =>
    `Testcase: ${name} took 0.001 sec\n\tCaused an ERROR\n${message}\n${error}: ${message}\n${frames}\tat pay.IbanTest.${name}(IbanTest.java:8)\n\n`;
  const jdk = '\tat java.base/java.lang.Integer.parseInt(Integer.java:652)\n'.repeat(3);
  const shown = excerpt(
    `${PASSED}\nTestsuite: pay.IbanTest\n${test_('same', 'expected:<1> but was:<3>', 'junit.framework.AssertionFailedError', '')}${test_('badCheck', 'For input string: "XX"', 'java.lang.NumberFormatException', `${jdk}\tat pay.Iban.check(Iban.java:7)\n`)}Test pay.IbanTest FAILED\n`,
  );

  expect(shown).toContain('java.lang.NumberFormatException');
  expect(shown).toContain('pay.Iban.check(Iban.java:7)');
});
