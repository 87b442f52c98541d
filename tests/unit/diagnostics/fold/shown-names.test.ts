import { expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../../helpers/condensed.ts';

const shown = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const UNITTEST =
  'test_add (tests.T.test_add) ... FAIL\n\n======\nFAIL: test_add (tests.T.test_add)\n------\nAssertionError: 3 != 4';
const MOCHA =
  '  cart\n    1) adds\n\n  1 failing\n\n  1) cart\n       adds:\n     AssertionError: expected 3 to be 4';

test.each([
  ['before what went wrong', UNITTEST, 'tests.T.test_add', 1],
  ['before its suite', MOCHA, '1) ', 1],
  [
    'before a title that has no sign',
    `${'  ✔ cart › counts\n'.repeat(40)}  ✘ [fail]: cart › adds\n  ✘ [fail]: cart › pays\n  ─\n\n  cart › adds\n\n  test/cart.test.js:10\n\n  Difference (- actual, + expected):\n\n  - 2\n  + 1\n\n  cart › pays\n\n  test/cart.test.js:15\n\n  Difference (- actual, + expected):\n\n  - 3\n  + 4\n\n  ─\n\n  2 tests failed\n`,
    '[fail]: cart',
    0,
  ],
  [
    'at the end',
    ' FAIL  a.test.js > cart > adds\nError: expected 3\n\nFailed:\n × cart > adds\n × cart > pays\n\n',
    'cart > adds',
    1,
  ],
  [
    'as a result in TAP',
    'not ok 3 - refuses a negative age\n# Failed test 3: "refuses a negative age"\n#   caught: no exception\nnot ok 4 - adds\n',
    'not ok 3',
    0,
  ],
  [
    'in a tree with the titles of the suites, where a blank line is below it later',
    'FAIL src/a.test.ts\n  GET /cart\n    ✕ adds (3 ms)\n    ✕ pays (1 ms)\n  POST /cart\n    ✕ counts (1 ms)\n  ● GET /cart › adds\n\n    expected 3\n\n  ● GET /cart › pays\n\n    expected 4\n\n  ● POST /cart › counts\n\n    expected 5\n',
    '  POST /cart\n',
    0,
  ],
  ['above its whole name', '✗ adds\n✗ pays\n\n✗ cart > adds\n', '✗ adds', 0],
  [
    'on the way, before what Minitest says of it with a place, and without one',
    "CartTest#test_adds = 0.00 s = F\nCartTest#test_pays = 0.02 s = E\n\n  1) Failure:\nCartTest#test_adds [test/cart_test.rb:20]:\nExpected: 3\n  Actual: 4\n\n  2) Error:\nCartTest#test_pays:\nNoMethodError: undefined method `pay'\n    test/cart_test.rb:33:in `test_pays'\n",
    ' s = ',
    0,
  ],
  [
    'in the lists of cargo',
    'test tests::adds - should panic ... FAILED\n\nfailures:\n\n---- tests::adds stdout ----\nnote: test did not panic as expected at src/lib.rs:9:5\n\nfailures:\n    tests::adds\n\ntest result: FAILED. 0 passed; 1 failed\n',
    'tests::adds',
    1,
  ],
  [
    'in the lists of cargo, where the thread that panicked has it',
    "test tests::adds ... FAILED\n\nfailures:\n\n---- tests::adds stdout ----\n\nthread 'tests::adds' (17) panicked at src/lib.rs:9:5:\nno cart\n\n\nfailures:\n    tests::adds\n\ntest result: FAILED. 0 passed; 1 failed\n",
    /^(?:test| {3}) tests::adds/m,
    0,
  ],
  [
    'in the last list of Surefire, if its place is shown',
    '[ERROR] adds  Time elapsed: 0.02 s  <<< FAILURE!\norg.opentest4j.AssertionFailedError: expected: <4>\n\tat shop.CartTest.adds(CartTest.java:27)\n\n[ERROR] Failures: \n[ERROR]   CartTest.adds:27 expected: <4>\n  but was: <3>\n[ERROR] Tests run: 2, Failures: 1\n',
    /CartTest\.adds:27|but was|Failures: $/m,
    0,
  ],
  [
    'as a title right above it',
    '# Subtest: adds\nnot ok 1 - adds\n  ---\n  error: boom\n  ...\n  * test pays (50.6ms) [L#8]\n  1) test pays (CartTest)\n     boom\n',
    /(?:Subtest: adds|\* test pays)/,
    0,
  ],
  ['before its details, and at the end', `${UNITTEST}\n\nFAILED tests.T.test_add\n`, '... FAIL', 0],
])('the name of a failed test is not shown again %s', (_, output, name, times) => {
  expect(shown(output).split(name)).toHaveLength(times + 1);
});

test.each([
  [
    'of another number',
    '  1) adds\n  2) adds\n\n  1) cart\n       adds:\n     Error: expected 3',
    '  2) adds',
  ],
  [
    'of two tests, one of which has details',
    '✗ adds\n✗ adds\n\n✗ adds\n  Error: expected 3',
    '✗ adds\n✗ adds\n',
  ],
  ['that is a part of a word', '✗ pay\n\n✗ cart repay\n  Error: expected 3', '✗ pay\n'],
  [
    'in the last list of Surefire, at another place',
    '[ERROR] adds  Time elapsed: 0.02 s  <<< FAILURE!\norg.opentest4j.AssertionFailedError: expected: <4>\n\tat shop.CartTest.adds(CartTest.java:27)\n\n[ERROR] Failures: \n[ERROR]   CartTest.pays:31 expected: <4>\n',
    'CartTest.pays:31',
  ],
  ['of which the whole is shown once only', '✗ adds\n✗ adds\n\n✗ cart > adds\n', '✗ adds\n✗ adds\n'],
  [
    'that is what is wrong with several files',
    'a.ts format\n  × has other blanks\n\nb.ts format\n  × has other blanks\n\n    1 │ - a\n',
    'a.ts format\n  × has other blanks',
  ],
])('the name of a failed test is shown if it is the name %s', (_, output, kept) => {
  expect(shown(output)).toContain(kept);
});

test.each([
  [
    'of another test',
    '# Subtest: cart\n    # Subtest: adds\n    not ok 1 - adds\n      ---\n      error: boom\n      ...\nnot ok 1 - cart\n',
    '# Subtest: cart',
  ],
  ['of a part of a word', 'pays\nnot ok 1 - repays\n  ---\n  error: boom\n  ...\n', 'pays\n'],
  [
    'that is deeper than what failed below',
    'mailer depends on\n  money (~> 2.0)\nError: could not find money (~> 2.0) in the source\n',
    '  money (~> 2.0)\n',
  ],
])('a title is shown above a failed test if it is that %s', (_, output, kept) => {
  expect(shown(output)).toContain(kept);
});

test('a task that a runner names twice where it fails is shown with its output', () => {
  const output =
    '[FAILED] tsc --noEmit [FAILED]\n[FAILED] tsc --noEmit [FAILED]\n\n✖ tsc --noEmit:\nsrc/a.ts(3,5): error TS2322: no';

  expect(shown(output)).toBe('✖ tsc --noEmit:\nsrc/a.ts(3,5): error TS2322: no');
});

test('the counts of a file of tests are left out if a failed test of it is named below', () => {
  const state = ' ❯ src/cart.test.ts (3 tests | 2 failed) 8ms';
  const failed = ' FAIL  src/cart.test.ts > adds\nAssertionError: expected 3 to be 4';

  expect(shown(`${state}\n\n${failed}`)).toBe(failed);
  expect(shown(`${state}\n\n${failed.replace('cart', 'list')}`)).toContain(state);
});

test('the last list of a runner is left out, though it has the names of the suites of tests that are shown without', () => {
  const failed = (name: string) =>
    `    ✗ ${name} (1 ms)\n      - Expected 790 to be 490.\n\n      /p/a.js:3:9\n`;
  const output = `tariff\n${failed('is 490')}${failed('is 790')}\nFailures\n\n1) tariff is 490\n\n2) tariff is 790\n\n3) tariff is 990\n`;

  expect(shown(output)).not.toContain('2) tariff is 790');
  expect(shown(output)).toContain('3) tariff is 990');
  expect(shown('✗ is 490\n\nFailures\n\n1) tariff is 490\n')).toContain('tariff is 490');
});
