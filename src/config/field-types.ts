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
