import { MOST_INHERITED } from '../collect-assertions.ts';
import { type Claim, claim, claimsOf } from '../comparison.ts';
import { blockAfter } from '../flow.ts';
import type { Assertion, AssertionKind } from '../model.ts';
import {
  afterBracket,
  canonical,
  inside,
  is,
  isConstant,
  isName,
  type Span,
  split,
  stringValue,
  type Tokens,
} from '../tokens.ts';
import { flowOf, merged } from './flow.ts';
import {
  CHAIN_WORDS,
  MATCHERS,
  type Matcher,
  METHODS,
  PROPERTIES,
  THROWING,
  TYPE_ASSERTIONS,
} from './matchers.ts';
import { afterTypes, beginOfChain, type Declaration, declarationsIn, type FunctionParts } from './syntax.ts';

/** What the assertions of a file depend on, besides their own text. */
export interface AssertionContext {
  readonly tokens: Tokens;
  /** The functions of the file: their assertions belong to the tests that call them. */
  readonly helpers: ReadonlyMap<string, FunctionParts>;
  /** Names of assertions that the file declares itself, so that they assert nothing. */
  readonly fakes: ReadonlySet<string>;
  /** Whether matchers of elements return promises, as those of Playwright do. */
  readonly hasAsyncMatchers: boolean;
  readonly ofHelper: (helper: FunctionParts) => readonly Assertion[];
}

/** A context with the variables of one function. */
interface Scope extends AssertionContext {
  readonly declarations: readonly Declaration[];
}

interface Found {
  readonly claims: readonly Claim[];
  readonly end: number;
  readonly floating?: boolean;
}

/** The names that an assertion begins with: a look at each before the others. */
const BEGINNINGS = new Set(
  'expect Expect assert should if ok t tap sinon chai QUnit strict is and expectTypeOf'.split(' '),
);

function mayAssert(name: string): boolean {
  return (
    BEGINNINGS.has(name) ||
    (name.length > 5 && /^(?:expect|assert|should|verify|check|ensure|must)/.test(name))
  );
}

/** The assertions of a function, with those of the helpers that it calls. */
export function assertionsIn(context: AssertionContext, parts: FunctionParts): Assertion[] {
  const { tokens, helpers, fakes } = context;
  const { body } = parts;
  const declarations = declarationsIn(tokens, body);
  const scope = { ...context, declarations };
  const flow = flowOf(tokens, parts, declarations);
  const assertions: Assertion[] = [];
  for (let at = body.from; at < body.end; at++) {
    if (!isName(tokens, at)) continue;
    const name = tokens[at]?.text ?? '';
    const line = tokens[at]?.line ?? 0;
    const helper = helpers.get(name);
    // Its assertions are about its parameters; what is asserted is in the call.
    const isAssert = name === 'assert' || name === 'ok';
    const isOwn = helper && helper.body.from <= at && at < helper.body.end;
    const isCall = is(tokens, at + 1, '(') && !is(tokens, at - 1, '.', '?.', 'function');
    if (helper && isCall && !isOwn && !isAssert && !fakes.has(name)) {
      if (assertions.length > MOST_INHERITED) continue;
      const around = flow(at);
      for (const inner of context.ofHelper(helper))
        assertions.push({ ...inner, line, ...merged(inner, around) });
      continue;
    }
    const found = mayAssert(name) ? assertionAt(scope, at) : undefined;
    if (!found) continue;
    const around = flow(found.begin ?? at);
    for (const each of found.claims)
      assertions.push({ ...each, ...around, line, floating: around.floating || found.floating === true });
    // Assertions in callbacks inside of an assertion are not looked for.
    at = Math.max(at, found.end - 1);
  }
  return assertions;
}

/** The assertion that begins at a name. */
function assertionAt(scope: Scope, at: number): (Found & { readonly begin?: number }) | undefined {
  const { tokens, fakes } = scope;
  const name = tokens[at]?.text ?? '';
  const isMember = is(tokens, at - 1, '.', '?.');
  const found = isMember ? memberAssertion(scope, at) : plainAssertion(scope, at);
  if (!found || !fakes.has(name)) return found;
  const vacuous = `\`${name}\` is a function of this file`;
  return { ...found, claims: found.claims.map((each) => ({ ...each, vacuous })) };
}

function plainAssertion(scope: Scope, at: number): Found | undefined {
  const { tokens } = scope;
  const name = tokens[at]?.text ?? '';
  if (is(tokens, at - 1, 'function', 'const', 'let', 'var')) return undefined;
  const open = afterTypes(tokens, at + 1);
  if (name === 'expect' || name === 'expectTypeOf') return expectation(scope, at, open);
  if (TYPE_ASSERTIONS.has(name) && is(tokens, open, '('))
    return {
      claims: [
        claim(
          'equal',
          canonical(tokens, inside(tokens, open)),
          `${name} ${canonical(tokens, { from: at + 1, end: open })}`,
        ),
      ],
      end: afterBracket(tokens, open),
    };
  // Type challenges: Expect<Equal<A, B>>
  if (name === 'Expect' && is(tokens, at + 1, '<'))
    return { claims: [claim('equal', canonical(tokens, { from: at, end: open }), 'true')], end: open };
  if (name === 'if' && is(tokens, at + 1, '(')) return conditionalFailure(tokens, at);
  if (name === 'should' && is(tokens, at + 1, '(')) {
    const [subject] = split(tokens, inside(tokens, at + 1));
    return subject && chain(scope, subject, afterBracket(tokens, at + 1), false);
  }
  if (/^(?:assert|ok)$/.test(name) && is(tokens, at + 1, '(')) {
    const [first] = split(tokens, inside(tokens, at + 1));
    return first && { claims: truths(tokens, first), end: afterBracket(tokens, at + 1) };
  }
  if (/^(?:assert|t|tap|sinon|chai|QUnit|strict|is)$/.test(name) && is(tokens, at + 1, '.'))
    return method(scope, at);
  if (!is(tokens, at + 1, '(')) return undefined;
  // Deno's assertEquals, and functions of other files: expectTotal(cart, 3).
  const own = /^(?:assert|expect|verify|check|ensure|should|must)([A-Z_]\w*)$/.exec(name)?.[1];
  if (own === undefined) return undefined;
  const matcher = METHODS.get(own.charAt(0).toLowerCase() + own.slice(1));
  if (matcher && /^assert/.test(name)) return methodClaim(scope, at, at + 1, matcher, name);
  const args = canonical(tokens, inside(tokens, at + 1));
  return { claims: [claim('equal', args, name)], end: afterBracket(tokens, at + 1) };
}

function memberAssertion(scope: Scope, at: number): (Found & { readonly begin?: number }) | undefined {
  const { tokens } = scope;
  const name = tokens[at]?.text ?? '';
  if (name === 'should' || (name === 'and' && is(tokens, at + 1, '('))) {
    const begin = beginOfChain(tokens, at - 1, 0);
    const found = should(scope, at, begin);
    return found && { ...found, begin };
  }
  if (name === 'expect' && is(tokens, at + 1, '(')) {
    const after = afterBracket(tokens, at + 1);
    // TestCafe: t.expect(x).eql(3)
    if (is(tokens, after, '.') && MATCHERS.has(tokens[after + 1]?.text ?? ''))
      return expectation(scope, at, at + 1);
    return response(tokens, at);
  }
  // Page objects: `await cart.expectTotal(3)`.
  if (/^(?:assert|expect|verify|should)[A-Z_]\w*$/.test(name) && is(tokens, at + 1, '(')) {
    const begin = beginOfChain(tokens, at - 1, 0);
    const about = canonical(tokens, { from: begin, end: at - 1 });
    const args = canonical(tokens, inside(tokens, at + 1));
    return { claims: [claim('equal', `${about} ${args}`, name)], end: afterBracket(tokens, at + 1), begin };
  }
  return undefined;
}

/** supertest: `.expect(200)`, `.expect(200, { id: 1 })`, `.expect('content-type', /json/)`. */
function response(tokens: Tokens, at: number): Found {
  const args = split(tokens, inside(tokens, at + 1));
  const texts = args.map((arg) => canonical(tokens, arg));
  const end = afterBracket(tokens, at + 1);
  const [first] = args;
  // Assertions in a callback are read as such.
  if (first && (is(tokens, first.from, 'async', 'function') || texts[0]?.includes('=>')))
    return { claims: [], end: at + 1 };
  const isHeader = tokens[first?.from ?? -1]?.kind === 'string' && texts.length > 1;
  if (isHeader) return { claims: [claim('exact', `response . header ${texts[0]}`, texts[1])], end };
  const claims = texts
    .filter((text) => !/^(?:done|cb|callback|next)$/.test(text))
    .map((text, index) => {
      const isStatus = index === 0 && /^(?:\d+|\w+)$/.test(text);
      return claim('exact', isStatus ? 'response . status' : 'response . body', text);
    });
  return { claims, end };
}

/** `if (sum !== 3) throw new Error(…)`, `if (sum !== 3) process.exit(1)`. */
function conditionalFailure(tokens: Tokens, at: number): Found | undefined {
  const block = blockAfter(tokens, at, { from: at, end: tokens.length });
  if (!block) return undefined;
  const text = canonical(tokens, block);
  const fails =
    /^throw\b|\bprocess \. exit \( [1-9]|\bprocess \. exitCode = [1-9]|^(?:assert|expect) \. fail\b|^fail \(/;
  if (!fails.test(text)) return undefined;
  return { claims: claimsOf(tokens, inside(tokens, at + 1), true), end: block.end };
}

function truths(tokens: Tokens, span: Span, negated = false): Claim[] {
  return claimsOf(tokens, span, negated).map(reduced);
}

function expectation(scope: Scope, at: number, from: number): Found | undefined {
  const { tokens } = scope;
  let open = from;
  if (is(tokens, open, '.')) {
    // expect.soft(x), expect.poll(x), expect.element(x); expect.assertions(2) is none.
    if (is(tokens, at + 2, 'fail', 'unreachable') && is(tokens, at + 3, '('))
      return { claims: [claim('exists', '', 'fail')], end: afterBracket(tokens, at + 3) };
    if (!is(tokens, at + 2, 'soft', 'poll', 'element') || !is(tokens, at + 3, '(')) return undefined;
    open = at + 3;
  }
  let after = open;
  let subject: Span;
  if (is(tokens, open, '(')) {
    subject = split(tokens, inside(tokens, open))[0] ?? { from: open, end: open };
    after = afterBracket(tokens, open);
    // expectTypeOf<A>()
    if (subject.from === open && from > at + 1) subject = { from: at + 1, end: from };
  } else return undefined;
  const isTaken = is(tokens, at - 1, 'await', 'return', '=>', '(', ',', '[', '=', 'yield', ':');
  return chain(scope, subject, after, !isTaken, is(tokens, at - 1, '='));
}

/** `total.should.equal(3)`, `cy.get('#n').should('have.text', '3').and(…)`. */
function should(scope: Scope, at: number, begin: number): Found | undefined {
  const { tokens } = scope;
  const subject = { from: begin, end: at - 1 };
  if (!is(tokens, at + 1, '(')) return chain(scope, subject, at + 1, false);
  const [first, ...rest] = split(tokens, inside(tokens, at + 1));
  const text = first && stringValue(tokens[first.from]);
  if (text === undefined) return undefined;
  const found = matched(scope, subject, text.split('.'), rest);
  const about = canonical(tokens, subject).replace(/ \. (?:should|and) \(.*$/, '');
  return { claims: found ? [{ ...found, subject: about }] : [], end: afterBracket(tokens, at + 1) };
}

/** Matchers of elements, whose promise Playwright must wait for. */
const OF_ELEMENTS =
  /^to(?:Be(?:Visible|Hidden|Enabled|Disabled|Checked|Focused|Attached|Editable|Empty|InViewport|OK)|Have\w+|ContainText|Pass|MatchAriaSnapshot)$/;

/** Reads `.not.resolves.toBe(3)` and `.to.be.true` after the subject. */
function chain(
  scope: Scope,
  subject: Span,
  from: number,
  mayFloat: boolean,
  isKept = false,
): Found | undefined {
  const { tokens } = scope;
  const words: string[] = [];
  const claims: Claim[] = [];
  let at = from;
  let isAsync = false;
  let negated = false;
  while (is(tokens, at, '.', '?.')) {
    const word = tokens[at + 1]?.text ?? '';
    words.push(word);
    at = at + 2;
    const types = afterTypes(tokens, at);
    if (/^(?:resolves|rejects|eventually)$/.test(word)) isAsync = true;
    if (scope.hasAsyncMatchers && OF_ELEMENTS.test(word)) isAsync = true;
    if (word === 'not') negated = true;
    if (!is(tokens, types, '(')) continue;
    const typeArguments = canonical(tokens, { from: at, end: types });
    const found = matched(scope, subject, words, split(tokens, inside(tokens, types)), typeArguments);
    if (found) claims.push(found);
    else if (word === 'catch' || word === 'then' || word === 'finally')
      return { claims, end: at - 2, floating: false };
    at = afterBracket(tokens, types);
    words.length = 0;
    if (negated) words.push('not');
    if (isAsync) words.push('rejects');
  }
  // Chai's properties: `.to.be.true`.
  const last = words.at(-1) ?? '';
  if (claims.length === 0 && PROPERTIES.has(last)) {
    const found = matched(scope, subject, words, []);
    if (found) claims.push(found);
  }
  if (claims.length === 0 && !isKept && !is(tokens, at, '('))
    claims.push(incomplete(canonical(tokens, subject), last));
  return { claims, end: at, floating: isAsync && mayFloat };
}

/** An expectation without the call of a matcher. */
function incomplete(about: string, word: string): Claim {
  if (word === '' || CHAIN_WORDS.has(word))
    return claim('exists', about, '', { vacuous: 'no matcher follows' });
  const vacuous = `the matcher \`${word}\` is not called`;
  return /^to[A-Z]/.test(word) || MATCHERS.has(word)
    ? claim('exists', about, '', { vacuous })
    : claim('truthy', about, word);
}

/** What an asymmetric matcher leaves open. */
const OPEN =
  /\b(?:expect|sinon \. match|match|jasmine|vi|jest) \. (?:anything|any|objectContaining|arrayContaining|stringContaining|stringMatching|object|array|string|number|func)\b/;
const WHOLLY_OPEN = /^(?:expect|jasmine|sinon \. match|match) \. (?:anything|any)\b[^,]*$/;
/** Patterns and texts that everything matches. */
const ANYTHING = /^(?:\/(?:\.\*|\.|\.\+|\^|\$|\(\?:\)|\[\\s\\S\]\*|\^\.\*\$|\|)?\/\w*|"")$/;

function matched(
  { tokens, declarations }: Scope,
  subject: Span,
  words: readonly string[],
  args: readonly Span[],
  typeArguments = '',
): Claim | undefined {
  const word = words.at(-1) ?? '';
  const matcher = MATCHERS.get(word) ?? (/^to[A-Z]/.test(word) ? { kind: 'exact' as const } : undefined);
  if (!matcher) return undefined;
  const [first] = args;
  const texts = args.map((arg) => canonical(tokens, arg));
  const all = [typeArguments, ...texts].filter(Boolean).join(' , ');
  const negated = words.includes('not') !== (matcher.negated === true);
  const about = subjectOf(tokens, declarations, subject);
  const expected = matcher.expected ?? all;
  let kind = matcher.kind;
  if (THROWING.test(word)) kind = thrown(all, negated);
  else if (/^(?:equal|exact)$/.test(kind) && WHOLLY_OPEN.test(all)) kind = 'exists';
  else if (/^(?:equal|exact)$/.test(kind) && first && OPEN.test(all)) kind = 'part';
  else if (kind === 'part' && texts.length === 1 && ANYTHING.test(all)) kind = 'exists';
  else if (word === 'keys' && words.includes('any')) kind = 'part';
  if (kind === 'equal' && words.includes('type')) kind = 'bounded';
  // toBe(undefined) says as much as toBeUndefined().
  if (kind === 'equal' && negated && /^(?:null|undefined)$/.test(expected)) return claim('exists', about);
  if (kind === 'equal' && negated) return claim('equal', about, expected, { negated });
  // expect([200, 500]).toContain(status)
  if (kind === 'part' && isConstant(tokens, subject) && first && !isConstant(tokens, first))
    return claim('bounded', all, about, { negated });
  if (kind === 'equal' && /^(?:true|false)$/.test(expected) && subject.end - subject.from > 1 && !negated) {
    // expect(a === b).toBe(true) says what a === b says.
    const inner = truths(tokens, subject, expected === 'false');
    const [only] = inner;
    if (only && inner.length === 1 && (only.kind !== 'truthy' || only.vacuous !== undefined)) return only;
    if (only && /^!!|^Boolean \(/.test(about)) return only;
  }
  // `expect(getByText('13')).toBeVisible()`: the query asserts, too.
  const query =
    /\b(?:get|find)(?:All)?By(?:Text|LabelText|AltText|Title|DisplayValue|PlaceholderText) \( ("[^"]*"|\/.*?\/\w*)/.exec(
      about,
    )?.[1];
  if (query !== undefined && !negated && /^(?:exists|bounded|truthy)$/.test(kind))
    return claim('part', about, query, { matcher: word });
  // A type says nothing about a value.
  const isOfTypes = typeArguments !== '' || /TypeOf$/.test(word);
  const vacuous = isOfTypes
    ? undefined
    : vacuityOf(tokens, declarations, subject, first, { kind, word, all, negated });
  return reduced(
    claim(selfCompared(tokens, declarations, subject, first, kind), about, expected, {
      negated,
      ...(matcher.looserThan !== undefined && { looserThan: matcher.looserThan }),
      matcher: word,
      ...(vacuous !== undefined && { vacuous }),
      ...(kind === 'near' && { tolerance: toleranceOf(word, texts[1]) }),
    }),
  );
}

/** Any error, a broad class, or one with this message or of this class. */
function thrown(args: string, negated: boolean): AssertionKind {
  if (negated) return 'exists';
  return /^(?:|Error|Exception|Object|"")$/.test(args) || ANYTHING.test(args) || WHOLLY_OPEN.test(args)
    ? 'happens'
    : 'exact';
}

function toleranceOf(word: string, second: string | undefined): number {
  const given = second === undefined ? undefined : Number(second.replaceAll(' ', ''));
  // toBeCloseTo counts decimal digits, 2 by default.
  if (word === 'toBeCloseTo') return 10 ** -(given ?? 2) / 2;
  return given ?? 0;
}

/** The primitive value of a constant, or the call, of a name in the same function. */
function definitionOf(tokens: Tokens, declarations: readonly Declaration[], span: Span): Span {
  if (span.end - span.from !== 1 || !isName(tokens, span.from)) return span;
  const name = tokens[span.from]?.text;
  const declared = declarations.findLast((each) => each.name === name && each.at < span.from && each.isConst);
  if (!declared) return span;
  const { value } = declared;
  return is(tokens, value.from, 'await') ? { from: value.from + 1, end: value.end } : value;
}

/** The text of a subject, with the call in place of the variable that keeps its result. */
function subjectOf(tokens: Tokens, declarations: readonly Declaration[], span: Span): string {
  const first = { from: span.from, end: span.from + 1 };
  const value = definitionOf(tokens, declarations, first);
  const isCall = is(tokens, value.end - 1, ')') && value.end - value.from < 30;
  if (value === first || !isCall) return canonical(tokens, span);
  return `${canonical(tokens, value)} ${canonical(tokens, { from: first.end, end: span.end })}`.trim();
}

function vacuityOf(
  tokens: Tokens,
  declarations: readonly Declaration[],
  subject: Span,
  first: Span | undefined,
  { kind, word, all, negated }: { kind: AssertionKind; word: string; all: string; negated: boolean },
): string | undefined {
  const about = canonical(tokens, subject);
  // A list that is declared as constant may be filled.
  const value = definitionOf(tokens, declarations, subject);
  const isFixed = value === subject || value.end - value.from === 1;
  if (isFixed && isConstant(tokens, value) && (!first || isConstant(tokens, first)))
    return 'it compares constants';
  if (kind === 'equal' && !negated && first && about === canonical(tokens, first) && !about.includes('('))
    return 'it compares a value with itself';
  const isLength = /\. (?:length|size) ?$/.test(about);
  if (isLength && /^(?:toBeGreaterThanOrEqual|least|gte)$/.test(word) && all === '0')
    return 'a length is never below 0';
  if (isLength && /^(?:toBeGreaterThan|above|gt)$/.test(word) && all === '- 1')
    return 'a length is never below 0';
  return undefined;
}

/** Two calls of the subject say that it is deterministic; a default says that it may be missing. */
function selfCompared(
  tokens: Tokens,
  declarations: readonly Declaration[],
  subject: Span,
  first: Span | undefined,
  kind: AssertionKind,
): AssertionKind {
  if (kind !== 'equal' || !first) return kind;
  const expected = canonical(tokens, definitionOf(tokens, declarations, first));
  const names = [canonical(tokens, subject), canonical(tokens, definitionOf(tokens, declarations, subject))];
  if (names.includes(expected) && !isConstant(tokens, first) && expected !== canonical(tokens, first))
    return 'exists';
  if (names.includes(expected) && expected.includes('(')) return 'exists';
  const fallback = / (?:\?\?|\|\|) (.+)$/.exec(canonical(tokens, subject))?.[1];
  return fallback !== undefined && fallback === expected ? 'bounded' : kind;
}

/** Parts of a value that are asserted in its place: its type, its length, its keys, its beginning. */
const PARTS: readonly (readonly [RegExp, AssertionKind])[] = [
  [/^typeof (.+)$/, 'bounded'],
  [/^!! (.+)$/, 'truthy'],
  [/^Math \. (?:max|min) \( (.+) , [^,()]+ \)$/, 'bounded'],
  [/^Math \. (?:round|floor|ceil|trunc) \( (.+) \)$/, 'near'],
  [/^Boolean \( (.+) \)$/, 'truthy'],
  [/^Object \. keys \( (.+?) \)(?: \. (?:length|sort \( \)))*$/, 'part'],
  [/^(.+) \. mock \. calls \. length$/, 'exact'],
  [/^(.+?)(?: \. toString \( \))? \. (?:length|size)$/, 'part'],
  [/^(.+) \. (?:slice|substring|substr|charAt|at) \( [^()]* \)$/, 'part'],
];

/** An assertion about a part of a value says less than one about the value. */
function reduced(given: Claim): Claim {
  if (given.kind !== 'equal' && given.kind !== 'bounded' && given.kind !== 'truthy') return given;
  for (const [pattern, kind] of PARTS) {
    const about = pattern.exec(given.subject)?.[1];
    if (about === undefined) continue;
    if (given.kind === 'equal') return { ...given, kind, subject: about };
    return { ...given, subject: about };
  }
  return given;
}

/** `assert.equal(a, b)`, `t.is(a, b)`, `sinon.assert.calledWith(spy, 1)`. */
function method(scope: Scope, at: number): Found | undefined {
  const { tokens } = scope;
  let index = at + 1;
  while (is(tokens, index, '.') && is(tokens, index + 1, 'assert', 'strict', 'not')) {
    // t.not(a, b) is a method; t.is.not(a, b) a mark.
    if (is(tokens, index + 2, '(')) break;
    index += 2;
  }
  const name = tokens[index + 1]?.text ?? '';
  const matcher = METHODS.get(name);
  const open = afterTypes(tokens, index + 2);
  if (!matcher || !is(tokens, open, '(')) return undefined;
  return methodClaim(scope, at, open, matcher, name);
}

function methodClaim(
  { tokens, declarations }: Scope,
  at: number,
  open: number,
  matcher: Matcher,
  name: string,
): Found {
  const [first, second, third] = split(tokens, inside(tokens, open));
  const end = afterBracket(tokens, open);
  const { kind, negated = false } = matcher;
  if (/^pass$/.test(name)) return { claims: [claim('truthy', '', '', { vacuous: 'it always passes' })], end };
  if (!first) return { claims: kind === 'exact' ? [claim('exact', '', name)] : [], end };
  if (kind === 'truthy') return { claims: truths(tokens, first, negated), end };
  if (matcher.expected === 'true' || matcher.expected === 'false')
    return { claims: truthValue(tokens, first, matcher.expected), end };
  const about = subjectOf(tokens, declarations, first);
  const isThrow = /^(?:assert)?(?:throws|throwsAsync|rejects|isRejected)$/i.test(name);
  const isAsync =
    /^(?:assert)?(?:rejects|doesNotReject|throwsAsync|notThrowsAsync|isRejected|isFulfilled)$/i.test(name);
  const floating = isAsync && !is(tokens, at - 1, 'await', 'return', '=>', '(', ',', '[', '=');
  const isMessage =
    isThrow && second && tokens[second.from]?.kind === 'string' && !/^(?:throwsAsync|rejects)$/.test(name);
  const value = second && !isMessage ? canonical(tokens, second) : '';
  const expected = value === '' && kind === 'equal' ? name.replace(/^is/, '').toLowerCase() : value;
  const found = isThrow ? thrown(value, false) : OPEN.test(value) && kind === 'equal' ? 'part' : kind;
  if (name === 'fail' || name === 'unreachable') return { claims: [claim('exists', '', name)], end };
  const vacuous = vacuityOf(tokens, declarations, first, second, { kind, word: name, all: value, negated });
  const more = {
    negated,
    matcher: name,
    ...(matcher.looserThan !== undefined && { looserThan: matcher.looserThan }),
    ...(vacuous !== undefined && { vacuous }),
    ...(kind === 'near' && { tolerance: Number(third ? canonical(tokens, third) : 0) }),
  };
  // The expected value comes second; a constant in front is the expected one all the same.
  const isSwapped = kind === 'equal' && second && isConstant(tokens, first) && !isConstant(tokens, second);
  const [subject, other] = isSwapped ? [value, about] : [about, expected];
  const self = second ? selfCompared(tokens, declarations, first, second, found) : found;
  return { claims: [reduced(claim(self, subject, other, more))], end, floating };
}

function truthValue(tokens: Tokens, span: Span, expected: 'true' | 'false'): Claim[] {
  const inner = truths(tokens, span, expected === 'false');
  const [only] = inner;
  if (only && inner.length === 1 && only.kind === 'truthy' && only.vacuous === undefined)
    return [claim('equal', canonical(tokens, span), expected)];
  return inner;
}
