import { describe, expect, test } from 'vitest';
import type { Settled } from '../../../src/gates/known-results.ts';
import type { RunGatesOptions } from '../../../src/gates/run-gates.ts';
import type { LastRun } from '../../../src/gates/schedule.ts';
import type { CommandGate, Gate } from '../../../src/gates/types.ts';
import type { CommandEnd, CommandHooks } from '../../../src/process/run-command.ts';
import { markerGate, shellGate } from '../../helpers/gate-results.ts';
import { runScripted } from '../../helpers/run-scripted.ts';

const gate = (name: string, fields: Partial<CommandGate> = {}) => shellGate(name, fields);
const gates = (names: string) => names.split(' ').map((name) => gate(name));
const warning = (name: string, fields: Partial<CommandGate> = {}) =>
  gate(name, { blocking: false, ...fields });

/**
 * Runs gates whose commands end one by one, in the given order and with the given exit codes, each as soon as it runs.
 * Returns what happened: `+a +b -a` for two gates that started, of which one has ended. A command that is ended from
 * outside is not in the order.
 */
async function trace(planned: readonly Gate[], order: string, options: Partial<RunGatesOptions> = {}) {
  const ends = order.split(' ').filter(Boolean);
  const running = new Map<string, (end: CommandEnd) => void>();
  const endNext = () => {
    const [name = '', exitCode = 0] = ends[0]?.split('=') ?? [];
    const end = running.get(name);
    if (!end) return;
    ends.shift();
    running.delete(name);
    end({ how: 'exited', exitCode: Number(exitCode) });
  };
  const command = (name: string) => (hooks: CommandHooks) =>
    new Promise<CommandEnd>((resolve) => {
      running.set(name, resolve);
      hooks.signal?.addEventListener('abort', () => {
        running.delete(name);
        resolve({ how: 'aborted' });
      });
    });
  const happened: string[] = [];
  const script = Object.fromEntries(planned.map(({ name }) => [name, command(name)]));
  // The next command ends when nothing else happens any more.
  const pump = setInterval(endNext, 0);
  const run = await runScripted(planned, script, {
    jobs: 2,
    ...options,
    onEvent: (event) => {
      if (event.type === 'started') happened.push(`+${event.gate.name}`);
      if (event.type === 'ended')
        happened.push(`${event.result.outcome.reason === 'skipped' ? '/' : '-'}${event.result.gate.name}`);
    },
  }).finally(() => clearInterval(pump));
  return {
    happened: happened.join(' '),
    reasons: run.reasons.join(' '),
    names: run.summary.results.map((result) => result.gate.name),
    verdict: run.summary.verdict,
    run,
  };
}

type Row = readonly [
  what: string,
  planned: readonly Gate[],
  options: Partial<RunGatesOptions>,
  order: string,
  happened: string,
];

describe('runGates starts', () => {
  test.each<Row>([
    ['no more gates than jobs', gates('a b c'), {}, 'a c b', '+a +b -a +c -c -b'],
    ['one gate after another with one job', gates('a b'), { jobs: 1 }, 'a b', '+a -a +b -b'],
    ['all gates with more jobs than gates', gates('a b c'), { jobs: 9 }, 'c b a', '+a +b +c -c -b -a'],
    [
      'a gate of a higher order when all of the lower order have ended',
      [gate('a', { order: 1 }), gate('b', { order: 1 }), gate('c', { order: 2 }), gate('d', { order: 2 })],
      { jobs: 4 },
      'b a d c',
      '+a +b -b -a +c +d -d -c',
    ],
    [
      'gates after the markers, whose order is 0',
      [gate('a', { order: -1 }), markerGate('M'), gate('b')],
      { jobs: 4, message: 'M' },
      'a b',
      '+a -a +M -M +b -b',
    ],
    [
      'a gate when those that it needs have passed',
      [gate('a', { needs: ['b', 'c'] }), gate('b'), gate('c')],
      { jobs: 3 },
      'c b a',
      '+b +c -c -b +a -a',
    ],
    [
      'a gate after those that it needs with one job too',
      [gate('a', { needs: ['b'] }), gate('b')],
      { jobs: 1 },
      'b a',
      '+b -b +a -a',
    ],
    [
      'a gate that needs one that is not part of the run',
      [gate('a', { needs: ['left-out'] })],
      {},
      'a',
      '+a -a',
    ],
    [
      'a gate that needs a marker after the marker',
      [markerGate('M'), gate('a', { needs: ['M'] })],
      { message: 'M' },
      'a',
      '+M -M +a -a',
    ],
    [
      'no other gate beside an exclusive one',
      [gate('a'), gate('b', { exclusive: true }), gate('c'), gate('d')],
      { jobs: 4 },
      'a c d b',
      '+a +c +d -a -c -d +b -b',
    ],
    [
      'the gates after an exclusive one when it has ended',
      [gate('a', { exclusive: true }), gate('b'), gate('c', { exclusive: true })],
      { jobs: 4 },
      'a b c',
      '+a -a +b -b +c -c',
    ],
  ])('%s', async (_, planned, options, order, happened) => {
    const traced = await trace(planned, order, options);
    expect(traced.happened).toBe(happened);
    expect(traced.names).toEqual(planned.map(({ name }) => name));
    expect(traced.verdict).toBe('passed');
  });
});

describe('runGates with several jobs starts first', () => {
  const last = (rows: Readonly<Record<string, LastRun>>) => ({ history: new Map(Object.entries(rows)) });
  const failed = (durationMs: number) => ({ failed: true, durationMs });
  const passed = (durationMs: number) => ({ failed: false, durationMs });
  test.each<Row>([
    [
      'what failed the last time, then the shortest',
      gates('new slow quick bad worse'),
      last({ slow: passed(900), quick: passed(10), bad: failed(500), worse: failed(400) }),
      'worse bad quick slow new',
      '+worse +bad -worse +quick -bad +slow -quick +new -slow -new',
    ],
    [
      'what is free, whatever failed the last time',
      [gate('a', { order: 1 }), gate('b', { order: 2 }), gate('c', { order: 2 })],
      last({ c: failed(1), a: passed(9) }),
      'a c b',
      '+a -a +c +b -c -b',
    ],
  ])('%s', async (_, planned, options, order, happened) => {
    expect((await trace(planned, order, options)).happened).toBe(happened);
  });

  test('nothing out of the order of the list if there is one job', async () => {
    const history = new Map([['b', failed(1)]]);
    expect((await trace(gates('a b'), 'a b', { jobs: 1, history })).happened).toBe('+a -a +b -b');
  });
});

describe('runGates, when a blocking gate fails,', () => {
  test.each<readonly [...Row, reasons: string, verdict: string]>([
    [
      'ends the other blocking gates and skips the later ones',
      gates('a b c'),
      {},
      'a=1',
      '+a +b -a /c /b',
      'failed skipped skipped',
      'failed',
    ],
    [
      'runs the gates that do not block to their end',
      [gate('a'), warning('b'), warning('c', { order: 200 }), gate('d', { order: 300 })],
      {},
      'a=1 b c',
      '+a +b -a -b +c -c /d',
      'failed passed passed skipped',
      'failed',
    ],
    [
      'runs all gates without fail-fast',
      gates('a b c'),
      { failFast: false },
      'a=1 b c',
      '+a +b -a +c -b -c',
      'failed passed passed',
      'failed',
    ],
    [
      'skips without fail-fast what needs it, and what needs that',
      [gate('a'), gate('b', { needs: ['a'] }), warning('c', { needs: ['b'] }), gate('d')],
      { failFast: false },
      'a=1 d',
      '+a +d -a /b /c -d',
      'failed skipped skipped passed',
      'failed',
    ],
    [
      'reports the second failure of two at once',
      gates('a b'),
      { failFast: false },
      'b=1 a=2',
      '+a +b -b -a',
      'failed failed',
      'failed',
    ],
    [
      'and it does not block, ends nothing, and skips what needs it',
      [warning('a'), gate('b', { needs: ['a'] }), gate('c')],
      {},
      'a=1 c',
      '+a +c -a /b -c',
      'failed skipped passed',
      // A blocking gate without a result is never a pass.
      'incomplete',
    ],
    [
      'skips a gate that needs a marker that is missing',
      [markerGate('M'), gate('a', { needs: ['M'] })],
      { failFast: false },
      '',
      '+M -M /a',
      'marker-missing skipped',
      'failed',
    ],
  ])('%s', async (_, planned, options, order, happened, reasons, verdict) => {
    expect(await trace(planned, order, options)).toMatchObject({ happened, reasons, verdict });
  });
});

describe('runGates with a gate whose result is known', () => {
  const known = (outcome: Settled['outcome']): Settled => ({ outcome, durationMs: 5 });
  const settled = (all: readonly Gate[], name: string, outcome: Settled['outcome']) => ({
    settled: new Map(all.filter((each) => each.name === name).map((each) => [each, known(outcome)])),
  });
  const needing = [gate('a'), gate('b', { needs: ['c'] }), gate('c', { exclusive: true })];
  test.each<readonly [...Row, reasons: string]>([
    [
      'takes a pass first, alone or not, and runs what needs it',
      needing,
      settled(needing, 'c', { reason: 'passed' }),
      'a b',
      '-c +a +b -a -b',
      'passed passed passed',
    ],
    [
      'runs what needs a gate that is not affected',
      needing,
      settled(needing, 'c', { reason: 'unaffected' }),
      'a b',
      '-c +a +b -a -b',
      'passed passed unaffected',
    ],
    [
      'skips all others after a failure',
      needing,
      settled(needing, 'c', { reason: 'failed', exitCode: 1 }),
      '',
      '-c /a /b',
      'skipped skipped failed',
    ],
  ])('%s', async (_, planned, options, order, happened, reasons) => {
    expect(await trace(planned, order, { jobs: 3, ...options })).toMatchObject({ happened, reasons });
  });
});

describe('runGates with several running gates', () => {
  test('ends all of them when it is aborted, and skips the others', async () => {
    const abort = new AbortController();
    const planned = [...gates('a b'), warning('c'), gate('d')];
    const tracing = trace(planned, '', { jobs: 3, signal: abort.signal });
    abort.abort();
    expect(await tracing).toMatchObject({
      reasons: 'interrupted interrupted interrupted skipped',
      verdict: 'incomplete',
    });
  });

  test('ends the others when its caller fails, and waits for them', async () => {
    const ended: string[] = [];
    const planned = gates('a b');
    const script = {
      a: 0,
      b: ({ signal }: CommandHooks) =>
        new Promise<CommandEnd>((resolve) =>
          signal?.addEventListener('abort', () => {
            ended.push('b');
            resolve({ how: 'aborted' });
          }),
        ),
    };
    const review = () => {
      throw new Error('a defect');
    };
    await expect(runScripted(planned, script, { jobs: 2, review })).rejects.toThrow('a defect');
    expect(ended).toEqual(['b']);
  });

  test('reviews what decides whether the others are ended', async () => {
    const { reasons } = await trace(gates('a b'), 'a=1 b', {
      review: (result) => ({ ...result, outcome: { reason: 'passed' }, known: 1 }),
    });
    expect(reasons).toBe('passed passed');
  });

  test('gives each gate the time of its own end', async () => {
    const { run } = await trace(gates('a b'), 'b a');
    const [a, b] = run.summary.results.map((result) => result.endedAfterMs ?? Number.NaN);
    expect(a).toBeGreaterThanOrEqual(b ?? Number.NaN);
    expect(run.summary.durationMs).toBeGreaterThanOrEqual(a ?? Number.NaN);
  });

  test('runs a hundred gates, never more than its jobs, each once', async () => {
    const planned = Array.from({ length: 100 }, (_, n) =>
      gate(`g${n}`, { ...(n > 0 && n % 3 === 0 && { needs: [`g${n - 1}`] }), exclusive: n % 10 === 7 }),
    );
    let running = 0;
    const most: number[] = [];
    const alone: boolean[] = [];
    const command = (exclusive: boolean) => async (): Promise<CommandEnd> => {
      most.push(++running);
      for (let turn = 0; turn < 5; turn++) {
        await new Promise(setImmediate);
        if (exclusive) alone.push(running === 1);
      }
      running--;
      return { how: 'exited', exitCode: 0 };
    };
    const script = Object.fromEntries(
      planned.map(({ name, exclusive }) => [name, command(exclusive === true)]),
    );
    const { ran, summary } = await runScripted(planned, script, { jobs: 8 });
    expect(Math.max(...most)).toBe(8);
    expect(new Set(alone)).toEqual(new Set([true]));
    expect(ran.toSorted()).toEqual(planned.map(({ name }) => name).toSorted());
    expect(summary).toMatchObject({ verdict: 'passed' });
  });

  test('never passes gates that need each other', async () => {
    const planned = [gate('a', { needs: ['b'] }), gate('b', { needs: ['a'] }), gate('c')];
    expect(await trace(planned, 'c')).toMatchObject({
      reasons: 'skipped skipped passed',
      verdict: 'incomplete',
    });
  });
});
