import { describe, expect, test } from 'vitest';
import type { GateResult } from '../../../src/gates/types.ts';
import type { FailedGate } from '../../../src/state/failures.ts';
import { rememberGates } from '../../../src/verification/record-failure.ts';
import { findingsOf } from '../../helpers/condensed.ts';
import { printed, resultOf, shellGate, summaryOf } from '../../helpers/gate-results.ts';

const LOG = '/the/project/.trellis/.ralph/output/test.log';
const NOW = new Date('2026-01-31T10:30:00.000Z');
const remember = (results: GateResult[], earlier: readonly FailedGate[], iteration: number | null) =>
  rememberGates(summaryOf(...results), findingsOf(results), earlier, { iteration, time: NOW });
const failing = (text: string) => resultOf('test', 'failed', { output: printed(text) });

test('a failed gate is saved with its errors, excerpt and log', () => {
  const output = printed('depot 7 is empty\nError: no answer after 12 ms\n', { logPath: LOG });
  const gate = shellGate('test', { command: 'pnpm test' });

  expect(remember([resultOf(gate, 'failed', { durationMs: 12.6, output })], [], 3)).toEqual([
    {
      time: NOW.toISOString(),
      name: 'test',
      command: 'pnpm test',
      outcome: { reason: 'failed', exitCode: 1 },
      duration_ms: 13,
      errors: ['Error: no answer after'],
      since: 3,
      excerpt: [
        { kind: 'plain', text: 'depot 7 is empty' },
        { kind: 'error', text: 'Error: no answer after 12 ms' },
      ],
      log: LOG,
    },
  ]);
});

test('a failed gate without output is saved without errors, excerpt and log', () => {
  expect(remember([resultOf('test', 'timed-out')], [], 1)).toMatchObject([
    { errors: [], excerpt: [], log: null, since: 1 },
  ]);
});

test('only blocking gates that failed are saved', () => {
  const warning = resultOf(shellGate('w', { blocking: false }), 'failed');
  const names = remember([resultOf('a'), warning, resultOf('b', 'failed'), resultOf('c', 'skipped')], [], 1);

  expect(names.map(({ name }) => name)).toEqual(['b']);
});

describe('the iteration since which a gate fails in the same way', () => {
  const first = remember([failing('Error: no answer after 12 ms')], [], 1);
  test.each([
    ['stays if it fails in the same way', failing('Error: no answer after 99 ms'), 1],
    ['is the current one after another error', failing('Error: boom'), 2],
    [
      'is the current one after another outcome',
      {
        ...failing('Error: no answer after 12 ms'),
        outcome: { reason: 'killed', signal: 'SIGKILL' } as const,
      },
      2,
    ],
    [
      'is the current one for another gate',
      { ...failing('Error: no answer after 12 ms'), gate: shellGate('other') },
      2,
    ],
  ])('%s', (_, result, since) => {
    expect(remember([result], first, 2)).toMatchObject([{ since }]);
  });

  test('stays over many runs', () => {
    let gates = first;
    for (let iteration = 2; iteration < 5; iteration++)
      gates = remember([failing(`Error: no answer after ${iteration} ms`)], gates, iteration);

    expect(gates).toMatchObject([{ since: 1 }]);
  });

  test('is null for a run that is not a stop', () => {
    expect(remember([failing('Error: boom')], [], null)).toMatchObject([{ since: null }]);
  });
});
