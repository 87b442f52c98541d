import { LANGUAGES } from '../languages.ts';
import { type Comment, lex, type Source, type Token } from '../lexer.ts';
import { MOST_INHERITED, readOnce } from './collect-assertions.ts';
import { asTruthValue, type Claim, claim, claimsOf } from './comparison.ts';
import { type Definition, type Resolve, resolver } from './definitions.ts';
import { allOf, type Block, calledIn, type Flow, type FlowWords, flowIn, leaves } from './flow.ts';
import type { Assertion, AssertionKind, TableRow, Test, TestFile, TestReader, TestState } from './model.ts';
import {
  afterBracket,
  canonical,
  countName,
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
  type Tokens,
} from './tokens.ts';
import { substituted } from './values.ts';

/** Rust: the built-in tests and documentation tests, tokio, rstest, test-case, proptest, insta, approx, claims, googletest. */
export const rust: TestReader = {
  // Tests are beside the code.
  isTestPath: (path) => path.endsWith('.rs') && !/(?:^|\/)target\//.test(path),
  mayHaveTests: (text) => /#\[[^\]]*(?:test|bench)|\bproptest!|```|\bquickcheck!/.test(text),
  read,
  withoutTests,
};

/** What makes a test fail, in canonical form. */
const FAILS =
  /\b(?:panic|unreachable|todo|unimplemented|bail|ensure|assert\w*|prop_assert\w*|debug_assert\w*) !|\bErr \(|\bresume_unwind \(|\bexit \(|\?$/;

const FLOW: FlowWords = {
  conditions: ['if', 'while'],
  branches: [],
  tries: [],
  catches: [],
  exits: ['return', 'continue', 'break'],
  fails: FAILS,
  never: ['false', '! true', 'cfg ! ( any ( ) )'],
  always: ['true', '! false', 'cfg ! ( all ( ) )', 'cfg ! ( test )'],
  special: { let: unusedClosure },
  reports: FAILS,
};

/** `let check = |sum| …;` */
interface Closure extends Span {
  readonly name: string;
  readonly parameters: readonly string[];
}

function closureAt(tokens: Tokens, index: number, end: number): Closure | undefined {
  const at = is(tokens, index + 1, 'mut') ? index + 2 : index + 1;
  const from = is(tokens, at + 2, 'move') ? at + 3 : at + 2;
  if (!is(tokens, at + 1, '=') || !is(tokens, from, '|', '||')) return undefined;
  const last = find(tokens, { from, end }, ';');
  if (last === -1) return undefined;
  const bar = is(tokens, from, '|') ? find(tokens, { from: from + 1, end: last }, '|') : from;
  const parameters = split(tokens, { from: from + 1, end: bar }).map((each) => tokens[each.from]?.text ?? '');
  return { name: tokens[at]?.text ?? '', parameters, from, end: last };
}

function unusedClosure(tokens: Tokens, index: number, span: Span): Block | undefined {
  const closure = closureAt(tokens, index, span.end);
  if (!closure || countName(tokens, closure.name, { from: closure.end, end: span.end }) > 0) return undefined;
  return { from: closure.from, end: closure.end, dead: true };
}

interface RustFunction {
  readonly name: string;
  readonly line: number;
  /** The first token of its attributes. */
  readonly from: number;
  readonly attributes: readonly string[];
  readonly params: Span;
  readonly body: Span;
}

interface Module extends Span {
  readonly name: string;
  readonly attributes: readonly string[];
}

interface File {
  readonly tokens: Tokens;
  readonly functions: ReadonlyMap<string, RustFunction>;
  readonly definitions: readonly Definition[];
  readonly ofHelper: (helper: RustFunction) => readonly Placed[];
}

const TEST = /^(?:\w+ :: )*(?:test|rstest|test_case|gtest|wasm_bindgen_test|quickcheck|bench|apply)(?: |$)/;

function read(source: Source): TestFile {
  const { tokens, comments } = source;
  const all = functionsIn(tokens);
  const modules = modulesIn(tokens);
  const tests = all.filter(isTest);
  const helpers = new Map(all.filter((each) => !isTest(each)).map((each) => [each.name, each]));
  const file: File = {
    tokens,
    functions: helpers,
    definitions: constantsIn(tokens),
    ofHelper: readOnce(({ body }: RustFunction) => assertionsIn(file, body, scopeOf(file, body))),
  };
  const outer = innerAttributes(tokens);
  return {
    tests: [
      ...tests.map((each) => toTest(file, each, modules, outer)),
      ...generatedTests(tokens),
      ...documentationTests(tokens, comments),
    ],
    functions: new Map([...helpers].map(([name, { body }]) => [name, canonical(tokens, body)])),
    mocks: [],
  };
}

/** The text without its tests and comments, to see whether the code changed. */
function withoutTests(text: string, path: string): string {
  if (/(?:^|\/)tests\//.test(path)) return '';
  const { tokens } = lex(text, LANGUAGES.rust);
  const gone: Span[] = [
    ...modulesIn(tokens).filter(({ attributes }) =>
      attributes.some((each) => /^cfg \( .*\btest\b/.test(each)),
    ),
    ...functionsIn(tokens)
      .filter(isTest)
      .map(({ from, body }) => ({ from, end: body.end + 1 })),
  ].toSorted((a, b) => a.from - b.from);
  let kept = '';
  let at = 0;
  for (const { from, end } of gone) {
    if (from < at) continue;
    kept += ` ${canonical(tokens, { from: at, end: from })}`;
    at = end;
  }
  return `${kept} ${canonical(tokens, { from: at, end: tokens.length })}`.trim();
}

// Items

/** The attributes in front of an item whose keyword is at an index, and where they begin. */
function attributesBefore(tokens: Tokens, at: number): { attributes: string[]; from: number } {
  let from = at;
  for (;;) {
    const before = tokens[from - 1];
    if (before?.kind === 'name' && /^(?:pub|async|unsafe|const|extern|default)$/.test(before.text)) from--;
    else if (before?.kind === 'string' && is(tokens, from - 2, 'extern')) from--;
    else if (before?.text === ')' && is(tokens, before.partner - 1, 'pub')) from = before.partner - 1;
    else break;
  }
  const attributes: string[] = [];
  while (is(tokens, from - 1, ']')) {
    const open = tokens[from - 1]?.partner ?? -1;
    if (open < 1 || !is(tokens, open - 1, '#')) break;
    attributes.unshift(canonical(tokens, inside(tokens, open)));
    from = open - 1;
  }
  return { attributes, from };
}

function functionsIn(tokens: Tokens): RustFunction[] {
  const functions: RustFunction[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!is(tokens, at, 'fn') || !isName(tokens, at + 1)) continue;
    const open = find(tokens, { from: at + 2, end: tokens.length }, '(');
    if (open === -1) continue;
    const brace = find(tokens, { from: afterBracket(tokens, open), end: tokens.length }, '{', ';');
    if (brace === -1 || !is(tokens, brace, '{')) continue;
    functions.push({
      name: tokens[at + 1]?.text ?? '',
      line: tokens[at]?.line ?? 0,
      ...attributesBefore(tokens, at),
      params: inside(tokens, open),
      body: inside(tokens, brace),
    });
  }
  return functions;
}

function modulesIn(tokens: Tokens): Module[] {
  const modules: Module[] = [];
  for (let at = 0; at < tokens.length; at++)
    if (is(tokens, at, 'mod') && isName(tokens, at + 1) && is(tokens, at + 2, '{')) {
      const { attributes, from } = attributesBefore(tokens, at);
      modules.push({ name: tokens[at + 1]?.text ?? '', attributes, from, end: afterBracket(tokens, at + 2) });
    }
  return modules;
}

/** `#![cfg(feature = "slow")]` */
function innerAttributes(tokens: Tokens): string[] {
  const attributes: string[] = [];
  for (let at = 0; is(tokens, at, '#') && is(tokens, at + 1, '!') && is(tokens, at + 2, '['); ) {
    attributes.push(canonical(tokens, inside(tokens, at + 2)));
    at = afterBracket(tokens, at + 2);
  }
  return attributes;
}

function isTest({ attributes }: RustFunction): boolean {
  return attributes.some((each) => TEST.test(each));
}

// Whether a test runs

interface Marks {
  readonly state: TestState;
  readonly condition?: string | undefined;
}

function marksOf(attributes: readonly string[]): Marks {
  const conditions: string[] = [];
  for (const each of attributes) {
    if (/^ignore\b/.test(each)) return { state: 'skipped' };
    const ignored = /^cfg_attr \( (.*) , ignore\b.*\)$/.exec(each)?.[1];
    if (ignored !== undefined) {
      const holds = cfg(ignored);
      if (holds === true) return { state: 'skipped' };
      if (holds === undefined) conditions.push(`not ( ${ignored} )`);
    }
    const required = /^cfg \( (.*) \)$/.exec(each)?.[1];
    if (required === undefined) continue;
    const holds = cfg(required);
    if (holds === false) return { state: 'skipped' };
    if (holds === undefined) conditions.push(required);
  }
  return conditions.length > 0
    ? { state: 'conditional', condition: conditions.join(' && ') }
    : { state: 'runs' };
}

/** Whether a predicate of `cfg` holds in a test; undefined if that depends on something. */
function cfg(text: string): boolean | undefined {
  if (text === 'test' || text === 'true' || text === 'debug_assertions') return true;
  if (text === 'false' || text === 'FALSE') return false;
  const [, word, inner = ''] = /^(all|any|not) \((.*)\)$/.exec(text) ?? [];
  if (word === undefined) return undefined;
  const parts = predicates(inner.trim()).map(cfg);
  if (word === 'not') return parts[0] === undefined ? undefined : !parts[0];
  const decides = word === 'any';
  if (parts.includes(decides)) return decides;
  return parts.includes(undefined) ? undefined : !decides;
}

function predicates(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part: string[] = [];
  for (const word of text === '' ? [] : text.split(' ')) {
    if (word === '(') depth++;
    if (word === ')') depth--;
    if (word === ',' && depth === 0) {
      parts.push(part.join(' '));
      part = [];
    } else part.push(word);
  }
  return part.length > 0 ? [...parts, part.join(' ')] : parts;
}

function toTest(file: File, each: RustFunction, modules: readonly Module[], outer: readonly string[]): Test {
  const { tokens } = file;
  const { body, attributes, name, line, from } = each;
  const around = modules.filter((module) => module.from < from && body.end <= module.end);
  const marks = marksOf([...outer, ...around.flatMap((module) => module.attributes), ...attributes]);
  const scope = scopeOf(file, body);
  const own = assertionsIn(file, body, scope);
  const panic = attributes.find((attribute) => attribute.startsWith('should_panic'));
  const loops = loopsIn(tokens, body).filter((loop) =>
    own.some(({ at }) => loop.from <= at && at < loop.end),
  );
  const table = attributeTable(tokens, each);
  const isOpposed = panic !== undefined && own.some(({ macro }) => macro);
  const span = { from, end: body.end };
  return {
    name: [...around.map((module) => module.name), name].join(' > '),
    line,
    // What panics is a failure of an assertion as well as of the code.
    state: marks.state === 'runs' && isOpposed ? 'expected-to-fail' : marks.state,
    condition: marks.condition,
    focused: false,
    cases: loops.reduce((product, { count }) => product * Math.max(1, count), table.cases),
    dynamic: loops.some(({ dynamic }) => dynamic),
    body: canonical(tokens, body),
    statements: countStatements(tokens, body),
    assertions: [
      ...(panic === undefined ? [] : [{ ...panicClaim(panic), line, swallowed: false, dead: false }]),
      ...own.map(({ at: _, macro: __, ...assertion }) => ({
        ...assertion,
        swallowed: assertion.swallowed || panic !== undefined,
      })),
    ],
    names: namesIn(tokens, body),
    literals: new Set(
      [span, ...loops.flatMap(({ rows }) => rows ?? [])].flatMap((part) => [...literalsIn(tokens, part)]),
    ),
    rows: [...table.rows, ...loops.flatMap(({ table: rows }) => rows ?? [])],
  };
}

function panicClaim(attribute: string): Claim {
  const expected = /"(.*)"/.exec(attribute)?.[1];
  return expected ? claim('exact', 'the panic', expected) : claim('happens', 'the panic');
}

// Tables

const RESULTS = /^_?(?:want|exp|output|out$|result|res$|err|golden|ok$|valid)|(?:want|expected)$/;

/** `#[case("a", 1)]`, `#[test_case("a" => 1)]`, `#[values(1, 2)]` */
function attributeTable(
  tokens: Tokens,
  { attributes, params, from, body }: RustFunction,
): { cases: number; rows: TableRow[] } {
  const columns = split(tokens, params)
    .filter((param) => find(tokens, param, 'case') !== -1 || !is(tokens, param.from, '#'))
    .map((param) => tokens[Math.max(param.from, find(tokens, param, ':') - 1)]?.text ?? '');
  let values = 1;
  for (let at = params.from; at < params.end; at++)
    if (is(tokens, at, 'values') && is(tokens, at - 1, '[') && is(tokens, at + 1, '('))
      values *= Math.max(1, split(tokens, inside(tokens, at + 1)).length);
  const rows: TableRow[] = [];
  let cases = attributes.filter((each) => /^(?:test_case|case)(?: :: \w+)? \(/.test(each)).length;
  for (let at = from; at < params.from; at++) {
    if (!is(tokens, at, 'case', 'test_case') || !is(tokens, at - 1, '[', '::')) continue;
    const open = find(tokens, { from: at, end: body.from }, '(', ']');
    if (open === -1 || !is(tokens, open, '(')) continue;
    const whole = inside(tokens, open);
    const title = find(tokens, whole, ';');
    rows.push(...tupleRows(tokens, { from: whole.from, end: title === -1 ? whole.end : title }, columns));
  }
  cases = Math.max(1, cases);
  return { cases: cases * values, rows };
}

/** What the columns of one row expect: those named so, else the last. */
function tupleRows(tokens: Tokens, span: Span, columns: readonly string[]): TableRow[] {
  const arrow = find(tokens, span, '=>');
  if (arrow !== -1)
    return [
      {
        input: canonical(tokens, { from: span.from, end: arrow }),
        column: '',
        expected: canonical(tokens, { from: arrow + 1, end: span.end }),
      },
    ];
  const parts = split(tokens, span);
  if (parts.length < 2) return [];
  const cells = parts.map((part, index) => {
    const isKeyed = is(tokens, part.from + 1, ':');
    const column = isKeyed ? (tokens[part.from]?.text ?? '') : (columns[index] ?? '');
    const text = canonical(tokens, { from: isKeyed ? part.from + 2 : part.from, end: part.end });
    return { column, text, isResult: RESULTS.test(column) };
  });
  const named = cells.some(({ isResult }) => isResult);
  const isResult = (index: number) => (named ? cells[index]?.isResult === true : index === cells.length - 1);
  const input = cells
    .filter(({ column }, index) => !isResult(index) && !/^_?(?:name|desc|title|label)/.test(column))
    .map(({ text }) => text)
    .join(' , ');
  if (input === '') return [];
  return cells.flatMap(({ column, text }, index) =>
    isResult(index) ? { input, column, expected: text } : [],
  );
}

interface Loop extends Span {
  readonly count: number;
  readonly dynamic: boolean;
  readonly rows?: Span | undefined;
  readonly table?: readonly TableRow[] | undefined;
}

/** `for (input, want) in [("a", 1), ("b", 2)] {…}` */
function loopsIn(tokens: Tokens, body: Span): Loop[] {
  const loops: Loop[] = [];
  for (let at = body.from; at < body.end; at++) {
    if (!is(tokens, at, 'for')) continue;
    const word = find(tokens, { from: at + 1, end: body.end }, 'in');
    const brace = word === -1 ? -1 : find(tokens, { from: word, end: body.end }, '{');
    if (brace === -1) continue;
    const columns = [...namesIn(tokens, { from: at + 1, end: word })];
    const block = inside(tokens, brace);
    const table = tableAt(tokens, { from: word + 1, end: brace }, body, columns, 0);
    loops.push({ ...table, ...block, ...(leaves(tokens, block) && { count: 1 }) });
  }
  return loops;
}

function tableAt(
  tokens: Tokens,
  { from, end }: Span,
  body: Span,
  columns: readonly string[],
  depth: number,
): Omit<Loop, 'from' | 'end'> {
  const unknown = { count: 1, dynamic: true };
  if (is(tokens, from, '&')) return tableAt(tokens, { from: from + 1, end }, body, columns, depth);
  const open = is(tokens, from, '[')
    ? from
    : is(tokens, from, 'vec') && is(tokens, from + 1, '!')
      ? from + 2
      : -1;
  if (open !== -1) {
    const rows = inside(tokens, open);
    const parts = split(tokens, rows);
    const repeated = find(tokens, rows, ';') !== -1;
    const table = parts.flatMap((part) => {
      const bracket = find(tokens, part, '(', '{');
      return bracket === -1 ? [] : tupleRows(tokens, inside(tokens, bracket), columns);
    });
    return narrowed(
      tokens,
      { from: afterBracket(tokens, open), end },
      repeated ? unknown : { count: parts.length, dynamic: false, rows, table },
    );
  }
  if (!isName(tokens, from) || depth > 2) return unknown;
  const name = tokens[from]?.text ?? '';
  for (let at = from - 1; at >= 0; at--) {
    const isBinding = is(tokens, at, name) && is(tokens, at - 1, 'let', 'const', 'static', 'mut');
    if (!isBinding || (is(tokens, at - 1, 'let', 'mut') && at < body.from)) continue;
    const equals = find(tokens, { from: at, end: tokens.length }, '=', ';');
    const stop = find(tokens, { from: equals, end: tokens.length }, ';');
    if (equals === -1 || !is(tokens, equals, '=')) return unknown;
    return narrowed(
      tokens,
      { from: from + 1, end },
      tableAt(
        tokens,
        { from: equals + 1, end: stop === -1 ? tokens.length : stop },
        body,
        columns,
        depth + 1,
      ),
    );
  }
  return unknown;
}

/** `.iter().take(1)`, `[..1]` */
function narrowed(
  tokens: Tokens,
  { from, end }: Span,
  table: Omit<Loop, 'from' | 'end'>,
): Omit<Loop, 'from' | 'end'> {
  let { count } = table;
  for (let at = from; at < end; at++) {
    const argument = () => Number(canonical(tokens, inside(tokens, at + 1)));
    if (is(tokens, at, 'take') && is(tokens, at + 1, '(')) count = Math.min(count, argument());
    else if (is(tokens, at, 'skip') && is(tokens, at + 1, '(')) count -= argument();
    else if (is(tokens, at, '[')) {
      const range = canonical(tokens, inside(tokens, at));
      const [, first = '', last = ''] = /^(\d*) \.\. ?(\d*)$|^\.\. (\d+)$/.exec(range) ?? [];
      const upTo = /^\.\. (\d+)$/.exec(range)?.[1];
      count = Math.min(count, Number(upTo ?? (last || count))) - Number(first || 0);
    }
  }
  return Number.isNaN(count) ? { ...table, dynamic: true } : { ...table, count: Math.max(1, count) };
}

/** The entries of a macro of the file that makes tests: `cases! { adds: (1, 2, 3), }`. */
function generatedTests(tokens: Tokens): Test[] {
  const makers = new Set<string>();
  for (let at = 0; at < tokens.length; at++)
    if (is(tokens, at, 'macro_rules') && is(tokens, at + 3, '{')) {
      const text = canonical(tokens, inside(tokens, at + 3));
      if (/# \[ (?:\w+ :: )?test \]/.test(text)) makers.add(tokens[at + 2]?.text ?? '');
    }
  if (makers.size === 0) return [];
  const tests: Test[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const name = tokens[at]?.text ?? '';
    if (!makers.has(name) || !is(tokens, at + 1, '!') || !is(tokens, at + 2, '{', '(', '[')) continue;
    for (const part of split(tokens, inside(tokens, at + 2)).flatMap((each) => split(tokens, each, ';'))) {
      const text = canonical(tokens, part);
      tests.push({
        name: `${name} > ${tokens[part.from]?.text ?? ''}`,
        line: tokens[part.from]?.line ?? 0,
        state: 'runs',
        focused: false,
        cases: 1,
        body: text,
        statements: 1,
        assertions: [
          {
            ...claim('equal', tokens[part.from]?.text ?? '', text),
            line: tokens[part.from]?.line ?? 0,
            swallowed: false,
            dead: false,
          },
        ],
        names: namesIn(tokens, part),
        literals: literalsIn(tokens, part),
      });
    }
  }
  return tests;
}

// Documentation tests

/** Words after a fence that leave it a test. */
const RUNS = /^(?:rust|should_panic|edition\d+|standalone(?:_crate)?)$/;
const SKIPS = /^(?:ignore(?:-.*)?|no_run|compile_fail)$/;

function documentationTests(tokens: Tokens, comments: readonly Comment[]): Test[] {
  const lines = comments.flatMap(({ text, line }) => {
    const isDocumentation = /^[/!](?!\/)|^\*(?!\*)/.test(text);
    return isDocumentation
      ? text
          .slice(1)
          .split('\n')
          .map((each, index) => ({
            text: each.replace(/^\s*\* ?/, '').replace(/^ /, ''),
            line: line + index,
          }))
      : [];
  });
  const tests: Test[] = [];
  const numbers = new Map<string, number>();
  for (let index = 0; index < lines.length; index++) {
    const fence = /^\s*(```+|~~~+)\s*(.*)$/.exec(lines[index]?.text ?? '');
    if (!fence) continue;
    const begin = index + 1;
    index = begin;
    while (index < lines.length && !(lines[index]?.text.trim() ?? '').startsWith(fence[1] ?? '```')) index++;
    const words = (fence[2] ?? '').split(/[\s,{}]+/).filter(Boolean);
    if (!words.every((word) => RUNS.test(word) || SKIPS.test(word))) continue;
    const text = lines
      .slice(begin, index)
      .map((each) => each.text.replace(/^\s*# /, ''))
      .join('\n');
    const line = lines[begin - 1]?.line ?? 1;
    const item = itemAfter(tokens, line);
    const number = (numbers.get(item) ?? 0) + 1;
    numbers.set(item, number);
    tests.push(
      documentationTest(`documentation of ${item}${number > 1 ? ` (${number})` : ''}`, line, text, words),
    );
  }
  return tests;
}

function itemAfter(tokens: Tokens, line: number): string {
  for (let at = 0; at < tokens.length; at++)
    if (
      (tokens[at]?.line ?? 0) > line &&
      is(
        tokens,
        at,
        'fn',
        'struct',
        'enum',
        'trait',
        'mod',
        'impl',
        'const',
        'type',
        'macro_rules',
        'use',
        'static',
      )
    )
      return tokens[at + 1]?.text === '!' ? (tokens[at + 2]?.text ?? '') : (tokens[at + 1]?.text ?? '');
  return 'the crate';
}

function documentationTest(name: string, line: number, text: string, words: readonly string[]): Test {
  const { tokens } = lex(text, LANGUAGES.rust);
  const span = { from: 0, end: tokens.length };
  const file: File = { tokens, functions: new Map(), definitions: [], ofHelper: () => [] };
  const found = assertionsIn(file, span, scopeOf(file, span));
  return {
    name,
    line,
    state: words.some((word) => SKIPS.test(word)) ? 'skipped' : 'runs',
    focused: false,
    cases: 1,
    body: canonical(tokens, span),
    statements: countStatements(tokens, span),
    assertions: found.map(({ at: _, macro: __, ...each }) => ({ ...each, line: line + each.line })),
    names: namesIn(tokens, span),
    literals: literalsIn(tokens, span),
  };
}

// Definitions

/** `const EPSILON: f64 = 1e-9;` */
function constantsIn(tokens: Tokens): Definition[] {
  const found: Definition[] = [];
  for (let at = 0; at < tokens.length; at++)
    if (is(tokens, at, 'const', 'static') && isName(tokens, at + 1) && is(tokens, at + 2, ':'))
      found.push(...definedAt(tokens, at + 1).map((each) => ({ ...each, at: -1 })));
  return found;
}

function localDefinitions(tokens: Tokens, { from, end }: Span): Definition[] {
  const found: Definition[] = [];
  for (let at = from; at < end; at++)
    if (is(tokens, at, 'let') && !is(tokens, at - 1, 'if', 'while', '&&'))
      found.push(...definedAt(tokens, is(tokens, at + 1, 'mut') ? at + 2 : at + 1));
  return found;
}

/** `let (a, b) = f();` defines both. */
function definedAt(tokens: Tokens, at: number): Definition[] {
  const equals = find(tokens, { from: at, end: tokens.length }, '=', ';');
  if (equals === -1 || !is(tokens, equals, '=')) return [];
  const stop = find(tokens, { from: equals, end: tokens.length }, ';', 'else');
  const text = asSuccess(canonical(tokens, { from: equals + 1, end: stop === -1 ? tokens.length : stop }));
  if (/\|/.test(text.slice(0, 2))) return [];
  if (is(tokens, at, '('))
    return split(tokens, inside(tokens, at)).flatMap((part, index) =>
      part.end === part.from + 1
        ? { name: tokens[part.from]?.text ?? '', at, text: `${text} . ${index}` }
        : [],
    );
  return isName(tokens, at) && is(tokens, at + 1, '=', ':')
    ? [{ name: tokens[at]?.text ?? '', at, text }]
    : [];
}

/** Without what only asks for success, so that `f()?` and `f().unwrap()` are the same value. */
function asSuccess(text: string): string {
  return (
    text
      .replaceAll(' ?.', ' .')
      .replace(/ \. (?:unwrap|expect) \( (?:"(?:[^"\\]|\\.)*" )?\)| \?+(?= |$)| \. await(?= |$)/g, '')
      .replace(/^(?:[&*] (?:mut )?)+/, '')
      // Forms of the same text or list.
      .replace(/\bString :: from \( ("(?:[^"\\]|\\.)*") \)/g, '$1')
      .replace(/("(?:[^"\\]|\\.)*") \. (?:to_string|to_owned|into) \( \)/g, '$1')
      .replace(/\bvec ! \[/g, '[')
  );
}

// Assertions

interface Scope {
  readonly flow: (at: number) => Flow;
  readonly resolve: Resolve;
}

function scopeOf({ tokens, definitions }: File, span: Span): Scope {
  const flow = flowIn(tokens, span, FLOW);
  const droppedAround = spansAround(unwindings(tokens, span));
  const armsAround = spansAround(silentMatches(tokens, span));
  const resolve = resolver([...definitions, ...localDefinitions(tokens, span)]);
  return {
    resolve: (text, at) => asSuccess(resolve(text, at)),
    flow: (at) => {
      const around = flow(at);
      const matched = armsAround(at).map(({ condition }) => condition);
      return {
        dead: around.dead,
        swallowed: around.swallowed || droppedAround(at).length > 0,
        condition: allOf(around.condition, ...matched),
      };
    },
  };
}

/** What is inside of `let _ = catch_unwind(…);` or `spawn(…);`: its failure is dropped. */
function unwindings(tokens: Tokens, { from, end }: Span): Span[] {
  const found: Span[] = [];
  for (let at = from; at < end; at++) {
    if (!is(tokens, at, 'catch_unwind', 'spawn') || !is(tokens, at + 1, '(')) continue;
    const after = afterBracket(tokens, at + 1);
    let begin = at;
    while (begin > from && !/^[;{}]$/.test(tokens[begin - 1]?.text ?? '')) begin--;
    const isDropped = is(tokens, begin, 'let')
      ? /^_/.test(tokens[begin + 1]?.text ?? '')
      : is(tokens, after, ';') || canonical(tokens, { from: after, end: after + 5 }).startsWith('. ok ( )');
    // The threads of a scope are joined at its end.
    if (isDropped && !is(tokens, at - 1, '.')) found.push(inside(tokens, at + 1));
  }
  return found;
}

interface Arm extends Span {
  readonly condition: string;
  readonly pattern: string;
}

function armsOf(tokens: Tokens, block: Span): Arm[] {
  const arms: Arm[] = [];
  for (let at = block.from; at < block.end; ) {
    const arrow = find(tokens, { from: at, end: block.end }, '=>');
    if (arrow === -1) break;
    const body = is(tokens, arrow + 1, '{');
    const comma = body
      ? afterBracket(tokens, arrow + 1)
      : find(tokens, { from: arrow + 1, end: block.end }, ',');
    const end = comma === -1 ? block.end : comma;
    arms.push({ from: arrow + 1, end, condition: '', pattern: canonical(tokens, { from: at, end: arrow }) });
    at = is(tokens, end, ',') ? end + 1 : end;
  }
  return arms;
}

/** The arms of a `match` that has another arm in which nothing can fail. */
function silentMatches(tokens: Tokens, { from, end }: Span): Arm[] {
  return matchesIn(tokens, { from, end }).flatMap(({ value, arms }) => {
    const fails = (arm: Arm) =>
      FAILS.test(canonical(tokens, arm)) || /\bunwrap|\bexpect|\bassert/.test(canonical(tokens, arm));
    return arms.every(fails) ? [] : arms.map((arm) => ({ ...arm, condition: `match ${value}` }));
  });
}

function matchesIn(tokens: Tokens, { from, end }: Span): { at: number; value: string; arms: Arm[] }[] {
  const found: { at: number; value: string; arms: Arm[] }[] = [];
  for (let at = from; at < end; at++) {
    if (!is(tokens, at, 'match') || is(tokens, at - 1, '.')) continue;
    const brace = find(tokens, { from: at, end }, '{');
    if (brace === -1) continue;
    found.push({
      at,
      value: canonical(tokens, { from: at + 1, end: brace }),
      arms: armsOf(tokens, inside(tokens, brace)),
    });
  }
  return found;
}

type Placed = Assertion & { readonly at: number; readonly macro: boolean };

interface Found {
  readonly claims: readonly Claim[];
  readonly end: number;
  readonly macro?: boolean;
  readonly swallowed?: boolean;
  readonly condition?: string;
}

function assertionsIn(file: File, span: Span, scope: Scope): Placed[] {
  const { tokens, functions } = file;
  const placed: Placed[] = [];
  const put = (found: Found, at: number) => {
    const { dead, swallowed, condition } = scope.flow(at);
    for (const given of found.claims) {
      const each = resolved(given, scope.resolve, at);
      // Without spreads: there are many of these.
      placed.push({
        kind: each.kind,
        negated: each.negated,
        subject: each.subject,
        expected: each.expected,
        vacuous: each.vacuous,
        tolerance: each.tolerance,
        dead,
        swallowed: swallowed || found.swallowed === true,
        condition: found.condition === undefined ? condition : allOf(condition, found.condition),
        line: tokens[at]?.line ?? 0,
        at,
        macro: found.macro === true,
      });
    }
  };
  const closures = new Map<string, Closure>();
  for (let at = span.from; at < span.end; at++) {
    const closure = is(tokens, at, 'let') ? closureAt(tokens, at, span.end) : undefined;
    if (closure) closures.set(closure.name, closure);
    const success = successAt(tokens, at, span);
    if (success) put(success, at);
    if (tokens[at]?.kind !== 'name') continue;
    const found = claimsAt(tokens, at, span);
    if (found) {
      put(found, at);
      continue;
    }
    const name = tokens[at]?.text ?? '';
    if (!is(tokens, at + 1, '(') || is(tokens, at - 1, 'fn')) continue;
    const called = is(tokens, at - 1, '.') ? undefined : closures.get(name);
    if (called && called.end <= at) {
      if (placed.length > MOST_INHERITED) continue;
      const flow = scope.flow(at);
      const args = split(tokens, inside(tokens, at + 1)).map((arg) => canonical(tokens, arg));
      const values = new Map(called.parameters.map((parameter, n) => [parameter, args[n] ?? parameter]));
      const own = placed.filter((each) => called.from <= each.at && each.at < called.end);
      for (const each of own)
        placed.push({
          ...substituted(each, values),
          ...calledIn(each, flow),
          line: tokens[at]?.line ?? 0,
          at,
        });
      continue;
    }
    const helper = functions.get(name);
    if (helper && !(helper.body.from <= at && at < helper.body.end)) {
      if (placed.length > MOST_INHERITED) continue;
      const flow = scope.flow(at);
      for (const each of file.ofHelper(helper))
        placed.push({
          ...each,
          ...calledIn(each, flow),
          line: tokens[at]?.line ?? 0,
          at,
        });
    } else if (
      !helper &&
      /^(?:assert|check|expect|verify|ensure|must)_\w+$/.test(name) &&
      !is(tokens, at - 1, '.')
    )
      put({ claims: [claim('equal', canonical(tokens, inside(tokens, at + 1)), name)], end: at }, at);
  }
  return placed;
}

function resolved(given: Claim, resolve: Resolve, at: number): Claim {
  const each = asTruthValue(given);
  const subject = resolve(each.subject, at);
  const expected = resolve(each.expected, at);
  const isEqual = each.kind === 'equal' || each.kind === 'exact';
  const near = each.kind === 'bounded' ? difference({ ...each, subject, expected }) : undefined;
  if (near) return near;
  const vacuous =
    each.vacuous ??
    (isEqual && !each.negated && subject === expected && subject !== ''
      ? 'it compares a value with itself'
      : isEqual && subject !== each.subject && CONSTANT.test(subject) && CONSTANT.test(expected)
        ? 'it compares constants'
        : undefined);
  return { ...each, subject, expected, ...(vacuous !== undefined && { vacuous }) };
}

const CONSTANT = /^(?:-? ?[\d._]\w*|"(?:[^"\\]|\\.)*"|true|false|None)$/;

/** `(a - b).abs() < 1e-9` */
function difference({ subject, expected, negated }: Claim): Claim | undefined {
  const [, left, right] = /^\( (.*?) - (.*) \) \. abs \( \)$/.exec(subject) ?? [];
  return left !== undefined && right !== undefined && !negated
    ? claim('near', left, right, { tolerance: /EPSILON/.test(expected) ? 2.3e-16 : (number(expected) ?? 0) })
    : undefined;
}

function number(text: string): number | undefined {
  const value = Number(text.replaceAll(/_|f32$|f64$/g, ''));
  return Number.isNaN(value) ? undefined : value;
}

// Success: `f()?`, `f().unwrap()`, and what drops it

function successAt(tokens: Tokens, at: number, span: Span): Found | undefined {
  const token = tokens[at] as Token;
  if (token.kind === 'sign' && token.text.startsWith('?')) {
    const receiver = receiverOf(tokens, at, span);
    return receiver ? { claims: [claim('exists', receiver)], end: at + 1 } : undefined;
  }
  if (token.kind !== 'name') return undefined;
  if (is(tokens, at - 1, '.', '?.') && is(tokens, at + 1, '(')) {
    const receiver = receiverOf(tokens, at - 1, span);
    if (!receiver) return undefined;
    const end = afterBracket(tokens, at + 1);
    if (/^(?:unwrap|expect)$/.test(token.text)) return { claims: [claim('exists', receiver)], end };
    if (/^(?:unwrap_err|expect_err)$/.test(token.text))
      return { claims: [claim('happens', receiver, 'error')], end };
    const args = canonical(tokens, inside(tokens, at + 1));
    if (/^unwrap_or(?:_default|_else)?$/.test(token.text))
      return { claims: [claim('exists', receiver)], end, swallowed: !FAILS.test(args) };
    if (token.text === 'ok' && is(tokens, end, ';'))
      return { claims: [claim('exists', receiver)], end, swallowed: true };
    return undefined;
  }
  if (!is(tokens, at, 'let')) return undefined;
  return bindingAt(tokens, at, span);
}

/** `let _ = f();`, `if let Ok(v) = f() {`, `let Ok(v) = f() else {` */
function bindingAt(tokens: Tokens, at: number, span: Span): Found | undefined {
  const isConditional = is(tokens, at - 1, 'if', 'while', '&&');
  const equals = find(tokens, { from: at, end: span.end }, '=', ';');
  if (equals === -1 || !is(tokens, equals, '=')) return undefined;
  const stop = find(tokens, { from: equals, end: span.end }, ';', '{', 'else');
  if (stop === -1) return undefined;
  const pattern = canonical(tokens, { from: at + 1, end: equals });
  const value = canonical(tokens, { from: equals + 1, end: stop });
  if (pattern === '_' || (pattern.startsWith('_ :') && !isConditional))
    return value.endsWith(')')
      ? { claims: [claim('exists', value)], end: equals, swallowed: true }
      : undefined;
  const wanted = /^(?:Ok|Some|Err) \(/.exec(pattern)?.[0];
  if (wanted === undefined) return undefined;
  const claims = [wanted.startsWith('Err') ? claim('happens', value, 'error') : claim('exists', value)];
  const brace = is(tokens, stop, '{') ? afterBracket(tokens, stop) : stop;
  const otherwise = is(tokens, brace, 'else') ? find(tokens, { from: brace, end: span.end }, '{') : -1;
  const fails = otherwise !== -1 && FAILS.test(canonical(tokens, inside(tokens, otherwise)));
  if (!isConditional && otherwise === -1) return undefined;
  return { claims, end: equals, swallowed: !fails };
}

/** The canonical text of the expression before a dot or a question mark. */
function receiverOf(tokens: Tokens, dot: number, span: Span): string | undefined {
  let at = dot - 1;
  let from = -1;
  while (at >= span.from) {
    const { text, kind, partner } = tokens[at] as Token;
    if (kind === 'sign' && text === '?') at--;
    else if (kind === 'sign' && /^[)\]}]$/.test(text) && partner !== -1) {
      from = partner;
      at = partner - 1;
      if (
        !(isName(tokens, at) && !is(tokens, at, 'in', 'return', 'match', 'if', 'let')) &&
        !is(tokens, at, '!', '>', '?', ')', ']')
      )
        break;
    } else if (text === '>' && kind === 'sign') {
      // `parse::<u64>()`
      while (at > span.from && !is(tokens, at, '::')) at--;
      at--;
    } else if (text === '!' && kind === 'sign' && isName(tokens, at - 1)) at--;
    else if (kind !== 'sign') {
      from = at;
      if (is(tokens, at - 1, '.', '::')) at -= 2;
      else if (is(tokens, at - 1, '?.')) at -= 2;
      else break;
    } else break;
  }
  return from === -1 ? undefined : canonical(tokens, { from, end: dot });
}

// Macros

type Form =
  | 'truth'
  | 'equal'
  | 'unequal'
  | 'matches'
  | 'snapshot'
  | 'near'
  | 'ok'
  | 'error'
  | 'none'
  | 'that';

const MACROS: Readonly<Record<string, Form>> = {
  assert: 'truth',
  debug_assert: 'truth',
  prop_assert: 'truth',
  check: 'truth',
  verify_true: 'truth',
  assert_true: 'truth',
  assert_eq: 'equal',
  debug_assert_eq: 'equal',
  prop_assert_eq: 'equal',
  assert_equal: 'equal',
  assert_str_eq: 'equal',
  assert_ok_eq: 'equal',
  assert_json_eq: 'equal',
  assert_ne: 'unequal',
  debug_assert_ne: 'unequal',
  prop_assert_ne: 'unequal',
  assert_matches: 'matches',
  debug_assert_matches: 'matches',
  assert_let: 'matches',
  let_assert: 'matches',
  assert_snapshot: 'snapshot',
  assert_debug_snapshot: 'snapshot',
  assert_yaml_snapshot: 'snapshot',
  assert_json_snapshot: 'snapshot',
  assert_ron_snapshot: 'snapshot',
  assert_toml_snapshot: 'snapshot',
  assert_display_snapshot: 'snapshot',
  assert_compact_debug_snapshot: 'snapshot',
  assert_approx_eq: 'near',
  assert_abs_diff_eq: 'near',
  assert_relative_eq: 'near',
  assert_ulps_eq: 'near',
  assert_float_eq: 'near',
  assert_float_absolute_eq: 'near',
  assert_ok: 'ok',
  assert_some: 'ok',
  assert_err: 'error',
  assert_none: 'none',
  assert_that: 'that',
  expect_that: 'that',
  verify_that: 'that',
};

function claimsAt(tokens: Tokens, at: number, span: Span): Found | undefined {
  const name = tokens[at]?.text ?? '';
  if (is(tokens, at + 1, '!') && is(tokens, at + 2, '(', '[', '{') && !is(tokens, at - 1, 'macro_rules')) {
    const open = at + 2;
    const args = split(tokens, inside(tokens, open));
    const form = Object.hasOwn(MACROS, name) ? MACROS[name] : undefined;
    const isUnknown = form === undefined && /^(?:assert|check|expect|verify|ensure)_\w+$/.test(name);
    if (form === undefined && !isUnknown) return undefined;
    const claims =
      form === undefined
        ? [claim('equal', canonical(tokens, inside(tokens, open)), name)]
        : macroClaims(tokens, form, args);
    // A build with optimizations leaves these out.
    const condition = name.startsWith('debug_') ? { condition: 'debug_assertions' } : {};
    return { claims, end: afterBracket(tokens, open), macro: true, ...condition };
  }
  if (is(tokens, at, 'if') && !is(tokens, at + 1, 'let')) return conditionalPanic(tokens, at, span);
  if (is(tokens, at, 'match') && !is(tokens, at - 1, '.')) return matchClaim(tokens, at, span);
  if (is(tokens, at - 1, '.') && is(tokens, at + 1, '(')) return methodClaim(tokens, at, span);
  return undefined;
}

function macroClaims(tokens: Tokens, form: Form, args: readonly Span[]): Claim[] {
  const [first, second, third] = args;
  if (!first) return [];
  const text = (part: Span | undefined) => (part ? canonical(tokens, part) : '');
  switch (form) {
    case 'truth':
      return truths(tokens, first);
    case 'matches':
      return [patternClaim(text(first), text(second))];
    case 'snapshot': {
      const inline = args.find((arg) => is(tokens, arg.from, '@'));
      const value = tokens[first.from]?.kind === 'string' && second && second !== inline ? second : first;
      return [claim('snapshot', text(value), inline ? text({ from: inline.from + 1, end: inline.end }) : '')];
    }
    case 'ok':
      return [claim('exists', text(first))];
    case 'error':
      return [claim('happens', text(first), 'error')];
    case 'none':
      return [claim('equal', text(first), 'None')];
    case 'that':
      return [matcherClaim(text(first), text(second))];
    default:
  }
  if (!second) return [];
  const isSwapped =
    (isConstant(tokens, first) && !isConstant(tokens, second)) ||
    /^(?:expected|want|exp)\b/.test(text(first));
  const [subject, expected] = isSwapped ? [second, first] : [first, second];
  const vacuous =
    isConstant(tokens, first) && isConstant(tokens, second)
      ? 'it compares constants'
      : text(first) === text(second)
        ? 'it compares a value with itself'
        : undefined;
  if (form === 'equal' && /^(?:true|false)$/.test(text(expected)) && vacuous === undefined)
    return truths(tokens, subject, text(expected) === 'false');
  const given = third
    ? number(canonical(tokens, { from: Math.max(third.from, find(tokens, third, '=') + 1), end: third.end }))
    : undefined;
  const kind: AssertionKind = form === 'near' ? 'near' : form === 'unequal' ? 'bounded' : 'equal';
  return [
    claim(kind, text(subject), text(expected).replace(/^& /, ''), {
      negated: form === 'unequal',
      ...(vacuous !== undefined && form !== 'unequal' && { vacuous }),
      ...(form === 'near' && { tolerance: given ?? 1e-6 }),
    }),
  ];
}

/** The claims of a truth value, with the predicates of Rust. */
function truths(tokens: Tokens, span: Span, opposite = false): Claim[] {
  const [, receiver = '', predicate = ''] =
    /^(?:! )*(.*) \. (is_(?:err|none|empty)) \( \)$/.exec(canonical(tokens, span)) ?? [];
  return claimsOf(tokens, span, opposite).map((each) => {
    const { negated } = each;
    const isOnly = each.vacuous === undefined && each.kind !== 'bounded';
    if (isOnly && predicate !== '' && negated) return claim('exists', receiver);
    if (isOnly && predicate === 'is_err') return claim('happens', receiver, 'error');
    if (isOnly && predicate === 'is_none') return claim('equal', receiver, 'None');
    if (isOnly && predicate === 'is_empty') return claim('exact', receiver, 'empty');
    const [, value = '', pattern = ''] = /^matches ! \( (.*?) , (.*) \)$/.exec(each.subject) ?? [];
    if (pattern !== '' && each.kind === 'truthy') return { ...patternClaim(value, pattern), negated };
    return each;
  });
}

function patternClaim(subject: string, pattern: string): Claim {
  if (/^_\w*$/.test(pattern) || /(?:^|\| )_$/.test(pattern))
    return claim('bounded', subject, pattern, { vacuous: 'every value matches' });
  if (/^(?:Ok|Some) \( (?:_|\.\.) \)$/.test(pattern)) return claim('exists', subject);
  if (/^Err \( (?:_|\.\.) \)$/.test(pattern)) return claim('happens', subject, 'error');
  // A pattern with an alternative or a rest leaves something open.
  return claim(/\|/.test(pattern) ? 'part' : 'exact', subject, pattern);
}

function matcherClaim(subject: string, matcher: string): Claim {
  if (/^anything \(/.test(matcher))
    return claim('bounded', subject, matcher, { vacuous: 'anything matches' });
  const [, name = '', args = ''] = /^(\w+) \( (.*) \)$/.exec(matcher) ?? [];
  if (/^(?:eq|equal_to)$/.test(name)) return claim('equal', subject, args);
  if (/^(?:ok|some|err|none)$/.test(name)) return claim('exact', subject, matcher);
  if (/^(?:near|approx_eq)$/.test(name)) return claim('near', subject, args);
  return claim(/^(?:contains|starts|ends|matches)/.test(name) ? 'part' : 'bounded', subject, matcher);
}

/** `if got != 3 { panic!("…") }` */
function conditionalPanic(tokens: Tokens, at: number, span: Span): Found | undefined {
  const brace = find(tokens, { from: at, end: span.end }, '{');
  if (brace === -1) return undefined;
  const block = inside(tokens, brace);
  const statement = find(tokens, block, 'panic', 'unreachable', 'return');
  if (statement === -1 || find(tokens, block, 'if', 'for') !== -1) return undefined;
  if (!/^(?:panic|unreachable) !|^return Err \(/.test(canonical(tokens, { from: statement, end: block.end })))
    return undefined;
  return { claims: truths(tokens, { from: at + 1, end: brace }, true), end: brace, macro: true };
}

/** `match f() { Ok(v) => …, Err(e) => panic!("{e}") }` asserts that one of the other arms is taken. */
function matchClaim(tokens: Tokens, at: number, span: Span): Found | undefined {
  const [found] = matchesIn(tokens, { from: at, end: span.end });
  if (found?.at !== at) return undefined;
  const failing = found.arms.filter((arm) =>
    /^(?:\{ )?(?:panic|unreachable|todo) !/.test(canonical(tokens, arm)),
  );
  const others = found.arms.filter((arm) => !failing.includes(arm)).map(({ pattern }) => pattern);
  if (failing.length > 0) return { claims: [patternClaim(found.value, others.join(' | '))], end: at + 1 };
  // An error that an arm drops.
  if (found.arms.some(({ pattern }) => /^Ok \(/.test(pattern)))
    return { claims: [claim('exists', found.value)], end: at + 1, swallowed: true };
  return undefined;
}

const METHODS: Readonly<Record<string, AssertionKind>> = {
  is_equal_to: 'equal',
  is_not_equal_to: 'bounded',
  is_true: 'equal',
  is_false: 'equal',
  contains_exactly: 'exact',
  has_length: 'exact',
  assert_eq: 'snapshot',
  assert_debug_eq: 'snapshot',
  success: 'exact',
  failure: 'exact',
  code: 'exact',
  stdout: 'exact',
  stderr: 'exact',
};

/** `assert_that(&total).is_equal_to(3)`, `cmd.assert().success()`, `expect![["3"]].assert_eq(&total)` */
function methodClaim(tokens: Tokens, at: number, span: Span): Found | undefined {
  const name = tokens[at]?.text ?? '';
  if (!Object.hasOwn(METHODS, name)) return undefined;
  const receiver = receiverOf(tokens, at - 1, span) ?? '';
  const args = canonical(tokens, inside(tokens, at + 1));
  const end = afterBracket(tokens, at + 1);
  const [, subject] = /^assert_that \( (.*?) \)/.exec(receiver) ?? [];
  if (subject !== undefined)
    return { claims: [claim(METHODS[name] as AssertionKind, asSuccess(subject), args)], end, macro: true };
  if (/^assert_(?:debug_)?eq$/.test(name) && /^expect(?:_file)? !/.test(receiver))
    return { claims: [claim('snapshot', args, receiver)], end, macro: true };
  if (!/ \. assert \( \)/.test(receiver)) return undefined;
  return {
    claims: [claim('exact', `${receiver.replace(/ \. assert \( \).*$/, '')} . ${name}`, args)],
    end,
    macro: true,
  };
}
