import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const LONG = Array.from({ length: 800 }, (_, i) => `step ${i} of 800 is done`).join('\n');
const CRASH = 'Segmentation fault (core dumped)';

describe.each([
  ['googletest', '[ RUN      ] Cart.Adds', '[       OK ] Cart.Adds (0 ms)'],
  [
    'XCTest',
    "Test Case '-[CartTests testAdds]' started.",
    "Test Case '-[CartTests testAdds]' passed (0.001 seconds).",
  ],
  ['Swift Testing', '◇ Test "adds" started.', '✔ Test "adds" passed after 0.001 seconds.'],
])('where a crash ends the tests of %s', (_, began, ended) => {
  const before = `${began.replaceAll(/adds/gi, 'Divides')}\n${ended.replaceAll(/adds/gi, 'Divides')}`;
  test.each([
    ['short', ''],
    ['long', `${LONG}\n`],
  ])('a %s output shows the one that began', (__, start) => {
    expect(excerpt(`${start}${before}\n${began}\n${CRASH}`)).toContain(`${began}\n${CRASH}`);
  });

  test('none is shown that has a result', () => {
    expect(excerpt(`${LONG}\n${before}\n${began}\n${ended}\nclosing\n${CRASH}`)).not.toContain(began);
  });
});

describe('the test in which a goroutine has panicked', () => {
  const panic = (frame: string) =>
    `=== RUN   TestIdle\n2026/11/28 01:55:41 north lifts\npanic: runtime error: index out of range\n\ngoroutine 10 [running]:\n${frame}\nFAIL\texample.org/pier\t0.050s`;
  const others = Array.from(
    { length: 9 },
    (_, i) => `=== RUN   TestPays${i}\n    pays_test.go:${i}: got ${i}\n--- FAIL: TestPays${i} (0.00s)`,
  ).join('\n');

  test('is shown if the stack does not name it', () => {
    const own = 'example.org/pier.(*Crane).lift(0xc0)\n\t/p/crane.go:26 +0xd1';
    expect(excerpt(`${panic(own)}\n${LONG}\n${others}`)).toContain('=== RUN   TestIdle');
  });

  test('is not shown if the stack names it', () => {
    const own = 'example.org/pier.TestIdle(0xc0)\n\t/p/crane_test.go:26 +0xd1';
    expect(excerpt(`${panic(own)}\n${LONG}\n${others}`)).not.toContain('=== RUN   TestIdle');
  });
});

test('the test of Go that was running when its program ended is shown, and none that has a result', () => {
  const running =
    '=== RUN   TestLoad\n--- PASS: TestLoad (0.00s)\n=== RUN   TestQuoted\n2026/11/29 02:50:59 config: cannot read it\nFAIL\texample.com/config\t0.005s';
  const ended =
    '=== RUN   TestAdds\n    a_test.go:9: got 3\n--- FAIL: TestAdds (0.00s)\nFAIL\nFAIL\texample.com/cart\t0.3s';
  const shown = excerpt(`${running}\n${LONG}\n${ended}`);

  expect(shown).toContain('=== RUN   TestQuoted\n2026/11/29 02:50:59');
  expect(shown).not.toContain('=== RUN   TestAdds');
});

test('beside a failure that a wrapper counts, the test that crashed is shown', () => {
  const output = `FAIL: //cart:all\n[ RUN      ] Cart.Adds\nrun.sh: line 310: 94915 Aborted\n//cart:all FAILED in 0.1s`;

  expect(excerpt(output)).toContain('[ RUN      ] Cart.Adds');
});

describe('a test that passed before a failure is', () => {
  const passed = '✓ keeps fresh points';
  test.each([
    ['shown: the next one may have crashed', CRASH, true],
    [
      'not shown where too little is covered',
      'Jest: coverage threshold for lines (95%) not met: 47.05%',
      false,
    ],
    ['not shown where the tests were counted', `Tests:       6 passed, 6 total\n${CRASH}`, false],
  ])('%s', (_, failed, isShown) => {
    expect(excerpt(`${LONG}\n${passed}\n${failed}`).includes(passed)).toBe(isShown);
  });
});

describe('the last record of a log before', () => {
  const log = Array.from({ length: 12 }, (_, i) => `10:30:${i + 10} INFO  read ${i}00 rows`).join('\n');
  const OUT_OF_MEMORY =
    '<--- JS stacktrace --->\n\nFATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory';
  test.each([
    ['a heap that was full is shown in a short output', '', OUT_OF_MEMORY, true],
    ['a heap that was full is shown in a long output', `${LONG}\n`, OUT_OF_MEMORY, true],
    ['another crash is left out', '', CRASH, false],
    ['a full heap at a place is left out', '', `${OUT_OF_MEMORY}\n    at read (src/rows.js:3:5)`, false],
  ])('%s', (_, start, failed, isShown) => {
    expect(excerpt(`${start}${log}\n${failed}`).includes('read 1100 rows')).toBe(isShown);
  });
});
