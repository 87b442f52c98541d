import {
  affectedNote,
  type Candidate,
  commandFault,
  faultOf,
  type GateKind,
  isNameOfKind,
  KINDS,
  type NamedCommands,
  type Note,
  namesOfKind,
} from '../candidates.ts';
import { isTable, type Table, tableAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';
import {
  kindsIn,
  type PickedScript,
  packageScripts,
  pickScripts,
  scriptsRunBy,
  watchesInTerminal,
  watchesOutsideCi,
  wholeCommand,
} from './node-scripts.ts';
import {
  affectedCommand,
  type FoundCheck,
  type PackageManager,
  packageManagerOf,
  workspaceCheck,
} from './node-workspace.ts';

/**
 * The scripts of the root's package.json. For each kind of check that they do not cover: a script of the workspace's
 * packages, or else a fixing script in its checking form, or else a tool that is installed and configured.
 */
export function nodeGates(project: ProjectFacts): (Candidate | Note)[] {
  const packageJson = project.data('package.json');
  const scripts = packageScripts(packageJson);
  const manager = packageManagerOf(project, packageJson);
  const picked = pickScripts(scripts);
  const checked = picked.flatMap(({ kind, script }) => [kind, ...kindsIn(wholeCommand(script, scripts))]);
  const others = KINDS.filter((kind) => !checked.includes(kind)).flatMap((kind): (Candidate | Note)[] => {
    const gate =
      workspaceCheck(kind, project, packageJson, manager) ??
      checkingForm(scripts, kind, manager) ??
      endingForm(scripts, kind, manager) ??
      installedCheck(kind, project, packageJson, manager);
    return gate ? [{ kind, ...gate }] : unsuitableScript(kind, scripts);
  });
  const commands = [
    ...picked.map(({ script }) => wholeCommand(script, scripts)),
    ...others.flatMap((each) => ('run' in each ? [each.run] : [])),
  ];
  const affected = commands.flatMap((command) => affectedCommand(command, manager) ?? []).at(-1);
  return [
    ...brokenScripts(packageJson.scripts),
    ...picked.map((pick) => scriptGate(pick, scripts, manager)),
    ...others,
    ...(affected === undefined ? [] : [affectedNote(affected)]),
  ];
}

function scriptGate(
  { kind, script, isMixed, parts, covers }: PickedScript,
  scripts: NamedCommands,
  manager: PackageManager,
): Candidate {
  const command = wholeCommand(script, scripts);
  const variables = watchesOutsideCi(command) ? 'CI=true ' : '';
  const remark = watchesInTerminal(command) ? '; vitest runs once if there is no terminal' : '';
  const source = `script ${script} in package.json`;
  const covered = covers.length > 0 ? `, which also runs ${covers.join(' and ')}` : '';
  return {
    kind,
    run: parts.map((part) => variables + manager.run(part)).join(' && '),
    why: parts[0] === script ? `${source}${covered}${remark}` : `the rest of ${source}${remark}`,
    ...(isMixed && { name: script }),
    ...(writesFiles(script, command, scripts) && { exclusive: true }),
  };
}

/** Whether a script builds, as `pretest` may, or changes files. */
function writesFiles(script: string, command: string, scripts: NamedCommands): boolean {
  const builds = [...scriptsRunBy(script, scripts)].some((name) => isNameOfKind('build', name));
  return builds || commandFault(command) === 'changes files';
}

/** A note about a script that could be a gate if its command were different. */
function unsuitableScript(kind: GateKind, scripts: NamedCommands): Note[] {
  for (const script of namesOfKind(kind, scripts)) {
    const fault = faultOf(kind, wholeCommand(script, scripts));
    if (fault === undefined || fault === 'does nothing') continue;
    const suitable = fault === 'never ends' ? 'runs once' : 'only checks';
    return [
      { note: `Script ${script} in package.json ${fault}; a script that ${suitable} could be a gate.` },
    ];
  }
  return [];
}

function brokenScripts(scripts: unknown): Note[] {
  if (scripts === undefined || isTable(scripts)) return [];
  return [{ note: '"scripts" in package.json is not an object; it is ignored.' }];
}

/** The usual names of scripts that fix. */
const FIXING_NAMES = [
  'lint',
  'lint:fix',
  'eslint',
  'format',
  'format:fix',
  'format:write',
  'fmt',
  'prettier',
];

/** Shell syntax: the command is more than a program with arguments. */
const SHELL_SYNTAX = /[&|;<>$`\n]/;

/** The check of one kind that a fixing script makes without its fixing option: `eslint src --fix` as `eslint src`. */
function checkingForm(
  scripts: NamedCommands,
  kind: GateKind,
  manager: PackageManager,
): FoundCheck | undefined {
  for (const script of FIXING_NAMES) {
    const command = withoutFixing(scripts[script] ?? '');
    if (command !== undefined && kindsIn(command).includes(kind))
      return command === scripts[script]
        ? { run: manager.run(script), why: `script ${script} in package.json` }
        : { run: manager.exec(command), why: `script ${script} in package.json, without fixing` };
  }
  return undefined;
}

function withoutFixing(command: string): string | undefined {
  if (SHELL_SYNTAX.test(command)) return undefined;
  if (/^prettier\s/.test(command)) {
    const checking = command.replace(/\s(--write|-w)(?=\s|$)/, ' --check');
    return /\s(--check|-c|--list-different|-l)(\s|$)/.test(checking) ? checking : undefined;
  }
  if (!/^(eslint|oxlint|xo|standard|stylelint|biome (check|lint|format))(\s|$)/.test(command))
    return undefined;
  const checking = command.replaceAll(/\s--(fix|write|apply|unsafe)(?=\s|$)/g, '');
  return commandFault(checking) === undefined ? checking : undefined;
}

/** The command of a watching test or type check without its watching: `jest --watch` as `jest`. */
function endingForm(scripts: NamedCommands, kind: GateKind, manager: PackageManager): FoundCheck | undefined {
  if (kind !== 'test' && kind !== 'typecheck') return undefined;
  for (const script of namesOfKind(kind, scripts)) {
    const command = withoutWatching(scripts[script] ?? '');
    const hasHooks = [`pre${script}`, `post${script}`].some((hook) => Object.hasOwn(scripts, hook));
    if (command === undefined || hasHooks) continue;
    const [, variables = '', program = ''] = /^((?:\w+=[^\s"'$`]*\s+)*)(.*)$/.exec(command) ?? [];
    const run = program.startsWith('node ') ? program : manager.exec(program);
    return { run: variables + run, why: `script ${script} in package.json, without watching` };
  }
  return undefined;
}

const WATCHERS =
  /^(?:\w+=[^\s"'$`]*\s+|cross-env\s+)*(vitest|jest|mocha|ava|tsc|vue-tsc|node(?=\s.*--test\b)|ng test|karma start)(?=\s|$)/;

/** Undefined if the command does not watch, or not in a form that is known. */
function withoutWatching(command: string): string | undefined {
  const [, program] = WATCHERS.exec(command) ?? [];
  if (program === undefined || SHELL_SYNTAX.test(command) || commandFault(command) !== 'never ends')
    return undefined;
  const ending = command
    .replaceAll(/\s--watch(?:-?all)?(?:=\S+)?(?=\s|$)/gi, '')
    .replaceAll(/\s(?:-w|--ui)(?=\s|$)/g, '')
    .replace(/\bvitest (?:watch|dev)\b/, 'vitest');
  const once: Readonly<Record<string, string>> = {
    vitest: ending.replace(/\bvitest(?! run)\b/, 'vitest run'),
    'ng test': `${ending} --no-watch`,
    'karma start': `${ending} --single-run`,
  };
  const form = once[program] ?? ending;
  return commandFault(form) === undefined ? form : undefined;
}

/** A tool that is run if it is installed and configured and no script runs it. */
interface Tool {
  readonly kind: GateKind;
  readonly dependency: string;
  readonly config: RegExp;
  readonly command: string;
}

/** The most specific tool of a kind comes first. */
const TOOLS: readonly Tool[] = [
  { kind: 'lint', dependency: '@biomejs/biome', config: /^\.?biome\.jsonc?$/, command: 'biome check .' },
  { kind: 'lint', dependency: 'eslint', config: /^(eslint\.config\.|\.eslintrc)/, command: 'eslint .' },
  { kind: 'typecheck', dependency: 'svelte-check', config: /^tsconfig\.json$/, command: 'svelte-check' },
  { kind: 'typecheck', dependency: 'vue-tsc', config: /^tsconfig\.json$/, command: 'vue-tsc' },
  { kind: 'typecheck', dependency: 'typescript', config: /^tsconfig\.json$/, command: 'tsc' },
];

/** A check with a tool that is installed and configured. */
function installedCheck(
  kind: GateKind,
  project: ProjectFacts,
  packageJson: Table,
  manager: PackageManager,
): FoundCheck | undefined {
  const installed = { ...tableAt(packageJson, 'dependencies'), ...tableAt(packageJson, 'devDependencies') };
  for (const tool of TOOLS) {
    if (tool.kind !== kind || !Object.hasOwn(installed, tool.dependency)) continue;
    const config = project.list('.').find((name) => tool.config.test(name));
    const command = tool.command.endsWith('tsc') ? tscCommand(tool.command, project) : tool.command;
    if (config !== undefined && command !== undefined)
      return { run: manager.exec(command), why: `${config}, and ${tool.dependency} in package.json` };
  }
  return undefined;
}

/**
 * A tsconfig with references needs `--build`, which TypeScript accepts with `--noEmit` from 5.6 on. Undefined for a tsconfig
 * that has no files and is only extended.
 */
function tscCommand(program: string, project: ProjectFacts): string | undefined {
  const { files, references, include } = project.data('tsconfig.json');
  if (Array.isArray(references) && references.length > 0) return `${program} --build --noEmit`;
  const isEmpty = Array.isArray(files) && files.length === 0 && include === undefined;
  return isEmpty ? undefined : `${program} --noEmit`;
}
