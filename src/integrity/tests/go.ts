import type { Source, Token } from '../lexer.ts';
import { MOST_INHERITED, readOnce } from './collect-assertions.ts';
import { asTruthValue, type Claim, claim, claimsOf } from './comparison.ts';
import { type Definition, type Resolve, resolver } from './definitions.ts';
import { allOf, blockAfter, calledIn, type Flow, type FlowWords, flowIn, leaves } from './flow.ts';
import type { Assertion, AssertionKind, TableRow, Test, TestFile, TestReader, TestState } from './model.ts';
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
  spansAround,
  split,
  stringValue,
  type Tokens,
  trimmed,
} from './tokens.ts';

/** Go: testing, testify, Gomega and Ginkgo, go-cmp, quicktest, gocheck, gotest.tools, GoConvey. */
export const go: TestReader = {
  // The go command ignores testdata, and names that begin with a dot or an underscore.
  isTestPath: (path) => path.endsWith('_test.go') && !/(?:^|\/)(?:testdata\/|[._])/.test(path),
  mayHaveTests: (text) =>
    /\bfunc (?:\([^)]*\) ?)?(?:Test|Benchmark|Fuzz|Example)|\btesting\.(?:T|B|F|TB|M)\b|\b(?:Describe|DescribeTable|It)\(/.test(
      text,
    ),
  read,
};

/** A call that makes a test fail, in canonical form. */
const FAILS =
  /\. (?:Error|Errorf|Fatal|Fatalf|Fail|FailNow|Fatalln|Panic|Panicf) \(|\b(?:panic|Fail|os \. Exit) \(/;

const FLOW: FlowWords = {
  conditions: ['if'],
  branches: [],
  tries: [],
  catches: [],
  exits: ['return', 'continue', 'break', 'goto'],
  fails: FAILS,
  never: ['false', '! true', '1 == 2', '1 == 0', '0 == 1'],
  always: ['true', '! false', '1 == 1', '0 == 0'],
  reports: FAILS,
};

interface GoFunction {
  readonly name: string;
  readonly line: number;
  /** The type of its receiver; empty for a function. */
  readonly receiver: string;
  readonly params: string;
  readonly body: Span;
}

/** A test, or a suite of Ginkgo around tests. */
interface Node {
  readonly name: string;
  readonly line: number;
  readonly span: Span;
  readonly body: Span;
  readonly isSuite: boolean;
  readonly state: TestState;
  readonly focused: boolean;
  readonly cases: number;
  readonly claims: readonly Claim[];
}

/** What is the same for all tests of a file. */
interface File {
  readonly tokens: Tokens;
  readonly functions: ReadonlyMap<string, GoFunction>;
  readonly definitions: readonly Definition[];
  /** Names that hold assertions: `is := assert.New(t)`. */
  readonly asserters: ReadonlySet<string>;
  /** Whether equality takes what it got before what it wants, as gotest.tools does. */
  readonly gotFirst: boolean;
  readonly ofHelper: (helper: GoFunction) => readonly PlacedAssertion[];
}

function read({ tokens, comments, text }: Source, path: string): TestFile {
  const all = functionsIn(tokens);
  const helpers = new Map(
    all
      .filter((each) => !isTest(each))
      .map((each) => [each.receiver === '' ? each.name : `. ${each.name}`, each]),
  );
  const file: File = {
    tokens,
    functions: helpers,
    definitions: packageDefinitions(tokens),
    asserters: assertersIn(tokens),
    gotFirst: text.includes('gotest.tools') || text.includes('go-quicktest'),
    ofHelper: readOnce(({ body }: GoFunction) => assertionsIn(file, body, scopeOf(file, body))),
  };
  const outputs = comments.filter((each) => /^\s*(?:Unordered )?output:/i.test(each.text));
  const tests = all.filter(isTest).flatMap((each) => {
    const endLine = tokens[each.body.end]?.line ?? 0;
    const output = outputs.find(({ line }) => each.line <= line && line <= endLine);
    const lines = comments.filter(({ line }) => output && output.line <= line && line <= endLine);
    return testsOf(file, each, output && lines.map((line) => line.text.trim()).join('\n'));
  });
  return {
    tests: [...tests, ...ginkgoTests(file)],
    uncollected: nameConstraint(path) ?? buildConstraint(comments, tokens[0]?.line ?? 1),
    functions: new Map([...helpers].map(([name, { body }]) => [name, canonical(tokens, body)])),
    mocks: [],
  };
}

// What the go command builds and runs

/** Tags that are about the machine or the Go version; any other is set by hand alone. */
const MACHINE_TAGS =
  /^(?:linux|darwin|windows|unix|amd64|arm64|cgo|gc|gccgo|go1\.\d+|race|msan|asan|purego|cover)$/;

/** Systems and architectures that hardly any machine for development has, where the go command looks for them in a name. */
const RARE_MACHINE =
  /[^/]_(?:(?:aix|android|dragonfly|freebsd|illumos|ios|js|netbsd|openbsd|plan9|solaris|wasip1|zos)(?:_(?:\w+64|\w+64le|arm|wasm))?|386|arm|loong64|mips\w*|ppc64\w*|riscv64|s390x|wasm)_test\.go$/;

/** Why the name of the file keeps it out of a plain `go test ./...`. */
function nameConstraint(path: string): string | undefined {
  return RARE_MACHINE.test(path) ? `its name is that of a file for another machine` : undefined;
}

/** Why a build constraint keeps the file out of a plain `go test ./...`. */
function buildConstraint(comments: Source['comments'], firstLine: number): string | undefined {
  for (const { text, line } of comments) {
    if (line > firstLine) break;
    const go = /^go:build (.*)$/.exec(text);
    const old = /^ ?\+build (.*)$/.exec(text);
    const expression =
      go?.[1] ??
      old?.[1]
        ?.trim()
        .split(/\s+/)
        .map((part) => `(${part.replaceAll(',', ' && ')})`)
        .join(' || ');
    if (expression !== undefined && !mayHold(expression))
      return `its build constraint is \`${(go?.[1] ?? old?.[1] ?? '').trim()}\``;
  }
  return undefined;
}

/** Whether a constraint may hold without tags of its own. Tags of the machine count as set and as not set. */
function mayHold(expression: string): boolean {
  const words = expression.match(/\(|\)|!|&&|\|\||[^\s()!&|]+/g) ?? [];
  let at = 0;
  const either = (): boolean => {
    let holds = both();
    while (words[at] === '||') {
      at++;
      holds = both() || holds;
    }
    return holds;
  };
  const both = (): boolean => {
    let holds = one();
    while (words[at] === '&&') {
      at++;
      holds = one() && holds;
    }
    return holds;
  };
  const one = (): boolean => {
    const word = words[at++] ?? '';
    if (word === '!') {
      const isMachine = MACHINE_TAGS.test(words[at] ?? '');
      const holds = one();
      return isMachine || !holds;
    }
    if (word !== '(') return MACHINE_TAGS.test(word);
    const holds = either();
    at++;
    return holds;
  };
  return either();
}

function functionsIn(tokens: Tokens): GoFunction[] {
  const functions: GoFunction[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (is(tokens, at, '{')) {
      at = afterBracket(tokens, at) - 1;
      continue;
    }
    if (!is(tokens, at, 'func') || (at > 0 && tokens[at - 1]?.kind !== 'newline')) continue;
    const hasReceiver = is(tokens, at + 1, '(');
    const name = hasReceiver ? afterBracket(tokens, at + 1) : at + 1;
    let open = name + 1;
    if (is(tokens, open, '[')) open = afterBracket(tokens, open);
    if (!isName(tokens, name) || !is(tokens, open, '(')) continue;
    const brace = bodyBrace(tokens, afterBracket(tokens, open));
    if (brace === -1) continue;
    functions.push({
      name: tokens[name]?.text ?? '',
      line: tokens[at]?.line ?? 0,
      receiver: hasReceiver ? (tokens[name - 2]?.text ?? '') : '',
      params: canonical(tokens, inside(tokens, open)),
      body: inside(tokens, brace),
    });
    at = afterBracket(tokens, brace) - 1;
  }
  return functions;
}

/** The brace of a function's body after its results, which may contain `interface{}` and `struct{}`. */
function bodyBrace(tokens: Tokens, from: number): number {
  for (let at = from; at < tokens.length; at++) {
    if (tokens[at]?.kind === 'newline') return -1;
    if (is(tokens, at, '{')) {
      if (!is(tokens, at - 1, 'interface', 'struct')) return at;
      at = afterBracket(tokens, at) - 1;
    } else if (is(tokens, at, '(', '[')) at = afterBracket(tokens, at) - 1;
  }
  return -1;
}

function isTest({ name, receiver, params }: GoFunction): boolean {
  // A small letter after the prefix: not collected.
  if (!/^(?:Test|Benchmark|Fuzz|Example)(?:[^\p{Ll}]|$)/u.test(name)) return false;
  if (receiver !== '') return name.startsWith('Test') && (params === '' || /\* (?:\w+ \. )?C$/.test(params));
  if (name.startsWith('Example')) return params === '';
  const letter = name.startsWith('Fuzz') ? 'F' : name[0];
  return new RegExp(`^\\w+ \\* (?:\\w+ \\. )?${letter}$`).test(params);
}

/** The tests that a function is: itself, and its subtests with a name of their own. */
function testsOf(file: File, each: GoFunction, output: string | undefined): Test[] {
  const { tokens } = file;
  const { body, name, receiver, line } = each;
  const title = receiver === '' ? name : `${receiver} > ${name}`;
  const isExample = receiver === '' && name.startsWith('Example');
  const node = {
    name: title,
    line,
    span: body,
    body,
    isSuite: false,
    // Without an output, an example is compiled and not run.
    state: isExample && output === undefined ? ('skipped' as const) : ('runs' as const),
    focused: false,
    cases: Math.max(1, calls(tokens, body, 'f', 'Add')),
    claims:
      output === undefined
        ? []
        : [
            claim(
              /^unordered/i.test(output) ? 'part' : 'equal',
              'the output',
              output.replace(/^.*?:\s*/i, ''),
            ),
          ],
  };
  return testTree(file, node);
}

function calls(tokens: Tokens, { from, end }: Span, receiver: string, method: string): number {
  let found = 0;
  for (let at = from; at < end; at++)
    if (is(tokens, at, receiver) && is(tokens, at + 1, '.') && is(tokens, at + 2, method)) found++;
  return found;
}

function testTree(file: File, node: Node, outer: Partial<Test> = {}): Test[] {
  const { tokens } = file;
  const { body } = node;
  const subtests = subtestsIn(file, body, node.name);
  const scope = scopeOf(file, body);
  const loops = loopsIn(file, body);
  const isOwn = (at: number) => subtests.every(({ span }) => at < span.from || span.end <= at);
  const assertions = assertionsIn(file, body, scope, isOwn);
  const skip = skipIn(file, body, scope.flow, isOwn);
  const own = loops.filter(
    (loop) =>
      assertions.some(({ at }) => loop.from <= at && at < loop.end) ||
      subtests.some(({ span }) => loop.from <= span.from && span.end <= loop.end),
  );
  const state = outer.state !== undefined && outer.state !== 'runs' ? outer.state : stateOf(node.state, skip);
  const condition = outer.condition ?? skip?.condition;
  const test: Test = {
    name: node.name,
    line: node.line,
    state,
    condition: state === 'conditional' ? condition : undefined,
    focused: node.focused,
    cases: own.reduce((product, { count }) => product * Math.max(1, count), node.cases),
    dynamic: own.some(({ dynamic }) => dynamic),
    body: canonical(tokens, body),
    statements: countStatements(tokens, body),
    assertions: [
      ...node.claims.map((each) => ({ ...each, line: node.line, swallowed: false, dead: false })),
      ...assertions.map(({ at: _, ...each }) => each),
    ],
    names: namesIn(tokens, body),
    literals: new Set(
      [node.span, ...own.flatMap(({ rows }) => rows ?? [])].flatMap((span) => [...literalsIn(tokens, span)]),
    ),
    rows: own.flatMap(({ table }) => table ?? []),
  };
  const inner = subtests.flatMap((subtest) => {
    const around = scope.flow(subtest.span.from);
    const within = around.dead
      ? { state: 'skipped' as const }
      : around.condition !== undefined && !isMachinery(around.condition)
        ? { state: 'conditional' as const, condition: around.condition }
        : { state, condition };
    return testTree(file, subtest, within);
  });
  return [test, ...inner];
}

/** Conditions on rows of a table, under which subtests of several kinds are written. */
function isMachinery(condition: string): boolean {
  return /^(?:\w+ \. )?\w*(?:err|ok|want\w*)\b[^&|]*$/i.test(condition);
}

function stateOf(state: TestState, skip: Skip | undefined): TestState {
  return state === 'runs' ? (skip?.state ?? 'runs') : state;
}

interface Skip {
  readonly state: TestState;
  readonly condition?: string | undefined;
}

/** `t.Skip("flaky")`, `Skip("…")`, and calls of helpers that skip. */
function skipIn(
  file: File,
  { from, end }: Span,
  flow: (at: number) => Flow,
  isOwn: (at: number) => boolean,
  depth = 0,
): Skip | undefined {
  const { tokens, functions } = file;
  let found: Skip | undefined;
  for (let at = from; at < end; at++) {
    if (tokens[at]?.kind !== 'name' || !is(tokens, at + 1, '(') || !isOwn(at)) continue;
    const name = tokens[at]?.text ?? '';
    const isSkip = /^(?:Skip|Skipf|SkipNow|XSkip)$/.test(name);
    const helper = isSkip || is(tokens, at - 1, '.') ? undefined : functions.get(name);
    const inner =
      helper && depth < 2
        ? skipIn(file, helper.body, flowIn(tokens, helper.body, FLOW), () => true, depth + 1)
        : undefined;
    const named = !helper && !isSkip && /^(?:[sS]kip|[mM]aybeSkip)[A-Z]/.test(name);
    if (!isSkip && !inner && !named) continue;
    const around = flow(at);
    if (around.dead) continue;
    const call = named ? canonical(tokens, { from: at, end: afterBracket(tokens, at + 1) }) : undefined;
    const condition = [around.condition, inner?.condition, call].filter(Boolean).join(' && ');
    const skip: Skip = condition === '' ? { state: 'skipped' } : { state: 'conditional', condition };
    if (skip.state === 'skipped') return skip;
    // Of several conditions, all count.
    found = found ? { ...found, condition: `${found.condition} && ${skip.condition}` } : skip;
  }
  return found;
}

/** `t.Run("adds", func(t *testing.T) {…})` */
function subtestsIn(file: File, { from, end }: Span, parent: string): Node[] {
  const { tokens, functions } = file;
  const found: Node[] = [];
  for (let at = from; at < end; at++) {
    if (!is(tokens, at, 'Run') || !is(tokens, at - 1, '.') || !is(tokens, at + 1, '(')) continue;
    const [first, second] = split(tokens, inside(tokens, at + 1));
    const title = first && first.end === first.from + 1 ? stringValue(tokens[first.from]) : undefined;
    if (title === undefined || !second) continue;
    const named = functions.get(canonical(tokens, second))?.body;
    const body = functionLiteral(tokens, second) ?? named;
    if (!body) continue;
    const span = { from: at - 2, end: afterBracket(tokens, at + 1) };
    found.push({
      name: `${parent} > ${title}`,
      line: tokens[at]?.line ?? 0,
      span,
      body,
      isSuite: false,
      state: 'runs',
      focused: false,
      cases: 1,
      claims: [],
    });
    at = span.end - 1;
  }
  return found;
}

function functionLiteral(tokens: Tokens, { from, end }: Span): Span | undefined {
  const word = find(tokens, { from, end }, 'func');
  if (word === -1 || !is(tokens, word + 1, '(')) return undefined;
  const brace = bodyBrace(tokens, afterBracket(tokens, word + 1));
  return brace === -1 || brace >= end ? undefined : inside(tokens, brace);
}

// Ginkgo

const NODE = /^([FPX]?)(It|Specify|Entry|DescribeTable|Describe|Context|When|DescribeTableSubtree)$/;

function ginkgoTests(file: File): Test[] {
  const { tokens } = file;
  const nodes: (Node & { marks: string })[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const match = tokens[at]?.kind === 'name' ? NODE.exec(tokens[at]?.text ?? '') : null;
    if (!match || !is(tokens, at + 1, '(') || is(tokens, at - 1, 'func')) continue;
    const [, prefix, kind = ''] = match;
    if (kind === 'Entry') continue;
    const args = split(tokens, inside(tokens, at + 1));
    const title = args[0] && (stringValue(tokens[args[0].from]) ?? canonical(tokens, args[0]));
    const function_ = args.find((arg) => is(tokens, arg.from, 'func'));
    const body = function_ && functionLiteral(tokens, function_);
    if (
      title === undefined ||
      (!body && args.length > 1 && prefix === '' && !hasMark(tokens, args, 'Pending'))
    )
      continue;
    const entries = args.filter((arg) => /^[F]?Entry$/.test(tokens[arg.from]?.text ?? '')).length;
    const isPending = prefix === 'P' || prefix === 'X' || hasMark(tokens, args, 'Pending') || !body;
    nodes.push({
      name: title,
      line: tokens[at]?.line ?? 0,
      span: { from: at, end: afterBracket(tokens, at + 1) },
      body: body ?? { from: at, end: at },
      isSuite: /^(?:Describe|Context|When|DescribeTableSubtree)$/.test(kind),
      state: isPending ? 'skipped' : 'runs',
      focused:
        prefix === 'F' ||
        hasMark(tokens, args, 'Focus') ||
        args.some((arg) => is(tokens, arg.from, 'FEntry')),
      cases: Math.max(1, entries),
      claims: [],
      marks: prefix ?? '',
    });
  }
  return nodes
    .filter(({ isSuite }) => !isSuite)
    .flatMap((node) => {
      const around = nodes.filter(
        ({ isSuite, span }) => isSuite && span.from < node.span.from && node.span.end <= span.end,
      );
      const pending = around.some(({ state }) => state === 'skipped');
      return testTree(file, {
        ...node,
        name: [...around, node].map(({ name }) => name).join(' > '),
        state: pending ? 'skipped' : node.state,
        focused: node.focused || around.some(({ focused }) => focused),
      });
    });
}

function hasMark(tokens: Tokens, args: readonly Span[], mark: string): boolean {
  return args.some(({ from, end }) => end === from + 1 && is(tokens, from, mark));
}

// Tables

interface Loop extends Span {
  readonly count: number;
  readonly dynamic: boolean;
  readonly rows?: Span | undefined;
  readonly table?: readonly TableRow[] | undefined;
}

/** `for _, tc := range cases {…}` */
function loopsIn(file: File, body: Span): Loop[] {
  const { tokens } = file;
  const loops: Loop[] = [];
  for (let at = body.from; at < body.end; at++) {
    if (!is(tokens, at, 'for')) continue;
    const range = find(tokens, { from: at + 1, end: endOfHeader(tokens, at, body.end) }, 'range');
    if (range === -1) continue;
    const table = tableAt(tokens, range + 1, body, 0);
    const brace = find(tokens, { from: table.end, end: body.end }, '{');
    if (brace === -1) continue;
    const block = inside(tokens, brace);
    loops.push({ ...table, ...block, ...(leaves(tokens, block) && { count: 1 }) });
  }
  return loops;
}

function endOfHeader(tokens: Tokens, at: number, end: number): number {
  const line = tokens[at]?.line;
  let index = at;
  while (index < end && tokens[index]?.line === line && tokens[index]?.kind !== 'newline') index++;
  return index;
}

interface Table {
  readonly count: number;
  readonly dynamic: boolean;
  readonly rows?: Span;
  readonly table?: readonly TableRow[];
  /** The index after the expression. */
  readonly end: number;
}

/** The rows of a composite literal, of a variable that holds one, or of a part of it. */
function tableAt(tokens: Tokens, from: number, body: Span, depth: number): Table {
  if (is(tokens, from, '[', 'map')) {
    const brace = literalBrace(tokens, from);
    if (brace === -1) return { count: 1, dynamic: true, end: from };
    const rows = inside(tokens, brace);
    const parts = split(tokens, rows);
    const end = afterBracket(tokens, brace);
    return sliced(tokens, end, {
      count: parts.length,
      dynamic: false,
      rows,
      table: rowsOf(tokens, parts, columnsOf(tokens, { from, end: brace })),
    });
  }
  const next = from + 1;
  if (isName(tokens, from) && !is(tokens, next, '(', '.') && depth < 3) {
    const value = valueAt(tokens, tokens[from]?.text ?? '', from, body);
    if (value !== -1) return sliced(tokens, next, tableAt(tokens, value, body, depth + 1));
  }
  return { count: 1, dynamic: true, end: from };
}

/** `cases[:1]` */
function sliced(tokens: Tokens, end: number, table: Omit<Table, 'end'>): Table {
  if (!is(tokens, end, '[')) return { ...table, end };
  const { from, end: close } = inside(tokens, end);
  const colon = find(tokens, { from, end: close }, ':');
  if (colon === -1) return { ...table, dynamic: true, end: close + 1 };
  const number = (span: Span, otherwise: number) => {
    const text = canonical(tokens, span);
    return text === ''
      ? otherwise
      : /^len/.test(text)
        ? table.count - Number(/\d+$/.exec(text)?.[0] ?? 0)
        : Number(text);
  };
  const first = number({ from, end: colon }, 0);
  const last = number({ from: colon + 1, end: close }, table.count);
  const count = Math.max(0, Math.min(last, table.count) - first);
  return Number.isNaN(count)
    ? { ...table, dynamic: true, end: close + 1 }
    : { ...table, count: Math.max(1, count), end: close + 1 };
}

/** The brace that begins the elements of `[]struct{ in, want string }{…}`. */
function literalBrace(tokens: Tokens, from: number): number {
  for (let at = from; at < tokens.length && at < from + 400; at++) {
    if (is(tokens, at, 'struct', 'interface') && is(tokens, at + 1, '{'))
      at = afterBracket(tokens, at + 1) - 1;
    else if (is(tokens, at, 'func') && is(tokens, at + 1, '(')) at = afterBracket(tokens, at + 1) - 1;
    else if (is(tokens, at, '[', '(')) at = afterBracket(tokens, at) - 1;
    else if (is(tokens, at, '{')) return at;
    else if (tokens[at]?.kind === 'newline') return -1;
  }
  return -1;
}

/** Where the value of a table's variable begins; -1 if it is no literal of this file. */
function valueAt(tokens: Tokens, name: string, before: number, body: Span): number {
  const assigned = (at: number): number => {
    if (is(tokens, at + 1, ':=', '=')) return at + 2;
    const isDeclared = is(tokens, at - 1, 'var') || tokens[at - 1]?.kind === 'newline';
    // var cases []struct{…} = …; in a group, too
    const equals = isDeclared
      ? find(tokens, { from: at, end: endOfHeader(tokens, at, tokens.length) }, '=')
      : -1;
    return equals === -1 ? -1 : equals + 1;
  };
  for (let at = before - 1; at > body.from; at--)
    if (is(tokens, at, name) && assigned(at) !== -1) return literalOrName(tokens, assigned(at));
  for (let at = 0; at < tokens.length; at++) {
    if (is(tokens, at, '{') && !is(tokens, at - 1, ')')) at = afterBracket(tokens, at) - 1;
    else if (is(tokens, at, name) && assigned(at) !== -1) return literalOrName(tokens, assigned(at));
  }
  return -1;
}

function literalOrName(tokens: Tokens, at: number): number {
  return is(tokens, at, '[', 'map') || isName(tokens, at) ? at : -1;
}

/** The names of the columns of `[]struct{ name, in, want string }`. */
function columnsOf(tokens: Tokens, type: Span): string[] {
  const struct = find(tokens, type, 'struct');
  if (struct === -1 || !is(tokens, struct + 1, '{')) return [];
  const { from, end } = inside(tokens, struct + 1);
  const columns: string[] = [];
  let isName_ = true;
  for (let at = from; at < end; at++) {
    const token = tokens[at] as Token;
    if (token.kind === 'newline' || token.text === ';') isName_ = true;
    else if (isName_ && token.kind === 'name') {
      columns.push(token.text);
      if (!is(tokens, at + 1, ',')) isName_ = false;
    } else if (token.partner > at) at = token.partner;
  }
  return columns;
}

const TITLES = /^(?:name|desc|description|title|label|comment|scenario|msg|testName|test)$/i;
const RESULTS =
  /^(?:want|exp|output|out|result|res|err|golden|must|should)|(?:Want|Expected|Exp|Err|Error)$|^(?:ok|valid|fails)$/;

/** What the rows of a table expect of their inputs; empty if the columns do not show it. */
function rowsOf(tokens: Tokens, rows: readonly Span[], columns: readonly string[]): TableRow[] {
  return rows.flatMap((row) => {
    const brace = find(tokens, row, '{');
    if (brace === -1) {
      // map[string]int{"a": 1}
      const colon = find(tokens, row, ':');
      if (colon === -1) return [];
      return {
        input: canonical(tokens, { from: row.from, end: colon }),
        column: '',
        expected: canonical(tokens, { from: colon + 1, end: row.end }),
      };
    }
    // The key of a map is a title, as a rule.
    const input: string[] = [];
    const expected: { column: string; expected: string }[] = [];
    for (const [index, part] of split(tokens, inside(tokens, brace)).entries()) {
      const isKeyed = is(tokens, part.from + 1, ':');
      const column = isKeyed ? (tokens[part.from]?.text ?? '') : (columns[index] ?? '');
      const value = canonical(tokens, { from: isKeyed ? part.from + 2 : part.from, end: part.end });
      if (RESULTS.test(column)) expected.push({ column, expected: value });
      else if (!TITLES.test(column)) input.push(`${column} ${value}`);
    }
    return input.length === 0 ? [] : expected.map((each) => ({ input: input.join(' , '), ...each }));
  });
}

// Definitions

function packageDefinitions(tokens: Tokens): Definition[] {
  const definitions: Definition[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (is(tokens, at, 'func')) {
      const brace = bodyBrace(tokens, at + 1);
      if (brace !== -1) at = afterBracket(tokens, brace) - 1;
    } else if (is(tokens, at, '=')) definitions.push(...definedAt(tokens, at, 0));
    else if (is(tokens, at, '{')) at = afterBracket(tokens, at) - 1;
  }
  // A package's names are known everywhere.
  return definitions.map((each) => ({ ...each, at: -1 }));
}

function localDefinitions(tokens: Tokens, { from, end }: Span): Definition[] {
  const definitions: Definition[] = [];
  for (let at = from; at < end; at++)
    if (is(tokens, at, ':=', '=')) definitions.push(...definedAt(tokens, at, from));
  return definitions;
}

/** `got, err := Parse("2h")` */
function definedAt(tokens: Tokens, at: number, from: number): Definition[] {
  let first = at;
  const names: string[] = [];
  for (let index = at - 1; index >= from && tokens[index]?.line === tokens[at]?.line; index--) {
    const token = tokens[index] as Token;
    if (token.kind === 'name' && !/^(?:var|const|if|for|switch|case|else)$/.test(token.text)) {
      // Not `var want string = …`, `x.y = …`.
      if (is(tokens, index - 1, '.', ']')) return [];
      if (isName(tokens, index - 1) && !is(tokens, index - 1, 'var', 'const', 'if', 'for', 'switch'))
        continue;
      names.unshift(token.text);
      first = index;
    } else if (token.text !== ',') break;
  }
  if (names.length === 0 || is(tokens, first - 1, 'for', 'switch') || is(tokens, at + 1, 'range', 'func'))
    return [];
  let end = at + 1;
  while (end < tokens.length) {
    const token = tokens[end] as Token;
    if (token.text === ';' && token.kind === 'sign') break;
    if (token.kind === 'newline' && !/^[-+*/.,&|=<>(]$|^&&$|^\|\|$/.test(tokens[end - 1]?.text ?? '')) break;
    if (/^[)}\]]$/.test(token.text) && token.kind === 'sign') break;
    end = token.partner > end ? token.partner + 1 : end + 1;
  }
  const values = split(tokens, { from: at + 1, end });
  return names.flatMap((name, index) => {
    if (name === '_') return [];
    const value = values.length === names.length ? values[index] : undefined;
    const whole = values.length === 1 ? values[0] : undefined;
    if (value) return { name, at: first, text: canonical(tokens, value) };
    // The first of several results is what the call is about.
    if (whole)
      return { name, at: first, text: `${canonical(tokens, whole)}${index === 0 ? '' : ` . ${name}`}` };
    return [];
  });
}

// Assertions

interface Scope {
  readonly flow: (at: number) => Flow;
  readonly resolve: Resolve;
}

function scopeOf({ tokens, definitions }: File, span: Span): Scope {
  const flow = flowIn(tokens, span, FLOW);
  const recoveriesAround = spansAround(recoveries(tokens, span));
  const routinesAround = spansAround(routinesIn(tokens, span));
  return {
    resolve: resolver([...definitions, ...localDefinitions(tokens, span)]),
    flow: (at) => {
      const around = flow(at);
      return {
        dead: around.dead,
        swallowed: around.swallowed || recoveriesAround(at).length > 0,
        condition: allOf(around.condition, routinesAround(at).length > 0 ? 'go' : undefined),
      };
    },
  };
}

/** What `go func() {…}()` runs: the test may end before it. */
function routinesIn(tokens: Tokens, { from, end }: Span): Span[] {
  const found: Span[] = [];
  for (let at = from; at < end; at++) {
    const body = is(tokens, at, 'go') ? functionLiteral(tokens, { from: at, end }) : undefined;
    if (body && is(tokens, at + 1, 'func')) found.push(body);
  }
  return found;
}

/** The blocks after `defer func() { recover() }()`, which drops what panics. */
function recoveries(tokens: Tokens, span: Span): Span[] {
  const found: Span[] = [];
  for (let at = span.from; at < span.end; at++) {
    if (!is(tokens, at, 'defer') || !is(tokens, at + 1, 'func')) continue;
    const body = functionLiteral(tokens, { from: at + 1, end: span.end });
    const text = body ? canonical(tokens, body) : '';
    if (!/\brecover \(/.test(text) || FAILS.test(text) || /\b(?:assert|require|Expect)\b/.test(text))
      continue;
    let end = span.end;
    for (let index = at - 1; index >= span.from; index--) {
      const { partner, text: sign } = tokens[index] as Token;
      if (partner > at && sign === '{') {
        end = Math.min(partner, span.end);
        break;
      }
    }
    found.push({ from: at, end });
  }
  return found;
}

type PlacedAssertion = Assertion & { readonly at: number };

interface Found {
  readonly claims: readonly Claim[];
  readonly end: number;
  /** Whether its failure does not count. */
  readonly swallowed?: boolean;
  /** Where its names are looked up, if not where it begins: after the statement of `if v := f(); v > 0`. */
  readonly at?: number;
}

function assertionsIn(
  file: File,
  span: Span,
  scope: Scope,
  isOwn: (at: number) => boolean = () => true,
): PlacedAssertion[] {
  const { tokens, functions } = file;
  const found: PlacedAssertion[] = [];
  for (let at = span.from; at < span.end; at++) {
    if (tokens[at]?.kind !== 'name' && !is(tokens, at, '_')) continue;
    if (!isOwn(at)) continue;
    const line = tokens[at]?.line ?? 0;
    const assertion = assertionAt(file, at, span);
    if (assertion) {
      const { dead, swallowed, condition } = scope.flow(at);
      const isUnseen = UNSEEN.test(canonical(tokens, { from: at, end: Math.min(assertion.end, at + 12) }));
      for (const given of assertion.claims) {
        const each = resolved(given, scope.resolve, assertion.at ?? at);
        // Without spreads: there are many of these.
        found.push({
          kind: each.kind,
          negated: each.negated,
          subject: each.subject,
          expected: each.expected,
          vacuous: each.vacuous,
          tolerance: each.tolerance,
          dead,
          swallowed: swallowed || isUnseen || assertion.swallowed === true,
          condition,
          line,
          at,
        });
      }
      at = Math.max(at, assertion.end - 1);
      continue;
    }
    if (!is(tokens, at + 1, '(') || is(tokens, at - 1, 'func')) continue;
    const name = `${is(tokens, at - 1, '.') ? '. ' : ''}${tokens[at]?.text ?? ''}`;
    const helper = functions.get(name);
    if (helper && !(helper.body.from <= at && at < helper.body.end)) {
      if (found.length > MOST_INHERITED) continue;
      const flow = scope.flow(at);
      for (const inner of file.ofHelper(helper))
        found.push({
          ...inner,
          ...calledIn(inner, flow),
          line,
          at,
        });
    } else if (
      !helper &&
      HELPER.test(tokens[at]?.text ?? '') &&
      isTestingValue(file, firstArgument(tokens, at))
    )
      found.push({
        ...claim('equal', scope.resolve(canonical(tokens, inside(tokens, at + 1)), at), tokens[at]?.text),
        ...scope.flow(at),
        line,
        at,
      });
  }
  return found;
}

/** Functions of other files that check something, by name. */
const HELPER =
  /^(?:assert|expect|verify|check|ensure|should|must|require|test|compare|validate|run|want|equal|diff|Assert|Expect|Verify|Check|Ensure|Must|Require|Test|Compare|Validate|Run|Want|Equal)(?:[A-Z_]\w*)?$/;

function firstArgument(tokens: Tokens, at: number): string {
  const first = split(tokens, inside(tokens, at + 1))[0];
  return first ? canonical(tokens, first) : '';
}

/** `t`, `s.T()`: what a test reports to. */
function isTestingValue(_file: File, text: string): boolean {
  return /^(?:t|tb|b|f|tt|c|T|ctx \. T|.*\bT \( \)|GinkgoT \( \)|& testing \. T \{ \}|new \( testing \. T \))$/.test(
    text,
  );
}

/** A test of its own, which reports to nobody. */
const UNSEEN = /\( (?:& testing \. T \{ \}|new \( testing \. T \))/;

/** A claim with its variables replaced, and whether it can fail at all. */
function resolved(given: Claim, resolve: Resolve, at: number): Claim {
  const each = asTruthValue(given);
  const subject = resolve(each.subject, at);
  const expected = resolve(each.expected, at);
  const isEqual = each.kind === 'equal' || each.kind === 'exact';
  const same = isEqual && !each.negated && subject === expected && subject !== '';
  // A variable that was set to a constant in the test itself.
  const constant = each.subject !== subject && isEqual && CONSTANT.test(subject) && CONSTANT.test(expected);
  const vacuous =
    each.vacuous ??
    (same ? 'it compares a value with itself' : constant ? 'it compares constants' : undefined);
  return { ...each, subject, expected, ...(vacuous !== undefined && { vacuous }) };
}

const CONSTANT = /^(?:-? ?[\d._]\w*|"(?:[^"\\]|\\.)*"|`[^`]*`|true|false|nil)$/;

function assertionAt(file: File, at: number, span: Span): Found | undefined {
  const { tokens } = file;
  if (is(tokens, at, 'if')) return conditional(file, at, span);
  if (is(tokens, at, 'else') && is(tokens, at + 1, '{')) return otherwise(tokens, at, span);
  if (is(tokens, at, 'case', 'default')) return switchCase(tokens, at, span);
  if (is(tokens, at, '_') && is(tokens, at + 1, '=', ':=', ',')) return dropped(tokens, at, at);
  if (is(tokens, at + 1, ',') && is(tokens, at + 2, '_') && is(tokens, at + 3, ':=', '='))
    return dropped(tokens, at, at + 2);
  if (
    is(tokens, at + 1, '(') &&
    is(tokens, at, 'Expect', 'Ω', 'Eventually', 'Consistently', 'ExpectWithOffset')
  )
    return gomega(tokens, at);
  if (is(tokens, at, 'So') && is(tokens, at + 1, '(')) return convey(tokens, at);
  if (is(tokens, at - 1, '.') && is(tokens, at + 1, '(')) return method(file, at);
  return undefined;
}

// `if got != want { t.Errorf(…) }`

/** What a block does when its condition holds. */
function outcomeOf(tokens: Tokens, { from, end }: Span): 'fails' | 'logs' | 'other' {
  let logs = from >= end || trimmed(tokens, { from, end }).from >= trimmed(tokens, { from, end }).end;
  for (let at = from; at < end; at++) {
    if (is(tokens, at, 'return', 'break', 'continue') && tokens[at]?.kind === 'name') break;
    if (is(tokens, at, 'if', 'switch', 'func', 'select')) {
      // What is nested has a condition of its own.
      const brace = find(tokens, { from: at, end }, '{');
      at = brace === -1 ? end : afterBracket(tokens, brace) - 1;
      continue;
    }
    if (!is(tokens, at + 1, '(') || tokens[at]?.kind !== 'name') continue;
    const name = tokens[at]?.text ?? '';
    const isMember = is(tokens, at - 1, '.');
    if (isMember && /^(?:Error|Errorf|Fatal|Fatalf|Fatalln|Fail|FailNow|Panic|Panicf)$/.test(name)) {
      if (!is(tokens, at - 2, 'fmt', 'errors', 'err', 'e')) return 'fails';
    } else if ((!isMember && /^(?:panic|Fail)$/.test(name)) || (name === 'Exit' && is(tokens, at - 2, 'os')))
      return 'fails';
    else if (isMember && /^(?:Log|Logf|Print|Printf|Println|Warn|Warnf|Info|Infof|Debug)$/.test(name))
      logs = true;
    else if (
      /^(?:assert|require|check|must|fail|fatal|t)[A-Z]?/.test(name) &&
      /[fF]ail|[fF]atal|[eE]rror/.test(name)
    )
      return 'fails';
  }
  return logs ? 'logs' : 'other';
}

interface Header {
  /** The condition, without the statement before it. */
  readonly condition: Span;
  readonly block: Span;
}

function headerOf(tokens: Tokens, at: number, span: Span): Header | undefined {
  let brace = -1;
  let begin = at + 1;
  for (let index = at + 1; index < span.end; index++) {
    const token = tokens[index] as Token;
    if (
      token.kind === 'newline' &&
      index > begin &&
      !/^(?:&&|\|\||[-+,.(])$/.test(tokens[index - 1]?.text ?? '')
    )
      break;
    if (token.text === ';' && token.kind === 'sign') begin = index + 1;
    else if (is(tokens, index, '{')) {
      brace = index;
      // The literal in `if got != (T{1}) {` has brackets around it; one before a semicolon has not.
      const after = tokens[afterBracket(tokens, index)];
      if (after === undefined || after.kind === 'newline' || after.text === 'else' || after.text === '}')
        break;
      index = afterBracket(tokens, index) - 1;
    } else if (token.partner > index) index = token.partner;
  }
  if (brace === -1) return undefined;
  return { condition: { from: begin, end: brace }, block: inside(tokens, brace) };
}

function conditional(file: File, at: number, span: Span): Found | undefined {
  const { tokens } = file;
  const header = headerOf(tokens, at, span);
  if (!header) return undefined;
  const outcome = outcomeOf(tokens, header.block);
  if (outcome === 'other') return undefined;
  // An else branch may fail instead.
  if (outcome === 'logs' && is(tokens, header.block.end + 1, 'else')) return undefined;
  const claims = conditionClaims(tokens, header, at, true);
  return {
    claims: outcome === 'logs' ? claims.filter(({ kind }) => kind !== 'bounded') : claims,
    end: header.condition.end,
    at: header.condition.from,
    swallowed: outcome === 'logs',
  };
}

/** `if got == want { … } else { t.Fatal() }` */
function otherwise(tokens: Tokens, at: number, span: Span): Found | undefined {
  const block = blockAfter(tokens, at, span);
  const open = tokens[at - 1]?.partner ?? -1;
  if (!block || open === -1 || outcomeOf(tokens, block) !== 'fails') return undefined;
  let begin = open;
  while (begin > span.from && !is(tokens, begin, 'if')) {
    const { partner, kind } = tokens[begin] as Token;
    if (kind === 'newline') return undefined;
    begin = partner !== -1 && partner < begin ? partner - 1 : begin - 1;
  }
  const header = headerOf(tokens, begin, span);
  return (
    header && {
      claims: conditionClaims(tokens, header, begin, false),
      end: at + 1,
      at: header.condition.from,
    }
  );
}

/** The cases of a `switch` without a value are conditions. */
function switchCase(tokens: Tokens, at: number, span: Span): Found | undefined {
  const colon = find(tokens, { from: at, end: span.end }, ':');
  if (colon === -1) return undefined;
  let end = colon + 1;
  while (end < span.end && !is(tokens, end, 'case', 'default', '}')) {
    const { partner } = tokens[end] as Token;
    end = partner > end ? partner + 1 : end + 1;
  }
  if (outcomeOf(tokens, { from: colon + 1, end }) !== 'fails') return undefined;
  const condition = { from: at + 1, end: colon };
  const claims = is(tokens, at, 'default')
    ? [claim('bounded', 'switch', 'default')]
    : conditionClaims(tokens, { condition, block: condition }, at, true);
  return { claims, end: colon };
}

const SAME =
  /^(?:reflect \. DeepEqual|cmp \. Equal|bytes \. Equal|slices \. Equal|maps \. Equal|proto \. Equal|slices \. EqualFunc|assert \. ObjectsAreEqual|strings \. EqualFold)$/;

/** @param negated whether the test fails if the condition holds */
function conditionClaims(tokens: Tokens, header: Header, at: number, negated: boolean): Claim[] {
  const { condition } = header;
  // `if diff := cmp.Diff(want, got); diff != "" {`
  const diff = diffClaim(tokens, condition, at);
  if (diff) return [{ ...diff, negated: diff.negated !== negated }];
  if (negated && find(tokens, condition, '&&') !== -1) {
    const parts = split(tokens, condition, '&&').map((part) => canonical(tokens, part));
    if (parts.some((part) => FLOW.never.includes(part)))
      return [claim('truthy', canonical(tokens, condition), '', { vacuous: 'its condition never holds' })];
  }
  return claimsOf(tokens, condition, negated).map((each) => asClaimed(each));
}

/** What a claim of the general form means in Go: `reflect.DeepEqual(got, want)`, `err == nil`, `math.Abs(a-b) > 1e-9`. */
function asClaimed(each: Claim): Claim {
  const [, called = '', args = ''] = /^(\w+ \. \w+) \( (.*) \)$/.exec(each.subject) ?? [];
  if (SAME.test(called)) return equality(args, each.negated);
  if (each.kind === 'equal' && /^(?:reflect|cmp|bytes|slices|maps|proto)$/.test(each.subject))
    return equality(each.expected, each.negated);
  if (/^(?:errors \. (?:Is|As)|os \. Is\w+)$/.test(called)) {
    const [error = '', ...rest] = topLevel(args);
    return claim('exact', error, rest.length > 0 ? rest.join(' , ') : called, { negated: each.negated });
  }
  const near = /^math \. Abs (?:\( )?(.*?) - (.*?)(?: \))?$/.exec(each.subject.replace(/ \)$/, ''));
  if (each.kind === 'bounded' && near)
    return claim('near', (near[1] ?? '').replace(/^\( /, ''), near[2] ?? '', {
      tolerance: Number(each.expected) || 0,
    });
  if (each.kind === 'part' && /^(?:strings|bytes|slices)$/.test(each.subject)) {
    const [first = '', ...rest] = each.expected.split(' , ');
    return claim('part', first, rest.join(' , '), { negated: each.negated });
  }
  return each;
}

function equality(args: string, negated: boolean): Claim {
  const [first = '', ...rest] = topLevel(args);
  const second = rest[0] ?? '';
  const isSwapped = /^(?:want|exp)/i.test(first) || (CONSTANT.test(first) && !CONSTANT.test(second));
  return isSwapped
    ? claim('equal', second, first, { negated })
    : claim('equal', first, second, {
        negated,
        ...(first === second && { vacuous: 'it compares a value with itself' }),
      });
}

/** The arguments of a canonical list. */
function topLevel(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let begin = 0;
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"|[([{]|[)\]}]|,/g)) {
    if (/^[([{]$/.test(match[0])) depth++;
    else if (/^[)\]}]$/.test(match[0])) depth--;
    else if (match[0] === ',' && depth === 0) {
      parts.push(text.slice(begin, match.index).trim());
      begin = match.index + 1;
    }
  }
  parts.push(text.slice(begin).trim());
  return parts.filter((part) => part !== '');
}

/** `cmp.Diff(want, got) != ""`, also where the difference has a name. */
function diffClaim(tokens: Tokens, { from, end }: Span, at: number): Claim | undefined {
  const text = canonical(tokens, { from, end });
  const isDiff = /^(.*?) != ""$|^len \( (.*?) \) (?:>|!=) 0$|^(.*?) != nil$/.exec(text);
  const subject = isDiff?.[1] ?? isDiff?.[2] ?? isDiff?.[3];
  if (subject === undefined) return undefined;
  const value = /^\w+$/.test(subject) ? definitionOf(tokens, subject, at, from) : subject;
  const call = /^(?:\w+ \. )?(?:Diff|DiffStrings|UnifiedDiff|deepDiff|Equal) \( (.*) \)$/.exec(value ?? '');
  if (!call || (/^(?:.*?) != nil$/.test(text) && !/^deep \./.test(value ?? ''))) return undefined;
  return equality(call[1] ?? '', true);
}

function definitionOf(tokens: Tokens, name: string, at: number, end: number): string | undefined {
  for (let index = end; index > Math.max(0, at - 60); index--)
    if (is(tokens, index, name) && is(tokens, index + 1, ':=', '='))
      return definedAt(tokens, index + 1, index)[0]?.text;
  return undefined;
}

/** `got, _ := Parse("2h")`, `_ = s.Put(k, v)`, `_ = err`: an error that nobody looks at. */
function dropped(tokens: Tokens, at: number, blank: number): Found | undefined {
  if (is(tokens, at - 1, ',', 'for', 'func', '(')) return undefined;
  const assign = is(tokens, blank + 1, '=', ':=') ? blank + 1 : -1;
  if (assign === -1 || is(tokens, assign + 1, 'range')) return undefined;
  let end = assign + 1;
  while (end < tokens.length && tokens[end]?.kind !== 'newline' && !is(tokens, end, ';')) {
    const { partner } = tokens[end] as Token;
    end = partner > end ? partner + 1 : end + 1;
  }
  const value = canonical(tokens, { from: assign + 1, end });
  // Only a call can fail; a name may hold what one returned.
  const isCall = value.endsWith(')');
  if (!isCall && !/^\w+$/.test(value)) return undefined;
  const subject = isCall && at !== blank ? `${value} . err` : value;
  return { claims: [claim('equal', subject, 'nil')], end: assign + 1, swallowed: true };
}

// Libraries

type Facts =
  | AssertionKind
  | { readonly kind: AssertionKind; readonly negated?: boolean; readonly expected?: string };

/** testify: without `t`, the expected value first. */
const METHODS: Readonly<Record<string, Facts>> = {
  Equal: 'equal',
  EqualValues: 'equal',
  EqualExportedValues: 'part',
  Exactly: 'equal',
  Same: 'equal',
  JSONEq: 'equal',
  YAMLEq: 'equal',
  ElementsMatch: 'alike',
  EqualError: 'exact',
  DeepEqual: 'equal',
  NotEqual: { kind: 'bounded', negated: true },
  NotSame: { kind: 'bounded', negated: true },
  NotEqualValues: { kind: 'bounded', negated: true },
  True: 'truthy',
  False: 'truthy',
  Nil: { kind: 'equal', expected: 'nil' },
  NotNil: 'exists',
  Empty: { kind: 'exact', expected: 'empty' },
  NotEmpty: 'exists',
  Zero: { kind: 'exact', expected: 'zero' },
  NotZero: 'exists',
  Len: 'size',
  NoError: { kind: 'equal', expected: 'nil' },
  NilError: { kind: 'equal', expected: 'nil' },
  NoErr: { kind: 'equal', expected: 'nil' },
  Error: { kind: 'happens', expected: 'error' },
  ErrorIs: 'exact',
  ErrorAs: 'exact',
  ErrorType: 'exact',
  ErrorContains: 'exact',
  NotErrorIs: { kind: 'bounded', negated: true },
  Contains: 'part',
  NotContains: { kind: 'part', negated: true },
  Subset: 'part',
  NotSubset: { kind: 'part', negated: true },
  Regexp: 'part',
  NotRegexp: { kind: 'part', negated: true },
  IsType: 'bounded',
  Implements: 'bounded',
  Greater: 'bounded',
  GreaterOrEqual: 'bounded',
  Less: 'bounded',
  LessOrEqual: 'bounded',
  Positive: { kind: 'bounded', expected: '> 0' },
  Negative: { kind: 'bounded', expected: '< 0' },
  InDelta: 'near',
  InDeltaSlice: 'near',
  InEpsilon: 'near',
  WithinDuration: 'near',
  WithinRange: 'bounded',
  Panics: { kind: 'happens', expected: 'panic' },
  PanicsWithValue: 'exact',
  PanicsWithError: 'exact',
  NotPanics: 'exists',
  Eventually: 'bounded',
  Never: 'bounded',
  Condition: 'truthy',
  FileExists: 'exists',
  DirExists: 'exists',
  NoFileExists: { kind: 'exact', expected: 'missing' },
  HTTPStatusCode: 'exact',
  HTTPSuccess: 'bounded',
  HTTPBodyContains: 'part',
  AssertExpectations: { kind: 'exact', expected: 'expectations' },
  AssertCalled: 'exact',
  AssertNotCalled: { kind: 'exact', expected: 'not called' },
  AssertNumberOfCalls: 'exact',
  MatchSnapshot: 'snapshot',
  MatchInlineSnapshot: 'snapshot',
  MatchJSON: 'snapshot',
  SnapshotT: 'snapshot',
  Golden: 'snapshot',
  String: 'snapshot',
  Cmp: 'equal',
  Assert: 'truthy',
  Check: 'truthy',
  That: 'truthy',
};

/** Methods whose first argument is what the test got. */
const SUBJECT_FIRST =
  /^(?:Len|Contains|NotContains|Subset|NotSubset|ErrorIs|ErrorAs|ErrorContains|ErrorType|EqualError|NotErrorIs|Greater|GreaterOrEqual|Less|LessOrEqual|PanicsWithError|WithinRange)$/;
/** Checkers of quicktest and gocheck: `c.Assert(got, qt.Equals, want)`. */
const CHECKERS: Readonly<Record<string, Facts>> = {
  Equals: 'equal',
  DeepEquals: 'equal',
  CmpEquals: 'equal',
  ContentEquals: 'exact',
  JSONEquals: 'equal',
  IsNil: { kind: 'equal', expected: 'nil' },
  NotNil: 'exists',
  IsNotNil: 'exists',
  Not: { kind: 'bounded', negated: true },
  HasLen: 'exact',
  Matches: 'part',
  Contains: 'part',
  ErrorMatches: 'exact',
  ErrorIs: 'exact',
  ErrorAs: 'exact',
  PanicMatches: 'exact',
  Panics: 'exact',
  IsTrue: { kind: 'equal', expected: 'true' },
  IsFalse: { kind: 'equal', expected: 'false' },
  Satisfies: 'bounded',
  Implements: 'bounded',
};

const ASSERTERS = /^(?:assert|require|is|must|a|r|qt|td|be|golden|autogold|snaps|cupaloy)$/;

/** Names to which an asserter is assigned: `is := is.New(t)`, `check := assert.New(t)`. */
function assertersIn(tokens: Tokens): Set<string> {
  const names = new Set<string>();
  for (let at = 1; at < tokens.length - 4; at++)
    if (
      is(tokens, at, ':=', '=') &&
      is(tokens, at + 2, '.') &&
      is(tokens, at + 3, 'New', 'NewWithT', 'NewGomegaWithT')
    )
      names.add(tokens[at - 1]?.text ?? '');
  return names;
}

/** `assert.Equal(t, want, got)`, `s.Require().NoError(err)`, `is.Equal(got, want)`. */
function method(file: File, at: number): Found | undefined {
  const { tokens } = file;
  const name = (tokens[at]?.text ?? '').replace(/(?<=[a-z])f$/, '');
  const receiver = tokens[at - 2]?.text ?? '';
  const end = afterBracket(tokens, at + 1);
  if (name === 'Run' && is(tokens, at - 2, 'suite'))
    return { claims: [claim('exact', canonical(tokens, inside(tokens, at + 1)), 'suite')], end };
  if (!Object.hasOwn(METHODS, name)) return undefined;
  const args = split(tokens, inside(tokens, at + 1));
  const isChained =
    receiver === ')' &&
    /\b(?:Require|Assert|assert|require) \( /.test(canonical(tokens, { from: Math.max(0, at - 8), end: at }));
  const hasTesting = args[0] !== undefined && isTestingValue(file, canonical(tokens, args[0]));
  const isSuite = /^(?:s|suite|ts|su|its|c)$/.test(receiver) && !is(tokens, at - 3, '.') && !hasTesting;
  if (
    !ASSERTERS.test(receiver) &&
    !file.asserters.has(receiver) &&
    !isChained &&
    !isSuite &&
    !hasTesting &&
    !/^Assert[A-Z]/.test(name)
  )
    return undefined;
  const rest = hasTesting ? args.slice(1) : args;
  const checker = rest[1] && checkerOf(tokens, rest[1]);
  if (/^(?:Assert|Check|That)$/.test(name) && checker && rest[0])
    return { claims: [factsClaim(tokens, checker, rest[0], rest[2])], end };
  // The methods of a suite's other fields have these names, too: `s.String()`.
  if (rest.length === 0)
    return /^Assert[A-Z]/.test(name) ? { claims: [claim('exact', receiver, name)], end } : undefined;
  return { claims: libraryClaims(file, name, rest), end };
}

function checkerOf(tokens: Tokens, { from, end }: Span): Facts | undefined {
  const name = is(tokens, end - 1, ')') ? (tokens[from + 2]?.text ?? '') : (tokens[end - 1]?.text ?? '');
  return Object.hasOwn(CHECKERS, name) ? CHECKERS[name] : undefined;
}

function factsClaim(tokens: Tokens, facts: Facts, subject: Span, expected: Span | undefined): Claim {
  const { kind, negated = false, expected: word = '' } = typeof facts === 'string' ? { kind: facts } : facts;
  const about = canonical(tokens, subject);
  const value = expected ? canonical(tokens, expected) : word;
  const vacuous =
    isConstant(tokens, subject) && (!expected || isConstant(tokens, expected))
      ? 'it compares constants'
      : about === value && !negated && /^(?:equal|exact|near)$/.test(kind)
        ? 'it compares a value with itself'
        : undefined;
  return claim(kind, about, value, { negated, ...(vacuous !== undefined && { vacuous }) });
}

function libraryClaims(file: File, name: string, args: readonly Span[]): Claim[] {
  const { tokens } = file;
  const [first, second, third] = args as readonly [Span, Span?, Span?];
  const facts = METHODS[name] as Facts;
  const kind = typeof facts === 'string' ? facts : facts.kind;
  if (kind === 'truthy') return claimsOf(tokens, first, name === 'False').map((each) => asClaimed(each));
  const takesTwo = typeof facts === 'string' || (facts.negated === true && second !== undefined);
  if (!takesTwo || !second) {
    const one = factsClaim(tokens, facts, first, undefined);
    // `assert.Contains(t, got, "")` says nothing, nor does `assert.NotNil(t, 3)`.
    return [one];
  }
  const isSwapped =
    !SUBJECT_FIRST.test(name) &&
    (!file.gotFirst || isConstant(tokens, first)) &&
    !(isConstant(tokens, second) && !isConstant(tokens, first));
  const [subject, expected] = isSwapped ? [second, first] : [first, second];
  const one = factsClaim(tokens, facts, subject, expected);
  const tolerance = kind === 'near' && third ? Number(canonical(tokens, third)) : undefined;
  if (kind === 'part' && one.expected === '""')
    return [{ ...one, vacuous: 'every text contains the empty one' }];
  if (/^GreaterOrEqual$/.test(name) && /^len \(/.test(one.subject) && one.expected === '0')
    return [{ ...one, vacuous: 'a length is never below 0' }];
  return [{ ...one, ...(tolerance !== undefined && { tolerance }) }];
}

const MATCHERS: Readonly<Record<string, Facts>> = {
  Equal: 'equal',
  BeEquivalentTo: 'equal',
  BeIdenticalTo: 'equal',
  BeComparableTo: 'equal',
  BeTrue: { kind: 'equal', expected: 'true' },
  BeFalse: { kind: 'equal', expected: 'false' },
  BeTrueBecause: { kind: 'equal', expected: 'true' },
  BeNil: { kind: 'equal', expected: 'nil' },
  BeZero: { kind: 'exact', expected: 'zero' },
  BeEmpty: { kind: 'exact', expected: 'empty' },
  HaveOccurred: { kind: 'happens', expected: 'error' },
  Succeed: { kind: 'equal', expected: 'nil' },
  MatchError: 'exact',
  HaveLen: 'size',
  HaveCap: 'exact',
  ConsistOf: 'alike',
  HaveExactElements: 'exact',
  HaveKeyWithValue: 'exact',
  HaveField: 'exact',
  HaveHTTPStatus: 'exact',
  HaveHTTPBody: 'exact',
  ContainElement: 'part',
  ContainElements: 'part',
  ContainSubstring: 'part',
  HavePrefix: 'part',
  HaveSuffix: 'part',
  HaveKey: 'part',
  MatchRegexp: 'part',
  MatchJSON: 'equal',
  MatchYAML: 'equal',
  MatchFields: 'part',
  MatchAllFields: 'equal',
  BeNumerically: 'bounded',
  BeElementOf: 'bounded',
  BeAssignableToTypeOf: 'bounded',
  BeTemporally: 'bounded',
  Satisfy: 'bounded',
  Panic: { kind: 'happens', expected: 'panic' },
  PanicWith: 'exact',
  Receive: 'happens',
  BeClosed: 'happens',
  And: 'exact',
  SatisfyAll: 'exact',
  Or: 'bounded',
  SatisfyAny: 'bounded',
  Not: { kind: 'bounded', negated: true },
};

/** `Expect(err).NotTo(HaveOccurred())`, `Eventually(f).Should(Equal(3))`. */
function gomega(tokens: Tokens, at: number): Found | undefined {
  const args = split(tokens, inside(tokens, at + 1));
  const subject = is(tokens, at, 'ExpectWithOffset') ? args[1] : args[0];
  let index = afterBracket(tokens, at + 1);
  while (is(tokens, index, '.')) {
    const word = tokens[index + 1]?.text ?? '';
    const open = index + 2;
    if (!is(tokens, open, '(')) return undefined;
    const end = afterBracket(tokens, open);
    if (/^(?:To|ToNot|NotTo|Should|ShouldNot)$/.test(word) && subject) {
      const matcher = split(tokens, inside(tokens, open))[0];
      return matcher && { claims: [matched(tokens, subject, matcher, /Not/.test(word))], end };
    }
    index = end;
  }
  // `Expect(x)` alone asserts nothing.
  return { claims: [], end: index };
}

function matched(tokens: Tokens, subject: Span, matcher: Span, negated: boolean): Claim {
  let { from } = matcher;
  while (is(tokens, from + 1, '.')) from += 2;
  const name = tokens[from]?.text ?? '';
  const args = is(tokens, from + 1, '(') ? split(tokens, inside(tokens, from + 1)) : [];
  if (name === 'Not' && args[0]) return matched(tokens, subject, args[0], !negated);
  const about = canonical(tokens, subject);
  // An error that did not occur.
  if (name === 'HaveOccurred' && negated) return claim('equal', about, 'nil');
  if (name === 'BeNil' && negated) return claim('exists', about);
  if ((name === 'BeEmpty' || name === 'BeZero') && negated) return claim('exists', about);
  if ((name === 'BeTrue' || name === 'BeFalse') && args.length === 0) {
    const [only, ...others] = claimsOf(tokens, subject, (name === 'BeFalse') !== negated);
    if (only && others.length === 0 && (only.kind !== 'truthy' || only.vacuous !== undefined))
      return asClaimed(only);
  }
  const operator = stringValue(tokens[args[0]?.from ?? -1]);
  if (name === 'BeNumerically' && (operator === '==' || operator === '~') && args[1]) {
    const tolerance = operator === '~' ? Number(args[2] ? canonical(tokens, args[2]) : 1e-8) : 0;
    return claim(operator === '~' ? 'near' : 'equal', about, canonical(tokens, args[1]), {
      negated,
      tolerance,
    });
  }
  const facts = Object.hasOwn(MATCHERS, name) ? (MATCHERS[name] as Facts) : ('exact' as const);
  const one = factsClaim(tokens, facts, subject, undefined);
  const all = args.map((arg) => canonical(tokens, arg)).join(' , ');
  const expected = all === '' ? one.expected : all;
  const isConstantPair = isConstant(tokens, subject) && args.every((arg) => isConstant(tokens, arg));
  const vacuous = isConstantPair
    ? 'it compares constants'
    : one.kind === 'equal' && about === all && !negated
      ? 'it compares a value with itself'
      : undefined;
  return claim(one.kind, about, expected, { negated, ...(vacuous !== undefined && { vacuous }) });
}

const CONVEY: Readonly<Record<string, Facts>> = {
  ShouldEqual: 'equal',
  ShouldResemble: 'equal',
  ShouldEqualJSON: 'equal',
  ShouldAlmostEqual: 'near',
  ShouldBeNil: { kind: 'equal', expected: 'nil' },
  ShouldNotBeNil: 'exists',
  ShouldBeTrue: { kind: 'equal', expected: 'true' },
  ShouldBeFalse: { kind: 'equal', expected: 'false' },
  ShouldHaveLength: 'exact',
  ShouldBeEmpty: { kind: 'exact', expected: 'empty' },
  ShouldNotBeEmpty: 'exists',
  ShouldContainSubstring: 'part',
  ShouldContain: 'part',
  ShouldPanic: { kind: 'happens', expected: 'panic' },
  ShouldPanicWith: 'exact',
  ShouldBeGreaterThan: 'bounded',
  ShouldBeLessThan: 'bounded',
  ShouldNotEqual: { kind: 'bounded', negated: true },
  ShouldNotResemble: { kind: 'bounded', negated: true },
};

/** `So(total, ShouldEqual, 3)` */
function convey(tokens: Tokens, at: number): Found | undefined {
  const [subject, checker, expected] = split(tokens, inside(tokens, at + 1));
  if (!subject || !checker) return undefined;
  const name = tokens[checker.end - 1]?.text ?? '';
  const facts = Object.hasOwn(CONVEY, name) ? (CONVEY[name] as Facts) : 'exact';
  return { claims: [factsClaim(tokens, facts, subject, expected)], end: afterBracket(tokens, at + 1) };
}
