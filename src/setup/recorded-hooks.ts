import { HOSTS } from '../hosts/registry.ts';
import { LAUNCHER } from '../process/own-command.ts';

/**
 * The files that decide whether the hooks of ralph-loop run, relative to the project or beginning with `~/`. A user's TOML
 * file, which has keys of models too, is not recorded.
 */
export function hookFiles(): string[] {
  const settings = HOSTS.filter(({ hookFile }) => !hookFile.isOfUser).flatMap(
    ({ hookFile: { path, otherPaths } }) => [path, ...otherPaths],
  );
  return [...new Set([...settings, LAUNCHER])];
}
