import { type ChainUpdate, verifyChain } from '../chain/engine.ts';
import { findChain } from '../chain/find-chain.ts';
import { verdictsIn } from '../chain/verdicts.ts';
import type { Answer, StopEvent } from '../hosts/types.ts';
import { blockReason } from '../messages/agent.ts';
import {
  actionText,
  chainEndedText,
  chainExpiredText,
  chainFailedText,
  escalatedText,
  nextStepText,
  reviewText,
} from '../messages/chain.ts';
import { type Chain, type CriterionVerdict, chainTask, currentStep } from '../state/chain.ts';
import type { StopContext } from '../verification/types.ts';
import { readLastMessage } from './io.ts';
import type { TriagedStop, UnguardedStop } from './triage.ts';
import type { ConfiguredStop, StopResult } from './types.ts';

/** A stop in a project with chains, whose config is read. */
export interface ChainStop extends Pick<TriagedStop, 'root' | 'chainRoots'> {
  readonly triage: ConfiguredStop | UnguardedStop;
}

/** Verifies the chain of the session that stops. @returns undefined if the session has none */
export async function handleChain(
  event: StopEvent,
  stop: ChainStop,
  context: StopContext,
): Promise<StopResult | undefined> {
  const { triage, root, chainRoots } = stop;
  const { found, expired } = await findChain(chainRoots, root, event.sessionId ?? null, context.now());
  const notes = expired.map(
    ({ id, updated_at }) => `chain ${id} has expired: nothing happened to it since ${updated_at}`,
  );
  if (!found)
    return notes.length > 0 ? { answer: answerExpired(expired, event, stop), root, notes } : undefined;
  const verdicts = found.chain.status === 'review' ? verdictsIn(readLastMessage(event)) : [];
  const secretsPassed = triage.guarded ? (triage.config.settings.passEnv ?? []) : [];
  const verified = await verifyChain(found, verdicts, { ...context, secretsPassed, isStop: true });
  const about = { root: found.root, task: chainTask(found.chain), notes };
  if (!verified.ok) return { ...about, answer: { decision: 'ignore', why: verified.failure.message } };
  const { run } = verified.value;
  return {
    ...about,
    answer: answerOf(verified.value, verdicts),
    ...(run && { attempt: run.attempt, summary: run.result }),
  };
}

function answerOf(update: ChainUpdate, verdicts: readonly CriterionVerdict[]): Answer {
  const { outcome, checkpointNote } = update;
  if (outcome.decision === 'block')
    return {
      ...outcome,
      reason: reasonOf(update, verdicts),
      ...(checkpointNote && { toPerson: checkpointNote }),
    };
  const toPerson = [messageOf(update), checkpointNote].flatMap((text) => text ?? []);
  return { ...outcome, ...(toPerson.length > 0 && { toPerson: toPerson.join(' ') }) };
}

/** What the person reads when the stop is allowed. */
function messageOf({ event, chain, ended }: ChainUpdate): string | undefined {
  if (ended !== undefined) return chainEndedText(chain, ended);
  if (event === 'escalated') return escalatedText(chain);
  return event === 'failed-once' ? chainFailedText(chain) : undefined;
}

/** What the agent reads when the stop is blocked. */
function reasonOf(update: ChainUpdate, verdicts: readonly CriterionVerdict[]): string {
  const { event, chain, run } = update;
  const step = currentStep(chain);
  switch (event) {
    case 'step-passed':
      return nextStepText(chain, step);
    case 'step-skipped':
      return actionText('skip', update, step);
    case 'retried':
      return actionText('retry', update, step);
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
