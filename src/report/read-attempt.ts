import { oneLine } from '../base/text.ts';
import { cleanLine } from '../diagnostics/line-text.ts';
import { failingGates } from '../messages/loop-lines.ts';
import type { IterationRecord } from '../state/agent-run.ts';
import type { LoggedGate, LogRecord } from '../state/log-record.ts';
import type { Attempt, AttemptEnd } from './loop-run.ts';

/** Nobody reads more of a name or a reason. */
const MAX_CHARACTERS = 200;
/** A stop whose gates all held, in the log's words. */
const PASSED = ['commands-passed', 'markers-found', 'verified'];
/** In a person's words, why a stop was allowed though nobody knows whether the gates hold. */
const LET_GO: Readonly<Record<string, string>> = {
  'cap-reached': 'cap reached',
  escalated: 'cap reached',
  'cannot-count': 'cannot be counted',
  'internal-error': 'internal error',
  unverified: 'failed',
};
/** What an agent was sent back for that was no refusal. */
const GOES_ON = ['next-step', 'review', 'retried'];
const SKIPPED: AttemptEnd = { reason: 'let-go', why: 'skipped', detail: 'by a person' };

/**
 * What a stop attempt is to a report. The log may hold what another version wrote: nothing of it is taken on trust.
 *
 * @returns undefined for what no loop has to do with: stops that are none of our business, gates that were begun
 */
export function attemptOfStop(record: LogRecord): Attempt | undefined {
  const at = new Date(record.time);
  const gates = soundGates(record.gates);
  const end = endOfStop(record, gates);
  if (!end || Number.isNaN(at.getTime())) return undefined;
  const { agent, iteration } = record;
  const task = typeof record.task === 'string' ? record.task : undefined;
  const kind = isOfChain(record) ? 'chain' : 'hook';
  const name = clean(task ?? `agent ${agent ?? 'unknown'}`);
  return {
    kind,
    key: `${kind} ${task ?? record.time}`,
    name,
    at,
    // A chain counts anew at each step.
    count: kind === 'hook' ? numberOf(iteration) : null,
    end,
    gates,
    agentMs: 0,
    costUsd: null,
    tokens: null,
  };
}

/** The same of an iteration of a promise loop. */
export function attemptOfIteration(record: IterationRecord): Attempt | undefined {
  const at = new Date(record.time);
  if (Number.isNaN(at.getTime())) return undefined;
  return {
    kind: 'promise',
    key: `promise ${record.loop}`,
    name: clean(record.task_id),
    at,
    // It is counted anew at each stage.
    count: null,
    end: endOfIteration(record),
    gates: soundGates(record.gates),
    agentMs: numberOf(record.duration_ms) ?? 0,
    costUsd: numberOf(record.cost_usd),
    tokens: numberOf(record.tokens),
  };
}

function endOfStop(record: LogRecord, gates: readonly LoggedGate[]): AttemptEnd | undefined {
  const { answer, why, task, iteration, max } = record;
  if (typeof task !== 'string' && why !== 'internal-error') return undefined;
  if (answer === 'ignore') return isOfChain(record) ? endByPerson(why) : undefined;
  if (answer !== 'allow') return { reason: GOES_ON.includes(why) ? 'goes-on' : 'refused' };
  if (PASSED.includes(why)) return { reason: 'passed' };
  if (why === 'no-gates') return undefined;
  // A chain ends unverified if a step of it was skipped, or if its commands failed and nobody is sent back for it.
  if (why === 'unverified' && gates.every(hasPassed)) return SKIPPED;
  const where = numberOf(iteration) === null ? [] : [`iteration ${iteration}/${max}`];
  const detail = [...where, failingGates(gates)].filter((part) => part !== '').join(': ');
  return { reason: 'let-go', why: LET_GO[why] ?? clean(why), detail: clean(detail) };
}

/** What a person has said of typed gates whose attempts are used up. */
function endByPerson(why: string): AttemptEnd | undefined {
  if (why.startsWith('gate retry')) return { reason: 'goes-on' };
  if (why.startsWith('gate skip')) return SKIPPED;
  if (why.startsWith('gate abort')) return { reason: 'let-go', why: 'cancelled', detail: 'by a person' };
  return undefined;
}

function endOfIteration(record: IterationRecord): AttemptEnd {
  const { outcome, continuing, stage, ralph_iteration: iteration, ralph_max: max } = record;
  if (outcome === 'accepted') return { reason: continuing ? 'goes-on' : 'passed' };
  // Who interrupts it may resume it.
  if (continuing || outcome === 'interrupted') return { reason: 'refused' };
  const isLast = iteration >= max;
  const why = outcome === 'cancelled' ? 'cancelled' : isLast ? 'cap reached' : 'failed';
  return { reason: 'let-go', why, detail: clean(`${stage}, iteration ${iteration}/${max}: ${record.why}`) };
}

function isOfChain({ task }: LogRecord): boolean {
  return typeof task === 'string' && task.startsWith('chain:');
}

function hasPassed({ outcome }: LoggedGate): boolean {
  return outcome === 'passed';
}

function soundGates(gates: readonly unknown[]): LoggedGate[] {
  return gates.flatMap((gate) => {
    const { name, outcome, exit, duration_ms } = (gate ?? {}) as Partial<LoggedGate>;
    if (typeof name !== 'string' || typeof outcome !== 'string') return [];
    return [
      {
        name: clean(name),
        outcome,
        exit: numberOf(exit),
        duration_ms: Math.max(0, numberOf(duration_ms) ?? 0),
      },
    ];
  });
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function clean(text: string): string {
  return oneLine(cleanLine(text), MAX_CHARACTERS);
}
