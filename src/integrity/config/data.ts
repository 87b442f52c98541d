// A configuration file of any format → plain data. Broken files give what can be read of them, or nothing.

import { type ParseError, parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { parseAllDocuments } from 'yaml';
import { parseGradle } from './gradle.ts';
import { jsConfig } from './js-config.ts';
import { parseSimpleCov } from './simplecov.ts';
import { parseIni, parseXml } from './text-formats.ts';

export type Table = Readonly<Record<string, unknown>>;

export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of keys; undefined if one of them is missing. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce(
    (found, key) => (isTable(found) && Object.hasOwn(found, key) ? found[key] : undefined),
    value,
  );
}

/** The texts and numbers in a list; a single text is a list of one, and a text with lines or commas of several. */
export function listOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listOf);
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'string') return [];
  const isText = value.includes('\n');
  return value
    .split(/[\n;]|,(?![^{]*\})/)
    .map((item) => (isText ? item.replace(/(?:^|\s+)#.*$/, '') : item).trim())
    .filter((item) => item !== '');
}

const memo = new Map<string, { readonly text: string; readonly data: unknown }>();

/**
 * The data of a file; its name decides the format.
 *
 * @returns undefined for a file without data, and for one that is broken
 */
export function dataOf(path: string, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  const known = memo.get(path);
  if (known?.text === text) return known.data;
  if (isTooDeep(text)) throw new RangeError(`${path} is nested too deep`);
  let data: unknown;
  try {
    data = parserOf(path)(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    // What is nested too deep, or repeats itself by aliases, is read by its tool all the same.
    if (error instanceof RangeError || error instanceof ReferenceError)
      throw new RangeError(`${path} cannot be parsed within bounds`);
    data = undefined;
  }
  // Before and after are read by several rules one after another.
  if (memo.size > 20) memo.clear();
  memo.set(path, { text, data });
  return data;
}

/** More than any file has, and less than fills the call stack of a parser. */
const MAX_DEPTH = 500;

/** V8 ends the process if it compiles a regular expression where the call stack is nearly full. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [sign] of text.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + (sign === '[' || sign === '{' ? 1 : -1));
    if (depth > MAX_DEPTH) return true;
  }
  return new RegExp(`(?:[-?] ){${MAX_DEPTH}}`).test(text);
}

function parserOf(path: string): (text: string) => unknown {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/\.neon(?:\.dist)?$/.test(name)) return (text) => parseYaml(text.replaceAll('\t', '    '));
  if (/\.ya?ml$|^\.clang-tidy$/.test(name)) return parseYaml;
  if (/\.toml$|^Pipfile$|^uv\.lock$/.test(name)) return parseToml;
  if (/\.(?:xml|csproj|fsproj|vbproj|props|targets|runsettings|ruleset|dist)$/.test(name)) return parseXml;
  if (/\.gradle(?:\.kts)?$/.test(name)) return parseGradle;
  if (/_helper\.rb$|^\.simplecov$/.test(name)) return parseSimpleCov;
  if (
    /\.(?:ini|cfg|properties|conf)$|^\.(?:coveragerc|flake8|pylintrc|npmrc|editorconfig|env.*|envrc|pep8|bandit)$|^pylintrc$/.test(
      name,
    )
  )
    return parseIni;
  if (/\.(?:[cm]?[jt]s)$/.test(name)) return jsConfig;
  if (/\.(?:json[c5]?|baseline|xctestplan)$/.test(name)) return parseJson;
  // `.eslintrc`, `.mocharc`, `.babelrc`: JSON or YAML.
  if (/^\.\w+rc$/.test(name)) return (text) => (/^\s*\{/.test(text) ? parseJson(text) : parseYaml(text));
  return () => undefined;
}

function parseYaml(text: string): unknown {
  const [first] = parseAllDocuments(text, { prettyErrors: false, uniqueKeys: false });
  return first && 'toJS' in first ? first.toJS({ maxAliasCount: 100 }) : undefined;
}

/** A part of an object, such as a changed line of it, is read as one. */
function parseJson(text: string): unknown {
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: true, disallowComments: false };
  const value: unknown = parseJsonc(text, errors, options);
  if (isTable(value) || Array.isArray(value)) return value;
  return parseJsonc(`{${text}}`, [], options);
}

/**
 * The line of a value in a file, from 1: each key is searched after the one before it.
 *
 * @param keys from the outermost; what is not found is passed over
 */
export function lineOf(text: string | undefined, keys: readonly (string | undefined)[]): number | undefined {
  if (text === undefined) return undefined;
  let from = 0;
  let found = -1;
  for (const key of keys) {
    if (key === undefined || key === '') continue;
    const position = text.indexOf(key, from);
    if (position === -1) continue;
    found = position;
    from = position + key.length;
  }
  return found === -1 ? undefined : text.slice(0, found).split('\n').length;
}
