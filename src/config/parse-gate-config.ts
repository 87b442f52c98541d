import type { CommandGate } from '../gates/types.ts';
import type { ConfigProblem } from './config-problem.ts';
import { DEFAULTS } from './defaults.ts';
import { describe, FIELD } from './field-types.ts';
import { fieldsOf, type JsonNode, plainJson, repeatedKeys } from './json-node.ts';
import { type GateConfigContext, type ReadGate, readGate } from './parse-named-gate.ts';
import { type Position, readFields } from './read-fields.ts';

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
  const { parseJson } = await import('./parse-json.ts');
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
