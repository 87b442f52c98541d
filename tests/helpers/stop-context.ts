import { runCommand } from '../../src/process/run-command.ts';
import type { StopContext } from '../../src/verification/types.ts';

/** By default real commands without a deadline and without variables but PATH. */
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
