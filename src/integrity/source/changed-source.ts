import { LANGUAGES, type LanguageName, languageOf } from '../languages.ts';
import { lex, type Source } from '../lexer.ts';
import { isTestPath } from '../tests/find-weaker-tests.ts';
import { READERS } from '../tests/readers.ts';
import type { ProjectChange } from '../types.ts';

/** A file of code before and after a change. */
export interface ChangedSource {
  readonly path: string;
  readonly language: LanguageName;
  /** Whether it is a test, a helper of tests, or a configuration. */
  readonly isTest: boolean;
  readonly before: SourceText | undefined;
  readonly after: SourceText | undefined;
}

/** A text that is cut into tokens when a rule needs them: most files have nothing that a rule looks for. */
export interface SourceText {
  readonly text: string;
  tokens(): Source;
}

/** What a rule about sources looks for. */
export interface Occurrence {
  /** What it is the same as: of a key, only as many count as were added. */
  readonly key: string;
  readonly line: number;
}

/** An occurrence that a change added. */
export interface Added<T extends Occurrence> {
  readonly source: ChangedSource;
  readonly occurrence: T;
  /** How many of its key were added in the file. */
  readonly count: number;
}

const GENERATED = /@generated|Code generated|DO NOT EDIT|auto-?generated/i;
const FOREIGN =
  /(?:^|\/)(?:vendor|third_party|node_modules|dist|target|generated|__generated__)\/|\.min\.js$|\.pb\.\w+$|_pb2?\.\w+$|\.g\.cs$|\.[dD]esigner\.cs$/;
const HELPER =
  /(?:^|\/)(?:tests?|testing|__tests__|__mocks__|spec|specs|e2e|cypress|fixtures?|testdata|test[-_]?utils?|test[-_]?helpers?|mocks?|benches|benchmarks?)\/|(?:^|\/)(?:conftest\.py|(?:test|spec)_helper\.rb|\w*test_?utils?\.\w+|[^/]*\.(?:setup|config|stories)\.[cm]?[jt]sx?|(?:jest|vitest|test)[-.]setup\.\w+|gulpfile\.js|Rakefile|noxfile\.py|setup\.py|build\.rs|build\.gradle\.kts)$/i;

/** The files of code that a change touches, cut into tokens. */
export function changedSources({ changes }: ProjectChange): ChangedSource[] {
  return changes.flatMap(({ path, before, after }) => {
    const language = languageOf(path);
    const text = after ?? before ?? '';
    if (!language || FOREIGN.test(path) || GENERATED.test(text.slice(0, 1000))) return [];
    const of = (part: string | undefined) => (part === undefined ? undefined : sourceText(part, language));
    // Of languages with tests beside the code, only the folder shows what is a test.
    const isTest = HELPER.test(path) || (isTestPath(path) && READERS[language]?.withoutTests === undefined);
    return [{ path, language, isTest, before: of(before), after: of(after) }];
  });
}

function sourceText(text: string, language: LanguageName): SourceText {
  let source: Source | undefined;
  return {
    text,
    tokens: () => {
      source ??= lex(text, LANGUAGES[language]);
      return source;
    },
  };
}

/**
 * The occurrences that a change added. What moved, in its file or to another one, was not added.
 *
 * @param words what a text contains that has any: a cheap look before it is cut into tokens
 * @param find returns the occurrences in one state of a file
 */
export function added<T extends Occurrence>(
  sources: readonly ChangedSource[],
  words: RegExp,
  find: (source: Source, changed: ChangedSource) => readonly T[],
): Added<T>[] {
  const findIn = (text: SourceText | undefined, source: ChangedSource) =>
    text && words.test(text.text) ? find(text.tokens(), source) : [];
  const files = sources.flatMap((source) => {
    const after = findIn(source.after, source);
    const before = findIn(source.before, source);
    return after.length + before.length > 0 ? { source, before, after } : [];
  });
  const surplus = new Map<string, number>();
  const count = (occurrences: readonly T[], by: number) => {
    for (const { key } of occurrences) surplus.set(key, (surplus.get(key) ?? 0) + by);
  };
  for (const { before, after } of files) {
    count(before, -1);
    count(after, 1);
  }
  return files.flatMap(({ source, before, after }) => {
    const lines = new Set(source.before?.text.split('\n').map((line) => line.trim()));
    const now = source.after?.text.split('\n') ?? [];
    const isNew = ({ line }: T) => !lines.has((now[line - 1] ?? '').trim());
    const found: Added<T>[] = [];
    for (const key of new Set(after.map((each) => each.key))) {
      const ofKey = after.filter((each) => each.key === key);
      const own = ofKey.length - before.filter((each) => each.key === key).length;
      const size = Math.min(own, surplus.get(key) ?? 0);
      if (size <= 0) continue;
      surplus.set(key, (surplus.get(key) ?? 0) - size);
      const chosen = ofKey.toSorted((a, b) => Number(isNew(b)) - Number(isNew(a))).slice(0, size);
      for (const occurrence of chosen) found.push({ source, occurrence, count: size });
    }
    return found;
  });
}
