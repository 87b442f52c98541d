import type { CommandGate } from '../gates/types.ts';
import {
  commandGate,
  enabledGates,
  type GateContext,
  type ParsedGate,
  parseGate,
  repeatedNames,
} from './command-gate.ts';
import type { ProjectLayout } from './discover.ts';
import { wrongNeeds } from './needs.ts';
import type { ParsedYaml, YamlNode } from './parse-yaml.ts';
import { plainMapping } from './plain-mapping.ts';
import { defaultSettings, type ParsedSettings, parseSettings, type Settings } from './settings.ts';
import {
  type ConfigProblem,
  describeValue,
  inFileOrder,
  nearestKey,
  type Position,
  unknownKey,
} from './validate.ts';

// A worktree.yaml is cut into sections and list items without YAML. Plain commands, which most items are, need no
// more; only other items, and settings, are parsed as YAML. So an error in a section of Trellis cannot hide the gates.

export interface ParsedWorktree {
  readonly settings: Settings;
  /** In the order of the file, without the disabled ones. */
  readonly gates: readonly CommandGate[];
  /** In the order of the file. Settings and gates contain what is valid. */
  readonly problems: readonly ConfigProblem[];
}

const OWN_KEYS = ['verify', 'ralph'];

/**
 * Parses a worktree.yaml.
 *
 * @param root absolute directory that gates run in
 */
export async function parseWorktree(
  text: string,
  layout: ProjectLayout,
  root: string,
): Promise<ParsedWorktree> {
  const { sections, problems } = sliceSections(text);
  const { settings, problems: settingsProblems } = await parseRalph(sections, layout);
  const { commandTimeoutSeconds: timeoutSeconds, passEnv } = settings;
  const context = { root, directory: root, workingDirectory: root, timeoutSeconds, passEnv };
  const verify = sectionOf(sections, 'verify');
  const { gates, problems: gateProblems } = verify
    ? await parseVerify(verify, context)
    : { gates: [], problems: nestedVerify(sections) };
  return {
    settings,
    gates,
    problems: inFileOrder([...problems, ...wrongKeys(sections), ...settingsProblems, ...gateProblems]),
  };
}

/** Parses the `ralph:` section; without one, the settings are the defaults. */
export async function parseRalph(
  sections: readonly Section[],
  layout: ProjectLayout,
): Promise<ParsedSettings> {
  const section = sectionOf(sections, 'ralph');
  if (!section || ![section.inline, ...section.body].some(hasContent))
    return { settings: defaultSettings(layout), problems: [] };
  const plain = hasContent(section.inline) ? undefined : plainMapping(section.body, section.line + 1);
  if (plain) return parseSettings(plain, layout);
  const { root, problems } = await parseSection(section);
  // The value of a broken section may be missing, and `ralph: null` is an empty section.
  if (!root.entries && (problems.length > 0 || root.value === null))
    return { settings: defaultSettings(layout), problems };
  const parsed = parseSettings(root, layout);
  return { ...parsed, problems: withSyntaxErrors(problems, parsed.problems) };
}

/** Other keys belong to Trellis or to somebody else. A typo of an own key and a repeated own key are problems. */
function wrongKeys(sections: readonly Section[]): ConfigProblem[] {
  return sections.flatMap((section) => {
    const { key, line } = section;
    const at = { line, column: 1 };
    if (OWN_KEYS.includes(key)) {
      const first = sectionOf(sections, key);
      if (first === section) return [];
      return [{ ...at, message: `found "${key}" again (first in line ${first?.line}), expected it once` }];
    }
    return nearestKey(key, OWN_KEYS) === undefined ? [] : [{ ...at, message: unknownKey(key, OWN_KEYS) }];
  });
}

/** The Python hook accepted an indented `verify:`. */
function nestedVerify(sections: readonly Section[]): ConfigProblem[] {
  for (const { key, line, body } of sections) {
    const index = body.findIndex((text) => /^\s+verify:\s*(#.*)?$/s.test(text));
    if (index === -1) continue;
    const message = `found "verify" inside "${key}", expected it without indentation`;
    return [{ line: line + 1 + index, column: (body[index] ?? '').search(/\S/) + 1, message }];
  }
  return [];
}

async function parseVerify(
  section: Section,
  context: GateContext,
): Promise<Pick<ParsedWorktree, 'gates' | 'problems'>> {
  const { items, outside } = sliceItems(section);
  const parsed: ParsedGate[] = [];
  if (hasContent(section.inline)) parsed.push(...inlineGates(await parseSection(section), context));
  else {
    for (const item of items) {
      if (isPlainCommand(item))
        parsed.push({ gate: commandGate({ command: item.text }, context), problems: [] });
      else if (!isEmpty(item)) parsed.push(itemGate(item, await parseLines(item.source, item.line), context));
    }
    parsed.push({
      problems: outside.map(({ text, ...at }) => ({
        ...at,
        message: `found "${text}", expected a list item such as "- npm test"`,
      })),
    });
  }
  const all = withUniqueNames(parsed);
  return {
    gates: enabledGates(all),
    problems: [...all.flatMap(({ problems }) => problems), ...repeatedNames(all), ...wrongNeeds(all)],
  };
}

/** `verify: [npm run lint, npm test]`, or anything else after the key. */
function inlineGates({ root, problems, isYaml }: ParsedYaml, context: GateContext): ParsedGate[] {
  if (problems.length > 0) return [{ problems }];
  // `verify: null` is what `verify:` without items is.
  if (root.value === null) return [];
  if (root.items)
    return root.items.map((node) => {
      const isOneLine = !node.text.includes('\n');
      return nodeGate(node, { text: node.text, isOneLine }, { problems, isYaml }, context);
    });
  const message = `found ${describeValue(root.value)} for "verify", expected a list of commands, each on its own line after "- "`;
  return [{ problems: [{ ...root.at, message }] }];
}

/** The gate of an item that is more than a plain command on one line. */
function itemGate(item: Item, yaml: ParsedYaml, context: GateContext): ParsedGate {
  const { text, source } = item;
  if (MAPPING_START.test(text))
    return yaml.root.entries ? mappingGate(yaml.root, yaml.problems, context) : { problems: yaml.problems };
  // Comments between the lines of a command are not part of it.
  const lines = source.slice(1).filter(hasContent);
  const command = [text, ...lines.map((line) => line.trim())].join(' ');
  return nodeGate(yaml.root, { text: command, isOneLine: source.length === 1, at: item }, yaml, context);
}

/**
 * The gate of a node. What YAML parses neither as text nor as a mapping that starts with a plain key was a command for
 * the Python hook, and still is: `[ -f a ] && b`, `! grep -q TODO a`, `npm test -- -g "a: b"`.
 *
 * @param written the node as it is written in the file
 */
function nodeGate(
  node: YamlNode,
  written: { readonly text: string; readonly isOneLine: boolean; readonly at?: Position },
  { isYaml, problems }: Pick<ParsedYaml, 'isYaml' | 'problems'>,
  context: GateContext,
): ParsedGate {
  if (isYaml && node.startsWithPlainKey) return mappingGate(node, problems, context);
  const string = problems.length === 0 ? node.string : undefined;
  // A `#` in the quotes of the shell is a comment for YAML: a command on one line is used as it is written.
  const isWritten = !string || (!string.isQuoted && written.isOneLine);
  const command = isWritten ? written.text : string.text.trim();
  if (command !== '') return { gate: commandGate({ command }, context), problems: [] };
  const { line, column } = written.at ?? node.at;
  return { problems: [{ line, column, message: 'found an empty command, expected a command to run' }] };
}

function mappingGate(node: YamlNode, syntax: readonly ConfigProblem[], context: GateContext): ParsedGate {
  const parsed = parseGate(node, 'worktree', context);
  return { ...parsed, problems: withSyntaxErrors(syntax, parsed.problems) };
}

/** What a line with a YAML error means is a guess: other problems of that line are left out. */
function withSyntaxErrors(
  syntax: readonly ConfigProblem[],
  others: readonly ConfigProblem[],
): ConfigProblem[] {
  return [...syntax, ...others.filter(({ line }) => !syntax.some((problem) => problem.line === line))];
}

/** A gate keeps its given name. Repeated commands are numbered, without those of disabled gates. */
function withUniqueNames(parsed: readonly ParsedGate[]): ParsedGate[] {
  const taken = new Set(parsed.flatMap(({ named }) => named?.name ?? []));
  const uses = new Map<string, number>();
  return parsed.map((each) => {
    const { gate, named, isDisabled } = each;
    if (!gate || named || isDisabled) return each;
    let use = (uses.get(gate.name) ?? 0) + 1;
    let name = use === 1 ? gate.name : `${gate.name} (${use})`;
    while (taken.has(name)) name = `${gate.name} (${++use})`;
    uses.set(gate.name, use);
    taken.add(name);
    return { ...each, gate: { ...gate, name } };
  });
}

function parseSection({ line, width, inline, body }: Section): Promise<ParsedYaml> {
  return parseLines([' '.repeat(width - inline.length) + inline, ...body], line);
}

async function parseLines(lines: readonly string[], firstLine: number): Promise<ParsedYaml> {
  const { parseYaml } = await import('./parse-yaml.ts');
  return parseYaml(lines, firstLine);
}

/** A top-level key of a worktree.yaml with the lines that belong to it. */
interface Section {
  readonly key: string;
  /** Line of the key, from 1. */
  readonly line: number;
  /** Length of the key's line. */
  readonly width: number;
  /** The text after the key's colon, including a comment. */
  readonly inline: string;
  /** The lines below the key, up to the next key. */
  readonly body: readonly string[];
}

/** A line without indentation that starts with a key of any characters. It ends the section before it. */
const TOP_LEVEL_KEY = /^(?![-#\s])([\s\S]*?)[ \t]*:(?=[ \t]|$)([\s\S]*)$/;

/** Cuts a file at its top-level keys. */
export function sliceSections(text: string): { sections: Section[]; problems: ConfigProblem[] } {
  const sections: (Section & { body: string[] })[] = [];
  const problems: ConfigProblem[] = [];
  for (const [index, lineText] of splitLines(text).entries()) {
    const [, key, inline = ''] = TOP_LEVEL_KEY.exec(lineText) ?? [];
    if (key !== undefined)
      sections.push({ key: unquoted(key), line: index + 1, width: lineText.length, inline, body: [] });
    else if (sections.length > 0) sections.at(-1)?.body.push(lineText);
    else if (hasContent(lineText) && problems.length === 0)
      problems.push({
        line: index + 1,
        column: lineText.search(/\S/) + 1,
        message: `found "${lineText.trim()}" before any key, expected "verify:" without indentation, with a list of commands below it`,
      });
  }
  return { sections, problems };
}

/** The first section with the key. */
export function sectionOf(sections: readonly Section[], key: string): Section | undefined {
  return sections.find((section) => section.key === key);
}

/** Splits a text at any line ends, without its byte order mark. */
export function splitLines(text: string): string[] {
  return text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
}

/** Whether a line holds more than blanks, a comment, or a document marker of YAML. */
export function hasContent(line: string): boolean {
  return !/^\s*(#.*)?$|^(---|\.\.\.|%YAML)/s.test(line);
}

function unquoted(key: string): string {
  return /^(["']).*\1$/.test(key) ? key.slice(1, -1) : key;
}

/** A list item below `verify:`, as it is written in the file. */
export interface Item {
  /** Line of the dash, from 1. */
  readonly line: number;
  /** Column of the text after the dash, from 1. */
  readonly column: number;
  /** The text after the dash. */
  readonly text: string;
  /** The lines of the item. The dash is replaced by a blank, so that columns are those of the file. */
  readonly source: readonly string[];
}

/** The start of a mapping whose first key is a plain word: a gate with options. */
const MAPPING_START = /^[A-Za-z_][\w-]*\s*:(\s|$)/;
const BLOCK_SCALAR_START = /(^|:\s+)[|>][-+\d]*\s*(#.*)?$/s;
const DASH = /^([ \t]*)-(?:([ \t]+)([\s\S]*))?$/;

/**
 * Cuts a section at its list items. As in the Python hook, every line that starts with a dash is an item, however it is
 * indented, except inside a block or a mapping of an item.
 *
 * @returns the items, and the lines outside of any item
 */
export function sliceItems(section: Section): { items: Item[]; outside: (Position & { text: string })[] } {
  const items: (Item & { source: string[] })[] = [];
  const outside: (Position & { text: string })[] = [];
  let dashIndent = 0;
  for (const [index, lineText] of section.body.entries()) {
    const line = section.line + 1 + index;
    const indent = lineText.search(/\S|$/);
    const current = items.at(-1);
    const isDeeper = indent > dashIndent;
    const dash = DASH.exec(lineText);
    if (dash && !(current && isDeeper && opensBlock(current))) {
      const [, , gap = '', rest = ''] = dash;
      dashIndent = indent;
      const column = indent + 1 + gap.length + 1;
      items.push({ line, column, text: rest.trim(), source: [' '.repeat(column - 1) + rest] });
    } else if (current && (isDeeper || !hasContent(lineText))) current.source.push(lineText);
    else if (hasContent(lineText)) outside.push({ line, column: indent + 1, text: lineText.trim() });
  }
  return { items: items.map(withoutTrailingBlanks), outside };
}

/** Text that is a plain scalar in YAML: no indicator at its start, no `: ` inside. */
const PLAIN_COMMAND = /^[^\s[\]{}"'|>&*!%@`#,?:-](?![\s\S]*:(?:\s|$))/;

/** Whether the item is a command that can be read without YAML, as most are. */
export function isPlainCommand(item: Item): boolean {
  return item.source.length === 1 && PLAIN_COMMAND.test(item.text);
}

function isEmpty({ source, text }: Item): boolean {
  return source.length === 1 && (text === '' || text.startsWith('#'));
}

function opensBlock({ text }: Item): boolean {
  return MAPPING_START.test(text) || BLOCK_SCALAR_START.test(text);
}

/** Comments between two items belong to neither. */
function withoutTrailingBlanks(item: Item & { source: string[] }): Item {
  let length = item.source.length;
  if (!opensBlock(item) && !/^["']/.test(item.text))
    while (length > 1 && !hasContent(item.source[length - 1] ?? '')) length--;
  return { ...item, source: item.source.slice(0, length) };
}
