import type { CommandGate } from '../gates/types.ts';
import { commandGate, type GateContext } from './command-gate.ts';
import {
  hasContent,
  isPlainCommand,
  type Section,
  sectionOf,
  sliceItems,
  sliceSections,
} from './sections.ts';
import { defaultSettings, type Layout, type Settings } from './settings.ts';
import { type ConfigProblem, nearestKey } from './validate.ts';
import type { ParsedGate, ParsedRalph } from './yaml.ts';

export interface ParsedWorktree {
  readonly settings: Settings;
  /** In the order of the file, disabled ones left out. */
  readonly gates: readonly CommandGate[];
  /** Everything that is wrong, in the order of the file. Gates and settings hold what was right. */
  readonly problems: readonly ConfigProblem[];
}

const OUR_KEYS = ['verify', 'ralph'];

/**
 * Reads a worktree.yaml. Never throws for what the file holds.
 *
 * @param root absolute directory that gates run in
 */
export async function parseWorktree(text: string, layout: Layout, root: string): Promise<ParsedWorktree> {
  const { sections, problems } = sliceSections(text);
  const ralph = await settingsOf(sectionOf(sections, 'ralph'), layout);
  const verifySection = sectionOf(sections, 'verify');
  const { commandTimeoutSeconds, passEnv } = ralph.settings;
  const context = { root, commandTimeoutSeconds, passEnv };
  const verify = verifySection ? await parseVerify(verifySection, context) : { gates: [], problems: [] };
  return {
    settings: ralph.settings,
    gates: verify.gates,
    problems: [
      ...problems,
      ...judgeKeys(sections),
      ...findNestedVerify(sections),
      ...ralph.problems,
      ...verify.problems,
    ].toSorted((a, b) => a.line - b.line || a.column - b.column),
  };
}

async function settingsOf(section: Section | undefined, layout: Layout): Promise<ParsedRalph> {
  if (!section || ![section.inline, ...section.body].some(hasContent))
    return { settings: defaultSettings(layout), problems: [] };
  const { parseRalph } = await import('./yaml.ts');
  return parseRalph(section, layout);
}

/** Trellis's own keys, and those of anyone else, are left alone; a near miss of ours and a second one are not. */
function judgeKeys(sections: readonly Section[]): ConfigProblem[] {
  return sections.flatMap(({ key, line }, index) => {
    if (OUR_KEYS.includes(key)) {
      const first = sections.findIndex((section) => section.key === key);
      if (first === index) return [];
      return [
        {
          line,
          column: 1,
          message: `found "${key}" again (first in line ${sections[first]?.line}), expected it once`,
        },
      ];
    }
    const nearest = nearestKey(key, OUR_KEYS);
    if (nearest === undefined) return [];
    return [
      {
        line,
        column: 1,
        message: `found unknown key "${key}", expected "${nearest}"; did you mean "${nearest}"?`,
      },
    ];
  });
}

/** The Python hook took a `verify:` wherever it stood: one that is no longer seen must not go unnoticed. */
function findNestedVerify(sections: readonly Section[]): ConfigProblem[] {
  if (sectionOf(sections, 'verify')) return [];
  for (const { key, line, body } of sections) {
    const offset = body.findIndex((text) => /^\s+verify:\s*(#.*)?$/s.test(text));
    if (offset === -1) continue;
    const message = `found "verify" inside "${key}", expected it at the margin`;
    return [{ line: line + 1 + offset, column: (body[offset] ?? '').search(/\S/) + 1, message }];
  }
  return [];
}

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
    const { parseInlineList } = await import('./yaml.ts');
    return collect(parseInlineList(section, context));
  }
  const { items, strays } = sliceItems(section);
  const parsed: ParsedGate[] = [];
  for (const item of items) {
    if (isPlainCommand(item)) parsed.push({ gate: commandGate(item.text, context), problems: [] });
    else parsed.push((await import('./yaml.ts')).parseListItem(item, context));
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
