import * as z from 'zod';
import { escalatedMarkdown } from '../feedback/failure-markdown.ts';
import { readChains, removeExpiredChains } from '../loop/chain-file.ts';
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
  const { command, chainId, userResponse } = saidIn(call);
  const { gate_action: action, gate_verdicts: verdicts } = call;
  removeExpiredChains(root, effects.now());
  if (chainId === undefined) {
    const isMore = userResponse !== undefined || action !== undefined || verdicts !== undefined;
    return command === undefined || isMore
      ? { problem: nothingSaid(call) }
      : beginCalledChain(command, context);
  }
  if (command !== undefined)
    return { problem: 'Give command to begin a chain, or chain_id to go on with one; not both.' };
  const chains = readChains(root);
  const chain = chains.find(({ id }) => id === chainId);
  if (!chain) return unknownChain(chainId, chains);
  if (action !== undefined) return actOnChain(chain, action, context);
  if (chain.status === 'escalated') return answerOn(chain, 'escalated', escalatedMarkdown(chain));
  if (chain.status === 'review') return reviewChain(chain, verdicts ?? userResponse, context);
  if (verdicts !== undefined)
    return {
      problem: `Chain ${chain.id} is ${chain.status}: gate_verdicts are asked for when its commands pass. Give user_response: what you did.`,
    };
  if (userResponse === undefined)
    return { problem: `Chain ${chain.id} is ${chain.status}. Give user_response: what you did.` };
  return verifyChain(chain, context);
}

/** Models give arguments that they do not mean as empty texts. */
function saidIn({ command, chain_id, user_response }: PromptEngineCall) {
  const said = (text: string | undefined) => (text?.trim() === '' ? undefined : text);
  return { command: said(command), chainId: said(chain_id)?.trim(), userResponse: said(user_response) };
}

function nothingSaid({ command, user_response, gate_verdicts, gate_action }: PromptEngineCall): string {
  const goesOn = Object.entries({ user_response, gate_verdicts, gate_action }).find(
    ([, value]) => value !== undefined,
  );
  if (goesOn)
    return `${goesOn[0]} needs the chain_id that the chain's first call gave. To begin one, give command alone.`;
  const found = command === undefined ? 'Nothing was given' : 'command is empty';
  return `${found}. Give command to begin a chain, or chain_id with user_response, gate_verdicts or gate_action.`;
}
