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
  type YAMLParseError,
} from 'yaml';
import type { ConfigEntry, ConfigNode, ConfigProblem, Position } from './validate.ts';

// Loads yaml, which takes a quarter of the time that Node itself needs to start: the hook imports this file
// dynamically, for the files that need it.

/** A part of a file, parsed as YAML. */
export interface ParsedYaml {
  readonly root: YamlNode;
  /** False if there is a syntax error. Otherwise the problems are about valid YAML that a command must not contain. */
  readonly isYaml: boolean;
  readonly problems: readonly ConfigProblem[];
}

/**
 * @param lines as in the file, so that columns are those of the file
 * @param firstLine the number of the first line in the file, from 1
 */
export function parseYaml(lines: readonly string[], firstLine: number): ParsedYaml {
  const lineCounter = new LineCounter();
  // YAML forbids tabs as indentation, the Python hook allowed them. One blank for each keeps the columns.
  const source = lines
    .map((line) => line.replace(/^[ \t]+/, (indent) => ' '.repeat(indent.length)))
    .join('\n');
  const document = parseDocument(source, { lineCounter, prettyErrors: false });
  const positionOf = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: line + firstLine - 1, column: col };
  };
  const errors = document.errors.map((error) => ({ ...positionOf(error.pos[0]), message: errorText(error) }));
  return {
    root: new YamlNode(document.contents, { document, source, positionOf }),
    isYaml: errors.length === 0,
    problems: [...errors, ...unsafeNodes(document, positionOf)],
  };
}

interface Source {
  readonly document: Document;
  readonly source: string;
  positionOf(offset: number): Position;
}

/**
 * A value of a YAML file. Aliases are followed when a value is asked for: one that contains itself, or grows
 * exponentially, is never expanded.
 */
export class YamlNode implements ConfigNode {
  readonly at: Position;
  readonly #node: unknown;
  readonly #resolved: unknown;
  readonly #source: Source;

  /** @param key the key of the value, whose position is used for a value that is left out */
  constructor(node: unknown, source: Source, key?: unknown) {
    this.#node = node;
    this.#source = source;
    this.#resolved = isAlias(node) ? node.resolve(source.document) : node;
    this.at = source.positionOf(startOf(node ?? key));
  }

  /** Plain data; undefined for an undefined alias, which is among the problems, and for excessive aliases. */
  get value(): unknown {
    try {
      return isNode(this.#node) ? this.#node.toJS(this.#source.document) : this.#node;
    } catch {
      return undefined;
    }
  }

  get entries(): readonly ConfigEntry[] | undefined {
    if (!isMap(this.#resolved)) return undefined;
    return this.#resolved.items.map(({ key, value }) => ({
      key: isScalar(key) ? String(key.value) : String(key),
      keyAt: this.#source.positionOf(startOf(key)),
      node: new YamlNode(value, this.#source, key),
    }));
  }

  get items(): readonly YamlNode[] | undefined {
    if (!isSeq(this.#resolved)) return undefined;
    return this.#resolved.items.map((item) => new YamlNode(item, this.#source));
  }

  /** The node as it is written in the file. */
  get text(): string {
    const [start, end] = (this.#node as Node | null)?.range ?? [0, 0];
    return this.#source.source.slice(start, end).trim();
  }

  /** A text; undefined for other values, and for a text with an anchor. */
  get string(): { readonly text: string; readonly isQuoted: boolean } | undefined {
    const node = this.#node;
    if (!isScalar(node) || typeof node.value !== 'string' || node.anchor) return undefined;
    return { text: node.value, isQuoted: node.type !== 'PLAIN' };
  }

  /** Whether it is a mapping whose first key is a plain word. */
  get startsWithPlainKey(): boolean {
    const key = isMap(this.#node) ? this.#node.items[0]?.key : undefined;
    return isScalar(key) && key.type === 'PLAIN' && /^[A-Za-z_][\w-]*$/.test(key.source ?? '');
  }
}

function startOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0;
}

function errorText({ code, message }: YAMLParseError): string {
  if (code === 'BLOCK_AS_IMPLICIT_KEY')
    return 'found ": " inside a value, expected the whole value in quotes or below "|"';
  return `found text that is not valid YAML: ${message}`;
}

/** Valid YAML that would change a command: a tag, which YAML drops, and an undefined alias. */
function unsafeNodes(document: Document, positionOf: (offset: number) => Position): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const add = (node: Node, found: string) =>
    problems.push({ ...positionOf(startOf(node)), message: `found ${found}, expected the value in quotes` });
  const addTag = (node: Node) => {
    if (node.tag) add(node, `the tag "${node.tag}"`);
  };
  visit(document, {
    Alias: (_, node) => {
      if (!node.resolve(document)) add(node, `the undefined alias "*${node.source}"`);
    },
    Collection: (_, node) => addTag(node),
    Scalar: (_, node) => addTag(node),
  });
  return problems;
}
