import {
  type Call,
  type ChainWords,
  callAt,
  chainClaims,
  className,
  conditionClaims,
  type Facts,
  type Found,
  factsOf,
  factsTable,
  isLambda,
  lambdaBody,
  nextLink,
  pairClaims,
  sizeClaim,
  textOf,
  throwsClaim,
  toleranceIn,
  valueClaim,
  verifiedClaim,
} from './claims.ts';
import {
  added,
  argumentsOf,
  type Dialect,
  type FoundTest,
  hooksAround,
  isBase,
  mark,
  type Roles,
  type Running,
  readTests,
  rowsOf,
  rowsOfMethod,
  type Scope,
  type Skip,
  type Table,
  together,
  typesAround,
} from './class-tests.ts';
import type { Mark, Method, TypeDeclaration } from './classes.ts';
import { type Claim, claim } from './comparison.ts';
import type { FlowWords } from './flow.ts';
import type { TestFile, TestReader } from './model.ts';
import {
  canonical,
  find,
  inside,
  is,
  isName,
  namesIn,
  type Span,
  split,
  stringValue,
  type Tokens,
} from './tokens.ts';

/** Java: JUnit 3 to 5, TestNG; AssertJ, Hamcrest, Truth, Mockito, Spring MockMvc, REST Assured, Reactor. */
export const java: TestReader = {
  isTestPath: (path) => /\.java$/.test(path) && isJvmTestPath(path),
  mayHaveTests: (text) =>
    /@(?:\w+\.)*(?:\w*Test\w*|Theory|Property)\b|\bextends\s+\w*TestCase\b|assert/.test(text),
  read: ({ tokens }) => readTests(tokens, DIALECT),
};

/** In a source set of tests, or by the names that Surefire collects. */
export function isJvmTestPath(path: string): boolean {
  if (/(?:^|\/)src\/main\//.test(path)) return false;
  return (
    /(?:^|\/)(?:src\/)?(?:\w*[tT]ests?|\w*Test|it|integration|specs?)\//.test(path) ||
    /(?:^|\/)(?:Test[A-Z]\w*|\w+(?:Tests?|TestCase|IT|Spec|Specs))\.\w+$/.test(path)
  );
}

export const JVM_FLOW: FlowWords = {
  // A handler that returns keeps the rest from running.
  conditions: ['if', 'while', 'catch'],
  branches: ['else', 'case', 'default'],
  tries: ['try'],
  catches: ['catch'],
  exits: ['return', 'continue', 'break'],
  fails:
    /\b(?:throw|fail|assert\w*|verify|collector|addError|addSuppressed|shouldBe|completeExceptionally)\b|= (?:e|ex|t|err|error|exception|throwable|failure)(?: |$)|\b(?:set|add|offer) \( (?:e|ex|t|err|error|exception|throwable) \)/,
  never: ['false', '! true', '1 == 2', '1 == 0', '0 == 1', '0 > 1', 'Boolean . FALSE'],
  always: ['true', '! false', '1 == 1', 'Boolean . TRUE'],
};

const TESTS = new Set(
  'Test ParameterizedTest RepeatedTest TestFactory TestTemplate Theory Property Example RetryingTest CartesianTest ArchTest RepeatedIfExceptionsTest'.split(
    ' ',
  ),
);
const HOOKS = new Set(
  'Before BeforeEach BeforeAll BeforeClass BeforeMethod BeforeTest BeforeSuite After AfterEach AfterAll AfterClass AfterMethod AfterTest AfterSuite'.split(
    ' ',
  ),
);

/** The assertions that are one call, of JUnit, TestNG and kotlin.test. */
const CALLS = factsTable(`
equal pair: assertEquals assertSame assertArrayEquals assertIterableEquals assertLinesMatch assertContentEquals assertEqualsNoOrder assertEqualsDeep assertJsonEquals
equal pair not: assertNotEquals assertNotSame assertArrayNotEquals
equal condition: assertTrue
equal condition not: assertFalse
equal=null: assertNull
exists: assertNotNull assertDoesNotThrow
bounded type: assertInstanceOf assertIs assertIsNot
part pair: assertContains
exact throws: assertThrows assertThrowsExactly expectThrows assertFailsWith assertFails
exact=none: verifyNoMoreInteractions verifyNoInteractions verifyZeroInteractions ignoreStubs confirmVerified excludeRecords checkUnnecessaryStub
`);

/** The matchers of AssertJ and Truth, and of what is built like them. */
export const FLUENT: ChainWords = {
  matchers: factsTable(`
equal: isEqualTo isSameAs isSameInstanceAs containsExactly containsExactlyElementsOf containsExactlyElementsIn containsExactlyEntriesOf isEqualByComparingTo isEquivalentAccordingToCompareTo isEqualToComparingFieldByField isEqualToUsingFields hasValue hasContent isEqualToIgnoringNewLines hasToString hasBinaryContent isEqualToNormalizingNewlines
equal not: isNotEqualTo isNotSameAs
equal condition: isTrue
equal condition not: isFalse
equal=null: isNull
exists: isNotNull isPresent isDefined exists doesNotThrowAnyException isSuccess isNotBlank hasNoNullFieldsOrProperties
near: isCloseTo containsExactlyInAnyOrder containsExactlyInAnyOrderElementsOf containsOnly hasSameElementsAs containsExactlyInAnyOrderEntriesOf isEqualToIgnoringMillis isEqualToIgnoringSeconds isEqualToIgnoringNanos isEqualToIgnoringWhitespace of
exact=empty: isEmpty hasSizeZero
exact=blank: isBlank isNullOrEmpty
exact=empty not: isNotEmpty
exact=empty: isNotPresent isAbsent doesNotExist
size: hasSize hasLength
exact: hasSameSizeAs hasMessage hasMessageThat hasRootCauseMessage hasLineCount hasNoCause hasNoMoreElements hasHashCode hasStatus
bounded: isInstanceOf isExactlyInstanceOf isInstanceOfAny isOfAnyClassIn isGreaterThan isGreaterThanOrEqualTo isLessThan isLessThanOrEqualTo isAtLeast isAtMost isBetween isStrictlyBetween isIn isAnyOf isPositive isNegative isNotNegative isNotPositive isNotZero isAfter isBefore hasSizeGreaterThan hasSizeGreaterThanOrEqualTo hasSizeLessThan hasSizeBetween isSorted isNoneOf hasCauseInstanceOf hasRootCauseInstanceOf isCompletedExceptionally isNotCloseTo hasSameClassAs
bounded not: isNotIn isNotInstanceOf
equal=0: isZero
part: contains containsAnyOf containsAtLeast containsSequence containsSubsequence containsIgnoringCase containsPattern containsKey containsKeys containsEntry containsValue startsWith endsWith matches isSubstringOf hasMessageContaining hasMessageStartingWith hasMessageEndingWith hasMessageMatching hasFieldOrProperty hasFieldOrPropertyWithValue isEqualToIgnoringCase hasMessageFindingMatch isSubsetOf containsAll containsAnyElementsOf isCompleted hasCause anyMatch allMatch noneMatch
part not: doesNotContain doesNotContainKey doesNotMatch doesNotStartWith doesNotEndWith doesNotHaveSameClassAs
exact throws: isThrownBy
happens: isThrown
`),
  neutral: new Set(
    'as describedAs withFailMessage overridingErrorMessage usingRecursiveComparison usingDefaultComparator inBinary inHexadecimal inOrder and named withRepresentation asInstanceOf asString asList isNotNullAnd withStrictTypeChecking also'.split(
      ' ',
    ),
  ),
  loosening:
    /^(?:ignoring\w+|usingComparator\w*|usingElementComparator\w*|comparingOnlyFields|comparingElementsUsing)$/,
  looksLikeMatcher:
    /^(?!is(?:Not)?Within)(?:is|has|have|contains?|does|starts|ends|match(?:es)?|are|can|only|returns|satisfies|areEqual)(?![a-z])/,
  containers:
    /^(?:satisfies\w*|allSatisfy|anySatisfy|noneSatisfy|zipSatisfy|hasEntrySatisfying|hasValueSatisfying|all|each|given|transform|prop|any|none|index)$/,
};

/** Hamcrest's matchers, by what they say of the value. */
const HAMCREST = factsTable(`
equal: equalTo sameInstance theInstance contains arrayContaining comparesEqualTo samePropertyValuesAs equalToObject isEqualTo
near: closeTo containsInAnyOrder arrayContainingInAnyOrder
equal=null: nullValue
exists: notNullValue
exists: anything any
bounded: instanceOf isA greaterThan greaterThanOrEqualTo lessThan lessThanOrEqualTo anyOf either oneOf isOneOf isIn in typeCompatibleWith everyItem
part: containsString startsWith endsWith hasItem hasItems hasEntry hasKey hasValue hasProperty matchesPattern matchesRegex stringContainsInOrder equalToIgnoringCase equalToIgnoringWhiteSpace hasToString containsStringIgnoringCase hasItemInArray
size: hasSize arrayWithSize aMapWithSize hasLength iterableWithSize
exact=empty: empty emptyString isEmptyString emptyIterable anEmptyMap emptyArray isEmpty isEmptyOrNullString
`);

/** What Spring's MockMvc and WebTestClient say of an answer. */
const SPRING = factsTable(`
equal: value string json xml name attribute isEqualTo redirectedUrl
exists: exists
equal=null: doesNotExist
bounded: is2xxSuccessful is3xxRedirection is4xxClientError is5xxServerError is1xxInformational isArray isMap isString isNumber isBoolean isNotEmpty attributeExists contentTypeCompatibleWith
part: stringContains
`);

/** Reactor's StepVerifier. */
const STEPS = new Set(
  'expectNext expectNextCount expectNextSequence expectNextMatches expectError expectErrorMessage expectErrorMatches verifyError verifyErrorMessage verifyErrorMatches expectComplete verifyComplete assertNext consumeNextWith'.split(
    ' ',
  ),
);

const DIALECT: Dialect = {
  syntax: 'java',
  flow: JVM_FLOW,
  helpers: /^(?!assertAll$)(?:assert|expect|verify|check|ensure|should|must)[A-Z_]/,
  guards: /^\.(?:ifPresent|ifPresentOrElse)$/,
  claimsAt: jvmClaimsAt,
  unreported: softAssertions,
  skipAt: jvmSkipAt,
  testsIn,
  mocksIn: jvmMocksIn,
};

/** The assertion that begins at a token, of the libraries of Java, which Kotlin uses, too. */
export function jvmClaimsAt(scope: Scope, at: number): Found | undefined {
  const { tokens } = scope;
  if (!isName(tokens, at)) return undefined;
  if (is(tokens, at, 'assert') && !is(tokens, at + 1, '.', ')')) return assertStatement(tokens, at);
  const call = callAt(tokens, at);
  if (!call || is(tokens, at - 1, 'void', 'fun', 'new')) return undefined;
  const { name, args, end } = call;
  const [first, second] = args;
  const facts = factsOf(CALLS, name);
  if (facts) return calledAssertion(scope, call, facts);
  if (
    /^(?:assertThat|then|assertWithMessage|expectThat|assertThatObject|assertThatList|that|expect)$/.test(
      name,
    ) &&
    (first || name === 'assertWithMessage')
  )
    return fluent(scope, at, call);
  if (
    /^(?:assertThatThrownBy|assertThatCode|thenThrownBy|assertFailure|expectThrows|expectCatching|catchThrowable)$/.test(
      name,
    )
  )
    return thrownChain(tokens, call);
  if (
    /^assertThat(?:ExceptionOfType|Exception|NullPointerException|IllegalArgumentException|IllegalStateException|IOException|RuntimeException)$/.test(
      name,
    )
  )
    return thrownOfType(tokens, call);
  if (name === 'verify' && first) return verification(scope, at, call);
  if (name === 'should' && is(tokens, at - 1, '.')) return bddVerification(tokens, at, call);
  if (/^andExpect(?:All)?$/.test(name) && is(tokens, at - 1, '.'))
    return first && { claims: args.flatMap((arg) => answerClaims(tokens, arg)), end };
  if (/^expect(?:Status|Body|Header|BodyList|Cookie)$/.test(name) && is(tokens, at - 1, '.'))
    return chainClaims(tokens, { from: at, end }, end, WEB);
  if (name === 'statusCode' && first && is(tokens, at - 1, '.'))
    return { claims: matcherOrValue(tokens, first, name), end };
  if (name === 'body' && second && is(tokens, at - 1, '.'))
    return { claims: matcherOrValue(tokens, second, `body ( ${textOf(tokens, first)} )`), end };
  if (STEPS.has(name) && is(tokens, at - 1, '.') && scope.names.has('StepVerifier'))
    return step(tokens, at, call);
  if (name === 'expect' && first && is(tokens, at - 1, '.') && /class$/.test(textOf(tokens, first)))
    return { claims: [throwsClaim(tokens, textOf(tokens, first), undefined)], end };
  if (name === 'expectMessage' && is(tokens, at - 1, '.'))
    return { claims: [claim('exact', 'message', textOf(tokens, first))], end };
  if (name === 'until' && second && first && isMatcher(tokens, second))
    return {
      claims: hamcrest(tokens, second, `${textOf(tokens, first).replace(' :: ', ' . ')} ( )`, undefined),
      end,
    };
  if (name === 'until' && is(tokens, at - 1, '.') && first && isLambda(tokens, first))
    return { claims: conditionClaims(tokens, lambdaBody(tokens, first), false), end };
  return undefined;
}

/** `new SoftAssertions()` without `assertAll()` */
export function softAssertions(
  tokens: Tokens,
  body: Span,
  locals: ReadonlyMap<string, Span>,
): (at: number) => boolean {
  const soft = new Set<string>();
  for (const [name, value] of locals)
    if (/^(?:new )?\w*Soft(?:ly)?Assert\w* \( \)/.test(canonical(tokens, value))) soft.add(name);
  for (let at = body.from; soft.size > 0 && at < body.end; at++)
    if (is(tokens, at, 'assertAll', 'close')) soft.delete(tokens[at - 2]?.text ?? '');
  return (at) => soft.size > 0 && is(tokens, at - 1, '.') && soft.has(tokens[at - 2]?.text ?? '');
}

/** `assert total == 3 : "message";` */
function assertStatement(tokens: Tokens, at: number): Found {
  let end = at + 1;
  while (end < tokens.length && !is(tokens, end, ';', ':') && tokens[end]?.kind !== 'newline')
    end = (tokens[end]?.partner ?? -1) > end ? (tokens[end]?.partner ?? end) + 1 : end + 1;
  const call = callAt(tokens, at);
  const [first] = call?.end === end && call.args.length === 2 ? call.args : [];
  return { claims: conditionClaims(tokens, first ?? { from: at + 1, end }, false), end };
}

/** Whether an argument is the message of an assertion: a text, or a function that returns one. */
function isMessage(tokens: Tokens, span: Span): boolean {
  return (
    tokens[span.from]?.kind === 'string' ||
    isLambda(tokens, span) ||
    (is(tokens, span.from, 'String') && is(tokens, span.from + 2, 'format'))
  );
}

function isTolerance(tokens: Tokens, { from, end }: Span): boolean {
  return (
    (tokens[from]?.kind === 'number' && end === from + 1) ||
    /delta|eps|tolerance|precision|MAX_VALUE/i.test(canonical(tokens, { from, end }))
  );
}

function calledAssertion(
  scope: Scope,
  call: Call,
  { kind, form, negated = false, expected }: Facts,
): Found | undefined {
  const { tokens, names } = scope;
  const { args, end, name } = call;
  const isTestNg = names.has('testng');
  const messageFirst =
    !isTestNg &&
    !names.has('jupiter') &&
    (names.has('junit') || names.has('framework')) &&
    !names.has('kotlin');
  if (form === 'throws') {
    const own = args.filter((arg) => !(tokens[arg.from]?.kind === 'string' && arg.end === arg.from + 1));
    const [type] = own;
    const isTyped = type && /(?:\bclass|:: class)/.test(textOf(tokens, type)) && !isLambda2(tokens, type);
    const text = call.types || (isTyped ? textOf(tokens, type) : '');
    const body = call.block ?? own.find((arg) => arg !== type || !isTyped);
    return { claims: [throwsClaim(tokens, text, body)], end };
  }
  if (form === 'type') {
    const [type, value] = call.types ? [undefined, args[0]] : args;
    return {
      claims: [
        claim(kind, textOf(tokens, value), call.types || className(textOf(tokens, type)), {
          negated: name === 'assertIsNot',
        }),
      ],
      end,
    };
  }
  if (expected === 'none')
    return { claims: [claim('exact', args.map((arg) => canonical(tokens, arg)).join(' , '), name)], end };
  const messages = args.map((arg) => isMessage(tokens, arg));
  if (form === 'pair') {
    const [first, , third] = args;
    const dropsFirst =
      messageFirst &&
      first &&
      third &&
      (args.length >= 4 ||
        (messages[0] === true && !isTolerance(tokens, third)) ||
        (!messages[0] && !messages[2] && !isTolerance(tokens, third)));
    const own = dropsFirst ? args.slice(1) : args;
    const [left, right, more] = own;
    if (!left || !right) return undefined;
    if (name === 'assertContains')
      return { claims: [claim('part', textOf(tokens, left), textOf(tokens, right))], end };
    const tolerance = more && isTolerance(tokens, more) ? (toleranceIn(tokens, [more]) ?? 1e-6) : undefined;
    const order = isTestNg ? 'actual-first' : 'expected-first';
    return { claims: pairClaims(tokens, left, right, { kind, negated, order, tolerance }), end };
  }
  const [first, second] = args;
  const block = call.block;
  const actual = messages[0] && second && !isLambda(tokens, first ?? second) ? second : (first ?? block);
  if (!actual) return undefined;
  if (form === 'condition') {
    const condition =
      block && !first ? block : isLambda(tokens, actual) ? lambdaBody(tokens, actual) : actual;
    return { claims: conditionClaims(tokens, condition, negated), end };
  }
  return oneValue(tokens, call, actual, expected === undefined ? { kind } : { kind, expected });
}

/** Whether an argument is a function with a body, and not a class such as `X::class`. */
function isLambda2(tokens: Tokens, span: Span): boolean {
  return find(tokens, span, '->') !== -1 || is(tokens, span.from, '{');
}

/** `assertNull(x)`, `assertNotNull(x)`, `assertDoesNotThrow(() -> …)` */
function oneValue(
  tokens: Tokens,
  { name, end, block, args }: Call,
  actual: Span,
  { kind, expected = '' }: Facts,
): Found {
  const isFunction = name === 'assertDoesNotThrow';
  const body = isFunction ? lambdaBody(tokens, block ?? actual) : actual;
  const isMade =
    is(tokens, actual.from, 'new') ||
    (tokens[actual.from]?.kind === 'string' && actual.end === actual.from + 1);
  const vacuous =
    name === 'assertNotNull' && isMade
      ? 'a new value is never null'
      : isFunction && body.from >= body.end
        ? 'it runs nothing'
        : undefined;
  return {
    claims: [claim(kind, canonical(tokens, body), expected, vacuous === undefined ? {} : { vacuous })],
    // What it runs may have assertions.
    end: isFunction ? (args[0]?.from ?? block?.from ?? end) : end,
  };
}

/** AssertJ, Truth, Hamcrest: all begin with `assertThat`. */
function fluent(scope: Scope, at: number, call: Call): Found | undefined {
  const { tokens } = scope;
  const { args, name, end } = call;
  const [first, second, third] = args;
  if (name === 'then' && (!scope.names.has('BDDAssertions') || is(tokens, at - 1, '.'))) return undefined;
  if (name === 'that' && !is(tokens, at - 1, '.')) return undefined;
  if (name === 'expect' && (is(tokens, at - 1, '.') || call.block)) return undefined;
  if (name === 'assertWithMessage') return undefined;
  const isHamcrest = second && (isMatcher(tokens, second) || (third && isMatcher(tokens, third)));
  if (isHamcrest) {
    const [value, matcher] = third && isMatcher(tokens, third) ? [second, third] : [first, second];
    return value && matcher && { claims: hamcrest(tokens, matcher, canonical(tokens, value), value), end };
  }
  if (second && first && tokens[first.from]?.kind === 'string' && nextLink(tokens, end) === -1)
    return { claims: conditionClaims(tokens, second, false), end };
  if (!first) return undefined;
  const found = chainClaims(tokens, first, end, FLUENT);
  const claims = found.claims.map(truthTolerance);
  const isContainer =
    found.end < tokens.length &&
    /^(?:\w*[sS]atisf\w*|all|each|any|none|given|transform|prop|index)$/.test(
      tokens[found.end - 1]?.text ?? '',
    );
  const isStatement = nextLink(tokens, end) === -1 && !call.block;
  if (name === 'expect' && claims.length === 0) return undefined;
  return claims.length > 0 || !isStatement
    ? { ...found, claims: claims.length > 0 || isContainer || call.block ? claims : [nothing(tokens, first)] }
    : { claims: call.block ? [] : [nothing(tokens, first)], end: call.block ? call.end - 1 : found.end };
}

function nothing(tokens: Tokens, subject: Span): Claim {
  return claim('truthy', canonical(tokens, subject), '', { vacuous: 'it asserts nothing of the value' });
}

/** Truth: `assertThat(x).isWithin(0.1).of(3.0)` */
function truthTolerance(each: Claim): Claim {
  const match = /^(.*) \. isWithin \( ([\d._]+)\w? \)$/.exec(each.subject);
  return match
    ? claim('near', match[1] ?? '', each.expected, { negated: each.negated, tolerance: Number(match[2]) })
    : each;
}

function matcherName(tokens: Tokens, { from, end }: Span): number {
  let at = from;
  while (
    at + 2 < end &&
    is(tokens, at + 1, '.') &&
    /^(?:org|hamcrest|\w*Matchers|Is|IsEqual|core)$/.test(tokens[at]?.text ?? '')
  )
    at += 2;
  return at;
}

function isMatcher(tokens: Tokens, span: Span): boolean {
  const at = matcherName(tokens, span);
  const name = tokens[at]?.text ?? '';
  return (
    callAt(tokens, at) !== undefined &&
    (factsOf(HAMCREST, name) !== undefined || /^(?:is|not|allOf|both)$/.test(name))
  );
}

/** What a matcher of Hamcrest says of a value. */
function hamcrest(
  tokens: Tokens,
  matcher: Span,
  about: string,
  value: Span | undefined,
  negated = false,
): Claim[] {
  const at = matcherName(tokens, matcher);
  const call = callAt(tokens, at);
  const name = call?.name ?? '';
  const [first, second] = call?.args ?? [];
  if (name === 'is' && first && isMatcher(tokens, first))
    return hamcrest(tokens, first, about, value, negated);
  if (name === 'not' && first && isMatcher(tokens, first))
    return hamcrest(tokens, first, about, value, !negated);
  if (name === 'allOf' || name === 'both') {
    const parts = [...(call?.args ?? [])];
    const link = call ? nextLink(tokens, call.end) : -1;
    if (link !== -1 && link < matcher.end) parts.push(...(callAt(tokens, link + 1)?.args ?? []));
    return parts.flatMap((part) => matcherOrValue(tokens, part, about, negated));
  }
  const facts = name === 'is' || name === 'not' ? { kind: 'equal' as const } : factsOf(HAMCREST, name);
  if (!facts || !call) return [claim('exact', about, canonical(tokens, matcher), { negated })];
  const isNegated = negated !== (name === 'not');
  if (/^(?:anything)$/.test(name)) return [claim('exists', about, '', { vacuous: 'it accepts anything' })];
  if (facts.expected === 'null' && isNegated) return [claim('exists', about)];
  if (facts.kind === 'exists') return [isNegated ? claim('equal', about, 'null') : claim('exists', about)];
  if (facts.kind === 'near')
    return [
      claim('near', about, textOf(tokens, first), {
        negated: isNegated,
        ...(name === 'closeTo' && { tolerance: toleranceIn(tokens, second ? [second] : []) ?? 0 }),
      }),
    ];
  if (
    facts.kind === 'equal' &&
    first &&
    value &&
    facts.expected === undefined &&
    !/^(?:contains|arrayContaining)$/.test(name)
  )
    return [valueClaim(tokens, value, first, { kind: 'equal', negated: isNegated })].flat();
  const expected = facts.expected ?? call.args.map((arg) => canonical(tokens, arg)).join(' , ');
  if (facts.kind === 'size') return [sizeClaim(about, expected, isNegated)];
  const vacuous =
    /^(?:greaterThanOrEqualTo)$/.test(name) &&
    expected === '0' &&
    /(?:size|length|count)(?: \( \))?$/.test(about)
      ? { vacuous: 'a length is never below 0' }
      : {};
  return [claim(facts.kind, about, expected, { negated: isNegated, ...vacuous })];
}

function matcherOrValue(tokens: Tokens, span: Span, about: string, negated = false): Claim[] {
  return isMatcher(tokens, span)
    ? hamcrest(tokens, span, about, undefined, negated)
    : [claim('equal', about, canonical(tokens, span), { negated })];
}

/** `assertThatThrownBy(() -> …).isInstanceOf(X.class).hasMessage("…")` */
function thrownChain(tokens: Tokens, call: Call): Found | undefined {
  const { args, block, end, name, types } = call;
  const body = block ?? args.find((arg) => isLambda(tokens, arg)) ?? args[0];
  if (!body || name === 'catchThrowable') return undefined;
  const text = canonical(tokens, lambdaBody(tokens, body));
  const found = chainClaims(tokens, body, end, FLUENT);
  const claims = found.claims.map((each) =>
    each.kind === 'bounded' && /class\b/.test(each.expected)
      ? { ...throwsClaim(tokens, each.expected, undefined), subject: text }
      : { ...each, subject: text },
  );
  if (types) claims.unshift({ ...throwsClaim(tokens, types, undefined), subject: text });
  if (claims.length === 0) {
    const isThrown = name !== 'assertThatCode' && name !== 'expectCatching';
    claims.push(
      isThrown
        ? claim('happens', text)
        : claim('truthy', text, '', { vacuous: 'it asserts nothing of the value' }),
    );
  }
  return { ...found, claims };
}

/** `assertThatExceptionOfType(X.class).isThrownBy(() -> …).withMessage("…")` */
function thrownOfType(tokens: Tokens, call: Call): Found {
  const type = call.args[0] ? textOf(tokens, call.args[0]) : (/^assertThat(.*)$/.exec(call.name)?.[1] ?? '');
  const claims: Claim[] = [];
  let { end } = call;
  for (let link = nextLink(tokens, end); link !== -1; link = nextLink(tokens, end)) {
    const each = callAt(tokens, link + 1);
    end = each?.end ?? link + 2;
    if (each?.name === 'isThrownBy') claims.push(throwsClaim(tokens, type, each.args[0]));
    else if (each && /^with(?!FailMessage)/.test(each.name))
      claims.push(
        claim(
          /Containing|Matching|StartingWith/.test(each.name) ? 'part' : 'exact',
          'message',
          each.args.map((arg) => canonical(tokens, arg)).join(' , '),
        ),
      );
  }
  if (claims.length === 0) claims.push(claim('happens', type, '', { vacuous: 'it runs nothing' }));
  return { claims, end };
}

/** Mockito: `verify(mock, times(2)).save(cart)`; ApprovalTests: `Approvals.verify(text)`. */
function verification(scope: Scope, at: number, call: Call): Found | undefined {
  const { tokens } = scope;
  const [mock, mode] = call.args;
  if (!mock) return undefined;
  if (is(tokens, at - 2, 'Approvals', 'JsonApprovals'))
    return { claims: [claim('snapshot', canonical(tokens, mock))], end: call.end };
  const link = nextLink(tokens, call.end);
  const verified = link === -1 ? undefined : callAt(tokens, link + 1);
  if (!verified) {
    const isMockito = scope.names.has('Mockito') || scope.names.has('mockito');
    return isMockito
      ? {
          claims: [claim('happens', canonical(tokens, mock), '', { vacuous: 'it verifies no call' })],
          end: call.end,
        }
      : undefined;
  }
  return {
    claims: [
      verifiedClaim({
        receiver: `${canonical(tokens, mock)} . ${verified.name}`,
        args: verified.args.map((arg) => canonical(tokens, arg)),
        times: textOf(tokens, mode),
        defaultIsOnce: true,
      }),
    ],
    end: verified.end,
  };
}

/** `then(repository).should(times(2)).save(cart)` */
function bddVerification(tokens: Tokens, at: number, call: Call): Found | undefined {
  const close = at - 2;
  const open = tokens[close]?.partner ?? -1;
  if (!is(tokens, close, ')') || !is(tokens, open - 1, 'then')) return undefined;
  const link = nextLink(tokens, call.end);
  const verified = link === -1 ? undefined : callAt(tokens, link + 1);
  if (!verified) return undefined;
  return {
    claims: [
      verifiedClaim({
        receiver: `${canonical(tokens, inside(tokens, open))} . ${verified.name}`,
        args: verified.args.map((arg) => canonical(tokens, arg)),
        times: textOf(tokens, call.args[0]),
        defaultIsOnce: true,
      }),
    ],
    end: verified.end,
  };
}

const WEB: ChainWords = { ...FLUENT, matchers: { ...FLUENT.matchers, ...SPRING } };

/** `status().isOk()`, `jsonPath("$.name").value("x")`, `jsonPath("$.name", is("x"))` */
function answerClaims(tokens: Tokens, span: Span): Claim[] {
  let at = span.from;
  while (is(tokens, at + 1, '.') && isName(tokens, at) && !is(tokens, at + 1, '(')) at += 2;
  const head = callAt(tokens, at);
  if (!head) return [claim('exact', 'response', canonical(tokens, span))];
  const link = nextLink(tokens, head.end);
  const about = canonical(tokens, { from: span.from, end: head.end });
  if (link === -1 || link >= span.end) {
    const [first, second] = head.args;
    return second
      ? matcherOrValue(tokens, second, `${head.name} ( ${textOf(tokens, first)} )`)
      : [claim('exact', head.name, about)];
  }
  const { claims } = chainClaims(tokens, { from: span.from, end: head.end }, head.end, WEB);
  const last = callAt(tokens, link + 1);
  const [value] = last?.args ?? [];
  if (value && isMatcher(tokens, value)) return hamcrest(tokens, value, about, undefined);
  return claims.length > 0
    ? [...claims]
    : [claim('exact', about, canonical(tokens, { from: link + 1, end: span.end }))];
}

/** A step of a StepVerifier, which runs only if something verifies it. */
function step(tokens: Tokens, at: number, { name, args, end }: Call): Found {
  let last = end;
  let verifies = /^verify/.test(name);
  for (let link = nextLink(tokens, last); link !== -1; link = nextLink(tokens, last)) {
    if (/^(?:verify|await)/.test(tokens[link + 1]?.text ?? '')) verifies = true;
    last = callAt(tokens, link + 1)?.end ?? link + 2;
  }
  const expected = args.map((arg) => canonical(tokens, arg)).join(' , ');
  const isReturned = is(tokens, at, 'x');
  const vacuous = verifies || isReturned ? {} : { vacuous: 'nothing verifies the steps' };
  return {
    claims: [claim('exact', name, expected, vacuous)],
    end: args.some((arg) => isLambda(tokens, arg)) ? at + 2 : end,
  };
}

/** A call that skips the test. */
export function jvmSkipAt({ tokens }: Scope, at: number): Skip | undefined {
  const name = tokens[at]?.text ?? '';
  if (/^(?:SkipException|TestAbortedException|AssumptionViolatedException|TestSkippedException)$/.test(name))
    return is(tokens, at - 1, 'new') || is(tokens, at - 1, 'throw') ? {} : undefined;
  if (name === 'abort' && is(tokens, at - 2, 'Assumptions')) return {};
  if (!/^(?:assume(?:True|False|That|NotNull|NoException)|assumingThat)$/.test(name)) return undefined;
  const call = callAt(tokens, at);
  if (!call || is(tokens, at - 1, 'void', 'fun')) return undefined;
  const own = call.args.filter(
    (arg, index) => !(tokens[arg.from]?.kind === 'string' && (index > 0 || call.args.length > 1)),
  );
  const condition =
    name === 'assumeThat'
      ? own.map((arg) => canonical(tokens, arg)).join(' ')
      : textOf(tokens, own[0] ?? call.block);
  if (name === 'assumeFalse')
    return condition === 'true'
      ? {}
      : condition === 'false'
        ? undefined
        : { condition: `not ( ${condition} )` };
  return condition === 'false' ? {} : condition === 'true' ? undefined : { condition };
}

function testsIn(scope: Scope): FoundTest[] {
  const roles = rolesIn(scope);
  return scope.declarations.methods.flatMap((method): FoundTest[] => {
    const types = typesAround(method);
    return isTest(scope, method, types) ? [methodTest(scope, method, types, roles)] : [];
  });
}

export function rolesIn({ declarations }: Scope): Roles {
  const { methods } = declarations;
  return {
    hooks: methods.filter(
      ({ marks, name, body }) =>
        body.from < body.end &&
        (marks.some((each) => HOOKS.has(each.name)) || name === 'setUp' || name === 'tearDown'),
    ),
    tables: methods.filter(({ marks }) => mark(marks, 'Parameters') !== undefined),
  };
}

/** A test that is a method, with what its marks and those of its classes say. */
export function methodTest(
  scope: Scope,
  method: Method,
  types: readonly TypeDeclaration[],
  roles: Roles,
): FoundTest {
  const marks = [...method.marks, ...types.flatMap((type) => type.marks)];
  const ofClass = roles.tables.filter(({ type }) => type === method.type);
  return {
    name: [...types.map((type) => type.name), method.name].join(' > '),
    line: method.line,
    running: together(marks.map((each) => jvmState(scope.tokens, each))),
    body: method.body,
    hooks: hooksAround(roles.hooks, types),
    parameters:
      ofClass.length > 0 ? constructorParameters(scope, types) : method.parameters.map(({ name }) => name),
    tables: [...ofClass.map((each) => rowsOfMethod(scope, each)), ...tablesOf(scope, method)],
    claims: expectedErrors(scope.tokens, method),
  };
}

/** Whether the runner collects a method as a test. */
function isTest(scope: Scope, method: Method, types: readonly TypeDeclaration[]): boolean {
  const { marks, modifiers, name, returns, type } = method;
  if (!type) return false;
  const own = marks.find((each) => TESTS.has(each.name));
  const isOfTestCase =
    namesIn(scope.tokens, type.header).has('TestCase') && /^test/.test(name) && modifiers.has('public');
  const isOfClass =
    mark(type.marks, 'Test') !== undefined &&
    modifiers.has('public') &&
    returns !== '' &&
    !marks.some((each) => HOOKS.has(each.name) || each.name === 'DataProvider');
  if (!own && !isOfTestCase && !isOfClass) return false;
  if (modifiers.has('private') || modifiers.has('static') || modifiers.has('abstract')) return false;
  if (
    own &&
    !/(?:^| )void$/.test(returns) &&
    !/^(?:TestFactory|TestTemplate|Property|Example|ArchTest)$/.test(own.name)
  )
    return false;
  return isCollected(scope, types);
}

/** Whether the runner makes an object of a class, and of those around it. */
export function isCollected(scope: Scope, types: readonly TypeDeclaration[]): boolean {
  const isJupiter = scope.names.has('jupiter');
  return types.every((type, depth) => {
    if (type.modifiers.has('private')) return false;
    if (type.modifiers.has('abstract') && !isBase(type, scope)) return false;
    // JUnit 5 looks for inner classes with this mark only.
    return (
      depth === 0 || !isJupiter || type.modifiers.has('static') || mark(type.marks, 'Nested') !== undefined
    );
  });
}

const SYSTEMS = /\b(?:WINDOWS|LINUX|MAC|AIX|SOLARIS|FREEBSD)\b/g;

/** What an annotation says about whether a test runs. */
export function jvmState(tokens: Tokens, given: Mark): Running | undefined {
  const { name } = given;
  const values = argumentsOf(tokens, given);
  const text = given.args.map((arg) => canonical(tokens, arg)).join(' , ');
  if (
    /^(?:Disabled|Ignore|Ignored|DisabledUntil|NotWorking|Skip|Skipped|KnownIssue|Quarantined?)$/.test(name)
  )
    return { state: 'skipped' };
  if (name === 'Test' && textOf(tokens, values.get('enabled')) === 'false') return { state: 'skipped' };
  if (values.has('successPercentage') && textOf(tokens, values.get('successPercentage')) !== '100')
    return { state: 'expected-to-fail' };
  if (/^(?:ExpectedToFail|ExpectFailure|ExpectedFailure)$/.test(name)) return { state: 'expected-to-fail' };
  if (/^(?:Disabled|Enabled)OnOs$/.test(name)) {
    const systems = new Set(text.match(SYSTEMS));
    const isNowhere =
      name === 'DisabledOnOs' && ['WINDOWS', 'LINUX', 'MAC'].every((system) => systems.has(system));
    return isNowhere ? { state: 'skipped' } : { state: 'conditional', condition: `${name} OS ${text}` };
  }
  if (/^(?:Disabled|Enabled)(?:If|For|On|In)|^IfProfileValue$/.test(name)) {
    if (/If/.test(name) && /^(?:expression = )?"(?:#\{)?(true|false)\}?"$/.test(text)) {
      const isSkipped = /true/.test(text) === name.startsWith('Disabled');
      return { state: isSkipped ? 'skipped' : 'runs' };
    }
    return { state: 'conditional', condition: `${name} ${text}` };
  }
  if (name === 'EnumSource' && /mode = (?:\w+ \. )*(?:EXCLUDE|MATCH_NONE)/.test(text))
    return { state: 'conditional', condition: `${name} ${text}` };
  return undefined;
}

/** `@Test(expected = X.class)`, `@Test(expectedExceptions = X.class)` */
function expectedErrors(tokens: Tokens, { marks }: Method): Claim[] {
  return marks.flatMap((each) => {
    if (each.name !== 'Test') return [];
    const values = argumentsOf(tokens, each);
    const type = values.get('expected') ?? values.get('expectedExceptions');
    const message = values.get('expectedExceptionsMessageRegExp');
    return [
      ...(type
        ? [throwsClaim(tokens, canonical(tokens, type).replace(/^\{ (.*) \}$/, '$1'), undefined)]
        : []),
      ...(message ? [claim('exact', 'message', canonical(tokens, message))] : []),
    ];
  });
}

/** JUnit 4 gives the rows to the constructor. */
function constructorParameters({ declarations }: Scope, types: readonly TypeDeclaration[]): string[] {
  const type = types.at(-1);
  const made = declarations.methods.find((each) => each.type === type && each.name === type?.name);
  return made?.parameters.map(({ name }) => name) ?? [];
}

/** The tables of a test. */
function tablesOf(scope: Scope, method: Method): Table[] {
  const table = added(method.marks.flatMap((each) => sourceTable(scope, each, method) ?? []));
  const factory = mark(method.marks, 'TestFactory') ? dynamicTests(scope.tokens, method.body) : undefined;
  return [table, factory].flatMap((each) => each ?? []);
}

function dynamicTests(tokens: Tokens, { from, end }: Span): Table | undefined {
  let count = 0;
  for (let at = from; at < end; at++) if (is(tokens, at, 'dynamicTest', 'dynamicContainer')) count++;
  return count > 0 ? { count, dynamic: false, rows: [], spans: [] } : undefined;
}

function sourceTable(scope: Scope, given: Mark, method: Method): Table | undefined {
  const { tokens, declarations } = scope;
  const values = argumentsOf(tokens, given);
  const first = values.get('value');
  const methodRows = (name: string): Table => {
    const found = declarations.methods.find((each) => each.name === name && each !== method);
    const field = declarations.fields.find((each) => each.name === name);
    if (found) return rowsOfMethod(scope, found);
    return field ? rowsOf(tokens, field.value) : { count: 1, dynamic: true, rows: [], spans: [] };
  };
  switch (given.name) {
    case 'CsvSource':
      return csvTable(tokens, values, method);
    case 'ValueSource':
      return added([...values.values()].map((span) => listOfValues(tokens, span)));
    case 'NullSource':
      return { count: 1, dynamic: false, rows: [['null']], spans: [] };
    case 'EmptySource':
      return { count: 1, dynamic: false, rows: [['""']], spans: [] };
    case 'NullAndEmptySource':
      return { count: 2, dynamic: false, rows: [['null'], ['""']], spans: [] };
    case 'EnumSource': {
      const names = values.get('names');
      // Without a list, all values of the enumeration are rows.
      if (!names || values.has('mode')) return { count: Infinity, dynamic: false, rows: [], spans: [] };
      return { ...listOfValues(tokens, names), rows: [] };
    }
    case 'MethodSource':
    case 'FieldSource':
      return added(
        first
          ? split(tokens, is(tokens, first.from, '{', '[') ? inside(tokens, first.from) : first).map((part) =>
              methodRows((stringValue(tokens[part.from]) ?? '').replace(/^.*#|\(.*$/g, '')),
            )
          : [methodRows(method.name)],
      );
    case 'ArgumentsSource':
    case 'CsvFileSource':
      return { count: 1, dynamic: true, rows: [], spans: [] };
    case 'Test': {
      const provider = stringValue(tokens[values.get('dataProvider')?.from ?? -1]);
      if (provider === undefined) return undefined;
      const found = declarations.methods.find(({ name, marks }) => {
        const data = mark(marks, 'DataProvider');
        return (
          data &&
          (stringValue(tokens[argumentsOf(tokens, data).get('name')?.from ?? -1]) ?? name) === provider
        );
      });
      return found ? rowsOfMethod(scope, found) : { count: 1, dynamic: true, rows: [], spans: [] };
    }
    default:
      return undefined;
  }
}

/** `{1, 2}`, `[1, 2]`, or a single value. */
function listOfValues(tokens: Tokens, span: Span): Table {
  const parts = is(tokens, span.from, '{', '[') ? split(tokens, inside(tokens, span.from)) : [span];
  return {
    count: parts.length,
    dynamic: false,
    rows: parts.map((part) => [canonical(tokens, part)]),
    spans: [span],
  };
}

function csvTable(tokens: Tokens, values: ReadonlyMap<string, Span>, method: Method): Table {
  const block = values.get('textBlock');
  const list = values.get('value');
  const delimiter =
    stringValue(tokens[(values.get('delimiter') ?? values.get('delimiterString'))?.from ?? -1]) ?? ',';
  const hasHeader = textOf(tokens, values.get('useHeadersInDisplayName')) === 'true';
  const spans = [block ?? list].flatMap((span) => span ?? []);
  const texts = spans.flatMap((span) => {
    const found: string[] = [];
    for (let at = span.from; at < span.end; at++) found.push(...(stringValue(tokens[at])?.split('\n') ?? []));
    return found;
  });
  const lines = texts
    .map((line) => line.trim())
    .filter((line) => line !== '' && !(block && line.startsWith('#')));
  const rows = (hasHeader ? lines.slice(1) : lines).map((line) => csvValues(line, delimiter, method));
  // Of a list that names constants, only the number is known.
  return { count: rows.length, dynamic: rows.length === 0, rows, spans };
}

function csvValues(line: string, delimiter: string, { parameters }: Method): string[] {
  return line
    .split(new RegExp(`${delimiter.replace(/[^\w]/g, '\\$&')}(?=(?:[^']*'[^']*')*[^']*$)`))
    .map((cell, index) => {
      const value = cell.trim();
      const type = parameters[index]?.type ?? 'String';
      if (value === '') return 'null';
      if (/\bString\b/.test(type)) return `"${value.replace(/^'(.*)'$/, '$1')}"`;
      return value.replace(/^-/, '- ');
    });
}

/** What is replaced by a mock: `mock(Cart.class)`, `@Mock Cart cart`, `@MockBean`, `mockk<Cart>()`. */
export function jvmMocksIn({ tokens }: Scope): TestFile['mocks'] {
  const mocks: { target: string; line: number }[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const { text = '', kind, line = 0 } = tokens[at] ?? {};
    if (kind !== 'name') continue;
    if (/^@(?:Mock|MockBean|MockitoBean|Spy|SpyBean|MockitoSpyBean|MockK|RelaxedMockK|SpyK)$/.test(text)) {
      const target = markedType(tokens, at);
      if (target) mocks.push({ target, line });
    } else if (
      /^(?:mock|spy|mockk|spyk|mockStatic|mockConstruction|mockkClass|mockkStatic|mockkObject)$/.test(text)
    ) {
      const call = callAt(tokens, at);
      const name =
        call && (call.types || className(textOf(tokens, call.args[0]).replace(/^new (\w+) .*$/, '$1')));
      if (name && /^\w+$/.test(name)) mocks.push({ target: name, line });
    } else if (/^(?:when|given|every|coEvery)$/.test(text)) {
      // `doReturn(3).when(cart).total()`, `when(cart.total()).thenReturn(3)`
      const stubbed = /^\w+ [({] (\w+)(?: \))? \. (\w+) \(/.exec(
        canonical(tokens, { from: at, end: at + 8 }),
      );
      if (stubbed) mocks.push({ target: `${stubbed[1]} . ${stubbed[2]}`, line });
    }
  }
  return mocks;
}

/** The type of a field after its annotation: `private Cart cart;`, `lateinit var cart: Cart`. */
function markedType(tokens: Tokens, at: number): string | undefined {
  let next = at + 1;
  if (is(tokens, next, '(')) next = (tokens[next]?.partner ?? next) + 1;
  while (
    /^(?:private|protected|public|final|static|lateinit|internal|@\w+)$/.test(tokens[next]?.text ?? '') ||
    tokens[next]?.kind === 'newline'
  )
    next++;
  if (is(tokens, next, 'var', 'val')) return is(tokens, next + 2, ':') ? tokens[next + 3]?.text : undefined;
  return tokens[next]?.text;
}
