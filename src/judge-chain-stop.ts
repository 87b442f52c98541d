import { answerChainStop } from './answer-chain.ts';
import type { JudgedStop } from './answer-stop.ts';
import { readProject } from './config/read-project.ts';
import { findChain } from './find-chain.ts';
import type { StopEvent } from './loop/stop-event.ts';
import { readLastMessage } from './read-last-message.ts';
import type { StopEffects } from './stop-effects.ts';
import type { GuardedStop, UnguardedStop } from './triage-stop.ts';

/** @returns undefined where the session has no chain */
export async function judgeChainStop(
  event: StopEvent,
  triage: GuardedStop | UnguardedStop,
  root: string,
  effects: StopEffects,
): Promise<JudgedStop | undefined> {
  const { chain, notes } = await findChain(root, event, effects.now());
  if (!chain) return undefined;
  const settings = triage.guarded ? (await readProject(triage.project, triage.task)).settings : undefined;
  const stop = { root, chain, secretsPassed: settings?.passEnv ?? [], message: readLastMessage(event) };
  return { ...(await answerChainStop(stop, effects)), notes };
}
