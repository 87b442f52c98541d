import { join } from 'node:path';
import { readRegularFile } from '../base/files.ts';
import { BASELINE_FILE, sorted } from '../gates/known-failures.ts';
import type { Gate, GateBaseline, KnownFailure } from '../gates/types.ts';
import { plainJson } from './gate-config.ts';
import { BASELINE_GATE_SCHEMA, BASELINE_SCHEMA, KNOWN_FAILURE_SCHEMA } from './schema.ts';
import {
  type ConfigNode,
  type ConfigProblem,
  describeValue,
  inFileOrder,
  problemsIn,
  repeatedKeys,
  type Schema,
  type ValuesOf,
  validate,
} from './validate.ts';

// The file of the known failures, `ralph-baseline.json`.

/** What a baseline says about each gate, by the names of the gates. */
export type Baseline = ReadonlyMap<string, Omit<GateBaseline, 'root'>>;

interface Gates {
  readonly gates: readonly Gate[];
  readonly problems: readonly string[];
}

/**
 * The config with the known failures of each gate. A baseline with errors knows none.
 *
 * @param recorded the text to parse in place of that of the file
 */
export async function withBaseline<C extends Gates>(config: C, root: string, recorded?: string): Promise<C> {
  const { baseline, problems } =
    recorded === undefined
      ? await readBaseline(root)
      : await parseAs(join(root, BASELINE_FILE), recorded, root);
  if (problems.length > 0) return { ...config, problems: [...config.problems, ...problems] };
  const gates = config.gates.map((gate) => {
    const known = gate.kind === 'command' ? baseline.get(gate.name) : undefined;
    return known ? { ...gate, baseline: { ...known, root } } : gate;
  });
  return { ...config, gates };
}

/** @returns an empty baseline if there is no file, or one with errors */
export async function readBaseline(
  root: string,
): Promise<{ readonly baseline: Baseline; readonly problems: readonly string[] }> {
  const path = join(root, BASELINE_FILE);
  let text: string | undefined;
  try {
    text = readRegularFile(path);
  } catch (error) {
    const unreadable = (error as Error).message;
    return { baseline: new Map(), problems: problemsIn({ path, text: '', unreadable }, [], root) };
  }
  return text === undefined ? { baseline: new Map(), problems: [] } : parseAs(path, text, root);
}

async function parseAs(
  path: string,
  text: string,
  root: string,
): Promise<{ readonly baseline: Baseline; readonly problems: readonly string[] }> {
  const { baseline, problems } = await parseBaseline(text);
  return { baseline, problems: problemsIn({ path, text }, problems, root) };
}

/** Parses a baseline; one with errors is empty. */
export async function parseBaseline(
  text: string,
): Promise<{ readonly baseline: Baseline; readonly problems: readonly ConfigProblem[] }> {
  const plain = plainJson(text);
  const parsed = plain && baselineOf(plain);
  if (parsed?.problems.length === 0) return parsed;
  const broken = (problems: readonly ConfigProblem[]) => ({ baseline: new Map(), problems });
  const conflict = conflictIn(text);
  if (conflict) return broken([conflict]);
  const { parseJson } = await import('./parse-json.ts');
  const { root, problems } = parseJson(text);
  if (!root || problems.length > 0) return broken(problems);
  const located = baselineOf(root);
  return located.problems.length > 0 ? broken(located.problems) : located;
}

/** Git's mark of a conflict: what follows from it in a parser would hide the cause. */
function conflictIn(text: string): ConfigProblem | undefined {
  const line = text.split('\n').findIndex((one) => /^(?:<{7}|={7}|>{7})(?:\s|$)/.test(one));
  const message = `found the mark of a merge conflict: resolve it, or delete the file and run "ralph-loop baseline"`;
  return line === -1 ? undefined : { line: line + 1, column: 1, message };
}

function baselineOf(root: ConfigNode): {
  readonly baseline: Baseline;
  readonly problems: readonly ConfigProblem[];
} {
  const problems: ConfigProblem[] = [];
  const read = <S extends Schema>(node: ConfigNode, schema: S, subject: string): Partial<ValuesOf<S>> => {
    if (!node.entries) {
      problems.push({ ...node.at, message: `found ${describeValue(node.value)}, expected ${subject}` });
      return {};
    }
    const validated = validate(node, schema, { subject });
    problems.push(...validated.problems);
    return validated.values;
  };
  read(root, BASELINE_SCHEMA, 'a baseline');
  const gates = memberOf(root, 'gates');
  if (gates) problems.push(...repeatedKeys(gates));
  const baseline = (gates?.entries ?? []).map(({ key, node }) => {
    const { exit = 1, reported = {} } = read(node, BASELINE_GATE_SCHEMA, 'the known failures of a gate');
    const failures = (memberOf(node, 'failures')?.items ?? []).map((item): KnownFailure => {
      const values = read(item, KNOWN_FAILURE_SCHEMA, 'a failure');
      const { kind = '', file = null, message = '', count = 1 } = values;
      return { kind, file, message, count };
    });
    return [key, { exitCode: exit, reported, failures }] as const;
  });
  return { baseline: new Map(baseline), problems: inFileOrder(problems) };
}

function memberOf(node: ConfigNode, name: string): ConfigNode | undefined {
  return node.entries?.find(({ key }) => key === name)?.node;
}

const SCHEMA = './node_modules/ralph-loop-cli/schema/baseline.json';

/** The text of a baseline: the same failures give the same text. */
export function baselineText(baseline: Baseline): string {
  const gates = [...baseline].sort(byKey).map(([name, { exitCode, reported, failures }]) => [
    name,
    {
      exit: exitCode,
      ...(Object.keys(reported).length > 0 && { reported: sortedByKey(reported) }),
      failures: sorted(failures).map(({ kind, file, message, count }) => ({
        ...(file !== null && { file }),
        kind,
        message,
        ...(count > 1 && { count }),
      })),
    },
  ]);
  return `${JSON.stringify({ $schema: SCHEMA, version: 1, gates: Object.fromEntries(gates) }, null, 2)}\n`;
}

function sortedByKey(counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).sort(byKey));
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
