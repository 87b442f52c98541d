import type { TestState } from '../model.ts';
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
} from '../tokens.ts';
import {
  afterTypes,
  beginOfChain,
  type Declaration,
  type FunctionParts,
  functionIn,
  type Import,
  membersOf,
  methodBody,
} from './syntax.ts';

// The calls of test, suite and hook functions, and their tables.

export type CallKind = 'test' | 'suite' | 'hook';

const KINDS: Readonly<Record<CallKind, string>> = {
  test: 'it test specify fit xit xtest xspecify ftest',
  suite: 'describe suite context fdescribe xdescribe xcontext xsuite feature scenario',
  hook: 'beforeEach beforeAll afterEach afterAll before after setup teardown suiteSetup suiteTeardown onTestFinished',
};

/** Objects whose `test` is a test function. */
const OWNERS = ['t', 'tap', 'Deno', 'QUnit'];
const SKIPS = /^(?:skip|fixme|ignore|disabled|xit|xtest|xdescribe|xspecify)$/;
const EXPECTS_FAILURE = /^(?:fails|failing|fail|expectFailure)$/;
const FOCUSES = /^(?:only|serial_only|fit|fdescribe|ftest)$/;
const CONDITIONS = /^(?:skipIf|runIf|if|todoIf|failsIf)$/;
/** Marks that change how tests run, not whether. */
const OTHER_MARKS =
  /^(?:concurrent|sequential|serial|parallel|shuffle|cb|ssr|it|test|scoped|withContext|todo)$/;
const SUITE_MARKS = /^(?:describe|suite|module)$/;
const TABLE_MARKS = /^(?:each|for|cases|eachSeries)$/;

function isMark(word: string): boolean {
  const all = [SKIPS, EXPECTS_FAILURE, FOCUSES, CONDITIONS, OTHER_MARKS, SUITE_MARKS, TABLE_MARKS];
  return all.some((marks) => marks.test(word)) || hasForeignLetters(word);
}

/** A letter that only looks like one of ASCII hides what a word does. */
function hasForeignLetters(word: string): boolean {
  return /[^\x20-\x7e]/.test(word);
}

/** A call of a test, suite or hook function. */
export interface TestCall {
  readonly kind: CallKind;
  readonly name: string;
  readonly line: number;
  readonly state: TestState;
  readonly condition: string | undefined;
  readonly focused: boolean;
  readonly table: Rows | undefined;
  readonly parts: FunctionParts | undefined;
  /** The whole call. */
  readonly span: Span;
  /** The suites around it, the outermost first. */
  readonly around: readonly TestCall[];
}

/** A call, before it is known what is around it. */
type FoundCall = Omit<TestCall, 'around'>;

type Functions = ReadonlyMap<string, FunctionParts>;

/** The value of a name in a file: `const it = test.skip`. */
interface Word {
  readonly kind: CallKind;
  readonly state: TestState;
  readonly focused?: boolean;
}

/** The names that stand for test, suite and hook functions in a file. */
export class Vocabulary {
  private readonly words = new Map<string, Word>();
  readonly declarations: readonly Declaration[];
  readonly functions: Functions;

  constructor(
    tokens: Tokens,
    imports: readonly Import[],
    functions: Functions,
    declarations: readonly Declaration[],
  ) {
    for (const [kind, names] of Object.entries(KINDS))
      for (const name of names.split(' '))
        this.words.set(name, {
          kind: kind as CallKind,
          state: /^x/.test(name) ? 'skipped' : 'runs',
          focused: FOCUSES.test(name),
        });
    for (const { imported, local } of imports) this.alias(local, imported);
    this.declarations = declarations;
    this.functions = functions;
    for (const { name, value } of this.declarations)
      if (!functions.has(name)) this.expression(tokens, name, value);
    for (const [name, parts] of functions) this.wrapper(tokens, name, parts);
    this.patterns(tokens);
  }

  get(name: string): Word | undefined {
    return this.words.get(name);
  }

  private alias(local: string, imported: string): void {
    const word = this.words.get(imported);
    const own = this.words.get(local);
    if (SKIPS.test(imported) && own) this.words.set(local, { ...own, state: 'skipped' });
    else if (word && local !== imported) this.words.set(local, word);
  }

  /** `const maybe = isLinux ? it : it.skip`, `const it = base.extend({…})`, uvu's `const cart = suite('cart')` */
  private expression(tokens: Tokens, name: string, value: Span): void {
    const names = new Set<string>();
    let base: Word | undefined;
    for (let at = value.from; at < value.end; at++) {
      const { text = '', partner = -1 } = tokens[at] ?? {};
      if (partner > at) at = partner;
      else if (isName(tokens, at)) names.add(text);
      if (!isName(tokens, at) || is(tokens, at - 1, '.') || text === name) continue;
      const word = this.words.get(text);
      if (!word || word.kind === 'hook') continue;
      const isSuiteOfUvu = text === 'suite' && is(tokens, at + 1, '(');
      const isMarked =
        is(tokens, at + 1, '.') && (isMark(tokens[at + 2]?.text ?? '') || is(tokens, at + 2, 'extend'));
      if (isSuiteOfUvu) base = { kind: 'test', state: 'runs' };
      else if (isMarked || at + 1 === value.end || is(tokens, at + 1, ':')) base ??= word;
    }
    if (!base) return;
    this.words.set(name, {
      kind: base.kind,
      state: stateOf(tokens, value, names),
      focused: [...names].some((each) => FOCUSES.test(each)),
    });
  }

  /** A function that makes tests, or takes the place of the one that does. */
  private wrapper(tokens: Tokens, name: string, { parameters, body }: FunctionParts): void {
    const own = this.words.get(name);
    const names = namesIn(tokens, body);
    const base = [...names].find((each) => this.words.has(each) && each !== name);
    const callsBack = [...namesIn(tokens, parameters)].some((each) => names.has(each));
    if (own && base === undefined && !callsBack) this.words.set(name, { ...own, state: 'skipped' });
    else if (base !== undefined && /^(?:x?it|x?test|x?describe|spec)/.test(name) && !own)
      this.words.set(name, {
        kind: this.words.get(base)?.kind ?? 'test',
        state: stateOf(tokens, body, names),
      });
  }

  /** `const { skip: it } = test` */
  private patterns(tokens: Tokens): void {
    for (let at = 0; at < tokens.length; at++) {
      if (!isName(tokens, at) || !is(tokens, at, 'const', 'let', 'var') || !is(tokens, at + 1, '{')) continue;
      const end = afterBracket(tokens, at + 1);
      if (!is(tokens, end, '=') || !this.words.has(tokens[end + 1]?.text ?? '')) continue;
      for (const part of split(tokens, inside(tokens, at + 1)))
        if (is(tokens, part.from + 1, ':'))
          this.alias(tokens[part.from + 2]?.text ?? '', tokens[part.from]?.text ?? '');
    }
  }
}

function stateOf(tokens: Tokens, span: Span, names: ReadonlySet<string>): TestState {
  if (![...names].some((each) => SKIPS.test(each))) return 'runs';
  const isConditional = ['?', '&&', '||', 'if'].some((sign) => find(tokens, span, sign) !== -1);
  return isConditional ? 'conditional' : 'skipped';
}

/** What the marks of a call say: `.skip`, `.only`, `.each(…)`. */
interface Marks {
  kind: CallKind;
  state: TestState;
  condition?: string | undefined;
  focused: boolean;
  table?: Rows | undefined;
}

/** Reads the calls of tests, suites and hooks, in the order of the text. */
export function testCallsIn(tokens: Tokens, vocabulary: Vocabulary): TestCall[] {
  const calls: TestCall[] = [];
  const suites: TestCall[] = [];
  /** The end of the test or hook around, in which other calls with a name and a function are no tests. */
  let innerUntil = 0;
  for (let at = 0; at < tokens.length; at++) {
    if (!isName(tokens, at)) continue;
    const found =
      testCallAt(tokens, at, vocabulary) ??
      (at >= innerUntil ? customTestAt(tokens, at, vocabulary) : undefined);
    // `test.skip('later')` in a test is about that test.
    if (!found || (at < innerUntil && !found.parts)) continue;
    while ((suites.at(-1)?.span.end ?? at + 1) <= at) suites.pop();
    const call: TestCall = { ...found, around: [...suites] };
    calls.push(call);
    if (call.kind === 'suite') suites.push(call);
    if (call.kind !== 'suite') innerUntil = Math.max(innerUntil, call.span.end);
  }
  return calls;
}

function testCallAt(tokens: Tokens, at: number, vocabulary: Vocabulary): FoundCall | undefined {
  const name = tokens[at]?.text ?? '';
  let index = at + 1;
  let word = vocabulary.get(name);
  if (
    OWNERS.includes(name) &&
    is(tokens, at + 1, '.') &&
    is(tokens, at + 2, 'test', 'module', 'todo', 'skip', 'only')
  ) {
    if (is(tokens, at - 1, '.')) return undefined;
    word = { kind: is(tokens, at + 2, 'module') ? 'suite' : 'test', state: 'runs' };
    index = is(tokens, at + 2, 'test', 'module') ? at + 3 : at + 1;
    // `t.skip('reason')` is about the test around.
    if (name === 't' && index === at + 1) return undefined;
  } else if (is(tokens, at - 1, '.', '?.', 'function', 'import', 'const', 'let', 'var', 'new'))
    return undefined;
  if (!word) return undefined;
  // (it as any).skip(…)
  if (is(tokens, at - 1, '(') && is(tokens, index, 'as')) index = afterBracket(tokens, at - 1);
  const marks: Marks = { kind: word.kind, state: word.state, focused: word.focused === true };
  if (word.state === 'conditional') marks.condition = name;
  index = readMarks(tokens, index, marks, vocabulary.declarations);
  // maybe(condition)('name', () => {…})
  if (index !== -1 && is(tokens, index, '(') && is(tokens, afterBracket(tokens, index), '(')) {
    marks.condition = canonical(tokens, inside(tokens, index));
    index = afterBracket(tokens, index);
  }
  if (index === -1 || !is(tokens, index, '(')) return undefined;
  return callOf(tokens, { from: at, end: afterBracket(tokens, index) }, index, marks, vocabulary.functions);
}

/** Reads the members between the name and the call; returns the index of its bracket, or -1 if it is no test. */
function readMarks(tokens: Tokens, from: number, marks: Marks, declarations: readonly Declaration[]): number {
  let at = afterTypes(tokens, from);
  for (;;) {
    let word: string;
    if (is(tokens, at, '.', '?.')) word = tokens[at + 1]?.text ?? '';
    else if (is(tokens, at, '[') && tokens[at + 1]?.kind === 'string')
      word = stringValue(tokens[at + 1]) ?? '';
    else return at;
    at = is(tokens, at, '[') ? afterBracket(tokens, at) : at + 2;
    if (!isMark(word)) return -1;
    if (SKIPS.test(word) || hasForeignLetters(word)) marks.state = 'skipped';
    else if (word === 'todo') marks.state = 'todo';
    else if (EXPECTS_FAILURE.test(word)) marks.state = 'expected-to-fail';
    else if (FOCUSES.test(word)) marks.focused = true;
    else if (SUITE_MARKS.test(word)) marks.kind = 'suite';
    at = afterTypes(tokens, at);
    if (CONDITIONS.test(word) && is(tokens, at, '(')) {
      marks.state = 'conditional';
      marks.condition = `${word} ${canonical(tokens, inside(tokens, at))}`;
      at = afterTypes(tokens, afterBracket(tokens, at));
    } else if (TABLE_MARKS.test(word)) {
      marks.table = is(tokens, at, '(')
        ? rowsOf(tokens, inside(tokens, at), declarations)
        : templateRows(tokens, at);
      at = is(tokens, at, '(') ? afterBracket(tokens, at) : at + 1;
    }
  }
}

/** The function of a test: itself, by its name in this file, or as in `fakeAsync(() => {…})`. */
function testFunction(tokens: Tokens, arg: Span, functions: Functions): FunctionParts | undefined {
  const own = functionIn(tokens, arg);
  if (own || !isName(tokens, arg.from)) return own;
  if (arg.end === arg.from + 1) return functions.get(tokens[arg.from]?.text ?? '');
  const last = arg.end - 1;
  const open = tokens[last]?.partner ?? -1;
  const inner =
    is(tokens, last, ')') && open > arg.from ? split(tokens, inside(tokens, open)).at(-1) : undefined;
  return inner && functionIn(tokens, inner);
}

function callOf(
  tokens: Tokens,
  span: Span,
  open: number,
  marks: Marks,
  functions: Functions,
): FoundCall | undefined {
  const args = split(tokens, inside(tokens, open));
  const [first] = args;
  if (!first) return undefined;
  const options = args.find((arg) => is(tokens, arg.from, '{'));
  const members = options ? membersOf(tokens, options) : undefined;
  if (members) readOptions(tokens, members, marks);
  const fn = members?.get('fn');
  const parts =
    args.map((arg) => testFunction(tokens, arg, functions)).findLast((found) => found !== undefined) ??
    (fn && (functionIn(tokens, fn) ?? methodBody(tokens, fn)));
  const title = titleOf(tokens, first, members);
  // `test.skip(condition)` of Playwright, and calls of other functions of these names.
  if (title === undefined && parts === undefined) return undefined;
  if (marks.kind === 'hook' && parts === undefined) return undefined;
  if (parts === undefined && stringValue(tokens[first.from]) === undefined) return undefined;
  const hasNoBody = marks.kind === 'test' && parts === undefined && args.length === 1;
  return {
    kind: marks.kind,
    name: marks.kind === 'hook' ? (tokens[span.from]?.text ?? '') : (title ?? ''),
    line: tokens[span.from]?.line ?? 1,
    state: marks.state === 'runs' && hasNoBody ? 'todo' : marks.state,
    condition: marks.condition,
    focused: marks.focused,
    table: marks.table,
    parts,
    span,
  };
}

/** `{ skip: true }`, `{ ignore: Deno.build.os === 'windows' }`. */
function readOptions(tokens: Tokens, members: ReadonlyMap<string, Span>, marks: Marks): void {
  for (const [key, span] of members) {
    const value = canonical(tokens, span);
    if (value === 'false' || value === 'undefined') continue;
    if (/^(?:skip|ignore|todo)$/.test(key)) {
      const isPlain = value === 'true' || /^["'`]/.test(value);
      marks.state = isPlain ? 'skipped' : 'conditional';
      if (!isPlain) marks.condition = value;
    } else if (key === 'only') marks.focused = true;
    else if (EXPECTS_FAILURE.test(key)) marks.state = 'expected-to-fail';
  }
}

function titleOf(
  tokens: Tokens,
  first: Span,
  members: ReadonlyMap<string, Span> | undefined,
): string | undefined {
  const own = stringValue(tokens[first.from]);
  if (own !== undefined) return own;
  const name = members?.get('name');
  if (name) return stringValue(tokens[name.from]);
  return isName(tokens, first.from) && !functionIn(tokens, first) ? canonical(tokens, first) : undefined;
}

/** `testWithDatabase('adds', async (db) => {…})`: a function of the project that makes a test. */
function customTestAt(tokens: Tokens, at: number, vocabulary: Vocabulary): FoundCall | undefined {
  const name = tokens[at]?.text ?? '';
  if (
    !is(tokens, at + 1, '(') ||
    tokens[at + 2]?.kind !== 'string' ||
    is(tokens, at - 1, '.', 'function', 'new')
  )
    return undefined;
  if (vocabulary.get(name)) return undefined;
  const span = { from: at, end: afterBracket(tokens, at + 1) };
  const state = hasForeignLetters(name) ? 'skipped' : 'runs';
  const call = callOf(tokens, span, at + 1, { kind: 'test', state, focused: false }, vocabulary.functions);
  return call?.parts && hasAssertion(tokens, call.parts.body) ? call : undefined;
}

export function hasAssertion(tokens: Tokens, { from, end }: Span): boolean {
  for (let at = from; at < end; at++)
    if (isName(tokens, at) && /^(?:expect|assert|should)/.test(tokens[at]?.text ?? '')) return true;
  return false;
}

/** The rows of a table. */
export interface Rows {
  readonly count: number;
  /** Whether they are computed, so that `count` is a guess. */
  readonly dynamic: boolean;
  /** What leaves rows out: `slice ( 1 )`. */
  readonly condition?: string | undefined;
  readonly text: string;
  /** Where the rows are. */
  readonly rows?: Span | undefined;
}

const NARROWING = /^(?:slice|filter|splice|take|drop|pop|shift|at|find|head|tail)$/;

/** Reads a table: an array or object, the name of one in this file, or an expression about one. */
export function rowsOf(tokens: Tokens, span: Span, declarations: readonly Declaration[], depth = 0): Rows {
  const [first] = split(tokens, span);
  if (!first) return { count: 0, dynamic: false, text: '' };
  const text = canonical(tokens, first);
  let { from } = first;
  let end: number;
  let base: Rows | undefined;
  if (is(tokens, from, '(') && !functionIn(tokens, first)) {
    base = rowsOf(tokens, inside(tokens, from), declarations, depth);
    end = afterBracket(tokens, from);
  } else if (is(tokens, from, 'Object') && is(tokens, from + 3, '(')) {
    // Object.entries(cases)
    base = rowsOf(tokens, inside(tokens, from + 3), declarations, depth);
    end = afterBracket(tokens, from + 3);
  } else if (is(tokens, from, '[', '{')) {
    const rows = inside(tokens, from);
    const parts = split(tokens, rows);
    base = { count: parts.length, dynamic: parts.some((part) => is(tokens, part.from, '...')), text, rows };
    end = afterBracket(tokens, from);
  } else {
    const name = tokens[from]?.text ?? '';
    const declared = depth < 3 ? declarations.find((each) => each.name === name) : undefined;
    if (declared && isName(tokens, from)) base = rowsOf(tokens, declared.value, declarations, depth + 1);
    end = from + 1;
  }
  const narrowed: string[] = [base?.condition ?? []].flat();
  while (end < first.end) {
    const isCall = is(tokens, end, '.', '?.') && is(tokens, end + 2, '(');
    if (isCall && NARROWING.test(tokens[end + 1]?.text ?? ''))
      narrowed.push(canonical(tokens, { from: end + 1, end: afterBracket(tokens, end + 2) }));
    from = end;
    end = isCall ? afterBracket(tokens, end + 2) : end + 1;
  }
  return {
    count: base?.count ?? 1,
    dynamic: base?.dynamic ?? true,
    condition: narrowed.join(' . ') || undefined,
    text,
    rows: base?.rows,
  };
}

/** The rows of each`…`: its lines without the first. */
function templateRows(tokens: Tokens, at: number): Rows {
  const text = tokens[at]?.text ?? '';
  const lines = text.split('\n').filter((line) => /[^\s`]/.test(line));
  return { count: Math.max(0, lines.length - 1), dynamic: false, text, rows: { from: at, end: at + 1 } };
}

export interface Loop extends Span {
  readonly table: Rows;
}

/** The loops over tables, around tests or inside of them. */
export function loopsIn(tokens: Tokens, declarations: readonly Declaration[]): Loop[] {
  const loops: Loop[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!isName(tokens, at)) continue;
    if (is(tokens, at, 'for')) {
      const open = is(tokens, at + 1, 'await') ? at + 2 : at + 1;
      if (!is(tokens, open, '(')) continue;
      const head = inside(tokens, open);
      const of = find(tokens, head, 'of', 'in');
      if (of === -1) continue;
      const begin = afterBracket(tokens, open);
      const block = is(tokens, begin, '{')
        ? inside(tokens, begin)
        : { from: begin, end: statementEnd(tokens, begin) };
      loops.push({ ...block, table: rowsOf(tokens, { from: of + 1, end: head.end }, declarations) });
    } else if (is(tokens, at, 'forEach', 'map') && is(tokens, at - 1, '.') && is(tokens, at + 1, '(')) {
      const receiver = { from: beginOfChain(tokens, at - 1, 0), end: at - 1 };
      loops.push({ ...inside(tokens, at + 1), table: rowsOf(tokens, receiver, declarations) });
    }
  }
  return loops;
}

function statementEnd(tokens: Tokens, from: number): number {
  const end = find(tokens, { from, end: tokens.length }, ';', '}');
  return end === -1 ? tokens.length : end;
}
