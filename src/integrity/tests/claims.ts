import { afterTypes } from './classes.ts';
import { type Claim, claim, claimsOf } from './comparison.ts';
import type { AssertionKind } from './model.ts';
import {
  afterBracket,
  canonical,
  find,
  inside,
  is,
  isConstant,
  isName,
  type Span,
  split,
  type Tokens,
  trimmed,
} from './tokens.ts';

// Reads assertions of Java, Kotlin and C#: a call with the value and what is expected of it, or a chain of calls.

/** A call: `name<Types>(arguments) { lambda }`. */
export interface Call {
  readonly name: string;
  /** The canonical text of its type arguments. */
  readonly types: string;
  readonly args: readonly Span[];
  /** Kotlin's lambda after the brackets, without braces. */
  readonly block: Span | undefined;
  readonly end: number;
}

/** The call whose name is at an index; undefined if there is none. */
export function callAt(tokens: Tokens, at: number): Call | undefined {
  const token = tokens[at];
  if (token?.kind !== 'name' && !token?.text.startsWith('`')) return undefined;
  const open = afterTypes(tokens, at + 1);
  const hasArgs = is(tokens, open, '(');
  const after = hasArgs ? afterBracket(tokens, open) : open;
  const hasBlock = is(tokens, after, '{');
  if (!hasArgs && !hasBlock) return undefined;
  return {
    name: token.text,
    types: canonical(tokens, { from: at + 2, end: Math.max(at + 2, open - 1) }),
    args: hasArgs ? split(tokens, inside(tokens, open)) : [],
    block: hasBlock ? inside(tokens, after) : undefined,
    end: hasBlock ? afterBracket(tokens, after) : after,
  };
}

export function textOf(tokens: Tokens, span: Span | undefined): string {
  return span ? canonical(tokens, span) : '';
}

/** What is found of an assertion, and where the search for the next goes on. */
export interface Found {
  readonly claims: readonly Claim[];
  readonly end: number;
  readonly floating?: boolean;
  /** On which condition it runs, if it is part of it: `x?.Should()`. */
  readonly condition?: string;
}

/** What an assertion says of its first value, and how its arguments are ordered. */
export interface Facts {
  readonly kind: AssertionKind;
  /**
   * `pair`: a value and what is expected of it; `condition`: an expression that holds; `throws`: a class and a function;
   * `type`: a class and a value; `one` (the default): a value, and further arguments that say more about it.
   */
  readonly form?: 'pair' | 'condition' | 'throws' | 'type' | 'one';
  /** What is expected, if no argument says it. */
  readonly expected?: string;
  readonly negated?: boolean;
}

export type FactsTable = Readonly<Record<string, Facts>>;

export function factsOf(table: FactsTable, name: string): Facts | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Makes a table of lines such as `equal pair: areEqual assertEquals`, `bounded not: isNotIn`, `equal=null: isNull`. */
export function factsTable(text: string): FactsTable {
  const table: Record<string, Facts> = {};
  for (const line of text.trim().split('\n')) {
    const [head = '', names = ''] = line.split(': ');
    const [first = '', ...words] = head.trim().split(' ');
    const [kind = '', expected] = first.split('=');
    const form = words.find((word) => word !== 'not') as Facts['form'];
    const facts: Facts = {
      kind: kind as AssertionKind,
      ...(form && { form }),
      ...(expected !== undefined && { expected }),
      ...(words.includes('not') && { negated: true }),
    };
    for (const name of names.trim().split(/\s+/)) table[name] = facts;
  }
  return table;
}

/** How the arguments of `assertEquals` and its like are ordered. */
export type Order = 'expected-first' | 'actual-first';

/** Says that two values are equal, or are not. */
export function pairClaims(
  tokens: Tokens,
  first: Span,
  second: Span,
  { kind, negated = false, order, tolerance }: PairFacts,
): Claim[] {
  const [lefts, rights] = [elements(tokens, first), elements(tokens, second)];
  if (lefts.length > 1 && lefts.length === rights.length)
    return lefts.flatMap((left, index) =>
      pairClaims(tokens, left, rights[index] ?? left, { kind, negated, order, tolerance }),
    );
  const isSwapped = isValue(tokens, second) && !isValue(tokens, first);
  const isOrdered = isValue(tokens, first) && !isValue(tokens, second);
  const expectedFirst = isOrdered || (!isSwapped && order === 'expected-first');
  const [subject, expected] = expectedFirst ? [second, first] : [first, second];
  return [valueClaim(tokens, subject, expected, { kind, negated, tolerance })].flat();
}

/** The elements of a tuple: `(1, 2)`. */
function elements(tokens: Tokens, { from, end }: Span): Span[] {
  return is(tokens, from, '(') && afterBracket(tokens, from) === end
    ? split(tokens, inside(tokens, from))
    : [];
}

interface PairFacts {
  readonly kind: AssertionKind;
  readonly negated?: boolean;
  readonly order: Order;
  readonly tolerance?: number | undefined;
}

/** What a value is compared with, with the forms of it that say no more than a truth. */
export function valueClaim(
  tokens: Tokens,
  subject: Span,
  expected: Span,
  { kind, negated = false, tolerance }: Omit<PairFacts, 'order'>,
): Claim | Claim[] {
  const about = canonical(tokens, subject);
  const value = plainList(canonical(tokens, expected));
  if (about === value && !negated)
    return claim(kind, about, value, { vacuous: 'it compares a value with itself' });
  if (isConstant(tokens, subject) && isConstant(tokens, expected))
    return claim(kind, about, value, { negated, vacuous: 'it compares constants' });
  if (kind === 'equal' && /^(?:true|false)$/.test(value))
    return conditionClaims(tokens, subject, (value === 'false') !== negated);
  if (kind === 'equal' && negated && value === 'null') return claim('exists', about);
  if (kind === 'equal' && negated) return claim('bounded', about, value, { negated });
  if (tolerance !== undefined)
    return claim(tolerance === 0 ? 'equal' : 'near', about, value, {
      negated,
      ...(tolerance !== 0 && { tolerance }),
      ...(tolerance === Infinity && { vacuous: 'its tolerance accepts any value' }),
    });
  if (kind === 'equal' && isUnordered(tokens, expected))
    return claim('alike', about, sorted(value), { negated });
  if (kind === 'equal' && SIZE.test(about)) return sizeClaim(about.replace(SIZE, ''), value, negated);
  const present = /^Optional \. of \( (.*) \)$/.exec(value)?.[1];
  return present === undefined
    ? claim(kind, about, value, { negated })
    : claim(kind, `${about} . get ( )`, present, { negated });
}

const SIZE =
  / \. (?:size|length|count|Count|Length|LongCount|size \( \)|length \( \)|count \( \)|Count \( \))$/;

/** How many items there are: none says that it is empty. */
export function sizeClaim(about: string, expected: string, negated = false): Claim {
  return expected === '0'
    ? claim('exact', about, 'empty', { negated })
    : claim('size', about, expected, { negated });
}

/** The elements of a list that is written down, however it is made: `List.of(1, 2)`, `new[] {1, 2}`, `[1, 2]`. */
function plainList(text: string): string {
  const match =
    /^(?:(?:List|Set|Arrays|ImmutableList|ImmutableSet|Sets|Lists|Stream) \. (?:of|asList|newHashSet|newArrayList)|listOf|setOf|arrayOf|arrayListOf|mutableListOf|intArrayOf) \( (.*) \)$/.exec(
      text,
    ) ??
    /^new (?:[\w<>. ]+ ?)?(?:\[ \] |\( \) )?\{ (.*) \}$/.exec(text) ??
    /^\[ (.*) \]$/.exec(text);
  return match?.[1] ?? text;
}

function sorted(list: string): string {
  return list.split(' , ').toSorted().join(' , ');
}

/** Equality of sets does not say in which order the values are. */
function isUnordered(tokens: Tokens, { from }: Span): boolean {
  return (
    is(tokens, from, 'Set', 'Sets', 'ImmutableSet', 'setOf', 'hashSetOf') ||
    (is(tokens, from, 'new') && is(tokens, from + 1, 'HashSet', 'SortedSet'))
  );
}

/** Functions of a value that are asserted of it by matchers, too: `assertTrue(list.isEmpty())`. */
const PREDICATES = factsTable(`
exact=empty: isEmpty IsEmpty none None
exact=blank: isBlank IsNullOrEmpty IsNullOrWhiteSpace isNullOrEmpty isNullOrBlank
exact=empty not: isNotEmpty any Any isNotBlank
part: startsWith endsWith contains StartsWith EndsWith Contains containsAll containsKey containsValue ContainsKey
equal: equals Equals contentEquals SequenceEqual contentDeepEquals
equal=null: isNull
exists: nonNull
`);

/** What holds if an expression is true, or false: a boolean is a value, and not only something that is there. */
export function conditionClaims(tokens: Tokens, span: Span, negated: boolean): Claim[] {
  return predicates(tokens, span, negated).map((each) => {
    if (each.vacuous !== undefined) return each;
    if (each.kind === 'truthy') return { ...each, kind: 'bounded' };
    // One of several: less than one of them.
    return each.kind === 'bounded' && each.expected === '' ? { ...each, kind: 'truthy' } : each;
  });
}

function predicates(tokens: Tokens, span: Span, negated: boolean): Claim[] {
  return claimsOf(tokens, span, negated).map((each) => {
    if (each.vacuous !== undefined || each.kind === 'bounded') return each;
    const last = span.end - 1;
    const open = is(tokens, last, ')') ? (tokens[last]?.partner ?? -1) : -1;
    const name = open > span.from ? (tokens[open - 1]?.text ?? '') : '';
    const facts = factsOf(PREDICATES, name);
    // A part of a conjunction is read by its own.
    if (!facts || !is(tokens, open - 2, '.', '?.') || !/truthy|exists|part|equal/.test(each.kind))
      return each;
    if (find(tokens, span, '&&', '||') !== -1 || is(tokens, span.from, '!')) return predicateText(each);
    const isStatic = /^(?:String|string|Objects|Arrays)$/.test(tokens[open - 3]?.text ?? '');
    const args = canonical(tokens, { from: open + 1, end: last });
    const receiver = canonical(tokens, { from: span.from, end: open - 2 });
    const [first = '', ...rest] = args.split(' , ');
    const about = isStatic ? first : receiver;
    const expected = facts.expected ?? (isStatic ? rest.join(' , ') : args);
    if (facts.expected !== undefined && !isStatic && args !== '') return each;
    const isNegated = negated !== (facts.negated ?? false);
    return claim(facts.kind, about, expected, { negated: isNegated });
  });
}

/** The same for `!x.isEmpty()` and conjunctions, of which only the text is left. */
function predicateText(each: Claim): Claim {
  const match = /^(.*) \. (\w+) \( \)$/.exec(each.subject);
  const facts = match && factsOf(PREDICATES, match[2] ?? '');
  if (!match || facts?.expected === undefined || each.kind !== 'truthy') return each;
  const negated = each.negated !== (facts.negated ?? false);
  return claim(facts.kind, match[1] ?? '', facts.expected, { negated });
}

const VALUE_WORDS = new Set(
  'List Set Map Arrays Collections Optional BigDecimal BigInteger Duration Instant LocalDate URI UUID of asList ofEntries entry singletonList emptyList emptyMap emptySet listOf setOf mapOf arrayOf intArrayOf emptyArray to Pair new String int long double string object decimal byte char valueOf ofMillis ofSeconds ofMinutes ofHours ofDays parse empty Array Empty toString getBytes ImmutableList ImmutableSet ImmutableMap Class class typeof nameof var float bool Guid DateTime TimeSpan FromSeconds FromMinutes Zero ZERO ONE TEN MAX_VALUE MIN_VALUE MaxValue MinValue Integer Long Double Float Short Byte Boolean Character stripIndent trimIndent trimMargin Lists Sets newArrayList newHashSet Enumerable Dictionary HashSet sequenceOf mutableListOf'.split(
    ' ',
  ),
);

/** Whether an expression is a value that no call of the code under test makes: a literal, a list of literals, a constant. */
export function isValue(tokens: Tokens, { from, end }: Span): boolean {
  if (from >= end) return false;
  for (let at = from; at < end; at++) {
    const { kind, text } = tokens[at] ?? {};
    if (kind === 'string' && /\$\{|\$[a-zA-Z]|^\$/.test(text ?? '')) return false;
    if (kind !== 'name' || /^(?:null|true|false)$/.test(text ?? '')) continue;
    const isEnum =
      is(tokens, at - 1, '.') &&
      /^[A-Z][\w]*$/.test(text ?? '') &&
      !is(tokens, at + 1, '(') &&
      isType(tokens, at - 2);
    const isEnumType =
      isType(tokens, at) && is(tokens, at + 1, '.') && /^[A-Z]/.test(tokens[at + 2]?.text ?? '');
    const isConstantName = /^[A-Z][A-Z0-9_]+$/.test(text ?? '') && !is(tokens, at + 1, '(');
    if (!VALUE_WORDS.has(text ?? '') && !isEnum && !isEnumType && !isConstantName) return false;
  }
  return true;
}

function isType(tokens: Tokens, at: number): boolean {
  return isName(tokens, at) && /^[A-Z]/.test(tokens[at]?.text ?? '');
}

/** That something throws: an error of a class, or any. */
export function throwsClaim(tokens: Tokens, type: string, body: Span | undefined): Claim {
  const name = className(type);
  const about = body ? canonical(tokens, lambdaBody(tokens, body)) : '';
  if (FAILURES.test(name))
    return claim('happens', about, name, { vacuous: 'it accepts the failure of an assertion' });
  const vacuous = /^throw\b/.test(about) ? { vacuous: 'it throws the error itself' } : {};
  return claim(BROAD.test(name) ? 'happens' : 'exact', about, name, vacuous);
}

const FAILURES =
  /^(?:AssertionError|AssertionFailedError|ComparisonFailure|Error|MultipleFailuresError|XunitException|AssertionException|AssertFailedException|AssertionErrorBuilder)$/;
const BROAD = /^(?:Exception|Throwable|RuntimeException|SystemException|ApplicationException|)$/;

/** `java.io.IOException.class` → `IOException` */
export function className(text: string): string {
  const plain = text
    .replace(/^typeof \( (.*) \)$/, '$1')
    .replace(/ (?:\.|::) (?:class|java)\b/g, '')
    .replace(/ :: class/g, '');
  return plain.split(' . ').at(-1) ?? plain;
}

/** What a lambda does, without its parameters and braces. */
export function lambdaBody(tokens: Tokens, given: Span): Span {
  const span = trimmed(tokens, given);
  const arrow = find(tokens, span, '->', '=>');
  const body = arrow === -1 ? span : trimmed(tokens, { from: arrow + 1, end: span.end });
  return is(tokens, body.from, '{') && afterBracket(tokens, body.from) >= body.end
    ? trimmed(tokens, inside(tokens, body.from))
    : body;
}

export function isLambda(tokens: Tokens, span: Span): boolean {
  return find(tokens, span, '->', '=>', '::') !== -1 || is(tokens, span.from, '{', 'delegate');
}

/** How the chains of a library are read. */
export interface ChainWords {
  readonly matchers: FactsTable;
  /** Words that neither assert nor change what the next assertion is about. */
  readonly neutral: ReadonlySet<string>;
  /** Words after which equality is that of a part only. */
  readonly loosening: RegExp;
  /** Names that look like an assertion although the table does not have them. */
  readonly looksLikeMatcher: RegExp;
  /** Whether a matcher may have no brackets, as in `Is.Null`. */
  readonly properties?: boolean;
  /** The words that negate the next matcher, such as `Not`. */
  readonly negation?: ReadonlySet<string>;
  /** The words whose lambda holds further assertions, such as `satisfies`. */
  readonly containers?: RegExp;
}

/** The index of the next `.` of a chain, also at the beginning of the next line; -1 if the chain ends. */
export function nextLink(tokens: Tokens, at: number): number {
  let next = at;
  while (tokens[next]?.kind === 'newline') next++;
  if (is(tokens, next, '!!', '!')) next++;
  return is(tokens, next, '.', '?.') ? next : -1;
}

/** Reads the assertions in a chain: `.isNotNull().isEqualTo(3)`. */
export function chainClaims(tokens: Tokens, subject: Span, from: number, words: ChainWords): Found {
  const claims: Claim[] = [];
  let about = canonical(tokens, subject);
  const constant = isConstant(tokens, subject);
  let at = from;
  let isLoose = false;
  let negated = false;
  let original = true;
  for (let link = nextLink(tokens, at); link !== -1; link = nextLink(tokens, at)) {
    const name = tokens[link + 1]?.text ?? '';
    const call = callAt(tokens, link + 1);
    if (
      call &&
      words.containers?.test(name) &&
      (call.block || call.args.some((arg) => isLambda(tokens, arg)))
    )
      return { claims, end: link + 2 };
    at = call?.end ?? link + 2;
    if (words.negation?.has(name)) {
      negated = !negated;
      continue;
    }
    const members = name === 'extracting' && call ? membersIn(tokens, call.args) : [];
    const matched = members.length > 1 ? nextLink(tokens, at) : -1;
    const values = matched === -1 ? undefined : callAt(tokens, matched + 1);
    if (values?.name === 'containsExactly' && values.args.length === members.length) {
      claims.push(
        ...values.args.map((arg, index) =>
          claim('equal', `${about} . ${members[index]}`, canonical(tokens, arg)),
        ),
      );
      at = values.end;
      continue;
    }
    if (words.loosening.test(name)) isLoose = true;
    if (words.neutral.has(name)) continue;
    const facts = factsOf(words.matchers, name);
    const isMatcher = facts !== undefined && (call !== undefined || words.properties === true);
    if (!isMatcher && !(call && words.looksLikeMatcher.test(name))) {
      about = `${about} . ${textOf(tokens, { from: link + 1, end: at })}`;
      original = false;
      continue;
    }
    const made = matcherClaims(tokens, {
      name,
      call,
      facts: facts ?? { kind: 'exact', expected: name },
      about,
      subject: original ? subject : undefined,
    });
    for (const each of made) {
      const loose =
        isLoose && (each.kind === 'equal' || each.kind === 'exact') ? { kind: 'part' as const } : {};
      const isOpposite = negated !== each.negated;
      const kind = negated && each.kind === 'equal' && each.expected === 'null' ? 'exists' : undefined;
      claims.push({
        ...each,
        ...loose,
        negated: kind ? false : isOpposite,
        ...(kind && { kind, expected: '' }),
        ...(constant && original && each.vacuous === undefined && argsAreConstant(tokens, call)
          ? { vacuous: 'it compares constants' }
          : {}),
      });
    }
    negated = false;
  }
  return { claims, end: at };
}

/** The members that AssertJ's `extracting(User::name, "age")` compares. */
function membersIn(tokens: Tokens, args: readonly Span[]): string[] {
  return args.flatMap(({ from, end }) => {
    const last = tokens[end - 1];
    if (last?.kind === 'string') return last.text.slice(1, -1);
    return is(tokens, from + 1, '::') ? `${last?.text} ( )` : [];
  });
}

function argsAreConstant(tokens: Tokens, call: Call | undefined): boolean {
  return (call?.args ?? []).every((arg) => isConstant(tokens, arg));
}

interface MatcherCall {
  readonly name: string;
  readonly call: Call | undefined;
  readonly facts: Facts;
  readonly about: string;
  /** Where the value is, if the chain is still about it. */
  readonly subject: Span | undefined;
}

function matcherClaims(tokens: Tokens, { name, call, facts, about, subject }: MatcherCall): Claim[] {
  const args = call?.args ?? [];
  const [first] = args;
  const { kind, negated = false } = facts;
  if (facts.form === 'throws') {
    const type = call?.types || textOf(tokens, first);
    const isThrown = throwsClaim(tokens, type, undefined);
    return [{ ...isThrown, subject: about }];
  }
  if (facts.form === 'condition')
    return subject ? conditionClaims(tokens, subject, negated) : [claim('truthy', about, '', { negated })];
  const all = args.map((arg) => canonical(tokens, arg));
  const expected = facts.expected ?? (all.join(' , ') || call?.types || '');
  const vacuous = boundVacuity(name, about, expected);
  const tolerance = kind === 'near' ? toleranceIn(tokens, args.slice(1)) : undefined;
  const isLoose = LOOSE_OPTIONS.test(all.slice(1).join(' '));
  if (vacuous !== undefined) return [claim(kind, about, expected, { vacuous })];
  if (kind === 'near' && /Order|Same|containsOnly|BeEquivalentTo|EquivalentTo/.test(name))
    return [claim(isLoose ? 'part' : 'alike', about, sorted(plainList(all.join(' , '))), { negated })];
  if (kind === 'near')
    return [
      claim('near', about, all[0] ?? '', {
        negated,
        ...(tolerance !== undefined && { tolerance }),
      }),
    ];
  if (
    kind === 'equal' &&
    name !== 'hasValue' &&
    subject &&
    first &&
    (args.length === 1 || isLoose) &&
    facts.expected === undefined
  )
    return [valueClaim(tokens, subject, first, { kind: isLoose ? 'part' : kind, negated })].flat();
  if (kind === 'size' || (kind === 'equal' && SIZE.test(about)))
    return [sizeClaim(about.replace(SIZE, ''), expected, negated)];
  if (kind === 'equal' && all[0] === about && !negated)
    return [claim(kind, about, expected, { vacuous: 'it compares a value with itself' })];
  if (
    kind === 'part' &&
    all.length > 1 &&
    /^(?:contains|containsKeys|doesNotContain|containsAll)$/.test(name)
  )
    return all.map((each) => claim('part', about, each, { negated }));
  if (name === 'hasValue') return [claim('equal', `${about} . get ( )`, expected, { negated })];
  return [claim(isLoose ? 'part' : kind, about, expected, { negated })];
}

const LOOSE_OPTIONS =
  /\b(?:Excluding|ExcludingMissingMembers|Including|ignoreCase|IgnoreCase|OrdinalIgnoreCase)\b/;

/** `assertThat(list.size()).isGreaterThanOrEqualTo(0)` */
function boundVacuity(name: string, about: string, expected: string): string | undefined {
  const isLength = /(?:\. )?(?:size|length|count|Count|Length)(?: \( \))?$/.test(about);
  const isNotBelow =
    (expected === '0' &&
      /^(?:isGreaterThanOrEqualTo|isAtLeast|BeGreaterThanOrEqualTo|BeGreaterOrEqualTo|GreaterThanOrEqualTo|AtLeast|ShouldBeGreaterThanOrEqualTo|shouldBeGreaterThanOrEqual)$/.test(
        name,
      )) ||
    (expected === '-1' && /^(?:isGreaterThan|BeGreaterThan|GreaterThan)$/.test(name)) ||
    /^(?:isNotNegative|hasSizeGreaterThanOrEqualTo|BeNotNegative)$/.test(name);
  if (isNotBelow && (isLength || (name.startsWith('hasSize') && expected === '0')))
    return 'a length is never below 0';
  return undefined;
}

/** The number in `within(0.1)`, `offset(0.1)`, or a plain number. */
export function toleranceIn(tokens: Tokens, spans: readonly Span[]): number | undefined {
  for (const { from, end } of spans)
    for (let at = from; at < end; at++) {
      if (/^(?:MAX_VALUE|MaxValue|POSITIVE_INFINITY|PositiveInfinity)$/.test(tokens[at]?.text ?? ''))
        return Infinity;
      if (tokens[at]?.kind === 'number') return numberOf(tokens[at]?.text ?? '');
    }
  return undefined;
}

function numberOf(text: string): number {
  return Number(
    text.replaceAll('_', '').replace(/[a-zA-Z]+$/, (suffix) => (/^e\d*$/i.test(suffix) ? suffix : '')),
  );
}

/** A call of a mock that is verified. */
export interface VerifiedCall {
  readonly receiver: string;
  readonly args: readonly string[];
  /** How often, as canonical text; empty for the default of the library. */
  readonly times: string;
  /** Whether the default of the library is exactly once. */
  readonly defaultIsOnce: boolean;
}

const ANYTHING =
  /^(?:(?:\w+ \. )?(?:any|anyInt|anyLong|anyString|anyList|anyMap|anySet|anyBoolean|anyDouble|anyCollection|anyVararg|notNull|isNotNull|isA|ofType|IsAny|IsNotNull|anyOrNull|Any)\b.*|A < .* > \. (?:_|Ignored))$/;

export function verifiedClaim({ receiver, args, times, defaultIsOnce }: VerifiedCall): Claim {
  const plain = args.map((arg) => arg.replace(/^(?:eq|refEq|same) \( (.*) \)$/, '$1'));
  const open = plain.filter((arg) => ANYTHING.test(arg)).length;
  // What is captured is compared after it.
  if (plain.some((arg) => /capture \(|\bcapture\b/.test(arg))) return claim('equal', receiver, 'captured');
  const values = plain.join(' , ');
  const lower = times.toLowerCase();
  const isNever = /never|times \( 0 \)|exactly \( 0 \)|exactly = 0\b|didnotreceive|mustnothave|^0$/.test(
    lower,
  );
  if (isNever) return claim('exact', receiver, `never ${open > 0 ? '' : values}`.trim());
  if (/at_?least(?: \(| =)? ?0\b|atmost(?! *once)\b.*max_value/.test(lower))
    return claim('happens', receiver, values, { vacuous: 'a call is never made fewer than 0 times' });
  if (/at_?most|nomorethan/.test(lower)) return claim('bounded', receiver, `${values} ${times}`.trim());
  const isExactly = times === '' ? defaultIsOnce : !/at_?least|timeout|between/.test(lower);
  const kind =
    open > 0
      ? isExactly && open < plain.length
        ? 'part'
        : 'happens'
      : isExactly
        ? 'exact'
        : plain.length > 0
          ? 'part'
          : 'happens';
  const often =
    times === '' || /once|times \( 1 \)|exactly \( 1 \)|exactly = 1$|^1$/i.test(times) ? '' : times;
  return claim(kind, receiver, `${values} ${often}`.trim());
}
