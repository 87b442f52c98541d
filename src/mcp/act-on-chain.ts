import { actedWhy } from '../chain/chain-record.ts';
import { takeAction } from '../chain/chain-steps.ts';
import { endedMarkdown, nextStepMarkdown, stepMarkdown } from '../messages/mcp.ts';
import type { Chain } from '../state/chain.ts';
import { moveChain } from '../state/chain-file.ts';
import type { GateAction } from '../state/prompt-step.ts';
import type { CallContext } from './call-context.ts';
import { answerOn, type ChainAnswer } from './chain-answer.ts';
import { logCall } from './log-call.ts';
import type { Problem } from './tool-answer.ts';
import { withCheckpoint } from './with-checkpoint.ts';

/** Does what a person has chosen. A chain can be called off at any time; for the rest it must have given up. */
export async function actOnChain(
  { id }: Chain,
  action: GateAction,
  context: CallContext,
): Promise<ChainAnswer | Problem> {
  const { root, effects } = context;
  const moved = await moveChain(root, id, (chain) =>
    chain.status === 'escalated' || action === 'abort'
      ? takeAction(chain, action, effects.now())
      : { refused: `it is ${chain.status}, and "${action}" is for one that is escalated` },
  );
  if ('refused' in moved) return { problem: `Nothing was done for chain ${id}: ${moved.refused}.` };
  const { chain, ended } = moved;
  await logCall(chain, { why: actedWhy(action) }, context);
  if (ended !== undefined)
    return withCheckpoint(answerOn(chain, ended, endedMarkdown(chain, ended)), moved, context);
  return answerOn(
    chain,
    chain.status,
    action === 'skip' ? nextStepMarkdown(chain, 'skipped') : stepMarkdown(chain),
  );
}
