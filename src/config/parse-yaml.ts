import { LineCounter, type Node, parseDocument } from 'yaml';
import type { ConfigProblem } from './config-problem.ts';

// Whoever imports this file loads the yaml library, which costs a quarter of Node's own start: it is imported
// dynamically, where a file turns out to need it.

/** A part of a file, read as YAML. */
export interface ParsedYaml {
  readonly contents: Node | null;
  readonly problems: ConfigProblem[];
  /** Position of a node in the whole file. */
  readonly at: PositionOf;
}

export type PositionOf = (node: unknown) => { line: number; column: number };

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
  return {
    contents: document.contents,
    problems: document.errors.map((error) => ({
      ...positionOf(error.pos[0]),
      message:
        error.code === 'BLOCK_AS_IMPLICIT_KEY'
          ? 'found ": " inside a value, expected the whole value in quotes or below "|"'
          : `found text that is not valid YAML: ${error.message}`,
    })),
    at: (node) => positionOf((node as Node | null)?.range?.[0] ?? 0),
  };
}
