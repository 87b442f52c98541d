import type { CommandGate } from '../gates/types.ts';
import { DEFAULTS } from './settings.ts';

export interface GateContext {
  /** Absolute directory of the project: gates run there, and their `cwd` is relative to it. */
  readonly root: string;
  readonly commandTimeoutSeconds: number;
  readonly passEnv?: readonly string[] | undefined;
}

/** A gate of one command, everything else as it is by default. */
export function commandGate(command: string, context: GateContext): CommandGate {
  return {
    kind: 'command',
    name: command,
    command,
    cwd: context.root,
    env: {},
    timeoutSeconds: context.commandTimeoutSeconds,
    blocking: true,
    order: DEFAULTS.order,
    ...(context.passEnv && { passEnv: context.passEnv }),
  };
}
