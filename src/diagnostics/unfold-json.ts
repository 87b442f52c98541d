import { meaningOf } from './line-meaning.ts';

/** A line of JSON that is longer than this is laid out: as one line nobody could read it. */
const MAX_LINE_CHARACTERS = 800;
/** What stands between two objects of a list. */
const SEAM = '},{';
/** A string, or a sign that begins or ends a container. Whatever follows a quote matches: no second try costs time. */
const TOKEN = /"((?:[^"\\]|\\.?)*)(?:"|$)(\s*:)?|[[\]{}]/g;
/** An escaped line break. */
const BREAK = /(?:^|[^\\])(?:\\\\)*\\n/;
/** Texts under these keys quote a source file or a manual. */
const QUOTED = /^(?:source|explanation|snippet)$/;
const WORD = /\w/;

/** Whether a line is JSON that tells more than a line can: a long list, or texts with line breaks. */
export function isFolded(line: string): boolean {
  return isJson(line) && (line.length > MAX_LINE_CHARACTERS || BREAK.test(line));
}

/**
 * Cuts JSON that has not ended yet between two objects of a list.
 *
 * @returns the first part and the rest; undefined where it is no JSON, or has no such place
 */
export function cutJson(text: string): readonly [string, string] | undefined {
  const at = isJson(text) ? text.lastIndexOf(SEAM) : -1;
  return at === -1 ? undefined : [text.slice(0, at + 1), text.slice(at + 2)];
}

/**
 * Lays JSON out as lines: each object of a list has its own, indented by its depth, and a text with line breaks stands
 * below as its author wrote it. What is no valid JSON is laid out as far as it goes.
 */
export function unfoldJson(json: string): string[] {
  const lines: string[] = [];
  const containers: string[] = [];
  let key = '';
  let from = 0;
  let indent = '';
  /** @returns whether the line is worth keeping beside a text that it announces */
  const endLine = (to: number, more = '') => {
    const line = json.slice(from, to).replace(/^[\s,\]}]+/, '');
    from = to;
    const isKept = WORD.test(line) && (more === '' || meaningOf(line).kind !== 'plain');
    if (isKept) lines.push(`${indent}${line}${more}`);
    indent = ' '.repeat(containers.length);
    return isKept;
  };
  for (const token of json.matchAll(TOKEN)) {
    const { 0: sign, 1: string, 2: colon, index } = token;
    const end = index + sign.length;
    if (string === undefined) {
      if (sign === '{' && containers.at(-1) === '[') endLine(index);
      if (sign === '{' || sign === '[') containers.push(sign);
      else containers.pop();
    } else if (colon !== undefined) key = string;
    else if (BREAK.test(string)) {
      const isKept = endLine(index, '…');
      if (!QUOTED.test(key)) lines.push(...textLines(string, isKept ? `${indent}  ` : ''));
      from = end;
    }
  }
  endLine(json.length);
  return lines;
}

function textLines(string: string, indent: string): string[] {
  return unescaped(string)
    .replace(/\n+$/, '')
    .split('\n')
    .map((line) => `${indent}${line}`);
}

function unescaped(string: string): string {
  try {
    return JSON.parse(`"${string}"`);
  } catch {
    return string;
  }
}

function isJson(text: string): boolean {
  return text.startsWith('{"') || text.startsWith('[{"');
}
