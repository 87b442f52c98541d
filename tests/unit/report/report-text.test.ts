import { expect, test } from 'vitest';
import { coloured, plain } from '../../../src/messages/paint.ts';
import { makeReport } from '../../../src/report/make-report.ts';
import { reportText } from '../../../src/report/report-text.ts';
import type { IterationRecord, LogRecord } from '../../../src/state/execution-log.ts';
import { logRecord } from '../../helpers/log-record.ts';
import { iterationRecord, loggedGate, sampleLog } from '../../helpers/sample-log.ts';

const at = (day: number) => new Date(2026, 2, day, 12).toISOString();
const allowed = (fields: Partial<LogRecord>) =>
  logRecord({ answer: 'allow', why: 'commands-passed', ...fields });

function textOf(stops: LogRecord[], iterations: IterationRecord[] = [], columns = 60, paint = plain): string {
  const about = { project: 'shop', since: undefined, madeAt: new Date(2026, 2, 14) };
  return reportText(makeReport({ stops, iterations }, about), paint, columns);
}

test('reportText prints all sections in 60 columns', () => {
  const gates = [loggedGate('lint', 'passed', 900), loggedGate('test', 'failed', 42_000)];
  const stops = [
    allowed({ task: 'a', time: at(1), gates: [loggedGate('lint', 'passed', 1100)] }),
    logRecord({ task: 'b', time: at(2), gates }),
    allowed({ task: 'b', time: at(3), iteration: 2, gates: [loggedGate('lint', 'passed', 1000)] }),
    allowed({ task: 'c', time: at(4), iteration: 5, why: 'cap-reached', gates }),
    logRecord({ task: 'd', time: at(5) }),
  ];
  const iterations = [
    iterationRecord({ time: at(6), duration_ms: 3_900_000, cost_usd: 1.5, tokens: 12_345 }),
  ];
  expect(textOf(stops, iterations)).toBe(`\
shop: 5 loops, 2026-03-01 to 2026-03-06
  First try   50 %, 2 of 4
  Passed      3, at iteration 1 (median)
  Unverified  1
  Not ended   1
  Gates       1 min 28 s
  Agents      1 h 5 min
  Cost        $1.50, 12,345 tokens

Iterations to pass
    1  ████████████████████████████████████████ 2
    2  ████████████████████ 1
    3  0
    4  0
    5  0

Loops
              all  first try  later  unverified  open
  stop loops    4          1      1           1     1
  agent runs    1          1      0           0     0

Gates that fail most
        runs  failed   rate
  test     2       2  100 %

Slowest gates
        median    max
  test    42 s   42 s
  lint   0.9 s  1.1 s

Ended unverified
  2026-03-04 12:00  c
    limit reached, iteration 5/5: test failed, exit 1
`);
});

test('reportText shows what was reused and joined, and who waited, where there is such a figure', () => {
  const [reused, joined] = [{ reused: '2026-01-31T10:27:00.000Z' }, { joined: true }] as const;
  const stops = [
    logRecord({ task: 'a', why: 'still-running' }),
    logRecord({
      task: 'a',
      gates: [loggedGate('test', 'failed', 42_000), loggedGate('lint', 'passed', 2000)],
    }),
    allowed({
      task: 'a',
      iteration: 2,
      gates: [loggedGate('test', 'passed', 41_000, joined), loggedGate('lint', 'passed', 2000, reused)],
    }),
  ];
  const text = textOf(stops);
  expect(text).toContain(
    '  Gates       44 s\n  Saved       43 s, 1 reused, 1 joined\n  Waited      1 stop, for gates that still ran\n',
  );
  expect(text).toContain('        runs  failed   rate\n  test     1       1  100 %\n');
  expect(text).toContain(
    '        median   max  reused\n  test    42 s  42 s       0\n  lint     2 s   2 s       1\n',
  );
});

test('reportText shows the gates that are flaky', () => {
  const gates = [{ ...loggedGate('test'), flaky: 1 }, loggedGate('lint')];
  const text = textOf([
    allowed({ task: 'a', time: at(1), gates }),
    allowed({ task: 'b', time: at(2), gates: [loggedGate('test')] }),
  ]);

  expect(text).toContain('\n\nFlaky gates\n        runs  flaky  rate\n  test     2      1  50 %\n\n');
});

test('reportText shows cancelled and interrupted runs apart from those that ended unverified', () => {
  const stopped = ['cancelled', 'interrupted'] as const;
  const records = stopped.map((outcome, n) =>
    iterationRecord({ time: at(n + 1), loop: `l${n}`, task_id: `T${n}`, outcome, why: 'by a person' }),
  );
  const text = textOf([], records);
  expect(text).toContain('  First try   no loop has ended\n');
  expect(text).toContain('  Cancelled   1\n  Interrupted 1\n');
  expect(text).toContain('all  first try  later  unverified  stopped  open');
  expect(text).toMatch(/\nCancelled or interrupted\n.* T1\n {4}interrupted, coder.*: by a person\n.* T0\n/);
});

test('reportText counts escalated loops apart from those that passed, and what the agent itself has reviewed', () => {
  const text = textOf([
    allowed({ task: 'a', time: at(1), why: 'escalated', escalated: { gate: 'test', reason: 'no network' } }),
    allowed({ task: 'chain:k3', time: at(2), why: 'verified', self_reviewed: ['docs'] }),
  ]);
  expect(text).toContain('  First try   50 %, 1 of 2\n');
  expect(text).toContain('  Passed      1, at iteration 1 (median), 1 self-reviewed\n  Escalated   1\n');
  expect(text).toContain('all  first try  later  escalated  unverified  open');
  expect(text).toMatch(/\nEscalated\n.* a\n {4}escalated, test: no network\n/);
});

test('reportText leaves out sections without content', () => {
  expect(textOf([logRecord({ task: 'a', time: at(1) })])).toBe(`\
shop: 1 loop, 2026-03-01
  First try   no loop has ended
  Passed      0
  Unverified  none
  Not ended   1
  Gates       0 ms

Loops
              all  first try  later  unverified  open
  stop loops    1          0      0           0     1
`);
  expect(textOf([])).toBe('The execution log of shop, .trellis/.ralph/log.jsonl, has no loops yet.\n');
});

test.for([54, 60, 100])('reportText cuts long names and lists to fit %d columns', (columns) => {
  const name = (n: number) => `${n} ${'a name without an end '.repeat(8)}`;
  const gates = Array.from({ length: 300 }, (_, n) => loggedGate(name(n), 'failed', 100 + n * 1000));
  const stops = Array.from({ length: 25 }, (_, n) =>
    allowed({ task: `tasks/${'long/'.repeat(30)}${n}`, time: at(1), why: 'cap-reached', gates }),
  );
  const lines = textOf(stops, [], columns).split('\n');
  expect(lines.filter((line) => line.length > columns)).toEqual([]);
  expect(lines.filter((line) => line === '  and 292 more gates; --html shows more')).toHaveLength(2);
  expect(lines).toContain('  and 15 more loops; --html shows more');
  expect(lines).toHaveLength(57);
});

test.for([1, 10, 5000])('the report of a log of %d lines fits on two screens', (lines) => {
  const records = sampleLog(lines);
  const [stops, iterations] = [
    records.filter((record): record is LogRecord => 'answer' in record),
    records.filter((record): record is IterationRecord => 'loop' in record),
  ];
  const text = textOf(stops, iterations, 60).split('\n');
  expect(text.length).toBeLessThan(80);
  expect(text.filter((line) => line.length > 60 || /NaN|undefined|Infinity/.test(line))).toEqual([]);
});

test('the titles of a report are bold in a terminal with colours', () => {
  expect(textOf([logRecord({ time: at(1) })], [], 60, coloured)).toContain('\x1b[1mLoops\x1b[22m\n');
});

test('reportText prints what became weaker at stops, by rule, and no notes after edits', () => {
  const finding = (rule: 'test-skipped' | 'expectation-changed') =>
    ({ rule, severity: 'high', path: 'a.test.ts', message: 'x' }) as const;
  const stops = [
    logRecord({
      task: 'a',
      time: at(1),
      why: 'integrity',
      findings: [finding('test-skipped'), finding('test-skipped')],
    }),
    allowed({
      task: 'a',
      time: at(2),
      iteration: 2,
      findings: [finding('test-skipped'), finding('expectation-changed')],
    }),
    logRecord({
      answer: 'ignore',
      why: 'noted after an edit: 1 finding',
      time: at(2),
      findings: [finding('test-skipped')],
    }),
  ];
  expect(textOf(stops)).toContain(`
Weakened
                       blocked  allowed
  test-skipped               1        1
  expectation-changed        0        1
`);
});
