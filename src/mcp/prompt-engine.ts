import * as z from 'zod';
import { escalatedMarkdown } from '../messages/mcp.ts';
import { readChains, removeExpiredChains } from '../state/chain-file.ts';
import { actOnChain } from './act-on-chain.ts';
import { beginCalledChain } from './begin-called-chain.ts';
import type { CallContext } from './call-context.ts';
import { answerOn, type ChainAnswer } from './chain-answer.ts';
import { gateVerdicts } from './read-verdicts.ts';
import { reviewChain } from './review-chain.ts';
import type { Problem } from './tool-answer.ts';
import { unknownChain } from './unknown-chain.ts';
import { verifyChain } from './verify-chain.ts';

/** The arguments of `prompt_engine`; which of them go together depends on how the chain is. */
export const promptEngineCall = z.object({
  command: z
    .string()
    .optional()
    .describe(
      'begins a chain: what is to be done, with its gates, as \'Fix the cart :: verify:"npm test" max:3\'; >>name calls a template',
    ),
  chain_id: z.string().optional().describe('goes on with a chain: the id that its first call gave'),
  user_response: z.string().optional().describe('what was done; then the commands are run'),
  gate_verdicts: gateVerdicts
    .optional()
    .describe('in status review: PASS or FAIL for each criterion, with a reason'),
  gate_action: z
    .enum(['retry', 'skip', 'abort'])
    .optional()
    .describe('in status escalated: what a person has chosen; abort at any time'),
});

export type PromptEngineCall = z.infer<typeof promptEngineCall>;

/** One call of the prompt engine: it begins a chain, verifies it, takes a review, or does what a person has chosen. */
export async function promptEngine(
  call: PromptEngineCall,
  context: CallContext,
): Promise<ChainAnswer | Problem> {
  const { root, effects } = context;
  const { command, chain_id: id, ...more } = withoutBlanks(call);
  const { user_response: response, gate_verdicts: verdicts, gate_action: action } = more;
  removeExpiredChains(root, effects.now());
  if (id === undefined) {
    const [early] = Object.keys(more);
    if (early !== undefined)
      return {
        problem: `${early} needs the chain_id that the chain's first call gave. To begin one, give command alone.`,
      };
    return command === undefined ? { problem: nothingIn(call) } : beginCalledChain(command, context);
  }
  if (command !== undefined)
    return { problem: 'Give command to begin a chain, or chain_id to go on with one; not both.' };
  const chains = readChains(root);
  const chain = chains.find((each) => each.id === id);
  if (!chain) return unknownChain(id, chains);
  if (action !== undefined) return actOnChain(chain, action, context);
  if (chain.status === 'escalated') return answerOn(chain, 'escalated', escalatedMarkdown(chain));
  if (chain.status === 'review') return reviewChain(chain, verdicts ?? response, context);
  if (verdicts !== undefined)
    return {
      problem: `Chain ${chain.id} is ${chain.status}: gate_verdicts are asked for when its commands pass. Give user_response: what you did.`,
    };
  if (response === undefined)
    return { problem: `Chain ${chain.id} is ${chain.status}. Give user_response: what you did.` };
  return verifyChain(chain, context);
}

/** Models give arguments that they do not mean as empty texts. */
function withoutBlanks(call: PromptEngineCall): PromptEngineCall {
  const isMeant = (value: unknown) => (typeof value === 'string' ? value.trim() !== '' : value !== undefined);
  return Object.fromEntries(Object.entries(call).filter(([, value]) => isMeant(value)));
}

function nothingIn({ command }: PromptEngineCall): string {
  const found = command === undefined ? 'Nothing was given' : 'command is empty';
  return `${found}. Give command to begin a chain, or chain_id with user_response, gate_verdicts or gate_action.`;
}
