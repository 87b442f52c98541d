import type { ProjectConfig } from '../config/load.ts';
import type { RunningGate, RunResult } from '../gates/types.ts';
import type { Answer, AnswerNotes, BlockReason } from '../hosts/types.ts';
import type { Finding } from '../integrity/types.ts';
import { weakenedText } from '../messages/integrity.ts';
import {
  isPlainPass,
  joinOnLine,
  type LimitReached,
  limitReachedMessage,
  limitReachedOnConfigMessage,
  limitReachedOnWeakenedMessage,
  passedMessage,
} from '../messages/person.ts';
import type { CountedAttempt } from '../state/stop-loop.ts';
import type { VerificationRun } from '../verification/types.ts';

/** What an attempt is decided by. */
export interface AttemptOutcome {
  /** Undefined: the config is broken, and no gate is known. */
  readonly run: VerificationRun | undefined;
  readonly config: ProjectConfig;
  readonly attempt: CountedAttempt;
  /** What became weaker since the beginning of the session. */
  readonly findings: readonly Finding[];
  /** Absolute directory of the project. */
  readonly root: string;
  readonly now: Date;
  /** Whether the hook is that of Ralph Gate, whose answer to a plain pass is an empty object. */
  readonly isGateHook?: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/** So many stops in a row wait for a gate; then its run is ended, and the stop counts. */
const MAX_WAITS = 3;

/** Whether the agent may be asked to wait for gates, and stop again without having used up an iteration. */
export function mayWait({ mayBlock, wait, waits }: CountedAttempt): boolean {
  return mayBlock && wait !== undefined && waits < MAX_WAITS;
}

/** The table of what the outcome of an attempt means for the agent. */
export async function decide(outcome: AttemptOutcome): Promise<Answer> {
  const { run, attempt, config, findings } = outcome;
  const isWeakened = findings.some(({ severity }) => severity === 'high');
  const isBroken = config.problems.length > 0;
  if (run?.result.verdict === 'passed' && !isWeakened && !isBroken) return allowPassed(run, outcome);
  return attempt.mayBlock ? block(outcome) : allowUnresolved(outcome);
}

function allowPassed(
  { result, report, notes }: VerificationRun,
  { config, findings, now, isGateHook = false }: AttemptOutcome,
): Answer {
  const why = config.gates.some(({ kind }) => kind === 'marker') ? 'markers-found' : 'commands-passed';
  const weakened = weakenedText(findings);
  const isSilent = isGateHook && isPlainPass(result) && weakened === undefined;
  const passed = isSilent ? [] : [passedMessage(result, now), ...(weakened === undefined ? [] : [weakened])];
  return {
    decision: 'allow',
    why,
    ...(report && { warnings: report.warnings }),
    ...toPerson([...passed, ...(report ? notes : [])]),
  };
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

async function block({ run, config, attempt, findings, root, env }: AttemptOutcome): Promise<Answer> {
  const { blockReason, brokenConfigReason, namedGateReason, weakenedReason, withFindings } = await import(
    '../messages/agent.ts'
  );
  const { ownCommand } = await import('../process/own-command.ts');
  const program = ownCommand(root, env);
  if (!run || config.problems.length > 0) {
    const broken = brokenConfigReason(config.problems, attempt, program);
    const reason = run?.failed ? `${broken}\n\n${blockReason(run.result, run.failed)}` : broken;
    return { decision: 'block', why: 'config-broken', reason: withFindings(reason, findings) };
  }
  const { result, failed, report, notes } = run;
  const warnings = report?.warnings ?? [];
  const more = report ? { warnings, ...toPerson(notes) } : {};
  if (!failed)
    return {
      decision: 'block',
      why: 'integrity',
      reason: weakenedReason(findings, result, { attempt, program }),
      ...more,
    };
  const reason = report ? namedGateReason(result, failed) : blockReason(result, failed);
  return { decision: 'block', why: blockReasonOf(result), reason: withFindings(reason, findings), ...more };
}

/** The stop is allowed though a gate fails or is weaker: the limit is reached, or the count cannot be saved. */
function allowUnresolved({ run, config, attempt, root, findings }: AttemptOutcome): Answer {
  const limit: LimitReached =
    attempt.iteration >= config.settings.maxIterations
      ? { why: 'cap-reached', iterations: attempt.iteration }
      : { why: 'cannot-count' };
  const weakened = weakenedText(findings);
  const isBroken = config.problems.length > 0;
  const first = run?.failed
    ? [limitReachedMessage(run.result, limit, root)]
    : isBroken
      ? [limitReachedOnConfigMessage(config.problems, limit)]
      : [];
  const unresolved =
    first.length === 0
      ? [limitReachedOnWeakenedMessage(weakened ?? '', limit)]
      : [...first, ...(weakened === undefined ? [] : [weakened])];
  const warnings = run?.report?.warnings ?? [];
  return { decision: 'allow', why: limit.why, warnings, ...toPerson([...unresolved, ...(run?.notes ?? [])]) };
}

/** Returns the reason, for the log, why a run that has not passed blocks the stop. */
export function blockReasonOf({ verdict }: RunResult): BlockReason {
  return verdict === 'incomplete' ? 'out-of-time' : 'gates-failed';
}

function toPerson(messages: readonly string[]): AnswerNotes {
  return messages.length > 0 ? { toPerson: joinOnLine(messages) } : {};
}
