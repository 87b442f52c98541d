import { describe, expect, test } from 'vitest';
import type { Gate, GateOutcome } from '../../../src/gates/types.ts';
import type { CommandEnd } from '../../../src/process/run-command.ts';
import { markerGate, shellGate } from '../../helpers/gate-results.ts';
import { runScripted } from '../../helpers/run-scripted.ts';
import type { Script } from '../../helpers/scripted-commands.ts';

const gate = (name: string) => shellGate(name);
const warning = (name: string) => shellGate(name, { blocking: false });

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
    const { summary } = await runScripted([gate('a')], { a: end });

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
      expect(await runScripted(gates, script, { failFast })).toMatchObject({ ran, reasons });
    },
  );

  test.each([
    [{}, 'passed'],
    [{ a: 1 }, 'failed'],
    [{ a: { how: 'aborted' } }, 'incomplete'],
    [{ b: 1 }, 'passed'],
  ] as [Script, string][])('and what they say together: %j', async (script, verdict) => {
    expect((await runScripted([gate('a'), warning('b')], script)).summary.verdict).toBe(verdict);
  });

  test('none passes', async () => {
    expect((await runScripted([])).summary).toMatchObject({ verdict: 'passed', results: [] });
  });
});

describe('what a command is given', () => {
  test('its directory, its limit, and two seconds of grace', async () => {
    const { specs } = await runScripted([shellGate('a', { cwd: '/x', timeoutSeconds: 2.5 })]);

    expect(specs).toEqual([
      { command: 'a', cwd: '/x', env: { RALPH_LOOP: '1' }, timeoutMs: 2500, graceMs: 2000 },
    ]);
  });

  test("the inherited environment, the gate's over it, and RALPH_LOOP over both", async () => {
    const inherited = { A: 'inherited', B: 'inherited', RALPH_LOOP: 'x' };
    const { specs } = await runScripted(
      [shellGate('a', { env: { B: 'gate', C: 'gate', RALPH_LOOP: '0' } })],
      {},
      { env: inherited },
    );

    expect(specs[0]?.env).toEqual({ A: 'inherited', B: 'gate', C: 'gate', RALPH_LOOP: '1' });
  });

  test('a place for its output where there is one', async () => {
    const logPathOf = ({ name }: Gate) => (name === 'a' ? '/logs/a.log' : undefined);
    const { specs } = await runScripted([gate('a'), gate('b')], {}, { logPathOf });

    expect(specs.map(({ logPath }) => logPath)).toEqual(['/logs/a.log', undefined]);
  });

  test('no longer limit than a timer can hold', async () => {
    const { specs } = await runScripted([shellGate('a', { timeoutSeconds: 1e9 })]);

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

    expect(await runScripted([gate('a'), gate('b')], end, { signal: controller.signal })).toMatchObject({
      ran: ['a'],
      reasons: ['interrupted', 'skipped'],
      summary: { verdict: 'incomplete' },
    });
  });
});

describe('a secret in a command', () => {
  const gates = [shellGate('use hunter2-hunter2'), shellGate('b', { env: { A_TOKEN: 'own-own-own-2' } })];
  const env = { DEPLOY_TOKEN: 'hunter2-hunter2' };

  test('is run, and not told', async () => {
    const told: string[] = [];
    const { ran, summary } = await runScripted(
      gates,
      {},
      {
        env,
        onEvent: (event) => told.push(event.type === 'ended' ? event.result.gate.name : event.gate.name),
      },
    );

    expect(ran).toEqual(['use hunter2-hunter2', 'b']);
    expect(summary.results.map(({ gate }) => gate)).toMatchObject([
      { name: 'use ***', command: 'use ***' },
      { name: 'b', command: 'b' },
    ]);
    expect(new Set(told)).toEqual(new Set(['use ***', 'b']));
  });

  test('is not told of a gate that did not run either', async () => {
    const { summary } = await runScripted([shellGate('a'), ...gates], { a: 1 }, { env });

    expect(summary.results[1]).toMatchObject({ gate: { name: 'use ***' }, outcome: { reason: 'skipped' } });
  });
});

test('what happens is told as it happens', async () => {
  const events: string[] = [];
  await runScripted(
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
