import { resolve } from 'node:path';
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLParseError,
} from 'yaml';
import { isInside, realPathOf } from '../base/files.ts';
import type { CommandGate } from '../gates/types.ts';
import { commandGate, type GateContext } from './command-gate.ts';
import { hasContent, type Item, MAPPING_START, type Section } from './sections.ts';
import {
  type AgentSettings,
  defaultSettings,
  type Layout,
  type PromiseSettings,
  type Settings,
} from './settings.ts';
import {
  type ConfigProblem,
  describe,
  FIELD,
  type Field,
  type Fields,
  joinProblems,
  nearestKey,
  type Position,
  readFields,
} from './validate.ts';

// Whoever imports this file loads the yaml library, which costs a quarter of Node's own start: it is imported
// dynamically, where a file turns out to need it.

/** What the nodes of a part of a file mean, and where they stand in the file. */
export interface Located {
  at(node: unknown): Position;
  /** The node as plain data, aliases followed. */
  valueOf(node: unknown): unknown;
  /** What an alias stands for; any other node is itself. */
  resolve(node: unknown): unknown;
}

/** A part of a file, read as YAML. */
export interface ParsedYaml extends Located {
  readonly contents: Node | null;
  /** Whether it is YAML at all; problems may be with what it says. */
  readonly isYaml: boolean;
  readonly problems: ConfigProblem[];
}

/**
 * @param lines as they stand in the file, columns unchanged
 * @param firstLine their first line's number in the file, from 1
 */
export function parseYaml(lines: readonly string[], firstLine: number): ParsedYaml {
  const lineCounter = new LineCounter();
  // YAML forbids tabs as indentation; the Python hook did not mind them. One blank a tab keeps the columns.
  const source = lines.map((line) => line.replace(/^[ \t]+/, (indent) => ' '.repeat(indent.length)));
  const document = parseDocument(source.join('\n'), { lineCounter, prettyErrors: false });
  const positionOf = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: line + firstLine - 1, column: col };
  };
  const located: Located = {
    at: (node) => positionOf((node as Node | null)?.range?.[0] ?? 0),
    valueOf: (node) => plainValue(node, document),
    resolve: (node) => (isAlias(node) ? node.resolve(document) : node),
  };
  const problems = document.errors.map((error) => ({
    ...positionOf(error.pos[0]),
    message: messageOf(error),
  }));
  return {
    contents: document.contents,
    isYaml: document.errors.length === 0,
    problems: [...problems, ...judgeNodes(document, located)],
    ...located,
  };
}

/** The entries of a mapping, aliases followed. */
export function fieldsOf(map: YAMLMap, yaml: Located): Fields {
  const entries = map.items.map(({ key, value }) => ({
    key: isScalar(key) ? String(key.value) : String(key),
    keyAt: yaml.at(key),
    value: yaml.valueOf(value),
    valueAt: yaml.at(value ?? key),
  }));
  return { at: yaml.at(map), entries };
}

function plainValue(node: unknown, document: Document): unknown {
  try {
    return isNode(node) ? node.toJS(document) : node;
  } catch {
    // An alias of nothing, which is among the problems.
    return undefined;
  }
}

function messageOf({ code, message }: YAMLParseError): string {
  if (code === 'BLOCK_AS_IMPLICIT_KEY')
    return 'found ": " inside a value, expected the whole value in quotes or below "|"';
  return `found text that is not valid YAML: ${message}`;
}

/** What YAML accepts and would change a command by: a tag, which it drops, and an alias that leads nowhere. */
function judgeNodes(document: Document, { at }: Located): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const judge = (node: Node, what: string | undefined) => {
    if (what) problems.push({ ...at(node), message: `found ${what}, expected the value in quotes` });
  };
  visit(document, {
    Alias: (_, node) =>
      judge(node, node.resolve(document) ? undefined : `the alias "*${node.source}" of nothing`),
    Collection: (_, node) => judge(node, node.tag && `the tag "${node.tag}"`),
    Scalar: (_, node) => judge(node, node.tag && `the tag "${node.tag}"`),
  });
  return problems;
}

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

/** The keys of a gate that is written as a mapping. */
export const GATE_FIELDS = {
  name: FIELD.text,
  run: FIELD.text,
  timeout: FIELD.seconds,
  cwd: FIELD.text,
  env: FIELD.environment,
  blocking: FIELD.boolean,
  order: FIELD.number,
  enabled: FIELD.boolean,
  description: FIELD.text,
};

export interface ParsedGate {
  /** Absent where the gate is disabled or has no command that could be run. */
  readonly gate?: CommandGate;
  /** The gate has a name of its own, which no other may have. */
  readonly named?: { readonly name: string; readonly line: number; readonly column: number };
  readonly problems: readonly ConfigProblem[];
}

/** Validates a gate that is written as a mapping. */
export function parseGate(item: ParsedMapping, context: GateContext): ParsedGate {
  const {
    values,
    problems: fieldProblems,
    positionOf,
  } = readFields(fieldsOf(item.map, item.yaml), GATE_FIELDS);
  const pass = readPass(item.map.get('env', true), item.yaml);
  const found = [
    ...fieldProblems,
    ...pass.problems,
    ...judgeGate(item.map, values.cwd, positionOf, context.root),
  ];
  const problems = joinProblems(item.problems, found);
  const { name, run, description } = values;
  const named = name === undefined ? {} : { named: { name, ...positionOf('name') } };
  if (run === undefined || values.enabled === false) return { ...named, problems };
  const base = commandGate(run.trim(), context);
  const gate: CommandGate = {
    ...base,
    name: name ?? base.name,
    cwd: resolve(context.root, values.cwd ?? '.'),
    env: variablesOf(values.env),
    timeoutSeconds: values.timeout ?? base.timeoutSeconds,
    blocking: values.blocking ?? base.blocking,
    order: values.order ?? base.order,
    ...(description !== undefined && { description }),
    ...(pass.passEnv && { passEnv: pass.passEnv }),
  };
  return { gate, ...named, problems };
}

function variablesOf(env: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  const variables = Object.entries(env).filter(([, value]) => !Array.isArray(value));
  return Object.fromEntries(variables.map(([name, value]) => [name, String(value)]));
}

/** What no single field can tell: a command is there, and its directory does not leave the project. */
function judgeGate(
  map: YAMLMap,
  cwd: string | undefined,
  positionOf: (key: 'run' | 'cwd') => Position,
  root: string,
): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (cwd !== undefined && !isInside(root, realPathOf(resolve(root, cwd)))) {
    const message = `found "${cwd}" for "cwd", expected a directory inside the project`;
    problems.push({ ...positionOf('cwd'), message });
  }
  if (!map.has('run')) {
    const message = 'found a gate without a command, expected "run: <command>"';
    problems.push({ ...positionOf('run'), message });
  }
  return problems;
}

export interface ParsedRalph {
  readonly settings: Settings;
  readonly problems: readonly ConfigProblem[];
}

/** Reads the `ralph:` section; what it does not set, or sets wrongly, is as by default. */
export function parseRalph(section: Section, layout: Layout): ParsedRalph {
  const defaults = defaultSettings(layout);
  const keyWidth = section.width - section.inline.length;
  const yaml = parseYaml([' '.repeat(keyWidth) + section.inline, ...section.body], section.line);
  const { contents, problems, at } = yaml;
  if (!isMap(contents)) {
    const found = isScalar(contents) ? describe(contents.value) : 'a list';
    const message = `found ${found} for "ralph", expected keys such as "max_iterations: 5"`;
    return { settings: defaults, problems: problems.length > 0 ? problems : [{ ...at(contents), message }] };
  }
  const { at: mappingAt, entries } = fieldsOf(contents, yaml);
  const agents = entries.filter((entry) => isAgent(entry, Object.keys(RALPH_FIELDS)));
  const others = entries.filter((entry) => !agents.includes(entry));
  const { values, problems: wrong } = readFields({ at: mappingAt, entries: others }, RALPH_FIELDS);
  const { promises, problems: wrongPromises } = parsePromises(values, agents, contents, yaml);
  const { passEnv, problems: wrongPass } = readPassOfAll(contents.get('env', true), yaml);
  const settings: Settings = {
    agents: values.agents ?? defaults.agents,
    maxIterations: values.max_iterations ?? defaults.maxIterations,
    stateTimeoutMinutes: values.state_timeout_minutes ?? defaults.stateTimeoutMinutes,
    commandTimeoutSeconds: values.command_timeout ?? defaults.commandTimeoutSeconds,
    failFast: values.fail_fast ?? defaults.failFast,
    ...(passEnv && { passEnv }),
    ...(promises && { promises }),
  };
  return { settings, problems: joinProblems(problems, [...wrong, ...wrongPromises, ...wrongPass]) };
}

/** The keys of the `ralph:` section that are about promise loops. */
export const PROMISE_FIELDS = {
  enabled: FIELD.boolean,
  default_max_iterations: FIELD.count,
  verify_promises: FIELD.boolean,
  command: FIELD.text,
  iteration_timeout: FIELD.seconds,
  max_cost_usd: FIELD.amount,
  max_stalled: FIELD.count,
};

/** The keys of the `ralph:` section; any other one is the name of an agent. */
export const RALPH_FIELDS = {
  agents: FIELD.texts,
  max_iterations: FIELD.count,
  state_timeout_minutes: FIELD.minutes,
  command_timeout: FIELD.seconds,
  fail_fast: FIELD.boolean,
  env: FIELD.passing,
  ...PROMISE_FIELDS,
};

/** The keys of an agent's mapping in it. */
export const AGENT_FIELDS = {
  enabled: FIELD.boolean,
  max_iterations: FIELD.count,
  completion_promise: FIELD.promise,
  command: FIELD.text,
  prompt: FIELD.text,
};

/** Whether an entry of `ralph:` is an agent's: a mapping by a name that is no key of ours, nor nearly one. */
export function isAgent({ key, value }: Field, keys: readonly string[]): boolean {
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isMapping && !keys.includes(key) && nearestKey(key, keys) === undefined;
}

/** Reads what `ralph:` sets of promise loops. @param values those of `PROMISE_FIELDS` that are right */
export function parsePromises(
  values: ReturnType<typeof readFields<typeof PROMISE_FIELDS>>['values'],
  agents: readonly Field[],
  map: YAMLMap,
  yaml: Located,
): { readonly promises: PromiseSettings | undefined; readonly problems: readonly ConfigProblem[] } {
  const read = agents.map(({ key }) => {
    const node = yaml.resolve(map.get(key, true));
    return { key, ...readAgent(isMap(node) ? node : undefined, yaml) };
  });
  const promises: PromiseSettings = {
    enabled: values.enabled,
    defaultMaxIterations: values.default_max_iterations,
    verifyPromises: values.verify_promises,
    command: values.command,
    iterationTimeoutSeconds: values.iteration_timeout,
    maxCostUsd: values.max_cost_usd,
    maxStalled: values.max_stalled,
    agents: Object.fromEntries(read.map(({ key, settings }) => [key, settings])),
  };
  const isSet = read.length > 0 || Object.keys(PROMISE_FIELDS).some((key) => key in values);
  return { promises: isSet ? promises : undefined, problems: read.flatMap(({ problems }) => problems) };
}

function readAgent(
  map: YAMLMap | undefined,
  yaml: Located,
): { readonly settings: AgentSettings; readonly problems: readonly ConfigProblem[] } {
  if (!map) return { settings: {}, problems: [] };
  const { values, problems } = readFields(fieldsOf(map, yaml), AGENT_FIELDS);
  const settings: AgentSettings = {
    enabled: values.enabled,
    maxIterations: values.max_iterations,
    completionPromise: values.completion_promise,
    command: values.command,
    prompt: values.prompt,
  };
  return { settings, problems };
}

/** The variables that gates may inherit; no list: all. */
export interface ParsedPass {
  readonly passEnv?: readonly string[];
  readonly problems: readonly ConfigProblem[];
}

/** Reads `env:` of the `ralph:` section, which holds nothing but `pass`. */
export function readPassOfAll(env: unknown, yaml: Located): ParsedPass {
  const map = yaml.resolve(env);
  if (!isMap(map)) return { problems: [] };
  const { values, problems } = readFields(fieldsOf(map, yaml), { pass: FIELD.names });
  if (values.pass === undefined) return { problems };
  const { passEnv = [], problems: wrongNames } = readPass(map, yaml);
  return { passEnv, problems: [...problems, ...wrongNames] };
}

/** Reads `pass:` in an `env:`. Where it is text, it is a variable of that name. */
export function readPass(env: unknown, yaml: Located): ParsedPass {
  const map = yaml.resolve(env);
  const list = isMap(map) ? yaml.resolve(map.get('pass', true)) : undefined;
  if (!isSeq(list)) return { problems: [] };
  const names = list.items.map((node) => ({ node, name: yaml.valueOf(node) }));
  return {
    passEnv: names.flatMap(({ name }) => (isName(name) ? name : [])),
    problems: names.flatMap(({ node, name }) => {
      const message = `found ${describe(name)} in "pass", expected the whole name of a variable, as DATABASE_URL`;
      return isName(name) ? [] : [{ ...yaml.at(node), message }];
    }),
  };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z_]\w*$/.test(value);
}
