import { workingDirectory } from '../config/discover.ts';
import { readEvent } from '../hosts/hosts.ts';
import { readPromptEvent } from '../hosts/prompt-event.ts';
import { writeTrellisAnswer } from '../hosts/trellis.ts';
import { writeAnswer } from '../hosts/write-answer.ts';
import { answerHook } from './hook-answer.ts';
import { parseHookOptions } from './hook-options.ts';
import { answerPrompt } from './hook-prompt.ts';
import { readStdin } from './hook-stdin.ts';
import { triageStop } from './triage-stop.ts';

/** `ralph-loop hook`: one event on stdin, one answer on stdout, one line in the execution log, exit 0. */
export function hook(args: readonly string[]): Promise<never> {
  const options = parseHookOptions(args);
  const input = readInput();
  const prompt = 'value' in input ? readPromptEvent(input.value, process.env, options.host) : undefined;
  if (prompt) return answerPrompt(prompt, workingDirectory(), options.verbose);
  return answerHook({
    ...options,
    readEvent: () => ('why' in input ? input : readEvent(input.value, process.env, options.host)),
    triage: (event, cwd) => triageStop(event, cwd, options.config),
    textOf: ({ answer, attempt }, event) =>
      options.format === 'trellis'
        ? writeTrellisAnswer(answer, attempt?.maxIterations ?? 0)
        : writeAnswer(answer, event.host),
  });
}

/** What stands on stdin, or why it is nothing to read. */
function readInput(): { readonly value: unknown } | { readonly why: string } {
  try {
    return { value: JSON.parse(readStdin()) };
  } catch (error) {
    return { why: `stdin is not JSON: ${(error as Error).message.slice(0, 200)}` };
  }
}
