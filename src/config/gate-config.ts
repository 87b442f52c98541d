import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CommandGate } from '../gates/types.ts';
import { enabledGates, type GateContext, type ParsedGate, parseGate, repeatedNames } from './command-gate.ts';
import { type ConfigFile, readConfig } from './discover.ts';
import { wrongNeeds } from './needs.ts';
import { GATE_CONFIG_SCHEMA } from './schema.ts';
import {
  type ConfigNode,
  type ConfigProblem,
  defaultsOf,
  describeValue,
  inFileOrder,
  validate,
} from './validate.ts';

export interface GateConfigContext extends Pick<GateContext, 'directory' | 'workingDirectory' | 'passEnv'> {
  /** Absolute directory of the project, which no `cwd` may leave; that of the file by default. */
  readonly root?: string;
}

export interface ParsedGateConfig {
  /** In the order of the file, without the disabled ones. */
  readonly gates: readonly CommandGate[];
  readonly failFast: boolean;
  /** As in the file: `<pid>` is not replaced. */
  readonly outputPath: string;
  /** In the order of the file. */
  readonly problems: readonly ConfigProblem[];
}

const DEFAULTS = defaultsOf(GATE_CONFIG_SCHEMA);
const EMPTY: ParsedGateConfig = { ...DEFAULTS, gates: [], problems: [] };

/**
 * Reads a gate config from its file. A file that does not exist is unreadable: it was named, or just found.
 *
 * @param recorded the text to parse in place of that of the file
 */
export async function readGateConfigFile(
  path: string,
  context: GateConfigContext,
  recorded?: string | undefined,
): Promise<{ file: ConfigFile; parsed: ParsedGateConfig & { readonly resultsPath: string | undefined } }> {
  const exists = existsSync(path);
  const file =
    recorded === undefined
      ? (readConfig(path) ?? {
          path,
          text: '',
          unreadable: exists ? 'it is a directory' : 'there is no such file',
        })
      : { path, text: recorded };
  const parsed = file.unreadable === undefined ? await parseGateConfig(file.text, context) : EMPTY;
  // The process id separates the results of hooks that run at the same time.
  const name = parsed.outputPath.replaceAll('<pid>', String(process.pid));
  return { file, parsed: { ...parsed, resultsPath: exists ? resolve(context.directory, name) : undefined } };
}

/**
 * Parses a gate config. A valid file without comments is parsed by `JSON.parse`; the library that knows positions and
 * comments is loaded only for others.
 */
export async function parseGateConfig(text: string, context: GateConfigContext): Promise<ParsedGateConfig> {
  const plain = plainJson(text);
  const parsed = plain && gateConfigOf(plain, context);
  if (parsed?.problems.length === 0) return parsed;
  const { parseJson } = await import('./parse-json.ts');
  const { root, problems } = parseJson(text);
  const config = root ? gateConfigOf(root, context) : EMPTY;
  // What broken JSON means is a guess, good enough to find the results file, but not to report errors other than syntax.
  return root && problems.length === 0 ? config : { ...EMPTY, outputPath: config.outputPath, problems };
}

/** Parses a gate config that is given as a value. Its problems have no meaningful positions. */
export function gateConfigFromValue(value: unknown, context: GateConfigContext): ParsedGateConfig {
  return gateConfigOf(nodeFromValue(value), context);
}

function gateConfigOf(root: ConfigNode, context: GateConfigContext): ParsedGateConfig {
  if (!root.entries) {
    const message = `found ${describeValue(root.value)}, expected an object such as {"gates": [{"name": "test", "command": "npm test"}]}`;
    return { ...EMPTY, problems: [{ ...root.at, message }] };
  }
  const { values, problems } = validate(root, GATE_CONFIG_SCHEMA, {
    subject: 'a config',
    ignoreUnknown: true,
  });
  const list = root.entries.find(({ key }) => key === 'gates')?.node;
  const gateContext: GateContext = {
    root: context.directory,
    ...context,
    timeoutSeconds: Number.POSITIVE_INFINITY,
    inUserShell: true,
  };
  const gates = (list?.items ?? []).map((node): ParsedGate => {
    if (node.entries) return parseGate(node, 'gateConfig', gateContext);
    const message = `found ${describeValue(node.value)} among the gates, expected an object with "name" and "command"`;
    return { problems: [{ ...node.at, message }] };
  });
  return {
    failFast: values.failFast ?? DEFAULTS.failFast,
    outputPath: values.outputPath ?? DEFAULTS.outputPath,
    gates: enabledGates(gates),
    problems: inFileOrder([
      ...problems,
      ...gates.flatMap((gate) => gate.problems),
      ...repeatedNames(gates),
      ...wrongNeeds(gates),
    ]),
  };
}

/** @returns without positions; undefined for text that is not JSON, or may repeat a key, which `JSON.parse` does not report */
export function plainJson(text: string): ConfigNode | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return countKeys(value) === (text.match(/"\s*:/g) ?? []).length ? nodeFromValue(value) : undefined;
  } catch {
    return undefined;
  }
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  return members.reduce<number>(
    (sum, member) => sum + countKeys(member),
    Array.isArray(value) ? 0 : members.length,
  );
}

function nodeFromValue(value: unknown): ConfigNode {
  const at = { line: 1, column: 1 };
  if (Array.isArray(value)) return { value, at, items: value.map(nodeFromValue) };
  if (typeof value !== 'object' || value === null) return { value, at };
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => ({ key, keyAt: at, node: nodeFromValue(member) }));
  return { value, at, entries };
}
