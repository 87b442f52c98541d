import { setTimeout } from 'node:timers/promises';
import { type Result, success } from '../base/result.ts';
import { uptimeMs } from '../base/time.ts';
import { type ChainUpdate, reviewedIn, verifyChain } from '../chain/engine.ts';
import { findChain } from '../chain/find-chain.ts';
import type { ChainFailure } from '../chain/run-chain.ts';
import { verdictsIn } from '../chain/verdicts.ts';
import type { Answer, StopEvent } from '../hosts/types.ts';
import { blockReason } from '../messages/agent.ts';
import {
  actionText,
  busyText,
  chainEndedText,
  chainExpiredText,
  chainFailedText,
  escalatedText,
  nextStepText,
  reviewText,
} from '../messages/chain.ts';
import { chainNotVerifiedMessage, joinMessages } from '../messages/person.ts';
import { type Chain, type CriterionVerdict, chainTask, currentStep } from '../state/chain.ts';
import { escalationOf } from '../state/escalations.ts';
import type { StopContext } from '../verification/types.ts';
import { readLastMessage } from './io.ts';
import type { TriagedStop, UnguardedStop } from './triage.ts';
import type { ConfiguredStop, StopResult } from './types.ts';

/** A stop in a project with chains, whose config is read. */
export interface ChainStop extends Pick<TriagedStop, 'root' | 'chainRoots'> {
  readonly triage: ConfiguredStop | UnguardedStop;
}

/** A chain that is changed more often while it is verified is left alone. */
const MAX_CHANGES = 3;

/**
 * Verifies the chain of the session that stops. While another process verifies it, the stop waits.
 *
 * @returns undefined if the session has none
 */
export async function handleChain(
  event: StopEvent,
  stop: ChainStop,
  context: StopContext,
): Promise<StopResult | undefined> {
  let notVerified: StopResult | undefined;
  let task: string | undefined;
  for (let changes = 0; changes < MAX_CHANGES; ) {
    const verified = await verifyOnce(event, stop, task, context);
    if (!verified) return notVerified;
    if (verified.ok) return verified.value;
    const { runner, result } = verified.failure;
    notVerified = result;
    task = verified.failure.task;
    // The chain was changed meanwhile by a person or another process; or it has ended, and there is none.
    if (!runner) changes++;
    else if (!(await waited(context)))
      return context.signal.aborted ? result : { ...result, answer: answerBusy(runner.pid) };
  }
  return notVerified;
}

interface NotVerified extends Pick<ChainFailure, 'runner'> {
  /** Without a task: it is no attempt of the chain. */
  readonly result: StopResult;
  readonly task: string;
}

/** @param task of the chain that this stop is about already: newly typed gates are not, the agent has yet to read them */
async function verifyOnce(
  event: StopEvent,
  stop: ChainStop,
  task: string | undefined,
  context: StopContext,
): Promise<Result<StopResult, NotVerified> | undefined> {
  const { triage, root, chainRoots } = stop;
  const { found, expired } = await findChain(chainRoots, root, event.sessionId ?? null, context.now());
  const notes = expired.map(
    ({ id, updated_at }) => `chain ${id} has expired: nothing happened to it since ${updated_at}`,
  );
  if (!found) {
    if (notes.length === 0) return undefined;
    return success({ answer: answerExpired(expired, event, stop), root, notes });
  }
  if (task !== undefined && chainTask(found.chain) !== task) return undefined;
  const verdicts = found.chain.status === 'review' ? verdictsIn(readLastMessage(event)) : [];
  const secretsPassed = triage.guarded ? (triage.config.settings.passEnv ?? []) : [];
  const verified = await verifyChain(found, verdicts, { ...context, secretsPassed, isStop: true });
  const about = { root: found.root, task: chainTask(found.chain), notes };
  if (!verified.ok) {
    const { message, runner } = verified.failure;
    const toPerson = chainNotVerifiedMessage(message);
    const answer: Answer = { decision: 'allow', why: 'unverified', toPerson };
    const result: StopResult = { root: found.root, answer, notes: [...notes, message] };
    return { ok: false, failure: { result, task: about.task, ...(runner && { runner }) } };
  }
  const { run, chain } = verified.value;
  return success({
    ...about,
    answer: answerOf(verified.value, verdicts, found.root),
    ...(run && { attempt: run.attempt, summary: run.result }),
    ...(verified.value.event === 'escalated' &&
      chain.escalation && { escalated: escalationOf(chain.escalation) }),
    selfReviewed: reviewedIn(verified.value),
  });
}

/** How often it is checked whether another process has ended. */
const WAIT_MS = 200;
/** Reserved before the deadline for the answer. */
const RESERVE_MS = 1000;

/** Waits for a moment. @returns false if no time is left */
async function waited({ deadline, signal }: StopContext): Promise<boolean> {
  const leftMs = deadline.atMs - Math.min(RESERVE_MS, deadline.seconds * 500) - uptimeMs();
  if (leftMs <= 0) return false;
  return setTimeout(Math.min(WAIT_MS, leftMs), true, { signal }).catch(() => false);
}

/** A stop that nobody has verified is not allowed, and a run that is not its own is not its attempt. */
function answerBusy(pid: number): Answer {
  return { decision: 'block', why: 'out-of-time', reason: busyText(pid) };
}

function answerOf(update: ChainUpdate, verdicts: readonly CriterionVerdict[], root: string): Answer {
  const { outcome, checkpointNote } = update;
  if (outcome.decision === 'block')
    return {
      ...outcome,
      reason: reasonOf(update, verdicts, root),
      ...(checkpointNote && { toPerson: checkpointNote }),
    };
  const toPerson = [messageOf(update, root), checkpointNote].flatMap((text) => text ?? []);
  return { ...outcome, ...(toPerson.length > 0 && { toPerson: joinMessages(toPerson) }) };
}

/** What the person reads when the stop is allowed. */
function messageOf({ event, chain, ended, failedGate }: ChainUpdate, root: string): string | undefined {
  if (ended !== undefined) return chainEndedText(chain, ended);
  if (event === 'escalated') return escalatedText(chain, failedGate, root);
  return event === 'failed-once' ? chainFailedText(chain, failedGate, root) : undefined;
}

/** What the agent reads when the stop is blocked. */
function reasonOf(update: ChainUpdate, verdicts: readonly CriterionVerdict[], root: string): string {
  const { event, chain, run } = update;
  const step = currentStep(chain);
  switch (event) {
    case 'step-passed':
      return nextStepText(chain, step);
    case 'step-skipped':
      return actionText('skip', update, step, root);
    case 'retried':
      return actionText('retry', update, step, root);
    case 'review':
      return reviewText(step.criteria, undefined);
    case 'review-incomplete':
    case 'review-failed':
      return reviewText(step.criteria, verdicts);
    default:
      return run?.failed ? blockReason(run.result, run.failed) : '';
  }
}

/** The person reads about the chain of this session; chains of other sessions are only noted. */
function answerExpired(expired: readonly Chain[], { sessionId }: StopEvent, { triage }: ChainStop): Answer {
  const own = expired.findLast(({ session, atStop }) => session === sessionId && atStop !== 'nothing');
  if (own) return { decision: 'allow', why: 'expired', toPerson: chainExpiredText(own) };
  return { decision: 'ignore', why: triage.guarded ? 'no typed gates' : triage.why };
}
