import { failingGates } from '../messages/status.ts';
import type { Escalation, IterationRecord, LoggedGate, LogRecord } from '../state/execution-log.ts';
import { singleLine } from './format.ts';

// The loops in the execution log: records are read as attempts, and the attempts of one loop are grouped.

/** The stops of an agent, gates typed into a prompt, or `ralph-loop run`. */
export type LoopKind = 'hook' | 'chain' | 'agent-run';

export const LOOP_KIND_NAMES: Readonly<Record<LoopKind, string>> = {
  hook: 'stop loops',
  chain: 'chains',
  'agent-run': 'agent runs',
};

/** One attempt of a loop. All texts are single lines without control characters. */
export interface LoggedAttempt {
  readonly kind: LoopKind;
  /** The attempts of one loop have the same key. */
  readonly key: string;
  /** The name of the loop. */
  readonly name: string;
  readonly at: Date;
  /** Null when the log does not count the attempts of the loop; 1 begins a loop. */
  readonly iteration: number | null;
  readonly result: AttemptResult;
  readonly gates: readonly LoggedGate[];
  /** How many criteria passed by the review of the agent itself. */
  readonly selfReviewed: number;
  /** Run time of the agent in milliseconds; 0 for stops, whose agents are not measured. */
  readonly agentMs: number;
  /** Null when the agent does not report it. */
  readonly costUsd: number | null;
  readonly tokens: number | null;
}

/**
 * - `passed`: the loop has ended, and all gates hold.
 * - `advanced`: nothing failed, but the loop goes on with its next step or stage, or a person retries it.
 * - `failed`: the agent continues to work.
 * - `escalated`: the loop has ended, because the agent says that a gate is wrong or cannot be satisfied.
 * - `unverified`: the loop has ended, and it is unknown whether the gates hold.
 * - `cancelled`: a person has ended the loop.
 * - `interrupted`: a person has interrupted the loop, or its process was killed; it can be resumed.
 */
type AttemptResult =
  | { readonly kind: 'passed' | 'advanced' | 'failed' }
  | ({ readonly kind: 'escalated' | 'unverified' | 'cancelled' | 'interrupted' } & UnverifiedEnd);

export interface UnverifiedEnd {
  /** A short phrase, such as `limit reached`. */
  readonly reason: string;
  readonly detail: string;
}

/** `first-try` and `later` have passed; `open` has not ended. */
export type LoopOutcome =
  | 'first-try'
  | 'later'
  | 'escalated'
  | 'unverified'
  | 'cancelled'
  | 'interrupted'
  | 'open';

/** The attempts of one loop from its first to its last. */
export interface LoggedLoop {
  readonly kind: LoopKind;
  readonly name: string;
  /** At least one; the oldest first. */
  readonly attempts: readonly LoggedAttempt[];
  readonly outcome: LoopOutcome;
  /** The number of iterations, with the one that passed. */
  readonly iterations: number;
  /** The time of the last attempt. */
  readonly endedAt: Date;
  /** Undefined unless the outcome is `escalated`, `unverified`, `cancelled` or `interrupted`. */
  readonly end: UnverifiedEnd | undefined;
}

/** The execution log, the oldest records first. Other versions may have written it, so no field is trusted. */
export interface ExecutionLog {
  readonly stops: readonly LogRecord[];
  readonly iterations: readonly IterationRecord[];
}

/**
 * Reads the loops of an execution log. A stop loop ends with the stop that is allowed, and begins again at iteration 1.
 * Chains and agent runs have ids, and may continue after they have ended.
 *
 * @returns the loops in the order of their first attempts, those of `ralph-loop run` last
 */
export function readLoops({ stops, iterations }: ExecutionLog): LoggedLoop[] {
  const attempts = [
    ...stops.flatMap((record) => readStop(record) ?? []),
    ...iterations.flatMap((record) => readIteration(record) ?? []),
  ];
  const loops: LoggedAttempt[][] = [];
  const open = new Map<string, LoggedAttempt[]>();
  for (const attempt of attempts) {
    const loop = attempt.iteration === 1 ? undefined : open.get(attempt.key);
    if (!loop) {
      const begun = [attempt];
      loops.push(begun);
      open.set(attempt.key, begun);
    } else if (!isRepetition(attempt, loop)) loop.push(attempt);
    if (attempt.kind === 'hook' && hasEnded(attempt)) open.delete(attempt.key);
  }
  return loops.map(summarize);
}

/** When stops were blocked because their gates still ran, the oldest first. */
export function waitTimes({ stops }: Pick<ExecutionLog, 'stops'>): Date[] {
  return stops
    .filter(({ answer, why }) => answer === 'block' && why === WAITED)
    .map(({ time }) => new Date(time))
    .filter((at) => !Number.isNaN(at.getTime()));
}

/** How often a rule of the integrity check was broken at stops. */
export interface RuleTotals {
  readonly rule: string;
  /** Stops that were blocked, whatever for. */
  readonly blocked: number;
  readonly allowed: number;
}

/** The rules by the findings of stops, the most frequent first; notes after edits are left out. */
export function sumRules({ stops }: Pick<ExecutionLog, 'stops'>, since: Date | undefined): RuleTotals[] {
  const totals = new Map<string, { rule: string; blocked: number; allowed: number }>();
  for (const { answer, time, findings } of stops) {
    if (answer === 'ignore' || !Array.isArray(findings) || (since && new Date(time) < since)) continue;
    for (const rule of new Set(findings.flatMap((each) => each?.rule ?? []))) {
      const known = totals.get(rule) ?? { rule: String(rule), blocked: 0, allowed: 0 };
      totals.set(rule, known);
      if (answer === 'block') known.blocked++;
      else known.allowed++;
    }
  }
  return [...totals.values()].toSorted((a, b) => b.blocked + b.allowed - a.blocked - a.allowed);
}

/** While a chain waits for a person, every stop of its session is allowed and logged without running a gate. */
function isRepetition({ result, gates }: LoggedAttempt, loop: readonly LoggedAttempt[]): boolean {
  const last = loop.at(-1)?.result;
  return (
    gates.length === 0 &&
    (result.kind === 'unverified' || result.kind === 'escalated') &&
    (last?.kind === 'unverified' || last?.kind === 'escalated') &&
    result.reason === last.reason
  );
}

function hasEnded({ result }: LoggedAttempt): boolean {
  return ['passed', 'escalated', 'unverified', 'cancelled'].includes(result.kind);
}

function summarize(attempts: readonly LoggedAttempt[]): LoggedLoop {
  const last = attempts.at(-1) as LoggedAttempt;
  const { kind, name, at: endedAt, result } = last;
  // Steps and stages that hold at once belong to one iteration.
  const unsuccessful = attempts.slice(0, -1).filter((attempt) => attempt.result.kind !== 'advanced');
  const iterations = last.iteration ?? unsuccessful.length + 1;
  return {
    kind,
    name,
    attempts,
    outcome: outcomeOf(result, iterations),
    iterations,
    endedAt,
    end: 'reason' in result ? result : undefined,
  };
}

function outcomeOf({ kind }: AttemptResult, iterations: number): LoopOutcome {
  if (kind === 'passed') return iterations === 1 ? 'first-try' : 'later';
  return kind === 'advanced' || kind === 'failed' ? 'open' : kind;
}

/** Reasons in the log of stops whose gates all hold. */
const PASSED = ['commands-passed', 'markers-found', 'verified'];
/** Reasons in the log of blocked stops in which nothing failed. */
const ADVANCED = ['next-step', 'review', 'retried'];
/** Reasons in the log of allowed stops whose gates may fail, as the report names them. */
const UNVERIFIED_REASONS: Readonly<Record<string, string>> = {
  'cap-reached': 'limit reached',
  escalated: 'limit reached',
  'cannot-count': 'cannot be counted',
  'internal-error': 'internal error',
  unverified: 'failed',
};
/** The reason in the log of blocked stops whose gates still ran. */
const WAITED = 'still-running';
const SKIPPED: AttemptResult = { kind: 'unverified', reason: 'skipped', detail: 'by a person' };
const ABORTED: AttemptResult = { kind: 'cancelled', reason: 'cancelled', detail: 'by a person' };

/** @returns undefined for records that are not an attempt: stops that are not guarded, chains that begin */
function readStop(record: LogRecord): LoggedAttempt | undefined {
  const at = new Date(record.time);
  const gates = validGates(record.gates);
  const result = stopResult(record, gates);
  if (!result || Number.isNaN(at.getTime())) return undefined;
  const { agent, iteration } = record;
  const task = typeof record.task === 'string' ? record.task : undefined;
  const kind = isOfChain(record) ? 'chain' : 'hook';
  return {
    kind,
    key: `${kind} ${task ?? record.time}`,
    name: singleLine(task ?? `agent ${agent ?? 'unknown'}`),
    at,
    // A chain counts from 1 again at each step.
    iteration: kind === 'hook' ? numberOrNull(iteration) : null,
    result,
    gates,
    selfReviewed: Array.isArray(record.self_reviewed) ? record.self_reviewed.length : 0,
    agentMs: 0,
    costUsd: null,
    tokens: null,
  };
}

function readIteration(record: IterationRecord): LoggedAttempt | undefined {
  const at = new Date(record.time);
  if (Number.isNaN(at.getTime())) return undefined;
  return {
    kind: 'agent-run',
    key: `agent-run ${record.loop}`,
    name: singleLine(record.task_id),
    at,
    // An agent run counts from 1 again at each stage.
    iteration: null,
    result: iterationResult(record),
    gates: validGates(record.gates),
    selfReviewed: 0,
    agentMs: numberOrNull(record.duration_ms) ?? 0,
    costUsd: numberOrNull(record.cost_usd),
    tokens: numberOrNull(record.tokens),
  };
}

function stopResult(record: LogRecord, gates: readonly LoggedGate[]): AttemptResult | undefined {
  const { answer, why, task, iteration, max } = record;
  if (typeof task !== 'string' && why !== 'internal-error') return undefined;
  // The stop is repeated, and has its result then.
  if (why === WAITED) return undefined;
  if (answer === 'ignore') return isOfChain(record) ? personResult(why) : undefined;
  if (answer !== 'allow') return { kind: ADVANCED.includes(why) ? 'advanced' : 'failed' };
  if (PASSED.includes(why)) return { kind: 'passed' };
  if (why === 'no-gates') return undefined;
  // A chain ends unverified when one of its steps was skipped, or when its commands run only once and fail.
  if (why === 'unverified' && gates.every(({ outcome }) => outcome === 'passed')) return SKIPPED;
  if (record.escalated) return escalatedResult(record.escalated);
  const position = numberOrNull(iteration) === null ? [] : [`iteration ${iteration}/${max}`];
  const detail = [...position, failingGates(gates)].filter((part) => part !== '').join(': ');
  return {
    kind: why === 'cancelled' ? 'cancelled' : 'unverified',
    reason: UNVERIFIED_REASONS[why] ?? singleLine(why),
    detail: singleLine(detail),
  };
}

/** An earlier version has logged `escalated` without an escalation for chains without an attempt left. */
function escalatedResult(escalation: Partial<Escalation>): AttemptResult {
  const { gate, reason = '' } = escalation;
  const detail = singleLine(`${gate === undefined ? '' : `${gate}: `}${reason}`);
  return { kind: 'escalated', reason: 'escalated', detail };
}

/** The result of a command that a person gives about a chain without attempts left. */
function personResult(why: string): AttemptResult | undefined {
  if (why.startsWith('gate retry')) return { kind: 'advanced' };
  const result = why.startsWith('gate skip') ? SKIPPED : why.startsWith('gate abort') ? ABORTED : undefined;
  // Earlier versions did not record who ran the command.
  const [, by] = /, (.*)/s.exec(why) ?? [];
  return result && 'detail' in result && by !== undefined ? { ...result, detail: singleLine(by) } : result;
}

function iterationResult(record: IterationRecord): AttemptResult {
  const { outcome, continuing, stage, ralph_iteration: iteration, ralph_max: max } = record;
  if (outcome === 'accepted') return { kind: continuing ? 'advanced' : 'passed' };
  if (outcome === 'escalated') return escalatedResult(record.escalated ?? { reason: record.why });
  if (continuing) return { kind: 'failed' };
  const isStopped = outcome === 'interrupted' || outcome === 'cancelled';
  const failed = iteration >= max ? 'limit reached' : 'failed';
  return {
    kind: isStopped ? outcome : 'unverified',
    reason: isStopped ? outcome : failed,
    detail: singleLine(`${stage}, iteration ${iteration}/${max}: ${record.why}`),
  };
}

function isOfChain({ task }: LogRecord): boolean {
  return typeof task === 'string' && task.startsWith('chain:');
}

function validGates(gates: readonly unknown[]): LoggedGate[] {
  return gates.flatMap((gate) => {
    const { name, outcome, exit, duration_ms, reused, joined, flaky } = (gate ?? {}) as Partial<LoggedGate>;
    const failedBefore = numberOrNull(flaky) ?? 0;
    if (typeof name !== 'string' || typeof outcome !== 'string') return [];
    return [
      {
        name: singleLine(name),
        outcome,
        exit: numberOrNull(exit),
        duration_ms: Math.max(0, numberOrNull(duration_ms) ?? 0),
        ...(typeof reused === 'string' && { reused }),
        ...(joined && { joined: true }),
        ...(failedBefore > 0 && { flaky: failedBefore }),
      },
    ];
  });
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
