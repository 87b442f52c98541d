import type { CommandGate } from '../gates/types.ts';
import { commandGate, type GateContext } from './command-gate.ts';
import type { ConfigProblem } from './config-problem.ts';
import type { ParsedGate } from './parse-gate.ts';
import { isPlainCommand, sliceItems } from './slice-items.ts';
import { hasContent, type Section } from './slice-sections.ts';

export interface ParsedVerify {
  readonly gates: readonly CommandGate[];
  readonly problems: readonly ConfigProblem[];
}

/**
 * Reads the `verify:` section: its list of commands and of gates written as mappings. Plain commands, which most are,
 * are understood without loading YAML.
 */
export async function parseVerify(section: Section, context: GateContext): Promise<ParsedVerify> {
  if (hasContent(section.inline)) {
    const { parseInlineList } = await import('./parse-yaml-items.ts');
    return collect(parseInlineList(section, context));
  }
  const { items, strays } = sliceItems(section);
  const parsed: ParsedGate[] = [];
  for (const item of items) {
    if (isPlainCommand(item)) parsed.push({ gate: commandGate(item.text, context), problems: [] });
    else parsed.push((await import('./parse-yaml-items.ts')).parseListItem(item, context));
  }
  const problems = strays.map(({ line, column, text }) => ({
    line,
    column,
    message: `found "${text}", expected a list item such as "- npm test"`,
  }));
  return collect([...parsed, { problems }]);
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
  return { gates: withUniqueNames(parsed), problems };
}

/** A gate keeps the name that it was given; commands that are written twice are told apart by a number. */
function withUniqueNames(parsed: readonly ParsedGate[]): CommandGate[] {
  const taken = new Set(parsed.flatMap(({ named }) => named?.name ?? []));
  const uses = new Map<string, number>();
  return parsed.flatMap(({ gate, named }) => {
    if (!gate) return [];
    if (named) return [gate];
    let use = (uses.get(gate.name) ?? 0) + 1;
    let name = use === 1 ? gate.name : `${gate.name} (${use})`;
    while (taken.has(name)) name = `${gate.name} (${++use})`;
    uses.set(gate.name, use);
    taken.add(name);
    return [{ ...gate, name }];
  });
}
