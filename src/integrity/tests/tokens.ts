import type { Token } from '../lexer.ts';

// Steps through tokens that all readers share.

/** A range of tokens: from the first to before `end`. */
export interface Span {
  readonly from: number;
  readonly end: number;
}

export type Tokens = readonly Token[];

/** Whether the token at an index has one of these texts, and is no string. */
export function is(tokens: Tokens, index: number, ...texts: readonly string[]): boolean;
export function is(
  tokens: Tokens,
  index: number,
  first?: string,
  second?: string,
  third?: string,
  ...others: readonly string[]
): boolean {
  const token = tokens[index];
  if (token === undefined || token.kind === 'string') return false;
  const { text } = token;
  // Most calls ask for a text or two: no array is made for them.
  return text === first || text === second || text === third || (others.length > 0 && others.includes(text));
}

/** Whether the token at an index has a text of a list, and is no string. */
export function isOneOf(tokens: Tokens, index: number, texts: readonly string[]): boolean {
  const token = tokens[index];
  if (token === undefined || token.kind === 'string') return false;
  // Called for nearly every token: a loop is twice as fast as `includes`.
  for (const text of texts) if (text === token.text) return true;
  return false;
}

export function isName(tokens: Tokens, index: number): boolean {
  return tokens[index]?.kind === 'name';
}

/** The index after the bracket that closes the one at `index`; the end of the tokens if it is missing. */
export function afterBracket(tokens: Tokens, index: number): number {
  const partner = tokens[index]?.partner ?? -1;
  return partner > index ? partner + 1 : tokens.length;
}

/** What is between a bracket or the beginning of a block, and its end. */
export function inside(tokens: Tokens, index: number): Span {
  const end = afterBracket(tokens, index);
  return { from: index + 1, end: Math.max(index + 1, tokens[end - 1]?.partner === index ? end - 1 : end) };
}

/** Splits a span at separators that are not inside of brackets: arguments, elements, rows. Empty parts are left out. */
export function split(tokens: Tokens, { from, end }: Span, separator = ','): Span[] {
  const parts: Span[] = [];
  let begin = from;
  for (let index = from; index <= end; index++) {
    if (index < end && !is(tokens, index, separator)) {
      const token = tokens[index] as Token;
      if (token.partner > index && token.partner < end) index = token.partner;
      continue;
    }
    const part = trimmed(tokens, { from: begin, end: index });
    if (part.from < part.end) parts.push(part);
    begin = index + 1;
  }
  return parts;
}

/** Without line ends and block marks at both ends. */
export function trimmed(tokens: Tokens, { from, end }: Span): Span {
  let first = from;
  let last = end;
  while (first < last && tokens[first]?.kind === 'newline') first++;
  while (last > first && tokens[last - 1]?.kind === 'newline') last--;
  return { from: first, end: last };
}

/** The index of the first token with one of these texts in a span, not inside of brackets; -1 if there is none. */
export function find(tokens: Tokens, { from, end }: Span, ...texts: readonly string[]): number {
  for (let index = from; index < end; index++) {
    if (isOneOf(tokens, index, texts)) return index;
    const { partner } = tokens[index] as Token;
    if (partner > index && partner < end) index = partner;
  }
  return -1;
}

/**
 * The text of a span in a form that formatting does not change: one blank between tokens, double quotes, no line ends, no
 * comma before a closing bracket, no semicolons.
 */
export function canonical(tokens: Tokens, { from, end }: Span): string {
  const words: string[] = [];
  for (let index = from; index < Math.min(end, tokens.length); index++) {
    const { kind, text } = tokens[index] as Token;
    if (kind === 'newline' || text === ';' || text === '') continue;
    if (words.at(-1) === ',' && (text === ')' || text === ']' || text === '}')) words.pop();
    words.push(kind === 'string' ? canonicalString(text) : text);
  }
  return words.join(' ');
}

function canonicalString(text: string): string {
  const match = /^(['`])([\s\S]*)\1$/.exec(text);
  const inner = match?.[2];
  return inner === undefined || inner.includes('"') || inner.includes('${') ? text : `"${inner}"`;
}

/** The value of a string literal, as far as it is plain text: without quotes and prefixes. */
export function stringValue(token: Token | undefined): string | undefined {
  if (token?.kind !== 'string') return undefined;
  const match = /^[a-zA-Z$@]*(?:r?#*)?("""|'''|"|'|`)([\s\S]*?)\1#*$/.exec(token.text);
  return match?.[2] ?? token.text;
}

/** The names in a span, without those after a dot if `members` is false. */
export function namesIn(tokens: Tokens, { from, end }: Span): Set<string> {
  const names = new Set<string>();
  for (let index = from; index < end; index++)
    if (tokens[index]?.kind === 'name') names.add((tokens[index] as Token).text);
  return names;
}

const known = new WeakMap<Tokens, ReadonlyMap<string, readonly number[]>>();

/** Where a name is in a span. The places of all names are looked up once. */
export function placesIn(tokens: Tokens, name: string, { from, end }: Span): readonly number[] {
  const places = placesOf(tokens).get(name) ?? [];
  return places.slice(firstFrom(places, from), firstFrom(places, end));
}

/** How often a name is in a span. */
export function countName(tokens: Tokens, name: string, span: Span): number {
  return placesIn(tokens, name, span).length;
}

function placesOf(tokens: Tokens): ReadonlyMap<string, readonly number[]> {
  const found = known.get(tokens);
  if (found) return found;
  const places = new Map<string, number[]>();
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== 'name') continue;
    const others = places.get(text);
    if (others) others.push(index);
    else places.set(text, [index]);
  }
  known.set(tokens, places);
  return places;
}

/** The index in a sorted list of the first number that is not below another one. */
function firstFrom(numbers: readonly number[], least: number): number {
  let low = 0;
  for (let high = numbers.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** More than any code has around one token; what is written to have more would take the square of its size. */
const MOST_AROUND = 64;

/** Returns a function that gives the spans around an index, the outermost first. */
export function spansAround<T extends Span>(spans: readonly T[]): (index: number) => readonly T[] {
  if (spans.length === 0) return () => [];
  const sorted = spans.filter(({ from, end }) => from < end).toSorted((a, b) => a.from - b.from);
  const edges = [...new Set(sorted.flatMap(({ from, end }) => [from, end]))].toSorted((a, b) => a - b);
  let next = 0;
  let around: T[] = [];
  const segments = edges.map((edge) => {
    around = around.filter(({ end }) => end > edge);
    for (; sorted[next]?.from === edge; next++)
      if (around.length < MOST_AROUND) around.push(sorted[next] as T);
    return [...around];
  });
  return (index) => segments[firstFrom(edges, index + 1) - 1] ?? [];
}

/** The literals in a span: texts without quotes, and numbers. */
export function literalsIn(tokens: Tokens, { from, end }: Span): Set<string> {
  const literals = new Set<string>();
  for (let index = from; index < end; index++) {
    const token = tokens[index] as Token;
    if (token.kind === 'number') literals.add(token.text);
    else if (token.kind === 'string') literals.add(stringValue(token) ?? token.text);
  }
  return literals;
}

/** Whether a span consists of literals, brackets, separators and operators: it has the same value in every run. */
export function isConstant(tokens: Tokens, { from, end }: Span): boolean {
  if (from >= end) return false;
  for (let index = from; index < end; index++) {
    const { kind, text } = tokens[index] as Token;
    if (kind === 'name' && !CONSTANTS.has(text)) return false;
    if (kind === 'string' && /\$\{|#\{|^[fF]["']|^\$/.test(text)) return false;
  }
  return true;
}

const CONSTANTS = new Set(
  'true false null undefined None True False nil NaN Infinity TRUE FALSE NULL not and or'.split(' '),
);

/** The number of statements in a block, as far as lines and semicolons show. */
export function countStatements(tokens: Tokens, { from, end }: Span): number {
  let statements = 0;
  let line = -1;
  for (let index = from; index < end; index++) {
    const token = tokens[index] as Token;
    if (token.kind === 'newline' || token.kind === 'indent' || token.kind === 'dedent') continue;
    if (/^[;{}()[\],]$/.test(token.text)) continue;
    if (token.line !== line) statements++;
    line = token.line;
  }
  return statements;
}
