import { execFileSync } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryTree } from './temporary-tree.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** A finding of the linter, as far as the import rules are concerned. */
export interface Finding {
  readonly rule: string;
  readonly path: string;
}

/** Lints files with the project's own rules, in a directory of their own. */
export function lintTree(files: Readonly<Record<string, string>>): Finding[] {
  const root = temporaryTree(files);
  cpSync(join(repository, '.biome.jsonc'), join(root, '.biome.jsonc'));
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  const args = ['lint', '--reporter=json', '--max-diagnostics=none', 'src'];
  let output: string;
  try {
    output = execFileSync(join(repository, 'node_modules/.bin/biome'), args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    // Exit 1: something was found.
    output = (error as { stdout: string }).stdout;
  }
  return (JSON.parse(output) as Report).diagnostics.map(({ category, location }) => ({
    rule: category.split('/').at(-1) ?? '',
    path: location.path,
  }));
}

interface Report {
  readonly diagnostics: readonly {
    readonly category: string;
    readonly location: { readonly path: string };
  }[];
}
