import { type ConfigProblem, didYouMean, nearestKey } from './config-problem.ts';
import { describe, type FieldTypes, type FieldValues } from './field-types.ts';

/** A place in a config file; lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A mapping of a config file, whichever syntax it is written in. */
export interface Fields {
  readonly at: Position;
  readonly entries: readonly Field[];
}

export interface Field {
  readonly key: string;
  readonly keyAt: Position;
  readonly value: unknown;
  readonly valueAt: Position;
}

/**
 * Reads a mapping by a table of its keys. Every unknown key and every wrong value is a problem of its own; what is
 * right is returned all the same, so that one mistake does not hide the next.
 *
 * @param strangers whether keys that no key of ours is near to are somebody else's, and none of our business
 */
export function readFields<F extends FieldTypes>(
  { at, entries }: Fields,
  types: F,
  { strangers = false } = {},
): {
  values: FieldValues<F>;
  problems: ConfigProblem[];
  positionOf(key: keyof F): Position;
} {
  const values: Record<string, unknown> = {};
  const problems: ConfigProblem[] = [];
  const positions: Record<string, Position> = {};
  const keys = Object.keys(types);
  for (const { key, keyAt, value, valueAt } of entries) {
    const type = Object.hasOwn(types, key) ? types[key] : undefined;
    if (type === undefined) {
      if (strangers && nearestKey(key, keys) === undefined) continue;
      const message = `found unknown key "${key}", expected one of ${keys.join(', ')}${didYouMean(key, keys)}`;
      problems.push({ ...keyAt, message });
      continue;
    }
    positions[key] = valueAt;
    if (type.accepts(value)) values[key] = value;
    else
      problems.push({
        ...valueAt,
        message: `found ${describe(value)} for "${key}", expected ${type.expected}`,
      });
  }
  return {
    values: values as FieldValues<F>,
    problems,
    positionOf: (key) => positions[String(key)] ?? at,
  };
}
