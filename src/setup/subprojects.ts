import { posix } from 'node:path';
import type { ProjectDirectory } from './project-facts.ts';

/** Directories of dependencies, outputs, and projects that only show or test something. */
const OTHER_DIRECTORIES =
  /^(\..*|_.*|node_modules|bower_components|vendor|third_party|venv|env|dist|build|out|target|coverage|docs?|examples?|samples?|demos?|fixtures?|__.*__|tests?|testdata|e2e|templates?)$/i;
const MAX_DEPTH = 2;
/** More projects have a file at the root that runs their checks, or should. */
const MAX_SUBPROJECTS = 10;

/** The directories in which a project may have further projects: up to two levels deep, outermost first. */
export function subprojectsOf(
  directory: ProjectDirectory,
  isProject: (path: string) => boolean,
): { readonly found: readonly string[]; readonly leftOut: number } {
  const found: string[] = [];
  let pending = ['.'];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const below = pending.flatMap((path) => directoriesIn(directory, path));
    const projects = below.filter(isProject);
    found.push(...projects);
    pending = below.filter((path) => !projects.includes(path));
  }
  return { found: found.slice(0, MAX_SUBPROJECTS), leftOut: Math.max(0, found.length - MAX_SUBPROJECTS) };
}

/** Without links, which may lead out of the project, and without repositories, which have gates of their own. */
function directoriesIn(directory: ProjectDirectory, path: string): string[] {
  return directory
    .list(path)
    .filter(
      (name) => name.endsWith('/') && !OTHER_DIRECTORIES.test(name.slice(0, -1)) && !/\p{Cc}/u.test(name),
    )
    .map((name) => posix.join(path, name.slice(0, -1)))
    .filter((each) => !directory.isLink(each))
    .filter((each) => !directory.list(each).some((name) => name === '.git' || name === '.git/'));
}
