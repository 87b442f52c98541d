import type { Assertion } from './model.ts';
import { canonical, is, isName, type Span, type Tokens } from './tokens.ts';

// Statements, and the values that names have in them.

/** Whether a statement begins at a token. */
export function beginsStatement(tokens: Tokens, at: number): boolean {
  const before = tokens[at - 1];
  if (!before) return true;
  const { kind, text } = before;
  if (kind === 'sign') return text === ';' || text === '{' || text === '}';
  return kind === 'newline' || kind === 'indent' || kind === 'dedent';
}

/** The index of the end of a line or statement that is not inside of brackets. */
export function endOfStatement(tokens: Tokens, from: number): number {
  for (let at = from; at < tokens.length; at++) {
    const { kind, text, partner } = tokens[at] as Tokens[number];
    if (kind === 'newline' || kind === 'indent' || kind === 'dedent' || text === ';') return at;
    if (partner > at) at = partner;
    else if (partner !== -1 && partner < from) return at;
  }
  return tokens.length;
}

/** The values of the names that are set once: where they are, and their canonical text. */
export interface Values {
  readonly spans: ReadonlyMap<string, Span>;
  readonly texts: ReadonlyMap<string, string>;
}

/** The values of names in a function, and those of the file that it does not set. */
export function valuesIn(tokens: Tokens, span: Span, known: ReadonlyMap<string, Span>): Values {
  const spans = new Map<string, Span>();
  const changed = new Set<string>();
  for (let at = span.from; at < span.end; at++) {
    if (!isName(tokens, at)) continue;
    const name = tokens[at]?.text ?? '';
    const next = tokens[at + 1]?.text ?? '';
    if (next === '=' && beginsStatement(tokens, at)) {
      if (spans.has(name)) changed.add(name);
      spans.set(name, { from: at + 2, end: endOfStatement(tokens, at) });
    } else if (
      (next.length > 1 && /^(?:[-+*/%|&^.:]|\*\*|<<|>>|\/\/|\|\||&&|\?\?)=$/.test(next)) ||
      is(tokens, at - 1, 'as', 'nonlocal', 'global', 'for') ||
      isOneOfTargets(tokens, at)
    )
      changed.add(name);
  }
  for (const [name, value] of known) if (!spans.has(name)) spans.set(name, value);
  for (const name of changed) spans.delete(name);
  return { spans, texts: new Map([...spans].map(([name, value]) => [name, canonical(tokens, value)])) };
}

/** `a, b = f()` */
function isOneOfTargets(tokens: Tokens, at: number): boolean {
  if (!is(tokens, at - 1, ',') || !is(tokens, at + 1, '=', 'in', ',')) return false;
  return !is(tokens, at + 1, '=') || beginsStatement(tokens, at - 2) || is(tokens, at - 2, ',');
}

const NAME = /^(?!(?:true|false|null|nil|None|True|False)$)[$@A-Za-z_]\w*$/;

/** The value of a name: for what is expected any that is written out, for what is tested the call that made it. */
export function settledValue(text: string, { texts }: Values, isExpected: boolean): string {
  const value = NAME.test(text) ? texts.get(text) : undefined;
  if (value === undefined || value === text) return text;
  // A name for another name.
  if (NAME.test(value)) return settledValue(value, { texts, spans: new Map() }, isExpected);
  const isList = /^[[({]/.test(value);
  const isCalled = / \)$/.test(value);
  return /^(?:-? ?[\d.]|\w{0,2}"|')/.test(value) || isPlain(value) || (isExpected && isList) || isCalled
    ? value
    : text;
}

/** Whether canonical text is a number, a string, or a constant. */
export function isPlain(text: string): boolean {
  return /^(?:-? ?[\d.][\w.]*|[rbuRBU]?"[^"]*"|'[^']*'|True|False|None|true|false|nil|null)$/.test(text);
}

/** An assertion that compares what is written twice, or constants, as what it says. */
export function withoutTautology(each: Assertion): Assertion {
  const { subject, expected, kind, negated } = each;
  if (kind !== 'equal' && each.vacuous === undefined) return each;
  const isSame = subject === expected || each.vacuous === 'it compares a value with itself';
  // Two calls may differ, but they say nothing of the value.
  if (isSame && !negated && / \)/.test(subject)) return { ...each, kind: 'bounded', vacuous: undefined };
  if (kind === 'equal' && isSame && !negated) return { ...each, vacuous: 'it compares a value with itself' };
  if (kind === 'equal' && isPlain(subject) && isPlain(expected))
    return { ...each, vacuous: 'it compares constants' };
  return each;
}

/** An assertion with values in place of names, such as those of the parameters of a function. */
export function substituted<T extends Pick<Assertion, 'subject' | 'expected'>>(
  each: T,
  values: ReadonlyMap<string, string>,
): T {
  return {
    ...each,
    subject: replaced(each.subject, values),
    expected: replaced(each.expected, values),
  };
}

/** Replaces names in a canonical text, except members. */
function replaced(text: string, values: ReadonlyMap<string, string>): string {
  if (values.size === 0 || text === '') return text;
  const words = text.split(' ');
  return words
    .map((word, at) => (words[at - 1] === '.' || words[at - 1] === '?.' ? word : (values.get(word) ?? word)))
    .join(' ');
}
