import { dirname, join, relative, resolve } from 'node:path';
import { isInside } from '../base/files.ts';
import type { CommandGate, Gate } from '../gates/types.ts';
import type { Finding } from '../integrity/types.ts';
import {
  recipeChangedText,
  runnerFileChangedText,
  runnerFileGoneText,
  scriptChangedText,
} from '../messages/protected-gates.ts';
import { type CommandChange, commandChange } from './command-change.ts';
import type { RecordedFiles } from './recorded-files.ts';
import { commandLine, literal, quoted, type SimpleCommand, simpleCommands } from './shell-words.ts';

// A gate often names a script or a target: what it does is in another file, and is judged as that file was.

/** The files of runners, as they were and as they are. */
export interface RunnerFiles {
  /** Absolute directory of the project. */
  readonly root: string;
  readonly before: RecordedFiles;
  /** The text of a file now, by its path relative to the project; null if there is none. */
  readonly now: (path: string) => string | null;
  /** Writes a copy of a recorded file outside of the project. @returns its absolute path; undefined if it cannot */
  readonly copy: (text: string, name: string) => string | undefined;
}

export interface JudgedScripts {
  /** With the recorded scripts in place of those that changed, as far as that is exact. */
  readonly gate: CommandGate;
  readonly findings: readonly Finding[];
}

/** The gate with its recorded scripts, and what became of them. */
export function judgeScripts(gate: CommandGate, files: RunnerFiles): JudgedScripts {
  const expansion = new Expansion(files);
  const command = expansion.expand(gate.command, gate.cwd);
  if (expansion.findings.length === 0) return { gate, findings: [] };
  const env = { ...gate.env, ...expansion.env };
  return {
    gate: command === undefined ? { ...gate, env } : { ...gate, command, env },
    findings: expansion.findings.map((finding) => finding(command !== undefined)),
  };
}

/** The programs whose scripts and targets are recorded. */
const RUNNERS = /\b(?:npm|pnpm|yarn|bun|node|g?make|just)\b/;
/** Scripts that call each other go no deeper than this. */
const MAX_DEPTH = 8;

/** A command line in which scripts are replaced by their recorded texts. */
class Expansion {
  /** Each takes whether the gate ran as it was. */
  readonly findings: ((ranAsItWas: boolean) => Finding)[] = [];
  /** Variables that undo changed settings of npm. */
  readonly env: Record<string, string> = {};
  readonly #files: RunnerFiles;
  readonly #seen = new Set<string>();

  constructor(files: RunnerFiles) {
    this.#files = files;
  }

  /** @returns the command line; undefined if it cannot be replaced exactly */
  expand(line: string, cwd: string, depth = 0): string | undefined {
    if (!RUNNERS.test(line)) return line;
    const commands = depth < MAX_DEPTH ? simpleCommands(line) : undefined;
    if (commands === undefined) return this.#search(line, cwd);
    let directory: string | undefined = cwd;
    let isChanged = false;
    const expanded: SimpleCommand[] = [];
    for (const command of commands) {
      const words: readonly string[] | undefined =
        directory === undefined ? undefined : this.#simple(command.words, directory, depth);
      if (words === undefined) return this.#search(line, directory ?? cwd);
      isChanged ||= words !== command.words;
      expanded.push({ ...command, words });
      if (command.words[0] === 'cd') {
        const path = literal(command.words[1] ?? '~');
        directory = path === undefined || directory === undefined ? undefined : resolve(directory, path);
      }
    }
    return isChanged ? commandLine(expanded) : line;
  }

  /** @returns the same words if nothing in them changed; undefined if they cannot be replaced exactly */
  #simple(words: readonly string[], directory: string, depth: number): readonly string[] | undefined {
    const start = words.findIndex((word) => !/^\w+=/.test(word));
    const program = words[start];
    if (program === undefined) return words;
    const variables = words.slice(0, start);
    const redirected = words.findIndex((word) => /^(?:&>|\d*[<>])/.test(word));
    const end = redirected === -1 ? words.length : redirected;
    const own = words.slice(start + 1, end);
    if (/^(?:npm|pnpm|yarn|bun|node)$/.test(program)) {
      const call = scriptCall(program, own);
      if (call === 'unknown') return this.#findAnywhere(words, directory);
      if (call === undefined) return words;
      const expanded = this.#call(call, directory, depth);
      if (expanded === undefined || expanded === 'same') return expanded && words;
      const exported = variables.length > 0 ? `export ${variables.join(' ')} && ` : '';
      return [`(${exported}${expanded})`, ...words.slice(end)];
    }
    if (/^(?:g?make|just)$/.test(program)) return this.#target(words, start, directory);
    return words;
  }

  /** @returns `same` if none of its scripts changed; undefined if they cannot be replaced exactly */
  #call(call: ScriptCall, cwd: string, depth: number): string | undefined {
    const from = resolve(cwd, call.directory ?? '.');
    const manifest = this.#nearest(from, 'package.json');
    if (manifest === undefined) return 'same';
    const directory = resolve(this.#files.root, dirname(manifest));
    const before = scriptsIn(this.#files.before[manifest]);
    const now = scriptsIn(this.#files.now(manifest));
    if (call.isMaybe && before[call.name] === undefined) return 'same';
    if (/^(?:npm|pnpm)$/.test(call.program)) this.#compareSettings(from, directory);
    const names = call.hasHooks ? [`pre${call.name}`, call.name, `post${call.name}`] : [call.name];
    const parts = names.flatMap((name) => {
      this.#compareScript(manifest, name, before[name], now[name], name === call.name);
      const source = before[name];
      if (source === undefined) return [];
      const args = name === call.name && call.args.length > 0 ? ` ${call.args.join(' ')}` : '';
      return [{ name, source, args, text: this.expand(source, directory, depth + 1) }];
    });
    const isChanged = names.some((name) => before[name] !== now[name]);
    if (!isChanged && parts.every(({ text, source }) => text === source)) return 'same';
    // What npm sets for scripts is not known here.
    if (parts.some(({ text }) => text === undefined || /\bnpm_(?:package|config)_/.test(text)))
      return undefined;
    if (parts.length === 0) return 'same';
    const path = pathOf(directory, this.#files.root);
    const runs = parts.map(
      ({ name, text, args }) =>
        `PATH=${quoted(path)}:"$PATH" npm_lifecycle_event=${quoted(name)} sh -c ${quoted(`${text}${args}`)}`,
    );
    return `cd ${quoted(directory)} && ${runs.join(' && ')}`;
  }

  #compareScript(
    manifest: string,
    name: string,
    before: string | undefined,
    now: string | undefined,
    isCalled: boolean,
  ): void {
    const key = `${manifest}\0${name}`;
    if (this.#seen.has(key) || before === now) return;
    this.#seen.add(key);
    const line = lineOf(this.#files.now(manifest) ?? this.#files.before[manifest] ?? '', `"${name}"`);
    // A hook that is new runs besides the script.
    if (before === undefined && isCalled) return;
    const change = before === undefined ? 'more' : commandChange(before, now);
    if (change === 'same') return;
    this.#report(change, manifest, line, (ranAsItWas) => scriptChangedText(name, now, change, ranAsItWas));
  }

  #compareSettings(...directories: readonly string[]): void {
    for (const directory of new Set(directories)) {
      const path = relative(this.#files.root, join(directory, '.npmrc'));
      const settings = settingsIn(this.#files.before[path] ?? '');
      const present = settingsIn(this.#files.now(path) ?? '');
      for (const [name, neutral] of Object.entries(NEUTRAL_SETTINGS)) {
        if ((present[name] ?? neutral) === (settings[name] ?? neutral)) continue;
        this.env[`npm_config_${name.replaceAll('-', '_')}`] = settings[name] ?? neutral;
        const line = lineOf(this.#files.now(path) ?? '', name);
        this.#report('weaker', path, line, () => runnerFileChangedText(path, name));
      }
    }
  }

  /** `make -f <copy>`, `just --justfile <copy>`. */
  #target(words: readonly string[], start: number, cwd: string): readonly string[] | undefined {
    const program = words[start] ?? '';
    const args = words.slice(start + 1);
    const isJust = program === 'just';
    if (args.some((word) => /^(?:-f|--file|--makefile|--justfile|-d|--working-directory|-E)/.test(word)))
      return words;
    const at = args.findIndex((word) => /^(?:-C|--directory)/.test(word));
    const given = at === -1 ? '.' : (/^(?:-C|--directory=)(.+)/.exec(args[at] ?? '')?.[1] ?? args[at + 1]);
    const path = literal(given ?? '');
    if (path === undefined) return this.#findAnywhere(words, cwd);
    const directory = resolve(cwd, path);
    const names = isJust ? ['justfile', 'Justfile', '.justfile'] : ['GNUmakefile', 'makefile', 'Makefile'];
    const place = relative(this.#files.root, directory);
    const before = names.map((name) => join(place, name)).find((file) => this.#files.before[file] != null);
    if (before === undefined) return words;
    const now = names.map((name) => join(place, name)).find((file) => this.#files.now(file) !== null);
    const old = this.#files.before[before] ?? '';
    const text = now === undefined ? undefined : (this.#files.now(now) ?? undefined);
    const targets = args.filter((word, index) => !/^-|=/.test(word) && (at === -1 || index !== at + 1));
    const change = compareRecipes(old, text, targets, isJust);
    if (change === undefined) return words;
    const file = now ?? before;
    const line = change.recipe === '' ? 1 : headOf(text ?? old, change.recipe);
    if (!this.#seen.has(`${before}\0${change.recipe}`))
      this.#report(change.change, file, line, (ranAsItWas) =>
        recipeChangedText(file, change.recipe, text === undefined, ranAsItWas),
      );
    this.#seen.add(`${before}\0${change.recipe}`);
    // What these files include or call is found beside them.
    const isAlone = isJust
      ? !/^(?:import|mod)\b|justfile(?:_directory)?\(/m.test(old)
      : !/MAKEFILE_LIST/.test(old) && !(/\$[({]MAKE[)}]/.test(old) && /(?:-C|--directory|\bcd)\b/.test(old));
    const copy = isAlone ? this.#files.copy(old, isJust ? 'justfile' : 'Makefile') : undefined;
    if (copy === undefined) return undefined;
    const flags = isJust
      ? ['--justfile', quoted(copy), '--working-directory', quoted(directory)]
      : ['-f', quoted(copy), ...(/\$[({]MAKE[)}]/.test(old) ? [quoted(`MAKE=${program} -f ${copy}`)] : [])];
    return [...words.slice(0, start + 1), ...flags, ...args];
  }

  /** Nothing is replaced, but the scripts and targets that a command names are compared. */
  #search(line: string, cwd: string): undefined {
    return this.#findAnywhere(line.match(/[\w:./=-]+/g) ?? [], cwd);
  }

  #findAnywhere(words: readonly string[], cwd: string): undefined {
    const isUsed = (pattern: RegExp) => words.some((word) => pattern.test(word));
    if (isUsed(/^(?:npm|pnpm|yarn|bun|node)$/))
      for (const manifest of Object.keys(this.#files.before).filter((path) =>
        /(?:^|\/)package\.json$/.test(path),
      )) {
        const before = scriptsIn(this.#files.before[manifest]);
        const directory = resolve(this.#files.root, dirname(manifest));
        for (const word of words) {
          const name = /^(?:t|tst)$/.test(word) ? 'test' : word;
          if (before[name] === undefined) continue;
          const call = { program: 'npm', name, args: [], hasHooks: true };
          this.#call(call, directory, MAX_DEPTH - 1);
        }
      }
    if (isUsed(/^g?make$/))
      this.#target(['make', ...words.filter((word) => !/^-|=|make$/.test(word))], 0, cwd);
    if (isUsed(/^just$/)) this.#target(['just', ...words.filter((word) => !/^-|=|just$/.test(word))], 0, cwd);
    return undefined;
  }

  /** The nearest recorded file of this name, in the directory or above it. */
  #nearest(from: string, name: string): string | undefined {
    const { root, before } = this.#files;
    for (let directory = from; isInside(root, directory); directory = dirname(directory)) {
      const path = relative(root, join(directory, name));
      if (before[path] != null) return path;
      if (directory === root) break;
    }
    return undefined;
  }

  #report(
    change: CommandChange,
    path: string,
    line: number | undefined,
    message: (ranAsItWas: boolean) => string,
  ): void {
    const [rule, severity] =
      change === 'weaker'
        ? (['gate-changed', 'high'] as const)
        : (['script-changed', change === 'more' ? 'low' : 'medium'] as const);
    this.findings.push((ranAsItWas) => ({ rule, severity, path, line, message: message(ranAsItWas) }));
  }
}

/** A call of a script of a package.json. */
interface ScriptCall {
  readonly program: string;
  readonly name: string;
  /** As they are written. */
  readonly args: readonly string[];
  /** Where its package is, relative to the directory of the command. */
  readonly directory?: string | undefined;
  /** Whether `pre` and `post` scripts run too. */
  readonly hasHooks: boolean;
  /** Whether it is a script only if there is one of this name. */
  readonly isMaybe?: boolean;
}

const QUIET =
  /^(?:-s|-q|--silent|--quiet|--no-color|--color|--if-present|--loglevel=\w+|--no-update-notifier)$/;
const IN_DIRECTORY = /^(?:--prefix|--cwd|--dir|-C)(?:=(.+))?$/;

/** @returns undefined for a command that runs no script; `unknown` if the words do not say which */
function scriptCall(program: string, words: readonly string[]): ScriptCall | 'unknown' | undefined {
  let directory: string | undefined;
  let index = 0;
  const skipFlags = (): boolean => {
    for (; words[index]?.startsWith('-'); index++) {
      const word = words[index] ?? '';
      if (QUIET.test(word)) continue;
      const [match, value] = IN_DIRECTORY.exec(word) ?? [];
      if (match === undefined) return false;
      if (value === undefined) index++;
      directory = literal(value ?? words[index] ?? '');
      if (directory === undefined) return false;
    }
    return true;
  };
  if (program === 'node') {
    const at = words.indexOf('--run');
    const name = at === 0 ? literal(words[1] ?? '') : undefined;
    if (at === -1) return undefined;
    const args = words.slice(words[2] === '--' ? 3 : 2);
    return name === undefined ? 'unknown' : { program, name, args, hasHooks: false };
  }
  if (!skipFlags()) return 'unknown';
  const verb = words[index++];
  let name: string | undefined;
  let isMaybe = false;
  if (/^(?:run|run-script|rum|urn)$/.test(verb ?? '')) {
    if (!skipFlags()) return 'unknown';
    name = literal(words[index++] ?? '');
  } else if (program === 'bun') return undefined;
  else if (/^(?:t|tst|test)$/.test(verb ?? '')) name = 'test';
  else if (program === 'npm') {
    if (!/^(?:start|stop|restart)$/.test(verb ?? '')) return undefined;
    name = verb;
  } else {
    name = literal(verb ?? '');
    isMaybe = true;
  }
  if (name === undefined || name === '') return 'unknown';
  const args = scriptArgs(program, words.slice(index));
  return args === undefined ? 'unknown' : { program, name, args, directory, hasHooks: true, isMaybe };
}

/** The words that a script gets; undefined if the runners differ in that. */
function scriptArgs(program: string, words: readonly string[]): readonly string[] | undefined {
  const end = words.indexOf('--');
  if (program !== 'npm') return end === -1 ? words : undefined;
  const own = end === -1 ? words : words.slice(0, end);
  if (own.some((word) => word.startsWith('-') && !QUIET.test(word))) return undefined;
  return [...own.filter((word) => !QUIET.test(word)), ...(end === -1 ? [] : words.slice(end + 1))];
}

type Scripts = Readonly<Record<string, string | undefined>>;

function scriptsIn(text: string | null | undefined): Scripts {
  try {
    const { scripts } = JSON.parse((text ?? '').replace(/^\uFEFF/, '')) as { scripts?: unknown };
    const entries = Object.entries(scripts ?? {}).filter(([, script]) => typeof script === 'string');
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}

/** Settings by which scripts do something else, and the values that change nothing: npm ignores empty variables. */
const NEUTRAL_SETTINGS: Readonly<Record<string, string>> = {
  'script-shell': '/bin/sh',
  'node-options': ' ',
  'ignore-scripts': 'false',
  'shell-emulator': 'false',
};

/** As npm, the last line counts. */
function settingsIn(text: string): Readonly<Record<string, string | undefined>> {
  const lines = text.matchAll(/^\s*([\w-]+)\s*=\s*(.*?)\s*$/gm);
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
}

/** The `node_modules/.bin` of a package and of the directories above it, as npm has them on PATH. */
function pathOf(directory: string, root: string): string {
  const directories: string[] = [];
  for (let at = directory; isInside(root, at); at = dirname(at)) {
    directories.push(join(at, 'node_modules/.bin'));
    if (at === root) break;
  }
  return directories.join(':');
}

interface RecipeChange {
  readonly change: CommandChange;
  /** Empty for what is outside of recipes. */
  readonly recipe: string;
}

/** Compares the recipes that targets depend on, and what is outside of recipes, such as variables. */
function compareRecipes(
  before: string,
  now: string | undefined,
  targets: readonly string[],
  isJust: boolean,
): RecipeChange | undefined {
  if (now === undefined) return { change: 'weaker', recipe: '' };
  const [old, present] = [recipesIn(before, isJust), recipesIn(now, isJust)];
  const names = reachable(old, targets.length > 0 ? targets : [[...old.keys()].find(isDefaultTarget) ?? '']);
  const changes = ['', ...names].flatMap((recipe): RecipeChange[] => {
    const change = recipeChange(old.get(recipe) ?? '', present.get(recipe));
    return change === 'same' ? [] : [{ change, recipe }];
  });
  return changes.find(({ change }) => change === 'weaker') ?? changes[0];
}

function recipeChange(before: string, now: string | undefined): CommandChange {
  const change = commandChange(before, now);
  if (change !== 'other' || now === undefined) return change;
  const lines = (text: string) => text.split('\n').filter(Boolean);
  const [old, present] = [lines(before), lines(now)];
  const gone = old.filter((line) => !present.includes(line));
  const added = present.filter((line) => !old.includes(line));
  if (gone.length === 0) return added.some((line) => /^-/.test(line)) ? 'other' : 'more';
  // Make ignores the failure of a line that begins with a dash.
  const isIgnored = gone.some((line) => added.some((other) => /^@?-/.test(other) && other.endsWith(line)));
  const pairs = gone.flatMap((line) => added.map((other) => commandChange(line, other)));
  if (isIgnored || added.length === 0 || pairs.includes('weaker')) return 'weaker';
  return pairs.length > 0 && pairs.every((pair) => pair === 'more') ? 'more' : 'other';
}

const isDefaultTarget = (name: string) => /^[\w-]/.test(name);

/** The recipes of a Makefile or a justfile by name, their heads included; the rest of the file has an empty name. */
function recipesIn(text: string, isJust: boolean): ReadonlyMap<string, string> {
  const recipes = new Map<string, string>();
  const add = (name: string, line: string) => recipes.set(name, `${recipes.get(name) ?? ''}${line}\n`);
  let current: readonly string[] = [''];
  for (const line of text.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [, names, needs = ''] = /^@?([^\s:=#][^:=#]*?|[\w-]+\s[^:]*?)\s*::?(?![=:])(.*)$/.exec(line) ?? [];
    if (/^\s/.test(line)) for (const name of current) add(name, line.trim());
    else if (names === undefined || names.startsWith('.')) {
      current = [''];
      if (names !== '.PHONY') add('', line.trim());
    } else {
      // The words after the name of a just recipe are its parameters.
      current = names.split(/\s+/).slice(0, isJust ? 1 : undefined);
      for (const name of current) add(name, `${names}: ${needs.trim()}`);
    }
  }
  return recipes;
}

function reachable(recipes: ReadonlyMap<string, string>, targets: readonly string[]): string[] {
  const found = new Set(targets.filter((name) => recipes.has(name)));
  // The set grows while it is read.
  for (const name of found)
    for (const word of recipes.get(name)?.match(/[\w./-]+/g) ?? []) if (recipes.has(word)) found.add(word);
  return [...found];
}

/** The line of the head of a recipe, from 1; undefined if there is none. */
function headOf(text: string, recipe: string): number | undefined {
  const index = text.split('\n').findIndex((line) => {
    const [head = '', ...rest] = line.split(':');
    return rest.length > 0 && !/^\s/.test(line) && head.replace(/^@/, '').split(/\s+/).includes(recipe);
  });
  return index === -1 ? undefined : index + 1;
}

/** Files that judge only gates which run their program; all other files were named by a gate or a script. */
const OF_PROGRAMS: readonly (readonly [file: RegExp, program: RegExp])[] = [
  [/(?:^|\/)composer\.json$/, /\bcomposer\b/],
  [/(?:^|\/)Taskfile\.ya?ml$/, /\b(?:go-)?task\b/],
  [/(?:^|\/)\.yarnrc\.yml$/, /\byarn\b/],
  [/(?:^|\/)bunfig\.toml$/, /\bbun\b/],
];
/** Compared by their scripts and targets. */
const COMPARED = /(?:^|\/)(?:package\.json|\.npmrc|(?:GNUm|m|M)akefile|\.?[jJ]ustfile)$/;

/** What became of the other files that gates run: shell scripts, tasks, settings of runners. */
export function judgeRunnerFiles(
  gates: readonly Gate[],
  { before, now }: Pick<RunnerFiles, 'before' | 'now'>,
): Finding[] {
  const commands = gates.flatMap((gate) => (gate.kind === 'command' ? gate.command : [])).join('\n');
  return Object.entries(before).flatMap(([path, text]): Finding[] => {
    if (COMPARED.test(path)) return [];
    const program = OF_PROGRAMS.find(([file]) => file.test(path))?.[1];
    if (program ? !program.test(commands) : text === null) return [];
    const present = now(path);
    const [old, after] = /composer\.json$/.test(path)
      ? [text, present].map((one) => one && JSON.stringify(scriptsIn(one)))
      : [text, present];
    const change = commandChange(withoutComments(old ?? ''), withoutComments(after ?? ''));
    if (change === 'same') return [];
    if (present === null)
      return [{ rule: 'gate-changed', severity: 'high', path, message: runnerFileGoneText(path) }];
    const [rule, severity] =
      change === 'weaker' && program === undefined
        ? (['gate-changed', 'high'] as const)
        : (['script-changed', 'medium'] as const);
    return [{ rule, severity, path, message: runnerFileChangedText(path, undefined) }];
  });
}

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*#.*\n?/gm, '');
}

/** Counts from 1; undefined if the text does not have it. */
export function lineOf(text: string, part: string): number | undefined {
  const index = text.split('\n').findIndex((line) => line.includes(part));
  return index === -1 ? undefined : index + 1;
}
