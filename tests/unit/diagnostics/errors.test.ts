import { describe, expect, test } from 'vitest';
import { comparableErrors } from '../../../src/diagnostics/errors.ts';
import { condensed } from '../../helpers/condensed.ts';

const of = (text: string) => comparableErrors(condensed(text));

describe('two outputs have the same errors if they differ in', () => {
  test.each([
    ['times', '✗ adds (3 ms)\n  Error: late after 2.5 s', '✗ adds (12 ms)\n  Error: late after 31.7 s'],
    ['the clock', '2026-01-31 10:30:00 ERROR Error: boom', '2026-02-01 08:00:59 ERROR Error: boom'],
    ['addresses', 'Error: bad pointer 0x7ffd52', 'Error: bad pointer 0x55ecAB'],
    ['temporary paths', "Error: no '/tmp/x-12ab/a.json'", "Error: no '/tmp/x-99zz/a.json'"],
    ['temporary paths on a Mac', 'Error: no /var/folders/a/b/c.json', 'Error: no /var/folders/z/c.json'],
    ['process IDs', 'Error: worker 12 of pid 345 died', 'Error: worker 3 of pid 99 died'],
    ['ports', 'Error: no answer, port: 40123', 'Error: no answer, port: 51999'],
    ['lines that are not errors', 'building 12\nError: boom\ndone', 'building 999\nfast\nError: boom\n'],
    ['stacks', 'Error: boom\n    at a (/p/a.ts:1:1)', 'Error: boom\n    at a (/p/a.ts:9:1)'],
    ['colours', '\u001b[31mError: boom\u001b[0m', 'Error: boom'],
    ['how often the error is printed', 'Error: boom\nbuilding\n\n\nError: boom', 'Error: boom'],
    ['times in the last lines, without an error', 'loading\nstep 3 in 12 ms', 'loading\nstep 3 in 40 ms'],
  ])('%s', (_, first, second) => {
    expect(of(first)).toEqual(of(second));
    expect(of(first).join('')).not.toBe('');
  });
});

describe('two outputs have different errors if they differ in', () => {
  test.each([
    ['the line', 'src/a.c:3:5: error: e', 'src/a.c:4:5: error: e'],
    ['the file', 'src/a.c:3:5: error: e', 'src/b.c:3:5: error: e'],
    ['the message', 'Error: a', 'Error: b'],
    ['the test', '✗ adds', '✗ subtracts'],
    ['a value', 'AssertionError: expected 3 to be 4', 'AssertionError: expected 2 to be 4'],
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
    'src/a.c:3:5: error: e',
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
