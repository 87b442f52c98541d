import { describe, expect, test } from 'vitest';
import {
  changeBetween,
  failureNames,
  repeatsHeadline,
} from '../../../../src/diagnostics/fold/failure-names.ts';
import { condensed } from '../../../helpers/condensed.ts';

const namesIn = (text: string) => failureNames(condensed(text));

describe('the names of the failures of an output are', () => {
  test.each([
    ['its failed tests', '✗ adds (3 ms)\n  Error: a\n✓ ends\n✗ counts\n  Error: b', ['adds', 'counts']],
    [
      'each failed test once, as the details name it',
      ' ❯ tests/a.test.ts (2 tests | 1 failed)\n   × adds 12ms\n\n FAIL  tests/a.test.ts > cart > adds\nError: a',
      ['tests/a.test.ts > cart > adds'],
    ],
    [
      'its failed tests without their number, state and reason',
      'tests/a.py::test_add FAILED [ 50%]\n\nFAILED tests/a.py::test_add - assert 3 == 4',
      ['tests/a.py::test_add'],
    ],
    [
      'each failed test once, also if its name ends with a date',
      '  is due on 2026-05-20 (FAILED - 1)\n\n  1) Dunning is due on 2026-05-20\n     Failure/Error: expect(level)\n',
      ['Dunning is due on'],
    ],
    ['its failed tests of TAP', 'not ok 2 - adds\nnot ok 3 - counts', ['adds', 'counts']],
    ['its failed tests of Go', '--- FAIL: TestAdd (0.00s)\nFAIL\texample.com/x\t0.3s', ['TestAdd']],
    [
      'the tests below their headings',
      '  1) Failure:\nCartTest#test_adds [a.rb:3]:\nExpected: 1\n',
      ['Failure: CartTest#test_adds [a.rb]:'],
    ],
    ['the files that could not be tested', ' FAIL  tests/a.test.ts\nError: a', ['tests/a.test.ts']],
    [
      'its errors with a place, where it has no tests',
      'src/a.ts(3,5): error TS1: e\nsrc/a.ts(9,5): error TS1: e',
      ['src/a.ts: error TS1: e', 'src/a.ts: error TS1: e'],
    ],
    ['unknown for an exception', 'Error: boom', undefined],
    ['unknown for an empty output', '', undefined],
    [
      'unknown where there are too many to keep all of them',
      Array.from({ length: 300 }, (_, i) => `✗ adds ${i}\n  Error: e`).join('\n'),
      undefined,
    ],
  ])('%s', (_, output, names) => {
    expect(namesIn(output)).toEqual(names);
  });
});

test.each([
  [['a', 'b', 'c'], ['c', 'b'], { gone: ['a'], added: [] }],
  [['a', 'b'], ['b', 'x', 'a'], { gone: [], added: ['x'] }],
  [['a', 'b', 'c'], ['x', 'c'], { gone: ['a', 'b'], added: ['x'] }],
  [['e', 'e', 'e'], ['e'], { gone: ['e', 'e'], added: [] }],
  [['adds', 'Failed test: adds', 'b'], ['b'], { gone: ['adds'], added: [] }],
  [['a', 'b'], ['x'], undefined],
  [['a'], [], undefined],
])('the change from %j to %j is %j', (before, now, change) => {
  expect(changeBetween(before, now)).toEqual(change);
});

test('a line has the name of a failed test again, also without the step in which it failed', () => {
  const { failures } = condensed(
    '  1) a.spec.ts:3:1 › pays › checks the total ────\n\n    Error: no\n\n  2) a.spec.ts:9:1 › adds ────\n\n    Error: no\n',
  );
  const isRepeated = repeatsHeadline(failures.map(({ block }) => block));
  const isNamed = (text: string) => isRepeated({ at: 99, text });

  expect(isNamed('    a.spec.ts:3:1 › pays ────')).toBe(true);
  expect(isNamed('    a.spec.ts:9:1 › adds ────')).toBe(true);
  expect(isNamed('    a.spec.ts:5:1 › checks the total ────')).toBe(false);
});
