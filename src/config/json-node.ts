import type { ConfigProblem } from './config-problem.ts';
import type { Fields, Position } from './read-fields.ts';

/** A value of a JSON file, with its place. */
export interface JsonNode {
  readonly value: unknown;
  readonly at: Position;
  /** Of an object: its members in the order of the file, repeated ones included. */
  readonly entries?: readonly JsonEntry[];
  /** Of a list. */
  readonly items?: readonly JsonNode[];
}

export interface JsonEntry {
  readonly key: string;
  readonly keyAt: Position;
  readonly node: JsonNode;
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

/** JSON takes the last of two: which one was meant, nobody knows. */
export function repeatedKeys({ entries = [] }: Pick<JsonNode, 'entries'>): ConfigProblem[] {
  const seen = new Set<string>();
  return entries
    .filter(({ key }) => seen.size === seen.add(key).size)
    .map(({ key, keyAt }) => ({ ...keyAt, message: `found "${key}" again, expected it once` }));
}
