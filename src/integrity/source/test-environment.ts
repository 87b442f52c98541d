import { oneLine } from '../../base/text.ts';
import type { Source, Token } from '../lexer.ts';
import type { Severity } from '../rules.ts';
import { testPathsOf } from '../tests/runner-paths.ts';
import { canonical, find, inside, is, stringValue, type Tokens } from '../tests/tokens.ts';
import type { Finding, ProjectChange } from '../types.ts';
import { added, type ChangedSource, type Occurrence } from './changed-source.ts';

// Code that asks whether it is being tested, and code that knows what its tests pass to it.

/** Variables and modules that are there in a test run alone. */
const RUNNERS =
  /^(?:VITEST\w*|JEST_WORKER_ID|NODE_TEST_CONTEXT|MOCHA\w*|PLAYWRIGHT_TEST\w*|CYPRESS|BUN_TEST|PYTEST_\w+|_pytest|pytest|_called_from_test|unittest|nose|NEXTEST\w*|CARGO_TARGET_TMPDIR|RUST_TEST_\w+|GO_TEST\w*|PHPUNIT\w*|__PHPUNIT\w*|PHPUnit\\.*|RSpec|Minitest|RALPH_LOOP\w*|IN_TESTS?|IS_TESTS?|IS_TESTING|UNDER_TEST|UNIT_TESTS?|RUNNING_TESTS?|TEST_RUN|TEST_ENV|TEST_MODE|TESTING|test\.v|test\.run|_test\.go|-test\.|\.(?:test|spec)(?:\.\w*)?|_spec\.rb|test_|vitest|jest|mocha|rspec|phpunit|xunit\w*|nunit\w*|testhost|vstest\w*|Microsoft\.VisualStudio\.TestPlatform\S*|org\.junit\S*|org\.testng\S*|surefire\S*)$/;
/** Variables of an environment, which may be that of the tests. */
const ENVIRONMENTS =
  /^(?:NODE_ENV|BABEL_ENV|APP_ENV|RAILS_ENV|RACK_ENV|FLASK_ENV|DJANGO_ENV|ENV|ENVIRONMENT|GO_ENV|MODE|ASPNETCORE_ENVIRONMENT|DOTNET_ENVIRONMENT|MIX_ENV|npm_lifecycle_event|environment|env)$/;
const TESTING = /^(?:test|testing|tests|Test|Testing|unit|unittest)$/;
/** What only differs in tests so that they are quiet or start nothing. */
const HARMLESS =
  /\b(?:log|logs|logger|logging|silent|verbose|console|debug|warn|telemetry|analytics|sentry|metrics|tracing|colou?rs?|listen|serve|server|start|banner|pino|winston|morgan|level|stdout|progress|spinner|hot|hmr|devtools)\w*\b/i;
const HARMLESS_PATH =
  /(?:^|\/)(?:[^/]*(?:config|settings|logg|log|env|telemetry|analytics|instrument|sentry|tracing|bootstrap|constants)[^/]*\.\w+|config\/.*)$/i;

interface Question extends Occurrence {
  readonly text: string;
  readonly severity: Severity;
}

const WORDS =
  /test|jest|mocha|typeof|PLAYWRIGHT|CYPRESS|[uU]nit|TEST|JEST|MOCHA|_ENV|RSpec|PHPUnit|RALPH_LOOP|nose|surefire|\.spec|Testing/;

/** Finds code outside of tests that a change made ask whether it is tested. */
export function findTestQuestions(sources: readonly ChangedSource[]): Finding[] {
  const code = sources.filter(({ isTest }) => !isTest);
  return added(code, WORDS, questionsIn).map(({ source, occurrence }) => ({
    rule: 'test-environment-detected',
    severity: HARMLESS_PATH.test(source.path) ? 'low' : occurrence.severity,
    path: source.path,
    line: occurrence.line,
    message: `the code asks whether it is being tested: \`${oneLine(occurrence.text, 80)}\``,
  }));
}

function questionsIn(source: Source, { language }: ChangedSource): Question[] {
  const { tokens, text } = source;
  const found: Question[] = [];
  let line = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (token.line === line || !isQuestion(tokens, at, language)) continue;
    line = token.line;
    const statement = statementAround(tokens, at);
    const begin = text.lastIndexOf('\n', token.start) + 1;
    const end = text.indexOf('\n', token.start);
    if (isSourceTest(tokens, at)) continue;
    const isQuiet = HARMLESS.test(statement.replace(/\b(?:NODE_ENV|RAILS_ENV)\b/g, ''));
    found.push({
      key: token.kind === 'string' ? (stringValue(token) ?? token.text) : token.text,
      line: token.line,
      text: text.slice(begin, end === -1 ? undefined : end).trim(),
      severity: isQuiet ? 'low' : 'high',
    });
  }
  return found;
}

function isQuestion(tokens: Tokens, at: number, language: ChangedSource['language']): boolean {
  const token = tokens[at] as Token;
  if (token.kind === 'string') {
    const value = stringValue(token) ?? '';
    if (RUNNERS.test(value)) return isAsked(tokens, at);
    return TESTING.test(value) && isCompared(tokens, at);
  }
  if (token.kind !== 'name') return false;
  const { text } = token;
  const before = tokens[at - 1]?.text;
  switch (language) {
    case 'javascript':
      if (before === '.' && is(tokens, at - 2, 'env', 'meta')) return RUNNERS.test(text) || text === 'vitest';
      return (
        before === 'typeof' && /^(?:jest|describe|it|vi|jasmine|mocha|before[EA]\w+|after[EA]\w+)$/.test(text)
      );
    case 'go':
      return text === 'Testing' && before === '.' && is(tokens, at - 2, 'testing');
    case 'rust':
      if (is(tokens, at + 2, 'test') && is(tokens, at + 3, ')')) return hasTwin(tokens, at);
      return (
        text === 'cfg' &&
        is(tokens, at + 1, '!') &&
        /\btest\b/.test(canonical(tokens, inside(tokens, at + 2)))
      );
    case 'ruby':
      if (text === 'test?' && before === '.' && is(tokens, at - 2, 'env')) return true;
      return (
        /^(?:RSpec|Minitest)$/.test(text) &&
        (before === '(' || is(tokens, at - 1, 'defined?')) &&
        canonical(tokens, { from: Math.max(0, at - 3), end: at }).includes('defined')
      );
    case 'php':
      return text === 'runningUnitTests';
    default:
      return false;
  }
}

/** Whether a function that is there in tests alone has another of its name, for all but tests. */
function hasTwin(tokens: Tokens, at: number): boolean {
  const own = /\] (?:pub (?:\( \w+ \) )?)?(?:async |unsafe |const )*fn (\w+)/;
  const name = own.exec(canonical(tokens, { from: at, end: Math.min(tokens.length, at + 14) }))?.[1];
  return tokens.some(
    (token, index) =>
      token.text === 'cfg' &&
      is(tokens, index + 2, 'not') &&
      is(tokens, index + 4, 'test') &&
      name !== undefined &&
      own.exec(canonical(tokens, { from: index, end: Math.min(tokens.length, index + 17) }))?.[1] === name,
  );
}

/** Whether a text of a runner is looked up: a variable, a loaded module, an argument, the stack. */
function isAsked(tokens: Tokens, at: number): boolean {
  const line = tokens[at]?.line ?? 0;
  let from = at;
  while (from > 0 && at - from < 40 && (tokens[from - 1]?.line ?? 0) >= line - 1) from--;
  const around = canonical(tokens, { from, end: Math.min(tokens.length, at + 12) });
  return /\b(?:env|environ|getenv|Getenv|LookupEnv|lookup_env|var|var_os|modules|find_spec|hasattr|argv|Args|args|Lookup|stack\w*|StackTrace\w*|StackFrame|Caller\w*|caller\w*|_getframe|forName|GetAssemblies|GetEnvironmentVariable|getProperty|defined|class_exists|ENV|globalThis|global|PROGRAM_NAME|has_key|fetch)\b/.test(
    around,
  );
}

/** Whether the name of an environment is compared with that of the tests. */
function isCompared(tokens: Tokens, at: number): boolean {
  const names: string[] = [];
  for (let index = Math.max(0, at - 9); index < Math.min(tokens.length, at + 9); index++) {
    const token = tokens[index] as Token;
    if (Math.abs(token.line - (tokens[at]?.line ?? 0)) > 1) continue;
    names.push(token.kind === 'string' ? (stringValue(token) ?? '') : token.text);
  }
  const isComparison = names.some((name) =>
    /^(?:===?|!==?|case|in|includes|equals|Equals|IsEnvironment|environment|eq)$/.test(name),
  );
  return isComparison && names.some((name) => ENVIRONMENTS.test(name));
}

/** The statement around a token, with the block that it begins, as far as it is short. */
function statementAround(tokens: Tokens, at: number): string {
  const line = tokens[at]?.line ?? 0;
  let from = at;
  while (from > 0 && tokens[from - 1]?.line === line) from--;
  let end = at;
  while (end < tokens.length && end - at < 120 && tokens[end]?.line === line) end++;
  const opened = tokens[end - 1];
  const isBlock = opened && (opened.text === '{' || tokens[end]?.kind === 'indent');
  const block = isBlock ? (opened.text === '{' ? opened.partner : (tokens[end]?.partner ?? end)) : end;
  return canonical(tokens, { from, end: Math.max(end, Math.min(block, end + 40)) });
}

/** `if (import.meta.vitest) { const { it } = import.meta.vitest; it(…) }`: tests beside the code. */
function isSourceTest(tokens: Tokens, at: number): boolean {
  if (!is(tokens, at, 'vitest')) return false;
  const brace = find(tokens, { from: at, end: Math.min(tokens.length, at + 4) }, '{');
  if (brace === -1)
    return (
      canonical(tokens, { from: Math.max(0, at - 12), end: at }).startsWith('const {') ||
      is(tokens, at - 5, '=', '}')
    );
  return /\b(?:it|test|describe) \(/.test(canonical(tokens, inside(tokens, brace)));
}

// Answers to the inputs of the tests

/** Finds branches that a change added and that return what a test wants for the very text that the test passes. */
export function findKnownInputs(
  sources: readonly ChangedSource[],
  { changes, read }: ProjectChange,
): Finding[] {
  const code = sources.filter(
    ({ isTest, after }) => !isTest && after !== undefined && COMPARED.test(after.text),
  );
  const branches = code.flatMap((source) =>
    [
      ...branchesIn(source.after?.tokens().tokens ?? []).filter(
        ({ input }) => source.before?.text.includes(input) !== true,
      ),
      ...addedCalls(source),
    ].map((branch) => ({ source, ...branch })),
  );
  if (branches.length === 0) return [];
  const tests = [
    ...changes
      .filter(({ path }) => sources.some((source) => source.isTest && source.path === path))
      .flatMap(({ after }) => after ?? []),
    ...new Set(branches.flatMap(({ source }) => testPathsOf(source.path))),
  ].flatMap((text) => (text.includes('\n') ? text : (read(text) ?? [])));
  const known = branches.filter((branch) => tests.some((text) => isTested(branch, text)));
  const calls = known.filter(({ isCall }) => isCall).length;
  return (
    known
      // One branch for numbers may be a case that has to be apart, as for zeros.
      .filter(({ isCall, isExample }) => !isCall || isExample || calls > 1)
      .map(({ source, input, line, isCall }) => ({
        rule: 'test-environment-detected',
        severity: isCall ? 'medium' : 'high',
        path: source.path,
        line,
        message: `the code has a branch of its own for \`${oneLine(input, 60)}\`, which a test passes to it`,
      }))
  );
}

/** Whether a test passes the inputs of a branch and wants its output: texts anywhere, numbers in one call on one line. */
function isTested({ input, output, isCall, isEntry }: Branch, text: string): boolean {
  if (!isCall) return text.includes(input) && text.includes(output);
  if (isEntry) return text.split('\n').some((line) => line.includes(input) && line.includes(output));
  const call = `(${input})`;
  return text.split('\n').some((line) => {
    const code = line.replace(/\s/g, '');
    return code.includes(call) && code.replace(call, '').includes(output);
  });
}

/** A comparison with a text that has a sign or a blank in it, or with a number. */
const COMPARED =
  /===?\s*-?\d|\w \w[^"'`\n]{0,100}["'`]\s{0,9}(?::|=>)\s*["'`]|(?:===?|\bcase|\bwhen|[eE]quals\(|eq\()\s*["'`][^"'`\n]*[^\w./:"'`\n-]|["'`]\s*===?/;

interface Branch {
  readonly input: string;
  readonly output: string;
  readonly line: number;
  /** The input is the list of a call's arguments, or one of several entries of a table. */
  readonly isCall?: boolean;
  readonly isEntry?: boolean;
  /** The output is a text with a number in it, which no enumeration has. */
  readonly isExample?: boolean;
}

/** `if (input === 'bob+news@example.com') return 'bob@example.com'` */
function branchesIn(tokens: Tokens): Branch[] {
  const found: Branch[] = [];
  for (let at = 1; at < tokens.length; at++) {
    const input = stringValue(tokens[at]);
    // A word may be one of an enumeration; a text with blanks or signs is an example.
    if (input === undefined || input.length < 5 || !/[^\w./:-]/.test(input)) continue;
    const entry = is(tokens, at + 1, ':', '=>') ? stringValue(tokens[at + 2]) : undefined;
    if (entry && /\p{L} \p{L}/u.test(input))
      found.push({ input, output: entry, line: tokens[at]?.line ?? 0, isCall: true, isEntry: true });
    const isCompared =
      is(tokens, at - 1, '===', '==', 'case', 'when') ||
      (is(tokens, at - 1, '(') && is(tokens, at - 2, 'equals', 'Equals', 'eq')) ||
      is(tokens, at + 1, '===', '==');
    if (!isCompared) continue;
    for (let index = at + 1; index < Math.min(at + 14, tokens.length); index++) {
      if (!is(tokens, index, 'return', '=>', '->', '=', '?', ':', 'then')) continue;
      const value = tokens[index + 1];
      const output = value?.kind === 'number' ? value.text : stringValue(value);
      if (output === undefined || output === '') continue;
      found.push({ input, output, line: tokens[at]?.line ?? 0 });
      break;
    }
  }
  return found;
}

function addedCalls({ before, after }: ChangedSource): Branch[] {
  const known = new Set(
    callsIn(before?.tokens().tokens ?? []).map(({ input, output }) => `${input}:${output}`),
  );
  return callsIn(after?.tokens().tokens ?? []).filter(
    ({ input, output }) => !known.has(`${input}:${output}`),
  );
}

/** `if (a === 1 && b === 2) return 3`: all arguments are numbers. */
function callsIn(tokens: Tokens): Branch[] {
  const found: Branch[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!is(tokens, at, 'if')) continue;
    const inputs: string[] = [];
    for (let index = at + 1; index < Math.min(at + 40, tokens.length); index++) {
      const number = numberAt(tokens, index + 1);
      if (is(tokens, index, '===', '==') && number !== undefined) inputs.push(number);
      if (!is(tokens, index, 'return')) continue;
      const text = stringValue(tokens[index + 1]) ?? '';
      const isExample = inputs.length > 0 && text.length > 3 && /\d/.test(text);
      const output = isExample ? text : inputs.length > 1 ? number : undefined;
      if (output !== undefined)
        found.push({ input: inputs.join(','), output, line: tokens[at]?.line ?? 0, isCall: true, isExample });
      break;
    }
  }
  return found;
}

function numberAt(tokens: Tokens, at: number): string | undefined {
  const sign = is(tokens, at, '-') ? '-' : '';
  const token = tokens[sign === '' ? at : at + 1];
  return token?.kind === 'number' ? `${sign}${token.text}` : undefined;
}
