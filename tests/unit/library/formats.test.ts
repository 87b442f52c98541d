import { describe, expect, test } from 'vitest';
import { runReport } from '../../../src/gates/report.ts';
import type { GateResult } from '../../../src/gates/types.ts';
import { formatConsoleOutput, formatFailureContext } from '../../../src/library/format.ts';
import { generateHookResponse } from '../../../src/library/hook-response.ts';
import { OUTCOMES, printed, resultOf, shellGate, summaryOf } from '../../helpers/gate-results.ts';

const NOW = new Date('2026-01-31T10:30:00.000Z');
const report = (...results: GateResult[]) => runReport(summaryOf(...results), NOW);
const failed = resultOf('types', 'failed', { output: printed('error TS1: bad\n') });
const warned = resultOf(shellGate('audit', { blocking: false }), 'failed');

describe('the answer to a Stop hook', () => {
  const WARNED = { warnings: ['audit'], systemMessage: 'ralph-loop: failed without blocking: audit' };
  test.each([
    ['a pass is empty', [resultOf('a')], {}],
    ['no gates are a pass', [], {}],
    ['warnings are told by name', [warned, resultOf('a')], WARNED],
    [
      'the first blocking failure blocks',
      [resultOf('a'), failed, resultOf('b', 'failed')],
      { decision: 'block', reason: "Gate 'types' failed (exit 1):\nerror TS1: bad" },
    ],
    [
      'with the warnings beside it',
      [warned, failed],
      { decision: 'block', reason: "Gate 'types' failed (exit 1):\nerror TS1: bad", ...WARNED },
    ],
    [
      'a gate that has no exit code says how it ended',
      [{ ...failed, outcome: OUTCOMES['timed-out'] }],
      { decision: 'block', reason: "Gate 'types' failed (timed out):\nerror TS1: bad" },
    ],
    [
      'a gate that printed nothing says so',
      [resultOf('a', 'failed')],
      { decision: 'block', reason: "Gate 'a' failed (exit 1):\nIt printed nothing." },
    ],
    [
      'gates that were not run are no pass',
      [resultOf('a', 'skipped')],
      { decision: 'block', reason: 'The gates did not finish.' },
    ],
  ])('%s', (_, results, answer) => {
    expect(generateHookResponse(report(...results))).toEqual(answer);
  });
});

describe('what an agent needs of an output', () => {
  test.each([
    ['nothing', '', '', 'It printed nothing.'],
    ['stdout alone', '', 'Error: boom\n', 'Error: boom'],
    ['stderr alone', 'Error: boom\n', '', 'Error: boom'],
    ['both, stdout first', 'Error: boom\n', 'building\n', 'building\nError: boom'],
  ])('%s', (_, stderr, stdout, text) => {
    expect(formatFailureContext(stderr, stdout)).toBe(text);
  });

  test('an error in the midst of much, in little room', () => {
    const noise = Array.from({ length: 5000 }, (_, i) => `compiling part ${i}`).join('\n');
    const text = formatFailureContext('', `${noise}\nsrc/a.c:3:5: error: x is not declared\n${noise}\n`);
    expect(text).toContain('\nsrc/a.c:3:5: error: x is not declared\n');
    expect(text.length).toBeLessThanOrEqual(4000);
  });
});

describe('a run as people read it', () => {
  const run = report(resultOf('a'), warned, failed, resultOf('b', 'skipped'));
  test('has a line for each gate, then the warnings and the verdict', () => {
    const lines = formatConsoleOutput(run).split('\n');
    expect(lines.map((line) => line.split(/[,(]| in /)[0]?.trim())).toEqual([
      '✓ a',
      '⚠ audit',
      '✗ types',
      '⊘ b',
      'Warnings: audit',
      '1 blocking gate failed',
    ]);
  });

  test('is coloured where that is asked for', () => {
    expect(formatConsoleOutput(run)).not.toContain('\x1b');
    expect(formatConsoleOutput(run, { color: true })).toContain('\x1b[31m✗\x1b[39m types');
  });
});
