import { describe, expect, test } from 'vitest';
import { comparableErrors } from '../../../../src/diagnostics/fold/errors.ts';
import { condensed } from '../../../helpers/condensed.ts';

const of = (text: string) => comparableErrors(condensed(text));

describe('two outputs have the same errors if they differ in', () => {
  test.each([
    ['durations', '✗ adds (3 ms)\n  Error: late after 2.5 s', '✗ adds (12 ms)\n  Error: late after 31.7 s'],
    ['a duration that slow tests have', '✗ adds 312ms\n  Error: a', '✗ adds\n  Error: a'],
    ['durations of two units', 'Error: a in 1m 23s', 'Error: a in 2m 4.5s'],
    ['many durations before the end', `Error: ${'3 ms '.repeat(60)}late`, `Error: ${'4 ms '.repeat(60)}late`],
    ['how much of a time has passed', 'Error: a (3 of 120 s)', 'Error: a (7 of 120 s)'],
    ['the clock', '2026-01-31 10:30:00 ERROR Error: boom', '2026-02-01 08:00:59 ERROR Error: boom'],
    ['the date in words', 'Error: a on Sat, Jan 31 2026', 'Error: a on Sun, Feb 1 2026'],
    [
      'times with a zone',
      'Error: late since 2026-01-31T10:30:00.123Z',
      'Error: late since 2026-02-01T08:00:59.5+01:00',
    ],
    ['milliseconds since 1970', 'Error: run 1769855400123 died', 'Error: run 1769855999456 died'],
    ['addresses', 'Error: bad pointer 0x7ffd52', 'Error: bad pointer 0x55ecAB'],
    ['the hash of an object', 'Error: no Cart@1b6d3586 left', 'Error: no Cart@4554617c left'],
    [
      'UUIDs',
      'Error: no row 6f9619ff-8b86-d011-b42d-00c04fc964ff',
      'Error: no row 550e8400-e29b-41d4-a716-446655440000',
    ],
    ['temporary directories', "Error: no '/tmp/x-12ab/a.json'", "Error: no '/tmp/x-99zz/a.json'"],
    ['temporary files', 'Error: no /tmp/tmpx12ab.json', 'Error: no /tmp/tmpy99zz.json'],
    ['temporary directories below others', 'Error: no /tmp/a/b12', 'Error: no /tmp/a/c13'],
    ['temporary paths on a Mac', 'Error: no /var/folders/a/b/c.json', 'Error: no /var/folders/z/c.json'],
    ['process IDs', 'Error: worker 12 of pid 345 died', 'Error: worker 3 of pid 99 died'],
    ['the process that warns', '(node:345) Error: boom', '(node:99) Error: boom'],
    [
      'the worker that ran the test',
      '[gw3] [ 50%] FAILED tests/a.py::t',
      '[gw0] [ 99%] FAILED tests/a.py::t',
    ],
    ['names of threads', 'Error: pool-1-thread-3 died', 'Error: pool-2-thread-12 died'],
    ['the prefix of a process', '==22573== Error: a', '==881== Error: a'],
    ['ports that the system chose', 'Error: no answer, port: 40123', 'Error: no answer, port: 51999'],
    [
      'the port of an address',
      'connect ECONNREFUSED 127.0.0.1:40123',
      'connect ECONNREFUSED 127.0.0.1:51999',
    ],
    ['seeds', 'Error: falsified, seed: 1234', 'Error: falsified, seed: -99'],
    ['retries', '✗ adds (retry x1)\n  Error: a', '✗ adds (retry x2)\n  Error: a'],
    ['the number of an attempt', 'Error: attempt 1 of 3 failed: a', 'Error: attempt 3 of 3 failed: a'],
    ['how far the run was', 'tests/a.py::t FAILED [ 50%]', 'tests/a.py::t FAILED [ 75%]'],
    ['the number of the test', 'not ok 2 - adds', 'not ok 7 - adds'],
    ['the number of the failure', '  1) adds\n     Error: a', '  3) adds\n     Error: a'],
    ['the line', 'src/a.c:3:5: error: e', 'src/a.c:14:5: error: e'],
    ['the line in brackets', 'src/a.ts(3,5): error TS1: e', 'src/a.ts(14,5): error TS1: e'],
    ['the line below the file', 'src/a.js\n  3:5  error  e  no-e', 'src/a.js\n  14:5  error  e  no-e'],
    ['lines that are not errors', 'building 12\nError: boom\ndone', 'building 999\nfast\nError: boom\n'],
    ['stacks', 'Error: boom\n    at a (/p/a.ts:1:1)', 'Error: boom\n    at a (/p/a.ts:9:1)'],
    ['colours', '\u001b[31mError: boom\u001b[0m', 'Error: boom'],
    ['how often the error is printed', 'Error: boom\nbuilding\n\n\nError: boom', 'Error: boom'],
    [
      'the order of the failures',
      '✗ adds\n  Error: a\n✗ ends\n  Error: b',
      '✗ ends\n  Error: b\n✗ adds\n  Error: a',
    ],
    [
      'which task printed first',
      '[web] Error: a\n[api] Error: b\n[web] ok\n[api] ok',
      '[api] Error: b\n[api] ok\n[web] Error: a\n[web] ok',
    ],
    [
      'the warnings of another compiler between its lines',
      'src/b.c:1:1: warning: w\nsrc/a.c:3:5: error: e',
      'src/a.c:3:5: error: e\nsrc/c.c:2:2: warning: v',
    ],
    ['times in the last lines, without an error', 'loading\nstep 3 in 12 ms', 'loading\nstep 3 in 40 ms'],
  ])('%s', (_, first, second) => {
    expect(of(first)).toEqual(of(second));
    expect(of(first).join('')).not.toBe('');
  });
});

interface FailedTest {
  readonly file: string;
  readonly name: string;
  readonly value: number;
}

/** How runners print failed tests; `ms` is a duration. */
const RUNNERS: Readonly<Record<string, (tests: readonly FailedTest[], ms: number) => string>> = {
  vitest: (tests, ms) =>
    [
      ...tests.map(
        ({ file, name, value }, n) =>
          ` ❯ tests/${file}.test.ts (12 tests | 1 failed) ${ms + n}ms\n   × ${name}${n % 2 ? ` ${ms}ms` : ''}\n     → expected ${value} to be 1`,
      ),
      `\n⎯⎯⎯⎯⎯⎯⎯ Failed Tests ${tests.length} ⎯⎯⎯⎯⎯⎯⎯\n`,
      ...tests.map(
        ({ file, name, value }, n) =>
          ` FAIL  tests/${file}.test.ts > ${name}\nAssertionError: expected ${value} to be 1\n\n- Expected\n+ Received\n\n- 1\n+ ${value}\n\n ❯ tests/${file}.test.ts:12:29\n     12|     expect(x).toBe(1);\n       |               ^\n\n⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[${n + 1}/${tests.length}]⎯\n`,
      ),
    ].join('\n'),
  jest: (tests, ms) =>
    tests
      .map(
        ({ file, name, value }) =>
          `FAIL tests/${file}.test.js (${ms / 1000} s)\n  ✓ works (${ms} ms)\n  ✕ ${name} (${ms} ms)\n\n  ● ${name}\n\n    expect(received).toBe(expected)\n\n    Expected: 1\n    Received: ${value}\n\n      at Object.<anonymous> (tests/${file}.test.js:12:5)\n`,
      )
      .join('\n'),
  'pytest with workers': (tests, ms) =>
    [
      ...tests.map(
        ({ file, name }, n) =>
          `[gw${(ms + n) % 4}] [ ${ms % 90}%] FAILED tests/${file}.py::${name.replaceAll(' ', '_')} `,
      ),
      ...tests.map(
        ({ file, name, value }, n) =>
          `_________ ${name.replaceAll(' ', '_')} _________\n[gw${(ms + n) % 4}] linux -- Python 3.11.2 /usr/bin/python3\n\n>       assert x == 1\nE       assert ${value} == 1\n\ntests/${file}.py:12: AssertionError`,
      ),
      `==== ${tests.length} failed in 0.${ms}s ====`,
    ].join('\n'),
  'Go packages': (tests, ms) =>
    tests
      .map(
        ({ file, name, value }) =>
          `--- FAIL: Test${name.replaceAll(' ', '')} (0.${ms}s)\n    ${file}_test.go:12: got ${value}, want 1\nFAIL\nFAIL\texample.com/x/${file}\t0.${ms}s`,
      )
      .join('\n'),
  mocha: (tests, ms) =>
    tests
      .map(
        ({ file, name, value }, n) =>
          `  ${n + 1}) ${file}\n       ${name}:\n\n      AssertionError: expected ${value} to equal 1\n      + expected - actual\n\n      -${value}\n      +1\n\n      at Context.<anonymous> (test/${file}.js:12:5)\n`,
      )
      .join(`\n  ${ms} passing (${ms}ms)\n`),
};

describe.each(Object.entries(RUNNERS))('the failed tests of %s', (_, print) => {
  const tests = ['adds', 'rounds up', 'ends', 'begins'].map((name, i) => ({
    file: `f${i % 3}`,
    name,
    value: 103 + i,
  }));

  test('are the same in any order, with any durations', () => {
    const first = of(print(tests, 12));

    for (const [i] of tests.entries())
      expect(of(print([...tests.slice(i), ...tests.slice(0, i)].reverse(), 345 + i))).toEqual(first);
  });

  test('differ if one received another value', () => {
    expect(of(print(tests, 12))).not.toEqual(
      of(print(tests.with(1, { ...tests[1], value: 999 } as FailedTest), 12)),
    );
  });

  test('differ if one of them passes', () => {
    expect(of(print(tests, 12))).not.toEqual(of(print(tests.slice(1), 12)));
  });
});

describe('two outputs have different errors if they differ in', () => {
  test.each([
    [
      'a value that begins in the error line',
      "Error: {\n  code: 3,\n  reason: 'late'\n}",
      "Error: {\n  code: 3,\n  reason: 'lost'\n}",
    ],
    ['the file', 'src/a.c:3:5: error: e', 'src/b.c:3:5: error: e'],
    ['the file above', 'src/a.js\n  3:5  error  e  no-e', 'src/b.js\n  3:5  error  e  no-e'],
    ['the message', 'Error: a', 'Error: b'],
    ['the test', '✗ adds', '✗ subtracts'],
    ['a number in the name of the test', '✗ adds 2 items', '✗ adds 3 items'],
    ['a value', 'AssertionError: expected 3 to be 4', 'AssertionError: expected 2 to be 4'],
    [
      'a received value',
      '✗ adds\n  Error: not equal\n    Expected: 4\n    Received: 3',
      '✗ adds\n  Error: not equal\n    Expected: 4\n    Received: 2',
    ],
    [
      'a line of a diff',
      '✗ adds\n  Error: a\n  - 104.9\n  + 109.9',
      '✗ adds\n  Error: a\n  - 104.9\n  + 105.9',
    ],
    [
      'a value below its name',
      'a.cc:3: Failure\nExpected equality of these values:\n  3\n  4',
      'a.cc:3: Failure\nExpected equality of these values:\n  2\n  4',
    ],
    ['the end of a long value', `Error: expected ${'x'.repeat(400)}1`, `Error: expected ${'x'.repeat(400)}2`],
    ['a duration that was expected', 'Error: expected 5 ms to be 7 ms', 'Error: expected 6 ms to be 7 ms'],
    ['a quoted time', "Error: expected '10:30:00' to be x", "Error: expected '10:31:00' to be x"],
    ['a date that was received', 'Error: got 2026-01-31, want x', 'Error: got 2026-01-30, want x'],
    ['a percentage', 'Error: coverage of 71.2 % is too low', 'Error: coverage of 74 % is too low'],
    ['a port that the project chose', 'Error: port 3000 is taken', 'Error: port 8080 is taken'],
    ['one more failure', '✗ adds', '✗ adds\n✗ subtracts'],
    ['one failure less', '✗ adds\n✗ subtracts', '✗ subtracts'],
    ['the name of a temporary file', 'Error: no /tmp/x/a.json', 'Error: no /tmp/x/b.json'],
    ['the last lines, without an error', 'loading\nstep 3', 'loading\nstep 4'],
  ])('%s', (_, first, second) => {
    expect(of(first)).not.toEqual(of(second));
  });
});

test('warnings, and errors that passing tests logged, are not errors of the output', () => {
  expect(of('src/a.c:3:5: warning: w\nError: expected\n✓ refuses\nsrc/a.c:3:5: error: e\n')).toEqual([
    'src/a.c: error: e',
  ]);
});

test('an output has 40 errors at most, each of 300 characters at most', () => {
  const errors = of(
    Array.from({ length: 500 }, (_, i) => `src/a${i}.ts(${i},5): error TS${i}: ${'word '.repeat(200)}`).join(
      '\n',
    ),
  );

  expect(errors).toHaveLength(40);
  expect(Math.max(...errors.map(({ length }) => length))).toBeLessThanOrEqual(300);
});

test('an empty output has no errors', () => {
  expect([comparableErrors(undefined), of('')]).toEqual([[], []]);
});
