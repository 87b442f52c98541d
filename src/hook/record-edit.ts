import { readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { isInside, realPathOf } from '../base/files.ts';
import { findAgentProject } from '../config/discover.ts';
import type { EditEvent } from '../hosts/types.ts';
import { isRecordFile, LIVE_SESSION_MS, recordPath, stateDirectory } from '../state/paths.ts';

/** Records the edit of a session, where another session is at work in the same project. */
export async function recordEdit(event: EditEvent, cwd: string, named: string | undefined): Promise<void> {
  const { sessionId: session, paths, texts } = event;
  if (session === undefined || paths.length === 0) return;
  const found = findAgentProject(cwd, event.projectDirectories, { named });
  if (!found.ok) return;
  const { root } = found.value;
  if (!(await hasOthers(root, session))) return;
  // Loaded on demand: most edits are those of the only session.
  const [{ changeEdits, digestOf, withEdit }, { ancestors }] = await Promise.all([
    import('../state/edits.ts'),
    import('../process/ancestors.ts'),
  ]);
  const edited = paths.map((path) => realPathOf(resolve(cwd, path))).filter((path) => isInside(root, path));
  // What one file had before says nothing about another.
  const states = texts && paths.length === 1 ? [digestOf(texts.before), digestOf(texts.after)] : [];
  await changeEdits(root, session, (edits) => ({
    ...edits,
    hosts: ancestors(),
    files: edited.reduce((files, path) => withEdit(files, relative(root, path), states), edits.files),
  }));
}

/** Whether another session has begun in the project, and may still be at work. */
async function hasOthers(root: string, session: string): Promise<boolean> {
  const own = await recordPath(root, session, false);
  const directory = stateDirectory(root);
  try {
    return readdirSync(directory).some((name) => {
      const path = join(directory, name);
      return isRecordFile(name) && path !== own && statSync(path).mtimeMs > Date.now() - LIVE_SESSION_MS;
    });
  } catch {
    return false;
  }
}
