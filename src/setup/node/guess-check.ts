import { type Table, tableAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';
import type { GateKind } from '../proposed-gate.ts';
import type { FoundCheck } from './found-check.ts';
import type { PackageManager } from './package-manager.ts';

/** A program that is asked for where it is installed and configured, and no script calls it. */
interface Program {
  readonly kind: GateKind;
  readonly dependency: string;
  readonly config: RegExp;
  readonly command: string;
}

/** The more special one of a kind first. */
const PROGRAMS: readonly Program[] = [
  { kind: 'lint', dependency: '@biomejs/biome', config: /^\.?biome\.jsonc?$/, command: 'biome check .' },
  { kind: 'lint', dependency: 'eslint', config: /^(eslint\.config\.|\.eslintrc)/, command: 'eslint .' },
  { kind: 'typecheck', dependency: 'svelte-check', config: /^tsconfig\.json$/, command: 'svelte-check' },
  { kind: 'typecheck', dependency: 'vue-tsc', config: /^tsconfig\.json$/, command: 'vue-tsc' },
  { kind: 'typecheck', dependency: 'typescript', config: /^tsconfig\.json$/, command: 'tsc' },
];

/** The check that a project is set up for without having a script for it. */
export function guessCheck(
  kind: GateKind,
  project: ProjectFacts,
  packageJson: Table,
  manager: PackageManager,
): FoundCheck | undefined {
  const installed = { ...tableAt(packageJson, 'dependencies'), ...tableAt(packageJson, 'devDependencies') };
  for (const program of PROGRAMS) {
    if (program.kind !== kind || !Object.hasOwn(installed, program.dependency)) continue;
    const config = project.list('.').find((name) => program.config.test(name));
    const command = program.command.endsWith('tsc') ? tscCommand(program.command, project) : program.command;
    if (config !== undefined && command !== undefined)
      return { run: manager.exec(command), why: `${config}, and ${program.dependency} in package.json` };
  }
  return undefined;
}

/**
 * A tsconfig that only refers to others checks nothing by itself, and one that only others extend nothing at all.
 * TypeScript takes `--build` and `--noEmit` together from 5.6 on.
 */
function tscCommand(program: string, project: ProjectFacts): string | undefined {
  const { files, references, include } = project.data('tsconfig.json');
  if (Array.isArray(references) && references.length > 0) return `${program} --build --noEmit`;
  const isEmpty = Array.isArray(files) && files.length === 0 && include === undefined;
  return isEmpty ? undefined : `${program} --noEmit`;
}
