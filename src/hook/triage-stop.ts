import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProject, mayGuard, type ProjectFiles, readCurrentTask } from '../config/discover.ts';
import type { StopEvent } from '../hosts/stop-event.ts';

/** What a stop that may be ours is judged by. */
export interface GuardedStop {
  readonly guarded: true;
  readonly project: ProjectFiles;
  /** Trellis's current task, where one is set. */
  readonly task: string | undefined;
  /** The only gate to be run. */
  readonly only?: string | undefined;
  /** Guarded whichever agent wants to stop. */
  readonly anyAgent?: boolean;
}

/** Why a stop is none of our business, and whose log is to say so. */
export interface UnguardedStop {
  readonly guarded: false;
  readonly why: string;
  /** Directory of the project, or of the repository that has none; undefined outside of any. */
  readonly root: string | undefined;
}

/**
 * Tells the stops that are none of our business from the others, at hardly any cost: this is all that runs, and all
 * that is loaded, at the stops of every other agent.
 *
 * @param cwd where the agent works
 * @param named a gate config that the command line names
 */
export function triageStop(
  event: StopEvent,
  cwd: string,
  named: string | undefined,
): GuardedStop | UnguardedStop {
  const found = findProject(cwd, { named });
  if (!found.ok)
    return {
      guarded: false,
      why: found.failure.message,
      root: found.failure.repository ?? workflowDirectory(cwd),
    };
  const { value: project } = found;
  const { root, layout, config } = project;
  const task = readCurrentTask(root);
  if (layout === 'trellis' && task === undefined)
    return { guarded: false, why: 'no current task is set', root };
  if (!mayGuard(config?.text ?? '', layout, event.agent))
    return { guarded: false, why: `agent "${event.agent}" is not guarded here`, root };
  return { guarded: true, project, task };
}

/** The same for Ralph Gate's hook: whoever calls it for a stop wants that stop guarded. */
export function triageGateStop(
  cwd: string,
  { named, only }: { readonly named: string | undefined; readonly only: string | undefined },
): GuardedStop | UnguardedStop {
  const found = findProject(cwd, { named, gatesOnly: true });
  if (!found.ok) return { guarded: false, why: found.failure.message, root: found.failure.repository };
  return { guarded: true, project: found.value, task: undefined, only, anyAgent: true };
}

/** Outside of any repository the log still belongs to a project that was set up for us. */
function workflowDirectory(cwd: string): string | undefined {
  return existsSync(join(cwd, '.trellis')) ? cwd : undefined;
}
