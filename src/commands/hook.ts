import { readEvent } from '../hosts/hosts.ts';
import { writeTrellisAnswer } from '../hosts/trellis.ts';
import { writeAnswer } from '../hosts/write-answer.ts';
import { triageStop } from '../triage-stop.ts';
import { answerHook } from './hook-answer.ts';
import { parseHookOptions } from './hook-options.ts';
import { readStdin } from './hook-stdin.ts';

/** `ralph-loop hook`: one event on stdin, one answer on stdout, one line in the execution log, exit 0. */
export function hook(args: readonly string[]): Promise<never> {
  const options = parseHookOptions(args);
  return answerHook({
    ...options,
    readEvent() {
      try {
        return readEvent(JSON.parse(readStdin()), process.env, options.host);
      } catch (error) {
        return { why: `stdin is not JSON: ${(error as Error).message.slice(0, 200)}` };
      }
    },
    triage: (event, cwd) => triageStop(event, cwd, options.config),
    textOf: ({ answer, attempt }, event) =>
      options.format === 'trellis'
        ? writeTrellisAnswer(answer, attempt?.maxIterations ?? 0)
        : writeAnswer(answer, event.host),
  });
}
