import type { Comment } from '../lexer.ts';
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
  RESULT,
  type Running,
  readTests,
  receiverOf,
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
import type { Assertion, Test, TestFile, TestReader } from './model.ts';
import { canonical, find, inside, is, isName, type Span, split, stringValue, type Tokens } from './tokens.ts';

/** C#: xUnit, NUnit, MSTest, TUnit; FluentAssertions, Shouldly, Moq, NSubstitute, FakeItEasy. */
export const csharp: TestReader = {
  isTestPath: (path) =>
    /\.cs$/.test(path) &&
    /(?:^|[/._-])[tT]ests?\/|[a-z](?:Tests?|Specs?|Facts?)\/|[\w.]*(?:Tests?|Specs?|Facts?)\.cs$|(?:^|\/)[\w.]*[tT]ests?[\w.]*\/|(?:^|\/)(?:specs?|Specs?)\//.test(
      path,
    ),
  mayHaveTests: (text) =>
    /\[\s*(?:\w+\s*[.:,]\s*)*\w*(?:Fact|Theory|Test\w*|DataRow|Property)\b|\bAssert\b|\bShould/.test(text),
  read: ({ tokens, comments }) => withDirectives(readTests(tokens, DIALECT), comments),
};

const FLOW: FlowWords = {
  // A handler that returns keeps the rest from running.
  conditions: ['if', 'while', 'catch'],
  branches: ['else', 'case', 'default'],
  tries: ['try'],
  catches: ['catch'],
  exits: ['return', 'continue', 'break'],
  fails:
    /\b(?:throw|Fail|Assert|ClassicAssert|Should\w*|Verify|SetException|TrySetException)\b|= (?:e|ex|err|error|exception)(?: |$)|\b(?:Add|Enqueue) \( (?:e|ex|exception) \)/,
  never: ['false', '! true', '1 == 2', '1 == 0', '0 == 1', '0 > 1'],
  always: ['true', '! false', '1 == 1'],
};

const TEST = /^(?:\w*Fact|\w*Theory|Test|TestCase|TestCaseSource|\w*TestMethod|Property)$/;
/** Prefixes of test attributes that say where a test runs, not whether it does. */
const PLAIN_PREFIX = /^(?:Skippable|Sta|STA|Wpf|WPF|UI|Ui|WinForms|WinUI|Data|Retry|Async|)$/;
const HOOKS =
  /^(?:SetUp|TearDown|OneTimeSetUp|OneTimeTearDown|TestInitialize|TestCleanup|ClassInitialize|ClassCleanup|Before|After|AssemblyInitialize)$/;

/** The methods of `Assert` in xUnit, NUnit and MSTest, and of its relatives. */
const CALLS = factsTable(`
equal pair: Equal AreEqual StrictEqual Same AreSame
equal pair not: NotEqual AreNotEqual NotStrictEqual NotSame AreNotSame
alike pair: Equivalent AreEquivalent
equal condition: True IsTrue
equal condition not: False IsFalse
equal=null: Null IsNull
exists: NotNull IsNotNull DoesNotThrow DoesNotThrowAsync
exact=empty: Empty IsEmpty
exact=empty not: NotEmpty IsNotEmpty
exact=single: Single ContainsSingle
equal=0: Zero
exact: HasCount Collection Raises RaisesAsync RaisesAny PropertyChanged PropertyChangedAsync
part: Contains DoesNotContain StartsWith EndsWith Matches DoesNotMatch Subset Superset ProperSubset IsSubsetOf
bounded: InRange IsInRange NotInRange Greater GreaterOrEqual Less LessOrEqual Positive Negative NotZero IsGreaterThan IsGreaterThanOrEqualTo IsLessThan IsLessThanOrEqualTo Distinct AllItemsAreNotNull AllItemsAreUnique AllItemsAreInstancesOfType
bounded type: IsType IsNotType IsAssignableFrom IsNotAssignableFrom IsInstanceOf IsInstanceOfType IsNotInstanceOf IsNotInstanceOfType IsExactInstanceOfType
exact throws: Throws ThrowsAny ThrowsAsync ThrowsAnyAsync ThrowsException ThrowsExceptionAsync ThrowsExactly ThrowsExactlyAsync Catch CatchAsync
`);
const ASSERTS = new Set([
  'Assert',
  'CollectionAssert',
  'StringAssert',
  'ClassicAssert',
  'FileAssert',
  'DirectoryAssert',
]);

/** FluentAssertions and Shouldly: the same words, with another beginning. */
const FLUENT_WORDS = `
equal: Be BeSameAs Equal BeEqualTo HaveValue IsEqualTo
equal not: NotBe NotBeSameAs NotEqual IsNotEqualTo
near: BeApproximately BeCloseTo BeEquivalentTo IsEquivalentTo
equal condition: BeTrue IsTrue
equal condition not: BeFalse IsFalse
equal=null: BeNull IsNull
exists: NotBeNull IsNotNull NotThrow NotThrowAsync NotBeDefault NotBeNullOrWhiteSpace NotBeNullOrEmpty
exact=empty: BeEmpty IsEmpty
exact=empty not: NotBeEmpty IsNotEmpty
exact=blank: BeNullOrEmpty BeNullOrWhiteSpace
exact=single: ContainSingle HaveSingleItem HasSingleItem
size: HaveCount HaveLength HasCount
exact: HaveSameCount WithMessage WithParameterName HaveStatusCode Raise RaisePropertyChangeFor WithInnerException WithInnerExceptionExactly
equal=0: BeZero
bounded: BeGreaterThan BeGreaterThanOrEqualTo BeGreaterOrEqualTo BeLessThan BeLessThanOrEqualTo BeLessOrEqualTo BeInRange BePositive BeNegative BeOneOf BeOfType BeAssignableTo BeAfter BeBefore BeOnOrAfter BeOnOrBefore BeInAscendingOrder BeInDescendingOrder OnlyHaveUniqueItems BeUnique HaveCountGreaterThan HaveCountGreaterOrEqualTo HaveCountLessThan BeDefined BeSuccessful BeRedirection NotBePositive BeTypeOf IsTypeOf IsGreaterThan IsLessThan IsPositive
bounded not: NotBeOneOf NotBeOfType NotBeInRange
part: Contain ContainEquivalentOf ContainKey ContainValue ContainKeyAndValue StartWith EndWith Match MatchRegex BeSubsetOf IntersectWith ContainAll ContainAny ContainItemsAssignableTo ContainInOrder MatchEquivalentOf StartWithEquivalentOf ContainWithoutWhitespace MatchApproved Contains StartsWith
part not: NotContain NotContainKey NotMatch NotStartWith DoesNotContain
exact throws: Throw ThrowExactly ThrowAsync ThrowExactlyAsync ThrowExactlyWithinAsync Throws ThrowsExactly
`;
const NO_MATCHER = /^(?!)/;
const FLUENT: ChainWords = {
  matchers: factsTable(FLUENT_WORDS),
  neutral: new Set(['And', 'Or', 'Because', 'Which', 'Subject', 'Should', 'Where', 'With', 'Because']),
  loosening: /^(?:Excluding|IgnoringCase|IgnoringCyclicReferences)$/,
  looksLikeMatcher: /^(?:Be|Have|Not|Contain|Only|All|Is|Has)[A-Z]\w*$/,
  containers: /^(?:Satisfy|SatisfyRespectively|AllSatisfy|OnlyContain)$/,
};
const SHOULDLY: ChainWords = {
  ...FLUENT,
  matchers: Object.fromEntries(
    Object.entries(FLUENT.matchers).map(([name, facts]) => [
      name.startsWith('Not') ? `ShouldNot${name.slice(3)}` : `Should${name}`,
      facts,
    ]),
  ),
  looksLikeMatcher: /^Should[A-Z]/,
  containers: /^(?:ShouldSatisfyAllConditions|ShouldAllBe)$/,
};

/** NUnit's constraints: `Is.Not.EqualTo(3)`. */
const CONSTRAINTS: ChainWords = {
  matchers: factsTable(`
equal: EqualTo SameAs
near: EquivalentTo
equal=true: True
equal=false: False
equal=null: Null
exact=empty: Empty
equal=0: Zero
exact: Exactly
bounded: GreaterThan GreaterThanOrEqualTo AtLeast LessThan LessThanOrEqualTo AtMost InRange Positive Negative TypeOf InstanceOf AssignableFrom AssignableTo Unique Ordered AnyOf NaN
part: Contain Contains Contains Substring StartWith EndWith StartsWith EndsWith Match Matches Member Item SubsetOf SupersetOf ContainKey ContainValue Key SubstringOf Exist
`),
  neutral: new Set([
    'And',
    'Or',
    'With',
    'Items',
    'IgnoreCase',
    'Within',
    'Percent',
    'Ascending',
    'Descending',
    'Seconds',
    'Milliseconds',
    'Minutes',
    'Using',
    'Is',
    'Has',
    'Does',
    'After',
    'Ulps',
    'AsCollection',
    'NoClip',
    'By',
    'Matching',
    'One',
  ]),
  loosening: NO_MATCHER,
  looksLikeMatcher: NO_MATCHER,
  properties: true,
  negation: new Set(['Not', 'No', 'None']),
};

const DIALECT: Dialect = {
  syntax: 'csharp',
  flow: FLOW,
  helpers: /^(?:Assert|Expect|Verify|Check|Ensure|Should|Must)[A-Z_]/,
  guards: /^(?!)/,
  claimsAt,
  unreported: assertionScopes,
  skipAt,
  testsIn,
  mocksIn,
};

/** FluentAssertions' `new AssertionScope()` reports when it is disposed: without `using`, never. */
function assertionScopes(tokens: Tokens, body: Span): (at: number) => boolean {
  let first = Infinity;
  for (let at = body.from; at < body.end; at++) {
    if (!is(tokens, at, 'AssertionScope') || !is(tokens, at - 1, 'new')) continue;
    let begin = at;
    while (begin > body.from && !is(tokens, begin - 1, ';', '{', '}')) begin--;
    const isDisposed = [begin, begin + 1].some((index) => is(tokens, index, 'using'));
    if (!isDisposed) first = Math.min(first, at);
  }
  return (at) => at > first;
}

function claimsAt(scope: Scope, at: number): Found | undefined {
  const { tokens } = scope;
  if (!isName(tokens, at) || is(tokens, at - 1, 'new', 'void')) return undefined;
  const call = callAt(tokens, at);
  if (!call) return undefined;
  const { name, args, end } = call;
  const [first] = args;
  const isMember = is(tokens, at - 1, '.', '?.');
  const owner = isMember ? (tokens[at - 2]?.text ?? '') : '';
  if (ASSERTS.has(owner)) return asserted(scope, at, call, owner);
  if (owner === 'Debug' && name === 'Assert' && first)
    return { claims: conditionClaims(tokens, first, false), end };
  if (name === 'Should' && isMember) return fluent(tokens, at, call, FLUENT, end);
  if (owner === 'Should' && /^(?:Throw|NotThrow)/.test(name)) return shouldThrow(scope, at, call);
  if (/^Should[A-Z]/.test(name) && isMember) return fluent(tokens, at, call, SHOULDLY, at - 1);
  if (/^Verify(?:Set|Get|Add|Remove)?$/.test(name) && isMember && first && isLambda(tokens, first))
    return moq(tokens, at, call);
  if (/^Verify(?:All|NoOtherCalls)?$/.test(name) && isMember && args.length === 0)
    return { claims: [claim('exact', canonical(tokens, receiverOf(tokens, at)), name)], end };
  if (
    name === 'Verify' &&
    first &&
    (owner === 'Verifier' || !isMember) &&
    /Verify(?:Xunit|NUnit|MSTest|Tests|Base)|UsesVerify/.test([...scope.names].join(' '))
  )
    return {
      claims: [claim('snapshot', canonical(tokens, first))],
      end,
      floating: !isAwaited(tokens, isMember ? at - 2 : at),
    };
  if (/^(?:Received|DidNotReceive)(?:WithAnyArgs)?$/.test(name) && isMember)
    return received(tokens, at, call);
  if (/^Must(?:Not)?Have/.test(name) && isMember) return mustHaveHappened(tokens, at, call);
  return undefined;
}

/** Whether the value of an expression that begins at an index is awaited, returned or kept. */
function isAwaited(tokens: Tokens, begin: number): boolean {
  if (is(tokens, begin - 1, '=') && is(tokens, begin - 2, '_')) return false;
  return is(tokens, begin - 1, 'await', 'return', '=>', '=', '(', ',');
}

function isMessage(tokens: Tokens, span: Span): boolean {
  return tokens[span.from]?.kind === 'string' || is(tokens, span.from + 1, ':');
}

function asserted(scope: Scope, at: number, call: Call, owner: string): Found | undefined {
  const { tokens, names } = scope;
  const { name, args, end, types } = call;
  if (name === 'That') return constraint(scope, at, call);
  const facts = factsOf(CALLS, name);
  const [first, second] = args;
  if (!facts || !first) return undefined;
  const { kind, form, negated = false } = facts;
  const isNUnit = names.has('NUnit');
  if (form === 'throws') {
    const isTyped = /^typeof/.test(textOf(tokens, first));
    const body =
      args.findLast((arg) => isLambda(tokens, arg)) ??
      args.findLast((arg) => !isMessage(tokens, arg) && !(isTyped && arg === first));
    const found = throwsClaim(tokens, types || (isTyped ? textOf(tokens, first) : ''), body);
    // xUnit's and MSTest's return a task; NUnit's wait.
    const floating = /Async$/.test(name) && !isNUnit && !isAwaited(tokens, at - 2);
    return { claims: [found], end, floating };
  }
  if (form === 'type') {
    const value = types === '' && second && /^typeof/.test(textOf(tokens, first)) ? second : first;
    const type = types || className(textOf(tokens, value === first ? second : first));
    return { claims: [claim(kind, textOf(tokens, value), type, { negated: /^IsNot/.test(name) })], end };
  }
  if (form === 'pair' && second) return pair(scope, call, facts);
  if (form === 'condition') return { claims: conditionClaims(tokens, first, negated), end };
  if (kind === 'part') return { claims: [contained(tokens, call, owner)], end };
  if (name === 'Collection')
    return {
      claims: [claim('exact', textOf(tokens, first), `${args.length - 1} items`)],
      end: second?.from ?? end,
    };
  if (name === 'HasCount' && second)
    return { claims: [sizeClaim(textOf(tokens, second), textOf(tokens, first))], end };
  if (kind === 'exists') {
    const body = lambdaBody(tokens, first);
    const isMade =
      is(tokens, first.from, 'new') ||
      (tokens[first.from]?.kind === 'string' && first.end === first.from + 1);
    const vacuous =
      body.from >= body.end
        ? 'it runs nothing'
        : isMade && /NotNull$/.test(name)
          ? 'a new value is never null'
          : undefined;
    return {
      claims: [claim('exists', canonical(tokens, body), '', vacuous === undefined ? {} : { vacuous })],
      end,
    };
  }
  const expected =
    facts.expected ??
    args
      .slice(1)
      .filter((arg) => !isMessage(tokens, arg))
      .map((arg) => canonical(tokens, arg))
      .join(' , ');
  if (
    name === 'GreaterOrEqual' &&
    expected === '0' &&
    /\. (?:Count|Length)(?: \( \))?$/.test(textOf(tokens, first))
  )
    return {
      claims: [claim(kind, textOf(tokens, first), expected, { vacuous: 'a length is never below 0' })],
      end,
    };
  return { claims: [claim(kind, textOf(tokens, first), expected, { negated })], end };
}

/** `Assert.Equal(3, total)`, with a tolerance, a precision, a comparer or a message after it. */
function pair(
  { tokens, names }: Scope,
  { args, end, name }: Call,
  { kind, negated = false }: Facts,
): Found | undefined {
  const [first, second, third] = args;
  if (!first || !second) return undefined;
  if (kind === 'alike')
    return {
      claims: pairClaims(tokens, first, second, { kind, negated, order: 'expected-first' }),
      end,
    };
  const text = textOf(tokens, third);
  const isLoose =
    args.some((arg) =>
      /ignoreCase : true|IgnoreCase|ignoreWhiteSpaceDifferences : true/.test(canonical(tokens, arg)),
    ) ||
    (text === 'true' && name === 'AreEqual');
  const isNumber =
    third &&
    !isMessage(tokens, third) &&
    /^\d|^[a-z]\w*$|: [\d.]/.test(text) &&
    !/true|false|ompar/.test(text);
  const given =
    third && (isNumber || /^(?:precision|tolerance|delta) :/.test(text))
      ? toleranceIn(tokens, [third])
      : undefined;
  // xUnit counts decimal digits.
  const isPrecision = given !== undefined && names.has('Xunit') && /^(?:precision : )?\d+$/.test(text);
  const tolerance = given === undefined ? undefined : isPrecision ? 10 ** -given / 2 : given;
  const claims = pairClaims(tokens, first, second, {
    kind: isLoose ? 'part' : kind,
    negated,
    order: 'expected-first',
    tolerance,
  });
  return { claims, end };
}

/** `Assert.Contains("a", text)`, `Assert.Contains(items, x => x.IsNew)`, `StringAssert.Contains(text, "a")` */
function contained(tokens: Tokens, { name, args }: Call, owner: string): Claim {
  const [first, second] = args;
  const isActualFirst = owner !== 'Assert' || (second !== undefined && isLambda(tokens, second));
  const [subject, expected] = isActualFirst ? [first, second] : [second, first];
  const vacuous = textOf(tokens, expected) === '""' ? { vacuous: 'every text has an empty part' } : {};
  return claim('part', textOf(tokens, subject), textOf(tokens, expected), {
    negated: name.startsWith('DoesNot'),
    ...vacuous,
  });
}

/** NUnit's `Assert.That(total, Is.EqualTo(3))`, and TUnit's `await Assert.That(total).IsEqualTo(3)`. */
function constraint({ tokens }: Scope, at: number, call: Call): Found | undefined {
  const [value, expression] = call.args;
  if (!value) return undefined;
  if (nextLink(tokens, call.end) !== -1) {
    const found = chainClaims(tokens, value, call.end, FLUENT);
    return { ...found, floating: !isAwaited(tokens, at - 2) };
  }
  if (!expression || isMessage(tokens, expression) || isLambda(tokens, expression))
    return {
      claims: conditionClaims(tokens, isLambda(tokens, value) ? lambdaBody(tokens, value) : value, false),
      end: call.end,
    };
  return { claims: constraintClaims(tokens, expression, value), end: call.end };
}

function constraintClaims(tokens: Tokens, expression: Span, value: Span): Claim[] {
  const about = isLambda(tokens, value) ? lambdaBody(tokens, value) : value;
  const text = canonical(tokens, expression);
  if (is(tokens, expression.from, 'Throws')) return thrownClaims(tokens, expression, about);
  const { claims } = chainClaims(tokens, about, expression.from + 1, CONSTRAINTS);
  const within = find(tokens, expression, 'Within');
  const tolerance = within === -1 ? undefined : toleranceIn(tokens, [inside(tokens, within + 1)]);
  const isOpen = find(tokens, expression, 'Or') !== -1;
  if (claims.length === 0) return [claim('exact', canonical(tokens, about), text)];
  return claims.flatMap((each) => {
    if (isOpen) return [{ ...each, kind: 'bounded' as const }];
    if (tolerance !== undefined)
      return [claim('near', each.subject, each.expected, { negated: each.negated, tolerance })];
    if (find(tokens, expression, 'IgnoreCase') !== -1 && each.kind === 'equal')
      return [{ ...each, kind: 'part' as const }];
    if (
      each.kind === 'equal' &&
      /^(?:true|false)$/.test(each.expected) &&
      each.vacuous === undefined &&
      each.subject === canonical(tokens, about)
    )
      return conditionClaims(tokens, about, (each.expected === 'false') !== each.negated);
    return [each];
  });
}

/** `Throws.TypeOf<FullException>().With.Message.EqualTo("full")` */
function thrownClaims(tokens: Tokens, expression: Span, body: Span): Claim[] {
  const text = canonical(tokens, expression);
  if (/^Throws \. Nothing/.test(text)) return [claim('exists', canonical(tokens, body))];
  const typed = /(?:TypeOf|InstanceOf) < ([^>]*) >|(?:TypeOf|InstanceOf) \( (typeof \( [^)]* \)) \)/.exec(
    text,
  );
  const named = /^Throws \. (\w+Exception)/.exec(text);
  const type = typed?.[1] ?? typed?.[2] ?? named?.[1] ?? '';
  const message = /Message \. (\w+) \( (.*) \)$/.exec(text);
  return [
    throwsClaim(tokens, type, body),
    ...(message ? [claim(message[1] === 'EqualTo' ? 'exact' : 'part', 'message', message[2] ?? '')] : []),
  ];
}

/** `total.Should().Be(3)`, `total.ShouldBe(3)` */
function fluent(tokens: Tokens, at: number, call: Call, words: ChainWords, from: number): Found | undefined {
  const receiver = receiverOf(tokens, at);
  if (receiver.from >= receiver.end) return undefined;
  const { claims, end } = chainClaims(tokens, receiver, from, words);
  const text = canonical(tokens, { from: at, end });
  const floating = /(?:Async|WithinAsync) [(<]/.test(text) && !isAwaited(tokens, receiver.from);
  const condition = is(tokens, at - 1, '?.') ? { condition: `${canonical(tokens, receiver)} != null` } : {};
  if (
    claims.length > 0 ||
    call.args.some((arg) => isLambda(tokens, arg)) ||
    end < call.end ||
    end !== (words === FLUENT ? from : end)
  )
    return { claims: claims.map((each) => openMessage(each)), end, floating, ...condition };
  return {
    claims: [
      claim('truthy', canonical(tokens, receiver), '', { vacuous: 'it asserts nothing of the value' }),
    ],
    end,
  };
}

/** `WithMessage("*")` accepts any. */
function openMessage(each: Claim): Claim {
  return each.expected === '"*"' ? { ...each, vacuous: 'it accepts any text' } : each;
}

/** Shouldly: `Should.Throw<FullException>(() => cart.Add(1))` */
function shouldThrow({ tokens }: Scope, at: number, { name, args, end, types }: Call): Found {
  const body = args.find((arg) => isLambda(tokens, arg)) ?? args[0];
  const floating = name.endsWith('Async') && !isAwaited(tokens, at - 2);
  if (name.startsWith('Not'))
    return { claims: [claim('exists', textOf(tokens, body && lambdaBody(tokens, body)))], end, floating };
  return { claims: [throwsClaim(tokens, types, body)], end, floating };
}

/** `mock.Verify(m => m.Save(3), Times.Once())` */
function moq(tokens: Tokens, at: number, { args, end }: Call): Found {
  const [first, times] = args;
  const body = first ? lambdaBody(tokens, first) : { from: at, end: at };
  const receiver = canonical(tokens, receiverOf(tokens, at)).replace(/^Mock \. Get \( (.*) \)$/, '$1');
  const called = calledIn(tokens, body);
  const often = times && !isMessage(tokens, times) ? canonical(tokens, times).replace(/ \( \)$/, '') : '';
  return {
    claims: [
      verifiedClaim({
        receiver: `${receiver} . ${called.name}`,
        args: called.args,
        times: often,
        defaultIsOnce: false,
      }),
    ],
    end,
  };
}

function calledIn(tokens: Tokens, body: Span): { name: string; args: string[] } {
  const open = is(tokens, body.end - 1, ')') ? (tokens[body.end - 1]?.partner ?? -1) : -1;
  if (open <= body.from) return { name: canonical(tokens, { from: body.from + 2, end: body.end }), args: [] };
  return {
    name: tokens[open - 1]?.text ?? '',
    args: split(tokens, inside(tokens, open)).map((arg) => canonical(tokens, arg)),
  };
}

/** NSubstitute: `bank.Received(1).Pay(3)` */
function received(tokens: Tokens, at: number, { name, args, end }: Call): Found | undefined {
  const link = nextLink(tokens, end);
  const called = link === -1 ? undefined : callAt(tokens, link + 1);
  const receiver = canonical(tokens, receiverOf(tokens, at));
  if (!called) return { claims: [claim('happens', receiver, name, { vacuous: 'it verifies no call' })], end };
  const isAny = name.endsWith('AnyArgs');
  const times = name.startsWith('DidNot')
    ? 'never'
    : args[0]
      ? `times ( ${canonical(tokens, args[0])} )`
      : '';
  const values = called.args.map((arg) => (isAny ? 'any ( )' : canonical(tokens, arg)));
  return {
    claims: [
      verifiedClaim({ receiver: `${receiver} . ${called.name}`, args: values, times, defaultIsOnce: false }),
    ],
    end: called.end,
  };
}

/** FakeItEasy: `A.CallTo(() => bank.Pay(3)).MustHaveHappenedOnceExactly()` */
function mustHaveHappened(tokens: Tokens, at: number, { name, args, end }: Call): Found | undefined {
  const receiver = receiverOf(tokens, at);
  const callTo = find(tokens, receiver, 'CallTo', 'CallToSet');
  const lambda = callTo === -1 ? undefined : callAt(tokens, callTo)?.args[0];
  if (!lambda) return undefined;
  const body = lambdaBody(tokens, lambda);
  const called = calledIn(tokens, body);
  const times = name.startsWith('MustNot')
    ? 'never'
    : /Once(?:Exactly)$/.test(name)
      ? 'once'
      : /Twice(?:Exactly)$/.test(name)
        ? 'times ( 2 )'
        : args
            .map((arg) => canonical(tokens, arg))
            .join(' ')
            .replace(/Times \. /, '');
  const target = canonical(tokens, {
    from: body.from,
    end: find(tokens, body, '(') === -1 ? body.end : find(tokens, body, '('),
  });
  return {
    claims: [verifiedClaim({ receiver: target, args: called.args, times, defaultIsOnce: false })],
    end,
  };
}

/** A call that ends a test without a result. */
function skipAt({ tokens }: Scope, at: number): Skip | undefined {
  const name = tokens[at]?.text ?? '';
  const owner = is(tokens, at - 1, '.') ? (tokens[at - 2]?.text ?? '') : '';
  if (
    /^(?:IgnoreException|InconclusiveException|SkipException|AssertInconclusiveException|SkipTestException)$/.test(
      name,
    )
  )
    return is(tokens, at - 1, 'new', 'throw') ? {} : undefined;
  const call = callAt(tokens, at);
  if (!call) return undefined;
  const condition = textOf(tokens, call.args[0]);
  if (owner === 'Assert' && /^(?:Ignore|Inconclusive|Skip)$/.test(name)) return {};
  const isOpposite =
    (owner === 'Assert' && name === 'SkipWhen') ||
    ((owner === 'Skip' || owner === 'Assert') && name === 'If') ||
    (owner === 'Skip' && name === 'When');
  const isSame =
    (owner === 'Assert' && name === 'SkipUnless') ||
    (owner === 'Skip' && /^(?:IfNot|Unless)$/.test(name)) ||
    (owner === 'Assume' && name === 'That');
  if (isOpposite)
    return condition === 'true'
      ? {}
      : condition === 'false'
        ? undefined
        : { condition: `not ( ${condition} )` };
  if (!isSame) return undefined;
  const whole =
    owner === 'Assume'
      ? call.args
          .filter((arg) => tokens[arg.from]?.kind !== 'string')
          .map((arg) => canonical(tokens, arg))
          .join(' ')
      : condition;
  return /^false(?: Is \. True)?$/.test(whole) ? {} : whole === 'true' ? undefined : { condition: whole };
}

function testsIn(scope: Scope): FoundTest[] {
  const { tokens, declarations } = scope;
  const hooks = declarations.methods.filter(isHook);
  return declarations.methods.flatMap((method): FoundTest[] => {
    const types = typesAround(method);
    if (!method.marks.some(({ name }) => TEST.test(name)) || !isCollected(scope, method, types)) return [];
    const marks = [...method.marks, ...types.flatMap((type) => type.marks)];
    return [
      {
        name: [...types.map((type) => type.name), method.name].join(' > '),
        line: method.line,
        running: together(marks.map((each) => stateOf(tokens, each))),
        body: method.body,
        hooks: hooksAround(hooks, types),
        parameters: [...method.parameters.map(({ name }) => name), RESULT],
        tables: tablesOf(scope, method),
        claims: [...expectedErrors(tokens, method), ...expectedResult(scope, method)],
        ...(isAsyncVoid(method) && { unawaited: true }),
      },
    ];
  });
}

/** Nothing waits for an `async void`. */
function isAsyncVoid({ modifiers, returns }: Method): boolean {
  return modifiers.has('async') && returns === 'void';
}

function isCollected(scope: Scope, { marks, modifiers }: Method, types: readonly TypeDeclaration[]): boolean {
  const isXunit = scope.names.has('Xunit');
  if (['private', 'protected', 'internal', 'abstract'].some((word) => modifiers.has(word))) return false;
  if (!modifiers.has('public') && !isXunit) return false;
  const needsClass = mark(marks, 'TestMethod', 'DataTestMethod') !== undefined;
  return types.every((type, depth) => {
    if (type.modifiers.has('private') || (type.modifiers.has('internal') && !scope.names.has('NUnit')))
      return false;
    if (type.modifiers.has('abstract') && !isBase(type, scope)) return false;
    const isInner = depth === types.length - 1;
    return (
      !needsClass ||
      !isInner ||
      type.modifiers.has('partial') ||
      type.marks.some(({ name }) => name.endsWith('TestClass'))
    );
  });
}

/** What an attribute says about whether a test runs. */
function stateOf(tokens: Tokens, given: Mark): Running | undefined {
  const { name } = given;
  const values = argumentsOf(tokens, given);
  const text = given.args.map((arg) => canonical(tokens, arg)).join(' , ');
  if (/^(?:Ignore|Explicit|Skip|Disabled|Quarantined?Test|Quarantined|SkipTest)$/.test(name))
    return { state: 'skipped' };
  if (/^(?:ExpectedToFail|ExpectFailure|KnownFailure)$/.test(name)) return { state: 'expected-to-fail' };
  if (
    /^(?:Platform|OSCondition|RunOnPlatform|SkipOnPlatform|PlatformSpecific|SupportedOSPlatform|OSSkipCondition|NetPlatform)$/.test(
      name,
    )
  )
    return { state: 'conditional', condition: `platform ${name} ${text}` };
  if (/Condition$|^(?:SkipOn|SkipIf|RunOn|RunIf|EnabledIf|DisabledIf|ConditionalIgnore|IgnoreIf)/.test(name))
    return { state: 'conditional', condition: `${name} ${text}` };
  if (!TEST.test(name)) return undefined;
  const when = values.get('SkipWhen') ?? values.get('SkipUnless');
  if (when) return { state: 'conditional', condition: `${textOf(tokens, when)}` };
  // A row that is ignored is not counted; the others run.
  const skips =
    name === 'TestCase'
      ? undefined
      : (values.get('Skip') ?? values.get('Ignore') ?? values.get('IgnoreMessage'));
  if (skips && textOf(tokens, skips) !== 'null') return { state: 'skipped' };
  if (name !== 'TestCase' && textOf(tokens, values.get('Explicit')) === 'true') return { state: 'skipped' };
  const prefix = name.replace(/(?:Fact|Theory|TestMethod)$/, '');
  if (prefix !== name && !PLAIN_PREFIX.test(prefix))
    return {
      state: 'conditional',
      condition: `${prefix.replace(/([a-z])(?=[A-Z])/g, '$1 ')} ${text}`.trim(),
    };
  return undefined;
}

function isHook({ type, marks, name, body }: Method): boolean {
  return (
    body.from < body.end &&
    (name === type?.name ||
      /^(?:Dispose|DisposeAsync|InitializeAsync)$/.test(name) ||
      marks.some((each) => HOOKS.test(each.name)))
  );
}

/** `[ExpectedException(typeof(FullException))]` */
function expectedErrors(tokens: Tokens, { marks }: Method): Claim[] {
  const given = mark(marks, 'ExpectedException');
  if (!given) return [];
  const found = throwsClaim(tokens, textOf(tokens, given.args[0]), undefined);
  const isOpen = textOf(tokens, argumentsOf(tokens, given).get('AllowDerivedTypes')) === 'true';
  return [isOpen ? { ...found, expected: `${found.expected} or derived` } : found];
}

/** What a test returns is compared with `ExpectedResult`. */
function expectedResult({ tokens }: Scope, { marks, body, returns }: Method): Claim[] {
  const isCompared = /\b(?:ExpectedResult|Returns)\b/.test(
    marks.flatMap(({ args }) => args.map((arg) => canonical(tokens, arg))).join(' '),
  );
  if (
    !isCompared &&
    (returns === 'void' || !/^(?:int|string|bool|double|decimal|long|object)$/.test(returns))
  )
    return [];
  const at = find(tokens, body, 'return');
  const end = find(tokens, { from: Math.max(at, body.from), end: body.end }, ';');
  const value = { from: at === -1 ? body.from : at + 1, end: end === -1 ? body.end : end };
  return [claim('equal', canonical(tokens, value), RESULT)];
}

/** The tables of a test: its rows, and the values of each parameter. */
function tablesOf(scope: Scope, method: Method): Table[] {
  const { tokens } = scope;
  const own = added(method.marks.flatMap((each) => tableOf(scope, each, method) ?? []));
  const values = method.parameters.flatMap(({ marks }) => {
    const given = mark(marks, 'Values');
    return given && given.args.length > 0
      ? [{ count: given.args.length, dynamic: false, rows: [], spans: given.args }]
      : [];
  });
  const ignored = method.marks.filter(
    (each) => mark([each], 'TestCase', 'InlineData', 'DataRow') && isIgnored(tokens, each),
  ).length;
  const isOnlyIgnored = own === undefined && ignored > 0;
  return [
    ...(own ? [own] : []),
    ...(isOnlyIgnored ? [{ count: 0, dynamic: false, rows: [], spans: [] }] : []),
    ...values,
  ];
}

function isIgnored(tokens: Tokens, given: Mark): boolean {
  const values = argumentsOf(tokens, given);
  return ['Skip', 'Ignore', 'IgnoreReason', 'IgnoreMessage', 'Explicit'].some((name) => values.has(name));
}

function tableOf(scope: Scope, given: Mark, method: Method): Table | undefined {
  const { tokens } = scope;
  if (mark([given], 'InlineData', 'TestCase', 'DataRow', 'Arguments', 'InlineAutoData', 'Example')) {
    if (isIgnored(tokens, given)) return undefined;
    const values = argumentsOf(tokens, given);
    const result = values.get('ExpectedResult');
    const positional = given.args.filter(
      (arg) => !(isName(tokens, arg.from) && is(tokens, arg.from + 1, '=')),
    );
    if (positional.length === 0 && !result) return undefined;
    const row = positional.map((arg) => canonical(tokens, arg));
    while (result && row.length < method.parameters.length) row.push('');
    return {
      count: 1,
      dynamic: false,
      rows: [result ? [...row, canonical(tokens, result)] : row],
      spans: given.args,
    };
  }
  if (mark([given], 'MemberData', 'TestCaseSource', 'DynamicData', 'MethodDataSource')) {
    const [first] = given.args.filter((arg) => !/^typeof/.test(canonical(tokens, arg)));
    const name = stringValue(tokens[first?.from ?? -1]) ?? /(\w+) \)$/.exec(textOf(tokens, first))?.[1] ?? '';
    return memberRows(scope, name);
  }
  if (mark([given], 'ClassData', 'AutoData', 'ClassDataSource'))
    return { count: 1, dynamic: true, rows: [], spans: [] };
  return undefined;
}

function memberRows(scope: Scope, name: string): Table {
  const { declarations, tokens } = scope;
  const method = declarations.methods.find((each) => each.name === name);
  if (method) return rowsOfMethod(scope, method);
  const field = declarations.fields.find((each) => each.name === name);
  if (!field) return { count: 1, dynamic: true, rows: [], spans: [] };
  const getter = find(tokens, field.value, 'get');
  if (getter === -1) return rowsOf(tokens, field.value);
  const body = is(tokens, getter + 1, '{')
    ? inside(tokens, getter + 1)
    : { from: getter + 2, end: field.value.end };
  return rowsOfMethod(scope, { body });
}

/** `new Mock<Bank>()`, `Substitute.For<Bank>()`, `A.Fake<Bank>()` */
function mocksIn({ tokens }: Scope): TestFile['mocks'] {
  const mocks: { target: string; line: number }[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const isMade =
      (is(tokens, at, 'Mock') && is(tokens, at - 1, 'new')) ||
      (is(tokens, at, 'Of') && is(tokens, at - 2, 'Mock')) ||
      (is(tokens, at, 'For', 'ForPartsOf') && is(tokens, at - 2, 'Substitute')) ||
      (is(tokens, at, 'Fake') && is(tokens, at - 2, 'A'));
    const target = isMade && is(tokens, at + 1, '<') ? tokens[at + 2]?.text : undefined;
    if (target) mocks.push({ target, line: tokens[at]?.line ?? 0 });
  }
  return mocks;
}

interface Branch {
  readonly first: number;
  readonly last: number;
  readonly condition: string;
}

/** What is compiled only where a symbol is defined runs on a condition. */
function withDirectives(file: TestFile, comments: readonly Comment[]): TestFile {
  const branches = branchesIn(comments);
  if (branches.length === 0) return file;
  const around = (line: number) => branches.filter(({ first, last }) => first < line && line < last);
  return {
    ...file,
    tests: file.tests.map((test): Test => {
      const outer = around(test.line);
      const condition = [test.condition, ...outer.map((each) => each.condition)].filter(Boolean).join(' && ');
      return {
        ...test,
        ...(outer.length > 0 && test.state === 'runs' && { state: 'conditional' as const, condition }),
        assertions: test.assertions.map((each): Assertion => {
          const inner = around(each.line).filter(
            (branch) => branch.first > test.line && !PLATFORM.test(branch.condition),
          );
          const all = [each.condition, ...inner.map((branch) => branch.condition)]
            .filter(Boolean)
            .join(' && ');
          return inner.length > 0 ? { ...each, condition: all } : each;
        }),
      };
    }),
  };
}

/** Symbols of the compiler about where code runs. */
const PLATFORM = /^platform /;

function branchesIn(comments: readonly Comment[]): Branch[] {
  const branches: Branch[] = [];
  const open: { line: number; condition: string }[] = [];
  for (const { text, line } of comments) {
    const [, word, given = ''] = /^#\s*(if|elif|else|endif)\b\s*(.*)$/.exec(text) ?? [];
    if (word === undefined) continue;
    const last = word === 'if' ? undefined : open.pop();
    if (last && last.condition !== '')
      branches.push({ first: last.line, last: line, condition: last.condition });
    if (word === 'endif') continue;
    const symbols = word === 'else' ? `not ( ${last?.condition ?? ''} )` : given.trim();
    const isPlatform = /NET|WINDOWS|LINUX|OSX|ANDROID|IOS|MONO|UNITY|DEBUG/.test(symbols);
    const isAlways = /^(?:true|! ?false|not \( (?:false|! ?true)? \))$/.test(symbols);
    open.push({
      line,
      condition: isAlways
        ? ''
        : isPlatform
          ? `platform ${symbols.replace(/^not \( platform /, 'not ( ')}`
          : symbols,
    });
  }
  return branches;
}
