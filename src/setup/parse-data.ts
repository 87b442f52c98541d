import { type ParseError, parse as parseJsonc, printParseErrorCode } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';

// Whoever imports this file loads three parsers: it is imported dynamically, by commands that a person waits for.

export type Table = Readonly<Record<string, unknown>>;

/** npm and Composer refuse comments; everything else that is JSON here is also written by hand. */
const STRICT_JSON = /(^|\/)(package|composer)\.json$/;

/**
 * Reads a JSON, TOML or YAML file, told by its path; anything but a table of keys counts as broken.
 *
 * @returns the table, or why there is none as the predicate of a sentence: `is broken: …`
 */
export function parseData(path: string, text: string): { data: Table } | { why: string } {
  try {
    const value = parserOf(path)(text.replace(/^\uFEFF/, ''));
    return isTable(value) ? { data: value } : { why: 'holds no table of keys' };
  } catch (error) {
    // TOML and YAML errors show the place in further lines.
    return { why: `is broken: ${(error as Error).message.split('\n')[0]}` };
  }

  function parserOf(path: string): (text: string) => unknown {
    if (/\.ya?ml$/.test(path)) return (yaml) => parseYaml(yaml);
    if (/\.jsonc?$/.test(path)) return (json) => parseJson(json, STRICT_JSON.test(path));
    return (toml) => parseToml(toml);
  }
}

export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands below these keys; undefined where one of them is not there. */
export function valueAt(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce(
    (found, key) => (isTable(found) && Object.hasOwn(found, key) ? found[key] : undefined),
    value,
  );
}

/** The table below these keys, empty where there is none. */
export function tableAt(value: unknown, ...keys: readonly string[]): Table {
  const found = valueAt(value, ...keys);
  return isTable(found) ? found : {};
}

/** The texts in a list, or none. */
export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** @throws for the first thing that is wrong */
function parseJson(text: string, isStrict: boolean): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parseJsonc(text, errors, {
    disallowComments: isStrict,
    allowTrailingComma: !isStrict,
  });
  const [first] = errors;
  if (!first) return value;
  const line = text.slice(0, first.offset).split('\n').length;
  throw new Error(`${printParseErrorCode(first.error)} at line ${line}`);
}
