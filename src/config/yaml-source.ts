import type * as YamlLibrary from 'yaml';
import type { ConfigProblem } from './config-problem.ts';

/** The part of a file that is read as YAML, and where each node of it stands in the file. */
export interface ParsedYaml {
  readonly contents: YamlLibrary.Node | null;
  readonly problems: ConfigProblem[];
  /** Position of a node in the file. */
  at(node: unknown): { line: number; column: number };
}

export interface Yaml {
  /**
   * @param lines as they stand in the file, columns unchanged
   * @param firstLine their first line's number in the file, from 1
   */
  parse(lines: readonly string[], firstLine: number): ParsedYaml;
  isMap(node: unknown): node is YamlLibrary.YAMLMap;
  isSeq(node: unknown): node is YamlLibrary.YAMLSeq;
  isScalar(node: unknown): node is YamlLibrary.Scalar;
}

/** Loads the yaml library, which costs a quarter of Node's own start: only files that need it pay. */
export async function loadYaml(): Promise<Yaml> {
  const { isMap, isScalar, isSeq, LineCounter, parseDocument } = await import('yaml');
  return {
    isMap,
    isScalar,
    isSeq,
    parse(lines, firstLine) {
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
          message: `found text that is not valid YAML: ${error.message}`,
        })),
        at: (node) => positionOf((node as YamlLibrary.Node | null)?.range?.[0] ?? 0),
      };
    },
  };
}
