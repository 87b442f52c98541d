import { describe, expect, test } from 'vitest';
import { firstTryRate, makeReport, parseSince } from '../../../src/report/make-report.ts';
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
const unverified = (fields: Partial<LogRecord> = {}) =>
  logRecord({ task: `t${++tasks}`, iteration: 5, answer: 'allow', why: 'cap-reached', ...fields });

describe('makeReport', () => {
  test('counts the loops by outcome, and firstTryRate is the share of those that have ended', () => {
    const { totals } = reportOf([passAt(1), passAt(2), passAt(3), unverified(), logRecord({ task: 'open' })]);
    expect(totals).toMatchObject({ loops: 5, 'first-try': 1, later: 2, unverified: 1, open: 1 });
    expect(firstTryRate(totals)).toBe(1 / 4);
  });

  test('cancelled and interrupted loops lower no rate', () => {
    const stopped = [
      iterationRecord({ loop: 'l1', outcome: 'cancelled' }),
      iterationRecord({ loop: 'l2', outcome: 'interrupted' }),
    ];
    const report = reportOf(
      [passAt(1), passAt(1), unverified(), logRecord({ answer: 'allow', why: 'cancelled' })],
      stopped,
    );
    expect(report.totals).toMatchObject({ cancelled: 2, interrupted: 1, unverified: 1, open: 0 });
    expect(firstTryRate(report.totals)).toBe(2 / 3);
    expect(report.unverified).toHaveLength(1);
    expect(report.stopped.map(({ reason }) => reason).toSorted()).toEqual([
      'cancelled',
      'cancelled',
      'interrupted',
    ]);
  });

  test('has no first-try rate when no loop has ended', () => {
    expect(firstTryRate(reportOf([]).totals)).toBeNull();
    expect(firstTryRate(reportOf([logRecord()]).totals)).toBeNull();
  });

  test.for([
    { passes: [], iterations: [], median: null },
    { passes: [1], iterations: [1, 0, 0, 0, 0], median: 1 },
    { passes: [1, 2], iterations: [1, 1, 0, 0, 0], median: 1.5 },
    { passes: [7, 1, 2], iterations: [1, 1, 0, 0, 0, 0, 1], median: 2 },
    { passes: [1, 20], iterations: [1, ...Array(18).fill(0), 1], median: 10.5 },
    { passes: [19, 20, 21, 500], iterations: [...Array(18).fill(0), 1, 3], median: 20.5 },
  ])('counts the iterations to pass of loops that pass at $passes', ({ passes, iterations, median }) => {
    const report = reportOf(passes.map((iteration) => passAt(iteration)));
    expect(report.iterations.map(({ loops }) => loops)).toEqual(iterations);
    expect(report.medianIterations).toBe(median);
    const isCut = Math.max(0, ...passes) > 20;
    expect(report.iterations.at(-1)?.label).toBe(
      isCut ? '20+' : iterations.length ? `${iterations.length}` : undefined,
    );
  });

  test('returns the totals of each kind of which there are loops', () => {
    const { kinds } = reportOf(
      [passAt(1), passAt(1, { task: 'chain:a', why: 'verified' })],
      [iterationRecord()],
    );
    expect(kinds.map(([kind, { loops }]) => `${kind} ${loops}`)).toEqual([
      'hook 1',
      'chain 1',
      'agent-run 1',
    ]);
    expect(reportOf([passAt(1)]).kinds.map(([kind]) => kind)).toEqual(['hook']);
  });

  test('leaves out loops that ended before `since`, and includes the whole of loops that began before', () => {
    const early = passAt(1, { time: noon(3, 1) });
    const [started, ended] = [
      logRecord({ task: 'long', time: noon(3, 2), gates: [loggedGate('test', 'failed', 10)] }),
      passAt(2, { task: 'long', time: noon(3, 4), gates: [loggedGate('test', 'passed', 20)] }),
    ];
    const since = new Date(2026, 2, 3);
    const { totals, gates, span } = reportOf([early, started, ended], [], since);
    expect(totals).toMatchObject({ loops: 1, later: 1, gateMs: 30 });
    expect(gates).toMatchObject([{ runs: 2, failures: 1 }]);
    expect(span).toEqual({ from: new Date(noon(3, 2)), to: new Date(noon(3, 4)) });
    expect(reportOf([early], [], since).span).toBeUndefined();
  });

  test('lists the loops that ended unverified, the latest first', () => {
    const stops = [unverified({ task: 'a', time: noon(3, 1) }), unverified({ task: 'b', time: noon(3, 2) })];
    expect(reportOf(stops).unverified).toEqual([
      { reason: 'limit reached', detail: 'iteration 5/5', at: new Date(noon(3, 2)), loop: 'b' },
      { reason: 'limit reached', detail: 'iteration 5/5', at: new Date(noon(3, 1)), loop: 'a' },
    ]);
  });
});

describe('makeReport sums up', () => {
  test('the runs, failures and durations of each gate, without those that were not run', () => {
    const run = (...gates: LogRecord['gates']) => logRecord({ gates });
    const { gates, totals } = reportOf([
      run(loggedGate('lint', 'passed', 10), loggedGate('test', 'failed', 400)),
      run(loggedGate('lint', 'failed', 30), loggedGate('test', 'skipped', 0)),
      run(
        loggedGate('lint', 'passed', 20),
        loggedGate('test', 'timed-out', 100),
        loggedGate('e2e', 'interrupted', 7),
      ),
      run(loggedGate('lint', 'passed', 80), loggedGate('fast', 'passed', 1)),
      run({ ...loggedGate('fast', 'passed', 9000), reused: '2026-01-31T10:27:00.000Z' }),
    ]);
    expect(gates).toEqual([
      { name: 'test', runs: 2, reused: 0, failures: 2, flaky: 0, medianMs: 250, maxMs: 400 },
      { name: 'lint', runs: 4, reused: 0, failures: 1, flaky: 0, medianMs: 25, maxMs: 80 },
      { name: 'fast', runs: 1, reused: 1, failures: 0, flaky: 0, medianMs: 1, maxMs: 1 },
    ]);
    expect(totals.gateMs).toBe(648);
  });

  test('the results that were reused or joined, apart from the runs', () => {
    const [reused, joined] = [{ reused: '2026-01-31T10:27:00.000Z' }, { joined: true }] as const;
    const { gates, totals } = reportOf(
      [
        passAt(1, { gates: [loggedGate('test', 'passed', 400), loggedGate('only', 'passed', 50, reused)] }),
        logRecord({
          gates: [loggedGate('test', 'failed', 9000, joined), loggedGate('lint', 'skipped', 0, joined)],
        }),
      ],
      [
        iterationRecord({
          gates: [loggedGate('test', 'passed', 600, reused), loggedGate('lint', 'passed', 7)],
        }),
      ],
    );
    expect(gates).toEqual([
      { name: 'test', runs: 1, reused: 1, failures: 0, flaky: 0, medianMs: 400, maxMs: 400 },
      { name: 'lint', runs: 1, reused: 0, failures: 0, flaky: 0, medianMs: 7, maxMs: 7 },
      { name: 'only', runs: 0, reused: 1, failures: 0, flaky: 0, medianMs: null, maxMs: null },
    ]);
    expect(totals).toMatchObject({ gateMs: 407, reused: 2, joined: 1, savedMs: 50 + 600 + 9000 });
  });

  test('the stops that were asked to wait, which are no attempts', () => {
    const wait = (day: number, fields: Partial<LogRecord> = {}) =>
      logRecord({ time: noon(3, day), why: 'still-running', iteration: null, max: null, ...fields });
    const stops = [wait(1), wait(3), wait(4), wait(4, { time: 'never' }), passAt(1, { time: noon(3, 4) })];
    expect(reportOf(stops)).toMatchObject({ waits: 3, totals: { loops: 1, 'first-try': 1 } });
    expect(reportOf(stops, [], new Date(2026, 2, 2)).waits).toBe(2);
  });

  test('the runs in which a gate was flaky, and those that ran no test as failures', () => {
    const run = (...gates: LogRecord['gates']) => logRecord({ gates });
    const flaky = { ...loggedGate('test'), flaky: 2 };
    const { gates } = reportOf([
      run(flaky),
      run(flaky),
      run(loggedGate('test')),
      run(loggedGate('e2e', 'empty')),
    ]);

    expect(gates).toMatchObject([
      { name: 'e2e', runs: 1, failures: 1, flaky: 0 },
      { name: 'test', runs: 3, failures: 0, flaky: 2 },
    ]);
  });

  test('more runs of a gate than a call can have arguments', () => {
    const gates = Array.from({ length: 200_000 }, (_, index) => loggedGate('lint', 'passed', index));
    expect(reportOf([logRecord({ gates })]).gates).toMatchObject([{ runs: 200_000, maxMs: 199_999 }]);
  });

  test('the time and cost of agents, with null for figures that no agent reports', () => {
    const { totals } = reportOf(
      [passAt(1)],
      [
        iterationRecord({ duration_ms: 1000, cost_usd: 0.25, tokens: null }),
        iterationRecord({ duration_ms: 500, cost_usd: null }),
        iterationRecord({ loop: 'l2', duration_ms: 1, cost_usd: 0.5 }),
      ],
    );
    expect(totals).toMatchObject({ agentMs: 1501, costUsd: 0.75, tokens: null });
    expect(reportOf([passAt(1)]).totals).toMatchObject({ agentMs: 0, costUsd: null, tokens: null });
  });
});

describe('the periods of a report', () => {
  /** Those with loops or cost: `3-1: 1 2 3` for first try, later, unverified. */
  const busyPeriods = ({ periods }: ReturnType<typeof reportOf>) =>
    periods.flatMap(({ from, costUsd, ...period }) => {
      const counts = [period['first-try'], period.later, period.unverified];
      const day = `${from.getMonth() + 1}-${from.getDate()}`;
      return counts.some((n) => n > 0) || costUsd
        ? [`${day}: ${counts.join(' ')}${costUsd ? ` $${costUsd}` : ''}`]
        : [];
    });

  test('count a loop on the day when it ended, and cost on the day of the attempt', () => {
    const report = reportOf(
      [
        logRecord({ task: 'a', time: noon(3, 1) }),
        passAt(2, { task: 'a', time: noon(3, 3, 0) }),
        passAt(1, { time: noon(3, 3, 23) }),
        unverified({ time: noon(3, 4, 0) }),
        logRecord({ task: 'open', time: noon(3, 5) }),
      ],
      [
        iterationRecord({ time: noon(3, 2), cost_usd: 1, continuing: true, outcome: 'denied' }),
        iterationRecord({ time: noon(3, 5), cost_usd: 2 }),
      ],
    );
    expect(busyPeriods(report)).toEqual(['3-2: 0 0 0 $1', '3-3: 1 1 0', '3-4: 0 0 1', '3-5: 0 1 0 $2']);
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
  ])('from $first to $last are $periods of a $unit', ({ first, last, unit, periods, from }) => {
    const report = reportOf([passAt(1, { time: first }), passAt(1, { time: last })]);
    expect(report).toMatchObject({ unit, periods: { length: periods } });
    const [start] = report.periods;
    expect([(start?.from.getMonth() ?? 0) + 1, start?.from.getDate()]).toEqual(from);
    const ended = report.periods.map((period) => period['first-try']);
    expect(ended.reduce((sum, n) => sum + n)).toBe(2);
    expect(ended.at(-1)).toBeGreaterThan(0);
  });

  test('are none when there are no loops', () => {
    expect(reportOf([])).toMatchObject({ periods: [], iterations: [], gates: [], unverified: [], kinds: [] });
  });
});

const NOW = new Date('2026-03-14T12:00:00.000Z');

test.for([
  { text: '30m', since: new Date('2026-03-14T11:30:00Z') },
  { text: '24h', since: new Date('2026-03-13T12:00:00Z') },
  { text: '7d', since: new Date('2026-03-07T12:00:00Z') },
  { text: '2w', since: new Date('2026-02-28T12:00:00Z') },
  { text: '2026-03-01', since: new Date(2026, 2, 1) },
  { text: '2024-02-29', since: new Date(2024, 1, 29) },
  { text: '2026-03-01T10:30', since: new Date(2026, 2, 1, 10, 30) },
  { text: '2026-03-01T10:30:15', since: new Date(2026, 2, 1, 10, 30, 15) },
  { text: '2026-03-01T10:30Z', since: new Date('2026-03-01T10:30:00Z') },
  { text: '2026-03-01T10:30:15.250+02:00', since: new Date('2026-03-01T08:30:15.250Z') },
])('parseSince reads $text', ({ text, since }) => {
  expect(parseSince(text, NOW)).toEqual(since);
});

test.for([
  ...['', ' ', '7', 'd', '7 d', '7D', '7s', '1y', '-7d', '0d', '1.5d', '7dd', 'yesterday', '99999999999999w'],
  ...['2026', '2026-03', '2026-3-1', '2026-02-31', '2025-02-29', '2026-13-01', '2026-00-10', '2026-01-00'],
  ...['2026-03-01T25:00', '2026-03-01T10', '01.03.2026', '2026-03-01 10:30', '2026-03-01T10:30+2'],
])('parseSince returns undefined for "%s"', (text) => {
  expect(parseSince(text, NOW)).toBeUndefined();
});
