import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { realPathOf } from '../base/files.ts';
import { ralphDirectory, sessionPath, stateDirectory } from './paths.ts';

/** Removes what the user's state directory has of a temporary project and of its only session. */
export async function forgetProject(directory: string, session: string): Promise<void> {
  const root = realPathOf(directory);
  const state = stateDirectory(root);
  if (state !== ralphDirectory(root)) rmSync(dirname(state), { recursive: true, force: true });
  const path = await sessionPath(session);
  if (path !== undefined) rmSync(path, { force: true });
}
