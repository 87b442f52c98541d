import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory, writeFileAtomic } from '../base/files.ts';
import { success } from '../base/result.ts';
import { launcherIn } from '../hosts/own-files.ts';
import { HOSTS } from '../hosts/registry.ts';
import { LAUNCHER } from '../process/own-command.ts';
import { userDirectory } from '../state/paths.ts';
import { MCP_FILES } from './mcp-servers.ts';
import { type Plan, planEdit, type ReadFile } from './plan.ts';
import { type Program, workspaceOf } from './program.ts';

const MARK = /^\/\/ `ralph-loop init` writes this file/;

/**
 * The text of the launcher.
 *
 * @param program it is searched first where this one is installed; undefined: in the root of the project
 */
export function launcherText(program?: Program): string {
  return launcherIn(workspaceOf(program));
}

/**
 * Plans the launcher: it is removed if no settings file starts it.
 *
 * @param wanted its text if one does; undefined keeps the present one
 * @param isStartedOutside whether a file of the user starts it
 */
export function planLauncher(wanted: string | undefined, read: ReadFile, isStartedOutside = false): Plan {
  const files = [
    ...HOSTS.flatMap(({ hookFile: { path, otherPaths } }) => [path, ...otherPaths]),
    ...MCP_FILES,
  ];
  const isStarted = files.some((path) => {
    const file = path.startsWith('~') ? undefined : read(path);
    return file?.ok && file.value?.includes(LAUNCHER);
  });
  return planEdit(LAUNCHER, read, (text) => {
    if (isStarted || isStartedOutside) return success({ text: wanted ?? text });
    return success({ text: text !== undefined && MARK.test(text) ? undefined : text });
  });
}

/**
 * Records a program for the launchers of this user, which start it if they find no other.
 *
 * @param path absolute
 * @throws if the user's state directory cannot be written
 */
export function recordProgram(path: string, env: NodeJS.ProcessEnv): void {
  const directory = userDirectory(env);
  if (directory === undefined) throw new Error('there is no home directory');
  makeDirectory(directory, 0o700);
  writeFileAtomic(join(directory, 'program'), `${realpathSync(path)}\n`, { mode: 0o600 });
}
