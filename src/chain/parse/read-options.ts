import { didYouMean } from '../../config/validate.ts';
import { GATE_OPTIONS, GATE_WORDS, type OptionValues, PRESETS } from './gate-options.ts';
import { isQuote, readQuoted } from './read-quoted.ts';
import { showTyped } from './show-typed.ts';
import type { Flaw } from './typed-gate.ts';

/** `max:3` or `:fast`; a name in code (`std::vector`) and an address (`http://x`) are neither. */
const OPTION =
  /\s+(?<colons>::\s*)?(?:(?<name>[A-Za-z][\w-]+)(?<sign>[:=])(?!:|\/\/)|:(?<preset>[A-Za-z]\w*)(?![\w:-]))/y;
const WORD = /\S*/y;

export interface ReadOptions {
  readonly values: OptionValues;
  /** The index in the line where the options end and prose goes on. */
  readonly end: number;
  readonly flaws: readonly Flaw[];
}

/**
 * Reads the options that follow a command in its line, up to the first word that has not the form of one. The form
 * decides, not the name: `mx:3` is a typo that is told of, not prose that is passed over.
 *
 * @param at the index behind the command
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

/** What one word sets, if anything, and where it stands. */
interface TypedOption extends ReadOptions {
  readonly at: number;
}

/** The option behind the blanks at an index, if what stands there has the form of one. */
function optionAt(line: string, at: number): TypedOption | undefined {
  OPTION.lastIndex = at;
  const { colons, name = '', sign = '', preset = '' } = OPTION.exec(line)?.groups ?? {};
  const end = OPTION.lastIndex;
  if (end === 0) return undefined;
  const isKnown = Object.hasOwn(PRESETS, preset) || Object.hasOwn(GATE_OPTIONS, name);
  // Prose has `note: this` and `CI=1`, and an unknown word behind a `::` may be the next gate.
  const isTypo = colons === undefined && (preset !== '' || (sign === ':' && /\S/.test(line.charAt(end))));
  if (!isKnown && !isTypo) return undefined;
  const option = preset !== '' ? readPreset(preset, end) : readValue(line, name, sign, end);
  if (colons === undefined) return option;
  const stray = {
    at: line.indexOf('::', at),
    message: 'found "::" before an option, expected it before a gate',
  };
  return { ...option, flaws: [stray, ...option.flaws] };
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

/** @param behind the index behind the name and its sign */
function readValue(line: string, name: string, sign: string, behind: number): TypedOption {
  const at = behind - sign.length - name.length;
  WORD.lastIndex = behind;
  const [word = ''] = WORD.exec(line) ?? [];
  const value = isQuote(line[behind])
    ? readQuoted(line, behind)
    : { text: word, end: behind + word.length, flaws: [] };
  const option = { at, end: value.end, values: {} };
  if (!Object.hasOwn(GATE_OPTIONS, name)) return { ...option, flaws: [{ at, message: unknown(name) }] };
  const { expected, read } = GATE_OPTIONS[name as keyof typeof GATE_OPTIONS];
  if (sign === '=') return { ...option, flaws: [{ at, message: `found "${name}=", expected "${name}:"` }] };
  if (value.flaws.length > 0) return { ...option, flaws: value.flaws };
  const set = read(value.text);
  if (set !== undefined) return { ...option, values: { [name]: set }, flaws: [] };
  const message = `found ${showTyped(value.text)} for "${name}", expected ${expected}`;
  // Behind a name that ends its line there is no place to point at.
  return { ...option, flaws: [{ at: value.text === '' ? at : behind, message }] };
}

function unknown(name: string): string {
  const found = showTyped(name);
  if (GATE_WORDS.includes(name)) return `found ${found} among the options of a gate, expected "::" before it`;
  const names = Object.keys(GATE_OPTIONS);
  return `found unknown option ${found}, expected one of ${names.join(', ')}${didYouMean(name, names)}`;
}
