import { describe, expect, test } from 'vitest';
import { uptimeMs } from '../../../src/base/time.ts';
import { shellGate } from '../../helpers/gate-results.ts';
import { runScripted } from '../../helpers/run-scripted.ts';

const gate = (name: string) => shellGate(name);
/** Farther away than any test takes, and small enough for exact arithmetic. */
const LATER_MS = 1e9;

describe("the hook's deadline", () => {
  const deadline = { seconds: 570, atMs: LATER_MS };

  test('makes a gate out of time if it comes before the time limit of the gate', async () => {
    const patient = shellGate('a', { timeoutSeconds: LATER_MS });
    const { summary, ran } = await runScripted(
      [patient, gate('b')],
      { a: { how: 'timed-out' } },
      { deadline },
    );

    expect(ran).toEqual(['a']);
    expect(summary.verdict).toBe('incomplete');
    expect(summary.results.map(({ outcome }) => outcome)).toEqual([
      { reason: 'out-of-time', deadlineSeconds: 570 },
      { reason: 'skipped' },
    ]);
  });

  test('shortens the grace and reserves a second for the answer', async () => {
    const before = uptimeMs();
    const { specs } = await runScripted([shellGate('a', { timeoutSeconds: LATER_MS })], {}, { deadline });
    const [{ timeoutMs = 0, graceMs } = {}] = specs;

    expect(graceMs).toBe(250);
    expect(timeoutMs).toBeLessThanOrEqual(LATER_MS - 1000 - before);
    expect(timeoutMs).toBeGreaterThanOrEqual(LATER_MS - 1000 - uptimeMs());
  });

  test('does not change the time limit of a gate if it comes later', async () => {
    const { summary, specs } = await runScripted([gate('a')], { a: { how: 'timed-out' } }, { deadline });

    expect(summary.results[0]?.outcome).toEqual({ reason: 'timed-out', limitSeconds: 120 });
    expect(specs[0]).toMatchObject({ timeoutMs: 120_000, graceMs: 2000 });
  });

  test('shortens the grace if it comes soon after the time limit of a gate', async () => {
    const near = { seconds: 570, atMs: uptimeMs() + LATER_MS };
    // The time limit ends half a second before the second that is reserved for the answer.
    const { specs } = await runScripted(
      [shellGate('a', { timeoutSeconds: LATER_MS / 1000 - 1.5 })],
      {},
      { deadline: near },
    );

    expect(specs[0]?.timeoutMs).toBe(LATER_MS - 1500);
    expect(specs[0]?.graceMs).toBeLessThanOrEqual(750);
    expect(specs[0]?.graceMs).toBeGreaterThanOrEqual(250);
  });

  test.each([
    ['has passed', { seconds: 10, atMs: 0 }],
    ['is within the second that is reserved for the answer', { seconds: 570, atMs: 1 }],
  ])('starts no gate if it %s', async (_, past) => {
    expect(await runScripted([gate('a'), gate('b')], {}, { deadline: past })).toMatchObject({
      ran: [],
      reasons: ['out-of-time', 'skipped'],
      summary: { verdict: 'incomplete' },
    });
  });

  test('skips the gates after a non-blocking gate that it ended', async () => {
    const gates = [shellGate('a', { blocking: false, timeoutSeconds: LATER_MS }), gate('b')];

    expect(await runScripted(gates, { a: { how: 'timed-out' } }, { deadline })).toMatchObject({
      reasons: ['out-of-time', 'skipped'],
      summary: { verdict: 'incomplete' },
    });
  });

  test('of one second reserves only a part of it for the answer', async () => {
    const soon = { seconds: 1, atMs: LATER_MS };
    const before = uptimeMs();
    const { specs } = await runScripted(
      [shellGate('a', { timeoutSeconds: LATER_MS })],
      {},
      { deadline: soon },
    );

    expect(specs[0]?.timeoutMs).toBeGreaterThan(LATER_MS - 1000 - before);
  });
});
