import { findChain } from '../chain/find-chain.ts';
import type { Answer, StopEvent } from '../hosts/types.ts';
import { chainExpiredText } from '../messages/chain.ts';
import type { Chain } from '../state/chain.ts';
import type { StopContext } from '../verification/types.ts';
import { answerChainStop } from './answer-chain.ts';
import { readLastMessage } from './read-last-message.ts';
import type { UnguardedStop } from './triage.ts';
import type { ConfiguredStop, StopResult } from './types.ts';

/** @returns undefined where the session has no chain */
export async function judgeChainStop(
  event: StopEvent,
  triage: ConfiguredStop | UnguardedStop,
  root: string,
  effects: StopContext,
): Promise<StopResult | undefined> {
  const { kept, expired } = await findChain(root, event, effects.now());
  const notes = expired.map(
    ({ id, updated_at }) => `chain ${id} has expired: nothing happened to it since ${updated_at}`,
  );
  if (!kept)
    return notes.length > 0 ? { answer: answerExpired(expired, event, triage), root, notes } : undefined;
  const stop = {
    ...kept,
    secretsPassed: triage.guarded ? (triage.config.settings.passEnv ?? []) : [],
    message: readLastMessage(event),
  };
  return { ...(await answerChainStop(stop, effects)), notes };
}

/** The person reads of the chain of this session; those of others are noted only. */
function answerExpired(
  expired: readonly Chain[],
  { sessionId }: StopEvent,
  triage: ConfiguredStop | UnguardedStop,
): Answer {
  const own = expired.findLast(({ session, atStop }) => session === sessionId && atStop !== 'nothing');
  if (own) return { decision: 'allow', why: 'expired', toPerson: chainExpiredText(own) };
  return { decision: 'ignore', why: triage.guarded ? 'no typed gates' : triage.why };
}
