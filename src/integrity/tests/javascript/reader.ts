import type { Comment, Source } from '../../lexer.ts';
import { readOnce } from '../collect-assertions.ts';
import { flowIn } from '../flow.ts';
import {
  type Assertion,
  OUTSIDE,
  type Test,
  type TestFile,
  type TestReader,
  type TestState,
} from '../model.ts';
import { tableRows } from '../table-rows.ts';
import {
  canonical,
  countStatements,
  inside,
  is,
  isName,
  literalsIn,
  namesIn,
  type Span,
  split,
  type Tokens,
} from '../tokens.ts';
import { type AssertionContext, assertionsIn } from './assertions.ts';
import { hasAssertion, type Loop, loopsIn, type TestCall, testCallsIn, Vocabulary } from './calls.ts';
import { FLOW } from './flow.ts';
import { mocksIn } from './mocks.ts';
import { declarationsIn, type FunctionParts, functionsIn, type Import, importsIn } from './syntax.ts';

/** JavaScript and TypeScript: Jest, Vitest, Mocha, Jasmine, node:test, AVA, tap, uvu, Bun, Deno, Playwright, Cypress. */
export const javascript: TestReader = {
  isTestPath: (path) => {
    if (/\.d\.[cm]?ts$|(?:^|\/)(?:node_modules|dist|coverage|\.[^/]+)\//.test(path)) return false;
    if (/(?:^|[./_-])(?:test|spec|cy|e2e)(?:-d)?\.[cm]?[jt]sx?$|(?:^|\/)test-[^/]*\.[cm]?js$/i.test(path))
      return true;
    const isInFolder = /(?:^|\/)(?:__tests__|tests?)\/(?:.*\/)?[^/]*\.[cm]?[jt]sx?$/i.test(path);
    return isInFolder && !INERT.test(path);
  },
  mayHaveTests: (text) => /it|test|describe|specify|suite|expect|assert|should/i.test(text),
  read,
};

/** Names with which no runner collects a file, in whatever folder it is. */
const INERT =
  /[.-](?:tests|specs|fixtures?|skip(?:ped)?|disabled|old|bak|backup|orig|wip|draft|ignored?|off|broken|todo)\.[cm]?[jt]sx?$/i;

function read({ tokens, comments }: Source, path: string): TestFile {
  const whole = { from: 0, end: tokens.length };
  const imports = importsIn(tokens);
  const declarations = declarationsIn(tokens, whole);
  const everyFunction = functionsIn(tokens, whole, declarations);
  const vocabulary = new Vocabulary(tokens, imports, everyFunction, declarations);
  const calls = testCallsIn(tokens, vocabulary);
  const helpers = outsideOf(tokens, everyFunction, calls);
  const context: AssertionContext = {
    tokens,
    helpers,
    fakes: fakesIn(tokens, vocabulary, everyFunction),
    hasAsyncMatchers: imports.some(({ module }) => /playwright/.test(module)) || isPlaywright(tokens, calls),
    ofHelper: readOnce((helper: FunctionParts) => assertionsIn(context, helper)),
  };
  const surroundings: Surroundings = {
    context,
    loops: loopsIn(tokens, declarations),
    flow: flowIn(tokens, whole, FLOW),
    skips: skipsIn(tokens, calls),
  };
  const tests = calls.filter(({ kind }) => kind === 'test').map((call) => toTest(call, surroundings));
  const rest = fileTest(context, calls, path, comments);
  return {
    // Code that asserts its own state is no test.
    tests:
      tests.length > 0 || (rest.assertions.length > 0 && javascript.isTestPath(path)) ? [...tests, rest] : [],
    uncollected: uncollectedReason(tokens, imports),
    functions: new Map([...helpers].map(([name, { body }]) => [name, canonical(tokens, body)])),
    mocks: mocksIn(tokens, imports, declarations),
    imports: new Map(imports.map(({ local, module }) => [local, module])),
  };
}

/** The functions that are not inside of tests and hooks. */
function outsideOf(
  tokens: Tokens,
  functions: ReadonlyMap<string, FunctionParts>,
  calls: readonly TestCall[],
): Map<string, FunctionParts> {
  const inTest = new Uint8Array(tokens.length + 1);
  for (const { kind, parts } of calls)
    if (kind !== 'suite' && parts) inTest.fill(1, parts.body.from, parts.body.end);
  return new Map(
    [...functions].filter(([, { body }]) => inTest[body.from - 1] !== 1 && inTest[body.from] !== 1),
  );
}

/** Names of assertions that this file declares as something that cannot fail. */
function fakesIn(
  tokens: Tokens,
  { declarations }: Vocabulary,
  functions: ReadonlyMap<string, FunctionParts>,
): Set<string> {
  const fakes = new Set<string>();
  const names = /^(?:expect|assert|should|t|ok|expectTypeOf|assert[A-Z]\w*)$/;
  for (const [name, { body }] of functions)
    if (names.test(name) && !canFail(canonical(tokens, body), name)) fakes.add(name);
  for (const { name, value } of declarations) {
    if (!names.test(name) || functions.has(name)) continue;
    const isLiteral =
      is(tokens, value.from, '{') || (is(tokens, value.from, 'new') && is(tokens, value.from + 1, 'Proxy'));
    if (isLiteral && !canFail(canonical(tokens, value), name)) fakes.add(name);
  }
  return fakes;
}

function canFail(text: string, name: string): boolean {
  const others = ['expect', 'assert', 'chai', 'should'].filter((each) => each !== name).join('|');
  return new RegExp(
    `\\b(?:throw|fail\\w*|errors?|push|exit|exitCode|reject|${others}|original\\w*|base\\w*)\\b|\\+\\+|\\+=`,
  ).test(text);
}

function isPlaywright(tokens: Tokens, calls: readonly TestCall[]): boolean {
  return calls.some(
    ({ kind, parts }) =>
      kind === 'test' && parts && /^\{[^}]*\bpage\b/.test(canonical(tokens, parts.parameters)),
  );
}

interface Surroundings {
  readonly context: AssertionContext;
  readonly loops: readonly Loop[];
  readonly flow: ReturnType<typeof flowIn>;
  readonly skips: readonly Skip[];
}

function toTest(call: TestCall, { context, loops, flow, skips }: Surroundings): Test {
  const { tokens } = context;
  const { around } = call;
  const parts = call.parts ?? { parameters: call.span, body: { from: call.span.end, end: call.span.end } };
  const { body } = parts;
  const runs = flow(call.span.from);
  const skip = skips.find(({ of }) => of.from <= call.span.from && call.span.end <= of.end);
  const loop = loops.filter(({ from, end }) => from <= call.span.from && call.span.end <= end);
  const inner = loops.filter(
    ({ from, end }) => body.from <= from && end <= body.end && hasAssertion(tokens, { from, end }),
  );
  const tables = [
    ...[call, ...around].flatMap(({ table }) => table ?? []),
    ...[...loop, ...inner].map(({ table }) => table),
  ];
  const conditions = [
    ...[call, ...around].flatMap(({ condition }) => condition ?? []),
    ...(runs.dead ? [] : [runs.condition ?? []].flat()),
    ...(skip?.condition === undefined ? [] : [skip.condition]),
    ...tables.flatMap(({ condition }) => condition ?? []),
  ];
  const states = [...[call, ...around].map(({ state }) => state), skip?.state ?? 'runs'].filter(
    (each) => each !== 'runs',
  );
  const state: TestState =
    call.parts === undefined && call.state === 'runs'
      ? 'todo'
      : runs.dead
        ? 'skipped'
        : (states[0] ?? (conditions.length > 0 ? 'conditional' : 'runs'));
  return {
    name: [...around.map(({ name }) => name), call.name].join(' > '),
    line: call.line,
    state,
    condition: conditions.join(' && ') || undefined,
    focused: call.focused || around.some(({ focused }) => focused),
    cases: tables.reduce((product, { count }) => product * count, 1),
    dynamic: tables.some(({ dynamic }) => dynamic),
    rows: call.table?.rows
      ? tableRows(
          tokens,
          split(tokens, call.table.rows),
          split(tokens, parts.parameters).map((each) => canonical(tokens, each)),
        )
      : [],
    body: `${tables.map(({ text }) => text).join(' ')}${canonical(tokens, body)}`,
    statements: countStatements(tokens, body),
    assertions: assertionsIn(context, parts),
    names: namesIn(tokens, body),
    literals: new Set(
      [call.span, ...tables.flatMap(({ rows }) => rows ?? [])].flatMap((span) => [
        ...literalsIn(tokens, span),
      ]),
    ),
  };
}

/** A call that skips the tests in a span, from inside of them: `this.skip()`, `test.skip(condition)`. */
interface Skip {
  readonly of: Span;
  readonly state: TestState;
  readonly condition?: string | undefined;
}

function skipsIn(tokens: Tokens, calls: readonly TestCall[]): Skip[] {
  const skips: Skip[] = [];
  const known = new Set(calls.map(({ span }) => span.from));
  for (let at = 0; at < tokens.length; at++) {
    if (
      !isName(tokens, at) ||
      !is(tokens, at + 1, '(') ||
      !is(tokens, at, 'skip', 'fixme', 'todo', 'pending', 'fail') ||
      !is(tokens, at + 1, '(')
    )
      continue;
    const owner = tokens[at - 2]?.text ?? '';
    const isMember = is(tokens, at - 1, '.') && /^(?:this|t|ctx|context|test|it|tap|task)$/.test(owner);
    if (
      known.has(at - 2) ||
      (!isMember && (!is(tokens, at, 'pending') || is(tokens, at - 1, '.', 'function')))
    )
      continue;
    if (is(tokens, at, 'fail') && owner !== 'test') continue;
    const inner = calls.filter(({ span }) => span.from < at && at < span.end);
    const call = inner.at(-1);
    const suite = inner.findLast(({ kind }) => kind === 'suite');
    const of = call?.kind === 'test' ? call.span : (suite?.span ?? { from: 0, end: tokens.length });
    const around = flowIn(tokens, call?.parts?.body ?? of, FLOW)(at);
    if (around.dead) continue;
    const [first] = split(tokens, inside(tokens, at + 1));
    const argument = first ? canonical(tokens, first) : '';
    const hasCondition = argument !== '' && !/^["'`]/.test(argument) && argument !== 'true';
    const condition = around.condition ?? (hasCondition ? argument : undefined);
    const plain = is(tokens, at, 'fail') ? 'expected-to-fail' : 'skipped';
    skips.push({ of, state: condition === undefined ? plain : 'conditional', condition });
  }
  return skips;
}

/** Why the runner does not collect the file: uvu runs the tests of a file only if it is asked to. */
function uncollectedReason(tokens: Tokens, imports: readonly Import[]): string | undefined {
  if (!imports.some(({ module }) => module === 'uvu')) return undefined;
  for (let at = 0; at < tokens.length; at++)
    if (is(tokens, at, '.') && is(tokens, at + 1, 'run') && is(tokens, at + 2, '(')) return undefined;
  return 'nothing calls `test.run()` of uvu';
}

/** The assertions of a file outside of its tests: of hooks, of scripts that test without a library, of types. */
function fileTest(
  context: AssertionContext,
  calls: readonly TestCall[],
  path: string,
  comments: readonly Comment[],
): Test {
  const { tokens, helpers } = context;
  const hidden = new Uint8Array(tokens.length + 1);
  for (const { kind, span } of calls) if (kind === 'test') hidden.fill(1, span.from, span.end);
  for (const { body } of helpers.values()) hidden.fill(1, body.from, body.end);
  const assertions: Assertion[] = [];
  for (const span of visibleSpans(tokens, hidden))
    assertions.push(
      ...assertionsIn(context, { parameters: { from: span.from, end: span.from }, body: span }),
    );
  if (/\.(?:test|spec)-d\.|(?:^|\/)(?:type-?tests|dtslint|tsd)\//.test(path) || usesTypeTests(tokens))
    assertions.push(...expectedErrors(tokens, comments));
  return {
    name: OUTSIDE,
    line: assertions[0]?.line ?? 1,
    state: 'runs',
    focused: false,
    cases: 1,
    body: '',
    statements: 1,
    assertions,
    names: new Set(),
    literals: new Set(),
  };
}

function visibleSpans(tokens: Tokens, hidden: Uint8Array): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (let at = 0; at <= tokens.length; at++) {
    if (at < tokens.length && hidden[at] !== 1) continue;
    if (from < at) spans.push({ from, end: at });
    from = at + 1;
  }
  return spans;
}

function usesTypeTests(tokens: Tokens): boolean {
  return tokens.some(
    (_, at) => isName(tokens, at) && is(tokens, at, 'expectTypeOf', 'expectType', 'assertType'),
  );
}

/** `// @ts-expect-error` in a test of types: the line that follows must not compile. */
function expectedErrors(tokens: Tokens, comments: readonly Comment[]): Assertion[] {
  const expected = comments.filter(({ text }) => /^\s*@ts-expect-error\b/.test(text));
  if (expected.length === 0) return [];
  return expected.map(({ line, endLine }) => {
    const from = tokens.findIndex((token) => token.line > endLine);
    let end = from;
    while (end >= 0 && tokens[end]?.line === tokens[from]?.line) end++;
    return {
      line,
      kind: 'happens',
      negated: false,
      subject: '@ts-expect-error',
      expected: from === -1 ? '' : canonical(tokens, { from, end }),
      swallowed: false,
      dead: false,
    };
  });
}
