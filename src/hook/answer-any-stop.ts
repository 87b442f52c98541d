import { readProject } from '../config/read-project.ts';
import type { Answer, StopEvent } from '../hosts/stop-event.ts';
import { chainFaultMessage } from '../messages/person-message.ts';
import type { StopContext } from '../verification/context.ts';
import { handleStop, type StopResult } from './handle-stop.ts';
import type { GuardedStop, UnguardedStop } from './triage-stop.ts';

/** A stop that may be judged: by the project's own gates, by what was typed into the prompt, or by both. */
export interface JudgeableStop {
  readonly triage: GuardedStop | UnguardedStop;
  /** Absolute directory of the project. */
  readonly root: string;
  /** The directories that hold chains which could verify the stop. */
  readonly chainRoots: readonly string[];
}

/** Judges a stop by the chain of its session, where it has one, and then by the gates of the project. */
export async function answerAnyStop(
  event: StopEvent,
  stop: JudgeableStop,
  effects: StopContext,
): Promise<StopResult> {
  const { triage } = stop;
  const ofChain = stop.chainRoots.length > 0 ? await judgeChain(event, stop, effects) : undefined;
  if (ofChain && (ofChain.answer.decision === 'block' || !triage.guarded)) return ofChain;
  if (!triage.guarded) return { answer: { decision: 'ignore', why: triage.why }, root: triage.root };
  const own = await handleStop(event, triage, effects);
  if (!ofChain) return own;
  if (own.answer.decision === 'ignore') return ofChain;
  const answer = withWord(own.answer, ofChain.answer);
  // A chain is a loop of its own, with a line of its own; what is known without one is noted in the project's.
  if (ofChain.task !== undefined) return { ...own, answer, chain: ofChain };
  return { ...own, answer, notes: [...(ofChain.notes ?? []), ...(own.notes ?? [])] };
}

/** What was typed may be at fault, or its file not to be written: the gates of the project are judged all the same. */
async function judgeChain(
  event: StopEvent,
  stop: JudgeableStop,
  effects: StopContext,
): Promise<StopResult | undefined> {
  const { triage, root } = stop;
  const secretsPassed = async () =>
    triage.guarded ? ((await readProject(triage.project, triage.task)).settings.passEnv ?? []) : [];
  try {
    const { handleChainStop } = await import('./handle-chain-stop.ts');
    return await handleChainStop(event, { ...stop, secretsPassed }, effects);
  } catch (error) {
    const toPerson = chainFaultMessage(error);
    const notes = [(error as Error).stack ?? String(error)];
    return { answer: { decision: 'allow', why: 'internal-error', toPerson }, root, notes };
  }
}

/** The person reads of both. */
function withWord(answer: Exclude<Answer, { decision: 'ignore' }>, before: Answer): Answer {
  const said = [before, answer].flatMap((each) => (each.decision === 'ignore' ? [] : (each.toPerson ?? [])));
  return said.length === 0 ? answer : { ...answer, toPerson: said.join(' ') };
}
