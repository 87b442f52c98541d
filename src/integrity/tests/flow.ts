import type { Token } from '../lexer.ts';
import {
  afterBracket,
  canonical,
  inside,
  is,
  isConstant,
  isOneOf,
  type Span,
  spansAround,
  type Tokens,
} from './tokens.ts';

// What keeps a statement of a test from running, or its failure from counting.

/** The words of a language that decide what runs. */
export interface FlowWords {
  readonly conditions: readonly string[];
  readonly branches: readonly string[];
  readonly tries: readonly string[];
  readonly catches: readonly string[];
  /** What ends the rest of a block: `return`, `throw`, `exit`. */
  readonly exits: readonly string[];
  /** Which clauses catch a failed assertion; all without it. The others catch errors of the code alone. */
  readonly catchesFailures?: RegExp;
  /** What makes a caught failure count after all: `throw`, `fail`, an assertion. */
  readonly fails: RegExp;
  /** Conditions whose block runs if they do not hold: `unless`. */
  readonly inverse?: readonly string[];
  /**
   * What the word of a condition is where it begins no statement: a part of an expression, as in Python, or a condition of
   * the statement before it, as in Ruby.
   */
  readonly elsewhere?: 'expression' | 'modifier';
  /** What else keeps a block from running or failing, by the word at which it is found. */
  readonly special?: Readonly<
    Record<string, (tokens: Tokens, index: number, span: Span) => Block | undefined>
  >;
  /** The values of a condition that never holds, and of one that always does. */
  readonly never: readonly string[];
  readonly always: readonly string[];
  /** What a block on a condition contains if the test has failed when it leaves: the rest then runs in every test that passes. */
  readonly reports?: RegExp;
}

export interface Flow {
  readonly dead: boolean;
  readonly swallowed: boolean;
  readonly condition?: string | undefined;
}

/** Tokens that have something in common. */
export interface Block extends Span {
  readonly dead?: boolean;
  readonly swallowed?: boolean;
  readonly condition?: string;
}

/** The conditions that must hold together; undefined if there is none. */
export function allOf(...conditions: readonly (string | undefined)[]): string | undefined {
  return conditions.filter(Boolean).join(' && ') || undefined;
}

/** The flow of a helper's assertion where the helper is called. */
export function calledIn(inner: Flow, outer: Flow): Flow {
  return {
    dead: inner.dead || outer.dead,
    swallowed: inner.swallowed || outer.swallowed,
    condition: allOf(inner.condition, outer.condition),
  };
}

/** Returns a function that says what a token's statement depends on inside of the span. */
export function flowIn(tokens: Tokens, span: Span, words: FlowWords): (index: number) => Flow {
  const blocksAround = spansAround(blocksIn(tokens, span, words));
  return (index) => {
    let dead = false;
    let swallowed = false;
    let condition: string | undefined;
    for (const block of blocksAround(index)) {
      dead ||= block.dead === true;
      swallowed ||= block.swallowed === true;
      if (block.condition) condition = condition ? `${condition} && ${block.condition}` : block.condition;
    }
    return { dead, swallowed, condition };
  };
}

function blocksIn(tokens: Tokens, span: Span, words: FlowWords): Block[] {
  const blocks: Block[] = [];
  const keywords = keywordsOf(words);
  /** The ends of the blocks around a token. */
  const ends: number[] = [];
  for (let index = span.from; index < span.end; index++) {
    const token = tokens[index] as Token;
    const { text } = token;
    while ((ends.at(-1) ?? span.end) <= index) ends.pop();
    if (token.partner > index && (text === '{' || token.kind === 'indent'))
      ends.push(Math.min(token.partner, span.end));
    if (token.kind !== 'name' || !keywords.has(text)) continue;
    const endAround = ends.at(-1) ?? span.end;
    const special = words.special?.[text]?.(tokens, index, span);
    if (special) blocks.push(special);
    if (is(tokens, index - 1, '.', '&.', '?.', '->', '::')) continue;
    if (words.conditions.includes(text)) {
      const isElsewhere = words.elsewhere !== undefined && !followsStatement(tokens, index);
      if (isElsewhere && words.elsewhere === 'expression') continue;
      const isModifier = isElsewhere && tokens[index + 1]?.kind !== 'indent';
      const given = conditionOf(tokens, index, span);
      const condition = words.inverse?.includes(text) ? inverse(given, words) : given;
      const block = isModifier ? statementBefore(tokens, index, span) : blockAfter(tokens, index, span);
      if (!block) continue;
      const isNever = words.never.includes(condition);
      if (isNever) blocks.push({ ...block, dead: true });
      else if (!words.always.includes(condition)) blocks.push({ ...block, condition });
      const exits =
        endsIn(tokens, block, words.exits) && words.reports?.test(canonical(tokens, block)) !== true;
      // What follows an exit on a condition runs on the opposite; after `if (true) return`, never.
      if (exits && !isNever) {
        const rest = { from: block.end, end: endAround };
        blocks.push(
          words.always.includes(condition)
            ? { ...rest, dead: true }
            : { ...rest, condition: `not ( ${condition} )` },
        );
      }
    } else if (words.branches.includes(text)) {
      const block = blockAfter(tokens, index, span);
      if (block) blocks.push({ ...block, condition: text });
      // What follows a clause that ends the test without a failure runs only if nothing was caught.
      const isEnd =
        block &&
        words.catches.includes(text) &&
        endsIn(tokens, block, words.exits) &&
        !words.fails.test(canonical(tokens, block));
      if (isEnd) blocks.push({ from: block.end, end: endAround, condition: `no ${text}` });
    } else if (words.tries.includes(text)) {
      const block = blockAfter(tokens, index, span);
      const dropping = block ? droppingClauses(tokens, block, span, words) : [];
      const { catchesFailures } = words;
      const [first] = dropping;
      if (!block || first === undefined) continue;
      const isSwallowing = !catchesFailures || dropping.some((clause) => catchesFailures.test(clause));
      blocks.push({ ...block, ...(isSwallowing ? { swallowed: true } : { condition: `no ${first}` }) });
    } else if (words.exits.includes(text) && isStatement(tokens, index)) {
      // An exit inside of a condition was handled with it.
      blocks.push({ from: endOfStatement(tokens, index, span), end: endAround, dead: true });
    }
  }
  return blocks;
}

const known = new WeakMap<FlowWords, ReadonlySet<string>>();

/** All words at which something is decided. */
function keywordsOf(words: FlowWords): ReadonlySet<string> {
  const found = known.get(words);
  if (found) return found;
  const { conditions, branches, tries, exits, special = {} } = words;
  const made = new Set([...conditions, ...branches, ...tries, ...exits, ...Object.keys(special)]);
  known.set(words, made);
  return made;
}

function inverse(condition: string, { never, always }: FlowWords): string {
  if (never.includes(condition)) return always[0] ?? condition;
  return always.includes(condition) ? (never[0] ?? condition) : `not ( ${condition} )`;
}

/** Whether nothing of the same statement is before a token. */
function followsStatement(tokens: Tokens, index: number): boolean {
  const before = tokens[index - 1];
  return !before || /^(?:newline|indent|dedent)$/.test(before.kind) || before.text === ';';
}

/** The statement that a modifier at its end belongs to. */
export function statementBefore(tokens: Tokens, index: number, span: Span): Span {
  let from = index;
  while (from > span.from && !followsStatement(tokens, from)) {
    const { partner } = tokens[from - 1] as Token;
    from = partner !== -1 && partner < from - 1 ? partner : from - 1;
  }
  return { from, end: index };
}

/** The condition after a keyword, in canonical form and without its brackets. */
function conditionOf(tokens: Tokens, index: number, span: Span): string {
  const first = tokens[index + 1];
  if (first?.text === '(' && first.partner > index) {
    const after = tokens[first.partner + 1];
    if (!after || !/^(?:&&|\|\||[=!<>]=*|and|or|\.)$/.test(after.text))
      return canonical(tokens, inside(tokens, index + 1));
  }
  const from = first?.kind === 'indent' ? index + 2 : index + 1;
  let end = from;
  while (end < span.end) {
    const token = tokens[end] as Token;
    if (token.kind === 'newline' || token.kind === 'indent' || token.text === '{' || token.text === ':')
      break;
    if (token.text === 'then') break;
    end = token.partner > end ? token.partner + 1 : end + 1;
  }
  return canonical(tokens, { from, end });
}

/** The block that a keyword begins: in braces, by indentation, up to `end`, or a single statement. */
export function blockAfter(tokens: Tokens, index: number, span: Span): Span | undefined {
  let at = index + 1;
  const first = tokens[at];
  // Go's `if v := f(); v > 0 {`
  const hasHeader = first?.text !== '(' && is(tokens, index, 'if', 'switch', 'for');
  if (first?.text === '(' && first.partner > at) at = first.partner + 1;
  for (; at < span.end; at++) {
    const token = tokens[at] as Token;
    if (token.kind === 'indent' || token.text === '{') return inside(tokens, at);
    if (token.kind === 'newline') {
      if (tokens[at + 1]?.kind === 'indent') continue;
      return { from: index + 1, end: at };
    }
    if (token.text === ';' && !hasHeader) return { from: index + 1, end: at };
    // A single statement without braces, after the condition in brackets.
    if (
      first?.text === '(' &&
      at === first.partner + 1 &&
      token.kind === 'name' &&
      !/^(?:and|or|in|is|not|if)$/.test(token.text)
    )
      return { from: at, end: endOfStatement(tokens, at, span) };
    if (token.partner > at) at = token.partner;
  }
  return undefined;
}

function endOfStatement(tokens: Tokens, index: number, span: Span): number {
  const line = tokens[index]?.line;
  let at = index;
  while (at < span.end) {
    const token = tokens[at] as Token;
    if (token.kind === 'newline' || token.text === ';' || token.text === '}' || token.kind === 'dedent')
      return at;
    // Languages without line ends in their tokens: a name at the beginning of a later line begins a statement.
    if (
      token.line !== line &&
      token.kind === 'name' &&
      at > index &&
      /^[)\]}\w"'`]/.test(tokens[at - 1]?.text ?? '')
    )
      return at;
    at = token.partner > at ? token.partner + 1 : at + 1;
  }
  return span.end;
}

/** Whether a keyword begins a statement, so that it is no part of an expression or a modifier. */
function isStatement(tokens: Tokens, index: number): boolean {
  const before = tokens[index - 1];
  if (!before) return true;
  if (before.kind === 'newline' || before.kind === 'indent' || before.kind === 'dedent') {
    // Ruby's modifiers: `return if x` is on a condition; Python's `return a if x else b` is not.
    const line = tokens[index]?.line;
    let isModified = false;
    for (let at = index + 1; at < tokens.length && tokens[at]?.line === line; at++) {
      if (is(tokens, at, 'if', 'unless')) isModified = true;
      if (is(tokens, at, 'else')) return true;
    }
    return !isModified;
  }
  return /^[;{}]$/.test(before.text);
}

/** Whether a block ends with an exit that is not inside of another block. */
function endsIn(tokens: Tokens, { from, end }: Span, exits: readonly string[]): boolean {
  for (let at = from; at < end; at++) {
    const token = tokens[at] as Token;
    if (token.kind === 'name' && exits.includes(token.text) && (at === from || isStatement(tokens, at)))
      return true;
    if (token.partner > at) at = token.partner;
  }
  return false;
}

/** Whether the block of a loop is left in its first round, whatever it finds. */
export function leaves(tokens: Tokens, block: Span): boolean {
  return endsIn(tokens, block, ['break', 'return']);
}

/** The clauses after a `try` block that drop what they catch. */
function droppingClauses(tokens: Tokens, block: Span, span: Span, words: FlowWords): string[] {
  const dropping: string[] = [];
  let at = afterBlock(tokens, block.end, span);
  // Ruby's clauses are inside of the block.
  let clause = isOneOf(tokens, at, words.catches) ? at : clauseInside(tokens, block, words);
  while (clause !== -1) {
    const handler = blockAfter(tokens, clause, span) ?? { from: clause + 1, end: clause + 1 };
    const caught = canonical(tokens, { from: clause, end: handler.from });
    if (
      !/Skip|ImportError|ModuleNotFound|Timeout(?!.*Assert)/.test(caught) &&
      !words.fails.test(codeIn(tokens, handler))
    )
      dropping.push(caught);
    at = afterBlock(tokens, handler.end, span);
    clause = isOneOf(tokens, at, words.catches) ? at : -1;
  }
  return dropping;
}

/** The index of what follows a block. */
function afterBlock(tokens: Tokens, end: number, span: Span): number {
  let at = end;
  while (
    at < span.end &&
    (tokens[at]?.text === '}' || tokens[at]?.kind === 'dedent' || tokens[at]?.kind === 'newline')
  )
    at++;
  return at;
}

/** The canonical text of a span without what its strings say: a failure that is only printed is dropped. */
function codeIn(tokens: Tokens, { from, end }: Span): string {
  const code = tokens.slice(from, end).filter(({ kind }) => kind !== 'string');
  return canonical(code, { from: 0, end: code.length });
}

function clauseInside(tokens: Tokens, { from, end }: Span, { catches }: FlowWords): number {
  // In braces, the clauses of the block come after it: those inside belong to another `try`.
  if (is(tokens, from - 1, '{')) return -1;
  for (let at = from; at < end; at++) {
    if (isOneOf(tokens, at, catches) && tokens[at]?.kind === 'name') return at;
    const { partner } = tokens[at] as Token;
    if (partner > at) at = partner;
  }
  return -1;
}

/** Why an expression is true in every run; undefined if it may be false. */
export function vacuity(tokens: Tokens, span: Span): string | undefined {
  if (isConstant(tokens, span)) return 'it is constant';
  for (const operator of ['||', 'or']) {
    const at = lastAtTop(tokens, span, operator);
    if (
      at !== -1 &&
      /^(?:true|True|1|! false|not False)$/.test(canonical(tokens, { from: at + 1, end: span.end }))
    )
      return 'it is true in any case';
  }
  for (const operator of ['===', '==', '>=', '<=', 'is']) {
    const at = lastAtTop(tokens, span, operator);
    if (at === -1) continue;
    const left = canonical(tokens, { from: span.from, end: at });
    const right = canonical(tokens, { from: at + 1, end: span.end });
    if (left === right && left !== '') return 'it compares a value with itself';
    if (operator === '>=' && right === '0' && /(?:len \(|\. (?:length|size|count|Length|Count)\b)/.test(left))
      return 'a length is never below 0';
  }
  return undefined;
}

function lastAtTop(tokens: Tokens, { from, end }: Span, text: string): number {
  let found = -1;
  for (let at = from; at < end; at++) {
    if (is(tokens, at, text)) found = at;
    else if ((tokens[at] as Token).partner > at) at = afterBracket(tokens, at) - 1;
  }
  return found;
}
