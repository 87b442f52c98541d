import { describe, expect, test } from 'vitest';
import { type Contradiction, findContradictions } from '../../../src/promise/find-contradictions.ts';

const kindsIn = (message: string) => findContradictions(message).map(({ kind }) => kind);

const SAID: Record<Contradiction['kind'], readonly string[]> = {
  todo: [
    'TODO: handle the empty list',
    '- TODO: write the migration',
    '**TODO:** error handling',
    'I left one TODO: the retry in client.ts.',
    'There is a TODO(anna): in src/parse.ts.',
    'The login works. TODO: logout.',
    '// TODO: remove this hack',
    '- [ ] TODO: docs',
    'TODO: fixed-width columns',
  ],
  fixme: ['FIXME: leaks a handle', '- FIXME(#12): race on shutdown', 'I added a FIXME: for the timeout.'],
  'not-yet-done': [
    'Pagination is not yet implemented.',
    "The CSV export isn't yet implemented",
    'The retry logic has not been implemented yet.',
    "I haven't finished yet.",
    'The second half is not done yet, sorry.',
    'Caching: not yet implemented',
    'Two of the endpoints are yet to be implemented.',
  ],
  'still-to-do': [
    'I still need to wire up the router.',
    'The parser still needs to handle tabs.',
    'We still have to update the docs.',
    'I implemented the API and still need to write its tests.',
    'I did not use a library and still need to test that.',
    'The error path still needs work.',
    'I fixed the parser, but the printer still needs to be fixed.',
  ],
  'remaining-work': [
    '## Remaining work\n\n- the CLI flags',
    'Remaining work: the CLI flags.',
    'Remaining tasks:\n1. docs',
    'Some work remains.',
    'The remaining steps are the docs and the changelog.',
    'Much remains to be done.',
    'What remains: the docs.',
    'What is left is the error handling.',
  ],
  blocked: [
    'Blocked by missing credentials.',
    '- Blocked on the API key',
    'This task is blocked by TASK-002.',
    'I am currently blocked by the failing database.',
    "I'm blocked on the schema review.",
    'Status: blocked by the network policy.',
    'The migration is still blocked by a lock.',
  ],
  'cannot-complete': [
    'I cannot claim COMPLETE yet.',
    'I cannot complete this task without network access.',
    "I can't finish the migration.",
    'Unable to complete the deployment step.',
    'I am unable to complete the task.',
    'I was unable to complete the last item.',
    'So far I have A and B, but I could not complete C.',
    "Unfortunately, I can't honestly claim that it is complete.",
    'The task cannot be completed with the given schema.',
    'I therefore cannot output the promise.',
  ],
  'tests-fail': [
    'Two tests fail.',
    '3 tests are failing on Node 20.',
    '2 tests still fail',
    'The tests fail with a timeout.',
    'The test suite fails.',
    'There are failing tests in src/auth.',
    'Three of the failing tests are in src/auth.',
    'Failing tests: 3',
    '## Failing tests\n\n- login redirects',
    'Tests: 2 failed, 10 passed, 12 total',
    '10 passed, 2 failed',
    'Test run: 1 failing',
    '12 tests, 3 failures',
    'Tests: passed 10, failed: 2',
    'All tests pass except that 2 tests fail.',
    'No lint errors, but tests are failing.',
    '12 tests passed.\nThen I changed the cache. Now 2 tests fail.',
    'When I run the suite, two tests fail.',
    'The login test still fails.',
    'Progress is good, but 2 of the 40 tests fail.',
    'Unfortunately the integration tests fail in this sandbox.',
    'With the flag on, 2 tests fail.',
    'With the fix, 3 tests fail.',
    'I ran the suite: 2 tests failed.',
  ],
};

describe.each(Object.entries(SAID))('%s is said by', (kind, messages) => {
  test.for(messages)('%j', (message) => {
    expect(kindsIn(message)).toEqual([kind]);
  });
});

describe('no contradiction is in', () => {
  test.for([
    // What is denied.
    'No tests fail.',
    'No tests are failing any more.',
    'There are no failing tests.',
    'None of the tests fail.',
    'Tests: 0 failed, 12 passed',
    '0 tests failed',
    '12 tests, 0 failures',
    'Failing tests: none',
    'Failing tests: 0',
    '| Failing tests | 0 |',
    'failed: 0, passed: 4',
    'There is no remaining work.',
    'No work remains.',
    'Remaining work: none.',
    '## Remaining work\n\nNone.',
    'Remaining tasks: n/a',
    'I am not blocked by anything.',
    'The task is not blocked by TASK-002.',
    'Blocked by: nothing',
    'There is nothing I still need to do.',
    'Nothing remains to be done.',
    "I don't still need to run it.",
    'There are no TODO: comments.',
    'There are no TODO:, FIXME: or XXX: comments left.',
    'I did not leave any TODO: or FIXME: behind.',
    'The code is free of TODO: comments.',
    'TODO: none',
    'Nothing is not yet implemented.',
    // What was put right.
    'I removed the TODO: in parse.ts.',
    'Removed the last two FIXME: comments.',
    'Resolved the TODO: about retries.',
    'The TODO: was removed.',
    'The FIXME: in cache.ts has been fixed.',
    'Replaced every TODO: by a test.',
    'Fixed the failing tests.',
    'I fixed all 3 failing tests.',
    'I completed the remaining work.',
    'Finished the remaining tasks: docs and changelog.',
    'The remaining work is done.',
    'The remaining steps are all completed.',
    'This was blocked by a missing schema, which I added.',
    'Previously blocked by the schema; it is now fixed.',
    'The deployment was previously blocked by a lock, now resolved.',
    'Blocked by the missing schema – resolved.',
    'Initially two tests failed.',
    'At first 3 tests failed because of the clock; I fixed it.',
    'Two tests failed. They are fixed now.',
    'The tests were failing since the port was taken.',
    'The tests no longer fail.',
    'Tests used to fail on Windows.',
    '2 tests failed before my change.',
    'Two tests fail; repairing.\nAll 12 tests pass.',
    'Tests: 2 failed, 10 passed\n\nThen I repaired the clock.\n\nTests: 12 passed, 12 total',
    'Pagination, which was not yet implemented, is there now.',
    'Earlier I could not complete the migration; it is done now.',
    '- [x] TODO: write the docs',
    '✅ Blocked by TASK-002: merged',
    'Initially, two tests failed.',
    'Before my change, 2 tests fail.',
    'On main, 2 tests fail.',
    'Before: 2 failed, 30 passed. After: 32 passed.',
    'With the fix reverted, 3 tests fail.',
    'Without my change, 3 tests fail.',
    'I saw that reverting the fix makes 2 tests fail.',
    'Previously failing tests now pass.',
    'The suite is robust: it does not matter if one of the tests fails.',
    'I considered leaving a TODO: for pagination, but implemented it instead.',
    // What is supposed, asked, or meant.
    'If tests fail, the hook blocks the commit.',
    'CI stops when tests fail.',
    'The build breaks whenever a test fails.',
    'Should tests fail, it exits with 1.',
    'The new test fails without the fix.',
    'I confirmed that the test fails on the old code.',
    'I saw the new test fail, then made it pass.',
    'I wrote a failing test first.',
    'Do I still need to run the linter?',
    'The account is locked after 5 failed logins; a test covers this.',
    'It gives up after 3 failed attempts, as the tests show.',
    'The breaker opens after 3 failures; tests cover it.',
    'The tests cover failing requests.',
    'The runner retries tests that fail.',
    // What is said of others, or of the program.
    'You still need to set API_KEY in production.',
    'Users still need to confirm their address.',
    'Callers still have to close the handle.',
    'Customers cannot complete the checkout with an empty cart.',
    'Users cannot finish the form without a name.',
    'Requests without a token are blocked by the middleware.',
    'The script now checks for TODO: comments.',
    'I searched for FIXME: and found two in vendored code.',
    'The endpoint returns 501 not yet implemented, as specified.',
    'Remaining work is out of scope of this task: a web UI.',
    'The remaining time is shown in the header.',
    'If the lock is held, tests fail with a message.',
    'Requests that exceed it are blocked by the limiter.',
    'The linter rule now reports FIXME: comments, and TODO: comments without an owner.',
    'The README says what still needs to be configured by the user.',
    'The function returns an error when the upload cannot complete in time.',
    'It handles the case where the payment could not be completed.',
    'The bug was that users could not complete the checkout.',
    // What is only quoted.
    'The linter flags `TODO:` comments.',
    'It prints ``TODO: `x` ``.',
    'The message "tests fail" is shown in red.',
    "The label 'Blocked by' is translated.",
    'The spec says “remaining work: none may be left”.',
    '~~TODO: write the docs~~',
    '> I still need to do this',
    '```\nTODO: x\n2 tests failed\n```',
    '~~~text\nBlocked by x\n~~~',
    '- ```\n  FIXME: x\n  ```',
    '````\n```\nTODO: x\n```\n````',
    // What has other words in it.
    'The to-do list shows TODO items.',
    'mastodon: done',
    'It is done. All 12 tests pass, and the linter is quiet.',
    '',
  ])('%j', (message) => {
    expect(findContradictions(message)).toEqual([]);
  });
});

test('each is told with its line', () => {
  const message =
    'All done.\r\n\r\n\u001B[31m- TODO: docs\u001B[0m\r\n```\nTODO: code\n```\n  Blocked by \uFFFDx.  \n';
  expect(findContradictions(message)).toEqual([
    { kind: 'todo', line: 3, text: '- TODO: docs' },
    { kind: 'blocked', line: 7, text: 'Blocked by \uFFFDx.' },
  ]);
});

test('a line has one', () => {
  expect(kindsIn('TODO: I still need to see why 2 tests fail.')).toEqual(['todo']);
});

const MEGABYTE = 2 ** 20;
const filled = (part: string) => part.repeat(Math.ceil(MEGABYTE / part.length));

// Looking at a line as often as it has words would take minutes here: the limit of every test would end it.
test.for([
  ['of words', filled('fixed it ')],
  ['of contradictions in one line', filled('no TODO: ')],
  ['of contradictions', filled('TODO: x\n')],
  ['of blanks', `TODO${filled(' ')}:`],
  ['of blanks behind a number', filled(`1${' '.repeat(10_000)}`)],
  ['of numbers', filled('1,')],
  ['of digits', filled('1')],
  ['of counted tests', filled('1 tests ')],
  ['of tests that are', filled('tests are ')],
  ['of tests that are and are', `tests${filled(' are')}`],
  ['of backticks', Array.from({ length: 1400 }, (_, n) => '`'.repeat(n)).join(' ')],
  ['of quotation marks', filled('“')],
  ['of apostrophes', filled(" 'a")],
  ['of struck out words', filled('~~')],
  ['of escape sequences', filled('\u001B[;')],
  ['of escape sequences that nothing ends', filled('\u001B]8;')],
  ['of list marks', filled('- ')],
  ['of headings', filled('# Remaining work\n')],
  ['of punctuation', filled('., ')],
  ['of blocked ones', filled('it is is ')],
] as const)('a megabyte %s is read in one go', ([, message]) => {
  expect(findContradictions(message).length).toBeLessThanOrEqual(MEGABYTE / 8);
});
