import { describe, expect, test } from 'vitest';
import { runReport } from '../../../src/gates/report.ts';
import type { GateResult } from '../../../src/gates/types.ts';
import {
  formatConsoleOutput,
  formatFailureContext,
  generateHookResponse,
} from '../../../src/library/format.ts';
import { OUTCOMES, printed, resultOf, shellGate, summaryOf } from '../../helpers/gate-results.ts';

const NOW = new Date('2026-01-31T10:30:00.000Z');
const report = (...results: GateResult[]) => runReport(summaryOf(...results), NOW);
const failed = resultOf('types', 'failed', { output: printed('error TS1: bad\n') });
const warned = resultOf(shellGate('audit', { blocking: false }), 'failed');

describe('the answer to a Stop hook is', () => {
  const WARNED = { warnings: ['audit'], systemMessage: 'ralph-loop: failed without blocking: audit' };
  test.each([
    ['empty for a pass', [resultOf('a')], {}],
    ['empty without gates', [], {}],
    ['the names of the gates that warned', [warned, resultOf('a')], WARNED],
    [
      'a block with the first blocking failure',
      [resultOf('a'), failed, resultOf('b', 'failed')],
      { decision: 'block', reason: "Gate 'types' failed (exit 1):\nerror TS1: bad" },
    ],
    [
      'a block with the warnings',
      [warned, failed],
      { decision: 'block', reason: "Gate 'types' failed (exit 1):\nerror TS1: bad", ...WARNED },
    ],
    [
      'a block that says how a gate without an exit code ended',
      [{ ...failed, outcome: OUTCOMES['timed-out'] }],
      { decision: 'block', reason: "Gate 'types' failed (timed out):\nerror TS1: bad" },
    ],
    [
      'a block that says that a gate ran no test',
      [{ ...failed, outcome: OUTCOMES.empty }],
      { decision: 'block', reason: "Gate 'types' failed (no test):\nerror TS1: bad" },
    ],
    [
      'a block that says that a gate printed nothing',
      [resultOf('a', 'failed')],
      { decision: 'block', reason: "Gate 'a' failed (exit 1):\nIt printed nothing." },
    ],
    [
      'a block if gates were not run',
      [resultOf('a', 'skipped')],
      { decision: 'block', reason: 'The gates did not finish.' },
    ],
  ])('%s', (_, results, answer) => {
    expect(generateHookResponse(report(...results))).toEqual(answer);
  });
});

describe('the excerpt of an output', () => {
  test.each([
    ['says that there is none', '', '', 'It printed nothing.'],
    ['shows stdout', '', 'Error: boom\n', 'Error: boom'],
    ['shows stderr', 'Error: boom\n', '', 'Error: boom'],
    ['shows both, stdout first', 'Error: boom\n', 'depot 7 is empty\n', 'depot 7 is empty\nError: boom'],
  ])('%s', (_, stderr, stdout, text) => {
    expect(formatFailureContext(stderr, stdout)).toBe(text);
  });

  test('shows an error in the middle of a long output, in at most 4000 characters', () => {
    const noise = Array.from({ length: 5000 }, (_, i) => `compiling part ${i}`).join('\n');
    const text = formatFailureContext('', `${noise}\nsrc/a.c:3:5: error: x is not declared\n${noise}\n`);
    expect(text).toContain('\nsrc/a.c:3:5: error: x is not declared\n');
    expect(text.length).toBeLessThanOrEqual(4000);
  });
});

describe('the console output of a run', () => {
  const run = report(resultOf('a'), warned, failed, resultOf('b', 'skipped'));
  test('has a line for each gate, the warnings and the verdict', () => {
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

  test('is coloured on request', () => {
    expect(formatConsoleOutput(run)).not.toContain('\x1b');
    expect(formatConsoleOutput(run, { color: true })).toContain('\x1b[31m✗\x1b[39m types');
  });
});
