import { isScalar, isSeq } from 'yaml';
import { commandGate, type GateContext } from './command-gate.ts';
import { describe } from './field-types.ts';
import { type ParsedGate, parseGate } from './parse-gate.ts';
import { type ParsedItem, parseItem, readNode } from './parse-item.ts';
import { parseYaml } from './parse-yaml.ts';
import type { Item } from './slice-items.ts';
import type { Section } from './slice-sections.ts';

/** An item that is more than a plain command on one line. */
export function parseListItem(item: Item, context: GateContext): ParsedGate {
  return gateOf(parseItem(item), item, context);
}

/** `verify: [npm run lint, npm test]`, and whatever else stands on the key's own line. */
export function parseInlineList(section: Section, context: GateContext): ParsedGate[] {
  const keyWidth = section.width - section.inline.length;
  const source = [' '.repeat(keyWidth) + section.inline, ...section.body];
  const yaml = parseYaml(source, section.line);
  const { contents, problems, at } = yaml;
  if (problems.length > 0) return [{ problems }];
  if (!isSeq(contents)) {
    const found = isScalar(contents) ? describe(contents.value) : 'a mapping';
    const message = `found ${found} for "verify", expected a list of commands, each on a line of its own behind "- "`;
    return [{ problems: [{ ...at(contents), message }] }];
  }
  const text = source.join('\n');
  return contents.items.map((node) => {
    const [start, end] = (node as { range?: [number, number, number] }).range ?? [0, 0];
    const ownText = text.slice(start, end).trim();
    return gateOf(readNode(node, ownText, !ownText.includes('\n'), yaml), at(node), context);
  });
}

function gateOf(
  parsed: ParsedItem,
  { line, column }: { line: number; column: number },
  context: GateContext,
): ParsedGate {
  switch (parsed.kind) {
    case 'nothing':
      return { problems: [] };
    case 'broken':
      return { problems: parsed.problems };
    case 'mapping':
      return parseGate(parsed, context);
    case 'command':
      if (parsed.command !== '') return { gate: commandGate(parsed.command, context), problems: [] };
      return { problems: [{ line, column, message: 'found an empty command, expected a command to run' }] };
  }
}
