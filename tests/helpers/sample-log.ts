import type {
  IterationOutcome,
  IterationRecord,
  LoggedGate,
  LogRecord,
} from '../../src/state/execution-log.ts';
import { logRecord } from './log-record.ts';

/** Returns a record of the execution log, by default of a promise that is accepted at the first iteration. */
export function iterationRecord(fields: Partial<IterationRecord> = {}): IterationRecord {
  return {
    time: '2026-01-31T10:30:00.000Z',
    loop: 'l1',
    task_id: 'TASK-001',
    stage: 'coder',
    ralph_iteration: 1,
    ralph_max: 15,
    promise_found: true,
    continuing: false,
    duration_ms: 60_000,
    cost_usd: null,
    tokens: null,
    outcome: 'accepted',
    why: 'the promise holds',
    gates: [],
    ...fields,
  };
}

export function loggedGate(
  name: string,
  outcome: LoggedGate['outcome'] = 'passed',
  duration_ms = 1000,
  marks: Pick<LoggedGate, 'reused' | 'joined'> = {},
): LoggedGate {
  const exit = outcome === 'failed' ? 1 : outcome === 'passed' ? 0 : null;
  return { name, outcome, exit, duration_ms, ...marks };
}

/** Returns the text of a log file. */
export function logText(records: readonly (LogRecord | IterationRecord)[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

interface SampleGate {
  readonly name: string;
  /** How often it fails, 0 to 1, and how long it takes, in milliseconds. */
  readonly fails: number;
  readonly takes: number;
}

const GATES: readonly SampleGate[] = [
  { name: 'format', fails: 0.04, takes: 700 },
  { name: 'lint', fails: 0.14, takes: 4200 },
  { name: 'typecheck', fails: 0.2, takes: 11_500 },
  { name: 'unit', fails: 0.28, takes: 38_000 },
  {
    name: 'pnpm --filter @shop/checkout run test:e2e -- --project=chromium --retries=0',
    fails: 0.17,
    takes: 142_000,
  },
];

/**
 * Returns a log like that of months of work: stops of agents, typed gates and agent runs. It is deterministic.
 *
 * @param lines their number
 * @param days the time that they cover, up to 2026-03-14
 */
export function sampleLog(lines: number, days = 40): (LogRecord | IterationRecord)[] {
  const random = randomNumbers();
  const end = Date.parse('2026-03-14T15:00:00.000Z');
  const records: (LogRecord | IterationRecord)[] = [];
  const timeOfNext = () => new Date(end - (1 - records.length / lines) * days * 86_400_000).toISOString();
  for (let loop = 1; records.length < lines; loop++) {
    const kind = random();
    const max = kind > 0.85 ? 10 : 5;
    for (let iteration = 1; iteration <= max && records.length < lines; iteration++) {
      const gates = runOf(random);
      const hasPassed = gates.every(({ outcome }) => outcome === 'passed');
      const attempt = { time: timeOfNext(), iteration, max, gates, hasPassed };
      if (kind > 0.85) records.push(promised(loop, attempt, random));
      else
        records.push(stopped(kind > 0.75 ? `chain:k${loop}-7f2a` : `.trellis/tasks/shop-${loop}`, attempt));
      if (hasPassed) break;
    }
  }
  return records;
}

interface SampleAttempt {
  readonly time: string;
  readonly iteration: number;
  readonly max: number;
  readonly gates: readonly LoggedGate[];
  readonly hasPassed: boolean;
}

function stopped(task: string, { hasPassed, ...attempt }: SampleAttempt): LogRecord {
  const [passed, cap] = task.startsWith('chain:')
    ? ['verified', 'escalated']
    : ['commands-passed', 'cap-reached'];
  if (hasPassed) return logRecord({ ...attempt, task, answer: 'allow', why: passed ?? '' });
  const isLast = attempt.iteration === attempt.max;
  return logRecord({
    ...attempt,
    task,
    answer: isLast ? 'allow' : 'block',
    why: isLast ? (cap ?? '') : 'gates-failed',
  });
}

function promised(
  loop: number,
  { time, iteration, max, gates, hasPassed }: SampleAttempt,
  random: () => number,
): IterationRecord {
  const outcome: IterationOutcome = hasPassed ? 'accepted' : random() < 0.3 ? 'no-promise' : 'denied';
  return iterationRecord({
    time,
    loop: `loop-${loop}`,
    task_id: `TASK-${String(loop).padStart(3, '0')}`,
    ralph_iteration: iteration,
    ralph_max: max,
    promise_found: outcome !== 'no-promise',
    continuing: !hasPassed && iteration < max,
    duration_ms: Math.round(60_000 + random() * 600_000),
    cost_usd: Math.round(random() * 9000) / 10_000,
    tokens: Math.round(random() * 90_000),
    outcome,
    why: outcome === 'denied' ? 'a gate fails' : outcome,
    gates,
  });
}

/** Returns the gates of a run that ends with the first failure. */
function runOf(random: () => number): LoggedGate[] {
  let hasFailed = false;
  return GATES.map(({ name, fails, takes }) => {
    if (hasFailed) return loggedGate(name, 'skipped', 0);
    hasFailed = random() < fails;
    return loggedGate(name, hasFailed ? 'failed' : 'passed', Math.round(takes * (0.6 + random())));
  });
}

/** Numbers from 0 to 1 by Park and Miller's generator ("Random number generators: good ones are hard to find", 1988). */
function randomNumbers(): () => number {
  let state = 42;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
