import { resolve } from 'node:path';
import type { ShellGate } from '../gates/gate.ts';
import type { ConfigProblem } from './config-problem.ts';
import { DEFAULTS } from './defaults.ts';
import { describe, FIELD } from './field-types.ts';
import { isInside, realPathOf } from './files.ts';
import { type JsonNode, plainJson } from './json-node.ts';
import { type Position, readFields } from './read-fields.ts';

/** The keys of a gate.config.json; `$schema` is for editors. */
export const GATE_CONFIG_FIELDS = {
  $schema: FIELD.text,
  gates: FIELD.list,
  failFast: FIELD.boolean,
  outputPath: FIELD.text,
};

/** The keys of one of its gates. */
export const NAMED_GATE_FIELDS = {
  name: FIELD.text,
  command: FIELD.text,
  description: FIELD.text,
  order: FIELD.number,
  enabled: FIELD.boolean,
  blocking: FIELD.boolean,
  timeout: FIELD.seconds,
  cwd: FIELD.text,
  env: FIELD.variables,
};

export interface GateConfigContext {
  /** Absolute directory of the file: a gate's `cwd` and `outputPath` are relative to it. */
  readonly directory: string;
  /** Absolute directory of the project, which no `cwd` may leave; by default that of the file. */
  readonly root?: string;
  /** Absolute directory that gates run in which set no `cwd`. */
  readonly workingDirectory: string;
  readonly passEnv?: readonly string[] | undefined;
}

export interface ParsedGateConfig {
  /** In the order of the file, disabled ones left out. */
  readonly gates: readonly ShellGate[];
  readonly failFast: boolean;
  /** As the file has it: `<pid>` still stands there. */
  readonly outputPath: string;
  /** Everything that is wrong, in the order of the file. */
  readonly problems: readonly ConfigProblem[];
}

/** How the JSON is read exactly: with comments, and with the place of each value. */
export type ParseJson = (text: string) => { root: JsonNode | undefined; problems: readonly ConfigProblem[] };

/**
 * Reads a gate.config.json. Never throws for what the file holds. A file in which nothing is wrong, as most are, is
 * read by the engine's own parser.
 *
 * @param parseJson called only where something is wrong, or there are comments
 */
export async function parseGateConfig(
  text: string,
  context: GateConfigContext,
  parseJson: () => Promise<ParseJson> = async () => (await import('./parse-json.ts')).parseJson,
): Promise<ParsedGateConfig> {
  const plain = plainJson(text);
  const parsed = plain && readGateConfig(plain, context);
  if (parsed && parsed.problems.length === 0) return parsed;
  return readExactly(text, context, await parseJson());
}

/** The same, for callers that have the exact parser at hand. */
export function readExactly(
  text: string,
  context: GateConfigContext,
  parseJson: ParseJson,
): ParsedGateConfig {
  const { root, problems } = parseJson(text);
  const parsed = root
    ? readGateConfig(root, context)
    : { gates: [], failFast: DEFAULTS.failFast, outputPath: DEFAULTS.outputPath, problems: [] };
  // What stands in broken JSON is a guess: only the JSON is complained of.
  return problems.length > 0 ? { ...parsed, problems } : parsed;
}

/** Judges a config that is at hand as values. */
export function readGateConfig(root: JsonNode, context: GateConfigContext): ParsedGateConfig {
  if (!root.entries) {
    const message = `found ${describe(root.value)}, expected an object such as {"gates": [{"name": "test", "command": "npm test"}]}`;
    return { ...EMPTY, problems: [{ ...root.at, message }] };
  }
  const { values, problems } = readFields(fieldsOf(root), GATE_CONFIG_FIELDS, { strangers: true });
  const list = root.entries.find(({ key }) => key === 'gates')?.node;
  const gates = (list?.items ?? []).map((node) => readGate(node, context));
  const missing = list ? [] : [{ ...root.at, message: 'found no "gates", expected a list of gates' }];
  return {
    gates: gates.flatMap(({ gate }) => gate ?? []),
    failFast: values.failFast ?? DEFAULTS.failFast,
    outputPath: values.outputPath ?? DEFAULTS.outputPath,
    problems: [
      ...missing,
      ...problems,
      ...repeatedKeys(root),
      ...gates.flatMap((gate) => gate.problems),
      ...repeatedNames(gates),
    ].toSorted((a, b) => a.line - b.line || a.column - b.column),
  };
}

const EMPTY = { gates: [], failFast: DEFAULTS.failFast, outputPath: DEFAULTS.outputPath } as const;

interface ReadGate {
  readonly gate?: ShellGate;
  readonly named?: { readonly name: string; readonly at: Position };
  readonly problems: readonly ConfigProblem[];
}

function readGate(node: JsonNode, context: GateConfigContext): ReadGate {
  if (!node.entries) {
    const message = `found ${describe(node.value)} among the gates, expected an object with "name" and "command"`;
    return { problems: [{ ...node.at, message }] };
  }
  const { values, problems, positionOf } = readFields(fieldsOf(node), NAMED_GATE_FIELDS, { strangers: true });
  const { name, command, cwd } = values;
  const env = node.entries.find(({ key }) => key === 'env')?.node;
  const repeated = [node, ...(env ? [env] : [])].flatMap(repeatedKeys);
  const all = [...problems, ...repeated, ...missingKeys(node, name)];
  if (
    cwd !== undefined &&
    !isInside(context.root ?? context.directory, realPathOf(resolve(context.directory, cwd)))
  ) {
    const message = `found "${cwd}" for "cwd", expected a directory inside the project`;
    all.push({ ...positionOf('cwd'), message });
  }
  const named = name === undefined ? {} : { named: { name, at: positionOf('name') } };
  if (name === undefined || command === undefined || values.enabled === false)
    return { ...named, problems: all };
  const gate: ShellGate = {
    kind: 'shell',
    name,
    command,
    cwd: cwd === undefined ? context.workingDirectory : resolve(context.directory, cwd),
    env: Object.fromEntries(Object.entries(values.env ?? {}).map(([key, value]) => [key, String(value)])),
    timeoutSeconds: values.timeout ?? Number.POSITIVE_INFINITY,
    blocking: values.blocking ?? true,
    order: values.order ?? DEFAULTS.order,
    inUserShell: true,
    ...(values.description !== undefined && { description: values.description }),
    ...(context.passEnv && { passEnv: context.passEnv }),
  };
  return { gate, ...named, problems: all };
}

function missingKeys({ at, entries = [] }: JsonNode, name: string | undefined): ConfigProblem[] {
  const gate = name === undefined ? 'a gate' : `the gate "${name}"`;
  return ['name', 'command']
    .filter((wanted) => !entries.some(({ key }) => key === wanted))
    .map((key) => ({ ...at, message: `found ${gate} without "${key}", expected one` }));
}

/** JSON takes the last of two: which one was meant, nobody knows. */
function repeatedKeys({ entries = [] }: Pick<JsonNode, 'entries'>): ConfigProblem[] {
  const seen = new Set<string>();
  return entries
    .filter(({ key }) => seen.size === seen.add(key).size)
    .map(({ key, keyAt }) => ({ ...keyAt, message: `found "${key}" again, expected it once` }));
}

function repeatedNames(gates: readonly ReadGate[]): ConfigProblem[] {
  const first = new Map<string, Position>();
  return gates.flatMap(({ named }) => {
    const earlier = named && first.get(named.name);
    if (named && !earlier) first.set(named.name, named.at);
    if (!named || !earlier) return [];
    const message = `found the name "${named.name}" again (first in line ${earlier.line}), expected a name of its own`;
    return [{ ...named.at, message }];
  });
}

function fieldsOf({ at, entries = [] }: JsonNode) {
  return {
    at,
    entries: entries.map(({ key, keyAt, node }) => ({ key, keyAt, value: node.value, valueAt: node.at })),
  };
}
