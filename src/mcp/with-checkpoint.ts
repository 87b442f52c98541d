import { settleCheckpoint } from '../chain/settle-checkpoint.ts';
import type { MovedChain } from '../state/chain.ts';
import type { CallContext } from './call-context.ts';
import type { ChainAnswer } from './chain-answer.ts';

/** The answer, with what became of the work that was saved when the chain began. */
export async function withCheckpoint(
  answer: ChainAnswer,
  moved: MovedChain,
  { root, effects }: CallContext,
): Promise<ChainAnswer> {
  const said = await settleCheckpoint(root, moved, { now: effects.now(), env: effects.env });
  return said === undefined ? answer : { ...answer, content: `${answer.content}\n\n${said}` };
}
