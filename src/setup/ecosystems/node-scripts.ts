import {
  faultOf,
  type GateKind,
  isNameOfKind,
  KINDS,
  type NamedCommands,
  namesOfKind,
} from '../candidates.ts';
import { type Table, tableAt } from '../parse-data.ts';

/** The scripts of a package.json; values that are not strings are ignored. */
export function packageScripts(packageJson: Table): NamedCommands {
  const entries = Object.entries(tableAt(packageJson, 'scripts'));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** A script that becomes a gate. */
export interface PickedScript {
  readonly kind: GateKind;
  readonly script: string;
  /** Whether it also checks other kinds. */
  readonly isMixed: boolean;
  /** The scripts that the gate runs in turn: the script itself, or those that it calls and that are not gates already. */
  readonly parts: readonly string[];
  /** The scripts that are not gates of their own because this one runs them. */
  readonly covers: readonly string[];
}

type Draft = Omit<PickedScript, 'covers'>;

/** The usual names of scripts that run several checks. They are used for kinds that no other script covers. */
const GENERAL_NAMES = ['check', 'verify', 'validate'];

/** The scripts that become gates: at most one a kind, and none that only repeats another one. */
export function pickScripts(scripts: NamedCommands): PickedScript[] {
  const picked = KINDS.flatMap((kind): Draft[] => {
    const script = pickOne(kind, scripts);
    return script === undefined ? [] : [{ kind, script, isMixed: false, parts: [script] }];
  });
  for (const script of GENERAL_NAMES) {
    const kinds = kindsOf(script, scripts);
    const [cheapest, costliest] = [kinds[0], kinds.at(-1)];
    if (!cheapest || !costliest || kinds.every((kind) => picked.some((pick) => pick.kind === kind))) continue;
    if (isSuitable(cheapest, script, scripts))
      picked.push({ kind: costliest, script, isMixed: kinds.length > 1, parts: [script] });
  }
  return withoutRepeats(picked, scripts);
}

function pickOne(kind: GateKind, scripts: NamedCommands): string | undefined {
  const suitable = namesOfKind(kind, scripts).filter((script) => isSuitable(kind, script, scripts));
  return suitable.find((script) => !mayWatch(wholeCommand(script, scripts))) ?? suitable[0];
}

function isSuitable(kind: GateKind, script: string, scripts: NamedCommands): boolean {
  const commands = [scripts[script] ?? '', wholeCommand(script, scripts)];
  return commands.every((command) => faultOf(kind, command) === undefined);
}

/** What a script checks, by the programs and the names of the scripts that it runs. */
function kindsOf(script: string, scripts: NamedCommands): GateKind[] {
  const byTool = kindsIn(wholeCommand(script, scripts));
  const called = [...scriptsRunBy(script, scripts)];
  return KINDS.filter((kind) => byTool.includes(kind) || called.some((name) => isNameOfKind(kind, name)));
}

/**
 * Shortens scripts that only call others to those that are not cheaper gates already. A script that a remaining gate runs
 * is not a gate of its own; a build that repeats cheaper gates is dropped instead.
 */
function withoutRepeats(picked: readonly Draft[], scripts: NamedCommands): PickedScript[] {
  const runBy = ({ parts }: Draft) =>
    new Set(parts.flatMap((part) => [part, ...scriptsRunBy(part, scripts)]));
  const repeats = (pick: Draft, others: readonly Draft[]) =>
    others.map(({ script }) => script).filter((script) => script !== pick.script && runBy(pick).has(script));
  const shortened = picked
    .map((pick) => ({ ...pick, parts: partsNotCovered(pick, picked, scripts) }))
    .filter(({ parts }) => parts.length > 0);
  const kept = shortened.filter((pick) => pick.kind !== 'build' || repeats(pick, shortened).length === 0);
  return kept
    .filter(({ script }) => !kept.some((other) => repeats(other, kept).includes(script)))
    .map((pick) => ({ ...pick, covers: repeats(pick, kept) }));
}

/** `npm run lint && npm run unit` without the lint, which is a cheaper gate; unchanged if it has `pre` or `post` scripts. */
function partsNotCovered(
  { kind, script, parts }: Draft,
  picked: readonly Draft[],
  scripts: NamedCommands,
): readonly string[] {
  const command = scripts[script] ?? '';
  const hasHooks = [`pre${script}`, `post${script}`].some((hook) => Object.hasOwn(scripts, hook));
  if (hasHooks || !onlyCallsScripts(command)) return parts;
  const called = scriptsCalledBy(command, scripts);
  const cheaper = picked.filter((other) => KINDS.indexOf(other.kind) < KINDS.indexOf(kind));
  const rest = called.filter((part) => !cheaper.some((other) => other.script === part));
  return rest.length < called.length ? rest : parts;
}

/** A flag, except those that select other packages. */
const FLAG = String.raw`-(?!r\b|-recursive|-filter|-workspace)\S+`;
/** npm and bun need `run` to run a script; pnpm and yarn do not. */
const CALLERS = [
  String.raw`(?:npm|bun)(?:\s+${FLAG})*\s+run(?:-script)?`,
  String.raw`npm(?=\s+(?:test|t)\b)`,
  String.raw`(?:pnpm|yarn)(?:\s+(?:${FLAG}|run)(?=\s))*`,
  'node --run',
];
/** `npm run lint`, `pnpm -s lint`, `node --run lint` */
const CALL = new RegExp(String.raw`\b(?:${CALLERS.join('|')})(?:\s+${FLAG})*\s+(\w[\w:.-]*)`, 'g');
/** `concurrently npm:lint npm:test:*` */
const SHORT_CALL = /\b(?:npm|pnpm|yarn|bun):([\w:.*-]+)/g;
/** `run-s lint test:*` up to the next command. */
const LIST_CALL = /\b(?:npm-run-all2?|run-[sp])\b([^&|;]*)/g;

/** The scripts that a command calls by name, each once. */
export function scriptsCalledBy(command: string, scripts: NamedCommands): string[] {
  const single = [...command.matchAll(CALL)].map(([, name = '']) => (name === 't' ? 'test' : name));
  const short = [...command.matchAll(SHORT_CALL)].map(([, name = '']) => name);
  const listed = [...command.matchAll(LIST_CALL)].flatMap(([, list = '']) => list.match(/[\w:.*-]+/g) ?? []);
  const called = [...single, ...short, ...listed].flatMap((name) => matchingScripts(name, scripts));
  return [...new Set(called)];
}

/** Whether a command does nothing but call scripts in turn. */
function onlyCallsScripts(command: string): boolean {
  const rest = command.replaceAll(LIST_CALL, '').replaceAll(CALL, '');
  return rest !== command && /^[\s&;]*$/.test(rest);
}

/** All scripts that run with a script: `pretest` and `posttest`, and everything that they call. */
export function scriptsRunBy(script: string, scripts: NamedCommands): Set<string> {
  const seen = new Set<string>();
  const pending = [script];
  for (const name of pending) {
    if (seen.has(name) || !Object.hasOwn(scripts, name)) continue;
    seen.add(name);
    pending.push(`pre${name}`, `post${name}`, ...scriptsCalledBy(scripts[name] ?? '', scripts));
  }
  seen.delete(script);
  return seen;
}

/** The commands of a script and of all scripts that run with it, one a line. */
export function wholeCommand(script: string, scripts: NamedCommands): string {
  return [script, ...scriptsRunBy(script, scripts)].map((name) => scripts[name] ?? '').join('\n');
}

/** `test:*` matches `test:unit`; `test:**` also matches `test:unit:fast`. */
function matchingScripts(name: string, scripts: NamedCommands): string[] {
  const pattern = name
    .split(/(\*+)/)
    .map((part) => (part === '*' ? '[^:]+' : part.startsWith('*') ? '.+' : part.replaceAll('.', '\\.')));
  return Object.keys(scripts).filter((script) => new RegExp(`^${pattern.join('')}$`).test(script));
}

/** The kinds that well-known programs check. */
const TOOLS: Readonly<Partial<Record<GateKind, RegExp>>> = {
  format: /\bprettier\b|\bbiome format\b|\bdprint check\b|\bgofmt\b|\b(cargo fmt|ruff format|black)\b/,
  lint: /\b(eslint|oxlint|xo|standard|tslint|stylelint|next lint|biome (check|ci|lint)|ruff check|flake8|cargo clippy|golangci-lint|go vet|rubocop)\b/,
  typecheck: /\b(tsc|tsgo|vue-tsc|svelte-check|astro check|nux[it] typecheck|mypy|pyright|cargo check)\b/,
  test: /\b(vitest|jest|mocha|ava|tap|jasmine|karma|uvu|bun test|playwright test|pytest|cargo test|go test)\b|\bnode\b[^&|;]*--test\b/,
};

/** The name of a script or task after the program that runs it: `npm run lint`, `make test`. */
const NAMED_TASK = /\b(?:npm|pnpm|yarn|bun|make|just|task)\s+(?:(?:run|-\S+)\s+)*(\w[\w:.-]*)/g;

/** The most expensive kind that a command checks, by its programs and the names of its tasks; undefined if unknown. */
export function kindOf(command: string): GateKind | undefined {
  const byTool = kindsIn(command);
  const tasks = [...command.matchAll(NAMED_TASK)].map(([, name = '']) => name);
  return KINDS.findLast((kind) => byTool.includes(kind) || tasks.some((name) => isNameOfKind(kind, name)));
}

/** The kinds that a command checks, cheap ones first. */
export function kindsIn(command: string): GateKind[] {
  return KINDS.filter((kind) => TOOLS[kind]?.test(command));
}

/** vitest watches if it has a terminal. A gate has none, and vitest 4 runs once there. */
const WATCHES_IN_TERMINAL =
  /(?<![\w.:/@-]|run )vitest(?=["']|\s|$)(?!\s+(run|related|bench|list)\b|[^&|;\n]*\s--(run\b|watch[= ]false|no-watch))/;

/** The jest of Create React App watches unless `CI` is set. */
const WATCHES_OUTSIDE_CI =
  /\b(react-scripts|react-app-rewired|craco) test\b(?![^&|;\n]*\s--(ci|no-watch|watchAll=false)\b)/;

/** Whether a command ends only without a terminal. */
export function watchesInTerminal(command: string): boolean {
  return WATCHES_IN_TERMINAL.test(command);
}

/** Whether a command ends only if `CI` is set. */
export function watchesOutsideCi(command: string): boolean {
  return WATCHES_OUTSIDE_CI.test(command) && !/\bCI=(true|1)\b/.test(command);
}

function mayWatch(command: string): boolean {
  return watchesInTerminal(command) || watchesOutsideCi(command);
}
