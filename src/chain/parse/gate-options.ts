import { isAbsolute, normalize } from 'node:path';
import { didYouMean } from '../../config/validate.ts';
import type { VerifyGate } from '../../state/chain.ts';
import { type Flaw, isQuote, readQuoted, showTyped } from './quoted.ts';

/** The words that open a gate. */
export const GATE_WORDS: readonly string[] = ['verify', 'gate_action'];

/** The values of an option. */
interface OptionType<T> {
  /** For the message. */
  readonly expected: string;
  /** Undefined if the text is not a valid value. */
  read(typed: string): T | undefined;
}

const wholeNumber = (max: number, expected: string): OptionType<number> => ({
  expected,
  read: (typed) =>
    /^\d+$/.test(typed) && Number(typed) >= 1 && Number(typed) <= max ? Number(typed) : undefined,
});

const truth: OptionType<boolean> = {
  expected: 'true or false',
  read: (typed) => (typed === 'true' ? true : typed === 'false' ? false : undefined),
};

/** Judged by the text alone. A leading tilde means the home directory. */
function isRelativeInside(path: string): boolean {
  const isOutside = /^\.\.(?:\/|$)/.test(normalize(path)) || isAbsolute(path) || path.startsWith('~');
  return !isOutside && path.trim() !== '' && !path.includes('\0');
}

/** The options of a verify gate. The upper bounds catch typos. */
export const GATE_OPTIONS = {
  max: wholeNumber(100, 'a whole number from 1 to 100'),
  timeout: wholeNumber(86_400, 'a whole number of seconds from 1 to 86400 (a day)'),
  loop: truth,
  checkpoint: truth,
  rollback: truth,
  workingDir: {
    expected: 'a directory inside the project, as "./sub"',
    read: (typed) => (isRelativeInside(typed) ? typed : undefined),
  } satisfies OptionType<string>,
} as const;

/** Shorthands such as `:fast`. */
export const PRESETS = {
  fast: { max: 1, timeout: 30 },
  full: { max: 5, timeout: 300 },
  extended: { max: 10, timeout: 600 },
} as const;

/** The options that were typed. */
export type OptionValues = {
  -readonly [K in keyof typeof GATE_OPTIONS]?: NonNullable<ReturnType<(typeof GATE_OPTIONS)[K]['read']>>;
} & { preset?: keyof typeof PRESETS };

/** The gate of a command, with the defaults filled in. A typed option has precedence over the preset. */
export function gateOf(command: string, values: OptionValues): VerifyGate {
  const { preset = 'full', checkpoint = false, rollback = false, loop, workingDir } = values;
  const { max, timeout } = { ...PRESETS[preset], ...values };
  return { command, maxAttempts: max, timeoutSeconds: timeout, loop, checkpoint, rollback, workingDir };
}

/** `max:3` or `:fast`; a name in code (`std::vector`) and an address (`http://x`) are neither. */
const OPTION =
  /\s+(?<colons>::\s*)?(?:(?<name>[A-Za-z][\w-]+)(?<sign>[:=])(?!:|\/\/)|:(?<preset>[A-Za-z]\w*)(?![\w:-]))/y;
const WORD = /\S*/y;

interface ReadOptions {
  readonly values: OptionValues;
  /** Index in the line after the options. */
  readonly end: number;
  readonly flaws: readonly Flaw[];
}

/**
 * Reads the options after a command in its line, up to the first word that does not have the form of an option. The form
 * decides, not the name: `mx:3` is reported as a typo instead of being taken for prose.
 *
 * @param at index after the command
 */
export function readOptions(line: string, at: number): ReadOptions {
  const values: OptionValues = {};
  const flaws: Flaw[] = [];
  let end = at;
  for (let option = optionAt(line, end); option; option = optionAt(line, end)) {
    flaws.push(...option.flaws);
    for (const name of Object.keys(option.values).filter((key) => Object.hasOwn(values, key))) {
      const found = showTyped(line.slice(option.at, option.end));
      flaws.push({
        at: option.at,
        message: `found ${found} though "${name}" is set already, expected it once`,
      });
    }
    Object.assign(values, option.values);
    end = option.end;
  }
  return { values, end, flaws };
}

interface TypedOption extends ReadOptions {
  readonly at: number;
}

/** The option after the blanks at an index; undefined if the text there does not have the form of one. */
function optionAt(line: string, at: number): TypedOption | undefined {
  OPTION.lastIndex = at;
  const { colons, name = '', sign = '', preset = '' } = OPTION.exec(line)?.groups ?? {};
  const end = OPTION.lastIndex;
  if (end === 0) return undefined;
  const isKnown = Object.hasOwn(PRESETS, preset) || Object.hasOwn(GATE_OPTIONS, name);
  // Prose contains `note: this` and `CI=1`, and an unknown word after a `::` may be the next gate.
  const isTypo = colons === undefined && (preset !== '' || (sign === ':' && /\S/.test(line.charAt(end))));
  if (!isKnown && !isTypo) return undefined;
  const option = preset !== '' ? readPreset(preset, end) : readValue(line, name, sign, end);
  if (colons === undefined) return option;
  const extraColons = {
    at: line.indexOf('::', at),
    message: 'found "::" before an option, expected it before a gate',
  };
  return { ...option, flaws: [extraColons, ...option.flaws] };
}

function readPreset(preset: string, end: number): TypedOption {
  const option = { at: end - preset.length - 1, end };
  if (Object.hasOwn(PRESETS, preset))
    return { ...option, values: { preset: preset as keyof typeof PRESETS }, flaws: [] };
  const presets = Object.keys(PRESETS);
  const expected = presets.map((name) => `:${name}`).join(', ');
  const message = `found unknown preset ${showTyped(preset)}, expected one of ${expected}${didYouMean(preset, presets)}`;
  return { ...option, values: {}, flaws: [{ at: option.at, message }] };
}

/** @param behind index after the name and its sign */
function readValue(line: string, name: string, sign: string, behind: number): TypedOption {
  const at = behind - sign.length - name.length;
  WORD.lastIndex = behind;
  const [word = ''] = WORD.exec(line) ?? [];
  const value = isQuote(line[behind])
    ? readQuoted(line, behind)
    : { text: word, end: behind + word.length, flaws: [] };
  const option = { at, end: value.end, values: {} };
  if (!Object.hasOwn(GATE_OPTIONS, name)) return { ...option, flaws: [{ at, message: unknownOption(name) }] };
  const { expected, read } = GATE_OPTIONS[name as keyof typeof GATE_OPTIONS];
  if (sign === '=') return { ...option, flaws: [{ at, message: `found "${name}=", expected "${name}:"` }] };
  if (value.flaws.length > 0) return { ...option, flaws: value.flaws };
  const set = read(value.text);
  if (set !== undefined) return { ...option, values: { [name]: set }, flaws: [] };
  const message = `found ${showTyped(value.text)} for "${name}", expected ${expected}`;
  // An empty value at the end of a line has no character to point at.
  return { ...option, flaws: [{ at: value.text === '' ? at : behind, message }] };
}

function unknownOption(name: string): string {
  const found = showTyped(name);
  if (GATE_WORDS.includes(name)) return `found ${found} among the options of a gate, expected "::" before it`;
  const names = Object.keys(GATE_OPTIONS);
  return `found unknown option ${found}, expected one of ${names.join(', ')}${didYouMean(name, names)}`;
}
