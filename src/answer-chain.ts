import type { JudgedStop } from './answer-stop.ts';
import { blockReason } from './feedback/block-reason.ts';
import {
  actionText,
  chainEndedText,
  chainFailedText,
  escalatedText,
  nextStepText,
  reviewText,
  verdictsIn,
} from './feedback/chain-texts.ts';
import { type Chain, type CriterionVerdict, type MovedChain, presentStep } from './loop/chain.ts';
import { forgetChain, moveChain } from './loop/chain-file.ts';
import { endReview } from './loop/chain-steps.ts';
import type { Answer } from './loop/stop-event.ts';
import type { GateAction, PromptStep } from './prompt/parsed-prompt.ts';
import { type ChainRun, runChain } from './run-chain.ts';
import { settleCheckpoint } from './settle-checkpoint.ts';
import type { StopEffects } from './stop-effects.ts';

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
export async function answerChainStop(stop: ChainStop, effects: StopEffects): Promise<JudgedStop> {
  const { root, chain, secretsPassed, message } = stop;
  const judged = (answer: Answer): JudgedStop => ({ answer, root, task: `chain:${chain.id}` });
  if (chain.status === 'escalated') return judged({ decision: 'allow', why: 'escalated' });
  if (chain.untold) {
    const told = await moveChain(root, chain.id, (present) => ({ chain: { ...present, untold: false } }));
    return judged('refused' in told ? refusal(told) : afterWord(told, 'skip'));
  }
  if (chain.status === 'review') {
    const verdicts = verdictsIn(message);
    const moved = await moveChain(root, chain.id, (present) => endReview(present, verdicts, effects.now()));
    if ('refused' in moved) return judged(refusal(moved));
    return judged(await settled(afterReview(moved, presentStep(chain), verdicts), moved, stop, effects));
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
  { now, env }: StopEffects,
): Promise<Answer> {
  const said = await settleCheckpoint(root, moved, { now: now(), env });
  if (said === undefined || answer.decision === 'ignore') return answer;
  return { ...answer, toPerson: [answer.toPerson, said].filter((text) => text !== undefined).join(' ') };
}

function afterRun(run: ChainRun, { root, chain }: ChainStop): Answer {
  const { chain: moved, failed, summary, overtaken } = run;
  if (overtaken) return afterWord(run, moved.step > chain.step ? 'skip' : 'retry');
  if (!failed) return afterPass(run);
  if (chain.atStop === 'tell') {
    forgetChain(root, chain.id);
    return { decision: 'allow', why: 'unverified', toPerson: chainFailedText(moved) };
  }
  if (moved.status === 'escalated') return escalation(moved);
  return { decision: 'block', reason: blockReason(summary, failed) };
}

/** A person has decided: the agent, which has not read of it, goes on with what is to be done now. */
function afterWord(moved: MovedChain, action: GateAction): Answer {
  return { decision: 'block', reason: actionText(action, moved, presentStep(moved.chain)) };
}

/** The step holds, as far as commands can tell. */
function afterPass({ chain, ended }: MovedChain): Answer {
  if (ended !== undefined)
    return {
      decision: 'allow',
      why: ended === 'passed' ? 'verified' : 'unverified',
      toPerson: chainEndedText(chain, ended),
    };
  const step = presentStep(chain);
  const isInReview = chain.status === 'review';
  return {
    decision: 'block',
    reason: isInReview ? reviewText(step.criteria, undefined) : nextStepText(chain, step),
  };
}

function afterReview(moved: MovedChain, reviewed: PromptStep, verdicts: readonly CriterionVerdict[]): Answer {
  const { status } = moved.chain;
  if (status === 'escalated') return escalation(moved.chain);
  const isAgain = moved.ended === undefined && (status === 'review' || status === 'failed');
  return isAgain ? { decision: 'block', reason: reviewText(reviewed.criteria, verdicts) } : afterPass(moved);
}

/** From here on a person decides: the agent may stop, and nothing is run any more. */
function escalation(chain: Chain): Answer {
  return { decision: 'allow', why: 'escalated', toPerson: escalatedText(chain) };
}

function refusal({ refused }: { readonly refused: string }): Answer {
  return { decision: 'ignore', why: refused };
}
