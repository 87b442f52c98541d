import { relative } from 'node:path';
import { closestMatch } from 'leven';
import type { ConfigFile } from './discover.ts';

/** A position in a config file. Lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A value of a config file with its position, in whichever syntax the file is written. */
export interface ConfigNode {
  readonly value: unknown;
  readonly at: Position;
  /** The members of a mapping in the order of the file, including repeated keys; undefined for other values. */
  readonly entries?: readonly ConfigEntry[] | undefined;
  /** The items of a list; undefined for other values. */
  readonly items?: readonly ConfigNode[] | undefined;
}

export interface ConfigEntry {
  readonly key: string;
  readonly keyAt: Position;
  readonly node: ConfigNode;
}

/** One error in a config file. */
export interface ConfigProblem extends Position {
  /** What was found, what is expected, and the nearest valid key. */
  readonly message: string;
}

/** The values that an option accepts. */
export interface ValueType<T> {
  /** The type in the reference tables. */
  readonly name: string;
  /** The unit of an amount. */
  readonly unit?: string;
  /** The type in error messages: `expected …`. */
  readonly expected: string;
  /** The type of each item of a list. */
  readonly item?: ValueType<unknown>;
  /** The same type for editors. */
  readonly jsonSchema: object;
  /** The options of a mapping that has no other keys. */
  readonly members?: Schema;
  accepts(value: unknown): value is T;
  /** The errors inside an accepted value. */
  problemsInside?(node: ConfigNode): readonly ConfigProblem[];
}

/** One option of a config file. */
export interface Option<T = unknown> {
  /** The key in the file, where it differs from the option's name in the program. */
  readonly key?: string;
  readonly type: ValueType<T>;
  /** For the reference and for editors: a sentence in Markdown. */
  readonly description: string;
  /** The value of an option that is not set. */
  readonly default?: T;
  /** The default in the reference, where it is not a constant. */
  readonly defaultText?: string;
  /** What is missing without the option, for the error message; absent for options that may be left out. */
  readonly required?: string;
}

/** The options of a mapping, by their names in the program. */
export type Schema = Readonly<Record<string, Option>>;

/** The type of the values of a schema's options. */
export type ValuesOf<S extends Schema> = {
  readonly [Name in keyof S]: S[Name]['type'] extends ValueType<infer T> ? T : never;
};

/** The type of the defaults of a schema, of the options that have one. */
export type DefaultsOf<S extends Schema> = {
  readonly [Name in keyof S as S[Name] extends { readonly default: unknown }
    ? Name
    : never]: ValuesOf<S>[Name];
};

export function defaultsOf<S extends Schema>(schema: S): DefaultsOf<S> {
  const entries = Object.entries(schema).filter(([, option]) => option.default !== undefined);
  return Object.fromEntries(entries.map(([name, option]) => [name, option.default])) as DefaultsOf<S>;
}

/** The key of each option in the file, in the order of the schema. */
export function keysOf(schema: Schema): string[] {
  return Object.entries(schema).map(([name, { key = name }]) => key);
}

interface Validated<S extends Schema> {
  /** The valid values, by the names of their options. */
  readonly values: Partial<ValuesOf<S>>;
  readonly problems: ConfigProblem[];
  /** The position of an option's value, or of an item of it; that of the mapping where the option is not set. */
  positionOf(name: keyof S, item?: number): Position;
}

/**
 * Validates a mapping. Every unknown or repeated key, wrong value and missing option is one problem. The valid values
 * are returned beside the problems, so that one mistake does not hide the next.
 *
 * @param subject the mapping in the message about a missing option
 * @param ignoreUnknown whether to accept unknown keys, except those that look like a typo of a known one
 */
export function validate<S extends Schema>(
  { at, entries = [] }: ConfigNode,
  schema: S,
  { subject = 'a mapping', ignoreUnknown = false } = {},
): Validated<S> {
  const values: Record<string, unknown> = {};
  const nodes: Record<string, ConfigNode> = {};
  const keys = keysOf(schema);
  const names = new Map(Object.entries(schema).map(([name, { key = name }]) => [key, name]));
  const problems = repeatedKeys({ entries });
  for (const { key, keyAt, node } of entries) {
    const name = names.get(key);
    const type = name === undefined ? undefined : schema[name]?.type;
    if (name === undefined || type === undefined) {
      if (ignoreUnknown && nearestKey(key, keys) === undefined) continue;
      problems.push({ ...keyAt, message: unknownKey(key, keys) });
      continue;
    }
    nodes[name] = node;
    if (type.accepts(node.value)) {
      values[name] = node.value;
      problems.push(...(type.problemsInside?.(node) ?? []));
    } else problems.push(...wrongValue(key, node, type));
  }
  for (const [name, { key = name, required }] of Object.entries(schema)) {
    if (required !== undefined && !entries.some((entry) => entry.key === key))
      problems.push({ ...at, message: `found ${subject} without "${key}", expected ${required}` });
  }
  return {
    values: values as Partial<ValuesOf<S>>,
    problems,
    positionOf: (name, item) => {
      const node = nodes[String(name)];
      return (item === undefined ? node : node?.items?.[item])?.at ?? at;
    },
  };
}

/** Names the key that is near, else all of them: beside the one that was meant, the others would hide it. */
export function unknownKey(key: string, keys: readonly string[]): string {
  return `found unknown key "${key}"${didYouMean(key, keys) || `, expected one of ${keys.join(', ')}`}`;
}

/** A list is wrong only where its items are. */
function wrongValue(
  key: string,
  { value, at, items = [] }: ConfigNode,
  { expected, item }: ValueType<unknown>,
): ConfigProblem[] {
  const wrong = item === undefined ? [] : items.filter((each) => !item.accepts(each.value));
  if (wrong.length === 0)
    return [{ ...at, message: `found ${describeValue(value)} for "${key}", expected ${expected}` }];
  return wrong.map((each) => ({
    ...each.at,
    message: `found ${describeValue(each.value)} in "${key}", expected ${item?.expected}`,
  }));
}

/** A key that is set twice: JSON takes the last one, which need not be the one that was meant. */
export function repeatedKeys({ entries = [] }: Pick<ConfigNode, 'entries'>): ConfigProblem[] {
  const seen = new Set<string>();
  return entries
    .filter(({ key }) => seen.size === seen.add(key).size)
    .map(({ key, keyAt }) => ({ ...keyAt, message: `found "${key}" again, expected it once` }));
}

/** A value in the words of an error message, cut to 60 characters. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  if (typeof value === 'string' && value.trim() === '') return 'an empty text';
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  const type = typeof value === 'string' ? 'text' : `the ${typeof value}`;
  return `${type} ${text.length > 60 ? `${text.slice(0, 57)}…` : text}`;
}

/** `; did you mean "timeout"?`, the end of a message about an unknown word; empty where no key is near. */
export function didYouMean(word: string, keys: readonly string[]): string {
  const nearest = nearestKey(word, keys);
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}

/** The key within an edit distance of a third of the word's length, ignoring case; undefined if there is none. */
export function nearestKey(word: string, keys: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  const maxDistance = Math.max(1, Math.floor(word.length / 3));
  return closestMatch(typed, keys, { maxDistance }) ?? keys.find((key) => isTransposed(typed, key));
}

/** Whether two neighbouring letters are swapped: the commonest typo, which Levenshtein counts as two edits. */
function isTransposed(word: string, key: string): boolean {
  const first = [...word].findIndex((letter, index) => letter !== key[index]);
  const swapped = word.slice(0, first) + word[first + 1] + word[first] + word.slice(first + 2);
  return first !== -1 && swapped === key;
}

/** Problems in the order of the file. */
export function inFileOrder(problems: readonly ConfigProblem[]): ConfigProblem[] {
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/** `worktree.yaml:3:5: found …, expected …`, the form that editors and terminals link. */
export function formatProblem(file: string, { line, column, message }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${message}`;
}

/** The problems of a file as text. The file is named by its path from the root of the project. */
export function problemsIn(
  { path, unreadable }: ConfigFile,
  problems: readonly ConfigProblem[],
  root: string,
): string[] {
  const file = relative(root, path);
  if (unreadable !== undefined) return [`${file}:1:1: the file cannot be read: ${unreadable}`];
  return problems.map((problem) => formatProblem(file, problem));
}
