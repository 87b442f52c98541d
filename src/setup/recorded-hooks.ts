import { HOSTS } from '../hosts/registry.ts';
import { LAUNCHER } from '../process/own-command.ts';

/** The files that decide whether the hooks of ralph-loop run, relative to the project or beginning with `~/`. */
export function hookFiles(): string[] {
  const settings = HOSTS.flatMap(({ hookFile: { path, otherPaths } }) => [path, ...otherPaths]);
  return [...new Set([...settings, LAUNCHER])];
}
