import { expect, test } from 'vitest';
import { plain } from '../../../src/messages/paint.ts';
import type { RunStatus } from '../../../src/messages/status.ts';
import { type SessionNow, statusLineText } from '../../../src/messages/status-line.ts';
import type { LoggedGate, LogRecord } from '../../../src/state/execution-log.ts';
import { logRecord } from '../../helpers/log-record.ts';

const NOW = new Date('2026-01-01T12:00:00Z');
const gate = (name: string, outcome: LoggedGate['outcome'] = 'passed'): LoggedGate => ({
  name,
  outcome,
  exit: null,
  duration_ms: 10,
});
const stop = (more: Partial<LogRecord>): SessionNow['last'] =>
  logRecord({ time: '2026-01-01T11:58:00Z', iteration: 2, max: 5, ...more });
const running = (name: string, usual: number | null): RunStatus => ({
  waiting: 0,
  gates: [{ name, outcome: null, started_at: '2026-01-01T11:59:48Z', duration_ms: 12_000, usual_ms: usual }],
});

interface Row {
  readonly what: string;
  readonly now: Partial<SessionNow>;
  readonly shown: string;
}

const BLOCK = stop({ answer: 'block', why: 'gates-failed', gates: [gate('lint'), gate('test', 'failed')] });

const ROWS: readonly Row[] = [
  { what: 'a session without a stop', now: {}, shown: 'ralph no stop yet' },
  {
    what: 'a pass',
    now: { last: stop({ answer: 'allow', why: 'commands-passed', gates: [gate('a'), gate('b')] }) },
    shown: 'ralph ✓ 2 gates 2 min ago',
  },
  { what: 'a block', now: { last: BLOCK }, shown: 'ralph ✗ test 2/5' },
  {
    what: 'the gate that runs, and the block before it',
    now: { last: BLOCK, runs: [running('test', 40_000)] },
    shown: 'ralph ● test 12 s of 40 s 2/5',
  },
  {
    what: 'a gate that takes longer than usual',
    now: { runs: [running('test', 10_000)] },
    shown: 'ralph ● test 12 s, usually 10 s',
  },
  {
    what: 'a gate whose duration is not known',
    now: { runs: [running('test', null)] },
    shown: 'ralph ● test 12 s',
  },
  {
    what: 'weaker tests',
    now: { last: stop({ answer: 'block', why: 'integrity', gates: [gate('test')] }) },
    shown: 'ralph ✗ tests are weaker 2/5',
  },
  {
    what: 'an escalation',
    now: {
      last: stop({
        answer: 'allow',
        why: 'escalated',
        gates: [gate('test', 'failed')],
        escalated: { reason: 'no network' },
      }),
    },
    shown: 'ralph ! escalated: test',
  },
  {
    what: 'the last attempt',
    now: { last: stop({ answer: 'allow', why: 'cap-reached', gates: [gate('test', 'failed')] }) },
    shown: 'ralph ! not passed: test',
  },
  {
    what: 'a name of several lines with escape sequences',
    now: { last: stop({ answer: 'block', why: 'gates-failed', gates: [gate('a\n\u001b[31mb', 'failed')] }) },
    shown: 'ralph ✗ a b 2/5',
  },
];

test.each(ROWS)('the status line shows $what', ({ now, shown }) => {
  expect(statusLineText({ last: undefined, runs: [], ...now }, NOW, plain)).toBe(shown);
});
