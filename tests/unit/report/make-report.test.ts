import { describe, expect, test } from 'vitest';
import { makeReport } from '../../../src/report/make-report.ts';
import { firstTryRate } from '../../../src/report/tally-loops.ts';
import type { IterationRecord, LogRecord } from '../../../src/state/execution-log.ts';
import { logRecord } from '../../helpers/log-record.ts';
import { iterationRecord, loggedGate } from '../../helpers/sample-log.ts';

const MADE_AT = new Date(2026, 2, 14, 12);
/** Noon of a day of 2026, local, as the log has it. */
const noon = (month: number, day: number, hour = 12) => new Date(2026, month - 1, day, hour).toISOString();

function reportOf(stops: LogRecord[], iterations: IterationRecord[] = [], since?: Date) {
  return makeReport({ stops, iterations }, { project: 'demo', since, madeAt: MADE_AT });
}

let tasks = 0;
const passAt = (iteration: number, fields: Partial<LogRecord> = {}) =>
  logRecord({ task: `t${++tasks}`, iteration, answer: 'allow', why: 'commands-passed', ...fields });
const letGo = (fields: Partial<LogRecord> = {}) =>
  logRecord({ task: `t${++tasks}`, iteration: 5, answer: 'allow', why: 'cap-reached', ...fields });

describe('loops', () => {
  test('the first-try rate is of all that have ended', () => {
    const { all } = reportOf([passAt(1), passAt(2), passAt(3), letGo(), logRecord({ task: 'open' })]);
    expect(all).toMatchObject({ loops: 5, 'first-try': 1, later: 2, 'let-go': 1, open: 1 });
    expect(firstTryRate(all)).toBe(1 / 4);
  });

  test('there is no rate of none', () => {
    expect(firstTryRate(reportOf([]).all)).toBeNull();
    expect(firstTryRate(reportOf([logRecord()]).all)).toBeNull();
  });

  test.for([
    { passes: [], iterations: [], median: null },
    { passes: [1], iterations: [1, 0, 0, 0, 0], median: 1 },
    { passes: [1, 2], iterations: [1, 1, 0, 0, 0], median: 1.5 },
    { passes: [7, 1, 2], iterations: [1, 1, 0, 0, 0, 0, 1], median: 2 },
    { passes: [1, 20], iterations: [1, ...Array(18).fill(0), 1], median: 10.5 },
    { passes: [19, 20, 21, 500], iterations: [...Array(18).fill(0), 1, 3], median: 20.5 },
  ])('iterations to pass: $passes', ({ passes, iterations, median }) => {
    const report = reportOf(passes.map((iteration) => passAt(iteration)));
    expect(report.iterations.map(({ loops }) => loops)).toEqual(iterations);
    expect(report.medianIterations).toBe(median);
    const isCut = Math.max(0, ...passes) > 20;
    expect(report.iterations.at(-1)?.label).toBe(
      isCut ? '20+' : iterations.length ? `${iterations.length}` : undefined,
    );
  });

  test('each kind that there is', () => {
    const { kinds } = reportOf(
      [passAt(1), passAt(1, { task: 'chain:a', why: 'verified' })],
      [iterationRecord()],
    );
    expect(kinds.map(([kind, { loops }]) => `${kind} ${loops}`)).toEqual(['hook 1', 'chain 1', 'promise 1']);
    expect(reportOf([passAt(1)]).kinds.map(([kind]) => kind)).toEqual(['hook']);
  });

  test('since: what ended before is left out, and what began before and goes on is told whole', () => {
    const early = passAt(1, { time: noon(3, 1) });
    const [begun, ended] = [
      logRecord({ task: 'long', time: noon(3, 2), gates: [loggedGate('test', 'failed', 10)] }),
      passAt(2, { task: 'long', time: noon(3, 4), gates: [loggedGate('test', 'passed', 20)] }),
    ];
    const since = new Date(2026, 2, 3);
    const { all, gates, span } = reportOf([early, begun, ended], [], since);
    expect(all).toMatchObject({ loops: 1, later: 1, gateMs: 30 });
    expect(gates).toMatchObject([{ runs: 2, failures: 1 }]);
    expect(span).toEqual({ from: new Date(noon(3, 2)), to: new Date(noon(3, 4)) });
    expect(reportOf([early], [], since).span).toBeUndefined();
  });

  test('what was let go, the latest first', () => {
    const stops = [letGo({ task: 'a', time: noon(3, 1) }), letGo({ task: 'b', time: noon(3, 2) })];
    expect(reportOf(stops).letGo).toEqual([
      { reason: 'let-go', why: 'cap reached', detail: 'iteration 5/5', at: new Date(noon(3, 2)), loop: 'b' },
      { reason: 'let-go', why: 'cap reached', detail: 'iteration 5/5', at: new Date(noon(3, 1)), loop: 'a' },
    ]);
  });
});

describe('gates, time and cost', () => {
  test('runs, failures, median and maximum; what was not run does not count', () => {
    const run = (...gates: LogRecord['gates']) => logRecord({ gates });
    const { gates, all } = reportOf([
      run(loggedGate('lint', 'passed', 10), loggedGate('test', 'failed', 400)),
      run(loggedGate('lint', 'failed', 30), loggedGate('test', 'skipped', 0)),
      run(
        loggedGate('lint', 'passed', 20),
        loggedGate('test', 'timed-out', 100),
        loggedGate('e2e', 'interrupted', 7),
      ),
      run(loggedGate('lint', 'passed', 80), loggedGate('fast', 'passed', 1)),
    ]);
    expect(gates).toEqual([
      { name: 'test', runs: 2, failures: 2, medianMs: 250, maxMs: 400 },
      { name: 'lint', runs: 4, failures: 1, medianMs: 25, maxMs: 80 },
      { name: 'fast', runs: 1, failures: 0, medianMs: 1, maxMs: 1 },
    ]);
    expect(all.gateMs).toBe(648);
  });

  test('more runs of a gate than a call may have arguments', () => {
    const gates = Array.from({ length: 200_000 }, (_, index) => loggedGate('lint', 'passed', index));
    expect(reportOf([logRecord({ gates })]).gates).toMatchObject([{ runs: 200_000, maxMs: 199_999 }]);
  });

  test('what agents took and cost; what none told is no 0', () => {
    const { all } = reportOf(
      [passAt(1)],
      [
        iterationRecord({ duration_ms: 1000, cost_usd: 0.25, tokens: null }),
        iterationRecord({ duration_ms: 500, cost_usd: null }),
        iterationRecord({ loop: 'l2', duration_ms: 1, cost_usd: 0.5 }),
      ],
    );
    expect(all).toMatchObject({ agentMs: 1501, costUsd: 0.75, tokens: null });
    expect(reportOf([passAt(1)]).all).toMatchObject({ agentMs: 0, costUsd: null, tokens: null });
  });
});

describe('periods', () => {
  /** Those in which something happened: `2026-03-01: 1 2 3` for first try, later, let go. */
  const told = ({ periods }: ReturnType<typeof reportOf>) =>
    periods.flatMap(({ from, costUsd, ...period }) => {
      const counts = [period['first-try'], period.later, period['let-go']];
      const day = `${from.getMonth() + 1}-${from.getDate()}`;
      return counts.some((n) => n > 0) || costUsd
        ? [`${day}: ${counts.join(' ')}${costUsd ? ` $${costUsd}` : ''}`]
        : [];
    });

  test('a loop counts on the day when it ended, and cost on the day when it arose', () => {
    const report = reportOf(
      [
        logRecord({ task: 'a', time: noon(3, 1) }),
        passAt(2, { task: 'a', time: noon(3, 3, 0) }),
        passAt(1, { time: noon(3, 3, 23) }),
        letGo({ time: noon(3, 4, 0) }),
        logRecord({ task: 'open', time: noon(3, 5) }),
      ],
      [
        iterationRecord({ time: noon(3, 2), cost_usd: 1, continuing: true, outcome: 'denied' }),
        iterationRecord({ time: noon(3, 5), cost_usd: 2 }),
      ],
    );
    expect(told(report)).toEqual(['3-2: 0 0 0 $1', '3-3: 1 1 0', '3-4: 0 0 1', '3-5: 0 1 0 $2']);
    expect(report.unit).toBe('day');
  });

  test.for([
    { first: noon(3, 14), last: noon(3, 14), unit: 'day', periods: 14, from: [3, 1] },
    { first: noon(3, 1, 0), last: noon(3, 14, 23), unit: 'day', periods: 14, from: [3, 1] },
    { first: noon(1, 1), last: noon(3, 3), unit: 'day', periods: 62, from: [1, 1] },
    // 5 January 2026 is a Monday.
    { first: noon(1, 7), last: noon(3, 11), unit: 'week', periods: 10, from: [1, 5] },
    { first: noon(1, 11, 23), last: noon(12, 31), unit: 'week', periods: 52, from: [1, 5] },
    {
      first: new Date(2024, 0, 31, 12).toISOString(),
      last: noon(3, 1),
      unit: 'month',
      periods: 27,
      from: [1, 1],
    },
  ])('$first to $last: $periods of a $unit', ({ first, last, unit, periods, from }) => {
    const report = reportOf([passAt(1, { time: first }), passAt(1, { time: last })]);
    expect(report).toMatchObject({ unit, periods: { length: periods } });
    const [start] = report.periods;
    expect([(start?.from.getMonth() ?? 0) + 1, start?.from.getDate()]).toEqual(from);
    const ended = report.periods.map((period) => period['first-try']);
    expect(ended.reduce((sum, n) => sum + n)).toBe(2);
    expect(ended.at(-1)).toBeGreaterThan(0);
  });

  test('none of nothing', () => {
    expect(reportOf([])).toMatchObject({ periods: [], iterations: [], gates: [], letGo: [], kinds: [] });
  });
});
