import { describe, expect, test } from 'vitest';
import { runWithRetries } from '../../../src/gates/retries.ts';
import type { GateEvent, GateOutcome } from '../../../src/gates/types.ts';
import type { CommandEnd } from '../../../src/process/run-command.ts';
import { OUTCOMES, resultOf, shellGate } from '../../helpers/gate-results.ts';
import { runScripted } from '../../helpers/run-scripted.ts';

type Reason = GateOutcome['reason'];

/** Runs a gate whose attempts end as given, on working trees as given. */
async function retried(retries: number, reasons: readonly Reason[], trees: readonly string[] = []) {
  const headings: (string | undefined)[] = [];
  const left = [...trees];
  const result = await runWithRetries(
    shellGate('test', { retries }),
    async (heading) => {
      headings.push(heading);
      return resultOf('test', OUTCOMES[reasons[headings.length - 1] as Reason], { durationMs: 10 });
    },
    async () => left.shift(),
  );
  return { reason: result.outcome.reason, flaky: result.flaky, durationMs: result.durationMs, headings };
}

describe('runWithRetries', () => {
  test.each<[string, number, Reason[], Reason, number | undefined]>([
    ['runs a gate that passes once', 2, ['passed'], 'passed', undefined],
    ['marks a gate that passes at the second attempt', 2, ['failed', 'passed'], 'passed', 1],
    ['marks a gate that passes at the last attempt', 2, ['failed', 'killed', 'passed'], 'passed', 2],
    ['retries a gate that timed out', 1, ['timed-out', 'passed'], 'passed', 1],
    ['gives up after so many retries', 2, ['failed', 'failed', 'timed-out'], 'timed-out', undefined],
    ['does not retry a program that is missing', 2, ['not-found'], 'not-found', undefined],
    ['does not retry a gate that ran no test', 2, ['empty'], 'empty', undefined],
    [
      'ends with an interruption in the second attempt',
      2,
      ['failed', 'interrupted'],
      'interrupted',
      undefined,
    ],
    ['keeps the failure when the time is up in a retry', 2, ['failed', 'out-of-time'], 'failed', undefined],
    ['does not call a gate flaky that then ran no test', 1, ['failed', 'empty'], 'empty', undefined],
  ])('%s', async (_, retries, reasons, reason, flaky) => {
    const done = await retried(retries, reasons);

    expect(done).toMatchObject({ reason, flaky, durationMs: 10 * reasons.length });
    expect(done.headings).toEqual(
      reasons.map((_, index) => (index === 0 ? undefined : `attempt ${index + 1}`)),
    );
  });

  test.each([
    ['is flaky if the working tree is the same', ['a', 'a'], 1],
    ['is flaky if it is not known whether the working tree has changed', ['a'], 1],
    [
      'is not flaky if the working tree has changed, by an agent or by the gate itself',
      ['a', 'b'],
      undefined,
    ],
  ] as const)('a gate that passes at the second attempt %s', async (_, trees, flaky) => {
    expect((await retried(1, ['failed', 'passed'], trees)).flaky).toBe(flaky);
  });
});

describe('runGates', () => {
  test('reviews each attempt, and does not retry one that the review accepts', async () => {
    const { summary, ran } = await runScripted(
      [shellGate('test', { retries: 2 })],
      { test: 1 },
      { review: (result) => ({ ...result, outcome: OUTCOMES.passed, known: 3 }) },
    );

    expect([summary.verdict, ran]).toEqual(['passed', ['test']]);
  });

  /** Ends as given, one attempt after another. */
  const endings = (...ends: readonly CommandEnd[]) => {
    const left = [...ends];
    return () => left.shift() as CommandEnd;
  };
  const failed: CommandEnd = { how: 'exited', exitCode: 1 };
  const passed: CommandEnd = { how: 'exited', exitCode: 0 };

  test('allows a gate that passes at the second attempt', async () => {
    const events: GateEvent[] = [];
    const { summary, specs } = await runScripted(
      [shellGate('test', { retries: 1 }), shellGate('lint')],
      { test: endings(failed, passed) },
      { logDirectory: '/logs', onEvent: (event) => events.push(event) },
    );

    expect(summary).toMatchObject({ verdict: 'passed', results: [{ flaky: 1 }, { gate: { name: 'lint' } }] });
    expect(specs.map(({ command, logHeading }) => [command, logHeading])).toEqual([
      ['test', undefined],
      ['test', 'attempt 2'],
      ['lint', undefined],
    ]);
    expect(events.flatMap(({ type }) => (type === 'output' ? [] : type))).toEqual([
      'started',
      'started',
      'ended',
      'started',
      'ended',
    ]);
  });
});
