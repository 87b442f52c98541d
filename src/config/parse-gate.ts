import { resolve } from 'node:path';
import type { YAMLMap } from 'yaml';
import { isInside, realPathOf } from '../base/files.ts';
import type { CommandGate } from '../gates/types.ts';
import { commandGate, type GateContext } from './command-gate.ts';
import { type ConfigProblem, joinProblems } from './config-problem.ts';
import { FIELD } from './field-types.ts';
import type { ParsedMapping } from './parse-item.ts';
import { fieldsOf } from './parse-yaml.ts';
import { type Position, readFields } from './read-fields.ts';
import { readPass } from './read-pass.ts';

/** The keys of a gate that is written as a mapping. */
export const GATE_FIELDS = {
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
  readonly gate?: CommandGate;
  /** The gate has a name of its own, which no other may have. */
  readonly named?: { readonly name: string; readonly line: number; readonly column: number };
  readonly problems: readonly ConfigProblem[];
}

/** Validates a gate that is written as a mapping. */
export function parseGate(item: ParsedMapping, context: GateContext): ParsedGate {
  const {
    values,
    problems: fieldProblems,
    positionOf,
  } = readFields(fieldsOf(item.map, item.yaml), GATE_FIELDS);
  const pass = readPass(item.map.get('env', true), item.yaml);
  const found = [
    ...fieldProblems,
    ...pass.problems,
    ...judgeGate(item.map, values.cwd, positionOf, context.root),
  ];
  const problems = joinProblems(item.problems, found);
  const { name, run, description } = values;
  const named = name === undefined ? {} : { named: { name, ...positionOf('name') } };
  if (run === undefined || values.enabled === false) return { ...named, problems };
  const base = commandGate(run.trim(), context);
  const gate: CommandGate = {
    ...base,
    name: name ?? base.name,
    cwd: resolve(context.root, values.cwd ?? '.'),
    env: variablesOf(values.env),
    timeoutSeconds: values.timeout ?? base.timeoutSeconds,
    blocking: values.blocking ?? base.blocking,
    order: values.order ?? base.order,
    ...(description !== undefined && { description }),
    ...(pass.passEnv && { passEnv: pass.passEnv }),
  };
  return { gate, ...named, problems };
}

function variablesOf(env: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  const variables = Object.entries(env).filter(([, value]) => !Array.isArray(value));
  return Object.fromEntries(variables.map(([name, value]) => [name, String(value)]));
}

/** What no single field can tell: a command is there, and its directory does not leave the project. */
function judgeGate(
  map: YAMLMap,
  cwd: string | undefined,
  positionOf: (key: 'run' | 'cwd') => Position,
  root: string,
): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (cwd !== undefined && !isInside(root, realPathOf(resolve(root, cwd)))) {
    const message = `found "${cwd}" for "cwd", expected a directory inside the project`;
    problems.push({ ...positionOf('cwd'), message });
  }
  if (!map.has('run')) {
    const message = 'found a gate without a command, expected "run: <command>"';
    problems.push({ ...positionOf('run'), message });
  }
  return problems;
}
