import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { condensed, type Piece } from '../../../helpers/condensed.ts';

const shown = (output: string | readonly Piece[]) =>
  excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `${line(i)}\n`).join('');
const FILLER = lines(80, (i) => ` ✓ module-${i}.test.ts (${i} tests) 5ms`);
const failed = (name: string) =>
  `⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯\n\n FAIL  ${name}\nAssertionError: expected 'stuck' to be 'done'\n ❯ sync.test.ts:4:16\n`;
const STUCK = failed('sync.test.ts > sync > becomes done');

/** What Go prints of a test while it runs, among others. */
const begunInGo = (name: string, said: string) =>
  `=== RUN   TestFirst\n${lines(30, (i) => `2026/11/24 01:59:01 added ${'an '.repeat(i)}item`)}=== RUN   ${name}\n${said}\n`;

test.each([
  ['by Vitest', 'stdout | sync.test.ts > sync > becomes done\nstate is stuck\n\n', STUCK],
  [
    'by Vitest in a project',
    'stdout | sync.test.ts > sync > becomes done\nstate is stuck\n\n',
    failed('|core| sync.test.ts > sync > becomes done'),
  ],
  [
    'right above the name of the test',
    "stdout | sync.test.ts > sync > becomes done\nstate is stuck\n\n × sync.test.ts > sync > becomes done 410ms\n   → expected 'stuck' to be 'done'\n",
    STUCK,
  ],
  [
    'with a tag of its own',
    'stderr | sync.test.ts > sync > becomes done\n[Sync warn]: state is stuck\n\n',
    STUCK,
  ],
  [
    'by one of several tasks',
    'web:test: stdout | sync.test.ts > sync > becomes done\nweb:test: state is stuck\n',
    STUCK.replaceAll(/^(?=.)/gm, 'web:test: '),
  ],
  [
    'by Gradle',
    'SyncTest > becomesDone() STANDARD_OUT\n    state is stuck\n\n',
    'SyncTest > becomesDone() FAILED\n    org.opentest4j.AssertionFailedError: expected: <done> but was: <x>\n        at SyncTest.becomesDone(SyncTest.java:12)\n',
  ],
  [
    'by Go, above all results of a group',
    begunInGo('TestSync/done', '    sync_test.go:30: state is stuck'),
    '--- FAIL: TestSync (0.00s)\n    --- FAIL: TestSync/done (0.00s)\nFAIL\tshop/sync\t0.003s\n',
  ],
  [
    'by Go, below more silent tests than logs are kept',
    `${lines(600, (i) => `=== RUN   TestSync/${i}`)}${begunInGo('TestSync/done', '    sync_test.go:30: state is stuck')}`,
    '--- FAIL: TestSync (0.00s)\n    --- FAIL: TestSync/done (0.00s)\nFAIL\tshop/sync\t0.003s\n',
  ],
  [
    'by Go, below more passed tests that have logged than are kept',
    `${lines(600, (i) => `=== RUN   TestOpen/${i}\nopened ${i}\n--- PASS: TestOpen/${i} (0.00s)`)}${begunInGo('TestSync/done', '    sync_test.go:30: state is stuck')}`,
    '--- FAIL: TestSync (0.00s)\n    --- FAIL: TestSync/done (0.00s)\nFAIL\tshop/sync\t0.003s\n',
  ],
  [
    'by Minitest, behind its name',
    'SyncTest#test_done = Error: state is stuck\n0.00 s = F\n',
    '  1) Failure:\nSyncTest#test_done [test/sync_test.rb:9]:\nExpected: 3\n  Actual: 4\n',
  ],
  [
    'by Go, where others run beside it',
    `=== RUN   TestSync/done\n=== PAUSE TestSync/done\n${FILLER}=== CONT  TestSync/done\n    sync_test.go:30: state is stuck\n=== RUN   TestOther\n`,
    '--- FAIL: TestSync (0.00s)\n    --- FAIL: TestSync/done (0.00s)\nFAIL\tshop/sync\t0.003s\n',
  ],
])('what a failed test has logged is shown where it is printed apart %s', (_, log, failure) => {
  expect(shown(`${FILLER}${log}${FILLER}${failure}`)).toContain('state is stuck');
});

test.each([
  ['a passed test', 'stdout | sync.test.ts > sync > starts\nError: state is idle\n\n', STUCK],
  [
    'a test whose name begins like that of a failed one',
    'stdout | sync.test.ts > sync > becomes\nError: state is idle\n\n',
    STUCK,
  ],
  [
    'tests in Jest, with the function that they have called',
    '  console.log\n    Error: state is idle\n\n      at log (src/sync.js:7:11)\n\n',
    STUCK,
  ],
  [
    'tests in Jest, with a tag before it',
    '  console.debug\n    [sync] Error: state is idle\n\n      at debug (src/sync.js:7:11)\n\n',
    STUCK,
  ],
  [
    'passed tests, where only a threshold is not met',
    'stderr | sync.test.ts > sync > starts\nError: state is idle\n\n ✓ sync.test.ts (2 tests) 5ms\n',
    'ERROR: Coverage for lines (50%) does not meet global threshold (80%)\n',
  ],
  [
    'a passed test in Go',
    `${begunInGo('TestIdle', '    sync_test.go:30: state is idle')}--- PASS: TestIdle (0.00s)\n`,
    '--- FAIL: TestSync (0.00s)\n    sync_test.go:9: want 3\nFAIL\n',
  ],
  [
    'the program that a passed test in Go has called',
    `${begunInGo('TestIdle', 'Error: state is idle')}--- PASS: TestIdle (0.00s)\n`,
    '--- FAIL: TestSync (0.00s)\n    sync_test.go:9: want 3\nFAIL\n',
  ],
  [
    'a passed test in pytest, below its name',
    'tests/test_sync.py::test_idle \n-------------------------------- live log call ---------------------------------\nERROR    sync.py:7 state is idle\nPASSED          [ 50%]\n',
    'FAILED tests/test_sync.py::test_done - assert 3 == 4\n',
  ],
  [
    'a passed test in XCTest',
    "Test Case '-[Sync testIdle]' started.\nError: state is idle\nTest Case '-[Sync testIdle]' passed (0.1 seconds).\n",
    "/p/Sync.swift:9: error: -[Sync testDone] : XCTAssertTrue failed\nTest Case '-[Sync testDone]' failed (0.1 seconds).\n",
  ],
  [
    'a passed test in Minitest, behind its name',
    'SyncTest#test_idle = Error: state is idle\n0.00 s = .\n',
    '  1) Failure:\nSyncTest#test_done [test/sync_test.rb:9]:\nExpected: 3\n  Actual: 4\n',
  ],
  [
    'a passed test in GoogleTest',
    '[ RUN      ] Sync.Idle\nError: state is idle\n[       OK ] Sync.Idle (0 ms)\n',
    'sync_test.cc:9: Failure\n  which is: 3\n[  FAILED  ] Sync.Done (0 ms)\n',
  ],
])('what was logged by %s is left out', (_, log, failure) => {
  expect(shown(`${log}${FILLER}${failure}`)).not.toContain('state is idle');
});

test.each([
  [
    'GoogleTest',
    (i: number) =>
      `[ RUN      ] Cart.Case${i}\n  opened ${i}\ncart.cc:30: Failure\nExpected: ${i} carts\n[  FAILED  ] Cart.Case${i} (0 ms)`,
  ],
  [
    'Go',
    (i: number) =>
      `=== RUN   TestCase${i}\nopened ${i}\n    cart_test.go:30: Expected: ${i} carts\n--- FAIL: TestCase${i} (0.00s)`,
  ],
])('of very many failed tests in %s, some are shown with what they say', (_, test) => {
  expect(shown(lines(300, test))).toContain('Expected: 1 carts');
});

test('what was logged by a test that has no result is shown: the run may have ended there', () => {
  const crashed = `${begunInGo('TestIdle', 'Error: state is idle')}fatal error: concurrent map writes\n\ngoroutine 7 [running]:\n`;

  expect(shown(`--- FAIL: TestSync (0.00s)\n    sync_test.go:9: want 3\n${crashed}`)).toContain(
    'state is idle',
  );
});

test('the error of a logger in Jest is shown in a failed file, and not in one that has passed', () => {
  const logged = (what: string) =>
    `    console.log\n      2026-11-27T15:01:49.158Z error: ${what} in GET /quote\n      TypeError: cannot read 'reduce' of ${what}\n          at price (src/price.ts:5:73)\n\n      at Console.log (node_modules/winston/console.js:87:23)\n\n`;
  const output = `PASS test/a.test.ts\n  ● Console\n\n${logged('nothing')}\n${FILLER}FAIL test/b.test.ts\n  ● Console\n\n${logged('undefined')}\n  ● quotes\n\n    expected 200, got 500\n\n      at Object.<anonymous> (test/b.test.ts:21:131)\n`;

  expect(shown(output)).toContain("TypeError: cannot read 'reduce' of undefined");
  expect(shown(output)).toContain('src/price.ts:5:73');
  expect(shown(output)).not.toContain('of nothing');
});

test('an error that tests have logged in Jest is shown, and a warning that is called one is not', () => {
  const log = (text: string) => `  console.error\n    ${text}\n\n      at log (src/sync.js:7:11)\n\n`;

  expect(shown(`${log('Error: no state')}${FILLER}${STUCK}`)).toContain('Error: no state');
  expect(shown(`${log('Error: no state')} FAIL  sync.test.ts\n${FILLER}${STUCK}`)).toContain('no state');
  expect(shown(`${log('Error: no state')} PASS  sync.test.ts\n${FILLER}${STUCK}`)).not.toContain('no state');
  expect(shown(`${log('Warning: no act')}${FILLER}${STUCK}`)).not.toContain('no act');
  expect(shown(`  ● Console\n\n  ${log('Warning: no act')}${FILLER}${STUCK}`)).not.toContain('no act');
});

test('what was logged before an error that begins with its stack is left out', () => {
  const logged = '  console.log\n    Error: state is idle\n\n      at log (src/sync.js:7:11)\n\n';
  const error =
    '  console.error\n      at open (src/sync.js:3:5)\n      at run (src/sync.js:4:5)\n    no state\n\n';

  expect(shown(`${logged}${error}${FILLER}${STUCK}`)).not.toContain('state is idle');
});

test('what passed tests have logged is shown where nothing else says what is wrong', () => {
  const log = 'stderr | sync.test.ts > sync > starts\nError: the process is out of file descriptors\n\n';

  expect(shown(`${log}${FILLER}error Command failed with exit code 1.\n`)).toContain('file descriptors');
});

test('of what a failed test has logged, the last lines that differ are shown below one heading', () => {
  const states = [
    ...lines(30, (i) => `state ${'abcdefghijklmnopqrstuvwxyzABCD'[i]} is known\n`).split('\n\n'),
  ];
  const logs = states.map((state) => `stdout | sync.test.ts > sync > becomes done\n${state}\n\n`).join('');
  const excerpt = shown(`${FILLER}${logs}${logs}${FILLER}${STUCK}`);

  expect(excerpt.match(/stdout \|/g)).toHaveLength(1);
  expect(excerpt).toContain('state D is known');
  expect(excerpt).not.toContain('state b is known');
});

test('what is printed below the state of a file of tests is not part of a log', () => {
  const output = `stdout | sync.test.ts > sync > starts\nstate is idle\n\n ❯ sync.test.ts (2 tests | 1 failed) 9ms\nError: socket hang up\n    at Client.read (src/client.ts:3:5)\n${FILLER}${STUCK}`;

  expect(shown(output)).toContain('socket hang up');
});

test.each([
  ['of the other stream', [['stderr', 'src/server.ts(4,2): error TS2322: no\n']]],
  ['of another task', [['stdout', 'api:lint: src/server.ts(4,2): error TS2322: no\n']]],
] as const)('an error %s between the lines of a log of a passed test is shown', (_, between) => {
  const log = 'web:test: stdout | a.test.ts > passes\nweb:test: one\n';
  const failure = `web:test: two\n${FILLER}${STUCK}`.replaceAll(/^/gm, 'web:test: ');
  const shownLines = excerptText(
    excerptOf(condensed([['stdout', log], ...between, ['stdout', failure]]), 5300, { hung: false }),
  );

  expect(shownLines).toContain('error TS2322: no');
});

test('logs of several tests are those of the test that each heading names', () => {
  const log = (name: string, said: string) => `stdout | a.test.ts > ${name}\n${said} was called\n\n`;
  const excerpt = shown(
    `${log('alpha', 'open')}${log('bravo', 'lock')}${log('gamma', 'sync')}${FILLER}${failed('a.test.ts > bravo')}`,
  );

  expect(excerpt).toContain('lock was called');
  expect(excerpt).not.toContain('open was called');
});

describe('what a failed test has logged is left out if passed tests have logged it too', () => {
  const log = (name: string, said: string) => `stdout | a.test.ts > ${name}\n${said}\n\n`;
  test.each([
    ['in the same words', 'opened the store', 'opened the store'],
    ['with its own name', 'begin starts', 'begin ends'],
    ['with other numbers', 'poll 3 of 20', 'poll 17 of 20'],
  ])('%s', (_, ofPassed, ofFailed) => {
    const both = `${log('starts', ofPassed)}${log('ends', `${ofFailed}\nstate is stuck`)}`;
    const excerpt = shown(`${both}${FILLER}${failed('a.test.ts > ends')}`);

    expect(excerpt).toContain('state is stuck');
    expect(excerpt).not.toContain(ofFailed);
  });

  test('in records that are about several things', () => {
    const others = ['a', 'b'].map((name) => log(`starts ${name}`, `10:30:01 INFO opened ${name}`)).join('');
    const of = (said: string) =>
      `${log('ends', `10:30:02 INFO ${said}`)}${FILLER}${failed('a.test.ts > ends')}`;

    expect(shown(`${others}${of('opened c')}`)).not.toContain('opened c');
    expect(shown(`${log('starts', '10:30:01 INFO state idle')}${of('state jammed')}`)).toContain('jammed');
  });

  test('but not if a request has failed there only', () => {
    const answered = (status: number) => `GET /items/3 was answered with ${status} in 4 ms`;
    const both = `${log('starts', answered(200))}${log('ends', answered(500))}`;

    expect(shown(`${both}${FILLER}${failed('a.test.ts > ends')}`)).toContain('with 500');
  });

  test('but not where the names of some failed tests are not known', () => {
    const logged = lines(60, (i) => log(`case ${i}`, `stuck at ${i}`));

    expect(shown(`${logged}${lines(60, (i) => failed(`a.test.ts > case ${i}`))}`)).toContain('stuck at 0');
    expect(shown(`${logged}${failed('a.test.ts > case 0')}`)).not.toContain('stuck at 0');
  });

  test('with its heading, if it has logged nothing else', () => {
    const both = `${log('starts', 'opened')}${log('ends', 'opened')} × a.test.ts > ends 3ms\n`;

    expect(shown(`${FILLER}${both}${FILLER}${failed('a.test.ts > ends')}`)).not.toContain('stdout |');
  });
});

test('what the next command prints on the other stream is no log of a test', () => {
  const output = shown([
    ['stdout', '> shop@1.0.0 test\n> vitest run\n\n'],
    ['stderr', 'stderr | sync.test.ts > sync > refuses "soon"\n[shop] cannot read "soon"\n\n'],
    ['stdout', `${FILLER}\n> shop@1.0.0 build\n> tsup\n\n`],
    ['stderr', '✘ [ERROR] Could not resolve "./round"\n\n    src/index.ts:4:24:\n'],
  ]);

  expect(output).toContain('Could not resolve');
  expect(output).not.toContain('soon');
});

test('what the runner says on the other stream, below the state of a file, is no log of a test', () => {
  const output = shown([
    ['stdout', 'stdout | sync.test.ts > sync > asks again\n[shop] is asked again\n\n'],
    ['stderr', 'stderr | sync.test.ts > sync > refuses "soon"\nError: cannot read "soon"\n\n'],
    ['stdout', ' ✓ sync.test.ts (12 tests) 11ms\n\n Test Files  1 passed (1)\n'],
    ['stderr', 'ERROR: Coverage for lines (52.17%) does not meet global threshold (80%)\n'],
  ]);

  expect(output).toContain('Coverage for lines');
  expect(output).not.toMatch(/soon|asked again/);
});

test('a log that Jest prints below a file that has passed goes on below a line that counts attempts', () => {
  const log = '    console.warn\n      [warn] 3 of 3 failed\n\n      > 2 | warn: (msg) => console.warn(msg)';
  const { testLogs } = condensed(`PASS test/retry.test.js\n  ● Console\n\n${log}\n`);

  expect(testLogs.map(({ spans }) => spans)).toEqual([[{ from: 3, to: 6 }]]);
});

test('the error that a logger prints below console.log is one of its own in Jest, below a warning', () => {
  const printed = (text: string) =>
    `    console.log\n      2026-11-28T23:12:58.346Z ${text}\n\n      at Console.log (node_modules/winston/console.js:90:12)\n\n`;
  const error =
    "error: TypeError: Cannot read properties of undefined (reading 'open')\n          at pay (/p/src/invoices.js:18:3)";
  const output = `FAIL test/invoices.test.js\n  ● Console\n\n${printed('warn: R-9 is overpaid by 300')}${printed('info: POST /invoices 200').repeat(30)}${printed(error)}  ● invoices › refuses to pay an unknown one\n\n    expected 404 "Not Found", got 500 "Internal Server Error"\n\n      at Object.expect (test/invoices.test.js:36:70)\n`;

  expect(shown(output)).toContain('/p/src/invoices.js:18:3');
});
