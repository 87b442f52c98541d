import { resolve } from 'node:path';
import type { ShellGate } from '../gates/gate.ts';
import { commandGate, type GateContext } from './command-gate.ts';
import type { ConfigProblem } from './config-problem.ts';
import { isInside, realPathOf } from './find-project.ts';
import type { ParsedItem } from './parse-item.ts';
import { FIELD, readFields } from './read-fields.ts';

/** The keys of a gate that is written as a mapping. */
const GATE_FIELDS = {
  name: FIELD.text,
  run: FIELD.text,
  timeout: FIELD.seconds,
  cwd: FIELD.text,
  env: FIELD.environment,
  blocking: FIELD.boolean,
  order: FIELD.number,
  enabled: FIELD.boolean,
  description: FIELD.text,
};

export interface ParsedGate {
  /** Absent where the gate is disabled or has no command that could be run. */
  readonly gate?: ShellGate;
  /** The gate has a name of its own, which no other may have. */
  readonly named?: { readonly name: string; readonly line: number; readonly column: number };
  readonly problems: readonly ConfigProblem[];
}

/** Validates a gate that is written as a mapping. */
export function parseGate(item: Extract<ParsedItem, { kind: 'mapping' }>, context: GateContext): ParsedGate {
  const { values, problems, positionOf } = readFields(item.map, GATE_FIELDS, item.at);
  const { name, run, cwd = '.', env = {}, description } = values;
  const directory = resolve(context.root, cwd);
  if (!isInside(context.root, realPathOf(directory)))
    problems.push({
      ...positionOf('cwd'),
      message: `found "${cwd}" for "cwd", expected a directory inside the project`,
    });
  if (!item.map.has('run'))
    problems.push({
      ...positionOf('run'),
      message: 'found a gate without a command, expected "run: <command>"',
    });
  const named = name === undefined ? {} : { named: { name, ...positionOf('name') } };
  if (run === undefined || values.enabled === false) return { ...named, problems };
  const base = commandGate(run.trim(), context);
  const gate: ShellGate = {
    ...base,
    name: name ?? base.name,
    cwd: directory,
    env: Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)])),
    timeoutSeconds: values.timeout ?? base.timeoutSeconds,
    blocking: values.blocking ?? base.blocking,
    order: values.order ?? base.order,
    ...(description !== undefined && { description }),
  };
  return { gate, ...named, problems };
}
