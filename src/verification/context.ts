import type { Deadline } from '../gates/run-gates.ts';
import type { RunCommand } from '../process/run-command.ts';

/** What the story reaches the world by. */
export interface StopContext {
  readonly runCommand: RunCommand;
  readonly now: () => Date;
  readonly env: NodeJS.ProcessEnv;
  readonly deadline: Deadline;
  /** Aborted when the host ends the hook: nothing is answered then, and the count is kept. */
  readonly signal: AbortSignal;
}
