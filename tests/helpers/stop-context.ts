import { runCommand } from '../../src/process/run-command.ts';
import type { StopContext } from '../../src/verification/types.ts';

/** Returns a context, by default with real commands, no deadline and only PATH in the environment. */
export function stopContext(fields: Partial<StopContext> = {}): StopContext {
  return {
    runCommand,
    now: () => new Date(),
    env: { PATH: process.env.PATH },
    deadline: { seconds: 570, atMs: 1e9 },
    signal: new AbortController().signal,
    ...fields,
  };
}
