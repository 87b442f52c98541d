import { chainOutcome } from '../chain/chain-outcome.ts';
import { endReview } from '../chain/chain-steps.ts';
import { type ChainRun, runChain } from '../chain/run-chain.ts';
import { settleCheckpoint } from '../chain/settle-checkpoint.ts';
import type { Answer } from '../hosts/types.ts';
import { blockReason } from '../messages/agent.ts';
import {
  actionText,
  chainEndedText,
  chainFailedText,
  escalatedText,
  nextStepText,
  reviewText,
  verdictsIn,
} from '../messages/chain.ts';
import { type Chain, type CriterionVerdict, type MovedChain, presentStep } from '../state/chain.ts';
import { forgetChain, moveChain } from '../state/chain-file.ts';
import type { GateAction } from '../state/prompt-step.ts';
import type { StopContext } from '../verification/types.ts';
import { blockReasonOf } from './decide.ts';
import type { StopResult } from './types.ts';

/** A stop of a session that has a chain. */
export interface ChainStop {
  readonly root: string;
  readonly chain: Chain;
  /** Names of variables that look secret and are passed on to commands all the same. */
  readonly secretsPassed: readonly string[];
  /** What the agent said last. */
  readonly message: string;
}

/** The story of a stop that a chain is verified at: its commands, then its review, then its next step. */
export async function answerChainStop(stop: ChainStop, effects: StopContext): Promise<StopResult> {
  const { root, chain, secretsPassed, message } = stop;
  const judged = (answer: Answer): StopResult => ({ answer, root, task: `chain:${chain.id}` });
  if (chain.status === 'escalated') return judged({ decision: 'allow', why: 'escalated' });
  if (chain.untold) {
    const told = await moveChain(root, chain.id, (present) => ({ chain: { ...present, untold: false } }));
    return judged('refused' in told ? refusal(told) : afterWord(told, 'skip'));
  }
  if (chain.status === 'review') {
    const verdicts = verdictsIn(message);
    const moved = await moveChain(root, chain.id, (present) => endReview(present, verdicts, effects.now()));
    if ('refused' in moved) return judged(refusal(moved));
    return judged(await settled(afterMove(moved, chain, verdicts), moved, stop, effects));
  }
  const run = await runChain(root, chain.id, effects, { secretsPassed });
  if ('refused' in run) return judged(refusal(run));
  const answer = await settled(afterRun(run, stop), run, stop, effects);
  return { ...judged(answer), attempt: run.attempt, summary: run.summary };
}

/** The answer, with what became of the chain's checkpoint. */
async function settled(
  answer: Answer,
  moved: MovedChain,
  { root }: ChainStop,
  { now, env }: StopContext,
): Promise<Answer> {
  const said = await settleCheckpoint(root, moved, { now: now(), env });
  if (said === undefined || answer.decision === 'ignore') return answer;
  return { ...answer, toPerson: [answer.toPerson, said].filter((text) => text !== undefined).join(' ') };
}

function afterRun(run: ChainRun, { root, chain: before }: ChainStop): Answer {
  const { chain, failed, summary, overtaken } = run;
  if (overtaken) return afterWord(run, chain.step > before.step ? 'skip' : 'retry');
  if (failed && before.atStop === 'tell') {
    forgetChain(root, chain.id);
    return { decision: 'allow', why: 'unverified', toPerson: chainFailedText(chain) };
  }
  if (failed && chain.status !== 'escalated')
    return { decision: 'block', why: blockReasonOf(summary), reason: blockReason(summary, failed) };
  return afterMove(run, before, undefined);
}

/** A person has decided: the agent, which has not read of it, goes on with what is to be done now. */
function afterWord(moved: MovedChain, action: GateAction): Answer {
  const why = action === 'skip' ? 'next-step' : 'retried';
  return { decision: 'block', why, reason: actionText(action, moved, presentStep(moved.chain)) };
}

/**
 * The step holds, as far as commands can tell, or no attempt is left: then a person decides, the agent may stop, and
 * nothing is run any more.
 *
 * @param verdicts those of a review that the chain was in
 */
function afterMove(
  moved: MovedChain,
  before: Chain,
  verdicts: readonly CriterionVerdict[] | undefined,
): Answer {
  const { chain, ended } = moved;
  const outcome = chainOutcome(moved, before);
  if (outcome.decision === 'allow')
    return {
      ...outcome,
      toPerson: ended === undefined ? escalatedText(chain) : chainEndedText(chain, ended),
    };
  const reason =
    outcome.why === 'next-step'
      ? nextStepText(chain, presentStep(chain))
      : reviewText(presentStep(before).criteria, verdicts);
  return { ...outcome, reason };
}

function refusal({ refused }: { readonly refused: string }): Answer {
  return { decision: 'ignore', why: refused };
}
