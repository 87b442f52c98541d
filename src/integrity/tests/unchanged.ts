import { LANGUAGES, type LanguageName, languageOf } from '../languages.ts';
import { lex, type Token } from '../lexer.ts';
import type { FileChange } from '../types.ts';
import { afterBracket, is, type Tokens } from './tokens.ts';

// Most tests of a changed file did not change. They are not read, which takes four times as long as finding them.

/** Shorter files are read as a whole. */
const MIN_CHARACTERS = 4000;

/**
 * A change without the tests that a file has before and after it, as long as nothing outside of tests changed, which could
 * matter for them. Lines keep their numbers.
 */
export function withoutUnchangedTests(change: FileChange): FileChange {
  const { path, before, after } = change;
  const language = languageOf(path);
  if (
    !language ||
    before === undefined ||
    after === undefined ||
    before.length + after.length < MIN_CHARACTERS
  )
    return change;
  const [old, now] = [outlineOf(before, language), outlineOf(after, language)];
  // A test that is gone may be in one that did not change.
  if (old.tests.length !== now.tests.length || old.tests.length < 2 || old.rest !== now.rest) return change;
  const known = new Set(old.tests.map(({ text }) => text));
  const left = new Set(now.tests.flatMap(({ text }) => (known.has(text) ? text : [])));
  return {
    ...change,
    before: withoutTests(before, old.tests, left),
    after: withoutTests(after, now.tests, left),
  };
}

interface OutlinedTest {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Outline {
  readonly tests: readonly OutlinedTest[];
  /** The text outside of tests. */
  readonly rest: string;
}

function outlineOf(text: string, language: LanguageName): Outline {
  const { tokens } = lex(text, LANGUAGES[language]);
  const find = FINDERS[language];
  const tests: OutlinedTest[] = [];
  let rest = '';
  let from = 0;
  for (let at = 0; at < tokens.length; at++) {
    const last = tokens[at]?.kind === 'name' ? find(tokens, at) : undefined;
    if (last === undefined) continue;
    const { start } = tokens[at] as Token;
    const { end } = tokens[last] as Token;
    tests.push({ start, end, text: text.slice(start, end) });
    rest += `${text.slice(from, start)}\0`;
    from = end;
    at = last;
  }
  return { tests, rest: rest + text.slice(from) };
}

function withoutTests(text: string, tests: readonly OutlinedTest[], left: ReadonlySet<string>): string {
  let kept = '';
  let from = 0;
  for (const test of tests) {
    if (!left.has(test.text)) continue;
    kept += text.slice(from, test.start) + test.text.replace(/[^\n]+/g, '');
    from = test.end;
  }
  return kept + text.slice(from);
}

/** Returns the index of the last token of the test that begins at a name; undefined if none does. */
type Finder = (tokens: Tokens, at: number) => number | undefined;

/** `it('…', () => {…})`, also with `.each(…)` in between. */
const call: Finder = (tokens, at) => {
  if (!is(tokens, at, 'it', 'test', 'specify') || is(tokens, at - 1, '.')) return undefined;
  let index = at + 1;
  while (is(tokens, index, '.')) {
    index += 2;
    if (is(tokens, index, '(') && is(tokens, index - 1, 'each', 'skipIf', 'runIf', 'for'))
      index = afterBracket(tokens, index);
  }
  if (!is(tokens, index, '(') || (tokens[index]?.partner ?? -1) < 0) return undefined;
  return tokens[index]?.partner;
};

/** A function whose name begins with a word, up to the end of its body. */
const named =
  (keyword: string, prefix: RegExp): Finder =>
  (tokens, at) =>
    is(tokens, at, keyword) && prefix.test(tokens[at + 1]?.text ?? '')
      ? endOfBody(tokens, at + 2)
      : undefined;

/** A method after an annotation or attribute. */
const annotated =
  (annotation: RegExp): Finder =>
  (tokens, at) =>
    annotation.test(tokens[at]?.text ?? '') ? endOfBody(tokens, at + 1) : undefined;

/** The end of the first block after an index, unless a statement ends before. */
function endOfBody(tokens: Tokens, from: number): number | undefined {
  for (let at = from; at < tokens.length && at < from + 200; at++) {
    const { kind, text, partner } = tokens[at] as Token;
    if (kind === 'indent' || text === '{') return partner > at ? partner : undefined;
    if (text === ';' || text === '=' || text === '}') return undefined;
    if (partner > at) at = partner;
  }
  return undefined;
}

/** `it 'adds' do … end` and `def test_adds … end` */
const example: Finder = (tokens, at) => {
  if (is(tokens, at, 'def'))
    return /^test_/.test(tokens[at + 2]?.text ?? '') ? endOfBody(tokens, at) : undefined;
  const isExample = is(tokens, at, 'it', 'specify', 'test') && tokens[at + 1]?.kind === 'string';
  return isExample ? endOfBody(tokens, at + 1) : undefined;
};

const FINDERS: Readonly<Record<LanguageName, Finder>> = {
  javascript: call,
  python: named('def', /^test/),
  go: named('func', /^Test/),
  rust: (tokens, at) =>
    is(tokens, at, 'test') && is(tokens, at + 1, ']') ? endOfBody(tokens, at + 2) : undefined,
  java: annotated(/^@(?:Test|ParameterizedTest|RepeatedTest)$/),
  kotlin: annotated(/^@(?:Test|ParameterizedTest|RepeatedTest)$/),
  csharp: (tokens, at) =>
    is(tokens, at, 'Fact', 'Theory', 'Test', 'TestCase', 'TestMethod') && is(tokens, at - 1, '[')
      ? endOfBody(tokens, at + 1)
      : undefined,
  ruby: example,
  php: named('function', /^test/),
};
