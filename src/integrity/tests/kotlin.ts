import {
  type Call,
  callAt,
  conditionClaims,
  type Found,
  factsOf,
  factsTable,
  nextLink,
  sizeClaim,
  throwsClaim,
  toleranceIn,
  valueClaim,
  verifiedClaim,
} from './claims.ts';
import {
  type Dialect,
  type FoundTest,
  type Running,
  readTests,
  receiverOf,
  rowsOf,
  type Scope,
  type Skip,
  type Table,
  together,
  typesAround,
} from './class-tests.ts';
import type { Method, TypeDeclaration } from './classes.ts';
import { type Claim, claim } from './comparison.ts';
import type { FlowWords } from './flow.ts';
import {
  isCollected,
  isJvmTestPath,
  JVM_FLOW,
  jvmClaimsAt,
  jvmMocksIn,
  jvmSkipAt,
  jvmState,
  methodTest,
  rolesIn,
  softAssertions,
} from './java.ts';
import type { TestReader } from './model.ts';
import {
  afterBracket,
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
  trimmed,
} from './tokens.ts';

/** Kotlin: JUnit, kotlin.test, Kotest, Spek; assertk, Strikt, Kluent, MockK, and the libraries of Java. */
export const kotlin: TestReader = {
  isTestPath: (path) =>
    /\.kts?$/.test(path) &&
    (isJvmTestPath(path) || /(?:^|\/)src\/\w*[tT]est\w*\//.test(path)) &&
    !/\.gradle\.kts$/.test(path),
  mayHaveTests: (text) => /@(?:\w+\.)*\w*Test\w*|\b\w*(?:Spec|Spek)\b|assert|should/i.test(text),
  read: ({ tokens }) => readTests(tokens, DIALECT),
};

const FLOW: FlowWords = {
  ...JVM_FLOW,
  fails:
    /\b(?:throw|fail|assert\w*|verify|should\w*|collector|addSuppressed|completeExceptionally|error)\b|= (?:e|ex|t|err|error|exception|throwable|failure)(?: |$)|\b(?:set|add) \( (?:e|ex|t|err|error|exception|throwable) \)/,
};

const DIALECT: Dialect = {
  syntax: 'kotlin',
  flow: FLOW,
  helpers: /^(?:assert|expect|verify|check|ensure|should|must)[A-Z_]/,
  guards: /^(?:\?\.(?:let|run|apply|also|takeIf)|\.(?:ifPresent|takeIf|onSuccess))$/,
  claimsAt,
  unreported: softAssertions,
  skipAt,
  testsIn: (scope) => [...methodTests(scope), ...specTests(scope)],
  mocksIn: jvmMocksIn,
};

/** What Kotest and Kluent say of a value, infix or as a call: `x shouldBe 3`, `x.shouldBeNull()`. */
const SHOULD = factsTable(`
equal: shouldBe shouldBeEqual shouldBeEqualTo shouldEqual shouldBeSameInstanceAs shouldContainExactly shouldContainSame shouldBeEqualComparingTo shouldEqualJson
equal not: shouldNotBe shouldNotBeEqual shouldNotBeEqualTo shouldNotEqual
near: shouldContainExactlyInAnyOrder shouldContainOnly shouldBeNear
equal condition: shouldBeTrue
equal condition not: shouldBeFalse
equal=null: shouldBeNull
exists: shouldNotBeNull shouldExist shouldBeSuccess shouldBeRight shouldBeSome
exact=empty: shouldBeEmpty shouldBeZeroSize
exact=blank: shouldBeBlank
exact=empty not: shouldNotBeEmpty shouldNotBeBlank
equal=0: shouldBeZero
exact=single: shouldBeSingleton
size: shouldHaveSize shouldHaveLength
exact: shouldHaveMessage shouldHaveStatus shouldBeEmail
bounded: shouldBeInstanceOf shouldBeTypeOf shouldBeGreaterThan shouldBeGreaterThanOrEqual shouldBeLessThan shouldBeLessThanOrEqual shouldBeInRange shouldBeBetween shouldBePositive shouldBeNegative shouldBeOneOf shouldBeIn shouldBeSorted shouldBeUnique shouldBeAfter shouldBeBefore shouldHaveAtLeastSize shouldHaveAtMostSize shouldBeFailure shouldBeLeft
bounded not: shouldNotBeInstanceOf shouldNotBeIn
part: shouldContain shouldContainAll shouldContainKey shouldContainValue shouldStartWith shouldEndWith shouldMatch shouldInclude shouldContainInOrder shouldHaveSubstring shouldContainAnyOf shouldBeEqualIgnoringCase shouldContainIgnoringCase shouldBeEqualToIgnoringFields shouldBeEqualToUsingFields shouldContainJsonKey shouldBeEqualToComparingFields
part not: shouldNotContain shouldNotContainKey shouldNotStartWith shouldNotMatch
`);

const CONTAINERS =
  /^(?:shouldForAll|shouldForAny|shouldForNone|shouldSatisfy|shouldNotThrowAny|shouldNotThrow|shouldNotThrowAnyUnit)$/;

function claimsAt(scope: Scope, at: number): Found | undefined {
  const { tokens } = scope;
  const token = tokens[at];
  // Kluent's names with blanks: x `should be equal to` 3
  const name =
    token?.kind === 'string' && token.text.startsWith('`should')
      ? camelCase(token.text)
      : (token?.text ?? '');
  if (token?.kind !== 'name' && !token?.text.startsWith('`should')) return undefined;
  if (name === 'verify' || /^coVerify|^verify(?:All|Order|Sequence|Once|Suspend)?$/.test(name))
    return mockk(tokens, at) ?? jvmClaimsAt(scope, at);
  if (/^should(?:Throw|Fail)/.test(name)) return shouldThrow(tokens, at, name);
  if (/^shouldNotThrow/.test(name)) {
    const call = callAt(tokens, at);
    return (
      call?.block && {
        claims: [claim('exists', canonical(tokens, trimmed(tokens, call.block)))],
        end: call.block.from,
      }
    );
  }
  if (/^should(?:Not)?(?:[A-Z]|$)/.test(name) && !is(tokens, at - 1, 'fun') && !CONTAINERS.test(name))
    return shouldClaim(tokens, at, name);
  if (name === 'expect' && callAt(tokens, at)?.block) return expected(tokens, at);
  if (name === 'checkAll' || name === 'forAll') return propertyTest(tokens, at, name);
  return jvmClaimsAt(scope, at);
}

function camelCase(name: string): string {
  return name.replace(/`/g, '').replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** `x shouldBe 3`, `x.shouldBe(3)`, `x should beInstanceOf<Cart>()` */
function shouldClaim(tokens: Tokens, at: number, name: string): Found | undefined {
  const isMember = is(tokens, at - 1, '.', '?.');
  const call = isMember ? callAt(tokens, at) : undefined;
  if (isMember && !call) return undefined;
  const subject = isMember ? receiverOf(tokens, at) : operandBefore(tokens, at);
  if (subject.from >= subject.end) return undefined;
  const argument = call ? call.args[0] : operandAfter(tokens, at);
  const end = call?.end ?? argument?.end ?? at + 1;
  if (!isMember && !argument) return undefined;
  if (call?.block && argument === undefined && !call.types) return { claims: [], end: at + 1 };
  const about = canonical(tokens, subject);
  if (name === 'should' || name === 'shouldNot')
    return { claims: argument ? matcher(tokens, subject, argument, name === 'shouldNot') : [], end };
  const facts = factsOf(SHOULD, name) ?? { kind: 'exact' as const };
  const condition = is(tokens, at - 1, '?.') ? { condition: `${about} != null` } : {};
  const claims = valueClaims(tokens, { subject, argument, call, facts, name });
  return { claims, end, ...condition };
}

interface Value {
  readonly subject: Span;
  readonly argument: Span | undefined;
  readonly call: Call | undefined;
  readonly facts: {
    readonly kind: Claim['kind'];
    readonly form?: string;
    readonly expected?: string;
    readonly negated?: boolean;
  };
  readonly name: string;
}

function valueClaims(tokens: Tokens, { subject, argument, call, facts, name }: Value): Claim[] {
  const { kind, negated = false } = facts;
  const about = canonical(tokens, subject);
  if (facts.form === 'condition') return conditionClaims(tokens, subject, negated);
  if (kind === 'equal' && argument && facts.expected === undefined && (call?.args.length ?? 1) === 1) {
    const near = approximation(tokens, argument);
    if (near) return [claim('near', about, near.value, { negated, tolerance: near.tolerance })];
    if (find(tokens, argument, 'shouldBe') === -1 && isMatcherCall(tokens, argument))
      return matcher(tokens, subject, argument, negated);
    return [valueClaim(tokens, subject, argument, { kind: 'equal', negated })].flat();
  }
  const all = (call?.args ?? (argument ? [argument] : [])).map((arg) => canonical(tokens, arg)).join(' , ');
  const expected = facts.expected ?? (all || call?.types || '');
  if (kind === 'size') return [sizeClaim(about, expected, negated)];
  if (
    /AtLeastSize|GreaterThanOrEqual/.test(name) &&
    expected === '0' &&
    /AtLeastSize|size|length|count/.test(`${name} ${about}`)
  )
    return [claim(kind, about, expected, { vacuous: 'a length is never below 0' })];
  return [claim(kind, about, expected, { negated })];
}

/** `1.5 plusOrMinus 0.1`, also as a call and in brackets */
function approximation(tokens: Tokens, given: Span): { value: string; tolerance: number } | undefined {
  const isBracketed = is(tokens, given.from, '(') && afterBracket(tokens, given.from) === given.end;
  const span = isBracketed ? inside(tokens, given.from) : given;
  const at = find(tokens, span, 'plusOrMinus');
  if (at === -1) return undefined;
  const end = is(tokens, at - 1, '.') ? at - 1 : at;
  return {
    value: canonical(tokens, { from: span.from, end }),
    tolerance: toleranceIn(tokens, [{ from: at + 1, end: span.end }]) ?? 0,
  };
}

/** Functions that make matchers of Kotest. */
const MATCHERS = factsTable(`
bounded: beInstanceOf beOfType beGreaterThan beLessThan beGreaterThanOrEqualTo beLessThanOrEqualTo between instanceOf beIn beOneOf beSorted
part: contain containAll startWith endWith haveSubstring match include containKey haveKey
size: haveSize haveLength
equal: containExactly
near: containExactlyInAnyOrder
equal: be equalityMatcher beEqual
equal=null: beNull
exact=empty: beEmpty
`);

function isMatcherCall(tokens: Tokens, { from, end }: Span): boolean {
  const call = callAt(tokens, from);
  return call?.end === end && factsOf(MATCHERS, call.name) !== undefined && call.name !== 'match';
}

function matcher(tokens: Tokens, subject: Span, argument: Span, negated: boolean): Claim[] {
  const call = callAt(tokens, argument.from);
  const about = canonical(tokens, subject);
  const facts = call && factsOf(MATCHERS, call.name);
  if (!call || !facts) return [claim('exact', about, canonical(tokens, argument), { negated })];
  const expected =
    facts.expected ?? (call.args.map((arg) => canonical(tokens, arg)).join(' , ') || call.types);
  if (facts.expected === 'null' && negated) return [claim('exists', about)];
  if (facts.kind === 'size') return [sizeClaim(about, expected, negated)];
  return [claim(facts.kind, about, expected, { negated })];
}

/** The expression in front of an infix function. */
function operandBefore(tokens: Tokens, at: number): Span {
  let from = at;
  while (from > 0) {
    const { text = '', partner = -1, kind } = tokens[from - 1] ?? {};
    if (kind === 'newline' || text === '{' || text === '(' || text === ';' || text === '->' || text === ',')
      break;
    if (kind === 'name' && /^(?:return|else|in|val|var)$/.test(text)) break;
    if (kind === 'sign' && /^(?:=|&&|\|\|)$/.test(text)) break;
    from = partner !== -1 && partner < from - 1 ? partner : from - 1;
  }
  return { from, end: at };
}

/** The expression behind an infix function, to the end of its statement. */
function operandAfter(tokens: Tokens, at: number): Span | undefined {
  let end = at + 1;
  while (tokens[end]?.kind === 'newline') end++;
  const from = end;
  while (end < tokens.length) {
    const { text = '', partner = -1, kind } = tokens[end] ?? {};
    if (kind === 'newline' && nextLink(tokens, end) === -1) break;
    if (kind === 'sign' && /^[;)},\]]$/.test(text)) break;
    if (/^`?should/.test(text) && (kind === 'name' || kind === 'string')) break;
    end = partner > end ? partner + 1 : end + 1;
  }
  return from < end ? { from, end } : undefined;
}

/** `shouldThrow<FullException> { cart.add(1) }` */
function shouldThrow(tokens: Tokens, at: number, name: string): Found | undefined {
  const call = callAt(tokens, at);
  if (!call) return undefined;
  const { types, block, args, end } = call;
  const [first] = args;
  const body = block ?? args.at(-1);
  if (/WithMessage$/.test(name) && first)
    return {
      claims: [throwsClaim(tokens, types, body), claim('exact', 'message', canonical(tokens, first))],
      end,
    };
  return { claims: [throwsClaim(tokens, /Any/.test(name) ? '' : types, body)], end };
}

/** kotlin.test: `expect(3) { add(1, 2) }` */
function expected(tokens: Tokens, at: number): Found | undefined {
  const call = callAt(tokens, at);
  const [first] = call?.args ?? [];
  if (!call?.block || !first) return undefined;
  return {
    claims: [valueClaim(tokens, trimmed(tokens, call.block), first, { kind: 'equal' })].flat(),
    end: call.end,
  };
}

/** Kotest's properties: `forAll<Int, Int> { a, b -> a + b == b + a }` */
function propertyTest(tokens: Tokens, at: number, name: string): Found | undefined {
  const call = callAt(tokens, at);
  const isTable = call?.args.some((arg) => is(tokens, arg.from, 'row', 'table'));
  if (!call?.block || isTable || name === 'checkAll' || is(tokens, at - 1, '.')) return undefined;
  const arrow = find(tokens, call.block, '->');
  const body = trimmed(tokens, { from: arrow === -1 ? call.block.from : arrow + 1, end: call.block.end });
  if (find(tokens, body, 'shouldBe') !== -1 || body.from >= body.end) return undefined;
  return { claims: conditionClaims(tokens, body, false), end: call.end };
}

/** MockK: `verify(exactly = 1) { bank.pay(3) }` */
function mockk(tokens: Tokens, at: number): Found | undefined {
  const call = callAt(tokens, at);
  if (!call?.block) return undefined;
  const times = call.args
    .map((arg) => canonical(tokens, arg))
    .filter((arg) => /exactly|atLeast|atMost/.test(arg))
    .join(' , ');
  const claims: Claim[] = [];
  const { from, end } = call.block;
  for (let index = from; index < end; ) {
    const token = tokens[index];
    if (token?.kind === 'newline' || token?.text === ';') {
      index++;
      continue;
    }
    let stop = index;
    while (stop < end && tokens[stop]?.kind !== 'newline' && !is(tokens, stop, ';'))
      stop = (tokens[stop]?.partner ?? -1) > stop ? (tokens[stop]?.partner ?? stop) + 1 : stop + 1;
    const open = is(tokens, stop - 1, ')') ? (tokens[stop - 1]?.partner ?? -1) : -1;
    const receiver = canonical(tokens, { from: index, end: open > index ? open : stop });
    const args = open > index ? split(tokens, inside(tokens, open)).map((arg) => canonical(tokens, arg)) : [];
    claims.push(
      verifiedClaim({
        receiver,
        args,
        times: /Once$/.test(call.name) ? 'once' : times,
        defaultIsOnce: /Order|Sequence|All/.test(call.name),
      }),
    );
    index = stop;
  }
  return {
    claims: claims.length > 0 ? claims : [claim('happens', '', '', { vacuous: 'it verifies no call' })],
    end: call.end,
  };
}

function skipAt(scope: Scope, at: number): Skip | undefined {
  return jvmSkipAt(scope, at);
}

function methodTests(scope: Scope): FoundTest[] {
  const roles = rolesIn(scope);
  return scope.declarations.methods.flatMap((method): FoundTest[] => {
    const types = typesAround(method);
    return isTest(scope, method, types) ? [methodTest(scope, method, types, roles)] : [];
  });
}

function isTest(scope: Scope, method: Method, types: readonly TypeDeclaration[]): boolean {
  const { marks, modifiers, returns } = method;
  if (
    !marks.some(({ name }) =>
      /^(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Theory|Property|Example)$/.test(name),
    )
  )
    return false;
  if (modifiers.has('private') || modifiers.has('abstract')) return false;
  const isFactory = marks.some(({ name }) => name === 'TestFactory');
  // JUnit 5 passes over a function with a result.
  if (!isFactory && !/^(?:|Unit|TestResult|Nothing)$/.test(returns)) return false;
  return isCollected(scope, types);
}

/** The words that begin a test of a spec, and those that begin a container of tests. */
const SPEC_TESTS = new Set('test it should scenario expect then Then specify'.split(' '));
const SPEC_CONTAINERS = new Set('context describe given Given when When feature and And group'.split(' '));

interface Block {
  readonly name: string;
  readonly line: number;
  readonly isTest: boolean;
  readonly running: Running;
  readonly focused: boolean;
  readonly body: Span;
  readonly tables: readonly Table[];
  readonly parameters: readonly string[];
}

/** The tests of a spec: `test("adds up") { … }`, `"adds up" { … }`, `"a cart" should { "add up" { … } }`. */
function specTests(scope: Scope): FoundTest[] {
  const { tokens, declarations } = scope;
  return declarations.types.flatMap((type) => {
    const names = [...namesIn(tokens, type.header)];
    if (!names.some((name) => /(?:Spec|Spek|SpecTemplate)$/.test(name) && name !== 'AnnotationSpec'))
      return [];
    if (type.modifiers.has('abstract')) return [];
    const spans = specBodies(tokens, type);
    const running = together(type.marks.map((each) => jvmState(tokens, each)));
    const hooks = spans.flatMap((span) => specHooks(tokens, span));
    const blocks = spans.flatMap((span) => blocksIn(tokens, span));
    return blocks
      .filter((block) => block.isTest || isLeaf(block, blocks))
      .map((block): FoundTest => {
        const around = blocks.filter(
          (each) => each !== block && each.body.from <= block.body.from && block.body.end <= each.body.end,
        );
        return {
          name: [type.name, ...around.map(({ name }) => name), block.name].join(' > '),
          line: block.line,
          running: together([running, ...around.map((each) => each.running), block.running]),
          focused: block.focused || around.some(({ focused }) => focused),
          body: block.body,
          hooks,
          parameters: [...around, block].flatMap(({ parameters }) => parameters),
          tables: [...around, block].flatMap(({ tables }) => tables),
          claims: [],
        };
      });
  });
}

/** A container without tests in it asserts itself. */
function isLeaf(block: Block, blocks: readonly Block[]): boolean {
  return !blocks.some(
    (each) => each !== block && block.body.from <= each.body.from && each.body.end <= block.body.end,
  );
}

/** The lambda that a spec is made of, and its `init` blocks. */
function specBodies(tokens: Tokens, { header, body }: TypeDeclaration): Span[] {
  const spans: Span[] = [];
  for (let at = header.from; at < header.end; at++)
    if (is(tokens, at, '{')) {
      spans.push(inside(tokens, at));
      at = afterBracket(tokens, at) - 1;
    }
  for (let at = body.from; at < body.end; at++) {
    if (is(tokens, at, 'init') && is(tokens, at + 1, '{')) spans.push(inside(tokens, at + 1));
    if ((tokens[at]?.partner ?? -1) > at) at = tokens[at]?.partner ?? at;
  }
  return spans;
}

function specHooks(tokens: Tokens, { from, end }: Span): Span[] {
  const hooks: Span[] = [];
  for (let at = from; at < end; at++)
    if (
      /^(?:before|after)(?:Test|Each|Spec|Container|Any|EachTest|Group)$/.test(tokens[at]?.text ?? '') &&
      is(tokens, at + 1, '{')
    )
      hooks.push(inside(tokens, at + 1));
  return hooks;
}

function blocksIn(tokens: Tokens, span: Span): Block[] {
  const blocks: Block[] = [];
  for (let at = span.from; at < span.end; at++) {
    const block = blockAt(tokens, at);
    if (block) blocks.push(block);
  }
  return blocks;
}

function blockAt(tokens: Tokens, at: number): Block | undefined {
  const token = tokens[at];
  if (token?.kind === 'string' && !token.text.startsWith('`')) return stringBlock(tokens, at);
  const word = (token?.text ?? '').replace(/`/g, '');
  const plain = word.replace(
    /^[xf](?=test$|it$|describe$|context$|given$|when$|then$|should$|feature$|scenario$|expect$|and$)/,
    '',
  );
  const isQuoted = token?.text.startsWith('`') === true;
  if ((token?.kind !== 'name' && !isQuoted) || is(tokens, at - 1, '.', '?.', 'fun')) return undefined;
  if (word === 'withData' || word === 'withTests') return dataBlock(tokens, at);
  const isTest = SPEC_TESTS.has(plain);
  if ((!isTest && !SPEC_CONTAINERS.has(plain)) || !is(tokens, at + 1, '(')) return undefined;
  const [first] = split(tokens, inside(tokens, at + 1));
  const name = first && stringValue(tokens[first.from]);
  if (name === undefined) return undefined;
  return block(tokens, afterBracket(tokens, at + 1), {
    name,
    line: token?.line ?? 0,
    isTest,
    prefix: word === plain ? '' : word.slice(0, 1),
  });
}

/** `"adds up" { … }`, `"a cart" should { … }`, `"a cart" - { … }`, `"adds up".config(enabled = false) { … }` */
function stringBlock(tokens: Tokens, at: number): Block | undefined {
  const name = stringValue(tokens[at]) ?? '';
  const line = tokens[at]?.line ?? 0;
  const isContainer = is(tokens, at + 1, 'should', 'Should', 'when', 'When', '-', 'shouldX');
  const next = isContainer ? at + 2 : at + 1;
  if (!is(tokens, next, '{') && !(is(tokens, next, '.') && is(tokens, next + 1, 'config'))) return undefined;
  if (!isContainer && tokens[at - 1] && !isStatementStart(tokens, at)) return undefined;
  return block(tokens, next, { name, line, isTest: !isContainer, prefix: '' });
}

function isStatementStart(tokens: Tokens, at: number): boolean {
  const before = tokens[at - 1];
  return before?.kind === 'newline' || /^[{};]$|^->$/.test(before?.text ?? '');
}

interface Head {
  readonly name: string;
  readonly line: number;
  readonly isTest: boolean;
  /** `x` for a test that is skipped, `f` for one that is focused. */
  readonly prefix: string;
}

function block(tokens: Tokens, from: number, { name, line, isTest, prefix }: Head): Block | undefined {
  let at = from;
  let running: Running = prefix === 'x' || name.startsWith('!') ? { state: 'skipped' } : { state: 'runs' };
  if (is(tokens, at, '.') && is(tokens, at + 1, 'config')) {
    const call = callAt(tokens, at + 1);
    if (!call) return undefined;
    running = together([running, configured(tokens, call)]);
    if (!call.block) return undefined;
    at = call.block.from - 1;
  }
  if (!is(tokens, at, '{')) {
    // A test without a body is to do.
    return isTest
      ? {
          name,
          line,
          isTest,
          running: { state: 'todo' },
          focused: false,
          body: { from: at, end: at },
          tables: [],
          parameters: [],
        }
      : undefined;
  }
  return {
    name: name.replace(/^(?:f:|!)/, ''),
    line,
    isTest,
    running,
    focused: prefix === 'f' || name.startsWith('f:'),
    body: inside(tokens, at),
    tables: [],
    parameters: [],
  };
}

/** `.config(enabled = false)`, `.config(enabledIf = { isNightly })` */
function configured(tokens: Tokens, { args }: Call): Running | undefined {
  for (const arg of args) {
    const key = tokens[arg.from]?.text ?? '';
    if (!/^enabled/.test(key)) continue;
    const value = canonical(tokens, { from: arg.from + 2, end: arg.end });
    if (value === 'true' || /^\{ true \}$/.test(value)) continue;
    return /^(?:false|\{ false \})$/.test(value)
      ? { state: 'skipped' }
      : { state: 'conditional', condition: value };
  }
  return undefined;
}

/** `withData(1, 2, 3) { n -> … }` */
function dataBlock(tokens: Tokens, at: number): Block | undefined {
  const call = callAt(tokens, at);
  if (!call?.block) return undefined;
  const arrow = find(tokens, call.block, '->');
  const names =
    arrow === -1
      ? 'it'
      : canonical(tokens, { from: call.block.from, end: arrow }).replace(/[()]/g, '').trim();
  const list = call.args.filter((arg) => !is(tokens, arg.from + 1, '=') && !is(tokens, arg.from, '{'));
  const [only] = list;
  const single = only && list.length === 1 ? rowsOf(tokens, only) : undefined;
  const isList = single !== undefined && !single.dynamic;
  const open = call.args[0] ? call.args[0].from - 1 : at;
  const table: Table = isList
    ? single
    : only && list.length === 1 && isName(tokens, only.from) && only.end === only.from + 1
      ? { count: 1, dynamic: true, rows: [], spans: [] }
      : {
          count: list.length,
          dynamic: false,
          rows: list.map((arg) => rowOf(tokens, arg)),
          spans: [{ from: open, end: call.block.from - 1 }],
        };
  return {
    name: 'withData',
    line: tokens[at]?.line ?? 0,
    isTest: true,
    running: { state: 'runs' },
    focused: false,
    body: { from: arrow === -1 ? call.block.from : arrow + 1, end: call.block.end },
    tables: [table],
    parameters: names.split(' , ').map((name) => name.split(' ')[0] ?? name),
  };
}

/** The values of `Sum(1, 2, 3)`, `row(1, 2)`, `1 to 2`, or a single one. */
function rowOf(tokens: Tokens, span: Span): string[] {
  const call = callAt(tokens, span.from);
  if (call && call.end === span.end && /^(?:row|Triple|Pair)$|^[A-Z]/.test(call.name))
    return call.args.map((arg) => canonical(tokens, arg));
  const to = find(tokens, span, 'to');
  if (to !== -1)
    return [
      canonical(tokens, { from: span.from, end: to }),
      canonical(tokens, { from: to + 1, end: span.end }),
    ];
  return [canonical(tokens, span)];
}
