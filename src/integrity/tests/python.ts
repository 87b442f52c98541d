import { escapeRegExp } from '../../base/text.ts';
import type { Source } from '../lexer.ts';
import { assertionCollector, type Found, isCall } from './collect-assertions.ts';
import { type Claim, claim, claimOfTwo, claimsOf } from './comparison.ts';
import { type Block, blockAfter, type Flow, type FlowWords, flowIn } from './flow.ts';
import {
  type Assertion,
  type AssertionKind,
  OUTSIDE,
  type Test,
  type TestFile,
  type TestReader,
  type TestState,
} from './model.ts';
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
  placesIn,
  type Span,
  split,
  stringValue,
  type Tokens,
  trimmed,
} from './tokens.ts';
import {
  beginsStatement,
  endOfStatement,
  settledValue,
  type Values,
  valuesIn,
  withoutTautology,
} from './values.ts';

/** Python: pytest, unittest, nose, doctest, hypothesis, unittest.mock, and the `testing` modules of numpy and pandas. */
export const python: TestReader = {
  isTestPath: (path) => /(?:^|\/)(?:test[^/]*|[^/]*_tests?)\.py$/.test(path),
  mayHaveTests: (text) => /test|Test|assert|>>> /.test(text),
  read,
};

const FLOW: FlowWords = {
  conditions: ['if', 'elif', 'while'],
  branches: ['else', 'except', 'case'],
  tries: ['try'],
  catches: ['except'],
  catchesFailures: /^except(?:$| :|.*\b(?:AssertionError|Exception|BaseException|failureException)\b)/,
  exits: ['return', 'raise', 'continue', 'break'],
  fails: /\b(?:raise|fail|skip|skipTest|xfail)\b|\bassert (?!True\b|1\b)|\bassert[A-Z_]/,
  never: ['False', '0', 'None', '""', 'not True', '[ ]', 'TYPE_CHECKING'],
  always: ['True', '1', 'not False'],
  elsewhere: 'expression',
  special: {
    with: dropped,
    for: emptyLoop,
    finally: returnInFinally,
    def: unusedFunction,
    assume: impossible,
  },
};

type Comparison = 'equal' | 'alike' | 'unequal' | 'near' | 'far' | 'bounded' | 'in' | 'not in' | 'part';

/** Assertions of two values, by name in lower case and without underscores: `assertListEqual`, `assert_array_equal`. */
const COMPARISONS: Readonly<Record<string, Comparison>> = {
  eq: 'equal',
  assertequal: 'equal',
  assertequals: 'equal',
  asserteq: 'equal',
  assertis: 'equal',
  assertlistequal: 'equal',
  assertdictequal: 'equal',
  assertsetequal: 'equal',
  asserttupleequal: 'equal',
  assertsequenceequal: 'equal',
  assertmultilineequal: 'equal',
  assertcountequal: 'alike',
  assertitemsequal: 'alike',
  assertquerysetequal: 'equal',
  assertquerysetsequal: 'equal',
  assertjsonequal: 'equal',
  asserthtmlequal: 'equal',
  assertxmlequal: 'equal',
  assertarrayequal: 'equal',
  assertframeequal: 'equal',
  assertseriesequal: 'equal',
  assertindexequal: 'equal',
  assertextensionarrayequal: 'equal',
  assertstringequal: 'equal',
  assertallequal: 'equal',
  assertredirects: 'equal',
  assertnotequal: 'unequal',
  assertnotequals: 'unequal',
  assertisnot: 'unequal',
  assertalmostequal: 'near',
  assertalmostequals: 'near',
  assertarrayalmostequal: 'near',
  assertarrayalmostequalnulp: 'near',
  assertapproxequal: 'near',
  assertallclose: 'near',
  assertclose: 'near',
  assertnotalmostequal: 'far',
  assertgreater: 'bounded',
  assertgreaterequal: 'bounded',
  assertless: 'bounded',
  assertlessequal: 'bounded',
  assertarrayless: 'bounded',
  assertisinstance: 'bounded',
  assertnotisinstance: 'bounded',
  assertissubclass: 'bounded',
  assertin: 'in',
  assertnotin: 'not in',
  assertregex: 'part',
  assertregexpmatches: 'part',
  assertnotregex: 'part',
  assertcontains: 'part',
  assertnotcontains: 'part',
  assertdictcontainssubset: 'part',
  assertstartswith: 'part',
  assertendswith: 'part',
};

/** Assertions of one value: what holds of it. */
const TRUTHS: Readonly<Record<string, 'true' | 'false' | 'none' | 'some'>> = {
  assert: 'true',
  ok: 'true',
  asserttrue: 'true',
  failunless: 'true',
  assertfalse: 'false',
  failif: 'false',
  assertisnone: 'none',
  assertisnotnone: 'some',
};

/** Assertions that something is raised, warned of or logged. */
const RAISES = new Set(
  'raises assertraises assertraisesregex assertraisesregexp assertraisesmessage raisesgroup warns assertwarns assertwarnsregex assertwarnsmessage deprecatedcall assertlogs'.split(
    ' ',
  ),
);

/** Assertions of `unittest.mock`; those of awaited mocks are the same. */
const MOCKS: Readonly<Record<string, AssertionKind>> = {
  assertcalled: 'happens',
  assertcalledonce: 'size',
  assertcalledwith: 'exact',
  assertcalledoncewith: 'exact',
  assertanycall: 'part',
  asserthascalls: 'part',
  assertnotcalled: 'exact',
};

/** Matchers of hamcrest, assertpy and Playwright; any other says as much as an equality. */
const MATCHERS: readonly (readonly [RegExp, AssertionKind])[] = [
  [/^(?:is_)?not_none$|^not_to_be_none$|^is_not_none$/, 'exists'],
  [/^(?:is_true|is_truthy|is_false|is_falsy)$/, 'truthy'],
  [/instance|is_a$|type|greater|less|between|one_of|any_of|is_in$|visible|enabled|not_empty/, 'bounded'],
  [/close|near/, 'near'],
  [/contain|match|starts|ends|has_(?:item|entr|propert|string)|subset/, 'part'],
  [/has_length|is_length|to_have_count/, 'size'],
];

/** Methods that unittest and pytest call around each test. */
const SETUPS =
  /^(?:setUp|tearDown|asyncSetUp|asyncTearDown|setup_method|teardown_method|setUpClass|tearDownClass)$/;

/** A decorator or mark: `pytest.mark.skipif(…)` is `['pytest', 'mark', 'skipif']` with its arguments. */
interface Mark {
  readonly path: readonly string[];
  readonly args: readonly Span[];
}

interface Class {
  readonly name: string;
  readonly decorators: readonly Span[];
  readonly bases: readonly string[];
  readonly body: Span;
  readonly owner: Class | undefined;
}

interface Function {
  readonly name: string;
  readonly at: number;
  readonly line: number;
  readonly decorators: readonly Span[];
  readonly params: readonly string[];
  /** Without its docstring. */
  readonly body: Span;
  readonly owner: Class | undefined;
  /** Whether it is inside of another function. */
  readonly nested: boolean;
}

/** `name = value` outside of functions. */
interface Setting {
  readonly name: string;
  readonly value: Span;
  readonly owner: Class | undefined;
  readonly at: number;
}

interface Outline {
  readonly functions: Function[];
  readonly classes: Class[];
  readonly settings: Setting[];
  /** Strings that are statements of their own: docstrings, with the name of what they describe. */
  readonly docstrings: { readonly name: string; readonly at: number }[];
  /** The indexes of other names that begin a statement outside of functions. */
  readonly statements: number[];
}

function read({ tokens }: Source): TestFile {
  const whole = { from: 0, end: tokens.length };
  const outline: Outline = { functions: [], classes: [], settings: [], docstrings: [], statements: [] };
  scan(tokens, whole, undefined, false, outline);
  return new Reader(tokens, outline).file();
}

/** Collects what is defined in a span, without what is inside of functions, except for further functions. */
function scan(tokens: Tokens, span: Span, owner: Class | undefined, nested: boolean, outline: Outline): void {
  let decorators: Span[] = [];
  for (let at = span.from; at < span.end; at++) {
    const isFirst = beginsStatement(tokens, at);
    if (isFirst && is(tokens, at, '@')) {
      const end = endOfStatement(tokens, at);
      decorators.push({ from: at + 1, end });
      at = end;
    } else if (
      is(tokens, at, 'def', 'class') &&
      isName(tokens, at + 1) &&
      (isFirst || is(tokens, at - 1, 'async'))
    ) {
      const name = tokens[at + 1]?.text ?? '';
      const isClass = is(tokens, at, 'class');
      const bracket = find(tokens, { from: at + 2, end: span.end }, '(', ':');
      const args = is(tokens, bracket, '(') ? split(tokens, inside(tokens, bracket)) : [];
      const block = blockAfterColon(tokens, at, span);
      const body = withoutDocstring(tokens, block);
      if (body.from > block.from) outline.docstrings.push({ name, at: block.from });
      if (isClass) {
        const bases = args.map((arg) => canonical(tokens, arg));
        const found = { name, decorators, bases, body, owner };
        outline.classes.push(found);
        scan(tokens, body, found, nested, outline);
      } else {
        const params = args.map(
          ({ from }) => tokens[is(tokens, from, '*', '**') ? from + 1 : from]?.text ?? '',
        );
        const line = tokens[at]?.line ?? 0;
        outline.functions.push({ name, at, line, decorators, params, body, owner, nested });
        if (namesIn(tokens, body).has('def')) scan(tokens, body, undefined, true, outline);
      }
      decorators = [];
      at = block.end;
    } else if (isFirst && tokens[at]?.kind === 'string' && at === span.from) {
      outline.docstrings.push({ name: owner?.name ?? 'module', at });
    } else if (isFirst && isName(tokens, at) && !is(tokens, at, 'async')) {
      decorators = [];
      const equals = nested ? -1 : find(tokens, { from: at + 1, end: endOfStatement(tokens, at) }, '=');
      if (equals === at + 1 || (equals !== -1 && is(tokens, at + 1, ':')))
        outline.settings.push({
          name: tokens[at]?.text ?? '',
          value: { from: equals + 1, end: endOfStatement(tokens, at) },
          owner,
          at,
        });
      if (!nested) outline.statements.push(at);
    }
  }
}

/** The block of a `def` or `class`; empty if it is missing. */
function blockAfterColon(tokens: Tokens, at: number, span: Span): Span {
  for (let index = at; index < span.end; index++) {
    const token = tokens[index] as Tokens[number];
    if (token.kind === 'indent') return inside(tokens, index);
    if (token.kind === 'newline' && tokens[index + 1]?.kind !== 'indent') return { from: index, end: index };
    if (token.partner > index) index = token.partner;
  }
  return { from: span.end, end: span.end };
}

function withoutDocstring(tokens: Tokens, { from, end }: Span): Span {
  const hasDocstring = tokens[from]?.kind === 'string' && endOfStatement(tokens, from) === from + 1;
  return { from: hasDocstring ? Math.min(from + 2, end) : from, end };
}

function markAt(tokens: Tokens, { from, end }: Span): Mark {
  const path: string[] = [];
  let at = from;
  while (isName(tokens, at) && at < end) {
    path.push(tokens[at]?.text ?? '');
    at += 1;
    if (!is(tokens, at, '.')) break;
    at += 1;
  }
  const args = is(tokens, at, '(') && at < end ? split(tokens, inside(tokens, at)) : [];
  return { path, args };
}

/** The value of a keyword argument. */
function keyword(tokens: Tokens, args: readonly Span[], ...names: readonly string[]): Span | undefined {
  const found = args.find(({ from }) => is(tokens, from, ...names) && is(tokens, from + 1, '='));
  return found && { from: found.from + 2, end: found.end };
}

function positional(tokens: Tokens, args: readonly Span[]): Span[] {
  return args.filter(({ from }) => !(isName(tokens, from) && is(tokens, from + 1, '=')));
}

interface State {
  readonly state: TestState;
  readonly condition?: string | undefined;
}

/** The gravest of several states. */
function gravest(states: readonly (State | undefined)[]): State {
  const found = states.filter((each): each is State => each !== undefined && each.state !== 'runs');
  const conditions = found.flatMap(({ condition }) => condition ?? []);
  return (
    found.find(({ state }) => state !== 'conditional') ??
    (found.length > 0 ? { state: 'conditional', condition: conditions.join(' && ') } : { state: 'runs' })
  );
}

interface Rows {
  readonly count: number;
  readonly dynamic?: boolean;
  /** What is written out. */
  readonly spans: readonly Span[];
  /** The names of the columns. */
  readonly names?: readonly string[];
}

class Reader {
  private readonly tokens: Tokens;
  private readonly outline: Outline;
  private readonly fileFlow: (index: number) => Flow;
  /** The settings of the module that are made once, by name. */
  private readonly constants = new Map<string, Span>();
  /** Skips of the whole module. */
  private readonly moduleStates: readonly (State | undefined)[];
  /** The fixtures of the module that all its tests use. */
  private readonly autouse: Function[] = [];
  private readonly fixtures = new Map<string, Function>();
  private readonly assertions: (span: Span) => Assertion[];

  constructor(tokens: Tokens, outline: Outline) {
    this.tokens = tokens;
    this.outline = outline;
    this.fileFlow = flowIn(tokens, { from: 0, end: tokens.length }, FLOW);
    this.moduleStates = outline.statements
      .filter((at) => maySkip(tokens, at))
      .map((at) => this.skipAt(at, this.fileFlow(at)));
    const twice = new Set<string>();
    for (const { name, value, owner } of outline.settings) {
      if (owner) continue;
      if (this.constants.has(name)) twice.add(name);
      this.constants.set(name, value);
    }
    for (const name of twice) this.constants.delete(name);
    const helpers = new Map<string, Span>();
    for (const each of outline.functions) {
      const isFixture = each.decorators.some((mark) =>
        /fixture$/.test(markAt(tokens, mark).path.at(-1) ?? ''),
      );
      if (isFixture) this.fixtures.set(fixtureName(tokens, each), each);
      if (isFixture && !each.owner && isAutouse(tokens, each)) this.autouse.push(each);
      else if (!each.nested && !/^test/.test(each.name)) helpers.set(each.name, each.body);
    }
    const source = { words: FLOW, functions: helpers, claimsAt, calledAt };
    const collect = assertionCollector(tokens, source);
    this.assertions = (span) => collect(span).map((each) => settled(each, this.localsIn(span)));
  }

  file(): TestFile {
    const { tokens, outline } = this;
    const kept = this.isHidden() ? [] : outline.functions.filter((each) => this.isTest(each));
    const functions = new Map<string, string>();
    for (const each of outline.functions)
      if (!kept.includes(each)) functions.set(`${each.name} ${each.line}`, this.bodyOf(each));
    const tests = [...kept.map((each) => this.toTest(each)), ...this.doctests()];
    const outside = this.assertionsOutside();
    return {
      tests: outside ? [...tests, outside] : tests,
      functions,
      imports: importsIn(tokens),
      mocks: mocksIn(tokens).map(({ target, line, at }) => ({
        target: target.replaceAll(' ', ''),
        line,
        asserted: this.isAsserted(target, at, kept, tests),
      })),
    };
  }

  /** Whether a test asserts what a mock returns that it makes, or any test if the mock is made for all. */
  private isAsserted(
    target: string,
    at: number,
    functions: readonly Function[],
    tests: readonly Test[],
  ): boolean {
    // The target is any text.
    const [name = '', parent = ''] = target
      .split(/ ?\. ?/)
      .map(escapeRegExp)
      .toReversed();
    const call = new RegExp(
      `(?:(?<!\\. ?)(?<![.\\w])|\\b${parent || name}(?: \\( \\))? \\. )${name} \\(`,
      'i',
    );
    const own = functions.findIndex(
      ({ decorators, body }) => (decorators[0]?.from ?? body.from) <= at && at < body.end,
    );
    return (own === -1 ? tests : tests.slice(own, own + 1)).some(({ assertions }) =>
      assertions.some(({ subject }) => call.test(subject)),
    );
  }

  /** `__test__ = False` in the module. */
  private isHidden(): boolean {
    const { tokens, outline } = this;
    return outline.settings.some(
      ({ name, value, owner }) => !owner && name === '__test__' && canonical(tokens, value) === 'False',
    );
  }

  private isTest(each: Function): boolean {
    const { tokens, outline } = this;
    const { name, owner, nested, decorators, at } = each;
    const marks = decorators.map((span) => markAt(tokens, span).path.at(-1) ?? '');
    const isNamed = /^test/.test(name) || marks.includes('istest');
    if (!isNamed || nested || marks.some((mark) => /^(?:fixture|nottest|staticmethod|property)$/.test(mark)))
      return false;
    if (marks.includes('overload') || !this.isCollected(owner)) return false;
    if (this.fileFlow(at).condition?.includes('__name__ == "__main__"')) return false;
    // A later definition of the same name in the same block replaces it, and so does an assignment or a deletion.
    const isReplaced = outline.functions.some(
      (other) =>
        other.at > at &&
        other.name === name &&
        other.owner === owner &&
        !other.nested &&
        this.fileFlow(other.at).condition === this.fileFlow(at).condition,
    );
    return !isReplaced && !this.isRemoved(each);
  }

  /** `test_x = None`, `del test_x`, `test_x.__test__ = False` after the definition. */
  private isRemoved({ name, owner, at }: Function): boolean {
    const { tokens, outline } = this;
    const isSet = outline.settings.some(
      (each) =>
        each.at > at && each.name === name && each.owner === owner && !namesIn(tokens, each.value).has(name),
    );
    return (
      isSet ||
      outline.statements.some(
        (index) =>
          index > at &&
          ((is(tokens, index, 'del') && is(tokens, index + 1, name)) ||
            (is(tokens, index, name) && is(tokens, index + 2, '__test__') && is(tokens, index + 4, 'False'))),
      )
    );
  }

  /** Whether the tests of a class run: by its name, by a base class, or in a class of this file that inherits from it. */
  private isCollected(owner: Class | undefined): boolean {
    if (!owner) return true;
    const { tokens, outline } = this;
    const { name, bases } = owner;
    const isSet = (key: string, value: string) =>
      outline.settings.some(
        (each) => each.owner === owner && each.name === key && canonical(tokens, each.value) === value,
      );
    if (isSet('__test__', 'False')) return this.heirs(owner).length > 0;
    const isUnittest = bases.some(
      (base) => !/^(?:object|ABC|abc \. ABC|Generic|Protocol|metaclass)\b/.test(base),
    );
    if (isUnittest) return true;
    const hasConstructor = outline.functions.some((each) => each.owner === owner && each.name === '__init__');
    return (/^Test/.test(name) && !hasConstructor) || this.heirs(owner).length > 0;
  }

  private heirs({ name }: Class): Class[] {
    return this.outline.classes.filter(({ bases }) => bases.includes(name));
  }

  private toTest(each: Function): Test {
    const { tokens, outline } = this;
    const { name, owner, body, line, params } = each;
    const owners = ownersOf(owner);
    const setups = outline.functions.filter(
      (other) => other.owner !== undefined && owners.includes(other.owner) && SETUPS.test(other.name),
    );
    const marks = this.marksOf(each);
    const used = marks
      .filter(({ path }) => path.at(-1) === 'usefixtures')
      .flatMap(({ args }) => args.flatMap(({ from }) => stringValue(tokens[from]) ?? []));
    const fixtures = [...this.fixturesOf([...params, ...used]), ...this.autouse];
    const { state, condition } = this.stateOf(each, marks, [...setups, ...fixtures]);
    const tables = [
      ...marks.flatMap((mark) => this.tableOf(mark, params) ?? []),
      ...fixtures.flatMap((fixture) => this.paramsOf(fixture) ?? []),
      ...this.loopsIn(body),
    ];
    const examples = marks.filter(({ path }) => path.at(-1) === 'example').length;
    const around = [...setups, ...fixtures].flatMap((other) => this.assertions(other.body));
    const assertions = [...this.assertions(body), ...this.raisesMarks(marks, body), ...around];
    const spans = [body, ...tables.flatMap((table) => table.spans)];
    const rowsOf = ({ spans: contents, names = [] }: Rows) =>
      tableRows(
        tokens,
        contents.flatMap((content) => split(tokens, content)),
        names,
      );
    return {
      name: [...owners.map((one) => one.name).toReversed(), name].join(' > '),
      line,
      state,
      condition,
      focused: false,
      cases: tables.reduce((product, { count }) => product * count, 1) + examples,
      dynamic: tables.some(({ dynamic }) => dynamic),
      rows: tables.flatMap(rowsOf),
      body: this.bodyOf(each),
      statements: statementsIn(tokens, body),
      assertions: isGenerator(tokens, body, owner)
        ? assertions.map((one) => ({ ...one, dead: true }))
        : assertions,
      names: namesIn(tokens, body),
      literals: new Set(spans.flatMap((span) => [...literalsIn(tokens, span)])),
    };
  }

  private bodyOf({ body, decorators }: Function): string {
    const { tokens } = this;
    const tables = decorators.filter((span) => isTable(markAt(tokens, span)));
    const text = [...tables, body].map((span) => canonical(tokens, span)).join(' ');
    return withoutSelf(text);
  }

  /** Its own marks, and those of its class and module. */
  private marksOf({ decorators, owner }: Function): Mark[] {
    const { tokens, outline } = this;
    const owners = ownersOf(owner);
    const settings = outline.settings.filter(
      (each) => each.name === 'pytestmark' && (!each.owner || owners.includes(each.owner)),
    );
    return [
      ...[...decorators, ...owners.flatMap((one) => one.decorators)],
      ...settings.flatMap(({ value }) => listed(tokens, value)),
    ].map((span) => this.resolvedMark(markAt(tokens, span)));
  }

  /** `needs_db = pytest.mark.skipif(…)`, then `@needs_db`. */
  private resolvedMark(mark: Mark): Mark {
    const [name = ''] = mark.path;
    const value = mark.path.length === 1 && mark.args.length === 0 ? this.constants.get(name) : undefined;
    return value ? markAt(this.tokens, value) : mark;
  }

  private stateOf(
    { at, body, name, owner }: Function,
    marks: readonly Mark[],
    around: readonly Function[],
  ): State {
    const { tokens, outline } = this;
    const flow = this.fileFlow(at);
    const states: (State | undefined)[] = marks.map((mark) => this.stateOfMark(mark));
    if (flow.dead) states.push({ state: 'skipped' });
    else if (flow.condition !== undefined) states.push({ state: 'conditional', condition: flow.condition });
    // test_x = pytest.mark.skip(test_x)
    for (const each of outline.settings)
      if (each.at > at && each.name === name && each.owner === owner)
        states.push(this.stateOfMark(markAt(tokens, each.value)));
    states.push(...this.moduleStates);
    for (const span of [body, ...around.map((each) => each.body)]) states.push(...this.skipsIn(span));
    return gravest(states);
  }

  private skipsIn(span: Span): (State | undefined)[] {
    const { tokens } = this;
    const states: (State | undefined)[] = [];
    let flow: ((index: number) => Flow) | undefined;
    for (let index = span.from; index < span.end; index++) {
      if (!maySkip(tokens, index)) continue;
      flow ??= flowIn(tokens, span, FLOW);
      states.push(this.skipAt(index, flow(index)));
    }
    return states;
  }

  private stateOfMark(mark: Mark): State | undefined {
    const { tokens } = this;
    const last = mark.path.at(-1) ?? '';
    const args = positional(tokens, mark.args);
    const given = keyword(tokens, mark.args, 'condition') ?? args.find((arg) => !isReason(tokens, arg));
    if (/^(?:skip|Skip|nottest)$/.test(last)) return { state: 'skipped' };
    if (/^expected_?[fF]ailure$|^known_?fail/.test(last)) return { state: 'expected-to-fail' };
    if (last === 'xfail')
      return given ? this.onCondition(given, false, 'expected-to-fail') : { state: 'expected-to-fail' };
    if (/^skip_?[iI]f$/.test(last)) return given && this.onCondition(given, false, 'skipped');
    if (/^skip_?[uU]nless$/.test(last)) return given && this.onCondition(given, true, 'skipped');
    if (last === 'settings') return this.fewExamples(mark);
    if (/^skip/i.test(last)) return { state: 'conditional', condition: mark.path.join(' . ') };
    return undefined;
  }

  /** `@settings(max_examples=1)` makes a property one example. */
  private fewExamples({ args }: Mark): State | undefined {
    const value = keyword(this.tokens, args, 'max_examples');
    const text = value && canonical(this.tokens, value);
    return text !== undefined && Number(text) < 10
      ? { state: 'conditional', condition: `max_examples = ${text}` }
      : undefined;
  }

  /** @param isInverse whether the condition lets the test run */
  private onCondition(given: Span, isInverse: boolean, state: TestState): State {
    const { tokens } = this;
    const value = conditionText(tokens, given);
    const named = given.end === given.from + 1 ? this.constants.get(value) : undefined;
    const text = named ? canonical(tokens, named) : value;
    const isFixed = isConstant(tokens, named ?? given) && !/^[a-z]/.test(text);
    if (isFixed)
      return /^(?:False|0|None|not True|)$/.test(text) === isInverse ? { state } : { state: 'runs' };
    const condition = isInverse ? negated(text) : text;
    if (HOLDS_HERE.test(condition) || holdsForAll(condition)) return { state };
    return { state: 'conditional', condition: optional(condition) };
  }

  /** `pytest.skip()`, `raise unittest.SkipTest`, `pytest.importorskip('x')` as a statement. */
  private skipAt(index: number, { dead, condition }: Flow): State | undefined {
    const { tokens } = this;
    if (dead) return undefined;
    const { path, args } = markAt(tokens, {
      from: is(tokens, index, 'raise') ? index + 1 : index,
      end: tokens.length,
    });
    const last = path.at(-1) ?? '';
    if (last === 'importorskip')
      return {
        state: 'conditional',
        condition: `importorskip ${canonical(tokens, args[0] ?? { from: 0, end: 0 })}`,
      };
    const isSkip = /^(?:skip|skipTest|SkipTest|Skipped)$/.test(last);
    if (!isSkip && !(last === 'xfail' && path.length > 1)) return undefined;
    const state = isSkip ? 'skipped' : 'expected-to-fail';
    if (condition === undefined) return { state };
    if (condition.includes('__name__')) return undefined;
    if (HOLDS_HERE.test(condition) || holdsForAll(condition)) return { state };
    const caught = /except$/.test(condition) ? caughtAround(tokens, index) : condition;
    return { state: 'conditional', condition: optional(caught) };
  }

  private tableOf(mark: Mark, params: readonly string[]): Rows | undefined {
    const { tokens } = this;
    if (!isTable(mark)) return undefined;
    const last = mark.path.at(-1) ?? '';
    const args = positional(tokens, mark.args);
    // ddt: the rows are the arguments.
    if (last === 'data' || last === 'params') return { count: args.length, spans: [] };
    const isPytest = last === 'parametrize';
    const rows = keyword(tokens, mark.args, 'argvalues') ?? (isPytest ? args[1] : args[0]);
    const names = isPytest ? namesOf(tokens, args[0]) : params.filter((name) => name !== 'self');
    return rows && { ...this.rowsIn(rows), names };
  }

  private paramsOf({ decorators }: Function): Rows | undefined {
    const { tokens } = this;
    for (const span of decorators) {
      const params = keyword(tokens, markAt(tokens, span).args, 'params');
      if (params) return this.rowsIn(params);
    }
    return undefined;
  }

  /** The rows of a table: a list, the name of one, or a sum of both. */
  private rowsIn(given: Span, depth = 0): Rows {
    const { tokens } = this;
    const span = trimmed(tokens, given);
    const { from, end } = span;
    const sum = split(tokens, span, '+');
    if (sum.length > 1) {
      const parts = sum.map((part) => this.rowsIn(part, depth));
      return {
        count: parts.reduce((total, { count }) => total + count, 0),
        dynamic: parts.some(({ dynamic }) => dynamic),
        spans: parts.flatMap(({ spans }) => spans),
      };
    }
    if (is(tokens, from, '[', '(', '{') && afterBracket(tokens, from) === end) {
      const content = inside(tokens, from);
      const loop = find(tokens, content, 'for');
      if (loop !== -1) return this.computedRows(content, loop, depth);
      const parts = split(tokens, content);
      const rows = parts.filter((part) => !this.isOut(part));
      return {
        count: rows.length,
        dynamic: parts.some((part) => is(tokens, part.from, '*')),
        spans: [content],
      };
    }
    const name = tokens[from]?.text ?? '';
    const value = isName(tokens, from) && depth < 4 ? this.constants.get(name) : undefined;
    if (value) return this.partOf(this.rowsIn(value, depth + 1), from + 1, end);
    // list(CASES), sorted(CASES.items())
    if (isCall(tokens, from) && /^(?:list|tuple|sorted|set|enumerate|iter)$/.test(name))
      return this.rowsIn(split(tokens, inside(tokens, from + 1))[0] ?? { from: end, end }, depth + 1);
    if (isCall(tokens, from) && name === 'range') return rangeRows(tokens, from + 1);
    return { count: 1, dynamic: true, spans: [span] };
  }

  /** `CASES[:1]` has fewer rows than `CASES`. */
  private partOf(rows: Rows, from: number, end: number): Rows {
    const { tokens } = this;
    const colon = is(tokens, from, '[') ? find(tokens, inside(tokens, from), ':') : -1;
    if (from < end && is(tokens, from, '[') && colon === -1) return { ...rows, count: 1, dynamic: true };
    if (colon === -1) return rows;
    const limit = Number(tokens[colon + 1]?.text);
    return { ...rows, count: Math.max(0, Math.min(rows.count - 1, limit >= 0 ? limit : rows.count)) };
  }

  /** A comprehension has the rows of its list, and fewer with a condition. */
  private computedRows(content: Span, loop: number, depth: number): Rows {
    const { tokens } = this;
    const of = find(tokens, { from: loop, end: content.end }, 'in');
    const filter = find(tokens, { from: loop, end: content.end }, 'if');
    const rows = this.rowsIn({ from: of + 1, end: filter === -1 ? content.end : filter }, depth + 1);
    return filter === -1 ? rows : { ...rows, count: Math.max(0, rows.count - 1) };
  }

  /** `pytest.param(…, marks=pytest.mark.skip)` */
  private isOut(row: Span): boolean {
    const { tokens } = this;
    const mark = markAt(tokens, row);
    const marks = mark.path.at(-1) === 'param' ? keyword(tokens, mark.args, 'marks') : undefined;
    if (!marks) return false;
    const { state } = gravest(
      listed(tokens, marks).map((span) => this.stateOfMark(this.resolvedMark(markAt(tokens, span)))),
    );
    return state === 'skipped' || state === 'expected-to-fail';
  }

  /** The tables that the loops of a test run through, if there are assertions in them. */
  private loopsIn(body: Span): Rows[] {
    const { tokens } = this;
    const found: Rows[] = [];
    for (let at = body.from; at < body.end; at++) {
      if (!is(tokens, at, 'for') || !beginsStatement(tokens, at)) continue;
      const end = endOfStatement(tokens, at);
      const of = find(tokens, { from: at, end }, 'in');
      const block = blockAfter(tokens, at, body);
      if (of === -1 || !block || !/\bassert/i.test(canonical(tokens, block))) continue;
      const colon = find(tokens, { from: of, end: end + 1 }, ':');
      if (is(tokens, of + 1, 'range')) continue;
      const local = this.localsIn(body).spans.get(tokens[of + 1]?.text ?? '');
      const rows = local && colon === of + 2 ? this.rowsIn(local) : this.rowsIn({ from: of + 1, end: colon });
      const names = canonical(tokens, { from: at + 1, end: of }).match(/\w+/g) ?? [];
      if (!rows.dynamic && rows.count > 0) found.push({ ...rows, names });
    }
    return found;
  }

  /** The fixtures of these names, and those that they need, each once. */
  private fixturesOf(params: readonly string[], seen = new Set<string>()): Function[] {
    return params.flatMap((name) => {
      const fixture = seen.has(name) ? undefined : this.fixtures.get(name);
      seen.add(name);
      return fixture ? [fixture, ...this.fixturesOf(fixture.params, seen)] : [];
    });
  }

  /** nose's `@raises(ValueError)` */
  private raisesMarks(marks: readonly Mark[], body: Span): Assertion[] {
    const { tokens } = this;
    return marks
      .filter(({ path, args }) => path.at(-1) === 'raises' && args.length > 0)
      .map(({ args }) => ({
        ...raised(tokens, 'raises', args, canonical(tokens, body)),
        line: tokens[body.from]?.line ?? 0,
        swallowed: false,
        dead: false,
      }));
  }

  /** What names are in a function: those that are set once. */
  private localsIn(span: Span): Values {
    let found = this.locals.get(span.from);
    if (!found) {
      found = valuesIn(this.tokens, span, this.constants);
      this.locals.set(span.from, found);
    }
    return found;
  }

  private readonly locals = new Map<number, Values>();

  /** The examples in docstrings. */
  private doctests(): Test[] {
    const { tokens, outline } = this;
    return outline.docstrings.flatMap(({ name, at }) => {
      const token = tokens[at] as Tokens[number];
      return token.text.includes('>>> ') ? (doctest(name, token.text, token.line) ?? []) : [];
    });
  }

  /** The assertions of a script without test functions. */
  private assertionsOutside(): Test | undefined {
    const { tokens, outline } = this;
    const assertions = outline.statements
      .filter((at) => is(tokens, at, 'assert') || /^assert/.test(tokens[at]?.text ?? ''))
      .flatMap((at) => this.assertions({ from: at, end: endOfStatement(tokens, at) }));
    const [first] = assertions;
    if (!first) return undefined;
    return {
      name: OUTSIDE,
      line: first.line,
      state: 'runs',
      focused: false,
      cases: 1,
      body: '',
      statements: assertions.length,
      assertions,
      names: namesIn(tokens, { from: 0, end: tokens.length }),
      literals: new Set(),
    };
  }
}

const SKIPPERS = /^(?:skip|skipTest|SkipTest|Skipped|xfail|importorskip)$/;

/** Whether a statement or a value at a token may skip the test. */
function maySkip(tokens: Tokens, at: number): boolean {
  if (!isName(tokens, at) || !(beginsStatement(tokens, at) || is(tokens, at - 1, '='))) return false;
  const first = is(tokens, at, 'raise') ? at + 1 : at;
  return SKIPPERS.test(tokens[is(tokens, first + 1, '.') ? first + 2 : first]?.text ?? '');
}

function ownersOf(owner: Class | undefined): Class[] {
  return owner ? [owner, ...ownersOf(owner.owner)] : [];
}

function isAutouse(tokens: Tokens, { decorators }: Function): boolean {
  return decorators.some((span) => keyword(tokens, markAt(tokens, span).args, 'autouse') !== undefined);
}

function fixtureName(tokens: Tokens, { decorators, name }: Function): string {
  for (const span of decorators) {
    const given = keyword(tokens, markAt(tokens, span).args, 'name');
    const value = given && stringValue(tokens[given.from]);
    if (value !== undefined) return value;
  }
  return name;
}

function isTable({ path }: Mark): boolean {
  const last = path.at(-1) ?? '';
  return /^(?:parametrize|parameterized|expand|data|params)$/.test(last);
}

/** `"raw, expected"`, `["raw", "expected"]` */
function namesOf(tokens: Tokens, span: Span | undefined): string[] {
  return span
    ? listed(tokens, span).flatMap(({ from }) => stringValue(tokens[from])?.match(/\w+/g) ?? [])
    : [];
}

/** The elements of a list, or the value itself. */
function listed(tokens: Tokens, value: Span): Span[] {
  return is(tokens, value.from, '[', '(') ? split(tokens, inside(tokens, value.from)) : [value];
}

/** A condition may be a text. */
function conditionText(tokens: Tokens, given: Span): string {
  const text = given.end === given.from + 1 ? stringValue(tokens[given.from]) : undefined;
  return text === undefined ? canonical(tokens, given) : text.replace(/\s*([.()])\s*/g, ' $1 ').trim();
}

/** A string with blanks is a reason, not a condition. */
function isReason(tokens: Tokens, { from, end }: Span): boolean {
  const text = stringValue(tokens[from]);
  return end === from + 1 && text !== undefined && !/[=<>]|\bnot\b|environ/.test(text);
}

function negated(condition: string): string {
  const opposite: Readonly<Record<string, string>> = {
    '>=': '<',
    '<': '>=',
    '<=': '>',
    '>': '<=',
    '==': '!=',
    '!=': '==',
  };
  const operators = condition.match(/(?<= )(?:>=|<=|==|!=|<|>)(?= )/g) ?? [];
  if (condition.startsWith('not ') && operators.length === 0) return condition.slice(4);
  if (operators.length !== 1 || / (?:and|or) /.test(condition)) return `not ( ${condition} )`;
  return condition.replace(/(?<= )(?:>=|<=|==|!=|<|>)(?= )/, (operator) => opposite[operator] ?? operator);
}

/** Conditions that hold where tests run: on Linux. */
const HOLDS_HERE =
  /^(?:not \( )?(?:(?:sys \. platform|platform \. system \( \)|os \. name) (?:== "(?:linux2?|Linux|posix)"|!= "(?:win32|Windows|nt|darwin|Darwin)")|(?:sys \. )?platform \. startswith \( "linux" \)|not sys \. platform \. startswith \( "win)/;

/** `sys.version_info < (3, 99)`: there is no such version. */
function holdsForAll(condition: string): boolean {
  const match = /version_info(?: \[[^\]]*\])? <=? \( (\d+)(?: , (\d+))?/.exec(condition);
  if (!match) return false;
  const [, major, minor = '0'] = match;
  return Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 15);
}

/** A condition on an optional dependency counts as one on the machine. */
function optional(condition: string): string {
  return /^(?:not )?\(? ?(?:HAS|HAVE)_\w+|\w+_(?:AVAILABLE|INSTALLED)\b|ImportError|ModuleNotFoundError/.test(
    condition,
  )
    ? `importorskip ${condition}`
    : condition;
}

/** The head of the `except` clause around a token. */
function caughtAround(tokens: Tokens, index: number): string {
  for (let at = index; at >= 0; at--)
    if (is(tokens, at, 'except')) return canonical(tokens, { from: at, end: endOfStatement(tokens, at) });
  return 'except';
}

function rangeRows(tokens: Tokens, open: number): Rows {
  const numbers = split(tokens, inside(tokens, open)).map((part) => Number(canonical(tokens, part)));
  const [first = 0, second] = numbers;
  const count = second === undefined ? first : second - first;
  return count >= 0 ? { count, spans: [] } : { count: 1, dynamic: true, spans: [] };
}

/** The statements of a body, without those that do nothing. */
function statementsIn(tokens: Tokens, body: Span): number {
  const text = canonical(tokens, body);
  return /^(?:pass|\.\.\.|return|return None)?$/.test(text) ? 0 : countStatements(tokens, body);
}

/** A function with `yield` returns a generator, and nobody runs it; nose did. */
function isGenerator(tokens: Tokens, body: Span, owner: Class | undefined): boolean {
  for (let at = body.from; at < body.end; at++) {
    if (is(tokens, at, 'def', 'lambda')) return false;
    if (is(tokens, at, 'yield') && beginsStatement(tokens, at))
      return owner !== undefined || tokens[at + 1]?.kind === 'newline';
  }
  return false;
}

/** `with contextlib.suppress(AssertionError):`, and an expected failure of the assertions in the block. */
function dropped(tokens: Tokens, index: number, span: Span): Block | undefined {
  const head = canonical(tokens, { from: index, end: endOfStatement(tokens, index) });
  const drops =
    /\b(?:suppress|raises|assertRaises|assertRaisesRegex) \( [^)]*\b(?:AssertionError|Exception|BaseException)\b/;
  const block = drops.test(head) ? blockAfter(tokens, index, span) : undefined;
  return block && { ...block, swallowed: true };
}

function emptyLoop(tokens: Tokens, index: number, span: Span): Block | undefined {
  if (!beginsStatement(tokens, index)) return undefined;
  const end = endOfStatement(tokens, index);
  const of = find(tokens, { from: index, end }, 'in');
  const isEmpty = /^(?:\[ \]|\( \)|\{ \}|range \( 0 \)|"") :/.test(canonical(tokens, { from: of + 1, end }));
  const block = of !== -1 && isEmpty ? blockAfter(tokens, index, span) : undefined;
  return block && { ...block, dead: true };
}

/** `return` in `finally` drops the failure of everything before it. */
function returnInFinally(tokens: Tokens, index: number, span: Span): Block | undefined {
  const block = blockAfter(tokens, index, span);
  const text = block ? canonical(tokens, block) : '';
  return /(?:^| )(?:return|break|continue)\b/.test(text) ? { ...span, swallowed: true } : undefined;
}

/** A function inside of a function that nothing mentions, or that only a thread runs. */
function unusedFunction(tokens: Tokens, index: number, span: Span): Block | undefined {
  if (span.from === 0) return undefined;
  const name = tokens[index + 1]?.text ?? '';
  const block = blockAfterColon(tokens, index, span);
  if (isDecorated(tokens, index)) return undefined;
  const uses = [
    ...placesIn(tokens, name, { from: span.from, end: index }),
    ...placesIn(tokens, name, { from: block.end, end: span.end }),
  ];
  if (uses.length === 0) return { ...block, dead: true };
  return uses.every((at) => dropsFailure(tokens, at)) ? { ...block, swallowed: true } : undefined;
}

/** Whether a function is run where nobody sees that it fails: in another thread, in a task that nobody waits for. */
function dropsFailure(tokens: Tokens, at: number): boolean {
  if (is(tokens, at - 1, '=') && is(tokens, at - 2, 'target')) return true;
  let from = at;
  while (from > 0 && !beginsStatement(tokens, from)) from--;
  const statement = canonical(tokens, { from, end: endOfStatement(tokens, from) });
  return /^(?:\w+ \. )?(?:create_task|ensure_future|submit|run_in_executor|call_soon) \(|\breturn_exceptions = True/.test(
    statement,
  );
}

/** `assume(False)` */
function impossible(tokens: Tokens, index: number, span: Span): Block | undefined {
  return is(tokens, index + 2, 'False') ? { from: index, end: span.end, dead: true } : undefined;
}

/** Whether a decorator is on the line before; a framework may call what it decorates. */
function isDecorated(tokens: Tokens, index: number): boolean {
  let at = (is(tokens, index - 1, 'async') ? index - 1 : index) - 2;
  while (at > 0 && !beginsStatement(tokens, at)) at--;
  return is(tokens, at, '@');
}

function calledAt(tokens: Tokens, at: number): string | undefined {
  if (!isCall(tokens, at) || is(tokens, at - 1, 'def', 'class')) return undefined;
  if (is(tokens, at - 1, '.') && !is(tokens, at - 2, 'self', 'cls')) return undefined;
  return tokens[at]?.text;
}

function claimsAt(tokens: Tokens, at: number): Found | undefined {
  const token = tokens[at];
  if (token?.kind !== 'name') return undefined;
  if (token.text === 'assert' && !is(tokens, at - 1, '.') && beginsStatement(tokens, at))
    return assertStatement(tokens, at);
  if (token.text === 'with' && beginsStatement(tokens, at)) return raisesBlock(tokens, at);
  if (token.text === 'if' && beginsStatement(tokens, at)) return conditionalRaise(tokens, at);
  if (token.text === 'raise' && is(tokens, at + 1, 'AssertionError')) return failure(tokens, at);
  if (is(tokens, at - 1, 'def', 'class')) return undefined;
  if (isCall(tokens, at)) return calledAssertion(tokens, at);
  // `mock.assert_called_once` without brackets does nothing.
  if (
    /^assert_(?:called|awaited|any|has|not)/.test(token.text) &&
    is(tokens, at - 1, '.') &&
    tokens[at + 1]?.kind === 'newline'
  )
    return {
      claims: [claim('happens', receiverOf(tokens, at), '', { vacuous: `\`${token.text}\` is not called` })],
      end: at + 1,
    };
  return undefined;
}

function failure(tokens: Tokens, at: number): Found {
  return { claims: [claim('part', '', 'fail')], end: endOfStatement(tokens, at) };
}

function assertStatement(tokens: Tokens, at: number): Found {
  const end = endOfStatement(tokens, at);
  const [first = { from: at + 1, end }] = split(tokens, { from: at + 1, end });
  if (/^(?:False|0)$/.test(canonical(tokens, first))) return failure(tokens, at);
  // `assert x == 1 if here else True`
  const condition = find(tokens, first, 'if');
  const otherwise = condition === -1 ? -1 : find(tokens, { from: condition, end: first.end }, 'else');
  if (otherwise !== -1)
    return {
      claims: truth(tokens, { from: first.from, end: condition }),
      condition: canonical(tokens, { from: condition + 1, end: otherwise }),
      end,
    };
  return { claims: truth(tokens, first), end };
}

/** What an expression says that must be true. */
function truth(tokens: Tokens, given: Span, isFalse = false): Claim[] {
  const span = trimmed(tokens, given);
  const always = alwaysTrue(tokens, span);
  if (always !== undefined && !isFalse)
    return [claim('truthy', canonical(tokens, span), '', { vacuous: always })];
  const elements = isFalse ? undefined : elementsOf(tokens, span);
  if (elements) return elements;
  // `(a, b) == (1, 2)` says two things.
  const equals = find(tokens, span, '==');
  const tuples = [
    { from: span.from, end: equals },
    { from: equals + 1, end: span.end },
  ].map((side) => (equals !== -1 && isTuple(tokens, side) ? split(tokens, inside(tokens, side.from)) : []));
  const [left = [], right = []] = tuples;
  if (!isFalse && left.length > 0 && left.length === right.length)
    return left.map((side, index) =>
      claimOfTwo(tokens, side, right[index] as Span, { kind: 'equal', negated: false }),
    );
  // Linters replace `x == True` by `x`.
  if (is(tokens, span.end - 2, '==') && is(tokens, span.end - 1, 'True', 'False'))
    return claimsOf(
      tokens,
      { from: span.from, end: span.end - 2 },
      is(tokens, span.end - 1, 'False') !== isFalse,
    );
  return claimsOf(tokens, span, isFalse);
}

/** `all(x == 1 for x in y)` says of each what it says of one; `any` only that there is one. */
function elementsOf(tokens: Tokens, { from, end }: Span): Claim[] | undefined {
  if (!is(tokens, from, 'all', 'any') || !is(tokens, from + 1, '(') || afterBracket(tokens, from + 1) !== end)
    return undefined;
  const inner = inside(tokens, from + 1);
  const content = is(tokens, inner.from, '[') ? inside(tokens, inner.from) : inner;
  const loop = find(tokens, content, 'for');
  if (loop === -1) return undefined;
  if (is(tokens, from, 'any')) return [claim('exists', canonical(tokens, { from, end }))];
  return truth(tokens, { from: content.from, end: loop });
}

function isTuple(tokens: Tokens, { from, end }: Span): boolean {
  return (
    is(tokens, from, '(') &&
    afterBracket(tokens, from) === end &&
    find(tokens, inside(tokens, from), ',') !== -1
  );
}

/** Why an expression is true whatever its parts are. */
function alwaysTrue(tokens: Tokens, { from, end }: Span): string | undefined {
  const isWhole = is(tokens, from, '(', '[', '{') && afterBracket(tokens, from) === end;
  if (isWhole && is(tokens, from, '(') && find(tokens, inside(tokens, from), ',') !== -1)
    return 'a tuple is always true';
  if (isWhole && !is(tokens, from, '(') && split(tokens, inside(tokens, from)).length > 0) {
    if (find(tokens, inside(tokens, from), 'for') === -1) return 'a list that is not empty is always true';
  }
  if (is(tokens, from, 'lambda')) return 'a function is always true';
  const text = canonical(tokens, { from, end });
  if (/^all \( (?:\[ \]|\( \)|.* for .* in (?:\[ \]|\( \)|range \( 0 \))) \)$/.test(text))
    return 'it has nothing to check';
  const parts = split(tokens, { from, end }, 'or');
  if (parts.length > 1 && parts.some((part) => /^(?:True|1|not False)$/.test(canonical(tokens, part))))
    return 'it is true in any case';
  return undefined;
}

/** `with pytest.raises(ValueError, match='x') as error:` */
function raisesBlock(tokens: Tokens, at: number): Found | undefined {
  const colon = headEnd(tokens, at);
  const head = { from: at + 1, end: colon };
  const items = split(
    tokens,
    is(tokens, at + 1, '(') && afterBracket(tokens, at + 1) === colon ? inside(tokens, at + 1) : head,
  );
  const block = blockAfter(tokens, at, { from: at, end: tokens.length });
  const claims = items.flatMap((item) => {
    const { path, args } = markAt(tokens, item);
    const method = simpleName(path.at(-1) ?? '');
    if (!RAISES.has(method)) return [];
    const found = raised(tokens, method, args, block ? canonical(tokens, block) : '');
    // What looks into the error after the block says as much as a pattern.
    return [
      block && isInspected(tokens, block.end, nameOf(tokens, item))
        ? { ...found, kind: 'exact' as const }
        : found,
    ];
  });
  return claims.length > 0 ? { claims, end: colon } : undefined;
}

/** The index of the colon that ends the head of a statement. */
function headEnd(tokens: Tokens, at: number): number {
  const end = endOfStatement(tokens, at);
  return is(tokens, end - 1, ':') ? end - 1 : end;
}

/** Whether an assertion after a block is about a name. */
function isInspected(tokens: Tokens, from: number, name: string | undefined): boolean {
  if (name === undefined) return false;
  for (let at = from + 1; at < tokens.length; at++) {
    const { kind, partner } = tokens[at] as Tokens[number];
    if (kind === 'dedent' && partner < from) return false;
    if (
      /^assert/.test(tokens[at]?.text ?? '') &&
      namesIn(tokens, { from: at, end: endOfStatement(tokens, at) }).has(name)
    )
      return true;
    if (is(tokens, at, name) && is(tokens, at + 2, 'match')) return true;
  }
  return false;
}

/** The name in `… as name`. */
function nameOf(tokens: Tokens, item: Span): string | undefined {
  const as = find(tokens, item, 'as');
  return as === -1 ? undefined : tokens[as + 1]?.text;
}

/** A class of error with its message says more than the class, and the class more than any error. */
function raised(tokens: Tokens, method: string, args: readonly Span[], subject: string): Claim {
  const hasText =
    keyword(tokens, args, 'match', 'check', 'expected_message') !== undefined ||
    /regexp?$|message$/.test(method);
  const given = positional(tokens, args);
  const [first] = given;
  const errors = first ? canonical(tokens, first) : '';
  const isBroad = errors === '' || /^(?:\( )*(?:Exception|BaseException|Warning|UserWarning)\b/.test(errors);
  const isOneOf = first !== undefined && isTuple(tokens, first);
  const text = keyword(tokens, args, 'match');
  const isEmpty = text !== undefined && /^r?"(?:\.\*|\.\+)?"$/.test(canonical(tokens, text));
  const hasMessage = hasText && !isEmpty;
  const kind = hasMessage ? (isBroad ? 'part' : 'exact') : isBroad || isOneOf ? 'happens' : 'part';
  const message = text ?? (hasText ? given[1] : undefined);
  const expected = [errors, ...(message && !isEmpty ? [canonical(tokens, message)] : [])].join(' , ');
  return claim(kind, subject, expected);
}

/** `if total != 3: raise AssertionError(…)` */
function conditionalRaise(tokens: Tokens, at: number): Found | undefined {
  const colon = headEnd(tokens, at);
  const block = blockAfter(tokens, at, { from: at, end: tokens.length });
  if (
    !block ||
    !/^(?:raise AssertionError|(?:pytest|self) \. fail \()/.test(
      canonical(tokens, { from: block.from, end: block.from + 5 }),
    )
  )
    return undefined;
  return { claims: truth(tokens, { from: at + 1, end: colon }, true), end: block.end };
}

function simpleName(name: string): string {
  return name
    .replaceAll('_', '')
    .toLowerCase()
    .replace('awaited', 'called')
    .replace('anyawait', 'anycall')
    .replace('hasawaits', 'hascalls');
}

/** The canonical text of what is before the last dot, from the beginning of its statement. */
function receiverOf(tokens: Tokens, at: number): string {
  let from = at;
  while (from > 0 && !beginsStatement(tokens, from) && !is(tokens, from - 1, '=', ':', 'await', ',')) {
    const { partner } = tokens[from - 1] as Tokens[number];
    from = partner !== -1 && partner < from ? partner : from - 1;
  }
  return canonical(tokens, { from, end: at - 1 });
}

/** How the names of assertions begin. */
const ASSERTIONS =
  /^(?:_?assert|eq_$|ok_$|fail|[Rr]aises|warns|deprecated_call|_?(?:expect|verify|check|ensure|should|must|validate)(?:_|$))/;

/** `self.assertEqual(a, b)`, `np.testing.assert_allclose(a, b)`, `mock.assert_called_with(1)`, `expect(page).to_have_title('x')`. */
function calledAssertion(tokens: Tokens, at: number): Found | undefined {
  const name = tokens[at]?.text ?? '';
  if (!ASSERTIONS.test(name)) return undefined;
  const method = simpleName(name);
  const open = at + 1;
  const args = split(tokens, inside(tokens, open));
  const [first, second] = positional(tokens, args);
  const end = afterBracket(tokens, open);
  const about = first ? canonical(tokens, first) : '';
  const truthOf =
    Object.hasOwn(TRUTHS, method) && /^assert|^ok_|^fail/.test(name) ? TRUTHS[method] : undefined;
  if (truthOf && first) {
    if (truthOf === 'none') return { claims: [claim('equal', about, 'None')], end };
    if (truthOf === 'some') return { claims: [claim('exists', about)], end };
    return { claims: truth(tokens, first, truthOf === 'false'), end };
  }
  const comparison =
    Object.hasOwn(COMPARISONS, method) && (method !== 'eq' || name === 'eq_')
      ? COMPARISONS[method]
      : undefined;
  if (comparison && first && second)
    return { claims: [ofTwo(tokens, comparison, first, second, args, name)], end };
  if (Object.hasOwn(MOCKS, method) && is(tokens, at - 1, '.')) {
    const all = args.map((arg) => canonical(tokens, arg)).join(' , ');
    const kind = MOCKS[method] as AssertionKind;
    return {
      claims: [claim(/\bANY\b/.test(all) ? 'part' : kind, receiverOf(tokens, at), all || method)],
      end,
    };
  }
  if (RAISES.has(method)) {
    // self.assertRaises(ValueError, parse, 'x')
    const callee = positional(tokens, args).slice(/regexp?$|message$/.test(method) ? 2 : 1);
    if (callee.length === 0 && !is(tokens, at - 1, '.')) return undefined;
    return {
      claims: [raised(tokens, method, args, callee.map((arg) => canonical(tokens, arg)).join(' '))],
      end,
    };
  }
  if (method === 'assertthat' || name === 'expect') return matched(tokens, at, args);
  if (name === 'fail' && is(tokens, at - 2, 'pytest', 'self')) return failure(tokens, at);
  const isSnapshot =
    /^(?:assert_match|assert_match_dir)$|^check$/.test(name) &&
    /snapshot|regression/.test(tokens[at - 2]?.text ?? '');
  if (isSnapshot) return { claims: [claim('snapshot', about)], end };
  const isAssertion =
    /^_?assert(?:_|[A-Z])/.test(name) ||
    (beginsCall(tokens, at) && /^_?(?:expect|verify|check|ensure|should|must|validate)_/.test(name));
  if (!isAssertion || /^assert_never|assert_type$/.test(name)) return undefined;
  return undefinedHelper(tokens, at, args, end);
}

/** An assertion that is defined elsewhere says as much as an equality. Helpers of the file are read themselves. */
function undefinedHelper(tokens: Tokens, at: number, args: readonly Span[], end: number): Found {
  const about = args.map((arg) => canonical(tokens, arg)).join(' , ');
  return { claims: [claim('equal', about, tokens[at]?.text ?? '')], end };
}

function beginsCall(tokens: Tokens, at: number): boolean {
  let from = at;
  while (is(tokens, from - 1, '.') && isName(tokens, from - 2)) from -= 2;
  return beginsStatement(tokens, is(tokens, from - 1, 'await') ? from - 1 : from);
}

function ofTwo(
  tokens: Tokens,
  comparison: Comparison,
  first: Span,
  second: Span,
  args: readonly Span[],
  name: string,
): Claim {
  const isNegated = /^assert_?not/i.test(name) || /is_?not/i.test(name);
  if (comparison === 'in' || comparison === 'not in') {
    const found = claimOfTwo(tokens, first, second, { kind: 'part', negated: comparison === 'not in' });
    return found;
  }
  if (comparison === 'part' || comparison === 'bounded')
    return claim(comparison, canonical(tokens, first), canonical(tokens, second), { negated: isNegated });
  const found = claimOfTwo(tokens, first, second, {
    kind: 'equal',
    negated: comparison === 'unequal' || comparison === 'far',
  });
  if (comparison === 'near') return { ...found, kind: 'near', tolerance: toleranceOf(tokens, name, args) };
  if (canonical(tokens, first) === canonical(tokens, second) && /^(?:equal|alike)$/.test(comparison))
    return { ...found, vacuous: 'it compares a value with itself' };
  if (isConstant(tokens, first) && isConstant(tokens, second))
    return { ...found, vacuous: 'it compares constants' };
  // check_dtype=False
  const isLoose = args.some(
    ({ from }) => /^check_/.test(tokens[from]?.text ?? '') && is(tokens, from + 2, 'False'),
  );
  if (comparison === 'alike') return { ...found, kind: 'alike' };
  return isLoose ? { ...found, kind: 'part' } : found;
}

function toleranceOf(tokens: Tokens, name: string, args: readonly Span[]): number {
  const value = (...names: readonly string[]) => {
    const span = keyword(tokens, args, ...names);
    const number = span
      ? Number(canonical(tokens, span).replaceAll(' ', '').replaceAll('_', ''))
      : Number.NaN;
    return Number.isNaN(number) ? undefined : number;
  };
  const third = positional(tokens, args)[2];
  const given = third ? Number(canonical(tokens, third)) : Number.NaN;
  const digits =
    value('places', 'decimal', 'significant') ??
    (/equal/i.test(name) && !Number.isNaN(given) ? given : undefined);
  if (digits !== undefined) return 10 ** -digits / 2;
  const tolerances = [value('delta'), value('rtol', 'rel'), value('atol', 'abs')].flatMap(
    (each) => each ?? [],
  );
  if (tolerances.length > 0) return Math.max(...tolerances);
  return /allclose|assert_close/i.test(name) ? (Number.isNaN(given) ? 1e-7 : given) : 5e-8;
}

/** `assert_that(total, equal_to(3))`, `assert_that(total).is_equal_to(3)`, `expect(page).to_have_title('x')`. */
function matched(tokens: Tokens, at: number, args: readonly Span[]): Found | undefined {
  const [first, second] = args;
  if (!first) return undefined;
  const about = canonical(tokens, first);
  let end = afterBracket(tokens, at + 1);
  const claims: Claim[] = [];
  if (second) {
    const { path, args: inner } = markAt(tokens, second);
    const words = inner.map((arg) => canonical(tokens, arg)).join(' , ');
    claims.push(matcher(path.at(-1) ?? '', about, words));
  }
  while (is(tokens, end, '.') && isName(tokens, end + 1)) {
    const word = tokens[end + 1]?.text ?? '';
    const hasArgs = is(tokens, end + 2, '(');
    if (hasArgs) claims.push(matcher(word, about, canonical(tokens, inside(tokens, end + 2))));
    end = hasArgs ? afterBracket(tokens, end + 2) : end + 2;
  }
  return { claims: claims.length > 0 ? claims : truth(tokens, first), end };
}

function matcher(word: string, subject: string, expected: string): Claim {
  const kind = MATCHERS.find(([pattern]) => pattern.test(word))?.[1] ?? 'equal';
  return claim(kind, subject, expected || word, { negated: /(?:^|_)not_/.test(word) && kind !== 'exists' });
}

/** An assertion with the values of the names in it, in the form in which assertions are compared. */
function settled(each: Assertion, values: Values): Assertion {
  const subject = settledValue(withoutSelf(each.subject), values, false);
  const expected = settledValue(withoutSelf(each.expected), values, true);
  return simplified({ ...each, subject, expected });
}

function withoutSelf(text: string): string {
  return text.replace(/(?<![\w.] |\w)(?:self|cls) \. /g, '');
}

const LENGTH = /^len \( ((?:[^()]|\((?:[^()]|\([^()]*\))*\))*) \)$/;
const ROUNDED = /^(?:round|int) \( ((?:[^(),]|\((?:[^()]|\([^()]*\))*\))*?)(?: , (\d+))? \)$/;
const APPROXIMATION = /^(?:pytest \. )?approx \( (.*?)(?: , (?:rel|abs|nan_ok) = .*)? \)$/s;
const EXACT_SIZE = /^\d+$/;

function simplified(each: Assertion): Assertion {
  const { subject, expected, kind, negated } = each;
  const length = LENGTH.exec(subject)?.[1];
  if (kind === 'equal' && !negated && length !== undefined && EXACT_SIZE.test(expected))
    return { ...each, kind: 'size', subject: length };
  // A rounded value is a value within half a digit.
  const rounded = ROUNDED.exec(subject);
  if (kind === 'equal' && rounded)
    return {
      ...each,
      kind: 'near',
      subject: rounded[1] ?? subject,
      tolerance: 10 ** -Number(rounded[2] ?? 0) / 2,
    };
  const counted = /^(.*) \. (?:call_count|await_count)$/.exec(subject)?.[1];
  if (kind === 'equal' && !negated && counted !== undefined)
    return {
      ...each,
      kind: 'size',
      subject: counted,
      expected: expected === '1' ? 'assertcalledonce' : expected,
    };
  if (kind === 'truthy' && !negated && /\. (?:called|awaited)$/.test(subject))
    return { ...each, kind: 'happens', subject: subject.replace(/ \. \w+$/, ''), expected: 'assertcalled' };
  if (kind === 'near') return approximated(each);
  if (kind === 'equal' && /^(?:mock \. )?ANY$/.test(expected)) return { ...each, kind: 'exists' };
  if (kind === 'equal' && /\bANY\b/.test(expected)) return { ...each, kind: 'part' };
  if (kind === 'equal' && /^(?:\w+_)?snapshot\b/.test(expected)) return { ...each, kind: 'snapshot' };
  return withoutTautology(each);
}

/** The value of an approximation without its tolerance, which is compared as a number. */
function approximated(each: Assertion): Assertion {
  const inner = APPROXIMATION.exec(each.expected)?.[1];
  const source = `${each.expected} ${each.subject}`;
  const given = [...source.matchAll(/\b(?:rel|abs|rtol|atol|rel_tol|abs_tol) = (-?[\d.eE_+-]+)/g)].map(
    (match) => Number(match[1]?.replaceAll('_', '')),
  );
  const fallback = /allclose|isclose/.test(source) ? 1e-5 : 1e-6;
  const tolerance =
    given.length > 0 ? Math.max(...given) : inner === undefined ? (each.tolerance ?? fallback) : 1e-6;
  const expected = (inner ?? each.expected).replace(
    / , (?:rel|abs|rtol|atol|rel_tol|abs_tol|equal_nan) = .*$/,
    '',
  );
  return { ...each, expected, tolerance };
}

/** A docstring with examples. */
function doctest(name: string, text: string, line: number): Test | undefined {
  const examples: { source: string; output: string; line: number; isSkipped: boolean }[] = [];
  let current: { source: string; output: string[]; line: number } | undefined;
  const end = () => {
    if (current)
      examples.push({
        source: current.source.replace(/\s*# doctest:.*/, ''),
        output: current.output.join('\n'),
        line: current.line,
        isSkipped: /# doctest:.*\+SKIP/.test(current.source),
      });
    current = undefined;
  };
  for (const [index, row] of text.split('\n').entries()) {
    const [, mark, code = ''] = /^\s*(?:[rRuU]?(?:"""|'''))?\s*(>>>|\.\.\.)(?: (.*))?$/.exec(row) ?? [];
    if (mark === '>>>') {
      end();
      current = { source: code.trim(), output: [], line: line + index };
    } else if (mark === '...' && current && current.output.length === 0) current.source += ` ${code.trim()}`;
    else if (/^\s*(?:"""|''')?\s*$/.test(row)) end();
    else current?.output.push(row.replace(/(?:"""|''')$/, '').trim());
  }
  end();
  if (examples.length === 0) return undefined;
  const assertions = examples
    .filter(({ output }) => output !== '')
    .map(
      ({ source, output, line: at, isSkipped }): Assertion => ({
        ...claim(/(?:^|\n)\.\.\.$|^\.\.\./.test(output) ? 'part' : 'equal', source, output),
        line: at,
        swallowed: false,
        dead: isSkipped,
      }),
    );
  return {
    name: `doctest ${name}`,
    line,
    state: 'runs',
    focused: false,
    cases: 1,
    body: examples.map(({ source, output }) => `${source}\n${output}`).join('\n'),
    statements: examples.length,
    assertions,
    names: new Set(examples.flatMap(({ source }) => source.match(/\w+/g) ?? [])),
    literals: new Set(examples.flatMap(({ source, output }) => [source, output])),
  };
}

/** `from shop.cart import total, discount as cut` */
function importsIn(tokens: Tokens): Map<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < tokens.length; at++) {
    if (!is(tokens, at, 'from') || !beginsStatement(tokens, at)) continue;
    const [, module = '', names = ''] =
      /^from (.+?) import (?:\( )?(.*?)(?: ,?)?(?: \))?$/.exec(
        canonical(tokens, { from: at, end: endOfStatement(tokens, at) }),
      ) ?? [];
    for (const name of names.split(' , '))
      found.set(name.split(' as ').at(-1) ?? name, module.replaceAll(' ', ''));
  }
  return found;
}

/** `@patch('shop.cart.total')`, `patch.object(Cart, 'total')`, `monkeypatch.setattr(cart, 'total', …)`, `cart.total = Mock()`. */
function mocksIn(tokens: Tokens): { target: string; line: number; at: number }[] {
  const mocks: { target: string; line: number; at: number }[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const line = tokens[at]?.line ?? 0;
    const text = tokens[at]?.text ?? '';
    if (tokens[at]?.kind !== 'name') continue;
    const isPatch =
      (text === 'patch' && isCall(tokens, at)) ||
      (text === 'object' && is(tokens, at - 2, 'patch') && isCall(tokens, at)) ||
      (text === 'setattr' && is(tokens, at - 2, 'monkeypatch') && isCall(tokens, at));
    if (isPatch) {
      const args = split(tokens, inside(tokens, at + 1)).slice(0, 2);
      const words = args.map((arg) => stringValue(tokens[arg.from]) ?? canonical(tokens, arg));
      const isDotted = text === 'patch' || (args[0] && tokens[args[0].from]?.kind === 'string');
      mocks.push({ target: words.slice(0, isDotted ? 1 : 2).join(' . '), line, at });
    } else if (
      /^(?:Mock|MagicMock|AsyncMock|create_autospec|lambda)$/.test(text) &&
      is(tokens, at - 1, '=') &&
      is(tokens, at - 3, '.')
    ) {
      let from = at - 2;
      while (is(tokens, from - 1, '.') && isName(tokens, from - 2)) from -= 2;
      if (beginsStatement(tokens, from))
        mocks.push({ target: canonical(tokens, { from, end: at - 1 }), line, at });
    }
  }
  return mocks;
}
