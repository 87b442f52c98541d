import type { Checkpoint } from '../../src/checkpoint/checkpoint.ts';
import { createCheckpoint } from '../../src/checkpoint/create-checkpoint.ts';
import { type Restored, restoreCheckpoint } from '../../src/checkpoint/restore-checkpoint.ts';
import { git } from './git-project.ts';
import type { Project } from './project.ts';

/** The project's directory, or one in it, and an environment. */
export interface From {
  readonly directory?: string;
  readonly env?: NodeJS.ProcessEnv;
}

export function create({ root, environment }: Project, { directory = root, env = environment }: From = {}) {
  return createCheckpoint(directory, { kind: 'manual', label: 'test', now: new Date(), env });
}

export function restore(
  { root, environment }: Project,
  id: string,
  { directory = root, env = environment }: From = {},
) {
  return restoreCheckpoint(directory, id, { now: new Date(), env });
}

/** Makes a checkpoint where nothing speaks against it. */
export async function created(project: Project, from?: From): Promise<Checkpoint> {
  return withoutWhy(await create(project, from)).checkpoint;
}

/** Restores a checkpoint where nothing speaks against it. */
export async function restored(project: Project, { id }: Checkpoint, from?: From): Promise<Restored> {
  return withoutWhy(await restore(project, id, from));
}

function withoutWhy<T extends object>(result: T | { readonly why: string }): T {
  if ('why' in result) throw new Error(result.why);
  return result;
}

/** The refs of all checkpoints. */
export function checkpointRefs(project: Project): string[] {
  return git(project, 'for-each-ref', '--format=%(refname)', 'refs/ralph').split('\n').filter(Boolean);
}
