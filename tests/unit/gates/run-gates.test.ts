import { describe, expect, test } from 'vitest';
import type { Gate, GateOutcome } from '../../../src/gates/gate.ts';
import { type RunGatesOptions, runGates } from '../../../src/gates/run-gates.ts';
import type { CommandEnd } from '../../../src/process/run-command.ts';
import { uptimeMs } from '../../../src/process/uptime.ts';
import { markerGate, shellGate } from '../../helpers/gate-results.ts';
import { type Script, scriptedCommands } from '../../helpers/scripted-commands.ts';

const gate = (name: string) => shellGate(name);
const warning = (name: string) => shellGate(name, { blocking: false });
/** So far away that no test can come near it, and so near that its numbers are exact. */
const LATER_MS = 1e9;

async function run(gates: readonly Gate[], script: Script = {}, options: Partial<RunGatesOptions> = {}) {
  const { runCommand, specs } = scriptedCommands(script);
  const summary = await runGates(gates, { runCommand, failFast: true, env: {}, ...options });
  return {
    summary,
    specs,
    ran: specs.map(({ command }) => command),
    reasons: summary.results.map(({ outcome }) => outcome.reason),
  };
}

describe('how a command ends is how its gate ends', () => {
  const ends: [CommandEnd, GateOutcome][] = [
    [{ how: 'exited', exitCode: 0 }, { reason: 'passed' }],
    [
      { how: 'exited', exitCode: 1 },
      { reason: 'failed', exitCode: 1 },
    ],
    [
      { how: 'exited', exitCode: 255 },
      { reason: 'failed', exitCode: 255 },
    ],
    [{ how: 'exited', exitCode: 126 }, { reason: 'not-executable' }],
    [{ how: 'exited', exitCode: 127 }, { reason: 'not-found' }],
    [
      { how: 'killed', signal: 'SIGSEGV' },
      { reason: 'killed', signal: 'SIGSEGV' },
    ],
    [{ how: 'timed-out' }, { reason: 'timed-out', limitSeconds: 120 }],
    [{ how: 'aborted' }, { reason: 'interrupted' }],
    [
      { how: 'not-started', message: 'why' },
      { reason: 'not-started', message: 'why' },
    ],
  ];
  test.each(ends)('%j: %j', async (end, outcome) => {
    const { summary } = await run([gate('a')], { a: end });

    expect(summary.results).toEqual([
      {
        gate: gate('a'),
        outcome,
        durationMs: 7,
        output: expect.objectContaining({ head: [{ stream: 'stderr', text: 'a' }] }),
      },
    ]);
  });
});

describe('which gates run', () => {
  test.each([
    ['all in the given order', [gate('b'), gate('a')], {}, true, ['b', 'a'], ['passed', 'passed']],
    [
      'none behind a failure',
      [gate('a'), gate('b'), gate('c')],
      { b: 1 },
      true,
      ['a', 'b'],
      ['passed', 'failed', 'skipped'],
    ],
    ['all without fail-fast', [gate('a'), gate('b')], { a: 1 }, false, ['a', 'b'], ['failed', 'passed']],
    [
      'what only warns behind a failure',
      [gate('a'), warning('b'), gate('c')],
      { a: 1 },
      true,
      ['a', 'b'],
      ['failed', 'passed', 'skipped'],
    ],
    ['all behind a warning', [warning('a'), gate('b')], { a: 1 }, true, ['a', 'b'], ['failed', 'passed']],
    [
      'none behind a time limit',
      [gate('a'), gate('b')],
      { a: { how: 'timed-out' } },
      true,
      ['a'],
      ['timed-out', 'skipped'],
    ],
    [
      'none behind an interruption',
      [gate('a'), warning('b')],
      { a: { how: 'aborted' } },
      false,
      ['a'],
      ['interrupted', 'skipped'],
    ],
    [
      'none behind an interrupted warning',
      [warning('a'), gate('b')],
      { a: { how: 'aborted' } },
      false,
      ['a'],
      ['interrupted', 'skipped'],
    ],
  ] as [string, Gate[], Script, boolean, string[], string[]][])(
    '%s',
    async (_, gates, script, failFast, ran, reasons) => {
      expect(await run(gates, script, { failFast })).toMatchObject({ ran, reasons });
    },
  );

  test.each([
    [{}, 'passed'],
    [{ a: 1 }, 'failed'],
    [{ a: { how: 'aborted' } }, 'incomplete'],
    [{ b: 1 }, 'passed'],
  ] as [Script, string][])('and what they say together: %j', async (script, verdict) => {
    expect((await run([gate('a'), warning('b')], script)).summary.verdict).toBe(verdict);
  });

  test('none passes', async () => {
    expect((await run([])).summary).toMatchObject({ verdict: 'passed', results: [] });
  });
});

describe('what a command is given', () => {
  test('its directory, its limit, and two seconds of grace', async () => {
    const { specs } = await run([shellGate('a', { cwd: '/x', timeoutSeconds: 2.5 })]);

    expect(specs).toEqual([
      { command: 'a', cwd: '/x', env: { RALPH_LOOP: '1' }, timeoutMs: 2500, graceMs: 2000 },
    ]);
  });

  test("the inherited environment, the gate's over it, and RALPH_LOOP over both", async () => {
    const inherited = { A: 'inherited', B: 'inherited', RALPH_LOOP: 'x' };
    const { specs } = await run(
      [shellGate('a', { env: { B: 'gate', C: 'gate', RALPH_LOOP: '0' } })],
      {},
      { env: inherited },
    );

    expect(specs[0]?.env).toEqual({ A: 'inherited', B: 'gate', C: 'gate', RALPH_LOOP: '1' });
  });

  test('a place for its output where there is one', async () => {
    const logPathOf = ({ name }: Gate) => (name === 'a' ? '/logs/a.log' : undefined);
    const { specs } = await run([gate('a'), gate('b')], {}, { logPathOf });

    expect(specs.map(({ logPath }) => logPath)).toEqual(['/logs/a.log', undefined]);
  });

  test('no longer limit than a timer can hold', async () => {
    const { specs } = await run([shellGate('a', { timeoutSeconds: 1e9 })]);

    expect(specs[0]?.timeoutMs).toBe(2 ** 31 - 1);
  });

  test('the signal that ends it', async () => {
    const controller = new AbortController();
    const end: Script = {
      a: ({ signal }) => {
        controller.abort();
        return signal?.aborted ? { how: 'aborted' } : { how: 'exited', exitCode: 0 };
      },
    };

    expect(await run([gate('a'), gate('b')], end, { signal: controller.signal })).toMatchObject({
      ran: ['a'],
      reasons: ['interrupted', 'skipped'],
      summary: { verdict: 'incomplete' },
    });
  });
});

describe('the deadline of the hook', () => {
  const deadline = { seconds: 570, atMs: LATER_MS };

  test('that comes before the limit of a gate makes it out of time', async () => {
    const patient = shellGate('a', { timeoutSeconds: LATER_MS });
    const { summary, ran } = await run([patient, gate('b')], { a: { how: 'timed-out' } }, { deadline });

    expect(ran).toEqual(['a']);
    expect(summary.verdict).toBe('incomplete');
    expect(summary.results.map(({ outcome }) => outcome)).toEqual([
      { reason: 'out-of-time', deadlineSeconds: 570 },
      { reason: 'skipped' },
    ]);
  });

  test('leaves a shorter grace and keeps a second for the answer', async () => {
    const before = uptimeMs();
    const { specs } = await run([shellGate('a', { timeoutSeconds: LATER_MS })], {}, { deadline });
    const [{ timeoutMs = 0, graceMs } = {}] = specs;

    expect(graceMs).toBe(400);
    expect(timeoutMs).toBeLessThanOrEqual(LATER_MS - 1000 - before);
    expect(timeoutMs).toBeGreaterThanOrEqual(LATER_MS - 1000 - uptimeMs());
  });

  test('that comes after the limit of a gate leaves it its time-out', async () => {
    const { summary, specs } = await run([gate('a')], { a: { how: 'timed-out' } }, { deadline });

    expect(summary.results[0]?.outcome).toEqual({ reason: 'timed-out', limitSeconds: 120 });
    expect(specs[0]).toMatchObject({ timeoutMs: 120_000, graceMs: 2000 });
  });

  test.each([
    ['is past', { seconds: 10, atMs: 0 }],
    ['is within the second kept for the answer', { seconds: 570, atMs: 1 }],
  ])('that %s starts nothing', async (_, past) => {
    expect(await run([gate('a'), gate('b')], {}, { deadline: past })).toMatchObject({
      ran: [],
      reasons: ['out-of-time', 'skipped'],
      summary: { verdict: 'incomplete' },
    });
  });

  test('that hits a gate which only warns leaves the others without a result', async () => {
    const gates = [shellGate('a', { blocking: false, timeoutSeconds: LATER_MS }), gate('b')];

    expect(await run(gates, { a: { how: 'timed-out' } }, { deadline })).toMatchObject({
      reasons: ['out-of-time', 'skipped'],
      summary: { verdict: 'incomplete' },
    });
  });

  test('of a second is not all kept for the answer', async () => {
    const soon = { seconds: 1, atMs: LATER_MS };
    const before = uptimeMs();
    const { specs } = await run([shellGate('a', { timeoutSeconds: LATER_MS })], {}, { deadline: soon });

    expect(specs[0]?.timeoutMs).toBeGreaterThan(LATER_MS - 1000 - before);
  });
});

describe("markers are looked for in the agent's last message", () => {
  const gates = [markerGate('LINT_FINISH'), markerGate('TEST_FINISH')];
  test.each([
    ['all is done: LINT_FINISH TEST_FINISH', ['passed', 'passed']],
    ['**LINT_FINISH**, and xTEST_FINISHED', ['passed', 'passed']],
    ['TEST_FINISH', ['marker-missing', 'passed']],
    ['lint_finish LINT FINISH', ['marker-missing', 'marker-missing']],
    ['', ['marker-missing', 'marker-missing']],
    [undefined, ['marker-missing', 'marker-missing']],
  ])('%j', async (message, reasons) => {
    expect(await run(gates, {}, message === undefined ? {} : { message })).toMatchObject({
      ran: [],
      reasons,
    });
  });

  test('whatever the time and whatever failed before', async () => {
    const options = { deadline: { seconds: 10, atMs: 0 }, message: 'LINT_FINISH' };

    expect((await run([gate('a'), markerGate('LINT_FINISH')], {}, options)).reasons).toEqual([
      'out-of-time',
      'passed',
    ]);
  });
});

test('what happens is told as it happens', async () => {
  const events: string[] = [];
  await run(
    [gate('a'), gate('b'), markerGate('M')],
    { a: 1 },
    {
      onEvent: (event) => {
        if (event.type === 'ended') events.push(`${event.result.gate.name} ${event.result.outcome.reason}`);
        else
          events.push(
            `${event.gate.name} ${event.type}${event.type === 'output' ? ` ${event.stream}: ${event.bytes}` : ''}`,
          );
      },
    },
  );

  expect(events).toEqual([
    'a started',
    'a output stderr: a prints',
    'a failed',
    'b skipped',
    'M started',
    'M marker-missing',
  ]);
});
