import { existsSync } from 'node:fs';
import { beginTypedPrompt } from '../begin-chain.ts';
import { gateLines } from '../feedback/chain-texts.ts';
import { oneLine } from '../feedback/wording.ts';
import { type PromptEvent, writeContext, writeRefusal } from '../hosts/prompt-event.ts';
import { presentStep } from '../loop/chain.ts';
import { actedWhy, chainRecord, chainTask } from './hook-chain-record.ts';
import { writeLog } from './hook-log.ts';

/**
 * The part of the hook that is loaded only for prompts that may have gates.
 *
 * @param root absolute directory of the project
 * @returns what goes to stdout
 */
export async function answerTypedPrompt(event: PromptEvent, root: string): Promise<string> {
  const now = new Date();
  const typed = await beginTypedPrompt(event.prompt, root, event.sessionId ?? null, {
    now,
    env: process.env,
  });
  if (typed.kind === 'plain') return '';
  const why =
    typed.kind === 'refused'
      ? `gates refused: ${oneLine(typed.why, 300)}`
      : typed.kind === 'begun'
        ? `gates begun: ${oneLine(gateLines(presentStep(typed.chain)).join(' '), 300)}`
        : actedWhy(typed.action);
  const { host, sessionId: session = null } = event;
  const task = typed.kind === 'refused' ? null : chainTask(typed.chain);
  // A project that is gone is not made again, were it for its log.
  await writeLog(existsSync(root) ? root : undefined, chainRecord({ host, session, task, why }, now)).catch(
    () => {},
  );
  return typed.kind === 'refused' ? writeRefusal(event, typed.why) : writeContext(event, typed.context);
}
