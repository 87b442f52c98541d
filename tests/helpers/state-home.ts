import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_HOME } from './no-home.ts';
import { removeDirectory } from './remove-directory.ts';

let directory: string | undefined;
let projects = 0;

/**
 * One state directory of a user for all projects that there are at a time: functions of the source read it from this
 * process's environment, and tests of a file run at the same time. Without a project it is `NO_HOME`.
 *
 * @returns absolute path, and a function for the end of the project. The last project removes the directory: a worker of
 * Vitest is ended by a signal, so nothing is done at its exit.
 */
export function useStateHome(): { readonly path: string; readonly release: () => void } {
  directory ??= mkdtempSync(join(realpathSync(tmpdir()), 'ralph-state-'));
  const path = directory;
  projects += 1;
  process.env.XDG_STATE_HOME = path;
  const release = () => {
    projects -= 1;
    if (projects > 0) return;
    process.env.XDG_STATE_HOME = NO_HOME;
    directory = undefined;
    removeDirectory(path);
  };
  return { path, release };
}
