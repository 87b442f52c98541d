import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { isInside, realPathOf } from '../../base/files.ts';
import type { FailureBlock } from './failure.ts';
import { fileAbove } from './statement.ts';

/** Where something is wrong. */
export interface Place {
  /** Relative to the project. */
  readonly path: string;
  /** Counts from 1; undefined for the whole file. */
  readonly line?: number | undefined;
}

/** `src/a.ts:3:5`, `src/a.ts(3,5)`, `"src/a.py", line 3`. */
const PLACED =
  /((?:[\w@.+~()[\]-]*\/)*[\w@+~-][\w@.+~-]*\.[A-Za-z]\w{0,7})(?::(\d{1,7})|\((\d{1,7})[,:)]|", line (\d{1,7}))/;
/** What a line below the name of its file begins with. */
const LINE_ONLY = /^\s*(\d{1,7}):\d+\s/;
const PACKAGES = /(?:^|\/)(?:node_modules|site-packages|vendor)\//;

/**
 * The first place in the lines of a failure that is in a file of the project.
 *
 * @param root absolute directory of the project
 * @param cwd absolute directory in which the command ran
 */
export function placeOf(block: FailureBlock, root: string, cwd: string): Place | undefined {
  const { headline, lines } = block;
  const below = lines.filter(({ at }) => at > headline.at);
  const fileOfProject = (name: string) => {
    const file = resolve(cwd, name);
    const isOwn = isInside(root, realPathOf(file)) && !PACKAGES.test(relative(root, file));
    return isOwn && existsSync(file) ? relative(root, file) : undefined;
  };
  for (const { text } of [headline, ...below]) {
    const [, name, ...numbers] = PLACED.exec(text.replaceAll('file://', '')) ?? [];
    const path = name === undefined ? undefined : fileOfProject(name);
    if (path !== undefined) return { path, line: Number(numbers.find(Boolean)) };
  }
  const heading = fileAbove(block);
  const path = heading === undefined ? undefined : fileOfProject(heading);
  const [, line] = LINE_ONLY.exec(headline.text) ?? [];
  return path === undefined ? undefined : { path, ...(line !== undefined && { line: Number(line) }) };
}
