import type { Comment, Source } from '../lexer.ts';
import { assertionCollector, type Found } from './collect-assertions.ts';
import { type Claim, claim, claimOfTwo, claimsOf } from './comparison.ts';
import { type FlowWords, flowIn } from './flow.ts';
import type { Assertion, AssertionKind, Test, TestFile, TestReader, TestState } from './model.ts';
import { tableRows } from './table-rows.ts';
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
  stringValue,
  type Tokens,
} from './tokens.ts';
import {
  beginsStatement,
  endOfStatement,
  settledValue,
  type Values,
  valuesIn,
  withoutTautology,
} from './values.ts';

/** PHP: PHPUnit with annotations and attributes, Pest, and the assertions of Laravel. */
export const php: TestReader = {
  isTestPath: (path) => /(?:^|\/)[^/]*(?:Tests?|_test|Cest)\.php$/.test(path),
  mayHaveTests: (text) => /\b(?:test\w*|it|describe|todo|expect|assert\w*)\s*\(|extends\s+\S*Test/.test(text),
  read,
};

const FLOW: FlowWords = {
  conditions: ['if', 'elseif', 'while'],
  branches: ['else', 'case', 'default'],
  tries: ['try'],
  catches: ['catch'],
  catchesFailures:
    /\b(?:Throwable|AssertionFailedError|ExpectationFailedException|AssertionError|Exception)\b/,
  exits: ['return', 'throw', 'continue', 'break', 'exit', 'die'],
  fails: /\b(?:throw|fail|assert\w*|markTestSkipped|expect)\b/,
  never: ['false', '0', 'null', '""', '! true', '[ ]'],
  always: ['true', '1', '! false'],
  special: {
    finally: (tokens, index, span) =>
      // `return` in `finally` drops the failure of everything before it.
      is(tokens, index + 1, '{') && namesIn(tokens, inside(tokens, index + 1)).has('return')
        ? { ...span, swallowed: true }
        : undefined,
  },
};

type Shape =
  | 'equal'
  | 'near'
  | 'alike'
  | 'size'
  | 'part'
  | 'bounded'
  | 'type'
  | 'true'
  | 'false'
  | 'null'
  | 'empty'
  | 'exists';

/** Assertions of PHPUnit without `assert` and `Not`. */
const SHAPES: Readonly<Record<string, Shape>> = {
  Same: 'equal',
  Equals: 'equal',
  EqualsCanonicalizing: 'alike',
  EqualsIgnoringCase: 'alike',
  ObjectEquals: 'equal',
  JsonStringEqualsJsonString: 'equal',
  JsonStringEqualsJsonFile: 'equal',
  XmlStringEqualsXmlString: 'equal',
  StringEqualsFile: 'equal',
  FileEquals: 'equal',
  EqualsWithDelta: 'near',
  Count: 'size',
  SameSize: 'bounded',
  Contains: 'part',
  ContainsEquals: 'part',
  StringContainsString: 'part',
  StringContainsStringIgnoringCase: 'part',
  StringStartsWith: 'part',
  StringEndsWith: 'part',
  StringStartsNotWith: 'part',
  MatchesRegularExpression: 'part',
  RegExp: 'part',
  StringMatchesFormat: 'part',
  ArrayHasKey: 'part',
  ArraySubset: 'part',
  ObjectHasProperty: 'part',
  InstanceOf: 'bounded',
  GreaterThan: 'bounded',
  GreaterThanOrEqual: 'bounded',
  LessThan: 'bounded',
  LessThanOrEqual: 'bounded',
  ContainsOnly: 'bounded',
  ContainsOnlyInstancesOf: 'bounded',
  IsArray: 'type',
  IsString: 'type',
  IsInt: 'type',
  IsBool: 'type',
  IsFloat: 'type',
  IsNumeric: 'type',
  IsObject: 'type',
  IsCallable: 'type',
  IsIterable: 'type',
  IsScalar: 'type',
  True: 'true',
  False: 'false',
  Null: 'null',
  Empty: 'empty',
  FileExists: 'exists',
  DirectoryExists: 'exists',
};

/** Matchers of Pest by name; any other says as much as an equality. */
const MATCHERS: readonly (readonly [RegExp, AssertionKind])[] = [
  [/^(?:toBe|toEqual|toBeTrue|toBeFalse|toBeNull|toBeEmpty)$/, 'equal'],
  [/^(?:toBeTruthy|toBeFalsy)$/, 'truthy'],
  [/^toEqualWithDelta$/, 'near'],
  [/^toEqualCanonicalizing$/, 'alike'],
  [/^(?:toHaveCount|toHaveLength)$/, 'size'],
  [
    /^(?:toContain|toHaveKeys?|toMatch|toStartWith|toEndWith|toMatchArray|toMatchObject|toHaveProperty|toHaveProperties|toContainEqual)$/,
    'part',
  ],
  [
    /^(?:toBeInstanceOf|toBeGreater\w+|toBeLess\w+|toBeBetween|toBeIn|toBe[A-Z]\w*|toHaveMethod|toContainOnlyInstancesOf)$/,
    'bounded',
  ],
  [/^toMatchSnapshot$/, 'snapshot'],
];

/** Assertions of Laravel's responses. */
const RESPONSES: readonly (readonly [RegExp, AssertionKind])[] = [
  [/^(?:assertSuccessful|assertSessionHasNoErrors|assertValid)$/, 'exists'],
  [
    /^(?:assertJson|assertSee\w*|assertJsonFragment|assertJsonStructure|assertViewHas|assertSessionHas|assertDontSee\w*)$/,
    'part',
  ],
  [/^assertJsonCount$/, 'size'],
];

/** The assertions of Laravel that name a status. */
const STATUSES = new Map(
  'Ok 200,Created 201,Accepted 202,NoContent 204,BadRequest 400,Unauthorized 401,Forbidden 403,NotFound 404,Unprocessable 422'
    .split(',')
    .map((each) => each.split(' ') as [string, string]),
);

interface State {
  readonly state: TestState;
  readonly condition?: string | undefined;
}

interface Table {
  readonly count: number;
  readonly dynamic: boolean;
  readonly span: Span;
  /** The names of the columns. */
  readonly names?: readonly string[];
}

/** A method or function. */
interface Method {
  readonly name: string;
  readonly at: number;
  readonly params: readonly string[];
  readonly body: Span;
  /** The names of its attributes with their arguments, and those of its annotations. */
  readonly marks: readonly { readonly name: string; readonly text: string }[];
  readonly isPublic: boolean;
}

function read({ tokens, comments }: Source): TestFile {
  return new Reader(tokens, comments).file();
}

/** What is around a test of Pest. */
interface Suite {
  readonly names: readonly string[];
  readonly states: readonly State[];
  readonly focused: boolean;
  readonly hooks: readonly Span[];
}

class Reader {
  private readonly tokens: Tokens;
  private readonly tests: Test[] = [];
  private readonly methods = new Map<string, Method>();
  private readonly helpers = new Map<string, Span>();
  private readonly functions = new Map<string, string>();
  private readonly datasets = new Map<string, Span>();
  private readonly endings: ReadonlyMap<number, string>;
  private readonly assertions: (span: Span) => Assertion[];
  private readonly fileFlow;

  constructor(tokens: Tokens, comments: readonly Comment[]) {
    this.tokens = tokens;
    this.endings = new Map(comments.map(({ endLine, text }) => [endLine, text]));
    this.fileFlow = flowIn(tokens, { from: 0, end: tokens.length }, FLOW);
    const collect = assertionCollector(tokens, { words: FLOW, functions: this.helpers, claimsAt, calledAt });
    this.assertions = (span) => {
      const values = valuesIn(tokens, span, new Map());
      return collect(span).map((each) => settled(each, values));
    };
  }

  file(): TestFile {
    const { tokens } = this;
    for (let at = 0; at < tokens.length; at++) {
      const found = is(tokens, at, 'function') && isName(tokens, at + 1) ? this.methodAt(at) : undefined;
      if (found) this.methods.set(found.name, found);
      if (found && !isTestMethod(found)) this.helpers.set(found.name, found.body);
      if (is(tokens, at, 'dataset') && is(tokens, at + 1, '(')) this.learnDataset(at);
    }
    for (let at = 0; at < tokens.length; at++)
      if (is(tokens, at, 'class', 'trait') && !is(tokens, at - 1, '::', 'new', ':')) at = this.classAt(at);
    this.scan({ from: 0, end: tokens.length }, { names: [], states: [], focused: false, hooks: [] });
    for (const [name, body] of this.helpers) this.functions.set(name, canonical(tokens, body));
    return { tests: this.tests, functions: this.functions, mocks: mocksIn(tokens) };
  }

  private learnDataset(at: number): void {
    const [name, rows] = split(this.tokens, inside(this.tokens, at + 1));
    const title = name && stringValue(this.tokens[name.from]);
    if (title !== undefined && rows) this.datasets.set(title, rows);
  }

  /** The method whose `function` is at an index. */
  private methodAt(at: number): Method | undefined {
    const { tokens } = this;
    const open = find(tokens, { from: at, end: tokens.length }, '{', ';');
    if (!is(tokens, open, '{')) return undefined;
    const marks: { name: string; text: string }[] = [];
    let from = at;
    let isPublic = true;
    for (; from > 0; from--) {
      const { text, partner } = tokens[from - 1] as Tokens[number];
      if (text === ']' && partner !== -1 && is(tokens, partner - 1, '#')) {
        marks.push(...this.attributesIn(inside(tokens, partner)));
        from = partner;
      } else if (/^(?:private|protected)$/.test(text)) isPublic = false;
      else if (!/^(?:public|static|final|abstract|async|readonly)$/.test(text)) break;
    }
    marks.push(...this.annotationsAbove(tokens[from]?.line ?? 0));
    const params = paramsIn(tokens, { from: at + 2, end: open });
    return { name: tokens[at + 1]?.text ?? '', at, params, body: inside(tokens, open), marks, isPublic };
  }

  private attributesIn(span: Span): { name: string; text: string }[] {
    const { tokens } = this;
    return split(tokens, span).map((part) => {
      const open = find(tokens, part, '(');
      const name = tokens[(open === -1 ? part.end : open) - 1]?.text ?? '';
      return { name, text: open === -1 ? '' : canonical(tokens, inside(tokens, open)) };
    });
  }

  /** `@dataProvider rows` in the comment that ends on the line before. */
  private annotationsAbove(line: number): { name: string; text: string }[] {
    const text = this.endings.get(line - 1) ?? '';
    return [...text.matchAll(/@(\w+)[ \t]*([^\n*]*)/g)].map(([, name = '', rest = '']) => ({
      name: name[0]?.toUpperCase() + name.slice(1),
      text: rest.trim(),
    }));
  }

  /** Reads the tests of a class. Returns where it ends. */
  private classAt(at: number): number {
    const { tokens } = this;
    const open = find(tokens, { from: at, end: tokens.length }, '{');
    if (open === -1) return at;
    const body = inside(tokens, open);
    const head = namesIn(tokens, { from: at + 1, end: open });
    const isCollected = (head.has('extends') || is(tokens, at, 'trait')) && !is(tokens, at - 1, 'abstract');
    const suite = tokens[at + 1]?.text ?? '';
    const own = [...this.methods.values()].filter((method) => method.at > body.from && method.at < body.end);
    const hooks = own.filter(({ name }) => /^(?:setUp|tearDown|setUpBeforeClass)$/.test(name));
    for (const method of own) {
      if (!isTestMethod(method)) continue;
      if (isCollected && method.isPublic) this.tests.push(this.toTest(method, suite, hooks));
      else this.functions.set(`${suite} ${method.name}`, canonical(tokens, method.body));
    }
    return body.end;
  }

  private toTest({ name, at, body, params, marks }: Method, suite: string, hooks: readonly Method[]): Test {
    const tables = marks.flatMap((mark) => {
      const provider = /^DataProvider$/.test(mark.name)
        ? this.methods.get(mark.text.replace(/["'()]/g, '').trim())
        : undefined;
      return provider ? { ...this.rowsOf(provider.body), names: params } : [];
    });
    const rows = marks.filter((mark) => mark.name === 'TestWith').length;
    const states = marks.flatMap(stateOfMark);
    return this.testOf([suite, name], at, body, {
      states,
      focused: false,
      tables,
      cases: Math.max(1, rows),
      hooks: hooks.map((hook) => hook.body),
      claims: [],
    });
  }

  /** The rows that a data provider returns or yields. */
  private rowsOf(body: Span): Table {
    const { tokens } = this;
    const returns = find(tokens, body, 'return');
    if (returns !== -1) return rowsIn(tokens, { from: returns + 1, end: body.end });
    let count = 0;
    for (let at = body.from; at < body.end; at++) if (is(tokens, at, 'yield')) count++;
    return { count, dynamic: count === 0 || find(tokens, body, 'foreach', 'for', 'from') !== -1, span: body };
  }

  /** Finds the suites and tests of Pest in a span. */
  private scan(span: Span, suite: Suite): void {
    const { tokens } = this;
    const hooks = [...suite.hooks, ...this.hooksIn(span)];
    for (let at = span.from; at < span.end; at++) {
      if (
        !/^(?:test|it|describe|todo)$/.test(tokens[at]?.text ?? '') ||
        !isName(tokens, at) ||
        !is(tokens, at + 1, '(') ||
        !beginsStatement(tokens, at)
      ) {
        const { partner, text } = tokens[at] as Tokens[number];
        // Classes were read before.
        if (text === '{' && partner > at && isClassBody(tokens, at)) at = partner;
        continue;
      }
      const end = endOfStatement(tokens, at);
      const args = split(tokens, inside(tokens, at + 1));
      const title = args[0] ? stringValue(tokens[args[0].from]) : undefined;
      if (title === undefined) continue;
      const chain = this.chainOf(afterBracket(tokens, at + 1), end);
      const states = [...suite.states, ...chain.states];
      const focused = suite.focused || chain.focused;
      const body = args[1] && closureBody(tokens, args[1]);
      if (is(tokens, at, 'describe')) {
        if (body) this.scan(body, { names: [...suite.names, title], states, focused, hooks });
      } else
        this.tests.push(
          this.testOf([...suite.names, title], at, body ?? { from: end, end }, {
            states: body ? states : [...states, { state: 'todo' }],
            focused,
            tables: chain.tables.map((table) => ({
              ...table,
              names: args[1] ? paramsIn(tokens, { from: args[1].from, end: body?.from ?? end }) : [],
            })),
            cases: 1,
            hooks,
            claims: chain.claims,
          }),
        );
      at = end;
    }
  }

  private hooksIn(span: Span): Span[] {
    const { tokens } = this;
    const hooks: Span[] = [];
    for (let at = span.from; at < span.end; at++) {
      const { partner } = tokens[at] as Tokens[number];
      if (is(tokens, at, 'beforeEach', 'afterEach') && is(tokens, at + 1, '(')) {
        const body = closureBody(tokens, inside(tokens, at + 1));
        if (body) hooks.push(body);
      }
      if (partner > at) at = partner;
    }
    return hooks;
  }

  /** `->with([…])->skip('later')->only()` */
  private chainOf(
    from: number,
    end: number,
  ): { states: State[]; focused: boolean; tables: Table[]; claims: Claim[] } {
    const { tokens } = this;
    const found = { states: [] as State[], focused: false, tables: [] as Table[], claims: [] as Claim[] };
    for (let at = from; at < end; at++) {
      const word = tokens[at + 1]?.text ?? '';
      if (!is(tokens, at, '->') || !is(tokens, at + 2, '(')) continue;
      const [first] = split(tokens, inside(tokens, at + 2));
      const text = first ? canonical(tokens, first) : '';
      if (word === 'skip')
        found.states.push(
          first && !isConstant(tokens, first)
            ? {
                state: 'conditional',
                condition: conditionOf(text.replace(/^(?:fn|function) \( \) (?:=> )?/, '')),
              }
            : { state: text === 'false' ? 'runs' : 'skipped' },
        );
      else if (word === 'todo') found.states.push({ state: 'todo' });
      else if (word === 'fails') found.states.push({ state: 'expected-to-fail' });
      else if (/^skipOn(?:Windows|Mac)$/.test(word) || word === 'onlyOnLinux')
        found.states.push({ state: 'conditional', condition: 'platform' });
      else if (/^skipOn|^onlyOn|^skipLocally|^skipOnCi/i.test(word)) found.states.push({ state: 'skipped' });
      else if (word === 'only') found.focused = true;
      else if (word === 'throws') found.claims.push(...thrownClaims(tokens, inside(tokens, at + 2)));
      else if (word === 'with' && first) found.tables.push(this.rowsWith(first));
      at = afterBracket(tokens, at + 2) - 1;
    }
    return found;
  }

  private rowsWith(given: Span): Table {
    const name = stringValue(this.tokens[given.from]);
    const known = name === undefined ? undefined : this.datasets.get(name);
    return rowsIn(this.tokens, known ?? given);
  }

  private testOf(
    names: readonly string[],
    at: number,
    body: Span,
    {
      states,
      focused,
      tables,
      cases,
      hooks,
      claims,
    }: {
      states: readonly State[];
      focused: boolean;
      tables: readonly Table[];
      cases: number;
      hooks: readonly Span[];
      claims: readonly Claim[];
    },
  ): Test {
    const { tokens } = this;
    const around = this.fileFlow(at);
    const all: State[] = [
      ...states,
      ...(around.dead ? [{ state: 'skipped' as const }] : []),
      ...[body, ...hooks].flatMap((span) => skipsIn(tokens, span)),
    ].filter(({ state }) => state !== 'runs');
    const grave = all.find(({ state }) => state !== 'conditional') ?? all[0];
    const loops = loopsIn(tokens, body);
    const line = tokens[at]?.line ?? 0;
    return {
      name: names.join(' > '),
      line,
      state: grave?.state ?? 'runs',
      condition: all.flatMap(({ condition }) => condition ?? []).join(' && ') || undefined,
      focused,
      cases: [...tables, ...loops].reduce((product, { count }) => product * count, cases),
      dynamic: tables.some(({ dynamic }) => dynamic),
      body: canonical(tokens, body),
      statements: countStatements(tokens, body),
      assertions: [
        ...[body, ...hooks].flatMap((span) => this.assertions(span)),
        ...claims.map((each) => ({ ...each, line, dead: false, swallowed: false })),
      ],
      names: namesIn(tokens, body),
      rows: [...tables, ...loops]
        .filter(({ dynamic }) => !dynamic)
        .flatMap((table) => tableRows(tokens, split(tokens, table.span), table.names ?? [])),
      literals: new Set(
        [body, ...[...tables, ...loops].map(({ span }) => span)].flatMap((span) => [
          ...literalsIn(tokens, span),
        ]),
      ),
    };
  }
}

function isTestMethod({ name, marks }: Method): boolean {
  return /^test/.test(name) || marks.some((mark) => mark.name === 'Test');
}

function isClassBody(tokens: Tokens, open: number): boolean {
  for (let at = open - 1; at > 0 && !beginsStatement(tokens, at + 1); at--)
    if (is(tokens, at, 'class', 'trait', 'interface', 'enum')) return true;
  return false;
}

/** `function () { … }`, `fn () => …` */
function closureBody(tokens: Tokens, span: Span): Span | undefined {
  const word = find(tokens, span, 'function', 'fn');
  if (word === -1) return undefined;
  const open = find(tokens, { from: word, end: span.end }, '{', '=>');
  if (open === -1) return undefined;
  return is(tokens, open, '{') ? inside(tokens, open) : { from: open + 1, end: span.end };
}

function rowsIn(tokens: Tokens, given: Span): Table {
  if (!is(tokens, given.from, '[')) return { count: 1, dynamic: true, span: given };
  const content = inside(tokens, given.from);
  const parts = split(tokens, content);
  return { count: parts.length, dynamic: parts.some((part) => is(tokens, part.from, '...')), span: content };
}

/** The tables that a test runs through, if there are assertions in the loop. */
function loopsIn(tokens: Tokens, body: Span): Table[] {
  const found: Table[] = [];
  for (let at = body.from; at < body.end; at++) {
    if (!is(tokens, at, 'foreach') || !is(tokens, at + 1, '(')) continue;
    const head = inside(tokens, at + 1);
    const open = head.end + 1;
    const rows = rowsIn(tokens, { from: head.from, end: head.end });
    if (
      !rows.dynamic &&
      is(tokens, open, '{') &&
      /\b(?:assert|expect)/.test(canonical(tokens, inside(tokens, open)))
    )
      found.push({ ...rows, names: paramsIn(tokens, { from: find(tokens, head, 'as'), end: head.end }) });
  }
  return found;
}

/** The names of the variables in a span: those of parameters. */
function paramsIn(tokens: Tokens, span: Span): string[] {
  return [...namesIn(tokens, span)].filter((name) => name.startsWith('$'));
}

/** `#[RequiresPhp('>= 8.1')]`, `@requires extension redis` */
function stateOfMark({ name, text }: { name: string; text: string }): State[] {
  if (/^Requires\w*$/.test(name))
    return [
      /^PHP|^RequiresPhp$/i.test(name) && />=? ?(?:9|\d\d)/.test(text)
        ? { state: 'skipped' }
        : { state: 'conditional', condition: `platform ${name} ${text}` },
    ];
  return [];
}

/** A condition with PHP's version number in the form of other languages. */
function conditionOf(text: string): string {
  return text.replace(/PHP_VERSION_ID (<=?) (\d)(\d\d)\d\d\b/, 'version $1 $2.$3');
}

/** `$this->markTestSkipped('…')` */
function skipsIn(tokens: Tokens, span: Span): State[] {
  let flow: ReturnType<typeof flowIn> | undefined;
  const found: State[] = [];
  for (let at = span.from; at < span.end; at++) {
    const isMethod =
      is(tokens, at, 'markTestSkipped', 'markTestIncomplete') && is(tokens, at - 1, '->', '::');
    const isThrown =
      is(tokens, at, 'SkippedWithMessageException', 'SkippedTestError', 'IncompleteTestError') &&
      is(tokens, at - 1, 'new', '\\');
    if (!isMethod && !isThrown) continue;
    flow ??= flowIn(tokens, span, FLOW);
    const { dead, condition } = flow(at);
    if (dead) continue;
    found.push(
      condition === undefined
        ? { state: 'skipped' }
        : { state: 'conditional', condition: conditionOf(condition) },
    );
  }
  return found;
}

/** The name of a function of the file: `check($cart)`, `$this->check($cart)`, `self::check($cart)`. */
function calledAt(tokens: Tokens, at: number): string | undefined {
  if (!isName(tokens, at) || !is(tokens, at + 1, '(') || is(tokens, at - 1, 'function', 'new'))
    return undefined;
  if (is(tokens, at - 1, '->', '::', '?->') && !is(tokens, at - 2, '$this', 'self', 'static'))
    return undefined;
  return tokens[at]?.text;
}

function claimsAt(tokens: Tokens, at: number): Found | undefined {
  const token = tokens[at];
  if (token?.kind !== 'name' || !is(tokens, at + 1, '(') || is(tokens, at - 1, 'function')) return undefined;
  const { text } = token;
  const isMember = is(tokens, at - 1, '->', '::');
  if (text === 'expect' && !isMember) return expectation(tokens, at);
  if (/^expectException/.test(text)) return expectedException(tokens, at);
  if (text === 'fail' && isMember)
    return { claims: [claim('part', '', 'fail')], end: afterBracket(tokens, at + 1) };
  if (text === 'expects' && isMember) return mockExpectation(tokens, at, at + 1);
  if (/^should(?:Receive|HaveReceived|NotReceive|NotHaveReceived)$/.test(text))
    return mockExpectation(tokens, at, at + 1);
  if (/^assert(?:[A-Z]|$)/.test(text)) return assertion(tokens, at, isMember);
  return undefined;
}

function receiver(tokens: Tokens, at: number): string {
  let from = at - 1;
  while (from > 0 && !beginsStatement(tokens, from) && !is(tokens, from - 1, '=', '=>', ',', '(', 'return')) {
    const { partner } = tokens[from - 1] as Tokens[number];
    from = partner !== -1 && partner < from ? partner : from - 1;
  }
  return canonical(tokens, { from, end: at - 1 });
}

function assertion(tokens: Tokens, at: number, isMember: boolean): Found {
  const name = tokens[at]?.text ?? '';
  const args = split(tokens, inside(tokens, at + 1));
  const end = afterBracket(tokens, at + 1);
  const isOwn = !isMember || is(tokens, at - 2, '$this', 'self', 'static', 'Assert', 'PHPUnit');
  if (name === 'assert') return { claims: args[0] ? claimsOf(tokens, args[0]) : [], end };
  const word = name
    .slice('assert'.length)
    .replace(/^Not(?=[A-Z])|(?<=^[A-Z][a-z]+)Not(?=[A-Z])|(?<=^(?:Is|Does|Array|String))Not/, '');
  const shape = isOwn && Object.hasOwn(SHAPES, word) ? SHAPES[word] : undefined;
  const negated = /Not(?=[A-Z])/.test(name);
  const [first, second, third] = args;
  const texts = args.map((arg) => canonical(tokens, arg));
  const [one = '', two = ''] = texts;
  if (!shape || !first) return { claims: [ofResponse(tokens, at, name, texts, isOwn)], end };
  const constant =
    isConstant(tokens, first) && (!second || isConstant(tokens, second))
      ? { vacuous: 'it compares constants' }
      : {};
  switch (shape) {
    case 'true':
    case 'false': {
      // assertNotFalse holds of nearly every value.
      if (negated) return { claims: [claim('exists', one)], end };
      return { claims: claimsOf(tokens, first, shape === 'false'), end };
    }
    case 'null':
      return {
        claims: [negated ? claim('exists', one, '', constant) : claim('equal', one, 'null', constant)],
        end,
      };
    case 'empty':
      return {
        claims: [negated ? claim('exists', one, '', constant) : claim('equal', one, '[ ]', constant)],
        end,
      };
    case 'exists':
      return { claims: [claim('exists', one, word, { negated })], end };
    case 'type':
      return { claims: [claim('bounded', one, word, { negated })], end };
    default:
  }
  if (!second) return { claims: [claim('exact', one, word, { negated })], end };
  // What is expected comes first.
  if (shape === 'part' || shape === 'bounded' || shape === 'size')
    return { claims: [claim(shape, two, one, { negated, ...constant })], end };
  const found = { ...claimOfTwo(tokens, second, first, { kind: 'equal', negated }), ...constant };
  if (shape === 'near')
    return {
      claims: [{ ...found, kind: 'near', tolerance: third ? Number(canonical(tokens, third)) : 0 }],
      end,
    };
  return { claims: [shape === 'alike' ? { ...found, kind: 'alike' } : found], end };
}

/** `$response->assertStatus(200)`, `Mail::assertSent(Order::class)`, and assertions of the project's own. */
function ofResponse(
  tokens: Tokens,
  at: number,
  name: string,
  texts: readonly string[],
  isOwn: boolean,
): Claim {
  const kind = RESPONSES.find(([pattern]) => pattern.test(name))?.[1] ?? 'exact';
  const code = STATUSES.get(name.slice('assert'.length));
  // The first of a chain is about the same as the last.
  const about = isOwn ? (texts[0] ?? '') : (receiver(tokens, at).split(' -> assert')[0] ?? '');
  return claim(kind, about, code ? `assertStatus ${code}` : [name, ...texts].join(' '));
}

/** `$this->expectException(InvalidArgumentException::class)`, `expectExceptionMessage('negative')` */
function expectedException(tokens: Tokens, at: number): Found {
  const name = tokens[at]?.text ?? '';
  const args = inside(tokens, at + 1);
  const text = canonical(tokens, args);
  const end = afterBracket(tokens, at + 1);
  const object = /^new (\S+(?: \S+)*?) \( (.*) \)$/.exec(text);
  if (name === 'expectExceptionObject' && object)
    return { claims: [thrown(`${object[1]} :: class`), claim('exact', 'ExceptionMessage', object[2])], end };
  if (name !== 'expectException') return { claims: [claim('exact', name.replace('expect', ''), text)], end };
  return { claims: [thrown(text)], end };
}

/** Of Pest's `throws(InvalidArgumentException::class, 'negative')`: the class and the message, or one of them. */
function thrownClaims(tokens: Tokens, args: Span): Claim[] {
  const [type, message] = split(tokens, args).map((each) => canonical(tokens, each));
  return message === undefined
    ? [thrown(type ?? '')]
    : [thrown(type ?? ''), claim('exact', 'ExceptionMessage', message)];
}

function thrown(given: string): Claim {
  const text = given.replace(/^\\ /, '');
  const isBroad = /^(?:Exception|Throwable|Error|RuntimeException) :: class$|^$/.test(text);
  return claim(isBroad ? 'happens' : text.includes(' , ') ? 'exact' : 'part', 'exception', text);
}

/** `$mail->expects($this->once())->method('send')->with('a')`, `$mail->shouldReceive('send')->once()->with('a')` */
function mockExpectation(tokens: Tokens, at: number, open: number): Found | undefined {
  const about = receiver(tokens, at);
  const end = endOfStatement(tokens, at);
  const words: string[] = [];
  const own = canonical(tokens, inside(tokens, open));
  let method = is(tokens, at, 'expects') ? '' : own;
  let kind: AssertionKind | undefined = is(tokens, at, 'expects')
    ? /\bany \(/.test(own)
      ? undefined
      : /atLeast/.test(own)
        ? 'happens'
        : 'size'
    : /Have|Not/.test(tokens[at]?.text ?? '')
      ? 'happens'
      : undefined;
  if (is(tokens, at, 'expects') && kind) words.push(own.replace(/^.*(?:->|::) /, ''));
  for (let index = afterBracket(tokens, open); index < end; index = afterBracket(tokens, index + 2)) {
    if (!is(tokens, index, '->') || !is(tokens, index + 2, '(')) break;
    const word = tokens[index + 1]?.text ?? '';
    const text = canonical(tokens, inside(tokens, index + 2));
    if (word === 'method') method = text;
    if (/^(?:once|twice|times|never|atLeast|atMost|exactly)$/.test(word)) kind ??= 'size';
    if (/^with(?:Args)?$/.test(word) && !/\b(?:any|anything|withAnyArgs)\b/.test(text)) kind = 'exact';
    if (/^(?:once|twice|times|never|with|withArgs)$/.test(word)) words.push(`${word} ${text}`);
  }
  return {
    claims: kind ? [claim(kind, `${about} -> ${method}`, words.join(' , '))] : [],
    end: afterBracket(tokens, open),
  };
}

/** `expect($total)->toBe(3)->and($tax)->not->toBeNull()` */
function expectation(tokens: Tokens, at: number): Found {
  const claims: Claim[] = [];
  let subject = inside(tokens, at + 1);
  let negated = false;
  let index = afterBracket(tokens, at + 1);
  while (is(tokens, index, '->', '?->')) {
    const word = tokens[index + 1]?.text ?? '';
    const open = index + 2;
    if (word === 'not') negated = true;
    if (!is(tokens, open, '(')) {
      index += 2;
      continue;
    }
    if (word === 'and') subject = inside(tokens, open);
    else if (/^to[A-Z]/.test(word)) {
      claims.push(...matched(tokens, subject, word, inside(tokens, open), negated));
      negated = false;
    }
    index = afterBracket(tokens, open);
  }
  return { claims, end: index };
}

function matched(tokens: Tokens, subject: Span, word: string, args: Span, negated: boolean): Claim[] {
  const about = canonical(tokens, subject);
  const text = canonical(tokens, args);
  if (/^toBe(?:True|Truthy|False|Falsy)$/.test(word)) {
    const inner = claimsOf(tokens, subject, /Fals/.test(word) !== negated);
    const [only] = inner;
    if (only && (only.kind !== 'truthy' || only.vacuous !== undefined || /y$/.test(word))) return inner;
    return [claim('equal', about, /True/.test(word) ? 'true' : 'false', { negated })];
  }
  if (word === 'toBeNull') return [negated ? claim('exists', about) : claim('equal', about, 'null')];
  if (word === 'toBeEmpty') return [negated ? claim('exists', about) : claim('equal', about, '[ ]')];
  if (word === 'toThrow') return [negated ? claim('exists', about) : { ...thrown(text), subject: about }];
  const kind = MATCHERS.find(([pattern]) => pattern.test(word))?.[1] ?? 'exact';
  const parts = split(tokens, args);
  const constant =
    isConstant(tokens, subject) && (args.from >= args.end || isConstant(tokens, args))
      ? { vacuous: 'it compares constants' }
      : {};
  const tolerance = kind === 'near' && parts[1] ? { tolerance: Number(canonical(tokens, parts[1])) } : {};
  const expected =
    kind === 'near' && parts[0] ? canonical(tokens, parts[0]) : text || (/^toBe[A-Z]/.test(word) ? word : '');
  return [
    claim(kind === 'equal' && negated ? 'bounded' : kind, about, expected, {
      negated,
      ...constant,
      ...tolerance,
    }),
  ];
}

const SIZE = /^(?:count|sizeof) \( (.*) \)$/;

/** An assertion with the values of the names in it, in the form in which assertions are compared. */
function settled(each: Assertion, values: Values): Assertion {
  const subject = settledValue(each.subject, values, false);
  const expected = settledValue(each.expected, values, true);
  const counted = SIZE.exec(subject)?.[1];
  if (each.kind === 'equal' && !each.negated && counted !== undefined)
    return { ...each, kind: 'size', subject: counted, expected };
  return withoutTautology({ ...each, subject, expected });
}

/** `$this->createMock(Cart::class)`, `Mockery::mock(Cart::class)` */
function mocksIn(tokens: Tokens): { target: string; line: number }[] {
  const mocks: { target: string; line: number }[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const isMock = is(
      tokens,
      at,
      'createMock',
      'createStub',
      'createPartialMock',
      'getMockBuilder',
      'mock',
      'partialMock',
      'spy',
      'prophesize',
    );
    if (!isMock || !is(tokens, at + 1, '(')) continue;
    const [first] = split(tokens, inside(tokens, at + 1));
    if (first)
      mocks.push({ target: canonical(tokens, first).replace(/ :: class$/, ''), line: tokens[at]?.line ?? 0 });
  }
  return mocks;
}
