import { beginTypedPrompt } from '../chain/begin-chain.ts';
import { actedWhy, begunWhy, chainTask, refusedWhy } from '../chain/chain-record.ts';
import { logChain } from '../chain/log-chain.ts';
import { writePromptContext, writePromptRefusal } from '../hosts/format.ts';
import type { PromptEvent } from '../hosts/types.ts';

/**
 * Begins the chain of the gates typed into a prompt. Loaded only for prompts that may have gates.
 *
 * @param root absolute directory of the project
 * @returns what goes to stdout
 */
export async function handlePrompt(
  event: PromptEvent,
  root: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const effects = { now: new Date(), env };
  const typed = await beginTypedPrompt(event.prompt, root, event.sessionId ?? null, effects);
  if (typed.kind === 'plain') return '';
  const why =
    typed.kind === 'refused'
      ? refusedWhy(typed.why, env)
      : typed.kind === 'begun'
        ? begunWhy(typed.chain, env)
        : actedWhy(typed.action);
  const { host, sessionId: session = null } = event;
  const task = typed.kind === 'refused' ? null : chainTask(typed.chain);
  await logChain(root, { host, session, task, why }, effects);
  return typed.kind === 'refused'
    ? writePromptRefusal(event, typed.why)
    : writePromptContext(event, typed.context);
}
