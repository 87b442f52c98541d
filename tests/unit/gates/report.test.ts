import { describe, expect, test } from 'vitest';
import { exitCodeOf, runReport } from '../../../src/gates/report.ts';
import type { GateResult } from '../../../src/gates/types.ts';
import type { Recording } from '../../../src/process/output.ts';
import { OUTCOMES, printed, resultOf, shellGate, summaryOf } from '../../helpers/gate-results.ts';

const NOW = new Date('2026-01-31T10:30:00.123Z');
const warning = (name: string) => shellGate(name, { blocking: false });
const reportOf = (...results: readonly GateResult[]) => runReport(summaryOf(...results), NOW);

describe('runReport', () => {
  test('has every key of Ralph Gate', () => {
    const failed = resultOf(
      'typecheck',
      { reason: 'failed', exitCode: 2 },
      {
        durationMs: 1499.6,
        endedAfterMs: 11_345,
        output: printed('out\n', {
          head: [
            { stream: 'stdout', text: 'out 1\n' },
            { stream: 'stderr', text: 'err\n' },
            { stream: 'stdout', text: 'out 2\n' },
          ],
        }),
      },
    );
    const typecheck = {
      name: 'typecheck',
      passed: false,
      exitCode: 2,
      stdout: 'out 1\nout 2\n',
      stderr: 'err\n',
      durationMs: 1500,
      skipped: false,
      blocking: true,
      timestamp: '2026-01-31T10:29:59.123Z',
      reason: 'failed',
    };
    const nothing = { stdout: '', stderr: '', durationMs: 0, blocking: true };
    const lint = { ...nothing, timestamp: '2026-01-31T10:29:57.778Z' };
    const build = { ...nothing, timestamp: '2026-01-31T10:30:00.123Z' };

    const first = resultOf('lint', 'passed', { endedAfterMs: 10_000 });
    expect(reportOf(first, failed, resultOf('build', 'skipped'))).toEqual({
      passed: false,
      timestamp: '2026-01-31T10:30:00.123Z',
      totalDurationMs: 12_345,
      results: [
        { ...lint, name: 'lint', passed: true, exitCode: 0, skipped: false, reason: 'passed' },
        typecheck,
        { ...build, name: 'build', passed: true, exitCode: null, skipped: true, reason: 'skipped' },
      ],
      firstFailure: typecheck,
      warnings: [],
    });
  });

  test.each([
    ['no gates', [], true, null, []],
    ['passed gates', [resultOf('a'), resultOf('b')], true, null, []],
    ['the first of two failures', [resultOf('a', 'failed'), resultOf('b', 'failed')], false, 'a', []],
    [
      'a failure before its skipped ones',
      [resultOf('a', 'killed'), resultOf('b', 'skipped')],
      false,
      'a',
      [],
    ],
    ['a failed non-blocking gate', [resultOf(warning('w'), 'failed'), resultOf('a')], true, null, ['w']],
    [
      'failed non-blocking gates in the order they ran, and a failure between them',
      [resultOf(warning('v'), 'timed-out'), resultOf('a', 'failed'), resultOf(warning('w'), 'not-found')],
      false,
      'a',
      ['v', 'w'],
    ],
    ['a gate that is out of time', [resultOf('a', 'out-of-time'), resultOf('b', 'skipped')], false, 'a', []],
    [
      'a non-blocking gate that is out of time',
      [resultOf(warning('w'), 'out-of-time'), resultOf('a')],
      true,
      null,
      ['w'],
    ],
    [
      'a non-blocking gate that was skipped',
      [resultOf('a'), resultOf(warning('w'), 'skipped')],
      true,
      null,
      [],
    ],
  ] as const)('reports %s', (_, results, passed, firstFailure, warnings) => {
    const report = reportOf(...results);

    expect(report).toMatchObject({ passed, warnings });
    expect(report.firstFailure?.name ?? null).toBe(firstFailure);
  });
});

test.each([
  [OUTCOMES.passed, 0],
  [{ reason: 'failed', exitCode: 255 }, 255],
  [OUTCOMES['not-executable'], 126],
  [OUTCOMES['not-found'], 127],
  [OUTCOMES.killed, null],
  [OUTCOMES['timed-out'], null],
  [OUTCOMES['out-of-time'], null],
  [OUTCOMES['not-started'], null],
  [OUTCOMES.interrupted, null],
  [OUTCOMES.skipped, null],
] as const)('the exit code of %j is %j', (outcome, exitCode) => {
  expect(exitCodeOf(outcome)).toBe(exitCode);
  expect(reportOf(resultOf('a', outcome)).results).toMatchObject([
    { exitCode, passed: exitCode === 0 || outcome.reason === 'skipped', reason: outcome.reason },
  ]);
});

describe('the omitted part of an output', () => {
  const recording: Recording = {
    head: [
      { stream: 'stdout', text: 'first\n' },
      { stream: 'stderr', text: 'warned\n' },
    ],
    tail: [{ stream: 'stdout', text: 'last\n' }],
    omittedBytes: 1000,
  };

  test('is marked in the stream that continues after it', () => {
    const [result] = reportOf(resultOf('a', 'failed', { output: recording })).results;

    expect(result?.stdout).toMatch(/^first\n\n.*\b1000 bytes\b.*\nlast\n$/);
    expect(result?.stderr).toBe('warned\n');
  });

  test('is not marked if it is empty', () => {
    const output = { ...recording, omittedBytes: 0 };

    expect(reportOf(resultOf('a', 'failed', { output })).results).toMatchObject([
      { stdout: 'first\nlast\n' },
    ]);
  });
});
