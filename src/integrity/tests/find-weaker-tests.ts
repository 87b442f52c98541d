import { LANGUAGES, type LanguageName, languageOf } from '../languages.ts';
import { lex, type Source } from '../lexer.ts';
import type { FileChange, Finding, ProjectChange } from '../types.ts';
import { compareTests } from './compare.ts';
import { findExcludedTags } from './excluded-tags.ts';
import { findMockedSubjects } from './mocked-subjects.ts';
import { type ComparedFile, OUTSIDE, type TestFile, type TestReader } from './model.ts';
import { READERS } from './readers.ts';
import { collectedPaths, undeclaredModule } from './runner-paths.ts';
import { findIdleHelpers } from './shared-helpers.ts';

/** Finds what became weaker in the tests of a change. */
export function findWeakerTests({ changes, read }: ProjectChange): Finding[] {
  const code = changes.flatMap(codeOf).map((change) => ({ ...change, names: declaredNames(change) }));
  const collected = collectedPaths(read);
  const files = changes.flatMap((change): ComparedFile[] => {
    const language = languageOf(change.path);
    const reader = language && READERS[language];
    if (!language || !reader) return [];
    const before = readTests(reader, language, change.oldPath ?? change.path, change.before);
    const after = readTests(reader, language, change.path, change.after);
    if (!before && !after) return [];
    const words = new Set((change.after ?? change.before ?? '').match(/\w+/g));
    return [
      {
        path: change.path,
        // No runner collected the tests of another file.
        before: isTestPath(change.oldPath ?? change.path) ? before : before && { ...before, tests: [] },
        after,
        uncollected:
          after &&
          (after.uncollected ??
            uncollectedReason(change.path, reader, collected) ??
            // Of a file that stays where it is, nothing shows how it was declared before.
            (language === 'rust' && isPlacedAnew(change) ? undeclaredModule(change.path, read) : undefined)),
        wasUncollected:
          before !== undefined &&
          (before.uncollected ?? uncollectedReason(change.oldPath ?? change.path, reader, collected)) !==
            undefined,
        codeChanged: code.some((each) => isAbout(words, change.path, each)),
      },
    ];
  });
  if (files.length === 0) return [];
  const removed = code.filter(({ after }) => after === undefined).map(({ path }) => path);
  return [
    ...compareTests(files, {
      removedNames: removedNames(code, 'names'),
      removedKeys: removedNames(code, 'keys'),
    }),
    ...findExcludedTags(
      changes.filter(({ path }) => isTestPath(path)),
      read,
    ),
    ...findMockedSubjects(files, removed, read),
    ...findIdleHelpers(files),
  ];
}

function readTests(
  reader: TestReader,
  language: LanguageName,
  path: string,
  text: string | undefined,
): TestFile | undefined {
  if (text === undefined || !(reader.mayHaveTests(text) || isSupport(path))) return undefined;
  const file = reader.read(lex(text, LANGUAGES[language]), path);
  if (reader.isTestPath(path)) return file;
  // Checks of their own in the code are no tests. A helper has functions that tests may call.
  const tests = file.tests.filter(({ name }) => name !== OUTSIDE);
  return tests.length > 0 || isSupport(path) ? { ...file, tests } : undefined;
}

/** Whether a file that holds no tests serves them. */
function isSupport(path: string): boolean {
  return /(?:^|\/)(?:tests?|specs?|__tests__|testing|support|helpers?)\/|(?:^|\/)(?:conftest\.py|\w*(?:test|spec)_?(?:helper|util)s?\.\w+)$/i.test(
    path,
  );
}

/** The tests of a file of any language; undefined if it has none. */
export function testFileOf(path: string, text: string): TestFile | undefined {
  const language = languageOf(path);
  const reader = language && READERS[language];
  return reader && readTests(reader, language, path, text);
}

/** Whether a change is of code, and not of tests alone. */
export function changesCode(change: FileChange): boolean {
  return codeOf(change).length > 0;
}

/** Whether the file holds tests, by its name alone. */
export function isTestPath(path: string): boolean {
  const language = languageOf(path);
  return language !== undefined && READERS[language]?.isTestPath(path) === true;
}

function uncollectedReason(
  path: string,
  reader: TestReader,
  collected: (path: string) => string | undefined,
): string | undefined {
  return reader.isTestPath(path) ? collected(path) : `the runner does not collect ${path}`;
}

interface ChangedCode extends FileChange {
  readonly names: DeclaredNames;
}

interface DeclaredNames {
  readonly before: Declared;
  readonly after: Declared;
}

interface Declared {
  readonly names: ReadonlySet<string>;
  /** Of members and parameters, which a test may pass: `limit?: number`, `def cut(text, limit=3)`. */
  readonly keys: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

function isPlacedAnew({ path, oldPath, before }: FileChange): boolean {
  return before === undefined || (oldPath !== undefined && oldPath !== path);
}

/** The change of the code in a file, which may hold tests as well; none if nothing but tests changed. */
function codeOf(change: FileChange): FileChange[] {
  const { path, before, after } = change;
  const language = languageOf(path);
  if (language === undefined || /(?:^|\/)[^/]*\.config\.[cm]?[jt]s$/.test(path)) return [];
  const reader = READERS[language];
  if (!reader?.withoutTests) return isTestPath(path) ? [] : [change];
  const code = (text: string | undefined) => text && reader.withoutTests?.(text, path);
  return code(before) === code(after) ? [] : [{ ...change, before: code(before), after: code(after) }];
}

const DECLARATION =
  /^(?:function|class|def|fn|func|fun|const|let|var|val|struct|interface|type|enum|trait|record|object|module|namespace|impl|void|static|public|mod|async)$/;

function declaredNames({ path, before, after }: FileChange): DeclaredNames {
  const language = languageOf(path);
  if (!language) return { before: NONE, after: NONE };
  return { before: declaredIn(before, language), after: declaredIn(after, language) };
}

const NONE: Declared = { names: new Set(), keys: new Set(), words: new Set() };

function declaredIn(text: string | undefined, language: LanguageName): Declared {
  if (text === undefined) return NONE;
  const { tokens }: Source = lex(text, LANGUAGES[language]);
  const [names, keys, words] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (let at = 1; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.kind !== 'name' || DECLARATION.test(token.text)) continue;
    words.add(token.text);
    if (/^(?::|\?:?)$/.test(tokens[at + 1]?.text ?? '') || isParameter(tokens, at)) keys.add(token.text);
    // In Ruby a block begins after `def`.
    const before = tokens[tokens[at - 1]?.kind === 'indent' ? at - 2 : at - 1];
    const next = tokens[at + 1]?.text;
    const isDeclared = before?.kind === 'name' && DECLARATION.test(before.text);
    // A method: `name(…) {`, also with a type in front of it.
    const isMethod = next === '(' && (before?.kind === 'name' || /^[;{}*>\]]$/.test(before?.text ?? ''));
    if (isDeclared || isMethod || (before?.text === ')' && next === '(')) names.add(token.text);
  }
  return { names, keys, words };
}

/** A parameter with a default: `(text, limit=3)`. */
function isParameter(tokens: Source['tokens'], at: number): boolean {
  return tokens[at + 1]?.text === '=' && /^[(,]$/.test(tokens[at - 1]?.text ?? '');
}

/** Names that code declared and nothing declares any more; keys that it declared and does not mention any more. */
function removedNames(code: readonly ChangedCode[], kind: 'names' | 'keys'): Set<string> {
  const after = new Set(code.flatMap(({ names }) => [...names.after[kind === 'keys' ? 'words' : kind]]));
  return new Set(
    code.flatMap(({ names }) =>
      [...names.before[kind]].filter((name) => !after.has(name) && name.length > 2),
    ),
  );
}

/** Whether tests may be about a changed file: they name it, or something in it, or are beside it. */
function isAbout(words: ReadonlySet<string>, testPath: string, { path, names }: ChangedCode): boolean {
  const parts = path.split('/');
  const file = parts.at(-1)?.replace(/\.\w+$/, '') ?? '';
  const stem = /^(?:index|mod|lib|main|__init__)$/.test(file) ? (parts.at(-2) ?? file) : file;
  if (path === testPath) return true;
  if (path.endsWith('.go') && directoryOf(path) === directoryOf(testPath)) return true;
  if (stem.length > 1 && (stem.match(/\w+/g) ?? []).every((word) => words.has(word))) return true;
  return [...names.after.names, ...names.before.names].some((name) => name.length > 3 && words.has(name));
}

function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
