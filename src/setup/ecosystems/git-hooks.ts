import {
  type Candidate,
  commandFault,
  type GateKind,
  isNameOfKind,
  KINDS,
  type NamedCommands,
  type Note,
} from '../candidates.ts';
import { isTable, tableAt, valueAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';
import { kindOf, kindsIn, packageScripts, scriptsCalledBy, wholeCommand } from './node-scripts.ts';
import { packageManagerOf } from './node-workspace.ts';

const HOOKS = ['pre-commit', 'pre-push'] as const;
type HookName = (typeof HOOKS)[number];

/** The commands of a git hook. */
interface GitHook {
  readonly name: HookName;
  /** Where it is, for the person. */
  readonly source: string;
  /** Undefined if it is more than a list of commands. */
  readonly commands: readonly string[] | undefined;
  /** Runs the hook for all files. */
  readonly runWhole?: string;
}

/**
 * What the project's git hooks (husky, lefthook, simple-git-hooks, `.githooks`) check besides the other gates: at most one
 * gate a hook.
 */
export function gitHookGates(project: ProjectFacts, others: readonly Candidate[]): (Candidate | Note)[] {
  const scripts = packageScripts(project.data('package.json'));
  return HOOKS.flatMap((name) => {
    const hook = lefthookHook(name, project) ?? scriptHook(name, project) ?? packageHook(name, project);
    return hook ? gatesOf(hook, scripts, others) : [];
  });
}

function gatesOf(hook: GitHook, scripts: NamedCommands, others: readonly Candidate[]): (Candidate | Note)[] {
  const { name, source, commands, runWhole } = hook;
  // A control character could hide a command from the person who is asked.
  if (commands === undefined || commands.some((command) => /\p{Cc}/u.test(command)))
    return [{ note: `${source} has shell logic: none of its commands is proposed. Name them with --gates.` }];
  const checks = commands.map((command) => ({ command, whole: withScripts(command, scripts) }));
  const faulty = checks.flatMap(({ command, whole }) => {
    const fault = STAGED_ONLY.test(whole) ? 'checks staged files only' : commandFault(whole);
    return fault === undefined ? [] : [{ command, fault }];
  });
  const rest = checks.filter(
    ({ command, whole }) =>
      !faulty.some((other) => other.command === command) &&
      !others.some(({ run }) => run === command) &&
      !isCovered(whole, others, scripts),
  );
  const notes = faulty
    .filter(({ fault }) => fault !== 'does nothing')
    .map(({ command, fault }) => ({ note: `${source} runs "${command}", which ${fault}: it is no gate.` }));
  if (rest.length === 0) return notes;
  const hasFiles = rest.some(({ command }) => FILES.test(command));
  if (hasFiles && (runWhole === undefined || notes.length > 0)) return notes;
  const run = hasFiles && runWhole !== undefined ? runWhole : rest.map(({ command }) => command).join(' && ');
  const kinds = rest.map(({ whole }) => kindOf(whole) ?? USUAL_KIND[name]);
  const kind = KINDS.findLast((each) => kinds.includes(each)) ?? USUAL_KIND[name];
  return [...notes, { kind, name, run, why: source }];
}

const USUAL_KIND: Readonly<Record<HookName, GateKind>> = { 'pre-commit': 'lint', 'pre-push': 'test' };

const STAGED_ONLY = /\b(lint-staged|nano-staged)\b|\s--staged\b/;

/** Lefthook's placeholders for lists of files. */
const FILES = /\{(staged_files|push_files|all_files|files)\}/;

/** A command with the commands of the scripts that it runs, one a line. */
function withScripts(command: string, scripts: NamedCommands): string {
  return [command, ...scriptsCalledBy(command, scripts).map((script) => wholeCommand(script, scripts))].join(
    '\n',
  );
}

/** Whether other gates check everything that a command checks, as far as that is known. */
function isCovered(whole: string, others: readonly Candidate[], scripts: NamedCommands): boolean {
  const called = scriptsCalledBy(whole, scripts);
  const named = KINDS.filter((kind) => called.some((script) => isNameOfKind(kind, script)));
  const kinds = [...kindsIn(whole), ...named];
  return kinds.length > 0 && kinds.every((kind) => others.some((gate) => gate.kind === kind));
}

/** A shell script of husky, or in the directory that `core.hooksPath` usually names. */
function scriptHook(name: HookName, project: ProjectFacts): GitHook | undefined {
  const source = project.first(`.husky/${name}`, `.githooks/${name}`);
  return source === undefined ? undefined : { name, source, commands: commandsIn(project.text(source)) };
}

/** A key of husky 4 or simple-git-hooks in package.json. */
function packageHook(name: HookName, project: ProjectFacts): GitHook | undefined {
  const packageJson = project.data('package.json');
  const keys = [['husky', 'hooks'], ['simple-git-hooks']].find(
    (path) => typeof valueAt(packageJson, ...path, name) === 'string',
  );
  if (!keys) return undefined;
  const text = String(valueAt(packageJson, ...keys, name));
  return { name, source: `${keys.join('.')} in package.json`, commands: commandsIn(text) };
}

const PREPARATION = /^(#|$|\.\s|source\s|set\s|export\s)/;
const SHELL_LOGIC =
  /^(if|then|else|elif|fi|for|while|until|do|done|case|esac|function|exit|return|\[|cd|[{}()])(?![\w-])|[|;<>`$\\]|\(\)|&(?!&)/;

/** The commands of a shell script, in turn; undefined if it has other shell syntax. */
function commandsIn(script: string): string[] | undefined {
  const lines = script
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => !PREPARATION.test(line));
  const commands = lines.flatMap((line) => line.split('&&').map((part) => part.trim()));
  return commands.some((command) => SHELL_LOGIC.test(command)) ? undefined : commands;
}

const LEFTHOOK_FILES = ['lefthook', '.lefthook', '.config/lefthook'].flatMap((name) =>
  ['yml', 'yaml', 'json', 'toml'].map((extension) => `${name}.${extension}`),
);

function lefthookHook(name: HookName, project: ProjectFacts): GitHook | undefined {
  const file = project.first(...LEFTHOOK_FILES);
  const hook = file === undefined ? {} : tableAt(project.data(file), name);
  const jobs = jobsIn(hook);
  if (file === undefined || jobs.length === 0) return undefined;
  const packageJson = project.data('package.json');
  const isPackage = ['dependencies', 'devDependencies'].some((key) =>
    Object.hasOwn(tableAt(packageJson, key), 'lefthook'),
  );
  const run = `lefthook run ${name} --all-files`;
  return {
    name,
    source: `${name} in ${file}`,
    commands: jobs,
    runWhole: isPackage ? packageManagerOf(project, packageJson).exec(run) : run,
  };
}

/** The commands in `commands` and `jobs` of a hook, also in groups. One that stages what it fixed is a fixer. */
function jobsIn(hook: unknown): string[] {
  const jobs = valueAt(hook, 'jobs');
  const all = [...Object.values(tableAt(hook, 'commands')), ...(Array.isArray(jobs) ? jobs : [])];
  return all.filter(isTable).flatMap((job) => {
    const { run } = job;
    if (typeof run !== 'string') return jobsIn(job.group);
    return [job.stage_fixed === true && !/\s--fix\b/.test(run) ? `${run} --fix` : run];
  });
}
