import { decidedWhy, logChain, refusedWhy, startedWhy } from '../chain/chain-log.ts';
import { linesOfUntyped } from '../chain/parse/marks.ts';
import { parsePrompt } from '../chain/parse/parse-prompt.ts';
import { readPromptLibrary } from '../chain/parse/templates.ts';
import { submitPrompt } from '../chain/start-chain.ts';
import { settingsAround } from '../config/load.ts';
import { writePromptContext, writePromptRefusal } from '../hosts/format.ts';
import type { PromptEvent } from '../hosts/types.ts';
import { acceptedText, nothingTypedText, TYPED_GATES_OFF } from '../messages/chain.ts';
import { secretsIn } from '../process/secrets/environment.ts';
import { maskTexts } from '../process/secrets/masker.ts';
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
  const { host, prompt, sessionId: session = null } = event;
  const context = { now: new Date(), env };
  const toPerson = (text: string) => maskTexts(text, secretsIn(env));
  const library = readPromptLibrary(root);
  const { typedGates = true } = await settingsAround(root);
  if (!typedGates) {
    if (parsePrompt(prompt, library) === undefined) return '';
    await logChain(root, { host, session, task: null, why: refusedWhy('typed gates are off', env) }, context);
    return writePromptContext(event, {
      toPerson: `ralph-loop runs nothing of this prompt: ${TYPED_GATES_OFF}.`,
    });
  }
  const submitted = await submitPrompt(prompt, root, session, context);
  const untyped = submitted?.ok === false ? [] : linesOfUntyped(prompt, library.criterion);
  if (!submitted)
    return untyped.length === 0 ? '' : writePromptContext(event, { toPerson: nothingTypedText(untyped) });
  if (!submitted.ok) {
    const { message } = submitted.failure;
    await logChain(root, { host, session, task: null, why: refusedWhy(message, env) }, context);
    return writePromptRefusal(event, message);
  }
  const { chain, action, context: text } = submitted.value;
  const why = action === undefined ? startedWhy(chain, env) : decidedWhy(action, 'in a prompt');
  await logChain(root, { host, session, task: chainTask(chain), why }, context);
  return writePromptContext(event, {
    context: text,
    ...(action === undefined && { toPerson: toPerson(acceptedText(chain, untyped)) }),
  });
}
