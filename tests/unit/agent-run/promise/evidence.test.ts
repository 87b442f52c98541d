import { describe, expect, test } from 'vitest';
import {
  showsApproval,
  showsChanges,
  showsPassingTests,
} from '../../../../src/agent-run/promise/evidence.ts';

describe('showsPassingTests is true for', () => {
  test.for([
    '12 passed',
    '12 tests passed in 3.1s',
    '  12 passing (40ms)',
    'Tests: 5 passed, 5 total',
    ' Tests  12 passed (12)',
    'Tests:       1 skipped, 4 passed, 5 total',
    'Tests: 0 failed, 5 passed',
    'ok 12 - parses a list',
    'ok  \tgithub.com/x/y\t0.012s',
    'ok   github.com/x/y  (cached)',
    'PASS',
    'PASS src/parse.test.ts',
    '--- PASS: TestParse (0.00s)',
    '# pass 12\n# fail 0',
    'ℹ pass 3\nℹ fail 0',
    'All tests pass.',
    'All tests passed',
    'All 12 tests now pass.',
    'all unit tests are passing',
    'The whole test suite passes.',
    'The suite is green.',
    'Every test passes.',
    'Tests pass.',
    '12/12 tests pass',
    '12 of 12 tests pass',
    'test result: ok. 12 passed; 0 failed; 0 ignored',
    'test result: ok',
    'OK (12 tests)',
    'OK (12 tests, 30 assertions)',
    '12 examples, 0 failures',
    '12 runs, 30 assertions, 0 failures, 0 errors',
    'Tests run: 12, Failures: 0, Errors: 0, Skipped: 0',
    'Passed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12',
    '100% tests passed, 0 tests failed out of 12',
    '============ 12 passed, 1 warning in 0.10s ============',
    '```\n12 passed\n```',
    '**All tests pass**',
    '\u001B[32m12 passed\u001B[0m',
    'First 2 tests failed; I repaired the clock.\n\nAll 12 tests pass.',
    'FAIL src/a.test.ts\n\nAfter the fix:\n\nPASS src/a.test.ts',
    'No tests fail. 12 passed.',
    'Before: 2 failed, 30 passed. After: 32 passed.',
    'Result: 40/40 tests passing, 0 failing.',
    'With the fix reverted, 3 tests fail; with it, all tests pass.',
  ])('%j', (message) => {
    expect(showsPassingTests(message)).toBe(true);
  });
});

describe('showsPassingTests is false for', () => {
  test.for([
    '',
    'All is done.',
    '0 passed',
    'Tests: 0 passed, 0 total',
    '# pass 0',
    'OK (0 tests)',
    'test result: ok. 0 passed; 0 failed',
    '0 examples, 0 failures',
    '2 failed, 10 passed',
    'Tests: 1 failed, 4 passed, 5 total',
    'FAIL src/b.test.ts\nPASS src/a.test.ts',
    'PASS src/a.test.ts\nFAIL src/b.test.ts',
    'FAIL src/b.test.ts\nPASS src/a.test.ts\n\nThat is all.',
    'ok 1 - a\nnot ok 2 - b',
    'Tests: 1 failed, 4 passed\nSuites: 3 passed',
    '12 passed\n\nAfter the last change 2 tests fail.',
    'All tests pass except two.',
    'All tests pass, but the login test fails.',
    'Not all tests pass.',
    'No tests pass.',
    'The tests do not pass.',
    "The tests don't pass yet.",
    'The tests should pass now.',
    'All tests will pass.',
    'Once all tests pass, I will commit.',
    'I want to make all tests pass.',
    'I could not see whether the tests pass.',
    'If the tests pass, merge it.',
    'Do all tests pass?',
    'Earlier all tests passed.',
    'The tests pass on main.',
    'I pass 3 arguments to the tests.',
    'ok so the tests are written',
    'PASSWORD is set',
    '> 12 passed',
    'No tests were run.',
    'all tests pass (no tests found)',
  ])('%j', (message) => {
    expect(showsPassingTests(message)).toBe(false);
  });
});

describe('showsApproval is true for', () => {
  test.for([
    'Approved.',
    'APPROVED',
    '**Verdict:** `APPROVED`',
    'Verdict: approve',
    'I approve this change.',
    'LGTM',
    'LGTM!',
    'lgtm, nice tests',
    'REVIEW PASSED',
    'Review passed: no findings.',
    'It looks good to me.',
    'The changes look good to me',
    '## Verdict: ✅ Approved',
    'No changes requested. Approved.',
    'The requested changes were made. Approved.',
    'All changes requested in round 1 are now made; approved.',
    'Changes requested: none. Approved.',
    'I have no objections: approved',
  ])('%j', (message) => {
    expect(showsApproval(message)).toBe(true);
  });
});

describe('showsApproval is false for', () => {
  test.for([
    '',
    'I reviewed the change.',
    'Not approved.',
    'The change is not approved.',
    'I cannot approve this.',
    "I can't approve it yet.",
    'I do not approve.',
    'Unable to approve: two findings.',
    'Changes requested.',
    'Verdict: REQUEST CHANGES\n\nThe parser looks good to me.',
    'Approved once the tests are fixed.',
    'Approved if X is removed.',
    'Approved, changes requested in parse.ts.',
    'Approved pending CI.',
    'LGTM except the naming.',
    'This will be approved when it is fixed.',
    'It would be approved.',
    'It needs to be approved by a maintainer.',
    'Please approve.',
    'Is this approved?',
    'Approved: no',
    'Rejected.',
    'REVIEW FAILED',
    'Disapproved.',
    'The word "approved" is shown in green.',
    '> Approved',
    '```\nAPPROVED\n```',
    'The list of approved users is cached.',
  ])('%j', (message) => {
    expect(showsApproval(message)).toBe(false);
  });
});

describe('showsChanges is true for', () => {
  test.for([
    'I committed the parser.',
    'Committed as 1a2b3c4.',
    '[main 1a2b3c4] Add the parser',
    '```\n[main (root-commit) 1a2b3c4] Add the parser\n```',
    'Created src/parse.ts and its tests.',
    '- Updated README.md',
    'I implemented the parser.',
  ])('%j', (message) => {
    expect(showsChanges(message)).toBe(true);
  });
});

describe('showsChanges is false for', () => {
  test.for([
    '',
    'All is done.',
    'Nothing was changed.',
    'I did not change or commit anything; no files were modified.',
    'The parser was already implemented.',
    'Should it be committed?',
    'If it were committed, CI would run.',
    '> I committed the parser.',
  ])('%j', (message) => {
    expect(showsChanges(message)).toBe(false);
  });
});
