import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_HOME } from './no-home.ts';
import { removeDirectory } from './remove-directory.ts';

let directory: string | undefined;
let projects = 0;

/**
 * One state directory of a user for all projects of this worker: functions of the source read it from this process's
 * environment, and tests of a file run at the same time. Without a project it is `NO_HOME`.
 *
 * @returns absolute path, and a function for the end of the project
 */
export function useStateHome(): { readonly path: string; readonly release: () => void } {
  directory ??= createDirectory();
  const path = directory;
  // Tests use the same session: one that an earlier test's project guarded is another one.
  if (projects === 0) rmSync(join(path, 'ralph-loop/sessions'), { recursive: true, force: true });
  projects += 1;
  process.env.XDG_STATE_HOME = path;
  const release = () => {
    projects -= 1;
    if (projects === 0) process.env.XDG_STATE_HOME = NO_HOME;
  };
  return { path, release };
}

/** It stays until the worker ends: a process that a test leaves may write its pass after the test. */
function createDirectory(): string {
  const created = mkdtempSync(join(realpathSync(tmpdir()), 'ralph-state-'));
  // Vitest ends a worker by this signal, so that there is no exit to wait for.
  process.once('SIGTERM', () => {
    removeDirectory(created);
    process.kill(process.pid, 'SIGTERM');
  });
  return created;
}
