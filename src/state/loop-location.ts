import { join } from 'node:path';
import type { StopEvent } from '../hosts/types.ts';

/** Which loop a stop attempt belongs to. */
export interface LoopLocation {
  /** The loop's key, kept as `task` in its file. */
  readonly key: string;
  /** Absolute path of its state file. */
  readonly path: string;
  /** Absolute path of the file that tells what failed at its last stop. */
  readonly failuresPath: string;
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
export async function locateLoop(
  root: string,
  task: string | undefined,
  event: StopEvent,
): Promise<LoopLocation> {
  if (task !== undefined)
    return {
      key: task,
      path: taskLoopPath(root),
      failuresPath: failuresPath(root, 'task'),
      keepAfterReset: true,
    };
  const session = event.sessionId ?? 'unknown';
  const agent = event.agentId ?? event.agent;
  // Neither part holds a dot: no two pairs share a file.
  const [sessionName, agentName] = [await nameOf(session), await nameOf(agent)];
  return {
    key: `session:${sessionName}/${agentName}`,
    path: join(ralphDirectory(root), `loop-${sessionName}.${agentName}.json`),
    failuresPath: failuresPath(root, `${sessionName}.${agentName}`),
    keepAfterReset: false,
  };
}

/** Where it is kept what failed last: in a loop, or in `verify`. Names of sessions hold a dot, so none is either word. */
export function failuresPath(root: string, name: string): string {
  return join(ralphDirectory(root), `failed-${name}.json`);
}

export function isFailuresFile(name: string): boolean {
  return /^failed-.*\.json$/.test(name);
}

export function isSessionLoopFile(name: string): boolean {
  return /^loop-.*\.json$/.test(name);
}

/** Ids are UUIDs or close to it; whatever else a host sends is told apart by its hash, loaded for it alone. */
async function nameOf(id: string): Promise<string> {
  if (/^[a-z0-9][a-z0-9_-]{0,80}$/.test(id)) return id;
  const { shortHash } = await import('./short-hash.ts');
  return `${id.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 40)}~${shortHash(id)}`;
}
