import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { addReport } from '../../../../src/diagnostics/reports/add-report.ts';
import { failuresOf } from '../../../../src/diagnostics/reports/failures-of.ts';
import type { ReportedFailure } from '../../../../src/diagnostics/reports/types.ts';
import { condensed } from '../../../helpers/condensed.ts';

const ROOT = '/project';

function excerpt(output: string, reported: readonly ReportedFailure[], maxCharacters = 6000): string[] {
  const shown = failuresOf(reported, (text) => text.replaceAll(`${ROOT}/`, ''));
  const findings = addReport(condensed(output), shown, ROOT);
  return excerptText(excerptOf(findings, maxCharacters, { hung: false })).split('\n');
}

const ADDS: ReportedFailure = {
  kind: 'test',
  name: 'math > adds',
  message: 'expected 3 to be 4',
  details: 'AssertionError: expected 3 to be 4\n    at tests/a.test.ts:5:17',
};

describe('an excerpt with a report', () => {
  test('has the failures of the report, then how the run ended', () => {
    expect(excerpt('Tests: 1 failed, 3 passed\n', [ADDS])).toEqual([
      '✗ math > adds',
      '  AssertionError: expected 3 to be 4',
      '      at tests/a.test.ts:5:17',
      'Tests: 1 failed, 3 passed',
    ]);
  });

  test.each([
    ['the name and the message', '✗ adds\n  AssertionError: expected 3 to be 4\n'],
    ['the name with another sign', '● math › adds\n\n    expected 3 to be 4\n'],
    ['the message alone', 'AssertionError: expected 3 to be 4\n'],
    ['the name and a time', '--- FAIL: adds (0.01s)\n'],
  ])('does not repeat a failure of the output that has %s', (_, output) => {
    const found = excerpt(`${output}\nTests: 1 failed\n`, [ADDS]).join('\n');
    expect(found.match(/expected 3 to be 4/g)).toHaveLength(1);
    expect(found.match(/adds/g)).toHaveLength(1);
  });

  test.each([
    ['a test that the report does not have', '✗ subtracts\n  AssertionError: expected 1 to be 2\n'],
    ['an error outside of tests', 'Error: connect ECONNREFUSED 127.0.0.1:5432\n'],
    ['a test whose name only begins like that of a reported one', '✗ adds2\n  Error: overflow\n'],
  ])('keeps %s', (_, output) => {
    expect(excerpt(output, [ADDS])).toEqual(expect.arrayContaining(output.trimEnd().split('\n')));
  });

  test('has the count at the end of the output, not the headings of its sections', () => {
    const output = `⎯⎯⎯⎯⎯ Failed Suites 1 ⎯⎯⎯⎯⎯\n====== FAILURES ======\n______ adds ______\n====== 1 failed, 3 passed in 0.1s ======\n`;
    expect(excerpt(output, [ADDS]).slice(3)).toEqual(['=== 1 failed, 3 passed in 0.1s ===']);
  });

  test('counts what it leaves out', () => {
    const errors = Array.from({ length: 300 }, (_, i): ReportedFailure => {
      return {
        kind: 'error',
        file: `src/${i}.ts`,
        line: i + 1,
        rule: 'no-undef',
        message: `'x${i}' is not defined`,
      };
    });
    const lines = excerpt('', errors, 2000);
    expect(lines.join('\n').length).toBeLessThanOrEqual(2000);
    expect(lines[0]).toBe("src/0.ts:1: error: 'x0' is not defined [no-undef]");
    expect(lines.at(-1)).toMatch(/^… 300 in all: 300 × no-undef; 300 files: /);
  });

  test('is that of the output alone where the report has no failure', () => {
    const output = 'ERROR: Coverage for lines (80%) does not meet global threshold (90%)';
    expect(excerpt(output, [])).toEqual([output]);
  });

  test('has no warnings where there are errors', () => {
    const warning: ReportedFailure = { kind: 'warning', file: 'a.ts', message: 'unused' };
    expect(excerpt('', [warning, { kind: 'error', file: 'b.ts', message: 'no' }])).toEqual([
      'b.ts: error: no',
    ]);
    expect(excerpt('', [warning])).toEqual(['a.ts: warning: unused']);
  });

  test('has no frames of packages, no separators and no colours', () => {
    const details =
      '\u001B[31mError: no\u001B[39m\n----------\n    at x (/project/src/a.ts:3:5)\n    at y (node_modules/z/index.js:1:1)\n    at node:internal/main:3:1';
    expect(excerpt('', [{ kind: 'test', name: 'a', details }])).toEqual([
      '✗ a',
      '  Error: no',
      '      at x (src/a.ts:3:5)',
    ]);
  });

  test('names the place of a test where its details do not', () => {
    const place = { file: 'a_test.rb', line: 3 };
    expect(excerpt('', [{ kind: 'test', name: 'adds', ...place, message: 'no' }])).toEqual([
      '✗ adds (a_test.rb:3)',
      '  no',
    ]);
  });

  test('has a test with failed subtests only if it says more than they do', () => {
    const failed = (name: string, details = ''): ReportedFailure => ({ kind: 'test', name, details });
    expect(excerpt('', [failed('m > T/small', 'no'), failed('m > T')])).toEqual(['✗ m > T/small', '  no']);
    expect(excerpt('', [failed('m > T/small', 'no'), failed('m > T', 'own')])).toEqual([
      '✗ m > T/small',
      '  no',
      '✗ m > T',
      '  own',
    ]);
  });
});

describe('a report of many failures', () => {
  const many = (count: number, lines: number): ReportedFailure[] =>
    Array.from({ length: count }, (_, i) => ({
      kind: 'test',
      name: `suite > test ${i}`,
      message: `Error: ${i} is wrong`,
      details: Array.from({ length: lines }, (_, line) => `detail ${line} of ${i}`).join('\n'),
    }));
  const shown = (text: string) => text;

  test('is read with the details of the first failures, and the note says of how many', () => {
    const { failures, tallies, note } = failuresOf(many(4000, 200), shown);
    expect(note).toBe('Of 4,000 failures in the report, the first 164 were read with their details.');
    expect(failures[0]?.block.lines).toHaveLength(122);
    expect(failures.at(-1)?.block.lines.length).toBeLessThan(10);
    expect([...tallies.values()].map(({ count }) => count)).toEqual([4000]);
  });

  test('has no note if all of them are read', () => {
    expect(failuresOf(many(100, 10), shown).note).toBeUndefined();
  });
});
