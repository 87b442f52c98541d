import type { Scalar, YAMLMap } from 'yaml';
import type { ConfigProblem } from './config-problem.ts';
import type { Item } from './slice-items.ts';
import type { ParsedYaml, Yaml } from './yaml-source.ts';

/** An item of `verify:` is a command, a mapping to be validated, nothing (an empty item), or broken YAML. */
export type ParsedItem =
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'mapping'; readonly map: YAMLMap; readonly at: ParsedYaml['at'] }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'broken'; readonly problems: readonly ConfigProblem[] };

const PLAIN_WORD = /^[A-Za-z_][\w-]*$/;
const MAPPING_START = /^[A-Za-z_][\w-]*\s*:(\s|$)/;
/** Text that YAML cannot take for anything but a plain scalar: no indicator in front, no `: `, no ` #`. */
const PLAIN_COMMAND = /^[^\s[\]{}"'|>&*!%@`#,?:-](?!.*(?::(?:\s|$)|\s#))/;

/** Whether the item needs no YAML to be understood, as most commands do. */
export function isPlainCommand(item: Item): boolean {
  return item.source.length === 1 && PLAIN_COMMAND.test(item.text);
}

/** Reads one item as YAML. */
export function parseItem(item: Item, yaml: Yaml): ParsedItem {
  if (item.source.length === 1 && (item.text === '' || item.text.startsWith('#'))) return { kind: 'nothing' };
  const parsed = yaml.parse(item.source, item.line);
  if (parsed.problems.length === 0)
    return readNode(parsed.contents, sourceText(item.source), yaml, parsed.at);
  if (MAPPING_START.test(item.text)) return { kind: 'broken', problems: parsed.problems };
  return { kind: 'command', command: sourceText(item.source) };
}

/**
 * What YAML reads neither as text nor as a mapping whose first key is a plain word was a command for the Python hook,
 * and its own text still is: `[ -f a ] && b`, `! grep -q TODO a`, `npm test -- -g "a: b"`.
 *
 * @param ownText the node as it stands in the file
 */
export function readNode(node: unknown, ownText: string, yaml: Yaml, at: ParsedYaml['at']): ParsedItem {
  if (yaml.isMap(node) && startsWithPlainWord(node, yaml)) return { kind: 'mapping', map: node, at };
  // A tag (`!grep`) or an anchor (`&x`) is part of the command's text.
  const isText = yaml.isScalar(node) && typeof node.value === 'string' && !node.tag && !node.anchor;
  if (!isText || quoteIsOpen(node)) return { kind: 'command', command: ownText };
  return { kind: 'command', command: String(node.value).trim() };
}

function startsWithPlainWord(map: YAMLMap, yaml: Yaml): boolean {
  const key = map.items[0]?.key;
  return yaml.isScalar(key) && key.type === 'PLAIN' && PLAIN_WORD.test(key.source ?? '');
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
