import { isMap, isScalar, type YAMLMap } from 'yaml';
import type { ConfigProblem } from './config-problem.ts';
import { type Located, type ParsedYaml, parseYaml } from './parse-yaml.ts';
import { type Item, MAPPING_START } from './slice-items.ts';
import { hasContent } from './slice-sections.ts';

/** An item of `verify:` is a command, a mapping to be validated, nothing (an empty item), or broken YAML. */
export type ParsedItem =
  | { readonly kind: 'command'; readonly command: string }
  | ParsedMapping
  | { readonly kind: 'nothing' }
  | { readonly kind: 'broken'; readonly problems: readonly ConfigProblem[] };

export interface ParsedMapping {
  readonly kind: 'mapping';
  readonly map: YAMLMap;
  readonly yaml: Located;
  /** What YAML itself found wrong. */
  readonly problems: readonly ConfigProblem[];
}

/** Reads one item as YAML. */
export function parseItem(item: Item): ParsedItem {
  if (item.source.length === 1 && (item.text === '' || item.text.startsWith('#'))) return { kind: 'nothing' };
  const yaml = parseYaml(item.source, item.line);
  if (!MAPPING_START.test(item.text))
    return readNode(yaml.contents, ownText(item), item.source.length === 1, yaml);
  const { contents: map, problems } = yaml;
  return isMap(map) ? { kind: 'mapping', map, yaml, problems } : { kind: 'broken', problems };
}

/**
 * What YAML reads neither as text nor as a mapping whose first key is a plain word was a command for the Python hook,
 * and its own text still is: `[ -f a ] && b`, `! grep -q TODO a`, `npm test -- -g "a: b"`.
 *
 * @param ownText the node as it stands in the file
 */
export function readNode(node: unknown, ownText: string, isOneLine: boolean, yaml: ParsedYaml): ParsedItem {
  const { isYaml, problems } = yaml;
  if (isYaml && isMap(node) && startsWithPlainWord(node))
    return { kind: 'mapping', map: node, yaml, problems };
  const isText = problems.length === 0 && isScalar(node) && typeof node.value === 'string' && !node.anchor;
  if (!isText) return { kind: 'command', command: ownText };
  // Where YAML sees a comment, the shell may see a `#` in quotes; where it does not, it drops the comment itself.
  return {
    kind: 'command',
    command: node.type === 'PLAIN' && isOneLine ? ownText : String(node.value).trim(),
  };
}

function startsWithPlainWord(map: YAMLMap): boolean {
  const key = map.items[0]?.key;
  return isScalar(key) && key.type === 'PLAIN' && /^[A-Za-z_][\w-]*$/.test(key.source ?? '');
}

/** The item's lines, without comments between them. */
function ownText({ text, source }: Item): string {
  const rest = source.slice(1).filter(hasContent);
  return [text, ...rest.map((line) => line.trim())].join(' ');
}
