import { expect, test } from 'vitest';
import { passedBlocksIn } from '../../../../src/diagnostics/failures/passed-blocks.ts';

/** The lines that belong to blocks of tests that have not failed: each begins with `-` in the text. */
const marked = (text: string) => {
  const lines = text.split('\n').map((line) => ({ isPassed: line.startsWith('-|'), text: line.slice(2) }));
  const all = lines.map(({ text: said }, at) => ({ at, text: said }));
  return { all, expected: lines.flatMap(({ isPassed }, at) => (isPassed ? at : [])) };
};

test.each([
  [
    'JUnit XML, of a test that was skipped',
    ' | <testcase name="adds">\n |  <failure message="1"/>\n | </testcase>\n-| <testcase name="later">\n-|  <skipped type="todo"/>\n-|  <failure message="2"/>\n-| </testcase>\n | <testcase name="ok"/>\n |</testsuite>',
  ],
  [
    'Cucumber, of an attempt before the last one',
    ' |Failures:\n |1) Scenario: Refund (attempt 2) # a.feature:1\n |   ✖ Then 3\n |Warnings:\n-|1) Scenario: Refund (attempt 1, retried) # a.feature:1\n-|   ✖ Then 3\n |2 scenarios (1 failed, 1 passed)',
  ],
  [
    'Playwright, of a test that has passed in the end',
    ' |  1) a.spec.ts:3:1 › adds ────\n |    Error: 1\n-|  2) a.spec.ts:9:1 › waits ────\n-|    Error: 2\n |  1 failed\n |    a.spec.ts:3:1 › adds ────\n |  1 flaky\n |    a.spec.ts:9:1 › waits ────\n |  3 passed (2s)',
  ],
  [
    'Playwright, where none has',
    ' |  1) a.spec.ts:3:1 › adds ────\n |    Error: 1\n |  1 failed\n |    a.spec.ts:3:1 › adds ────',
  ],
  [
    'Deno, of a test that has passed',
    ' |adds ...\n-|------- output -------\n-|added 1\n-|----- output end -----\n |adds ... ok (1ms)\n |pays ...\n |------- output -------\n |paid 1\n |----- output end -----\n |pays ... FAILED (2ms)',
  ],
  [
    'doctest of C++, of a test that should fail',
    ' |===============================\n |a.cpp:3: ERROR: 1\n-|===============================\n-|a.cpp:9: ERROR: 2\n-|Failed as expected so marking it as not failed\n |===============================\n |[doctest] Status: FAILURE!',
  ],
  [
    'TAP, of a title whose assertions have passed',
    ' |# pays\n |not ok 1 paid\n |  ---\n |    expected: 3\n |  ...\n-|# adds\n-|ERROR no rate\n-|ok 2 added\n |# tests 2',
  ],
  [
    'TAP, of a title with an assertion that has failed',
    ' |# pays\n |ok 1 paid\n |not ok 2 rounded\n |  ---\n |  ...\n |# tests 2',
  ],
  [
    'TAP without YAML, where a comment is about the test above',
    ' |not ok 1 - paid\n |#   Failed test\n |# of 3 lines\n |ok 2 - added',
  ],
  ['publint, of suggestions beside errors', ' |Errors:\n |1. no types\n-|Suggestions:\n-|1. add a type'],
  ['publint, of suggestions alone', ' |Suggestions:\n |1. add a type'],
  [
    'SRFI 64, of a test that has passed',
    '-|Test begin:\n-|  test-name: "adds"\n-|Test end:\n-|  result-kind: pass\n |Test begin:\n |  test-name: "pays"\n |Test end:\n |  result-kind: fail\n |Group end: cart',
  ],
  ['XML that was cut', ' |<testcase name="later">\n |  <skipped/>'],
])('of the blocks of %s, those are found that have not failed', (_what, text) => {
  const { all, expected } = marked(text);

  expect(passedBlocksIn(all)).toEqual(expected);
});

test('what pytest says of tests that have passed is a block that ends above its summary', () => {
  const { all, expected } = marked(
    ' |==== FAILURES ====\n |E   assert 3\n-|==== PASSES ====\n-|____ test_add ____\n-|ERROR no rate\n |==== short test summary info ====\n |FAILED a.py',
  );

  expect(passedBlocksIn(all)).toEqual(expected);
});
