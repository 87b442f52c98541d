import { count, oneLine } from '../../base/text.ts';
import { LANGUAGES, languageOf } from '../languages.ts';
import { lex } from '../lexer.ts';
import type { Severity } from '../rules.ts';
import type { FileChange, Finding, ProjectChange } from '../types.ts';
import { changesCode, testFileOf } from './find-weaker-tests.ts';
import { importsIn, modulePaths } from './javascript/syntax.ts';
import type { Test } from './model.ts';
import { afterBracket, canonical, inside, is, type Tokens } from './tokens.ts';

// Finds snapshots that were rewritten although nothing changed that they show, or to a value that nobody wants.

/** Finds snapshots that follow no change of the code, or that record a broken value. */
export function findRewrittenSnapshots(change: ProjectChange): Finding[] {
  const reach = reachOf(change);
  return change.changes.flatMap((file) => {
    if (isSnapshot(file.path)) return file.before === undefined ? [] : changedSnapshot(file, change, reach);
    return file.before !== undefined && file.after !== undefined && languageOf(file.path) === 'javascript'
      ? changedInline(file, reach)
      : [];
  });
}

const FILES =
  /\.(?:snap|ambr|golden|approved|verified)$|\.(?:approved|verified|golden)\.\w+$|(?:^|\/)__(?:file_)?snapshots__\/[^/]+$/;

function isSnapshot(path: string): boolean {
  return FILES.test(path) && !/\.(?:png|jpe?g|gif|webp|pdf|new)$/.test(path);
}

/** A part of a snapshot file that one assertion compares. */
interface Entry {
  readonly name: string;
  readonly value: string;
  readonly line: number;
}

const MARKS: readonly (readonly [path: RegExp, entry: RegExp])[] = [
  [
    /\.[cm]?[jt]sx?\.snap$|__snapshots__\/.*\.snap$/,
    /^exports\[`((?:\\.|[^`\\])*)`\] = `((?:\\.|[^`\\])*)`;/gm,
  ],
  [/\.ambr$/, /^# name: (.*)\n([\s\S]*?)^# ---$/gm],
];

function entriesOf(path: string, text: string): Entry[] {
  const mark = MARKS.find(([pattern]) => pattern.test(path))?.[1];
  if (!mark) {
    // insta has a header in front of the value.
    const header = /^---\r?\n[\s\S]*?\n---\r?\n/.exec(text)?.[0] ?? '';
    return [{ name: '', value: text.slice(header.length), line: header.split('\n').length }];
  }
  let line = 1;
  let at = 0;
  return [...text.matchAll(mark)].map(({ index, 1: name = '', 2: value = '' }) => {
    line += text.slice(at, index).split('\n').length - 1;
    at = index;
    return { name, value, line };
  });
}

function changedSnapshot(file: FileChange, change: ProjectChange, reach: Reach): Finding[] {
  const { path, before = '', after } = file;
  const was = entriesOf(file.oldPath ?? path, before);
  const now = new Map(entriesOf(path, after ?? '').map((entry) => [entry.name, entry]));
  const owner = ownerOf(path);
  const test = owner === undefined ? undefined : testsIn(owner, change);
  const missing = was.filter(({ name }) => !now.has(name) && (test ? hasSnapshot(test, name) : false));
  const report = (severity: Severity, line: number, message: string): Finding => ({
    rule: 'snapshot-rewritten',
    severity,
    path,
    line,
    message,
  });
  const rewritten = was.flatMap((entry) => {
    const next = after === undefined ? undefined : now.get(entry.name);
    return next && plain(next.value) !== plain(entry.value) ? [{ entry, next }] : [];
  });
  for (const { entry, next } of rewritten) {
    const broken = brokenValue(entry.value, next.value, entry.name || path);
    if (broken !== undefined) return [report('high', next.line, `${titled(entry, path)} records ${broken}`)];
  }
  const [first] = missing;
  if (first)
    return [
      report(
        'high',
        first.line,
        `${titled(first, path)} is gone, while its test is still there: it is recorded anew`,
      ),
    ];
  const [one] = rewritten;
  if (!one) return [];
  const severity = isRewritten(owner, change) ? undefined : reach(owner ?? path);
  const what = rewritten.length === 1 ? titled(one.entry, path) : count(rewritten.length, 'snapshot');
  return severity === undefined
    ? []
    : [report(severity, one.next.line, `${what} changed, and no code that the test reaches did`)];
}

/** Whether the test of a snapshot changed in more than its comments and its format. */
function isRewritten(owner: string | undefined, { changes }: ProjectChange): boolean {
  const language = owner === undefined ? undefined : languageOf(owner);
  const file = changes.find(({ path }) => path === owner);
  if (!file || !language) return false;
  const [before, after] = [file.before ?? '', file.after ?? ''].map((text) => {
    const { tokens } = lex(text, LANGUAGES[language]);
    return canonical(tokens, { from: 0, end: tokens.length });
  });
  return before !== after;
}

function titled({ name }: Entry, path: string): string {
  return name === ''
    ? `the snapshot ${path.slice(path.lastIndexOf('/') + 1)}`
    : `the snapshot \`${oneLine(name, 80)}\``;
}

/** The test file of a snapshot file, by its name; undefined if the name does not say it. */
function ownerOf(path: string): string | undefined {
  const match = /^(.*?)(?:__snapshots__\/)?([^/]+?)\.(?:snap|ambr)$/.exec(path);
  if (!match || !/__snapshots__\//.test(path)) return undefined;
  return path.endsWith('.ambr') ? `${match[1]}${match[2]}.py` : `${match[1]}${match[2]}`;
}

function testsIn(path: string, { read }: ProjectChange): readonly Test[] | undefined {
  const text = read(path);
  return text === undefined ? undefined : testFileOf(path, text)?.tests;
}

/** Whether a test of the name of an entry still compares a snapshot that is kept in a file. */
function hasSnapshot(tests: readonly Test[], entry: string): boolean {
  const name = entry.replace(/(?::[^:]*)? \d+$/, '').replaceAll(' > ', ' ');
  return tests.some(
    (test) =>
      test.name.replaceAll(' > ', ' ') === name &&
      (test.state === 'runs' || test.state === 'conditional') &&
      test.assertions.some(({ kind, matcher = '' }) => kind === 'snapshot' && !/Inline|File/.test(matcher)),
  );
}

/** The text without what formats of snapshots differ in. */
function plain(value: string): string {
  return value
    .replace(/\\(["'`\\])/g, '$1')
    .replace(/\b(?:Object|Array) (?=[[{])/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Values that are wrong wherever they appear. */
const BROKEN = /\bNaN\b|\[object \w+\]|\bInvalid Date\b|%!\w\(/g;
/** Values that are wrong in place of another one. */
const ABSENT = /\b(?:undefined|null|None|nil)\b/g;
const ERRORS =
  /\b(?:\w*(?:Error|Exception)\b[:(]|Traceback \(most recent|Cannot read propert|is not a function\b|is not defined\b|panicked at|Exception in thread)/;
const EMPTY = /^(?:["'`]*|<[\w.-]+ ?\/>|<([\w.-]+)> ?<\/\1>|[[{(] ?[\])}]|null|undefined|None)$/;

/** What is broken in the new value; undefined if it may be meant. */
function brokenValue(before: string, after: string, name: string): string | undefined {
  for (const match of new Set(after.match(BROKEN)))
    if (!before.includes(match) && !/nan|invalid|object/i.test(name)) return `\`${match}\``;
  if (
    !ERRORS.test(before) &&
    ERRORS.test(after) &&
    !/error|fail|throw|reject|invalid|exception|bad|wrong|broken/i.test(name)
  )
    return 'an error';
  const isEmpty = EMPTY.test(plain(after)) && !EMPTY.test(plain(before));
  if (isEmpty && !/empty|nothing|null|none|hidden|no |without|missing|undefined/i.test(name))
    return 'an empty value';
  return absentValue(before, after);
}

/** A line in which `undefined` or the like is in place of a value that was there. */
function absentValue(before: string, after: string): string | undefined {
  const was = before.split('\n').map((line) => line.trim());
  const known = new Set(was);
  for (const line of after.split('\n').map((each) => each.trim())) {
    if (known.has(line)) continue;
    for (const match of new Set(line.match(ABSENT))) {
      const parts = line.split(match);
      const [start = ''] = parts;
      const end = parts.at(-1) ?? '';
      const isReplaced = was.some(
        (each) =>
          each.startsWith(start) &&
          each.endsWith(end) &&
          each.length >= start.length + end.length + 1 &&
          !each.slice(start.length).startsWith(match),
      );
      if (isReplaced && (start + end).trim() !== '') return `\`${match}\` in place of a value`;
    }
  }
  return undefined;
}

/** Returns how much it matters that a snapshot of a test file changed; undefined if code that it reaches did. */
type Reach = (testPath: string) => Severity | undefined;

const DOCUMENTS = /\.(?:md|mdx|rst|adoc)$|(?:^|\/)(?:LICENSE|CHANGELOG)\b/i;

function reachOf({ changes, read }: ProjectChange): Reach {
  const others = changes.filter(({ path }) => !isSnapshot(path) && !DOCUMENTS.test(path));
  const paths = new Set(
    others.flatMap(({ path, oldPath }) => [path, ...(oldPath === undefined ? [] : [oldPath])]),
  );
  // What no import names may still be what a snapshot shows: styles, templates, data, dependencies, other languages.
  const isAnything = others.some((change) => languageOf(change.path) !== 'javascript' && mayShow(change));
  return (testPath) => {
    if (isAnything) return undefined;
    const code = others.filter(mayShow);
    if (code.length === 0) return 'high';
    if (languageOf(testPath) !== 'javascript' || read(testPath) === undefined) return undefined;
    return reaches(testPath, paths, read) ? undefined : 'medium';
  };
}

/** Whether a snapshot may show what changed: code, or a file of another kind. */
function mayShow(change: FileChange): boolean {
  return languageOf(change.path) === undefined || changesCode(change);
}

/** How many modules are read to find out whether a test reaches a file. */
const MOST_MODULES = 300;

/** Whether a module imports one of the paths, or a module that does. */
function reaches(from: string, paths: ReadonlySet<string>, read: ProjectChange['read']): boolean {
  const seen = new Set([from]);
  const waiting = [from];
  while (waiting.length > 0) {
    const path = waiting.shift() as string;
    const text = read(path);
    if (text === undefined) continue;
    for (const { module } of importsIn(lex(text, LANGUAGES.javascript).tokens)) {
      // An alias may mean any folder: its end decides.
      const end = module.replace(/^(?:@|~|#)?\/?/, '');
      if (!module.startsWith('.')) {
        if ([...paths].some((each) => withoutExtension(each).endsWith(`/${end}`))) return true;
        continue;
      }
      const resolved = modulePaths(path, module);
      if (resolved.some((each) => paths.has(each))) return true;
      const next = resolved.find((each) => !seen.has(each) && read(each) !== undefined);
      if (next === undefined) continue;
      if (seen.size >= MOST_MODULES) return true;
      seen.add(next);
      waiting.push(next);
    }
  }
  return false;
}

function withoutExtension(path: string): string {
  return path.replace(/\.\w+$/, '').replace(/\/index$/, '');
}

/** The inline snapshots of a file, by what they are about. */
function inlineSnapshots(text: string): { about: string; value: string | undefined; line: number }[] {
  const { tokens } = lex(text, LANGUAGES.javascript);
  return tokens.flatMap((token, at) => {
    if (!/^to(?:Match|ThrowErrorMatching)InlineSnapshot$/.test(token.text) || !is(tokens, at + 1, '('))
      return [];
    const { from, end } = inside(tokens, at + 1);
    const value = tokens[end - 1]?.kind === 'string' && from < end ? tokens[end - 1]?.text : undefined;
    return [{ about: subjectBefore(tokens, at), value, line: token.line }];
  });
}

/** The text between `expect(` and its matcher. */
function subjectBefore(tokens: Tokens, at: number): string {
  for (let index = at; index >= 0 && index > at - 400; index--) {
    const { partner = -1 } = tokens[index] ?? {};
    if (is(tokens, index, 'expect') && afterBracket(tokens, index + 1) <= at)
      return canonical(tokens, { from: index, end: at });
    if (partner !== -1 && partner < index) index = partner;
  }
  return '';
}

function changedInline({ path, before = '', after = '' }: FileChange, reach: Reach): Finding[] {
  if (!before.includes('InlineSnapshot')) return [];
  const now = inlineSnapshots(after);
  for (const { about, value } of inlineSnapshots(before)) {
    const index = now.findIndex((each) => each.about === about);
    const [next] = index === -1 ? [] : now.splice(index, 1);
    if (!next || value === undefined) continue;
    const report = (severity: Severity, message: string): Finding[] => [
      {
        rule: 'snapshot-rewritten',
        severity,
        path,
        line: next.line,
        message: `the inline snapshot of \`${oneLine(about, 80)}\` ${message}`,
      },
    ];
    if (next.value === undefined) return report('high', 'is gone: it is recorded anew');
    if (plain(next.value) === plain(value)) continue;
    const broken = brokenValue(value, next.value, about);
    if (broken !== undefined) return report('high', `records ${broken}`);
    const severity = reach(path);
    if (severity !== undefined) return report(severity, 'changed, and no code did');
  }
  return [];
}
