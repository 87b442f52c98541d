import {
  type Node,
  type ParseError,
  type ParseErrorCode,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type { ConfigNode, ConfigProblem, Position } from './validate.ts';

// Loads jsonc-parser: the hook imports this file dynamically, for the few files that need it.

/** Later syntax errors are consequences of earlier ones. */
const MAX_ERRORS = 20;

/** Parses JSON with comments and trailing commas, and keeps the position of each value. */
export function parseJson(text: string): {
  root: ConfigNode | undefined;
  problems: readonly ConfigProblem[];
} {
  const errors: ParseError[] = [];
  const positionOf = positionsIn(text);
  let root: ConfigNode | undefined;
  try {
    const tree = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
    root = tree && nodeOf(tree, positionOf);
  } catch {
    // The parser recurses for each level of nesting.
    return {
      root: undefined,
      problems: [{ ...positionOf(0), message: 'found JSON that is nested too deeply to be parsed' }],
    };
  }
  if (!root && errors.length === 0)
    return {
      root: undefined,
      problems: [{ line: 1, column: 1, message: 'found an empty file, expected JSON' }],
    };
  const problems = errors.slice(0, MAX_ERRORS).map(({ error, offset }) => ({
    ...positionOf(offset),
    message: `found text that is not valid JSON: ${errorText(error)}`,
  }));
  return { root, problems };
}

function nodeOf(node: Node, positionOf: (offset: number) => Position): ConfigNode {
  const at = positionOf(node.offset);
  if (node.type === 'array') {
    const items = (node.children ?? []).map((item) => nodeOf(item, positionOf));
    return { value: items.map(({ value }) => value), at, items };
  }
  if (node.type !== 'object') return { value: node.value, at };
  const entries = (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key && value
      ? [{ key: String(key.value), keyAt: positionOf(key.offset), node: nodeOf(value, positionOf) }]
      : [],
  );
  // fromEntries defines `__proto__` as an own property, too.
  const value = Object.fromEntries(entries.map(({ key, node: member }) => [key, member.value]));
  return { value, at, entries };
}

/** `CloseBraceExpected` as `close brace expected`. */
function errorText(code: ParseErrorCode): string {
  return printParseErrorCode(code)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}

function positionsIn(text: string): (offset: number) => Position {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
