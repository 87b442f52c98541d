import { join } from 'node:path';
import type { StopEvent } from './stop-event.ts';

/** Which loop a stop attempt belongs to. */
export interface LoopLocation {
  /** The loop's key, kept as `task` in its file. */
  readonly key: string;
  /** Absolute path of its state file. */
  readonly path: string;
  /** A task's file stays after a reset, as the Python hook leaves it; a session's is removed. */
  readonly keepAfterReset: boolean;
}

/** Everything that ralph-loop writes itself, apart from the state file that it shares with Trellis. */
export function ralphDirectory(root: string): string {
  return join(root, '.trellis', '.ralph');
}

/** Where each gate's full output lies, `<gate>.log`. */
export function outputDirectory(root: string): string {
  return join(ralphDirectory(root), 'output');
}

/** The state file of a project's task loop. */
export function taskLoopPath(root: string): string {
  return join(root, '.trellis', '.ralph-state.json');
}

/** The loop of the current task; without one, of the session and agent that want to stop. */
export function locateLoop(root: string, task: string | undefined, event: StopEvent): LoopLocation {
  if (task !== undefined) return { key: task, path: taskLoopPath(root), keepAfterReset: true };
  const session = event.sessionId ?? 'unknown';
  const agent = event.agentId ?? event.agent;
  const file = `loop-${fileSafe(session)}-${fileSafe(agent)}.json`;
  return {
    key: `session:${session}/${agent}`,
    path: join(ralphDirectory(root), file),
    keepAfterReset: false,
  };
}

export function isSessionLoopFile(name: string): boolean {
  return /^loop-.*\.json$/.test(name);
}

/** Session ids are UUIDs or close to it; whatever else a host sends still makes a file name. */
function fileSafe(id: string): string {
  return encodeURIComponent(id.toWellFormed()).replaceAll('%', '~').replaceAll('.', '_').slice(0, 90);
}
