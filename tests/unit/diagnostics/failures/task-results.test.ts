import { expect, test } from 'vitest';
import { PRIORITY } from '../../../../src/diagnostics/failures/failure.ts';
import { NO_FAILURE } from '../../../../src/diagnostics/failures/task-results.ts';
import { SEVERITY } from '../../../../src/diagnostics/lines/rules.ts';
import { condensed } from '../../../helpers/condensed.ts';

/** The errors in the failure that is about the end of the first script. */
function errorsAtEnd(...printed: readonly string[]): string[] {
  const { failures } = condensed(
    [
      '> @shop/schema@1.0.0 test',
      '> node check.js',
      ...printed,
      'npm error Lifecycle script `test` failed with error:',
      '',
      '> @shop/cart@1.0.0 test',
      '> mocha',
      '1) adds the costs:',
      '   AssertionError: expected 3 to equal 4',
    ].join('\n'),
  );
  const end = failures.find(({ block }) => block.headline.text.startsWith('npm error'));
  const lines = end?.block.lines ?? [];
  return lines.filter(({ priority }) => priority === PRIORITY.error).map(({ text }) => text);
}

const END = 'npm error Lifecycle script `test` failed with error:';

test('what a script printed last is its error, if it printed no other', () => {
  expect(errorsAtEnd('Type "Order" lost the field "discount".')).toEqual([
    'Type "Order" lost the field "discount".',
    END,
  ]);
});

test('progress that a script printed last is not its error', () => {
  expect(errorsAtEnd('comparing [=====>    ] 50%')).toEqual([END]);
});

test('what a script printed last is not its error, if it printed one before', () => {
  expect(errorsAtEnd('Error: no schema', '', 'Type "Order" is as before.')).not.toContain(
    'Type "Order" is as before.',
  );
});

/** The severity of the failure whose headline has a text. */
function severityOf(text: string, ...printed: readonly string[]): number | undefined {
  const { failures } = condensed(
    [...printed, '--- FAIL: TestTotal', '    total_test.go:7: 3 != 4'].join('\n'),
  );
  return failures.find(({ block }) => block.lines.some((line) => line.text.includes(text)))?.severity;
}

const WARNING = 'src/Cart.hs:19:2: Warning: Redundant ==';
const ERROR = 'src/cart.c:3:7: error: unused variable';

test.each<[string, readonly string[], boolean]>([
  ['the warnings of a command that failed', [WARNING, 'make: *** [Makefile:2: lint] Error 1'], true],
  ['the warnings of a command that ended well', [WARNING, 'ok 1 - adds'], false],
  ['warnings beside an error', [WARNING, '', ERROR, '', 'make: *** [Makefile:2: lint] Error 1'], false],
  [
    'the warnings of a make whose other target failed below it',
    [ERROR, '', 'make[1]: *** [cart.o] Error 1', WARNING, '', 'make: *** [all] Error 2'],
    false,
  ],
  [
    'the warnings of a command after one that printed an error',
    [ERROR, '', 'make: *** [Makefile:2: build] Error 1', WARNING, '', 'make: *** [Makefile:4: lint] Error 1'],
    true,
  ],
])('%s say why it failed, unless an error does', (_, printed, isReason) => {
  const severity = severityOf('Redundant', ...printed);
  expect(severity).toBe(isReason ? SEVERITY.thrown : SEVERITY.warning);
});

test.each<[string, string, readonly string[], boolean]>([
  [
    'of one tool',
    'Unused handle at line 30',
    ['Unused handle at line 30, column 5', 'make: *** [lint] Error 2'],
    true,
  ],
  [
    'of a tool whose name is in brackets',
    'Unused handle',
    [
      '[Files::Unused] Unused handle at line 30',
      '[Files::Open] Open with two arguments',
      '--- failed with status 2',
    ],
    true,
  ],
  [
    'beside an error',
    'reading 12 files',
    ['reading 12 files', 'and 3 more', '', ERROR, '', 'exit status 1'],
    false,
  ],
])('the plain lines of a short command that failed are its errors: %s', (_, text, printed, isReason) => {
  const lines = condensed(printed.join('\n')).failures.flatMap(({ block }) => block.lines);
  const isError = lines.some((line) => line.text.includes(text) && line.priority === PRIORITY.error);
  expect(isError).toBe(isReason);
});

test('an error of a command that has failed was not expected by a test that passes below', () => {
  const printed = [ERROR, '', 'lint: exit 1', 'ok 1 - adds', 'ok 2 - subtracts'];
  expect(severityOf('unused variable', ...printed)).toBe(SEVERITY.located);
});

test('a warning of an earlier command is no reason for a later one, also if it is read late', () => {
  const many = (count: number, line: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => `${line(i)}\n`).join('');
  const { failures } = condensed([
    ['stderr', 'src/ring.c:15:24: warning: unused variable\n'],
    ['stdout', many(60, (i) => `compiled part ${i}`)],
    ['stdout', 'FAIL adds (exit status: 1)\n\n\n\ndone\n'],
    ['stderr', 'make[2]: *** [Makefile:740: check] Error 1\n'],
  ]);

  expect(failures.find(({ block }) => block.headline.text.includes('unused'))?.severity).toBe(
    SEVERITY.warning,
  );
});

test.each([
  ['skipped', 'SKIPPED [1] tests/test_model.py:52: needs a network', SEVERITY.thrown],
  ['skipped, in TAP', 'ok 3 # skip no network', SEVERITY.thrown],
  ['passed', 'PASSED tests/test_model.py::test_adds', SEVERITY.mentioned],
])('an error belongs to a test below it that passed, not to one that was %s', (_, result, severity) => {
  const printed = ['Error: no port', '    at f (src/a.ts:3:5)', '', result];
  const { failures } = condensed(printed.join('\n'));

  expect(failures[0]?.severity).toBe(severity);
});

test('an error does not belong to a test that passed below the title of another section', () => {
  const printed = [
    'Error: no port',
    '    at f (src/a.ts:3:5)',
    '',
    '===== short summary =====',
    'PASSED test_adds',
  ];
  const { failures } = condensed(printed.join('\n'));

  expect(failures[0]?.severity).toBe(SEVERITY.thrown);
});

const LOGGED = 'rides-1   | [error] no bike at the dock';
const FAILED = 'FAILED  start a ride (checks/rides.sh:3)';

test.each<[string, readonly string[], boolean]>([
  ['before a test that has passed', [LOGGED, 'ok      ends a ride', FAILED], true],
  ['before a test that has failed', [LOGGED, FAILED, 'ok      ends a ride'], false],
  [
    'in the step before the test that has passed',
    ['ERROR: no bike at the dock', '== checks/rides.sh', 'ok      ends a ride'],
    false,
  ],
  [
    'in the group of a workflow before the test that has passed',
    ['ERROR: no bike at the dock', '##[group]rides', 'ok      ends a ride'],
    false,
  ],
  [
    'before the next program of Cargo',
    [
      'ERROR: no bike at the dock',
      '     Running tests/rides.rs (target/debug/deps/rides-1d9b)',
      'test ends ... ok',
    ],
    false,
  ],
])('what is logged %s is as severe as it says, unless it was expected', (_, printed, wasExpected) => {
  expect(severityOf('no bike', ...printed)).toBe(wasExpected ? SEVERITY.mentioned : SEVERITY.tagged);
});

test.each([
  [
    'Python',
    'WARNING fetch: attempt 1 failed\nTraceback (most recent call last):\n  File "/p/fetch.py", line 14, in get\n    raise Timeout()\np.Timeout: no answer',
  ],
  [
    'Java',
    '12:03:11 WARN fetch - attempt 1 failed\njava.io.IOException: no answer\n\tat p.Fetch.get(Fetch.java:14)',
  ],
])('an exception that a program of %s has logged as a warning was handled', (_, printed) => {
  expect(severityOf('no answer', printed)).toBe(SEVERITY.warning);
});

/** The severity of the failure with a headline. */
function severityWith(headline: string, ...printed: readonly string[]): number | undefined {
  return condensed(printed.join('\n')).failures.find(({ block }) => block.headline.text === headline)
    ?.severity;
}

test('of the panics of tests in Rust that run at the same time, each is judged by the result of its own test', () => {
  const [wanted, wrong, other] = ['adds', 'divides', 'worker'].map(
    (name) => `thread '${name}' (136) panicked at crates/beds/src/lib.rs:55:36:`,
  ) as [string, string, string];
  const printed = [
    ...[wanted, 'attempt to multiply with overflow', 'test counts ... ok'],
    ...[wrong, 'index out of bounds', 'test adds - should panic ... ok', other, 'worker died'],
    'test divides ... FAILED',
  ];

  expect([wanted, wrong, other].map((headline) => severityWith(headline, ...printed))).toEqual([
    NO_FAILURE,
    SEVERITY.failedTest,
    SEVERITY.thrown,
  ]);
});

test('what the tests of a class of Java have logged is no failure if all of them have passed', () => {
  const result = (state: string) =>
    `Tests run: 4, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.086 s${state}`;
  const logged = 'java.lang.IllegalStateException: card declined';
  const thrown = 'org.opentest4j.AssertionFailedError: expected: <774.40> but was: <748.00>';
  const failed = ['[ERROR] tradeOrders  Time elapsed: 0.121 s  <<< FAILURE!', thrown];
  const printed = (end: string) => [...failed, '[INFO] Running shop.PaymentsTest', logged, end];

  expect(severityWith(logged, ...printed(`[INFO] ${result(' - in shop.PaymentsTest')}`))).toBe(NO_FAILURE);
  expect(severityWith(thrown, ...printed(`[INFO] ${result(' - in shop.PaymentsTest')}`))).toBe(
    SEVERITY.thrown,
  );
  // The tests of another class may have run at the same time.
  expect(severityWith(logged, ...printed(`[INFO] ${result(' - in shop.CartTest')}`))).toBe(
    SEVERITY.mentioned,
  );
  expect(severityWith(logged, ...printed('[INFO] BUILD FAILURE'))).toBe(SEVERITY.thrown);
});

test('what a test of unittest has logged is no failure if it has passed', () => {
  const begins =
    'test_refuses (shop.tests.LoanTests.test_refuses) ... 2026-11-28 INFO shop: asked for 41 copies';
  const logged = 'ValueError: 40 copies left, 41 wanted';
  const failed = ['FAIL', begins, logged];

  expect(severityWith(logged, ...failed, 'ok')).toBe(NO_FAILURE);
  expect(severityWith(logged, ...failed, 'ERROR')).toBe(SEVERITY.failedTest);
});

test('the result of a test excuses what was printed since it began once, and no error at a place', () => {
  const begins =
    'test_refuses (shop.tests.LoanTests.test_refuses) ... 2026-11-28 INFO shop: asked for 41 copies';
  const later = 'ValueError: no port';
  const located = 'src/cart.c:3:7: error: unused variable';

  expect(severityWith(later, begins, 'ok', later, 'ok')).toBe(SEVERITY.mentioned);
  expect(severityWith(later, begins, 'ERROR', '-'.repeat(70), 'Ran 1 test in 0.1s', later, 'ok')).toBe(
    SEVERITY.thrown,
  );
  expect(severityWith(located, begins, located, 'ok')).toBe(SEVERITY.located);
});
