import {
  type Document,
  isAlias,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLParseError,
} from 'yaml';
import type { ConfigProblem } from './config-problem.ts';
import type { Fields, Position } from './read-fields.ts';

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
