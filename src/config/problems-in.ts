import { relative } from 'node:path';
import { type ConfigProblem, formatProblem } from './config-problem.ts';
import type { ConfigFile } from './find-project.ts';

/** What is wrong in a file, each with its place; the file is named from the project's directory. */
export function problemsIn(
  { path, unreadable }: ConfigFile,
  problems: readonly ConfigProblem[],
  root: string,
): string[] {
  const file = relative(root, path);
  if (unreadable !== undefined) return [`${file}:1:1: the file cannot be read: ${unreadable}`];
  return problems.map((problem) => formatProblem(file, problem));
}
