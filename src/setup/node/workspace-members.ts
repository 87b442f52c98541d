import { posix } from 'node:path';
import { type Table, textsIn, valueAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';

/** So many packages are looked at: what holds for these holds for the others. */
const MAX_MEMBERS = 100;
/** So many levels are searched for a `**`: packages lie in groups, but not in each other. */
const MAX_DEPTH = 2;

/** Directories of the packages that a workspace has below its root, found by its own patterns. */
export function workspaceMembers(project: ProjectFacts, packageJson: Table): string[] {
  const patterns = [
    ...textsIn(packageJson.workspaces),
    ...textsIn(valueAt(packageJson, 'workspaces', 'packages')),
    ...textsIn(project.data('pnpm-workspace.yaml').packages),
    ...textsIn(project.data('lerna.json').packages),
  ];
  const unwanted = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  const members = patterns
    .filter((pattern) => !pattern.startsWith('!'))
    .flatMap((pattern) => directoriesLike(posix.normalize(pattern).split('/').filter(Boolean), '.', project))
    .filter((path) => path !== '.' && project.has(`${path}/package.json`))
    .filter((path) => !unwanted.some((pattern) => toExpression(pattern).test(path)));
  return [...new Set(members)].slice(0, MAX_MEMBERS);
}

/** The directories below one that the parts of a pattern lead to. What lies outside of the root is not looked at. */
function directoriesLike(parts: readonly string[], from: string, project: ProjectFacts): string[] {
  const [part, ...rest] = parts;
  if (part === undefined) return [from];
  if (part === '..') return [];
  if (!part.includes('*')) return directoriesLike(rest, posix.join(from, part), project);
  if (part === '**')
    return directoriesWithin(from, MAX_DEPTH, project).flatMap((path) =>
      directoriesLike(rest, path, project),
    );
  return directoriesIn(from, project)
    .filter((path) => toExpression(part).test(posix.basename(path)))
    .flatMap((path) => directoriesLike(rest, path, project));
}

function directoriesWithin(path: string, depth: number, project: ProjectFacts): string[] {
  if (depth === 0) return [path];
  return [path, ...directoriesIn(path, project).flatMap((one) => directoriesWithin(one, depth - 1, project))];
}

function directoriesIn(path: string, project: ProjectFacts): string[] {
  return project
    .list(path)
    .filter((name) => name.endsWith('/') && !name.startsWith('.') && name !== 'node_modules/')
    .map((name) => posix.join(path, name.slice(0, -1)));
}

function toExpression(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*\/?|\*)/).map((part) => {
    if (part === '*') return '[^/]*';
    if (part.startsWith('**')) return '(.*/)?'.concat(part === '**' ? '[^/]*' : '');
    return part.replaceAll(/[.+^$()|[\]\\?{}]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join('')}$`);
}
