import { chainOutcome } from '../chain/chain-outcome.ts';
import { endReview } from '../chain/chain-steps.ts';
import { endedMarkdown, escalatedMarkdown, nextStepMarkdown, reviewFailedMarkdown } from '../messages/mcp.ts';
import { type Chain, type CriterionVerdict, type MovedChain, presentStep } from '../state/chain.ts';
import { moveChain } from '../state/chain-file.ts';
import type { CallContext } from './call-context.ts';
import { answerOn, type ChainAnswer } from './chain-answer.ts';
import { logCall } from './log-call.ts';
import { type GateVerdicts, readVerdicts } from './read-verdicts.ts';
import type { Problem } from './tool-answer.ts';
import { withCheckpoint } from './with-checkpoint.ts';

/** Takes the agent's review of its work. */
export async function reviewChain(
  chain: Chain,
  given: GateVerdicts | undefined,
  context: CallContext,
): Promise<ChainAnswer | Problem> {
  const { root, effects } = context;
  const names = presentStep(chain).criteria.map(({ name }) => name);
  if (given === undefined)
    return { problem: `Chain ${chain.id} is in review. Give gate_verdicts for ${names.join(', ')}.` };
  const verdicts = readVerdicts(given);
  const moved = await moveChain(root, chain.id, (present) =>
    present.status === 'review'
      ? endReview(present, verdicts, effects.now())
      : { refused: `it is ${present.status} by now` },
  );
  if ('refused' in moved) return { problem: `Nothing came of it for chain ${chain.id}: ${moved.refused}.` };
  const { decision, why } = chainOutcome(moved, chain);
  await logCall(chain, { answer: decision, why }, context);
  const answer = answerOn(chain, moved.ended ?? moved.chain.status, contentOf(moved, chain, verdicts));
  return withCheckpoint(answer, moved, context);
}

function contentOf(
  { chain, ended }: MovedChain,
  before: Chain,
  verdicts: readonly CriterionVerdict[],
): string {
  if (ended !== undefined) return endedMarkdown(chain, ended);
  if (chain.status === 'escalated') return escalatedMarkdown(chain);
  if (chain.step > before.step) return nextStepMarkdown(chain, 'passed');
  return reviewFailedMarkdown(chain, presentStep(before).criteria, verdicts);
}
