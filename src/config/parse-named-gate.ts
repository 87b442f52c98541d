import { resolve } from 'node:path';
import { isInside, realPathOf } from '../base/files.ts';
import type { CommandGate } from '../gates/types.ts';
import type { ConfigProblem } from './config-problem.ts';
import { DEFAULTS } from './defaults.ts';
import { describe, FIELD } from './field-types.ts';
import { fieldsOf, type JsonNode, repeatedKeys } from './json-node.ts';
import { type Position, readFields } from './read-fields.ts';

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
