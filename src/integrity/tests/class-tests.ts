import { type Call, callAt, className, conditionClaims, type Found, isValue, nextLink } from './claims.ts';
import {
  type Declarations,
  declarationsIn,
  endOfValue,
  fieldName,
  type Mark,
  type Method,
  type Syntax,
  type TypeDeclaration,
} from './classes.ts';
import { MOST_INHERITED, readOnce } from './collect-assertions.ts';
import { type Claim, claim } from './comparison.ts';
import { allOf, blockAfter, calledIn, type Flow, type FlowWords, flowIn } from './flow.ts';
import type { Assertion, Test, TestFile, TestState } from './model.ts';
import {
  afterBracket,
  canonical,
  countStatements,
  find,
  inside,
  is,
  isConstant,
  isName,
  literalsIn,
  namesIn,
  type Span,
  split,
  type Tokens,
  trimmed,
} from './tokens.ts';
import { substituted } from './values.ts';

// What the readers of Java, Kotlin and C# share: tests are methods of classes, or blocks that look like them.

/** What makes a test run, or not. */
export interface Running {
  readonly state: TestState;
  readonly condition?: string | undefined;
}

/** The rows of a table: what each parameter is. */
export interface Table {
  readonly count: number;
  readonly dynamic: boolean;
  /** The canonical texts of the values, by row; empty if they are computed. */
  readonly rows: readonly (readonly string[])[];
  /** Where the rows are. */
  readonly spans: readonly Span[];
}

/** The methods of a file that are no tests, by what they do for tests. */
export interface Roles {
  readonly hooks: readonly Method[];
  /** The methods with the rows of all tests of their class. */
  readonly tables: readonly Method[];
}

/** What runs before and after the tests of a type and of those around it. */
export function hooksAround(hooks: readonly Method[], types: readonly TypeDeclaration[]): Span[] {
  return hooks.filter(({ type }) => type && types.includes(type)).map(({ body }) => body);
}

/** A test as the reader of a language finds it. */
export interface FoundTest {
  readonly name: string;
  readonly line: number;
  readonly running: Running;
  readonly focused?: boolean;
  readonly body: Span;
  /** What runs before and after it. */
  readonly hooks: readonly Span[];
  readonly parameters: readonly string[];
  readonly tables: readonly Table[];
  /** What its marks assert. */
  readonly claims: readonly Claim[];
  /** Whether the runner does not wait for its end. */
  readonly unawaited?: boolean;
}

/** What a reader knows of a file while it reads its assertions. */
export interface Scope {
  readonly tokens: Tokens;
  readonly declarations: Declarations;
  readonly functions: ReadonlyMap<string, Method>;
  /** The names that the file mentions: what it imports is among them. */
  readonly names: ReadonlySet<string>;
}

/** A call that ends a test without a result, or says on which condition it does. */
export interface Skip {
  /** On which condition the test runs; undefined if it never does. */
  readonly condition?: string | undefined;
}

/** How a language and its test libraries are read. */
export interface Dialect {
  readonly syntax: Syntax;
  readonly flow: FlowWords;
  /** Names of functions of unknown libraries that assert something. */
  readonly helpers: RegExp;
  /** The words whose lambda runs only if there is a value: `ifPresent`, `?.let`. */
  readonly guards: RegExp;
  claimsAt(scope: Scope, at: number): Found | undefined;
  /** Returns whether a failure at a token is only collected, and nothing reports it. */
  unreported(tokens: Tokens, body: Span, locals: ReadonlyMap<string, Span>): (at: number) => boolean;
  skipAt(scope: Scope, at: number): Skip | undefined;
  testsIn(scope: Scope): FoundTest[];
  mocksIn(scope: Scope): TestFile['mocks'];
}

export function scopeOf(tokens: Tokens, syntax: Syntax): Scope {
  const declarations = declarationsIn(tokens, syntax);
  return {
    tokens,
    declarations,
    functions: new Map(declarations.methods.map((method) => [method.name, method])),
    names: namesIn(tokens, { from: 0, end: tokens.length }),
  };
}

/** Reads a file whose tests are methods of classes, or blocks. */
export function readTests(tokens: Tokens, dialect: Dialect): TestFile {
  const scope = scopeOf(tokens, dialect.syntax);
  const found = dialect.testsIn(scope);
  const bodies = new Set(found.map(({ body }) => body.from));
  const others = scope.declarations.methods.filter(({ body }) => !bodies.has(body.from));
  const reading: Reading = {
    scope: { ...scope, functions: new Map(others.map((method) => [method.name, method])) },
    dialect,
    fields: constantFields(scope),
    ofFunction: readOnce(({ body }: { readonly body: Span }) => readBody(reading, body).assertions),
  };
  const used = new Map<string, number>();
  return {
    tests: found.map((test) => {
      const times = (used.get(test.name) ?? 0) + 1;
      used.set(test.name, times);
      return toTest(reading, times === 1 ? test : { ...test, name: `${test.name} (${times})` });
    }),
    functions: new Map(others.map(({ name, body }) => [name, canonical(tokens, body)])),
    mocks: dialect.mocksIn(scope),
  };
}

interface Reading {
  readonly scope: Scope;
  readonly dialect: Dialect;
  readonly fields: ReadonlyMap<string, string>;
  /** The assertions of a hook or a helper. */
  readonly ofFunction: (each: { readonly body: Span }) => readonly Assertion[];
}

function constantFields({ tokens, declarations }: Scope): Map<string, string> {
  return new Map(
    declarations.fields
      .filter(({ value }) => isValue(tokens, value))
      .map(({ name, value }) => [name, canonical(tokens, value)]),
  );
}

function toTest(reading: Reading, test: FoundTest): Test {
  const { tokens } = reading.scope;
  const { assertions, loops } = readBody(reading, test.body);
  const inHooks = test.hooks.flatMap((hook) => [...reading.ofFunction({ body: hook })]);
  const skip = [test.body, ...test.hooks].flatMap((span) => skipIn(reading, span) ?? []);
  const running = test.running.state === 'runs' ? (skip[0] ?? test.running) : test.running;
  const condition = [test.running.condition, ...skip.map((each) => each.condition)]
    .filter(Boolean)
    .join(' && ');
  const own = [...assertions, ...test.claims.map((each) => markAssertion(each, test.line))];
  const tables = [...test.tables, ...loops];
  const spans = tables.flatMap((table) => table.spans);
  return {
    name: test.name,
    line: test.line,
    state: running.state,
    condition: condition || undefined,
    focused: test.focused === true,
    cases: tables.reduce((product, { count }) => product * Math.max(1, count), 1),
    dynamic: tables.some(({ dynamic }) => dynamic),
    body: [...test.tables.flatMap((table) => table.spans), test.body]
      .map((span) => canonical(tokens, span))
      .join(' '),
    statements: countStatements(tokens, test.body),
    assertions: [
      ...expanded(own, test.parameters, test.tables).map((each) =>
        test.unawaited ? { ...each, floating: true } : each,
      ),
      ...inHooks,
    ],
    names: namesIn(tokens, test.body),
    literals: new Set([test.body, ...spans].flatMap((span) => [...literalsIn(tokens, span)])),
  };
}

function markAssertion(each: Claim, line: number): Assertion {
  return assertionOf(each, { swallowed: false, condition: undefined }, line, {
    dead: false,
    floating: false,
  });
}

/** Without a spread, so that all assertions have one shape: they are compared often. */
function assertionOf(
  { kind, negated, subject, expected, vacuous, tolerance }: Claim,
  { swallowed, condition }: Omit<Flow, 'dead'>,
  line: number,
  { dead, floating }: { readonly dead: boolean; readonly floating: boolean },
): Assertion {
  return { kind, negated, subject, expected, vacuous, tolerance, line, dead, swallowed, condition, floating };
}

/** The most rows that are compared one by one. */
const MOST_ROWS = 40;

/** The assertions of each row: what a parameter is takes its place. */
function expanded(
  assertions: readonly Assertion[],
  parameters: readonly string[],
  tables: readonly Table[],
): Assertion[] {
  const table = tables.find(({ rows }) => rows.length > 0);
  if (!table || tables.length > 1 || parameters.length === 0) return [...assertions];
  return table.rows
    .slice(0, MOST_ROWS)
    .flatMap((row) =>
      assertions.map((each) =>
        substituted(each, new Map(parameters.map((name, at) => [name, row[at] ?? name]))),
      ),
    );
}

/** The values of local variables that are set once. */
function localValues({ tokens }: Scope, syntax: Syntax, body: Span): Map<string, Span> {
  const values = new Map<string, Span>();
  const twice = new Set<string>();
  for (let at = body.from; at < body.end; at++) {
    if (!is(tokens, at, '=')) continue;
    const name = fieldName(tokens, at);
    if (name === undefined) continue;
    if (values.has(name)) twice.add(name);
    values.set(name, trimmed(tokens, { from: at + 1, end: endOfValue(tokens, syntax, at + 1, body.end) }));
  }
  for (let at = body.from; at < body.end; at++) {
    if (is(tokens, at, '++', '--', '+=', '-=', '*=', '|=', '&=', '??=', '||='))
      twice.add(tokens[at - 1]?.text ?? '').add(tokens[at + 1]?.text ?? '');
    if (is(tokens, at, 'ref', 'out')) twice.add(tokens[at + 1]?.text ?? '');
  }
  for (const name of twice) values.delete(name);
  return values;
}

interface Loop extends Table {
  readonly span: Span;
  readonly variables: readonly string[];
}

interface Body {
  readonly assertions: Assertion[];
  /** The loops over tables that have assertions in them. */
  readonly loops: readonly Loop[];
}

/** The assertions in a span, with those of the functions that it calls. */
function readBody(reading: Reading, span: Span): Body {
  const { scope, dialect, fields } = reading;
  const { tokens, functions } = scope;
  const flow = flowIn(tokens, span, dialect.flow);
  const locals = localValues(scope, dialect.syntax, span);
  const constants = new Map(fields);
  for (const [name, value] of locals)
    if (isValue(tokens, value)) constants.set(name, canonical(tokens, value));
    else constants.delete(name);
  const dead = neverCalled(tokens, span, locals);
  const unreported = dialect.unreported(tokens, span, locals);
  const assertions: Assertion[] = [];
  const loops: Loop[] = [];
  const guards: Guard[] = [];
  const expectedFailures: Span[] = [];
  const lost: Span[] = [];
  const isIn = (at: number) => (each: Span) => each.from <= at && at < each.end;
  const flowAt = (at: number): Flow => {
    const around = flow(at);
    const conditions = guards.filter((guard) => isIn(at)(guard.span)).map(({ condition }) => condition);
    return {
      dead: around.dead || dead.some(isIn(at)),
      swallowed: (around.swallowed && !expectedFailures.some(isIn(at))) || lost.some(isIn(at)),
      condition: allOf(around.condition, ...conditions),
    };
  };
  const add = (claims: readonly Claim[], at: number, floating = false) => {
    const around = flowAt(at);
    const within = loops.filter((loop) => isIn(at)(loop.span));
    const isUnreported = unreported(at);
    for (const each of claims) {
      const guarded = guards
        .filter((guard) => isIn(at)(guard.span))
        .reduceRight((found, { values = NOTHING }) => substituted(found, values), each);
      const resolved = withValues(tokens, guarded, constants, locals);
      const one = assertionOf(resolved, around, tokens[at]?.line ?? 0, {
        dead: around.dead || isUnreported,
        floating,
      });
      assertions.push(...within.reduce((list, loop) => expanded(list, loop.variables, [loop]), [one]));
    }
  };
  for (let at = span.from; at < span.end; at++) {
    const loop = loopAt(tokens, at, span, locals);
    if (loop) loops.push(loop);
    if (loop?.count === 0 && !loop.dynamic) dead.push(loop.span);
    const attempt = is(tokens, at, 'try') ? expectedError(tokens, at, span) : undefined;
    if (attempt) {
      expectedFailures.push(attempt.span);
      add([attempt.claim], at);
      continue;
    }
    // NUnit's way to end a test as passed.
    if (is(tokens, at, 'Pass') && is(tokens, at - 2, 'Assert')) {
      const rest = { from: at, end: span.end };
      const { condition } = flowAt(at);
      if (condition === undefined) dead.push(rest);
      else guards.push({ span: rest, condition: `not ( ${condition} )` });
    }
    const dropped = is(tokens, at, 'try') ? droppedByFinally(tokens, at, span) : undefined;
    if (dropped) lost.push(dropped);
    const found = dialect.claimsAt(scope, at) ?? conditionalFailure(tokens, at, span);
    if (found) {
      if (found.condition !== undefined)
        guards.push({ span: { from: at, end: at + 1 }, condition: found.condition });
      add(found.claims, at, found.floating);
      // Assertions in functions inside of an assertion are not looked for.
      at = Math.max(at, found.end - 1);
      continue;
    }
    const call = callAt(tokens, at);
    if (!call) continue;
    const inner = { from: at, end: call.end };
    if (dialect.guards.test(`${tokens[at - 1]?.text}${call.name}`))
      guards.push(guardOf(tokens, call, receiverText(tokens, at, span), inner));
    if (call.name === 'runCatching' && isDropped(tokens, at, call.end)) lost.push(inner);
    if (isDetached(tokens, at, call, span)) lost.push(inner);
    const isOwn = !is(tokens, at - 1, '.', '?.') || isOwner(tokens, at - 2);
    if (!isOwn || assertions.length > MOST_INHERITED) continue;
    const helper = functions.get(call.name);
    if (helper && helper.body.from < helper.body.end && !isIn(at)(helper.body)) {
      const values = new Map(
        helper.parameters.flatMap(({ name }, index) => {
          const arg = call.args[index];
          return arg ? [[name, canonical(tokens, arg)] as const] : [];
        }),
      );
      const around = flowAt(at);
      const within = loops.filter((each) => isIn(at)(each.span));
      for (const each of reading.ofFunction(helper)) {
        const one = {
          ...withValues(tokens, substituted(each, values), constants, locals),
          ...calledIn(each, around),
          line: tokens[at]?.line ?? 0,
        };
        assertions.push(...within.reduce((list, loop) => expanded(list, loop.variables, [loop]), [one]));
      }
    } else if (!helper && dialect.helpers.test(call.name)) {
      const [first = '', ...rest] = call.args.map((arg) => canonical(tokens, arg));
      add([claim('equal', first, [call.name, ...rest].join(' , '))], at);
    }
  }
  return {
    assertions,
    loops: loops.filter(
      (loop) => assertions.length > 0 && loop.count > 0 && containsAssertion(loop, assertions, tokens),
    ),
  };
}

interface Guard {
  readonly span: Span;
  readonly condition: string;
  /** The value of the parameter of its lambda. */
  readonly values?: ReadonlyMap<string, string>;
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** `owner?.let { … }`, `owner.ifPresent(each -> …)` */
function guardOf(tokens: Tokens, call: Call, receiver: string, span: Span): Guard {
  const lambda = call.block ?? call.args[0] ?? span;
  const arrow = find(tokens, lambda, '->');
  const name = arrow === -1 ? 'it' : canonical(tokens, { from: lambda.from, end: arrow });
  return { span, condition: `${call.name} of ${receiver}`, values: new Map([[name, receiver]]) };
}

/** Whether a call runs something whose failure nobody waits for. */
function isDetached(tokens: Tokens, at: number, { name, end }: Call, { from }: Span): boolean {
  if (/^[tT]hread$/.test(name)) return true;
  if (!is(tokens, at - 1, '.')) return false;
  const owner = tokens[at - 2]?.text ?? '';
  const isTask =
    /^(?:submit|execute|runAsync|supplyAsync)$/.test(name) ||
    (/^(?:Run|StartNew)$/.test(name) && /^(?:Task|Factory)$/.test(owner)) ||
    (/^(?:launch|async)$/.test(name) && /^(?:GlobalScope|\))$/.test(owner));
  const begin = isTask ? receiverOf(tokens, at, from).from : at;
  const isDiscarded = is(tokens, begin - 1, '=') && is(tokens, begin - 2, '_');
  const isUsed = is(tokens, begin - 1, '=', 'return', '(', ',', '=>', '->', 'await');
  return isTask && (isDiscarded || !isUsed) && nextLink(tokens, end) === -1;
}

/** Whether nothing is done with the result of a call. */
function isDropped(tokens: Tokens, at: number, end: number): boolean {
  return !is(tokens, at - 1, '=', 'return', '(', '.') && nextLink(tokens, end) === -1;
}

/** `this.check()`, and a class with functions for tests: `CartAssertions.assertCart(cart)`. */
function isOwner(tokens: Tokens, at: number): boolean {
  return (
    is(tokens, at, 'this', 'self', 'super', 'base') ||
    (isName(tokens, at) && /^[A-Z]\w*$/.test(tokens[at]?.text ?? '') && !is(tokens, at - 1, '.'))
  );
}

function containsAssertion({ span }: Loop, assertions: readonly Assertion[], tokens: Tokens): boolean {
  const first = tokens[span.from]?.line ?? 0;
  const last = tokens[span.end - 1]?.line ?? 0;
  return assertions.some(({ line }) => first <= line && line <= last);
}

/** Puts the value of a constant in place of its name, so that a constant that changes is an expectation that changes. */
function withValues<T extends Claim>(
  tokens: Tokens,
  each: T,
  constants: ReadonlyMap<string, string>,
  locals: ReadonlyMap<string, Span>,
): T {
  const value = constants.get(each.expected);
  if (value !== undefined) return withValues(tokens, { ...each, expected: value }, NOTHING, locals);
  const own = locals.get(each.subject);
  if (
    own &&
    each.kind === 'equal' &&
    isConstant(tokens, own) &&
    !/[a-z_]/i.test(each.expected.replace(/"[^"]*"/g, ''))
  )
    return { ...each, vacuous: 'it compares constants' };
  const local = locals.get(each.expected);
  const isOwnResult =
    local !== undefined &&
    each.kind === 'equal' &&
    canonical(tokens, local) === each.subject &&
    /^(?:exp|want)/i.test(each.expected);
  return isOwnResult ? { ...each, vacuous: 'what is expected is what the code returns' } : each;
}

/** The lambdas and local functions of a body that nothing calls. */
function neverCalled(tokens: Tokens, body: Span, locals: ReadonlyMap<string, Span>): Span[] {
  const spans: Span[] = [];
  const uses = new Map<string, number>();
  for (let at = body.from; at < body.end; at++)
    if (isName(tokens, at)) uses.set(tokens[at]?.text ?? '', (uses.get(tokens[at]?.text ?? '') ?? 0) + 1);
  for (const [name, value] of locals) {
    const isFunction =
      find(tokens, value, '->', '=>') !== -1 || (is(tokens, value.from, '{') && uses.get(name) === 1);
    const isCall = is(tokens, value.end - 1, ')') && !is(tokens, value.from, '(');
    if (isFunction && !isCall && uses.get(name) === 1) spans.push(value);
  }
  for (let at = body.from; at < body.end; at++) {
    if (!is(tokens, at, 'void', 'fun') || !isName(tokens, at + 1) || !is(tokens, at + 2, '(')) continue;
    if (uses.get(tokens[at + 1]?.text ?? '') !== 1) continue;
    const block = blockAfter(tokens, at + 1, body);
    if (block) spans.push(block);
  }
  return spans;
}

/** `if (sum != 3) fail(…)`, also with `throw`. */
function conditionalFailure(tokens: Tokens, at: number, span: Span): Found | undefined {
  if (!is(tokens, at, 'if') || !is(tokens, at + 1, '(')) return undefined;
  const block = blockAfter(tokens, at, span);
  if (!block) return undefined;
  let first = block.from;
  while (tokens[first]?.kind === 'newline') first++;
  while (is(tokens, first + 1, '.') && isName(tokens, first)) first += 2;
  if (!is(tokens, first, 'throw', 'fail', 'Fail', 'error')) return undefined;
  if (
    /^(?:SkipException|TestAbortedException|AssumptionViolatedException)$/.test(tokens[first + 2]?.text ?? '')
  )
    return undefined;
  return { claims: conditionClaims(tokens, inside(tokens, at + 1), true), end: block.end };
}

/** `try { parse(); fail(); } catch (ParseException e) { … }` asserts that it throws. */
function expectedError(tokens: Tokens, at: number, span: Span): { claim: Claim; span: Span } | undefined {
  const block = blockAfter(tokens, at, span);
  if (!block) return undefined;
  const fail = lastStatement(tokens, block);
  if (fail === -1) return undefined;
  let clause = block.end + 1;
  while (tokens[clause]?.kind === 'newline') clause++;
  if (!is(tokens, clause, 'catch')) return undefined;
  const caught = is(tokens, clause + 1, '(') ? inside(tokens, clause + 1) : { from: clause, end: clause };
  const colon = find(tokens, caught, ':');
  const type = colon === -1 ? caught.from : colon + 1;
  const name = className(
    canonical(tokens, {
      from: type,
      end: colon === -1 && caught.end - caught.from > 1 ? caught.end - 1 : caught.end,
    }),
  ).replace(/^final /, '');
  const handler = blockAfter(tokens, clause, span);
  const checks = handler && handler.from < handler.end;
  const about = '';
  if (/(?:^|\| )(?:Throwable|AssertionError|Error|AssertionFailedError)\b/.test(name) || name === '')
    return checks
      ? undefined
      : { claim: claim('happens', about, name, { vacuous: 'the failure is caught, too' }), span: block };
  const isBroad = /^(?:Exception|RuntimeException)$/.test(name);
  return { claim: claim(isBroad ? 'happens' : 'exact', about, name), span: block };
}

/** The block of a `try` whose failures a `return` in its `finally` drops. */
function droppedByFinally(tokens: Tokens, at: number, span: Span): Span | undefined {
  const block = blockAfter(tokens, at, span);
  let clause = (block?.end ?? span.end) + 1;
  while (clause < span.end) {
    while (tokens[clause]?.kind === 'newline') clause++;
    const handler = is(tokens, clause, 'catch', 'finally') ? blockAfter(tokens, clause, span) : undefined;
    if (!handler) return undefined;
    if (is(tokens, clause, 'finally')) return find(tokens, handler, 'return') === -1 ? undefined : block;
    clause = handler.end + 1;
  }
  return undefined;
}

/** The index of `fail` if it is the last statement of a block; otherwise -1. */
function lastStatement(tokens: Tokens, { from, end }: Span): number {
  let last = end - 1;
  while (last > from && (tokens[last]?.kind === 'newline' || is(tokens, last, ';'))) last--;
  if (!is(tokens, last, ')')) return -1;
  const name = (tokens[last]?.partner ?? 0) - 1;
  return is(tokens, name, 'fail', 'Fail') ? name : -1;
}

function receiverText(tokens: Tokens, at: number, span: Span): string {
  return canonical(tokens, receiverOf(tokens, at, span.from));
}

/** The expression in front of the dot before a member: `cart.items()` of `cart.items().size()`. */
export function receiverOf(tokens: Tokens, at: number, from = 0): Span {
  let begin = at - 1;
  while (begin > from) {
    const { text = '', partner = -1, kind, line } = tokens[begin - 1] ?? {};
    const next = tokens[begin];
    if (partner !== -1 && partner < begin - 1 && /^[)\]]$/.test(text)) begin = partner;
    else if (text === '.' || text === '?.' || text === '!' || text === '!!') begin--;
    else if (kind === 'newline' && is(tokens, begin, '.', '?.')) begin--;
    else if (text === '}' && partner !== -1 && is(tokens, begin, '.', '?.')) begin = partner;
    else if (text === '>' && is(tokens, begin, '(')) begin = typesBegin(tokens, begin - 1, from);
    else if (text === 'new') begin--;
    else if (kind === 'name' && BEFORE_EXPRESSION.has(text)) break;
    else if (
      (kind === 'name' || kind === 'string' || kind === 'number') &&
      /^(?:\.|\?\.|\(|\[|!|!!|<|\{)$/.test(next?.text ?? '') &&
      (line === next?.line || !is(tokens, begin, '(', '[', '{', '!'))
    )
      begin--;
    else break;
  }
  return { from: begin, end: at - 1 };
}

const BEFORE_EXPRESSION = new Set([
  'await',
  'return',
  'throw',
  'else',
  'in',
  'yield',
  'case',
  'if',
  'while',
  'using',
  'catch',
  'for',
  'foreach',
  'when',
]);

function typesBegin(tokens: Tokens, close: number, from: number): number {
  let depth = 0;
  for (let at = close; at > from; at--) {
    if (is(tokens, at, '>')) depth++;
    else if (is(tokens, at, '<') && --depth === 0) return at;
  }
  return close;
}

/** A loop over a table: `for (var x : List.of(1, 2))`, `foreach (var x in new[] {1, 2})`, `listOf(1, 2).forEach { … }`. */
function loopAt(tokens: Tokens, at: number, span: Span, locals: ReadonlyMap<string, Span>): Loop | undefined {
  if (is(tokens, at, 'for', 'foreach') && is(tokens, at + 1, '(')) {
    const head = inside(tokens, at + 1);
    const joint = find(tokens, head, ':', 'in');
    const block = blockAfter(tokens, at, span);
    if (!block) return undefined;
    if (find(tokens, head, ';') !== -1)
      return runsNever(tokens, head)
        ? { ...NO_ROWS, count: 0, dynamic: false, span: block, variables: [] }
        : undefined;
    if (joint === -1) return undefined;
    const names = canonical(tokens, { from: head.from, end: joint });
    const variables = /\( (.*) \)$/.exec(names)?.[1]?.split(' , ') ?? [names.split(' ').at(-1) ?? ''];
    return {
      ...rowsOf(tokens, { from: joint + 1, end: head.end }, locals),
      span: block,
      variables: variables.map((name) => name.split(' ').at(-1) ?? name),
    };
  }
  if (is(tokens, at, 'forAll', 'forNone') && !is(tokens, at - 1, '.')) return tableLoop(tokens, at);
  if (!is(tokens, at, 'forEach', 'forAll', 'ForEach', 'onEach') || !is(tokens, at - 1, '.')) return undefined;
  const call = callAt(tokens, at);
  const body = call?.block ?? call?.args[0];
  if (!call || !body) return undefined;
  const receiver = receiverOf(tokens, at, span.from);
  const arrow = find(tokens, body, '->', '=>');
  const names =
    arrow === -1 ? 'it' : canonical(tokens, { from: body.from, end: arrow }).replace(/[()]/g, '').trim();
  return {
    ...rowsOf(tokens, receiver, locals),
    span: { from: at, end: call.end },
    variables: names.split(' , ').map((name) => name.trim()),
  };
}

/** `for (int i = 0; i < 0; i++)` */
function runsNever(tokens: Tokens, head: Span): boolean {
  const [first, condition] = split(tokens, head, ';').map((part) => canonical(tokens, part));
  const begin = /= (\d+)$/.exec(first ?? '')?.[1];
  const end = /< (\d+)$/.exec(condition ?? '')?.[1];
  return begin !== undefined && end !== undefined && Number(begin) >= Number(end);
}

/** Kotest's `forAll(row(1, 2), row(2, 3)) { a, b -> … }` */
function tableLoop(tokens: Tokens, at: number): Loop | undefined {
  const call = callAt(tokens, at);
  const [first] = call?.args ?? [];
  const inner = first && is(tokens, first.from, 'table') ? callAt(tokens, first.from) : call;
  const rows = inner?.args.filter((arg) => is(tokens, arg.from, 'row')) ?? [];
  if (!call?.block || rows.length === 0) return undefined;
  const arrow = find(tokens, call.block, '->');
  const names = canonical(tokens, { from: call.block.from, end: Math.max(arrow, call.block.from) });
  return {
    count: rows.length,
    dynamic: false,
    rows: rows.map((row) => rowIn(tokens, row)),
    spans: rows,
    span: call.block,
    variables: names.split(' , ').map((name) => name.split(' ')[0] ?? name),
  };
}

const NO_ROWS: Table = { count: 1, dynamic: true, rows: [], spans: [] };
const LISTS =
  /^(?:of|asList|listOf|arrayOf|intArrayOf|setOf|sequenceOf|mapOf|doubleArrayOf|longArrayOf|mutableListOf|stream|newArrayList|arrayListOf|ofEntries|emptyList|emptySet|emptyArray)$/;
/** Calls that make a row of their arguments. */
const ROWS = /^(?:arguments|of|row|entry|Arguments|Pair|Triple|arrayOf|listOf|asList|Create|Make)$/;

/** The rows of a list that is written down, or of the variable that holds it. */
export function rowsOf(
  tokens: Tokens,
  given: Span,
  values: ReadonlyMap<string, Span> = new Map(),
  depth = 0,
): Table {
  const span = trimmed(tokens, given);
  const cut = cutIn(tokens, span);
  if (cut) {
    const whole = rowsOf(tokens, { from: span.from, end: cut.at }, values, depth + 1);
    const rows = whole.rows.slice(cut.skip, cut.take);
    return whole.rows.length > 0 ? { ...whole, rows, count: rows.length } : whole;
  }
  const list = listIn(tokens, span);
  if (list) {
    const parts = split(tokens, list)
      .map((part) => trimmed(tokens, part))
      .filter((part) => !isIgnoredRow(tokens, part));
    const isSpread = parts.some((part) => is(tokens, part.from, '..', '*', '...'));
    return {
      count: parts.length,
      dynamic: isSpread,
      rows: isSpread ? [] : parts.map((part) => rowIn(tokens, part)),
      spans: [list],
    };
  }
  const name = tokens[span.from]?.text ?? '';
  const value = span.end === span.from + 1 && isName(tokens, span.from) ? values.get(name) : undefined;
  return value && depth < 3 ? rowsOf(tokens, value, values, depth + 1) : NO_ROWS;
}

/** `.limit(1)`, `.skip(2)` and their like after a list. */
function cutIn(tokens: Tokens, { from, end }: Span): { at: number; skip: number; take: number } | undefined {
  const open = tokens[end - 1]?.partner ?? -1;
  if (!is(tokens, end - 1, ')') || open <= from || open + 2 !== end - 1 || !is(tokens, open - 2, '.', '?.'))
    return undefined;
  const given = Number(tokens[open + 1]?.text);
  if (is(tokens, open - 1, 'limit', 'take', 'Take', 'subList')) return { at: open - 2, skip: 0, take: given };
  if (is(tokens, open - 1, 'skip', 'drop', 'Skip')) return { at: open - 2, skip: given, take: Infinity };
  return undefined;
}

/** What is in the brackets of `List.of(…)`, `new[] {…}`, `{…}`, `[…]`; undefined for anything else. */
function listIn(tokens: Tokens, { from, end }: Span): Span | undefined {
  if (is(tokens, from, '{', '[') && afterBracket(tokens, from) === end) return inside(tokens, from);
  const close = end - 1;
  const open = tokens[close]?.partner ?? -1;
  if (open <= from || open > close) return undefined;
  if (is(tokens, open, '{') && is(tokens, from, 'new')) return inside(tokens, open);
  if (!is(tokens, open, '(')) return undefined;
  let name = open - 1;
  if (is(tokens, name, '>')) while (name > from && !is(tokens, name, '<')) name--;
  if (is(tokens, name, '<')) name--;
  const isList = LISTS.test(tokens[name]?.text ?? '');
  const isWhole = name === from || (name === from + 2 && is(tokens, from + 1, '.'));
  if (!isList || !isWhole) return undefined;
  const inner = inside(tokens, open);
  // Arrays.asList(new Object[][] {…}), Stream.of(new X[] {…})
  const [only, second] = split(tokens, inner);
  const isArray = only && !second && is(tokens, only.from, 'new', '{');
  return isArray ? (listIn(tokens, only) ?? inner) : inner;
}

/** The values of a row: `{1, 2}`, `Arguments.of(1, 2)`, `new object[] {1, 2}`, `1 to 2`, or a single one. */
function rowIn(tokens: Tokens, span: Span): string[] {
  if (is(tokens, span.from + 1, 'TestCaseData')) return testCaseData(tokens, span);
  const open = tokens[span.end - 1]?.partner ?? -1;
  const name = tokens[open - 1]?.text ?? '';
  const isRow =
    (is(tokens, open, '{', '(', '[') && open === span.from) ||
    (is(tokens, open, '{') && is(tokens, span.from, 'new')) ||
    (is(tokens, open, '(') && ROWS.test(name) && !is(tokens, span.from, 'new', 'Set', 'Map'));
  if (isRow) return split(tokens, inside(tokens, open)).map((part) => canonical(tokens, part));
  const to = find(tokens, span, 'to');
  if (to !== -1)
    return [
      canonical(tokens, { from: span.from, end: to }),
      canonical(tokens, { from: to + 1, end: span.end }),
    ];
  return [canonical(tokens, span)];
}

/** The parameter with what a test returns. */
export const RESULT = '(result)';

/** `new TestCaseData(1, 2).Returns(3)` of NUnit */
function testCaseData(tokens: Tokens, { from, end }: Span): string[] {
  const values = split(tokens, inside(tokens, find(tokens, { from, end }, '('))).map((part) =>
    canonical(tokens, part),
  );
  const returns = find(tokens, { from, end }, 'Returns');
  return returns === -1 ? values : [...values, canonical(tokens, inside(tokens, returns + 1))];
}

function isIgnoredRow(tokens: Tokens, span: Span): boolean {
  return is(tokens, span.from + 1, 'TestCaseData') && find(tokens, span, 'Ignore', 'Explicit') !== -1;
}

/** What skips the test, in a body or the functions that it calls. */
function skipIn(reading: Reading, span: Span, depth = 0): Running | undefined {
  const { scope, dialect } = reading;
  const { tokens } = scope;
  const flow = flowIn(tokens, span, dialect.flow);
  const conditions: string[] = [];
  for (let at = span.from; at < span.end; at++) {
    if (tokens[at]?.kind !== 'name') continue;
    const skip = dialect.skipAt(scope, at) ?? skipInHelper(reading, at, depth);
    if (!skip) continue;
    const around = flow(at);
    if (around.dead) continue;
    if (skip.condition === undefined && around.condition === undefined) return { state: 'skipped' };
    conditions.push(
      [around.condition && `not ( ${around.condition} )`, skip.condition].filter(Boolean).join(' && '),
    );
  }
  return conditions.length > 0 ? { state: 'conditional', condition: conditions.join(' && ') } : undefined;
}

function skipInHelper(reading: Reading, at: number, depth: number): Skip | undefined {
  const { tokens, functions } = reading.scope;
  const helper = depth === 0 && is(tokens, at + 1, '(') ? functions.get(tokens[at]?.text ?? '') : undefined;
  if (!helper || is(tokens, at - 1, '.', 'new')) return undefined;
  const running = skipIn(reading, helper.body, depth + 1);
  return running && { condition: running.condition };
}

/** The rows that a method returns. */
export function rowsOfMethod(scope: Scope, { body }: Pick<Method, 'body'>): Table {
  const { tokens } = scope;
  const yielded = yieldedRows(tokens, body);
  if (yielded) return yielded;
  const fields = new Map(scope.declarations.fields.map(({ name, value }) => [name, value]));
  const at = find(tokens, body, 'return');
  const end = find(tokens, { from: Math.max(at, body.from), end: body.end }, ';');
  return rowsOf(
    tokens,
    { from: at === -1 ? body.from : at + 1, end: end === -1 ? body.end : end },
    at === -1 ? fields : new Map([...fields, ...localValues(scope, 'java', body)]),
  );
}

/** `yield return new object[] { 1, 2 };` */
function yieldedRows(tokens: Tokens, { from, end }: Span): Table | undefined {
  const parts: Span[] = [];
  for (let at = from; at < end; at++) {
    if (!is(tokens, at, 'yield') || !is(tokens, at + 1, 'return', '(')) continue;
    const stop = is(tokens, at + 1, '(')
      ? afterBracket(tokens, at + 1)
      : find(tokens, { from: at, end }, ';');
    parts.push(
      is(tokens, at + 1, '(') ? inside(tokens, at + 1) : { from: at + 2, end: stop === -1 ? end : stop },
    );
  }
  if (parts.length === 0) return undefined;
  return {
    count: parts.length,
    dynamic: false,
    rows: parts.map((part) => rowIn(tokens, part)),
    spans: parts,
  };
}

/** Tables that are run one after the other, as one. */
export function added(tables: readonly Table[]): Table | undefined {
  const [first] = tables;
  if (!first || tables.length === 1) return first;
  return {
    count: tables.reduce((sum, { count }) => sum + count, 0),
    dynamic: tables.some(({ dynamic }) => dynamic),
    rows: tables.every(({ rows }) => rows.length > 0) ? tables.flatMap(({ rows }) => rows) : [],
    spans: tables.flatMap(({ spans }) => spans),
  };
}

/** The types around a method, from the outermost. */
export function typesAround({ type }: Method): TypeDeclaration[] {
  const types: TypeDeclaration[] = [];
  for (let each = type; each; each = each.outer) types.unshift(each);
  return types;
}

export function mark(marks: readonly Mark[], ...names: readonly string[]): Mark | undefined {
  return marks.find(({ name }) => names.includes(name));
}

/** The named arguments of a mark with where their values are; `value` for all without a name. */
export function argumentsOf(tokens: Tokens, { args }: Mark): Map<string, Span> {
  const values = new Map<string, Span>();
  for (const arg of args) {
    const isNamed = isName(tokens, arg.from) && is(tokens, arg.from + 1, '=', ':');
    const name = isNamed ? (tokens[arg.from]?.text ?? '') : 'value';
    const from = isNamed ? arg.from + 2 : (values.get(name)?.from ?? arg.from);
    values.set(name, { from, end: arg.end });
  }
  return values;
}

/** What several marks say together: the first that keeps a test from running counts. */
export function together(states: readonly (Running | undefined)[]): Running {
  const stopped = states.flatMap((each) => (each && each.state !== 'runs' ? [each] : []));
  const [first = { state: 'runs' as const }] = [
    ...stopped.filter(({ state }) => state !== 'conditional'),
    ...stopped,
  ];
  const condition = stopped.flatMap((each) => each.condition ?? []).join(' && ');
  return { state: first.state, condition: condition || undefined };
}

/** Whether a class that cannot be made is meant as the base of others. */
export function isBase(type: TypeDeclaration, { tokens, declarations }: Scope): boolean {
  return (
    /^(?:Abstract|Base)|(?:Base|Contract|Abstract|Support|Suite)$/.test(type.name) ||
    declarations.types.some(({ header }) => namesIn(tokens, header).has(type.name))
  );
}
