import { decidedWhy, logChain, refusedWhy, startedWhy } from '../chain/chain-log.ts';
import { submitPrompt } from '../chain/start-chain.ts';
import { writePromptContext, writePromptRefusal } from '../hosts/format.ts';
import type { PromptEvent } from '../hosts/types.ts';
import { chainTask } from '../state/chain.ts';

/**
 * Starts the chain of the gates typed into a prompt. Loaded only for prompts that may have gates.
 *
 * @param root absolute directory of the project
 * @returns what goes to stdout
 */
export async function handlePrompt(
  event: PromptEvent,
  root: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const { host, sessionId: session = null } = event;
  const context = { now: new Date(), env };
  const submitted = await submitPrompt(event.prompt, root, session, context);
  if (!submitted) return '';
  if (!submitted.ok) {
    const { message } = submitted.failure;
    await logChain(root, { host, session, task: null, why: refusedWhy(message, env) }, context);
    return writePromptRefusal(event, message);
  }
  const { chain, action, context: text } = submitted.value;
  const why = action === undefined ? startedWhy(chain, env) : decidedWhy(action, 'in a prompt');
  await logChain(root, { host, session, task: chainTask(chain), why }, context);
  return writePromptContext(event, text);
}
