import { actionText } from '../messages/chain.ts';
import { presentStep } from '../state/chain.ts';
import { moveChainIfPossible } from '../state/chain-file.ts';
import type { GateAction } from '../state/prompt-step.ts';
import { takeAction } from './chain-steps.ts';
import { chainsOfSession } from './find-chain.ts';
import { settleCheckpoint } from './settle-checkpoint.ts';
import type { BeginEffects, TypedPrompt } from './typed-prompt.ts';

/** Does what a prompt says of the chain that its session has: of one that is escalated, where there are several. */
export async function actOnSession(
  root: string,
  session: string | null,
  action: GateAction,
  { now, env }: BeginEffects,
): Promise<TypedPrompt> {
  const chains = chainsOfSession(root, session);
  const kept = chains.findLast(({ chain }) => chain.status === 'escalated') ?? chains.at(-1);
  if (!kept)
    return { kind: 'refused', why: `There are no gates in this session that "${action}" could be for.` };
  const moved = await moveChainIfPossible(kept.root, kept.chain.id, (chain) =>
    takeAction(chain, action, now),
  );
  if ('refused' in moved) return { kind: 'refused', why: `Nothing was done: ${moved.refused}.` };
  const text = actionText(action, moved, presentStep(moved.chain));
  const said = await settleCheckpoint(kept.root, moved, { now, env });
  return { kind: 'acted', action, chain: moved.chain, context: [text, said ?? []].flat().join('\n') };
}
