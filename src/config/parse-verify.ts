import type { ShellGate } from '../gates/gate.ts';
import type { ConfigProblem } from './config-problem.ts';
import { commandGate, type GateContext, type ParsedGate, parseGate } from './parse-gate.ts';
import { isPlainCommand, type ParsedItem, parseItem, readNode } from './parse-item.ts';
import { describe } from './read-fields.ts';
import { type Item, sliceItems } from './slice-items.ts';
import { hasContent, type Section } from './slice-sections.ts';
import { loadYaml, type Yaml } from './yaml-source.ts';

export interface ParsedVerify {
  readonly gates: readonly ShellGate[];
  readonly problems: readonly ConfigProblem[];
}

/** Reads the `verify:` section: its list of commands and of gates written as mappings. */
export async function parseVerify(section: Section, context: GateContext): Promise<ParsedVerify> {
  if (hasContent(section.inline)) return parseInlineList(section, context, await loadYaml());
  const { items, stray } = sliceItems(section);
  const parsed: ParsedGate[] = [];
  for (const item of items)
    parsed.push(
      isPlainCommand(item)
        ? { gate: commandGate(item.text, context), problems: [] }
        : await parseListItem(item, context),
    );
  const { gates, problems } = collect(parsed);
  if (!stray) return { gates, problems };
  const message = `found "${stray.text}", expected a list item such as "- npm test"`;
  return { gates, problems: [{ line: stray.line, column: stray.column, message }, ...problems] };
}

async function parseListItem(item: Item, context: GateContext): Promise<ParsedGate> {
  const yaml = await loadYaml();
  return gateOf(parseItem(item, yaml), item, context, yaml);
}

/** `verify: [npm run lint, npm test]`, and whatever else stands on the key's own line. */
function parseInlineList(section: Section, context: GateContext, yaml: Yaml): ParsedVerify {
  const keyWidth = section.width - section.inline.length;
  const source = [' '.repeat(keyWidth) + section.inline, ...section.body];
  const { contents, problems, at } = yaml.parse(source, section.line);
  if (problems.length > 0) return { gates: [], problems };
  const text = source.join('\n');
  if (!yaml.isSeq(contents)) {
    const found = yaml.isScalar(contents) ? describe(contents.value) : 'a mapping';
    const message = `found ${found} for "verify", expected a list of commands, each on a line of its own behind "- "`;
    return { gates: [], problems: [{ ...at(contents), message }] };
  }
  return collect(
    contents.items.map((node) => {
      const [start, end] = (node as { range?: [number, number, number] }).range ?? [0, 0];
      return gateOf(readNode(node, text.slice(start, end).trim(), yaml, at), at(node), context, yaml);
    }),
  );
}

function gateOf(
  parsed: ParsedItem,
  { line, column }: { line: number; column: number },
  context: GateContext,
  yaml: Yaml,
): ParsedGate {
  switch (parsed.kind) {
    case 'nothing':
      return { problems: [] };
    case 'broken':
      return { problems: parsed.problems };
    case 'mapping':
      return parseGate(parsed, context, yaml);
    case 'command':
      if (parsed.command !== '') return { gate: commandGate(parsed.command, context), problems: [] };
      return { problems: [{ line, column, message: 'found an empty command, expected a command to run' }] };
  }
}

/** Puts the gates together. Two of the same given name are a problem; the same command twice is run twice. */
function collect(parsed: readonly ParsedGate[]): ParsedVerify {
  const problems = parsed.flatMap((one) => one.problems);
  const linesByName = new Map<string, number>();
  for (const { named } of parsed) {
    if (!named) continue;
    const { name, line, column } = named;
    const earlier = linesByName.get(name);
    if (earlier === undefined) linesByName.set(name, line);
    else
      problems.push({
        line,
        column,
        message: `found the name "${name}" again (first in line ${earlier}), expected a name of its own`,
      });
  }
  return { gates: withUniqueNames(parsed.flatMap(({ gate }) => gate ?? [])), problems };
}

function withUniqueNames(gates: readonly ShellGate[]): ShellGate[] {
  const taken = new Set<string>();
  return gates.map((gate) => {
    let name = gate.name;
    for (let n = 2; taken.has(name); n++) name = `${gate.name} (${n})`;
    taken.add(name);
    return { ...gate, name };
  });
}
