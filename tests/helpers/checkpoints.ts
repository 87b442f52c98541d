import type { Result } from '../../src/base/result.ts';
import { type RestoredCheckpoint, restoreCheckpoint } from '../../src/checkpoint/restore.ts';
import { createCheckpoint } from '../../src/checkpoint/save.ts';
import type { Checkpoint } from '../../src/checkpoint/store.ts';
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

/** Creates a checkpoint; a failure fails the test. */
export async function created(project: Project, from?: From): Promise<Checkpoint> {
  return expectSuccess(await create(project, from)).checkpoint;
}

/** Restores a checkpoint; a failure fails the test. */
export async function restored(
  project: Project,
  { id }: Checkpoint,
  from?: From,
): Promise<RestoredCheckpoint> {
  return expectSuccess(await restore(project, id, from));
}

export function expectSuccess<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

/** The message of a failure; a success fails the test. */
export function expectFailure(result: Result<unknown>): string {
  if (result.ok) throw new Error('expected a failure');
  return result.failure.message;
}

/** The refs of all checkpoints. */
export function checkpointRefs(project: Project): string[] {
  return git(project, 'for-each-ref', '--format=%(refname)', 'refs/ralph').split('\n').filter(Boolean);
}
