import { describe, expect, test } from 'vitest';
import { verdictOf } from '../../../src/gates/known-results.ts';
import type { Gate, GateOutcome, Verdict } from '../../../src/gates/types.ts';
import type { CommandEnd } from '../../../src/process/run-command.ts';
import { markerGate, resultOf, shellGate } from '../../helpers/gate-results.ts';
import { runScripted } from '../../helpers/run-scripted.ts';
import type { Script } from '../../helpers/scripted-commands.ts';

const gate = (name: string) => shellGate(name);
const warning = (name: string) => shellGate(name, { blocking: false });

describe('runGates turns the end of a command into the outcome of its gate:', () => {
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
  test.each(ends)('%j → %j', async (end, outcome) => {
    const { summary } = await runScripted([gate('a')], { a: end });

    expect(summary.results).toEqual([
      {
        gate: gate('a'),
        outcome,
        durationMs: 7,
        endedAfterMs: expect.any(Number),
        output: expect.objectContaining({ head: [{ stream: 'stderr', text: 'a' }] }),
      },
    ]);
  });
});

describe('runGates', () => {
  test.each([
    ['runs all gates in the given order', [gate('b'), gate('a')], {}, true, ['b', 'a'], ['passed', 'passed']],
    [
      'skips the gates after a failed gate',
      [gate('a'), gate('b'), gate('c')],
      { b: 1 },
      true,
      ['a', 'b'],
      ['passed', 'failed', 'skipped'],
    ],
    [
      'runs all gates without fail-fast',
      [gate('a'), gate('b')],
      { a: 1 },
      false,
      ['a', 'b'],
      ['failed', 'passed'],
    ],
    [
      'runs a non-blocking gate after a failed gate',
      [gate('a'), warning('b'), gate('c')],
      { a: 1 },
      true,
      ['a', 'b'],
      ['failed', 'passed', 'skipped'],
    ],
    [
      'runs all gates after a failed non-blocking gate',
      [warning('a'), gate('b')],
      { a: 1 },
      true,
      ['a', 'b'],
      ['failed', 'passed'],
    ],
    [
      'skips the gates after a gate that timed out',
      [gate('a'), gate('b')],
      { a: { how: 'timed-out' } },
      true,
      ['a'],
      ['timed-out', 'skipped'],
    ],
    [
      'skips the gates after an interruption',
      [gate('a'), warning('b')],
      { a: { how: 'aborted' } },
      false,
      ['a'],
      ['interrupted', 'skipped'],
    ],
    [
      'skips the gates after an interruption of a non-blocking gate',
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
  ] as [Script, string][])('gives two gates that end as %j the verdict %s', async (script, verdict) => {
    expect((await runScripted([gate('a'), warning('b')], script)).summary.verdict).toBe(verdict);
  });

  test('passes without gates', async () => {
    expect((await runScripted([])).summary).toMatchObject({ verdict: 'passed', results: [] });
  });
});

describe('runGates passes to a command', () => {
  test('its directory, its time limit and two seconds of grace', async () => {
    const { specs } = await runScripted([shellGate('a', { cwd: '/x', timeoutSeconds: 2.5 })]);

    expect(specs).toEqual([
      { command: 'a', cwd: '/x', env: { RALPH_LOOP: '1' }, secrets: [], timeoutMs: 2500, graceMs: 2000 },
    ]);
  });

  test('the path of its log if there is a log directory', async () => {
    const { specs } = await runScripted([gate('a'), gate('b')], {}, { logDirectory: '/logs' });

    expect(specs.map(({ logPath }) => logPath)).toEqual(['/logs/a.log', '/logs/b.log']);
    expect((await runScripted([gate('a')])).specs[0]).not.toHaveProperty('logPath');
  });

  test('a time limit that setTimeout accepts', async () => {
    const { specs } = await runScripted([shellGate('a', { timeoutSeconds: 1e9 })]);

    expect(specs[0]?.timeoutMs).toBe(2 ** 31 - 1);
  });

  test('the abort signal', async () => {
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

describe('runGates with a secret in a command', () => {
  const gates = [shellGate('use hunter2-hunter2'), shellGate('b', { env: { A_TOKEN: 'own-own-own-2' } })];
  const env = { DEPLOY_TOKEN: 'hunter2-hunter2' };

  test('runs the command, and masks the secret in results and events', async () => {
    const named: string[] = [];
    const { ran, summary } = await runScripted(
      gates,
      {},
      {
        env,
        onEvent: (event) => named.push(event.type === 'ended' ? event.result.gate.name : event.gate.name),
      },
    );

    expect(ran).toEqual(['use hunter2-hunter2', 'b']);
    expect(summary.results.map(({ gate }) => gate)).toMatchObject([
      { name: 'use ***', command: 'use ***' },
      { name: 'b', command: 'b' },
    ]);
    expect(new Set(named)).toEqual(new Set(['use ***', 'b']));
  });

  test('passes the secrets of the environment and of all gates to each command', async () => {
    const { specs } = await runScripted(gates, {}, { env });

    expect(specs.map(({ secrets }) => secrets)).toEqual([
      ['hunter2-hunter2', 'own-own-own-2'],
      ['hunter2-hunter2', 'own-own-own-2'],
    ]);
  });

  test('masks the secret in the result of a skipped gate', async () => {
    const { summary } = await runScripted([shellGate('a'), ...gates], { a: 1 }, { env });

    expect(summary.results[1]).toMatchObject({ gate: { name: 'use ***' }, outcome: { reason: 'skipped' } });
  });
});

test('runGates emits events in order', async () => {
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

describe("runGates searches the agent's last message for markers:", () => {
  const gates = [markerGate('LINT_FINISH'), markerGate('TEST_FINISH')];
  test.each([
    ['all is done: LINT_FINISH TEST_FINISH', ['passed', 'passed']],
    ['**LINT_FINISH**, and xTEST_FINISHED', ['passed', 'passed']],
    ['TEST_FINISH', ['marker-missing', 'passed']],
    ['lint_finish LINT FINISH', ['marker-missing', 'marker-missing']],
    ['', ['marker-missing', 'marker-missing']],
    [undefined, ['marker-missing', 'marker-missing']],
  ])('%j', async (message, reasons) => {
    expect(await runScripted(gates, {}, message === undefined ? {} : { message })).toMatchObject({
      ran: [],
      reasons,
    });
  });

  test('after a gate that is out of time', async () => {
    const options = { deadline: { seconds: 10, atMs: 0 }, message: 'LINT_FINISH' };

    expect((await runScripted([shellGate('a'), markerGate('LINT_FINISH')], {}, options)).reasons).toEqual([
      'out-of-time',
      'passed',
    ]);
  });
});

type Reason = GateOutcome['reason'];
const blockingResult = (reason: Reason) => resultOf(shellGate('a'), reason);
const warningResult = (reason: Reason) => resultOf(shellGate('b', { blocking: false }), reason);

const verdicts: [Reason, Verdict][] = [
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['not-found', 'failed'],
  ['not-executable', 'failed'],
  ['killed', 'failed'],
  ['timed-out', 'failed'],
  ['not-started', 'failed'],
  ['marker-missing', 'failed'],
  ['out-of-time', 'incomplete'],
  ['interrupted', 'incomplete'],
  ['skipped', 'incomplete'],
];

describe('the verdict', () => {
  test.each(verdicts)('of a blocking gate that is %s is %s', (reason, verdict) => {
    expect(verdictOf([blockingResult(reason)])).toBe(verdict);
    expect(verdictOf([blockingResult('passed'), blockingResult(reason), warningResult('passed')])).toBe(
      verdict,
    );
  });

  test.each(verdicts)('does not depend on a non-blocking gate that is %s', (reason) => {
    expect(verdictOf([warningResult(reason)])).toBe('passed');
    expect(verdictOf([warningResult(reason), blockingResult('failed')])).toBe('failed');
    expect(verdictOf([warningResult(reason), blockingResult('out-of-time')])).toBe('incomplete');
  });
});

describe('the verdict is failed', () => {
  test.each(['out-of-time', 'interrupted', 'skipped'] as const)(
    'if one gate failed and another is %s',
    (reason) => {
      expect(verdictOf([blockingResult(reason), blockingResult('failed')])).toBe('failed');
      expect(verdictOf([blockingResult('failed'), blockingResult(reason)])).toBe('failed');
    },
  );
});

test('the verdict of no results is passed', () => {
  expect(verdictOf([])).toBe('passed');
});

const BASICS = {
  PATH: '/bin',
  HOME: '/home/me',
  SHELL: '/bin/sh',
  USER: 'me',
  LANG: 'C',
  TMPDIR: '/tmp',
  TERM: 'dumb',
  NODE_ENV: 'test',
  CI: '1',
};
async function environmentOf(gate: Gate, env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv | undefined> {
  return (await runScripted([gate], {}, { env })).specs[0]?.env;
}

const INHERITED = { ...BASICS, A: 'a', B: 'b', HOMEBREW: 'x', LC_ALL: 'C' };

test.each([
  ['all variables', {}, INHERITED],
  [
    'all variables, overridden by its own',
    { env: { A: 'own', C: 'own' } },
    { ...INHERITED, A: 'own', C: 'own' },
  ],
  ['the basic ones alone', { passEnv: [] }, BASICS],
  ['the ones in passEnv', { passEnv: ['A'] }, { ...BASICS, A: 'a' }],
  [
    'the ones in passEnv, and its own',
    { passEnv: ['A'], env: { B: 'own' } },
    { ...BASICS, A: 'a', B: 'own' },
  ],
  [
    'the ones in passEnv, overridden by its own',
    { passEnv: ['A'], env: { A: 'own' } },
    { ...BASICS, A: 'own' },
  ],
  ['the basic ones, overridden by its own', { passEnv: [], env: { CI: '0' } }, { ...BASICS, CI: '0' }],
  ['nothing for a name that is not set', { passEnv: ['Z', 'constructor'] }, BASICS],
  ['nothing for a name in another case', { passEnv: ['a'] }, BASICS],
])('runGates gives a gate %s', async (_, fields, environment) => {
  expect(await environmentOf(shellGate('g', fields), INHERITED)).toEqual({ ...environment, RALPH_LOOP: '1' });
});

test('runGates sets RALPH_LOOP even if the gate inherits and sets it', async () => {
  const passed = shellGate('g', { passEnv: ['RALPH_LOOP'], env: { RALPH_LOOP: '0' } });
  expect(await environmentOf(passed, { RALPH_LOOP: '0' })).toEqual({ RALPH_LOOP: '1' });
});
