import { existsSync } from 'node:fs';
import type { ServerContext } from '@modelcontextprotocol/server';
import { rootAround } from '../config/discover.ts';
import type { GateEvent } from '../gates/types.ts';
import type { StopContext } from '../verification/types.ts';
import { tellProgress } from './tell-progress.ts';
import type { Problem } from './tool-answer.ts';

/** What a server reaches the world by, whatever is called. */
export interface ServerEffects extends Pick<StopContext, 'runCommand' | 'env' | 'now'> {
  readonly version: string;
  /** Absolute directory that the server was started in. */
  readonly cwd: string;
}

/** Where a call happens, and how it reaches the world. */
export interface CallContext {
  readonly cwd: string;
  /** Absolute directory of the project, or of what takes its place, that chains are kept in. */
  readonly root: string;
  readonly effects: StopContext;
  readonly onEvent: (event: GateEvent) => void;
}

/** The client waits as long as it likes to, and cancels then. */
const NO_DEADLINE = { seconds: Number.POSITIVE_INFINITY, atMs: Number.POSITIVE_INFINITY };

/** Looks anew at each call: a project may get its config, be moved or go while the server runs. */
export function callContext(
  { cwd, runCommand, env, now }: ServerEffects,
  call: ServerContext,
): CallContext | Problem {
  if (!existsSync(cwd))
    return {
      problem: `${cwd}, where this server was started, is not there any more: the project was moved or removed. Nothing was done. Start the server again where the project is now.`,
    };
  const { signal } = call.mcpReq;
  return {
    cwd,
    root: rootAround(cwd) ?? cwd,
    effects: { runCommand, env, now, signal, deadline: NO_DEADLINE },
    onEvent: tellProgress(call),
  };
}
