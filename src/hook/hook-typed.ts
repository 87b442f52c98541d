import { decidedWhy, logChain, refusedWhy, startedWhy } from '../chain/chain-log.ts';
import { submitPrompt } from '../chain/start-chain.ts';
import { type PromptEvent, writeContext, writeRefusal } from '../hosts/prompt-event.ts';
import { chainTask } from '../state/chain.ts';

/**
 * The part of the hook that is loaded only for prompts that may have gates.
 *
 * @param root absolute directory of the project
 * @returns the text for stdout
 */
export async function answerTypedPrompt(event: PromptEvent, root: string): Promise<string> {
  const { host, sessionId: session = null } = event;
  const context = { now: new Date(), env: process.env };
  const submitted = await submitPrompt(event.prompt, root, session, context);
  if (!submitted) return '';
  if (!submitted.ok) {
    const { message } = submitted.failure;
    await logChain(root, { host, session, task: null, why: refusedWhy(message, context.env) }, context);
    return writeRefusal(event, message);
  }
  const { chain, action, context: text } = submitted.value;
  const why = action === undefined ? startedWhy(chain, context.env) : decidedWhy(action);
  await logChain(root, { host, session, task: chainTask(chain), why }, context);
  return writeContext(event, text);
}
