import type { ProjectConfig } from '../config/load.ts';
import type { RunningGate, RunResult } from '../gates/types.ts';
import type { Answer, AnswerNotes, BlockReason } from '../hosts/types.ts';
import {
  type LimitReached,
  limitReachedMessage,
  limitReachedOnConfigMessage,
  passedMessage,
  warningsMessage,
} from '../messages/person.ts';
import type { CountedAttempt } from '../state/stop-loop.ts';
import type { VerificationRun } from '../verification/types.ts';

/** What an attempt is decided by. */
export interface AttemptOutcome {
  /** Undefined: the config is broken, and no gate ran. */
  readonly run: VerificationRun | undefined;
  readonly config: ProjectConfig;
  readonly attempt: CountedAttempt;
  /** Absolute directory of the project. */
  readonly root: string;
  readonly now: Date;
}

/** So many stops in a row wait for a gate; then its run is ended, and the stop counts. */
const MAX_WAITS = 3;

/** Whether the agent may be asked to wait for gates, and stop again without having used up an iteration. */
export function mayWait({ mayBlock, wait, waits }: CountedAttempt): boolean {
  return mayBlock && wait !== undefined && waits < MAX_WAITS;
}

/** The table of what the outcome of an attempt means for the agent. */
export async function decide(outcome: AttemptOutcome): Promise<Answer> {
  if (outcome.run?.result.verdict === 'passed') return allowPassed(outcome.run, outcome);
  return outcome.attempt.mayBlock ? block(outcome) : allowUnresolved(outcome);
}

function allowPassed({ result, report, notes }: VerificationRun, { config, now }: AttemptOutcome): Answer {
  if (report) {
    // A pass of named gates is silent, except for warnings.
    const { warnings } = report;
    const messages = warnings.length > 0 ? [warningsMessage(warnings), ...notes] : notes;
    return { decision: 'allow', why: 'commands-passed', warnings, ...toPerson(messages) };
  }
  const why = config.gates.some(({ kind }) => kind === 'marker') ? 'markers-found' : 'commands-passed';
  return { decision: 'allow', why, toPerson: passedMessage(result, now) };
}

/** Blocks a stop whose gates still run. */
export async function blockToWait(running: readonly RunningGate[], root: string): Promise<Answer> {
  const { stillRunningReason } = await import('../messages/agent.ts');
  const { usualDurations } = await import('../state/usual-durations.ts');
  return {
    decision: 'block',
    why: 'still-running',
    reason: stillRunningReason(running, usualDurations(root)),
  };
}

async function block({ run, config, attempt }: AttemptOutcome): Promise<Answer> {
  const { blockReason, brokenConfigReason, namedGateReason } = await import('../messages/agent.ts');
  if (!run?.failed)
    return {
      decision: 'block',
      why: 'config-broken',
      reason: brokenConfigReason(config.problems, attempt),
    };
  const { result, failed, report, notes } = run;
  const why = blockReasonOf(result);
  if (!report) return { decision: 'block', why, reason: blockReason(result, failed) };
  const reason = namedGateReason(result, failed);
  return { decision: 'block', why, reason, warnings: report.warnings, ...toPerson(notes) };
}

/** The stop is allowed though a gate fails: the limit is reached, or the count cannot be saved. */
function allowUnresolved({ run, config, attempt, root }: AttemptOutcome): Answer {
  const limit: LimitReached =
    attempt.iteration >= config.settings.maxIterations
      ? { why: 'cap-reached', iterations: attempt.iteration }
      : { why: 'cannot-count' };
  const message = run
    ? limitReachedMessage(run.result, limit, root)
    : limitReachedOnConfigMessage(config.problems, limit);
  const warnings = run?.report?.warnings ?? [];
  return { decision: 'allow', why: limit.why, warnings, ...toPerson([message, ...(run?.notes ?? [])]) };
}

/** Returns the reason, for the log, why a run that has not passed blocks the stop. */
export function blockReasonOf({ verdict }: RunResult): BlockReason {
  return verdict === 'incomplete' ? 'out-of-time' : 'gates-failed';
}

function toPerson(messages: readonly string[]): AnswerNotes {
  return messages.length > 0 ? { toPerson: messages.join('; ') } : {};
}
