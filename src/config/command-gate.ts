import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isInside, realPathOf } from '../base/files.ts';
import { without } from '../gates/known-failures.ts';
import type { CommandGate } from '../gates/types.ts';
import {
  GATE_SCHEMA,
  type GateFile,
  type GateValues,
  gateSchemaOf,
  passedNames,
  type Weaker,
} from './schema.ts';
import { type ConfigNode, type ConfigProblem, defaultsOf, type Position, validate } from './validate.ts';

/** Where gates come from, and the defaults that depend on it. */
export interface GateContext {
  /** Absolute directory of the project, which no `cwd` may leave. */
  readonly root: string;
  /** Absolute directory that the `cwd` of a gate is relative to. */
  readonly directory: string;
  /** Absolute directory that gates without a `cwd` run in. */
  readonly workingDirectory: string;
  /** The timeout of gates that set none. */
  readonly timeoutSeconds: number;
  readonly passEnv?: readonly string[] | undefined;
  readonly inUserShell?: boolean;
}

const { enabled: _, ...DEFAULTS } = defaultsOf(GATE_SCHEMA);

/** A gate with the given options, and the defaults for the others. */
export function commandGate(
  { enabled: _, cwd, env = {}, ...values }: Partial<GateValues> & Pick<GateValues, 'command'>,
  context: GateContext,
): CommandGate {
  const passEnv = passedNames(env) ?? context.passEnv;
  const variables = Object.entries(env).filter(([, value]) => !Array.isArray(value));
  return {
    kind: 'command',
    name: values.command,
    timeoutSeconds: context.timeoutSeconds,
    ...DEFAULTS,
    ...values,
    cwd: cwd === undefined ? context.workingDirectory : resolve(context.directory, cwd),
    env: Object.fromEntries(variables.map(([name, value]) => [name, String(value)])),
    ...(passEnv && { passEnv }),
    ...(context.inUserShell && { inUserShell: true }),
  };
}

/** A name in `needs`. */
export interface Need {
  readonly name: string;
  readonly at: Position;
}

/** A gate as a config file declares it. */
export interface ParsedGate {
  /** Undefined where the gate cannot be run. */
  readonly gate?: CommandGate;
  /** The gate is left out. */
  readonly isDisabled?: boolean;
  /** The name that the file gives to the gate. */
  readonly named?: { readonly name: string; readonly at: Position };
  readonly needs?: readonly Need[];
  readonly problems: readonly ConfigProblem[];
}

/** Reads a gate from its mapping. */
export function parseGate(node: ConfigNode, file: GateFile, context: GateContext): ParsedGate {
  const given = node.entries?.find(({ key }) => key === 'name')?.node.value;
  const { values, problems, positionOf } = validate(node, gateSchemaOf(file), {
    subject: typeof given === 'string' ? `the gate "${given}"` : 'a gate',
    ignoreUnknown: file === 'gateConfig',
  });
  const { name, command, cwd, enabled, needs, report } = values;
  if (cwd !== undefined && !isInside(context.root, realPathOf(resolve(context.directory, cwd)))) {
    const message = `found "${cwd}" for "cwd", expected a directory inside the project`;
    problems.push({ ...positionOf('cwd'), message });
  }
  if (
    report !== undefined &&
    (report.startsWith('!') || !isInside(context.root, resolve(context.root, report)))
  ) {
    const message = `found "${report}" for "report", expected a file, or a pattern of files, inside the project`;
    problems.push({ ...positionOf('report'), message });
  }
  const parsed: ParsedGate = {
    isDisabled: enabled === false,
    ...(name !== undefined && { named: { name, at: positionOf('name') } }),
    ...(needs && { needs: needs.map((each, index) => ({ name: each, at: positionOf('needs', index) })) }),
    problems,
  };
  if (command === undefined || (name === undefined && file === 'gateConfig')) return parsed;
  return { ...parsed, gate: commandGate({ ...values, command: command.trim() }, context) };
}

/** The gates that run, in the order of the file. */
export function enabledGates(parsed: readonly ParsedGate[]): CommandGate[] {
  return parsed.flatMap(({ gate, isDisabled }) => (gate && !isDisabled ? [gate] : []));
}

/** A problem for each gate whose given name an earlier gate has. */
export function repeatedNames(gates: readonly ParsedGate[]): ConfigProblem[] {
  const lines = new Map<string, number>();
  return gates.flatMap(({ named }) => {
    if (!named) return [];
    const first = lines.get(named.name);
    if (first === undefined) {
      lines.set(named.name, named.at.line);
      return [];
    }
    const message = `found the name "${named.name}" again (first in line ${first}), expected a unique name`;
    return [{ ...named.at, message }];
  });
}

/** What makes a gate weaker: an option of the schema, or known failures that the baseline has gained. */
export type WeakerPart = keyof typeof GATE_SCHEMA | 'baseline';

/** In what a gate asks for less than it did, or for something else. Each option's entry in the schema says when. */
export function weakerParts(before: CommandGate, after: CommandGate): WeakerPart[] {
  const isChanged = (name: string) =>
    !isDeepStrictEqual(before[name as keyof CommandGate], after[name as keyof CommandGate]);
  const options = Object.entries<{ readonly weaker: Weaker<never> }>(GATE_SCHEMA).filter(
    ([name, { weaker }]) =>
      // `env.pass` is a field of its own, which `ralph.env.pass` sets too.
      (name === 'env' && isChanged('passEnv')) ||
      (typeof weaker === 'string'
        ? weaker === 'if changed' && isChanged(name)
        : weaker(before[name as never], after[name as never])),
  );
  const parts = options.map(([name]) => name as WeakerPart);
  // Failures that were new have become known.
  const gained = without(after.baseline?.failures ?? [], before.baseline?.failures ?? []);
  return gained.length > 0 ? [...parts, 'baseline'] : parts;
}

export function isWeaker(before: CommandGate, after: CommandGate): boolean {
  return weakerParts(before, after).length > 0;
}
