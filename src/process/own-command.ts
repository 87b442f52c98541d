import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The npm package, and its program of the same name. The package `ralph-loop` is another program. */
export const PACKAGE = 'ralph-loop-cli';
/** The file that hooks and MCP servers start, relative to the project. It finds the program and loads it. */
export const LAUNCHER = '.trellis/ralph-hook.cjs';

/**
 * How a shell of an agent starts this program: by its name if it is on PATH, else by the launcher of the project's hooks.
 *
 * @param root absolute directory of the project
 */
export function ownCommand(root: string, { PATH }: NodeJS.ProcessEnv): string {
  const launcher = join(root, LAUNCHER);
  if (isOnPath(PACKAGE, PATH) || !existsSync(launcher)) return 'ralph-loop';
  return `node '${launcher.replaceAll("'", String.raw`'\\''`)}'`;
}

/** Whether a program is on PATH without the directories that npx adds. */
export function isOnPath(program: string, path = process.env.PATH): boolean {
  return permanentDirectories(path).some((directory) => existsSync(join(directory, program)));
}

/** The directories of PATH without `node_modules/.bin`, which npx adds while it runs. */
export function permanentDirectories(path = ''): string[] {
  return path.split(delimiter).filter((directory) => !/(?:^|\/)node_modules\/\.bin\/?$/.test(directory));
}
