import { vacuity } from './flow.ts';
import type { Assertion, AssertionKind } from './model.ts';
import {
  afterBracket,
  canonical,
  is,
  isConstant,
  namesIn,
  type Span,
  type Tokens,
  trimmed,
} from './tokens.ts';

/** What an assertion says, without where it is and what it depends on. */
export type Claim = Pick<
  Assertion,
  'kind' | 'negated' | 'subject' | 'expected' | 'vacuous' | 'tolerance' | 'matcher' | 'looserThan'
>;

export function claim(
  kind: AssertionKind,
  subject: string,
  expected = '',
  more: Partial<Omit<Claim, 'kind' | 'subject' | 'expected'>> = {},
): Claim {
  return { kind, negated: false, subject, expected, ...more };
}

/** The values that only say whether something is there. */
const NOTHING = /^(?:null|undefined|None|nil|NULL|Nothing)$/;
const TRUTH = /^(?:true|True|TRUE|false|False|FALSE)$/;

/**
 * What holds if an expression is true: one claim for each part that `and` joins.
 *
 * @param negated what holds if it is false
 */
export function claimsOf(tokens: Tokens, given: Span, negated = false): Claim[] {
  const span = withoutBrackets(tokens, trimmed(tokens, given));
  if (span.from >= span.end) return [];
  const vacuous = vacuity(tokens, span);
  if (vacuous !== undefined && !negated) return [claim('truthy', canonical(tokens, span), '', { vacuous })];
  // Of a disjunction that fails, each part is false; of a conjunction that holds, each part is true.
  for (const joint of negated ? ['||', 'or'] : ['&&', 'and']) {
    const parts = partsAt(tokens, span, joint);
    if (parts.length > 1) return parts.flatMap((part) => claimsOf(tokens, part, negated));
  }
  const isOpen = (negated ? ['&&', 'and'] : ['||', 'or']).some(
    (each) => partsAt(tokens, span, each).length > 1,
  );
  if (isOpen) return [claim('bounded', canonical(tokens, span), '', { negated })];
  if (is(tokens, span.from, '!', 'not'))
    return claimsOf(tokens, { from: span.from + 1, end: span.end }, !negated);
  return [comparison(tokens, span, negated)];
}

function withoutBrackets(tokens: Tokens, span: Span): Span {
  const isBracketed = is(tokens, span.from, '(') && afterBracket(tokens, span.from) === span.end;
  // A comma makes it a tuple.
  if (!isBracketed || partsAt(tokens, { from: span.from + 1, end: span.end - 1 }, ',').length > 1)
    return span;
  return withoutBrackets(tokens, { from: span.from + 1, end: span.end - 1 });
}

function partsAt(tokens: Tokens, { from, end }: Span, joint: string): Span[] {
  const parts: Span[] = [];
  let begin = from;
  for (let at = from; at <= end; at++) {
    if (at === end || is(tokens, at, joint)) {
      if (begin < at) parts.push({ from: begin, end: at });
      begin = at + 1;
    } else if ((tokens[at]?.partner ?? -1) > at) at = Math.min(afterBracket(tokens, at) - 1, end);
  }
  return parts;
}

const OPERATORS: Readonly<Record<string, { kind: AssertionKind; negated: boolean }>> = {
  '===': { kind: 'equal', negated: false },
  '==': { kind: 'equal', negated: false },
  '!==': { kind: 'equal', negated: true },
  '!=': { kind: 'equal', negated: true },
  is: { kind: 'equal', negated: false },
  '<': { kind: 'bounded', negated: false },
  '>': { kind: 'bounded', negated: false },
  '<=': { kind: 'bounded', negated: false },
  '>=': { kind: 'bounded', negated: false },
  in: { kind: 'part', negated: false },
  instanceof: { kind: 'bounded', negated: false },
  '=~': { kind: 'part', negated: false },
  '!~': { kind: 'part', negated: true },
};

function comparison(tokens: Tokens, span: Span, negated: boolean): Claim {
  for (let at = span.from; at < span.end; at++) {
    const operator = tokens[at]?.kind === 'string' ? undefined : OPERATORS[tokens[at]?.text ?? ''];
    if (operator && at > span.from) return compared(tokens, span, at, operator, negated);
    if ((tokens[at]?.partner ?? -1) > at) at = afterBracket(tokens, at) - 1;
  }
  return truthOf(tokens, span, negated);
}

interface Operator {
  readonly kind: AssertionKind;
  readonly negated: boolean;
}

function compared(
  tokens: Tokens,
  span: Span,
  at: number,
  { kind, negated: opposite }: Operator,
  negated: boolean,
): Claim {
  // `is not`, `not in`
  const notAfter = is(tokens, at + 1, 'not') ? 1 : 0;
  const notBefore = is(tokens, at - 1, 'not') ? 1 : 0;
  const left = { from: span.from, end: at - notBefore };
  const right = { from: at + 1 + notAfter, end: span.end };
  const isNegated = (negated !== opposite) !== notAfter + notBefore > 0;
  return claimOfTwo(tokens, left, right, { kind, negated: isNegated });
}

/** What an operator between two values says, or a function of two values such as `assertEqual(a, b)`. */
export function claimOfTwo(
  tokens: Tokens,
  left: Span,
  right: Span,
  { kind, negated: isNegated }: Operator,
): Claim {
  // `19.98 == total`
  const [subject, expected] =
    kind === 'equal' && isConstant(tokens, left) && !isConstant(tokens, right)
      ? [right, left]
      : [left, right];
  const value = canonical(tokens, expected);
  const about = canonical(tokens, subject);
  // `status in (200, 500)`: one of several.
  if (kind === 'part' && isList(tokens, right) && !isConstant(tokens, left))
    return claim('bounded', about, value, { negated: isNegated });
  if (kind === 'part') return claim('part', value, about, { negated: isNegated });
  if (kind === 'equal' && NOTHING.test(value))
    return isNegated ? claim('exists', about) : claim('equal', about, value);
  if (kind === 'equal' && TRUTH.test(value)) return claim('equal', about, value, { negated: isNegated });
  // `x != 3` holds for nearly every x.
  if (kind === 'equal' && isNegated) return claim('bounded', about, value, { negated: true });
  const near = kind === 'equal' ? approximation(tokens, expected) : undefined;
  if (near !== undefined) return claim('near', about, value, { negated: isNegated, tolerance: near });
  return claim(kind, about, value, { negated: isNegated });
}

/** Whether the members of a list are written out. */
function isList(tokens: Tokens, { from, end }: Span): boolean {
  return is(tokens, from, '(', '[', '{') && afterBracket(tokens, from) === end;
}

/** The tolerance in `approx(x, rel=1e-6)`; undefined if the value is no approximation. */
function approximation(tokens: Tokens, span: Span): number | undefined {
  const names = namesIn(tokens, span);
  if (!names.has('approx') && !names.has('isclose') && !names.has('ApproxEqual')) return undefined;
  for (let at = span.from; at < span.end - 2; at++)
    if (is(tokens, at, 'rel', 'abs', 'rel_tol', 'abs_tol') && is(tokens, at + 1, '='))
      return Number(tokens[at + 2]?.text.replaceAll('_', ''));
  return 1e-6;
}

/** Functions that say more than that something is true, by name. */
const PREDICATES: readonly (readonly [RegExp, AssertionKind])[] = [
  [
    /^(?:isinstance|is_a\?|kind_of\?|instance_of\?|isInstance|issubclass|isArray|isInteger|isFinite|isNaN|hasattr|respond_to\?)$/,
    'bounded',
  ],
  [/^(?:is_?ok|is_?some|is_?err|is_?none|isPresent|isDefined|isNotNull|present\?|any\?)$/i, 'exists'],
  [
    /^(?:starts_?with|ends_?with|startsWith|endsWith|contains|includes?\??|match\??|has|hasOwn|contains_key|containsKey|has_key|test|matches)$/i,
    'part',
  ],
  [/^(?:equals?|deep_?equal|eql\?|isEqual|deepEquals|SequenceEqual|Equal|DeepEqual|eq)$/i, 'equal'],
  [/^(?:isclose|almost_equal|allclose|approx_eq)$/i, 'near'],
];

/** A truth value that is no comparison: a predicate with its arguments, or any other expression. */
export function truthOf(tokens: Tokens, span: Span, negated: boolean): Claim {
  const text = canonical(tokens, span);
  const last = span.end - 1;
  if (is(tokens, last, ')')) {
    const open = tokens[last]?.partner ?? -1;
    const name = tokens[open - 1]?.text ?? '';
    const kind = PREDICATES.find(([pattern]) => pattern.test(name))?.[1];
    if (kind !== undefined && open > span.from) {
      const hasReceiver = is(tokens, open - 2, '.', '::', '&.', '->', '?.');
      const receiver = canonical(tokens, { from: span.from, end: open - 2 });
      const args = canonical(tokens, { from: open + 1, end: last });
      const [first = '', ...rest] = args.split(' , ');
      return hasReceiver
        ? claim(kind, receiver, args, { negated })
        : claim(kind, first, rest.join(' , '), { negated });
    }
  }
  return claim('truthy', text, '', { negated });
}

/**
 * The same claim for languages whose conditions are truth values only: `ok` and `ok == true` say the same, less than a value
 * and more than that something is there.
 */
export function asTruthValue(each: Claim): Claim {
  const { kind, subject, expected, negated, vacuous } = each;
  if (vacuous !== undefined) return each;
  if (kind === 'truthy') return claim('bounded', subject, 'true', { negated });
  if (kind === 'equal' && TRUTH.test(expected))
    return claim('bounded', subject, 'true', { negated: negated !== /^f/i.test(expected) });
  return each;
}
