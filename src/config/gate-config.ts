import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isInside, realPathOf } from '../base/files.ts';
import type { CommandGate } from '../gates/types.ts';
import { type ConfigFile, readConfig } from './discover.ts';
import { DEFAULTS } from './settings.ts';
import {
  type ConfigProblem,
  describe,
  FIELD,
  type Fields,
  type JsonNode,
  type Position,
  readFields,
  repeatedKeys,
} from './validate.ts';

/** The keys of a gate.config.json; `$schema` is for editors. */
export const GATE_CONFIG_FIELDS = {
  $schema: FIELD.text,
  gates: FIELD.list,
  failFast: FIELD.boolean,
  outputPath: FIELD.text,
};

export interface ParsedGateConfig {
  /** In the order of the file, disabled ones left out. */
  readonly gates: readonly CommandGate[];
  readonly failFast: boolean;
  /** As the file has it: `<pid>` still stands there. */
  readonly outputPath: string;
  /** Everything that is wrong, in the order of the file. */
  readonly problems: readonly ConfigProblem[];
}

/**
 * Reads a gate.config.json. Never throws for what the file holds. A file in which nothing is wrong, as most are, is
 * read by the engine's own parser; where there are comments, or something is wrong, by one that knows places.
 */
export async function parseGateConfig(text: string, context: GateConfigContext): Promise<ParsedGateConfig> {
  const plain = plainJson(text);
  const quick = plain && readGateConfig(plain, context);
  if (quick?.problems.length === 0) return quick;
  const { parseJson } = await import('./jsonc.ts');
  const { root, problems } = parseJson(text);
  // What stands in broken JSON is a guess: only the JSON is complained of.
  return root && problems.length === 0 ? readGateConfig(root, context) : { ...EMPTY, problems };
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

/** The keys of a gate in a gate.config.json. */
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

export interface ReadGate {
  readonly gate?: CommandGate;
  readonly named?: { readonly name: string; readonly at: Position };
  readonly problems: readonly ConfigProblem[];
}

/** Validates one gate. */
export function readGate(node: JsonNode, context: GateConfigContext): ReadGate {
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
  const gate: CommandGate = {
    kind: 'command',
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

/** Where the place is not known. */
const NOWHERE: Position = { line: 1, column: 1 };

/**
 * Reads plain JSON with the engine's own parser, without places.
 *
 * @returns undefined where it is none, or may have a key twice, which that parser does not tell
 */
export function plainJson(text: string): JsonNode | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return keysIn(value) === (text.match(/"\s*:/g) ?? []).length ? jsonNodeOf(value) : undefined;
  } catch {
    return undefined;
  }
}

/** A value that never was a file, as a node. */
export function jsonNodeOf(value: unknown): JsonNode {
  if (Array.isArray(value)) return { value, at: NOWHERE, items: value.map(jsonNodeOf) };
  if (typeof value !== 'object' || value === null) return { value, at: NOWHERE };
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => ({ key, keyAt: NOWHERE, node: jsonNodeOf(member) }));
  return { value, at: NOWHERE, entries };
}

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  const own = Array.isArray(value) ? 0 : members.length;
  return members.reduce<number>((sum, member) => sum + keysIn(member), own);
}

/** The members of an object, for the table of its keys. */
export function fieldsOf({ at, entries = [] }: JsonNode): Fields {
  return {
    at,
    entries: entries.map(({ key, keyAt, node }) => ({ key, keyAt, value: node.value, valueAt: node.at })),
  };
}

/** Reads a gate config from its file. */
export async function readGateConfigFile(
  path: string,
  context: GateConfigContext,
): Promise<{ file: ConfigFile; parsed: ParsedGateConfig & { readonly resultsPath: string } }> {
  const file = readConfig(path) ?? { path, text: '', unreadable: whyMissing(path) };
  const parsed = await parseGateConfig(file.unreadable === undefined ? file.text : '{"gates": []}', context);
  // The pid tells apart what hooks that run at once leave.
  const name = parsed.outputPath.replaceAll('<pid>', String(process.pid));
  return { file, parsed: { ...parsed, resultsPath: resolve(context.directory, name) } };
}

function whyMissing(path: string): string {
  return existsSync(path) ? 'it is a directory' : 'there is no such file';
}
