import { isMap, isScalar, type Scalar, type YAMLMap } from 'yaml';
import type { ConfigProblem } from './config-problem.ts';
import { type PositionOf, parseYaml } from './parse-yaml.ts';
import type { Item } from './slice-items.ts';

/** An item of `verify:` is a command, a mapping to be validated, nothing (an empty item), or broken YAML. */
export type ParsedItem =
  | { readonly kind: 'command'; readonly command: string }
  | {
      readonly kind: 'mapping';
      readonly map: YAMLMap;
      readonly at: PositionOf;
      /** What YAML itself found wrong. */
      readonly problems: readonly ConfigProblem[];
    }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'broken'; readonly problems: readonly ConfigProblem[] };

const PLAIN_WORD = /^[A-Za-z_][\w-]*$/;
const MAPPING_START = /^[A-Za-z_][\w-]*\s*:(\s|$)/;

/** Reads one item as YAML. */
export function parseItem(item: Item): ParsedItem {
  if (item.source.length === 1 && (item.text === '' || item.text.startsWith('#'))) return { kind: 'nothing' };
  const parsed = parseYaml(item.source, item.line);
  if (parsed.problems.length === 0) return readNode(parsed.contents, sourceText(item.source), parsed.at);
  if (MAPPING_START.test(item.text)) {
    const { contents, problems, at } = parsed;
    return isMap(contents) ? { kind: 'mapping', map: contents, at, problems } : { kind: 'broken', problems };
  }
  return { kind: 'command', command: sourceText(item.source) };
}

/**
 * What YAML reads neither as text nor as a mapping whose first key is a plain word was a command for the Python hook,
 * and its own text still is: `[ -f a ] && b`, `! grep -q TODO a`, `npm test -- -g "a: b"`.
 *
 * @param ownText the node as it stands in the file
 */
export function readNode(node: unknown, ownText: string, at: PositionOf): ParsedItem {
  if (isMap(node) && startsWithPlainWord(node)) return { kind: 'mapping', map: node, at, problems: [] };
  // A tag (`!grep`) or an anchor (`&x`) is part of the command's text.
  const isText = isScalar(node) && typeof node.value === 'string' && !node.tag && !node.anchor;
  if (!isText || quoteIsOpen(node)) return { kind: 'command', command: ownText };
  return { kind: 'command', command: String(node.value).trim() };
}

function startsWithPlainWord(map: YAMLMap): boolean {
  const key = map.items[0]?.key;
  return isScalar(key) && key.type === 'PLAIN' && PLAIN_WORD.test(key.source ?? '');
}

/**
 * Whether YAML took a `#` inside the shell's quotes for a comment, as in `grep -c "a # b" x`. For the shell an
 * unquoted ` #` is a comment too, so the two agree everywhere else.
 */
function quoteIsOpen({ type, value }: Scalar): boolean {
  if (type !== 'PLAIN') return false;
  const text = String(value);
  let open = '';
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (character === '\\' && open !== "'") i++;
    else if (open === '' && (character === '"' || character === "'")) open = character;
    else if (character === open) open = '';
  }
  return open !== '';
}

function sourceText(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join(' ');
}
