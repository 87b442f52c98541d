import { relative } from 'node:path';
import { closestMatch } from 'leven';
import type { ConfigFile } from './discover.ts';

/** One thing that is wrong in a config file. Lines and columns count from 1. */
export interface ConfigProblem {
  readonly line: number;
  readonly column: number;
  /** What was found, what is expected, and the nearest valid key. */
  readonly message: string;
}

/** `worktree.yaml:3:5: found …, expected …`, the form that editors and terminals link. */
export function formatProblem(file: string, { line, column, message }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${message}`;
}

/** What a line means that is not valid YAML is a guess: only the YAML is complained of there. */
export function joinProblems(
  ofYaml: readonly ConfigProblem[],
  found: readonly ConfigProblem[],
): ConfigProblem[] {
  return [...ofYaml, ...found.filter(({ line }) => !ofYaml.some((problem) => problem.line === line))];
}

/** The key that was probably meant, as the end of a message: `; did you mean "timeout"?`, or nothing. */
export function didYouMean(word: string, keys: readonly string[]): string {
  const nearest = nearestKey(word, keys);
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}

/** The key within a third of the word's length in edits (upper and lower case are one), if there is one. */
export function nearestKey(word: string, keys: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  const maxDistance = Math.max(1, Math.floor(word.length / 3));
  return closestMatch(typed, keys, { maxDistance }) ?? keys.find((key) => isSwapped(typed, key));
}

/** Whether two neighbouring letters changed places: the commonest typo, and two edits by leven's count. */
function isSwapped(word: string, key: string): boolean {
  const first = [...word].findIndex((letter, index) => letter !== key[index]);
  const swapped = word.slice(0, first) + word[first + 1] + word[first] + word.slice(first + 2);
  return first !== -1 && swapped === key;
}

/** What is wrong in a file, each with its place; the file is named from the project's directory. */
export function problemsIn(
  { path, unreadable }: ConfigFile,
  problems: readonly ConfigProblem[],
  root: string,
): string[] {
  const file = relative(root, path);
  if (unreadable !== undefined) return [`${file}:1:1: the file cannot be read: ${unreadable}`];
  return problems.map((problem) => formatProblem(file, problem));
}

/** What a key may hold: the words for the message, and the check. */
export interface FieldType<T> {
  readonly expected: string;
  accepts(value: unknown): value is T;
}

export type FieldTypes = Readonly<Record<string, FieldType<unknown>>>;
/** The values that were there and right, by key. */
export type FieldValues<F extends FieldTypes> = {
  [K in keyof F]?: F[K] extends FieldType<infer T> ? T : never;
};

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && !value.includes('\0');
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldType = <T>(expected: string, accepts: (value: unknown) => value is T): FieldType<T> => ({
  expected,
  accepts,
});

const isVariable = ([name, text]: readonly [string, unknown]): boolean =>
  /^[^=\0]+$/.test(name) &&
  ['string', 'number', 'boolean'].includes(typeof text) &&
  !String(text).includes('\0');

/** The longest time that a timer can hold, in seconds: 24 days. */
const MAX_SECONDS = Math.floor((2 ** 31 - 1) / 1000);
const isPositive = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && value <= MAX_SECONDS;

export const FIELD = {
  text: fieldType('text', isText),
  boolean: fieldType('true or false', (value): value is boolean => typeof value === 'boolean'),
  number: fieldType('a number', (value): value is number => Number.isFinite(value)),
  count: fieldType(
    'a whole number from 1',
    (value): value is number => Number.isSafeInteger(value) && Number(value) >= 1,
  ),
  amount: fieldType(
    'a number above 0',
    (value): value is number => Number.isFinite(value) && Number(value) > 0,
  ),
  promise: fieldType(
    'text on one line without < and >, as TESTS_COMPLETE',
    (value): value is string => isText(value) && !/[<>\n\r]/.test(value) && value.trim() === value,
  ),
  seconds: fieldType('a number of seconds above 0', isPositive),
  minutes: fieldType('a number of minutes above 0', isPositive),
  texts: fieldType(
    'a list of texts, as [check]',
    (value): value is string[] => Array.isArray(value) && value.every(isText),
  ),
  environment: fieldType(
    'a mapping of variable names to text, and of "pass" to a list of names',
    (value): value is Record<string, string | number | boolean | unknown[]> =>
      isRecord(value) &&
      Object.entries(value).every(
        ([name, text]) => (name === 'pass' && Array.isArray(text)) || isVariable([name, text]),
      ),
  ),
  passing: fieldType('a mapping, as {pass: [DATABASE_URL]}', isRecord),
  variables: fieldType(
    'an object of variable names to text',
    (value): value is Record<string, string | number | boolean> =>
      isRecord(value) && Object.entries(value).every(isVariable),
  ),
  list: fieldType('a list', (value): value is unknown[] => Array.isArray(value)),
  names: fieldType('a list of names of variables, as [DATABASE_URL]', (value): value is unknown[] =>
    Array.isArray(value),
  ),
} as const;

/** A value in the words of a message, short whatever it is. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  const kind = typeof value === 'string' ? 'text' : typeof value === 'boolean' ? 'a truth value' : 'a number';
  return `${kind} ${text.length > 60 ? `${text.slice(0, 57)}…` : text}`;
}

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

/** JSON takes the last of two: which one was meant, nobody knows. */
export function repeatedKeys({ entries = [] }: Pick<JsonNode, 'entries'>): ConfigProblem[] {
  const seen = new Set<string>();
  return entries
    .filter(({ key }) => seen.size === seen.add(key).size)
    .map(({ key, keyAt }) => ({ ...keyAt, message: `found "${key}" again, expected it once` }));
}
