import type { Line, StoredFailure } from './failure.ts';
import { prefixOf, taskOf } from './prefix.ts';
import { SEVERITY } from './rules.ts';
import { indentOf, isCode, isDetail, isFrame, namesLine, namesPlace, repairs } from './structure.ts';

/** A name in a line: quoted, or of several parts. */
const NAME = /["'`‘“«]([^"'`’”»\s]{2,})["'`’”»]|[\w@]+(?:[-./:_][\w@]+)+/g;
/** All errors and warnings of a file name it. */
const FILE = /\.[A-Za-z]\w{0,7}$/;
/** What failed although it is called a warning. */
const FAILURE =
  /\b(?:fail(?:ed|ure|s)?|missing|unresolved|not found|cannot|could not|unable|fatal|invalid|rejected|declined|refused|denied|(?:has|have|with) (?:\w+ )?errors)\b/i;
/** What a compiler adds to the error above. */
const ADDITION = /\b(?:note|info|hint|help)\b/i;
const PATH = /\S*[\w-][/.]\w\S*/g;
const WORD = /\p{L}{4,}/gu;
/** Words that say nothing of what a line is about. */
const COMMON =
  /^(?:errors?|warn(?:ing)?s?|fail(?:ed|ure|ures|s)?|build|built|tests?|files?|lines?|columns?|found|from|with|this|that|have|been|will|your|when|were|must|should|could|cannot|used|line|module|modules|node|info|note|code|exit|command)$/;
/** A warning is about the same as an error if they share so many words; those of compilers share some anyway. */
const MIN_SHARED = 1;
const MIN_SHARED_AT_PLACE = 2;
/** Those of other tasks may be between the lines of one. */
const TASK_REACH = 40;

/**
 * The texts of warnings that do not explain an error: beside one that is sure they are noise. A warning explains an error
 * if it names what the error names, says it in the same words, says that something failed, is an addition to it, or is what
 * the program, or the task, has warned of right before it.
 */
export function unrelatedWarnings(failures: readonly StoredFailure[]): ReadonlySet<string> {
  const errors = failures.filter(({ severity }) => severity >= SEVERITY.tagged);
  if (!errors.some(({ severity }) => severity >= SEVERITY.thrown)) return new Set();
  const names = new Set(errors.flatMap(({ block }) => block.lines.flatMap(namesIn)));
  const wordings = errors.flatMap(({ block }) => block.lines.map(wordsIn));
  const unplaced = errors.filter(({ block }) => !namesLine(block.headline.text));
  const starts = new Set(unplaced.map(({ block }) => block.lines[0]?.at));
  const ends = new Set(errors.map(({ block }) => block.lines.at(-1)?.at));
  const sharesWords = (headline: Line) => {
    const own = wordsIn(headline);
    const least = namesLine(headline.text) ? MIN_SHARED_AT_PLACE : MIN_SHARED;
    return wordings.some((words) => shared(own, words) >= least);
  };
  const logged = loggedAbove(failures);
  const explains = ({ block: { headline, lines } }: StoredFailure) =>
    logged.has(headline) ||
    (starts.has(headline.at + 1) && !namesLine(headline.text)) ||
    (ends.has(headline.at - 1) && ADDITION.test(headline.text)) ||
    lines.some((line) => namesIn(line).some((name) => names.has(name))) ||
    sharesWords(headline);
  const unrelated = failures.filter((stored) => stored.severity === SEVERITY.warning && !explains(stored));
  return new Set(
    unrelated.flatMap(({ block: { headline, lines } }) =>
      lines
        .filter((line) => line.at === headline.at || isPartOf(headline, line))
        .map(({ text }) => text)
        .filter((text) => text !== '' && !FAILURE.test(text) && !repairs(text)),
    ),
  );
}

/** The warnings, by their headlines, that a task has logged once, and shortly above its failure: they may say why. */
export function loggedAbove(failures: readonly StoredFailure[]): ReadonlySet<Line> {
  const counts = new Map<string, number>();
  for (const { kind, times } of failures) counts.set(kind, (counts.get(kind) ?? 0) + times);
  const logged = new Set<Line>();
  const last = new Map<string, Line>();
  for (const { severity, kind, block } of failures.toReversed()) {
    const { headline } = block;
    const prefix = prefixOf(headline.text);
    const task = taskOf(prefix);
    const below = last.get(task)?.at ?? Number.POSITIVE_INFINITY;
    if (severity >= SEVERITY.tagged) last.set(task, headline);
    else if (
      task !== '' &&
      severity === SEVERITY.warning &&
      counts.get(kind) === 1 &&
      below - headline.at <= TASK_REACH &&
      !namesLine(headline.text.slice(prefix.length))
    )
      logged.add(headline);
  }
  return logged;
}

/** Whether a line is surely about a warning above it: others may only follow it. */
function isPartOf(headline: Line, { at, text }: Line): boolean {
  if (at < headline.at) return false;
  if (isCode(text) || isDetail(text) || isFrame(text)) return true;
  return indentOf(text) > indentOf(headline.text) || !namesPlace(text);
}

/** The words of a line, in the singular, without those in paths. */
function wordsIn({ text }: Line): ReadonlySet<string> {
  const words = text.replace(PATH, ' ').toLowerCase().match(WORD) ?? [];
  return new Set(words.filter((word) => !COMMON.test(word)).map((word) => word.replace(/s$/, '')));
}

function shared(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let count = 0;
  for (const word of some) if (others.has(word)) count++;
  return count;
}

function namesIn({ text }: Line): string[] {
  return [...text.matchAll(NAME)].map(([name, quoted]) => quoted ?? name).filter((name) => !FILE.test(name));
}
