import type { ConfigEntry, ConfigNode } from './validate.ts';

/** A key with a value that is the same in every version of YAML, and perhaps a comment. */
const LINE = /^( +)([a-z_]+): +(true|false|auto|changed|always|[1-9]\d{0,8}(?:\.\d{1,6})?) *(?: #.*)?$/;
const NOTHING = /^ *(?:#.*)?$/;

/**
 * Reads a mapping of plain values, as most settings are, without YAML: that takes a quarter of the time that Node needs to
 * start, and settings are read at every stop.
 *
 * @param firstLine the number of the first line in the file, from 1
 * @returns undefined if it may be anything else
 */
export function plainMapping(lines: readonly string[], firstLine: number): ConfigNode | undefined {
  const entries: ConfigEntry[] = [];
  let indent: string | undefined;
  for (const [index, text] of lines.entries()) {
    if (NOTHING.test(text)) continue;
    const [, blanks = '', key = '', value = ''] = LINE.exec(text) ?? [];
    indent ??= blanks;
    const isRepeated = entries.some((entry) => entry.key === key);
    if (key === '' || blanks !== indent || isRepeated) return undefined;
    const line = firstLine + index;
    const at = { line, column: text.indexOf(value, blanks.length + key.length + 1) + 1 };
    entries.push({
      key,
      keyAt: { line, column: blanks.length + 1 },
      node: { value: scalar(value), at },
    });
  }
  const [first] = entries;
  return (
    first && {
      value: Object.fromEntries(entries.map(({ key, node }) => [key, node.value])),
      at: first.keyAt,
      entries,
    }
  );
}

function scalar(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d/.test(text) ? Number(text) : text;
}
