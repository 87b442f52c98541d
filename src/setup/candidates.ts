/** What a gate checks, from cheap to expensive: the order in which gates are proposed. */
export const KINDS = ['format', 'lint', 'typecheck', 'test', 'build'] as const;

export type GateKind = (typeof KINDS)[number];

/** A gate that an ecosystem proposes. */
export interface Candidate {
  readonly kind: GateKind;
  /** Shell command, run at the root of the project or in `cwd`. */
  readonly run: string;
  /** What shows that the project uses it, for the person: `script lint in package.json`. */
  readonly why: string;
  /** The kind if absent. */
  readonly name?: string;
  /** The directory that the command runs in, relative to the root; the root if absent. */
  readonly cwd?: string;
  /** Absent if the usual limit of its kind is enough. */
  readonly timeoutSeconds?: number;
  /** It writes what other gates read or write too. Builds do, and commands that change files. */
  readonly exclusive?: boolean;
}

/** A sentence for the person about something that could be a gate, but is not. */
export interface Note {
  readonly note: string;
}

/** A faster command that is no gate by default: what changed is not always all that the change breaks. */
export function affectedNote(command: string): Note {
  return { note: `In a large project, \`${command}\` checks only what the changes affect.` };
}

export interface ProposedGate extends Candidate {
  /** Unique among the proposed gates. */
  readonly name: string;
}

/** A command, and what shows that the project uses its program; undefined if nothing does. */
export type Choice = readonly [run: string, evidence: string | undefined];

/** The first of several equivalent commands whose program the project uses, as a list of at most one. */
export function firstUsed(kind: GateKind, ...choices: readonly Choice[]): Candidate[] {
  for (const [run, why] of choices) if (why !== undefined) return [{ kind, run, why }];
  return [];
}

/** Commands by name, such as the scripts of a package.json. */
export type NamedCommands = Readonly<Record<string, string>>;

/**
 * The usual names of scripts, tasks and targets that check something; `-` and `_` count as `:`. The first name whose
 * command is suitable is used.
 */
const USUAL_NAMES: Readonly<Record<GateKind, readonly string[]>> = {
  format: ['format:check', 'check:format', 'fmt:check', 'check:fmt', 'prettier:check', 'check:prettier'],
  // A project with one of the first two often has a `lint` that fixes.
  lint: ['lint:check', 'check:lint', 'lint', 'lint:ci', 'lint:all', 'eslint', 'phpcs', 'cs:check'],
  typecheck: [
    'typecheck',
    'type:check',
    'check:types',
    'types:check',
    'ts:check',
    'check:ts',
    'lint:types',
    'lint:ts',
    'test:types',
    'test:typecheck',
    'tsc',
    'types',
    'mypy',
    'phpstan',
  ],
  test: ['test', 'test:run', 'test:ci', 'test:once', 'test:unit', 'unit', 'unit:test', 'unit:tests', 'tests'],
  build: ['build'],
};

/** The names of the commands that make this kind of check, the most usual first. */
export function namesOfKind(kind: GateKind, commands: NamedCommands): string[] {
  const names = Object.keys(commands);
  return USUAL_NAMES[kind].flatMap((usual) => names.filter((name) => withColons(name) === usual));
}

export function isNameOfKind(kind: GateKind, name: string): boolean {
  return USUAL_NAMES[kind].includes(withColons(name));
}

function withColons(name: string): string {
  return name.replaceAll(/[-_]/g, ':');
}

/** The name of the first command that can be a gate of this kind. */
export function pickNamed(kind: GateKind, commands: NamedCommands): string | undefined {
  return namesOfKind(kind, commands).find((name) => faultOf(kind, commands[name] ?? '') === undefined);
}

/** Why a command cannot be a gate. */
export type CommandFault = 'does nothing' | 'never ends' | 'changes files';

/** Why a command cannot be a gate of this kind. Tests and builds may change files. */
export function faultOf(kind: GateKind, command: string): CommandFault | undefined {
  const fault = commandFault(command);
  const mayChangeFiles = kind === 'test' || kind === 'build';
  return fault === 'changes files' && mayChangeFiles ? undefined : fault;
}

/** Parts of a command whose exit code does not depend on the project, such as npm's placeholder. */
const IDLE_PART = /^(echo\b[^|]*|true|:|exit( \d+)?)?$/;

/** Watchers and servers. */
const NEVER_ENDS: readonly RegExp[] = [
  /\s--watch(-?all)?(?!\s+false)(?=\s|$|=(?!false))/i,
  /(?<!run |:)\b(tsc|vue-tsc|mocha|vitest|rollup|webpack)\b[^&|;]*\s-w\b/,
  /\b(nodemon|chokidar|watchexec|live-server|http-server|webpack-dev-server)\b/,
  /\b(vitest (watch|dev)|vitest\b[^&|;]*\s--ui|tsx watch|cypress open|webpack serve)\b/,
  /\b(vite|next|nuxt|astro) (dev|serve|preview|start)\b|\bvite\s*($|&)/,
  /\bkarma start\b(?![^&|;]*--single-run)/,
  /\bng test\b(?![^&|;]*--(no-watch|watch[= ]false))/,
];

/** Fixers and formatters. */
const CHANGES_FILES: readonly RegExp[] = [
  /\s--(fix|write|apply|apply-unsafe|autocorrect|autocorrect-all)(?=\s|["']|$)/,
  /\b(prettier|gofmt)\b[^&|;]*\s-w\b/,
  /\brubocop\b[^&|;]*\s-[aA]\b/,
  /\b(go|dprint) fmt\b/,
  /\b(cargo fmt|deno fmt|ruff format|black|isort|mix format|pint|php-cs-fixer fix)\b(?![^&|;\n]*(--check|--diff|--test|--dry-run))/,
];

/** The first fault of a shell command, which may have several lines. */
export function commandFault(command: string): CommandFault | undefined {
  const parts = command.split(/&&|\|\||[;\n]/).map((part) => part.trim());
  if (parts.every((part) => IDLE_PART.test(part))) return 'does nothing';
  if (NEVER_ENDS.some((pattern) => pattern.test(command))) return 'never ends';
  if (CHANGES_FILES.some((pattern) => pattern.test(command))) return 'changes files';
  return undefined;
}
