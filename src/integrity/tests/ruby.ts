import type { Source } from '../lexer.ts';
import { assertionCollector, type Found } from './collect-assertions.ts';
import { type Claim, claim, claimOfTwo, claimsOf } from './comparison.ts';
import { type Block, type FlowWords, flowIn, statementBefore } from './flow.ts';
import { ANY } from './mocked-subjects.ts';
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

/** Ruby: RSpec, minitest (classes and specs), test-unit, and the tests of Rails. */
export const ruby: TestReader = {
  isTestPath: (path) => /(?:^|\/)(?:[^/]*_(?:spec|test)|test_[^/]*|spec_[^/]*)\.rb$/.test(path),
  mayHaveTests: (text) =>
    /\b(?:it|test|describe|specify|assert|expect|example|scenario|def test_\w+)\b/.test(text),
  read,
};

const FLOW: FlowWords = {
  conditions: ['if', 'unless', 'elsif', 'while', 'until'],
  inverse: ['unless', 'until'],
  branches: ['else', 'when'],
  tries: [],
  catches: [],
  exits: ['return', 'raise', 'next', 'break', 'exit', 'abort'],
  fails: /\b(?:raise|fail|flunk|abort)\b|\b(?:assert|refute)\w*|\bexpect\b/,
  never: ['false', 'nil', '! true', 'not true'],
  always: ['true', '1', '! false', 'not false'],
  elsewhere: 'modifier',
  special: { ensure: returnInEnsure, each: emptyLoop, rescue: rescued },
};

const SUITES = /^[xf]?(?:describe|context|feature)$|^(?:shared_examples(?:_for)?|shared_context)$/;
const EXAMPLES = /^[xf]?(?:it|specify|example|scenario|its)$|^(?:test|focus|pending|skip|should)$/;
const HOOKS = /^(?:before|after|around|setup|teardown|prepend_before|append_after|background)$/;

/** Matchers of RSpec by name; any other says as much as an equality. */
const MATCHERS: readonly (readonly [RegExp, AssertionKind])[] = [
  [/^(?:eq|eql|equal|match_json|eq_json)$/, 'equal'],
  [/^(?:match_array|contain_exactly)$/, 'alike'],
  [/^be_within$/, 'near'],
  [/^(?:raise_error|raise_exception|raise)$/, 'happens'],
  [
    /^(?:include|match|match_regex|start_with|end_with|have_attributes|have_key|have_value|contain|have_content|have_text|have_selector|have_css|have_link)$/,
    'part',
  ],
  [
    /^(?:be_an?|be_(?:an_)?(?:instance|kind)_of|be_between|respond_to|satisfy|cover|be_one_of|be_in)$/,
    'bounded',
  ],
  [/^(?:be_present|be_any|exist|be_success|be_successful|be_ok)$/, 'exists'],
  [/^be_(?!nil$|empty$|blank$|truthy$|falsey$|falsy$)\w+$/, 'bounded'],
  [/^(?:match_snapshot|match_response_schema)$/, 'snapshot'],
  [/^(?:have_exactly|have_at_least)$/, 'size'],
];

type Shape = 'equal' | 'near' | 'part' | 'bounded' | 'truth' | 'nil' | 'raises' | 'empty' | 'same' | 'other';

/** Assertions of minitest, test-unit and Rails, without `assert_`, `refute_` and the like. */
const SHAPES: Readonly<Record<string, Shape>> = {
  '': 'truth',
  true: 'same',
  false: 'same',
  equal: 'equal',
  same: 'equal',
  nil: 'nil',
  in_delta: 'near',
  in_epsilon: 'near',
  includes: 'part',
  include: 'part',
  match: 'part',
  no_match: 'part',
  kind_of: 'bounded',
  instance_of: 'bounded',
  respond_to: 'bounded',
  operator: 'bounded',
  compare: 'bounded',
  predicate: 'bounded',
  empty: 'empty',
  raises: 'raises',
  raise: 'raises',
  raise_with_message: 'raises',
  raise_kind_of: 'raises',
  throws: 'raises',
};

/** What an asymmetric argument leaves open. */
const OPEN =
  /\b(?:anything|any_args|kind_of|instance_of|an_instance_of|a_kind_of|be_an?|hash_including|array_including|a_hash_including|a_string_matching|a_string_including|a_value|be_present)\b/;

/** A call with a block, as RSpec and minitest write suites, tests and hooks. */
interface Call {
  readonly name: string;
  readonly at: number;
  readonly args: readonly Span[];
  /** Without the block's parameters; undefined if it has no block. */
  readonly body: Span | undefined;
  readonly parameters: readonly string[];
  readonly end: number;
}

interface State {
  readonly state: TestState;
  readonly condition?: string | undefined;
}

/** What is around a test. */
interface Context {
  readonly names: readonly string[];
  readonly states: readonly State[];
  readonly focused: boolean;
  readonly cases: number;
  readonly dynamic: boolean;
  /** The bodies of the hooks of the suites around. */
  readonly hooks: readonly Span[];
  readonly tables: readonly Table[];
  /** Whether tests are collected here: not in a class without a base class. */
  readonly collected: boolean;
}

interface Table {
  readonly count: number;
  readonly dynamic: boolean;
  readonly span: Span;
  /** The names of the columns. */
  readonly names?: readonly string[];
}

interface Definition {
  readonly name: string;
  readonly at: number;
  readonly body: Span;
}

function read({ tokens }: Source): TestFile {
  return new Reader(tokens).file();
}

function callAt(tokens: Tokens, at: number): Call | undefined {
  const name = tokens[at]?.text ?? '';
  const hasBrackets = is(tokens, at + 1, '(') && tokens[at + 1]?.start === tokens[at]?.end;
  let end = hasBrackets ? afterBracket(tokens, at + 1) : at + 1;
  const from = hasBrackets ? at + 2 : at + 1;
  if (!hasBrackets)
    while (
      end < tokens.length &&
      !isBlockStart(tokens, end) &&
      !/^(?:newline|dedent)$/.test(tokens[end]?.kind ?? '') &&
      !is(tokens, end, ';', '}', ')')
    ) {
      const { partner } = tokens[end] as Tokens[number];
      end = partner > end ? partner + 1 : end + 1;
    }
  const args = split(tokens, { from, end: hasBrackets ? end - 1 : end });
  if (!isBlockStart(tokens, end)) return { name, at, args, body: undefined, parameters: [], end };
  const open = is(tokens, end, 'do') ? end + 1 : end;
  const block = inside(tokens, open);
  const body = withoutParameters(tokens, block);
  const parameters = canonical(tokens, { from: block.from, end: body.from }).match(/\w+/g) ?? [];
  return { name, at, args, body, parameters, end: afterBracket(tokens, open) };
}

function isBlockStart(tokens: Tokens, at: number): boolean {
  return (
    (is(tokens, at, 'do') && tokens[at + 1]?.kind === 'indent') ||
    (is(tokens, at, '{') && !is(tokens, at - 1, ',', '=>', ':', '(', '='))
  );
}

function withoutParameters(tokens: Tokens, { from, end }: Span): Span {
  if (!is(tokens, from, '|')) return { from, end };
  const close = find(tokens, { from: from + 1, end }, '|');
  return { from: close === -1 ? from : close + 1, end };
}

class Reader {
  private readonly tokens: Tokens;
  private readonly tests: Test[] = [];
  private readonly helpers = new Map<string, Span>();
  private readonly functions = new Map<string, string>();
  /** The values of `let` and of constants. */
  private readonly known = new Map<string, Span>();
  private readonly assertions: (span: Span) => Assertion[];
  private readonly fileFlow;

  constructor(tokens: Tokens) {
    this.tokens = tokens;
    this.fileFlow = flowIn(tokens, { from: 0, end: tokens.length }, FLOW);
    for (let at = 0; at < tokens.length; at++) this.learn(at);
    const collect = assertionCollector(tokens, { words: FLOW, functions: this.helpers, claimsAt, calledAt });
    this.assertions = (span) => {
      const values = valuesIn(tokens, span, this.known);
      return collect(span).map((each) => settled(each, values));
    };
  }

  /** Notes a method that is no test, a constant, or a `let`. */
  private learn(at: number): void {
    const { tokens } = this;
    if (is(tokens, at, 'def')) {
      const found = definitionAt(tokens, at);
      if (found && !/^test_/.test(found.name)) this.helpers.set(found.name, found.body);
    } else if (is(tokens, at, 'let', 'let!', 'subject') && beginsStatement(tokens, at)) {
      const { args, body } = callAt(tokens, at) ?? {};
      const name = args?.[0] ? (tokens[args[0].end - 1]?.text ?? '') : 'subject';
      if (body) this.set(name, body);
    } else if (isName(tokens, at) && is(tokens, at + 1, '=') && /^[A-Z]/.test(tokens[at]?.text ?? ''))
      this.set(tokens[at]?.text ?? '', { from: at + 2, end: endOfStatement(tokens, at) });
  }

  private set(name: string, value: Span): void {
    // A name with two values has none.
    this.known.set(name, this.known.has(name) ? { from: 0, end: 0 } : value);
  }

  file(): TestFile {
    const { tokens } = this;
    const whole = { from: 0, end: tokens.length };
    this.scan(whole, {
      names: [],
      states: [],
      focused: false,
      cases: 1,
      dynamic: false,
      hooks: [],
      tables: [],
      collected: true,
    });
    for (const [name, body] of this.helpers) this.functions.set(name, canonical(tokens, body));
    return { tests: this.tests, functions: this.functions, mocks: mocksIn(tokens) };
  }

  /** Finds the suites and tests in a span. */
  private scan(span: Span, context: Context): void {
    const { tokens } = this;
    let isPrivate = false;
    const methods: Definition[] = [];
    for (let at = span.from; at < span.end; at++) {
      if (!isName(tokens, at)) continue;
      if (is(tokens, at, 'private', 'protected') && tokens[at + 1]?.kind === 'newline') isPrivate = true;
      if (is(tokens, at, 'public') && tokens[at + 1]?.kind === 'newline') isPrivate = false;
      if (is(tokens, at, 'class', 'module') && tokens[at + 1]?.kind === 'indent')
        at = this.classAt(at, context);
      else if (is(tokens, at, 'def')) {
        const found = definitionAt(tokens, at);
        if (!found) continue;
        if (/^test_/.test(found.name)) {
          if (isPrivate || is(tokens, at - 1, 'private') || !context.collected)
            this.functions.set(`${found.name} ${at}`, canonical(tokens, found.body));
          else methods.push(found);
        }
        at = Math.max(at, found.body.end);
      } else at = this.blockAt(at, span, context);
    }
    for (const [index, found] of methods.entries()) {
      const isReplaced = methods.slice(index + 1).some(({ name }) => name === found.name);
      if (isReplaced) this.functions.set(`${found.name} ${found.at}`, canonical(tokens, found.body));
      else this.add(found.name, found.at, found.body, [], context);
    }
  }

  private classAt(at: number, context: Context): number {
    const { tokens } = this;
    const body = inside(tokens, at + 1);
    const end = endOfStatement(tokens, at + 2);
    const head = canonical(tokens, { from: at + 2, end });
    const name = head.split(' < ')[0] ?? head;
    const collected = is(tokens, at, 'module') || head.includes(' < ');
    const hooks = this.hooksIn(body);
    this.scan(
      { from: end, end: body.end },
      { ...context, names: [...context.names, name], hooks: [...context.hooks, ...hooks], collected },
    );
    return body.end;
  }

  /** The hooks of a suite, and the methods `setup` and `teardown` of a class. */
  private hooksIn(span: Span): Span[] {
    const { tokens } = this;
    const hooks: Span[] = [];
    for (let at = span.from; at < span.end; at++) {
      if (is(tokens, at, 'def') && /^(?:setup|teardown)$/.test(tokens[at + 2]?.text ?? ''))
        hooks.push(definitionAt(tokens, at)?.body ?? { from: at, end: at });
      const isHook = HOOKS.test(tokens[at]?.text ?? '') && beginsStatement(tokens, at);
      const body = isHook ? callAt(tokens, at)?.body : undefined;
      if (body) hooks.push(body);
      const { partner } = tokens[at] as Tokens[number];
      if (partner > at) at = partner;
    }
    return hooks;
  }

  /** A suite, a test, or a loop around tests. Returns where the search goes on. */
  private blockAt(at: number, span: Span, context: Context): number {
    const { tokens } = this;
    const name = tokens[at]?.text ?? '';
    const isMember = is(tokens, at - 1, '.') && !is(tokens, at - 2, 'RSpec', 'Minitest');
    if (isMember && name === 'each' && isBlockStart(tokens, at + 1)) {
      const call = callAt(tokens, at);
      const rows = this.rowsBefore(at - 1, span);
      if (!call?.body) return at;
      this.scan(call.body, {
        ...context,
        cases: context.cases * Math.max(1, rows.count),
        dynamic: context.dynamic || rows.dynamic,
        tables: [...context.tables, { ...rows, names: call.parameters }],
      });
      return call.end - 1;
    }
    if (isMember || !(beginsStatement(tokens, at) || is(tokens, at - 1, '.'))) return at;
    if (SUITES.test(name)) return this.suiteAt(at, context);
    if (name === 'it_behaves_like' || name === 'include_examples' || name === 'it_should_behave_like') {
      const call = callAt(tokens, at);
      const title = call?.args[0] ? canonical(tokens, call.args[0]) : '';
      this.tests.push({
        ...this.testOf(`${name} ${title}`, at, { from: at, end: call?.end ?? at + 1 }, [], context),
        assertions: [
          {
            ...claim('exact', title, 'behavior'),
            line: tokens[at]?.line ?? 0,
            swallowed: false,
            dead: false,
          },
        ],
      });
      return at;
    }
    if (!EXAMPLES.test(name)) return at;
    const call = callAt(tokens, at);
    const title = call?.args[0] ? stringValue(tokens[call.args[0].from]) : undefined;
    if (!call || (title === undefined && !call.body)) return at;
    // `skip 'reason'` in a body, and `should eq(1)`, are no tests.
    if (/^(?:pending|skip|focus|should)$/.test(name) && (!call.body || title === undefined)) return at;
    const body = call.body;
    const states = [
      ...stateOfName(name),
      ...statesOfArguments(tokens, call.args),
      ...(body ? [] : [{ state: 'todo' as const }]),
    ];
    const shown = title ?? `it ${body ? canonical(tokens, body) : ''}`;
    this.add(shown, at, body ?? { from: call.end, end: call.end }, states, {
      ...context,
      focused: context.focused || isFocused(tokens, name, call.args),
    });
    return call.end - 1;
  }

  private suiteAt(at: number, context: Context): number {
    const { tokens } = this;
    const call = callAt(tokens, at);
    if (!call?.body) return at;
    const name = tokens[at]?.text ?? '';
    const [first] = call.args;
    const title = first ? (stringValue(tokens[first.from]) ?? canonical(tokens, first)) : '';
    this.scan(call.body, {
      ...context,
      names: [...context.names, title],
      states: [...context.states, ...stateOfName(name), ...statesOfArguments(tokens, call.args)],
      focused: context.focused || isFocused(tokens, name, call.args),
      hooks: [...context.hooks, ...this.hooksIn(call.body)],
    });
    return call.end - 1;
  }

  private add(name: string, at: number, body: Span, states: readonly State[], context: Context): void {
    this.tests.push(this.testOf(name, at, body, states, context));
  }

  private testOf(name: string, at: number, body: Span, states: readonly State[], context: Context): Test {
    const { tokens } = this;
    const around = this.fileFlow(at);
    const all = [
      ...states,
      ...context.states,
      ...(around.dead ? [{ state: 'skipped' as const }] : []),
      ...(around.condition === undefined
        ? []
        : [{ state: 'conditional' as const, condition: around.condition }]),
      ...[body, ...context.hooks].flatMap((span) => skipsIn(tokens, span)),
    ].filter(({ state }) => state !== 'runs');
    const grave = all.find(({ state }) => state !== 'conditional') ?? all[0];
    const loops = this.loopsIn(body);
    const tables = [...context.tables, ...loops];
    const assertions = [body, ...context.hooks].flatMap((span) => this.assertions(span));
    return {
      name: [...context.names, name].join(' > '),
      line: tokens[at]?.line ?? 0,
      state: grave?.state ?? 'runs',
      condition: all.flatMap(({ condition }) => condition ?? []).join(' && ') || undefined,
      focused: context.focused,
      cases: loops.reduce((product, { count }) => product * count, context.cases),
      dynamic: context.dynamic,
      body: canonical(tokens, body),
      statements: countStatements(tokens, body),
      assertions,
      names: namesIn(tokens, body),
      rows: tables.flatMap(({ span, names = [] }) =>
        tableRows(tokens, split(tokens, inside(tokens, span.from)), names),
      ),
      literals: new Set(
        [body, ...tables.map(({ span }) => span)].flatMap((each) => [...literalsIn(tokens, each)]),
      ),
    };
  }

  /** The tables that a test runs through, if there are assertions in the loop. */
  private loopsIn(body: Span): Table[] {
    const { tokens } = this;
    const loops: Table[] = [];
    for (let at = body.from; at < body.end; at++) {
      if (!is(tokens, at, 'each') || !is(tokens, at - 1, '.') || !isBlockStart(tokens, at + 1)) continue;
      const { body: block, parameters: names = [] } = callAt(tokens, at) ?? {};
      const rows = { ...this.rowsBefore(at - 1, body), names };
      if (
        block &&
        !rows.dynamic &&
        rows.count > 0 &&
        /\b(?:assert|expect|must_|should)/.test(canonical(tokens, block))
      )
        loops.push(rows);
    }
    return loops;
  }

  /** The rows of the list before a dot. */
  private rowsBefore(dot: number, span: Span): Table {
    const { tokens } = this;
    const last = dot - 1;
    const { partner = -1, kind, text = '' } = tokens[last] ?? {};
    if (kind === 'string' && text.startsWith('%'))
      return {
        count: text.slice(3, -1).trim().split(/\s+/).length,
        dynamic: false,
        span: { from: last, end: dot },
      };
    if (partner !== -1 && partner < last && is(tokens, last, ']', '}'))
      return { ...this.rowsIn({ from: partner, end: dot }) };
    const value = this.known.get(text) ?? valuesIn(tokens, span, this.known).spans.get(text);
    return value && value.end > value.from
      ? this.rowsIn(value)
      : { count: 1, dynamic: true, span: { from: last, end: dot } };
  }

  private rowsIn(value: Span): Table {
    const { tokens } = this;
    const first = tokens[value.from];
    if (first?.kind === 'string' && first.text.startsWith('%'))
      return { count: first.text.slice(3, -1).trim().split(/\s+/).length, dynamic: false, span: value };
    if (!is(tokens, value.from, '[', '{')) return { count: 1, dynamic: true, span: value };
    const parts = split(tokens, inside(tokens, value.from));
    return {
      count: parts.length,
      dynamic: parts.some((part) => is(tokens, part.from, '*', '**')),
      span: value,
    };
  }
}

/** `def name(…) … end` */
function definitionAt(tokens: Tokens, at: number): Definition | undefined {
  if (tokens[at + 1]?.kind !== 'indent') return undefined;
  const block = inside(tokens, at + 1);
  const first = is(tokens, block.from, 'self') ? block.from + 2 : block.from;
  const end = endOfStatement(tokens, first);
  return { name: tokens[first]?.text ?? '', at, body: { from: Math.min(end, block.end), end: block.end } };
}

function stateOfName(name: string): State[] {
  if (/^x|^skip$/.test(name)) return [{ state: 'skipped' }];
  return name === 'pending' ? [{ state: 'expected-to-fail' }] : [];
}

/** `skip: true`, `:pending`, `if: ENV['X']` */
function statesOfArguments(tokens: Tokens, args: readonly Span[]): State[] {
  return args.slice(1).flatMap((arg): State[] => {
    const isSymbol = is(tokens, arg.from, ':');
    const key = tokens[isSymbol ? arg.from + 1 : arg.from]?.text ?? '';
    const colon = isSymbol ? find(tokens, { from: arg.from + 1, end: arg.end }, '=>') : arg.from + 1;
    const value = isSymbol && colon === -1 ? 'true' : canonical(tokens, { from: colon + 1, end: arg.end });
    if (value === 'false' || value === 'nil') return [];
    if (key === 'skip') return [{ state: isPlainValue(value) ? 'skipped' : 'conditional', condition: value }];
    if (key === 'pending') return [{ state: 'expected-to-fail' }];
    if (key === 'if' && !isSymbol) return [{ state: 'conditional', condition: `not ( ${value} )` }];
    return key === 'unless' && !isSymbol ? [{ state: 'conditional', condition: value }] : [];
  });
}

function isPlainValue(value: string): boolean {
  return value === 'true' || /^["']/.test(value);
}

function isFocused(tokens: Tokens, name: string, args: readonly Span[]): boolean {
  if (/^f(?:it|describe|context|specify|example|scenario|feature)$/.test(name) || name === 'focus')
    return true;
  return args.some(({ from, end }) =>
    is(tokens, from, ':')
      ? is(tokens, from + 1, 'focus') && !is(tokens, end - 1, 'false')
      : is(tokens, from, 'focus') && is(tokens, from + 1, ':') && is(tokens, from + 2, 'true'),
  );
}

/** `skip`, `pending 'reason'`, `omit if x` as statements. */
function skipsIn(tokens: Tokens, span: Span): State[] {
  let flow: ReturnType<typeof flowIn> | undefined;
  const found: State[] = [];
  for (let at = span.from; at < span.end; at++) {
    if (
      !/^(?:skip|pending|omit|pend|omit_if|omit_unless|skip_until)$/.test(tokens[at]?.text ?? '') ||
      !isName(tokens, at)
    )
      continue;
    if (!beginsStatement(tokens, at) || is(tokens, at + 1, '.', '=', '{', '[')) continue;
    flow ??= flowIn(tokens, span, FLOW);
    const { dead, condition } = flow(at);
    if (dead) continue;
    const name = tokens[at]?.text ?? '';
    const args = callAt(tokens, at)?.args ?? [];
    const own = /^omit_(?:if|unless)$/.test(name) && args[0] ? canonical(tokens, args[0]) : undefined;
    const all = [condition, name === 'omit_unless' ? `not ( ${own} )` : own].filter(Boolean).join(' && ');
    const state = name === 'pending' ? 'expected-to-fail' : 'skipped';
    if (all === '') found.push({ state });
    else found.push({ state: 'conditional', condition: all });
  }
  return found;
}

/** A `return` in `ensure` drops what fails before it. */
function returnInEnsure(tokens: Tokens, index: number, span: Span): Block | undefined {
  const text = canonical(tokens, { from: index + 1, end: clauseEnd(tokens, index, span) });
  return /(?:^| )return\b/.test(text) ? { ...span, swallowed: true } : undefined;
}

/** `[].each { … }` */
function emptyLoop(tokens: Tokens, index: number): Block | undefined {
  if (!is(tokens, index - 2, ']') || tokens[index - 2]?.partner !== index - 3) return undefined;
  const body = callAt(tokens, index)?.body;
  return body && { ...body, dead: true };
}

/** `rescue` drops what fails before it. */
function rescued(tokens: Tokens, index: number, span: Span): Block | undefined {
  if (!beginsStatement(tokens, index)) return { ...statementBefore(tokens, index, span), swallowed: true };
  const line = endOfStatement(tokens, index);
  const end = clauseEnd(tokens, index, span);
  if (
    FLOW.fails.test(canonical(tokens, { from: line, end })) ||
    /\bskip\b/.test(canonical(tokens, { from: line, end }))
  )
    return undefined;
  const before = { from: clauseStart(tokens, index, span), end: index };
  const caught = canonical(tokens, { from: index, end: line });
  const isBroad =
    /^rescue(?: => \w+)?$|\b(?:StandardError|Exception|Assertion|ExpectationNotMetError|RSpec)\b/.test(
      caught,
    );
  return isBroad ? { ...before, swallowed: true } : { ...before, condition: `no ${caught}` };
}

/** The end of a `rescue` or `ensure` clause: the next one, or the end of its block. */
function clauseEnd(tokens: Tokens, index: number, span: Span): number {
  for (let at = index + 1; at < span.end; at++) {
    const { partner, kind } = tokens[at] as Tokens[number];
    if (kind === 'dedent' && partner < index) return at;
    if (is(tokens, at, 'rescue', 'else', 'ensure') && beginsStatement(tokens, at)) return at;
    if (partner > at) at = partner;
  }
  return span.end;
}

/** The beginning of the block around a token. */
function clauseStart(tokens: Tokens, index: number, span: Span): number {
  for (let at = index - 1; at >= span.from; at--) {
    const { partner, kind } = tokens[at] as Tokens[number];
    if (partner !== -1 && partner < at) at = partner;
    else if (kind === 'indent') return at + 1;
  }
  return span.from;
}

function calledAt(tokens: Tokens, at: number): string | undefined {
  if (!isName(tokens, at) || is(tokens, at - 1, 'def', ':')) return undefined;
  if (is(tokens, at - 1, '.') && !is(tokens, at - 2, 'self')) return undefined;
  return is(tokens, at + 1, '(') || beginsStatement(tokens, at) ? tokens[at]?.text : undefined;
}

function claimsAt(tokens: Tokens, at: number): Found | undefined {
  const token = tokens[at];
  if (token?.kind !== 'name') return undefined;
  const { text } = token;
  const isMember = is(tokens, at - 1, '.');
  if (text === 'expect' && !isMember) return expectation(tokens, at);
  if (text === 'is_expected' && is(tokens, at + 1, '.')) return matched(tokens, 'subject', at + 2);
  if (/^should(?:_not)?$/.test(text) && (isMember || beginsStatement(tokens, at)))
    return matched(tokens, isMember ? receiver(tokens, at) : 'subject', at);
  if (/^(?:must|wont)_\w+$/.test(text) && isMember) return spec(tokens, at);
  if (/^(?:assert|refute|flunk)(?:_\w+)?[?!]?$/.test(text) && !isMember && !is(tokens, at + 1, '.', '='))
    return assertion(tokens, at);
  if (text === 'verify' && isMember && endOfStatement(tokens, at) === at + 1)
    return { claims: [claim('exact', receiver(tokens, at), 'verify')], end: at + 1 };
  return undefined;
}

/** The canonical text before a dot, from the beginning of its statement. */
function receiver(tokens: Tokens, at: number): string {
  const before = statementBefore(tokens, at - 1, { from: 0, end: at });
  let { from } = before;
  // Inside of a block in braces.
  for (let index = at - 1; index > from; index--) {
    const { partner } = tokens[index] as Tokens[number];
    if (partner !== -1 && partner < index) index = partner;
    else if (partner > at || is(tokens, index, ';', '|')) from = index + 1;
  }
  const text = canonical(tokens, { from, end: at - 1 });
  return text.replace(/^(?:_|value|expect) \( (.*) \)$/, '$1');
}

/** The arguments of a call with brackets or without, up to a modifier. */
function argumentsAt(tokens: Tokens, at: number): { args: Span[]; end: number; block: Span | undefined } {
  const call = callAt(tokens, at);
  if (!call) return { args: [], end: at + 1, block: undefined };
  const args = call.args.map(({ from, end }) => {
    const modifier = find(tokens, { from, end }, 'if', 'unless', 'rescue');
    return { from, end: modifier > from ? modifier : end };
  });
  const last = args.at(-1);
  const end = last && !is(tokens, at + 1, '(') ? Math.max(last.end, call.body ? call.end : 0) : call.end;
  return { args, end, block: call.body };
}

/** `expect(total).to eq(3)`, `expect { pay }.to raise_error(ArgumentError)` */
function expectation(tokens: Tokens, at: number): Found | undefined {
  const open = is(tokens, at + 1, 'do') ? at + 2 : at + 1;
  if (!is(tokens, open, '(', '{') && tokens[open]?.kind !== 'indent') return undefined;
  const about = canonical(tokens, inside(tokens, open));
  const dot = afterBracket(tokens, open);
  if (!is(tokens, dot, '.')) return undefined;
  if (/^(?:must|wont)_/.test(tokens[dot + 1]?.text ?? '')) return spec(tokens, dot + 1);
  return matched(tokens, about, dot + 1);
}

/** `to eq(3)`, `not_to be_nil` after a subject. */
function matched(tokens: Tokens, subject: string, at: number): Found | undefined {
  const way = tokens[at]?.text ?? '';
  if (!/^(?:to|not_to|to_not|should|should_not|eventually)$/.test(way)) return undefined;
  const negated = /not/.test(way);
  const from = is(tokens, at + 1, '(') ? at + 2 : at + 1;
  const end = is(tokens, at + 1, '(') ? afterBracket(tokens, at + 1) - 1 : statementEnd(tokens, from);
  const parts =
    split(tokens, { from, end }, 'and').length > 1
      ? split(tokens, { from, end }, 'and')
      : conjunction(tokens, { from, end });
  return { claims: parts.flatMap((part) => matcher(tokens, subject, part, negated)), end };
}

/** `include(1).and include(2)` */
function conjunction(tokens: Tokens, { from, end }: Span): Span[] {
  for (let at = from; at < end; at++) {
    if (is(tokens, at, '.') && is(tokens, at + 1, 'and', 'and_also')) {
      const inner = is(tokens, at + 2, '(') ? inside(tokens, at + 2) : { from: at + 2, end };
      return [{ from, end: at }, ...conjunction(tokens, inner)];
    }
    const { partner } = tokens[at] as Tokens[number];
    if (partner > at) at = partner;
  }
  return [{ from, end }];
}

/** The end of a statement, its modifier, or the block around it. */
function statementEnd(tokens: Tokens, from: number): number {
  const end = endOfStatement(tokens, from);
  for (let at = from; at < end; at++) {
    if (is(tokens, at, 'if', 'unless', 'rescue') && at > from) return at;
    const { partner } = tokens[at] as Tokens[number];
    if (partner !== -1 && partner < from) return at;
    if (partner > at) at = partner;
  }
  return end;
}

function matcher(tokens: Tokens, subject: string, { from, end }: Span, negated: boolean): Claim[] {
  const word = tokens[from]?.text ?? '';
  const hasBrackets = is(tokens, from + 1, '(', '{');
  const inner = hasBrackets ? inside(tokens, from + 1) : { from: from + 1, end };
  const chained = hasBrackets ? canonical(tokens, { from: afterBracket(tokens, from + 1), end }) : '';
  const args = canonical(tokens, inner);
  const all = [args, chained].filter(Boolean).join(' ');
  const vacuous =
    isFixed(subject) && (args === '' || isConstant(tokens, inner))
      ? { vacuous: 'it compares constants' }
      : {};
  // x.should == 3
  if (/^(?:==|>|>=|<|<=|=~|===|!=)$/.test(word))
    return [
      claim(word === '==' ? 'equal' : word === '=~' ? 'part' : 'bounded', subject, args, {
        negated,
        ...vacuous,
      }),
    ];
  if (word === 'be' && args === '') return [claim('truthy', subject, '', { negated, ...vacuous })];
  if (word === 'be' && /^(?:>|>=|<|<=|===|=~) /.test(args))
    return [claim('bounded', subject, args, { negated })];
  if (word === 'be' && args.startsWith('== '))
    return [claim('equal', subject, args.slice(3), { negated, ...vacuous })];
  if (word === 'be') return [claim('equal', subject, args, { negated, ...vacuous })];
  if (word === 'be_nil')
    return [negated ? claim('exists', subject) : claim('equal', subject, 'nil', vacuous)];
  if (word === 'be_truthy') return [claim('truthy', subject, '', { negated, ...vacuous })];
  if (/^be_fals(?:e?y)$/.test(word)) return [claim('truthy', subject, '', { negated: !negated, ...vacuous })];
  if (/^be_(?:empty|blank)$/.test(word))
    return [negated ? claim('exists', subject) : claim('equal', subject, '[ ]')];
  if (/^raise_e/.test(word)) return [raised(subject, args, negated)];
  const kind = MATCHERS.find(([pattern]) => pattern.test(word))?.[1] ?? 'exact';
  if (kind === 'near') {
    const expected = /^\. of \(? ?(.*?) ?\)?$/.exec(chained)?.[1] ?? args;
    return [claim('near', subject, expected, { negated, tolerance: Number(args.replaceAll(' ', '')) })];
  }
  if (word === 'change')
    return [
      claim(/\. (?:by|from|to)\b/.test(chained) ? 'exact' : 'happens', `${subject} ${args}`, chained, {
        negated,
      }),
    ];
  if (/^(?:receive|have_received)$/.test(word))
    return [
      claim(
        /\. with \(/.test(chained) && !/\bany_args\b|\banything\b/.test(chained)
          ? 'exact'
          : /\. (?:once|twice|exactly|with)\b/.test(chained)
            ? 'size'
            : 'happens',
        `${subject} ${args}`,
        chained,
        { negated },
      ),
    ];
  const isOpen = (kind === 'equal' || kind === 'exact') && OPEN.test(all);
  return [claim(isOpen ? 'part' : kind, subject, all || word, { negated, ...vacuous })];
}

/** Whether canonical text is a literal. */
function isFixed(text: string): boolean {
  return /^(?:-? ?\d[\w.]*|"[^"]*"|true|false|nil|: \w+)$/.test(text);
}

/** Any error, a class of errors, or one with a message. */
function raised(subject: string, args: string, negated: boolean): Claim {
  if (negated) return claim('exists', subject);
  const isBroad = /^(?:StandardError|Exception|RuntimeError)?$/.test(args.split(' , ')[0] ?? '');
  const hasMessage = / , |^["/%]/.test(args);
  return claim(
    hasMessage ? (isBroad || !args.includes(' , ') ? 'part' : 'exact') : isBroad ? 'happens' : 'part',
    subject,
    args,
  );
}

/** `_(total).must_equal 3`, `total.wont_be_nil` */
function spec(tokens: Tokens, at: number): Found {
  const name = tokens[at]?.text ?? '';
  const { args, end } = argumentsAt(tokens, at);
  const about = receiver(tokens, at);
  const word = name.replace(/^(?:must|wont)_/, '');
  const negated = name.startsWith('wont');
  const [first, second] = args;
  const value = first ? canonical(tokens, first) : '';
  const kind: AssertionKind = /^be_(?:nil|same_as|empty)$|^equal$/.test(word)
    ? 'equal'
    : /close|within/.test(word)
      ? 'near'
      : /include|match/.test(word)
        ? 'part'
        : word === 'raise'
          ? 'part'
          : /^be$|be_(?:kind|instance)_of|respond_to/.test(word)
            ? 'bounded'
            : 'exact';
  if (word === 'be_nil')
    return { claims: [negated ? claim('exists', about) : claim('equal', about, 'nil')], end };
  if (word === 'raise') return { claims: [raised(about, value, negated)], end };
  const tolerance = kind === 'near' ? { tolerance: second ? Number(canonical(tokens, second)) : 0.001 } : {};
  return { claims: [claim(kind, about, value || word, { negated, ...tolerance })], end };
}

/** `assert_equal 3, total`, `refute_nil total`, `assert total == 3` */
function assertion(tokens: Tokens, at: number): Found | undefined {
  const name = tokens[at]?.text ?? '';
  const { args, end, block } = argumentsAt(tokens, at);
  if (name === 'flunk') return { claims: [claim('part', '', 'flunk')], end };
  const negated = /^refute|^assert_(?:not|no)(?:_|$)/.test(name);
  const word = name.replace(/^(?:refute|assert)_?(?:not_|no_)?/, '').replace(/[?!]$/, '');
  const shape = Object.hasOwn(SHAPES, word === 'not' ? '' : word)
    ? SHAPES[word === 'not' ? '' : word]
    : 'other';
  const [first, second, third] = args;
  const texts = args.map((arg) => canonical(tokens, arg));
  const [one = '', two = '', three = ''] = texts;
  const body = block ? canonical(tokens, block) : '';
  if (shape === 'raises') return { claims: [raised(body, texts.slice(0, 2).join(' , '), negated)], end };
  if (word === 'nothing_raised') return { claims: [claim('exists', body)], end };
  if (!first)
    return shape === 'other' || block
      ? { claims: [claim(word === '' ? 'truthy' : 'equal', body, word)], end }
      : undefined;
  const isSwapped = (shape === 'equal' || shape === 'near') && second;
  switch (shape) {
    case 'truth':
      return { claims: claimsOf(tokens, first, negated), end };
    case 'same':
      return { claims: [claim('equal', one, word, { negated })], end };
    case 'nil':
      return {
        claims: [
          negated
            ? claim('exists', one)
            : claim('equal', one, 'nil', isFixed(one) ? { vacuous: 'it compares constants' } : {}),
        ],
        end,
      };
    case 'empty':
      return { claims: [negated ? claim('exists', one) : claim('equal', one, '[ ]')], end };
    case 'part':
      return {
        claims: [
          claim(
            'part',
            word === 'match' || word === 'no_match' ? two : one,
            word === 'match' || word === 'no_match' ? one : two,
            { negated },
          ),
        ],
        end,
      };
    case 'bounded':
      if (word === 'operator' && /^: ==$/.test(two) && third)
        return { claims: [claimOfTwo(tokens, first, third, { kind: 'equal', negated })], end };
      return {
        claims: [
          claim(
            'bounded',
            /kind_of|instance_of/.test(word) ? two : one,
            /kind_of|instance_of/.test(word) ? one : [two, three].filter(Boolean).join(' '),
            { negated },
          ),
        ],
        end,
      };
    default:
  }
  if (!isSwapped || !second)
    return {
      claims: [claim('equal', texts.slice(1).join(' , ') || body, `${word} ${one}`, { negated })],
      end,
    };
  // What is expected comes first.
  const found = claimOfTwo(tokens, second, first, { kind: 'equal', negated });
  if (shape === 'near')
    return { claims: [{ ...found, kind: 'near', tolerance: third ? Number(three) : 0.001 }], end };
  const isVacuous = isConstant(tokens, first) && isConstant(tokens, second);
  return { claims: [isVacuous ? { ...found, vacuous: 'it compares constants' } : found], end };
}

const SIZE = /^(.*) \. (?:size|length|count)(?: \( \))?$/;

/** An assertion with the values of the names in it, in the form in which assertions are compared. */
function settled(each: Assertion, values: Values): Assertion {
  const subject = settledValue(each.subject, values, false);
  const expected = settledValue(each.expected, values, true);
  const counted = SIZE.exec(subject)?.[1];
  if (each.kind === 'equal' && !each.negated && counted !== undefined && /^\d+$/.test(expected))
    return { ...each, kind: 'size', subject: counted, expected };
  return withoutTautology({ ...each, subject, expected });
}

/** `allow(cart).to receive(:total)`, `Cart.any_instance.stubs(:total)`, `cart.stub(:total, 3)` */
function mocksIn(tokens: Tokens): { target: string; line: number }[] {
  const mocks: { target: string; line: number }[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const line = tokens[at]?.line ?? 0;
    if (is(tokens, at, 'allow', 'allow_any_instance_of') && is(tokens, at + 1, '(')) {
      const end = afterBracket(tokens, at + 1);
      const receive = find(tokens, { from: end, end: endOfStatement(tokens, end) }, 'receive');
      const symbol = receive === -1 ? -1 : find(tokens, { from: receive, end: tokens.length }, '(');
      if (symbol !== -1)
        mocks.push({
          target: `${is(tokens, at, 'allow') ? '' : ANY}${canonical(tokens, inside(tokens, at + 1))} . ${tokens[symbol + 2]?.text ?? ''}`,
          line,
        });
    } else if (is(tokens, at, 'stub', 'stubs', 'stub_any_instance') && is(tokens, at - 1, '.')) {
      const name = tokens[is(tokens, at + 1, '(') ? at + 3 : at + 2]?.text ?? '';
      mocks.push({
        target: `${receiver(tokens, at).replace(/^(.*) \. any_instance$/, `${ANY}$1`)} . ${name}`,
        line,
      });
    }
  }
  return mocks;
}
