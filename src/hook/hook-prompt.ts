import { mayHaveGates } from '../chain/parse/may-have-gates.ts';
import { rootAround } from '../config/discover.ts';
import type { PromptEvent } from '../hosts/prompt-event.ts';
import { write } from './hook-write.ts';

/**
 * Answers a prompt that was typed. One without gates is nobody's business: nothing is loaded for it, said or logged.
 * Ends the process.
 *
 * @param cwd where the hook was called
 */
export async function answerPrompt(event: PromptEvent, cwd: string, verbose: boolean): Promise<never> {
  if (!mayHaveGates(event.prompt)) process.exit(0);
  try {
    const directory = event.cwd ?? cwd;
    const { answerTypedPrompt } = await import('./hook-typed.ts');
    write(1, await answerTypedPrompt(event, rootAround(directory) ?? directory));
  } catch (error) {
    // A fault of ours must not keep a person from working.
    if (verbose) write(2, `${(error as Error).stack ?? error}\n`);
  }
  process.exit(0);
}
