import { type ParseError, parse as parseJsonc, printParseErrorCode } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { failure, type Result, success } from '../base/result.ts';

// This file loads three parsers. Only `init` and `doctor` may import it.

export type Table = Readonly<Record<string, unknown>>;

/** npm and Composer reject comments; other JSON files are often written by hand, with comments. */
const STRICT_JSON = /(^|\/)(package|composer)\.json$/;

/**
 * Parses a JSON, TOML or YAML file; the file's name decides which.
 *
 * @returns a failure, worded to follow the file's name, if the file is broken or is not a table
 */
export function parseData(path: string, text: string): Result<Table> {
  try {
    const value = parserOf(path)(text.replace(/^\uFEFF/, ''));
    return isTable(value) ? success(value) : failure('is not a table of keys');
  } catch (error) {
    // TOML and YAML errors quote the text in further lines.
    return failure(`is broken: ${(error as Error).message.split('\n')[0]}`);
  }
}

function parserOf(path: string): (text: string) => unknown {
  if (/\.ya?ml$/.test(path)) return (text) => parseYaml(text);
  if (/\.jsonc?$/.test(path)) return (text) => parseJson(text, STRICT_JSON.test(path));
  return (text) => parseToml(text);
}

export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of keys; undefined if one of them is missing. */
export function valueAt(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce(
    (found, key) => (isTable(found) && Object.hasOwn(found, key) ? found[key] : undefined),
    value,
  );
}

/** The table at a path of keys; empty if there is none. */
export function tableAt(value: unknown, ...keys: readonly string[]): Table {
  const found = valueAt(value, ...keys);
  return isTable(found) ? found : {};
}

/** The strings in a list; none if the value is not a list. */
export function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** @throws for the first syntax error */
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
