import { hasCrashed } from '../failures/crashed-test.ts';
import {
  type FailureLine,
  hasDetails,
  type Line,
  PRIORITY,
  type StoredFailure,
} from '../failures/failure.ts';
import { Vocabulary } from '../failures/vocabulary.ts';
import { shapeOf } from '../lines/likeness.ts';
import { repairs } from '../lines/pointers.ts';
import { prefixOf, taskOf, withoutPrefix } from '../lines/prefix.ts';
import { SEVERITY } from '../lines/rules.ts';
import { isFrame } from '../lines/stack-frames.ts';
import {
  indentOf,
  isCode,
  isDetail,
  isNote,
  isPlaceOnly,
  isTitleOfFault,
  namesLine,
  namesPlace,
} from '../lines/structure.ts';

/** All errors and warnings of a file name it. */
const FILE = /\.[A-Za-z]\w{0,7}$/;
/** What failed although it is called a warning. */
const FAILURE =
  /\b(?:fail(?:ed|ure|s)?|missing|un(?:resolved|defined|known)|non-?exist(?:ent|ing)|implicit declaration|not found|cannot|could not|unable|fatal|invalid|rejected|declined|refused|denied|(?:has|have|with) (?:\w+ )?errors)\b/i;
/** What does not exist at a place; what is missing or invalid there is what a linter says of style. */
const ABSENT =
  /\b(?:un(?:resolved|defined|known)|non-?exist(?:ent|ing)|implicit declaration|not found|cannot|could not|unable)\b/i;
/** Above what a compiler has found in a function. */
const IN_FUNCTION = /: In (?:\w+ )*function /;
/** Says only where a bundler warns of something. */
const TITLE = /^WARNING in \S/;
/** The line and the column of a warning below its file. */
const BELOW_FILE = /^\s*\d+:\d+\s/;
/** The name of the rule behind what it says, or before: of a linter, or of a compiler's option. */
const RULE =
  /^\s*\d+:\d+ +[a-z]+ {2}[a-z]\w*(?:-\w+)+ {2}\S|(?:\s{2}[@a-z][\w@-]*(?:\/[\w/-]+)?|\[-W[\w=+-]+\]|\([a-z]+(?:-[a-z]+)+\))$/;
/** `⚠ eslint(no-console): Unexpected console statement.`, above its place. */
const NAMED_RULE = /^\s*(?:[^\w\s]|x) [\w-]+\([\w/-]+\): /;
/** What a compiler adds to the error above. */
const ADDITION = /\b(?:note|info|hint|help)\b/i;
/** A warning is about the same as an error if they share so many words; those of compilers share some anyway. */
const MIN_SHARED = 1;
const MIN_SHARED_AT_PLACE = 2;
/** Those of other tasks may be between the lines of one. */
const TASK_REACH = 40;
/** Of so many that look alike, none explains an error at a place, whatever they say. */
const MANY_ALIKE = 3;
const NUMBER = /\d+/g;
/** A name or a value. */
const QUOTED = /(["'`])[^\s"'`]*\1/g;
const LOGGER = /^[^"]*\d:\d\d:\d\d.*? (?:WARN(?:ING)?|CONTEXT): /;
/** A record of a log. Where a failed test says what is wrong, it is from any test, and mostly what that one is about. */
const RECORD =
  /^\s*\{.*"(?:level|lvl|severity)"|^(?:\S+ )?warn(?:ing)?: |^\[?(?:\d[\d:.,TZ-]*\]? )*\S* ?\[?WARN|\blevel=warn/i;

/**
 * The texts of warnings that do not explain an error: beside one that is sure they are noise. A warning explains an error
 * if it names what the error names, says it in the same words, says that something failed, is an addition to it, or is what
 * the program, or the task, has warned of right before it.
 */
export function unrelatedWarnings(failures: readonly StoredFailure[]): ReadonlySet<string> {
  // Also one that something passed below, which may be the next line of the other stream.
  const errors = failures.filter(
    ({ severity, block }) =>
      severity > SEVERITY.warning && Math.max(severity, block.severity) >= SEVERITY.tagged,
  );
  const warnings = failures.filter(({ severity }) => severity === SEVERITY.warning);
  if (warnings.length === 0 || !errors.some(({ severity }) => severity >= SEVERITY.thrown)) return new Set();
  // Source that is quoted has the names of whatever is near.
  const vocabulary = new Vocabulary(
    errors.map(({ block }) => ({ ...block, lines: block.lines.filter(saysMore) })),
  );
  const unplaced = errors.filter(({ block }) => !namesLine(block.headline.text));
  const starts = new Set(unplaced.map(({ block }) => block.lines[0]?.at));
  const ends = new Set(errors.map(({ block }) => block.lines.at(-1)?.at));
  const places = new Set(
    warnings.flatMap(({ block }) => block.lines.filter(({ text }) => isPlaceOnly(text)).map(({ at }) => at)),
  );
  const sharesWords = (headline: Line) =>
    !isTitleOfFault(headline.text) &&
    vocabulary.hasWordsOf(
      withoutLogger(headline),
      namesLine(headline.text) || places.has(headline.at - 1) ? MIN_SHARED_AT_PLACE : MIN_SHARED,
    );
  const logged = loggedAbove(failures);
  const said = warnings.map(({ block }) => block.headline.text.replace(NUMBER, '0'));
  // Of many that differ in numbers only, the last is the nearest to the error.
  const isEarlierOfMany = (index: number) =>
    said.includes(said[index] ?? '', index + 1) &&
    said.filter((other) => other === said[index]).length >= MANY_ALIKE;
  const isTested = errors.some(
    ({ severity, block }) => severity === SEVERITY.failedTest && hasDetails(block),
  );
  const isOfTest = (line: Line) => isTested && isRecord(line);
  const isNear = (headline: Line, index: number) =>
    logged.has(headline) ||
    (starts.has(headline.at + 1) && !namesLine(headline.text)) ||
    (sharesWords(headline) && !isEarlierOfMany(index));
  // A compiler names a function once, above the first of what it has found there.
  const goesOn = new Set(
    errors.flatMap(({ block: { headline } }) => (namesLine(headline.text) ? headline.at : [])),
  );
  const isOfFunction = (lines: readonly FailureLine[]) =>
    lines.some(({ text }) => IN_FUNCTION.test(text)) && goesOn.has((lines.at(-1)?.at ?? 0) + 1);
  // What a linter says of style at a place has words of its errors, and explains none.
  const isLinted = errors.some(({ block }) => isOfLinter(block.headline));
  const isOfStyle = (headline: Line) => isLinted && isOfLinter(headline);
  const explains = ({ block: { headline, lines } }: StoredFailure, index: number) =>
    (ends.has(headline.at - 1) && ADDITION.test(headline.text)) ||
    isOfFunction(lines) ||
    lines.some(({ at, text }) => at === headline.at + 1 && TITLE.test(headline.text) && ABSENT.test(text)) ||
    (!isOfStyle(headline) && !isOfTest(headline) && isNear(headline, index)) ||
    (!isOfStyle(headline) &&
      lines.some((line) => vocabulary.hasNameOf(withoutLogger(line), (name) => !FILE.test(name))));
  const shapes = warnings.map(({ block }) => shapeOf(block.headline.text));
  const isPlaced = errors.some(({ block }) => namesLine(block.headline.text));
  const isOfMany = (shape: number | undefined) =>
    isPlaced && shapes.filter((other) => other === shape).length >= MANY_ALIKE;
  return new Set(
    warnings.flatMap((stored, index) => {
      if (explains(stored, index)) return [];
      const { headline, lines } = stored.block;
      const isOfOthers = (text: string) =>
        text === headline.text && (isOfMany(shapes[index]) || isOfTest(headline));
      return lines
        .filter((line) => line.at <= headline.at || isPartOf(headline, line))
        .map(({ text }) => text)
        .filter(
          (text) =>
            text !== '' && (!saysFailure(text) || isOfOthers(text) || isOfLinter(headline)) && !repairs(text),
        );
    }),
  );
}

/** With more, none of them says why a program crashed. */
const FEW_RECORDS = 3;

/**
 * The warnings, by their headlines, that may say why something failed: those that a task has logged once, and shortly above
 * its failure, and where a program crashed, the few that a log has.
 */
export function loggedAbove(failures: readonly StoredFailure[]): ReadonlySet<Line> {
  const counts = new Map<string, number>();
  for (const { kind, times } of failures) counts.set(kind, (counts.get(kind) ?? 0) + times);
  const records = failures.filter(
    ({ severity, block }) => severity === SEVERITY.warning && isRecord(block.headline),
  );
  const isKnown = records.length <= FEW_RECORDS && failures.some(hasCrashed);
  const logged = new Set(isKnown ? records.map(({ block }) => block.headline) : []);
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

/** What a record says, without the time, the process and the logger: each record has these. */
function withoutLogger(line: Line): Line {
  return { ...line, text: line.text.replace(LOGGER, '') };
}

/** Whether a line of a warning is a record of a log. */
export function isRecord({ text }: Line): boolean {
  return RECORD.test(withoutPrefix(text));
}

/** Whether a warning says that something did not work; a name or a value in quotation marks does not say it. */
export function saysFailure(text: string): boolean {
  return FAILURE.test(text.replace(QUOTED, ''));
}

/** Whether a warning at a place says only that the code there could be better. */
function isOfLinter({ text }: Line): boolean {
  if (NAMED_RULE.test(text)) return true;
  return (namesPlace(text) || BELOW_FILE.test(text)) && RULE.test(text) && !ABSENT.test(text);
}

/** Whether a line is more than source, or a part of something. */
function saysMore({ text, priority }: FailureLine): boolean {
  return priority >= PRIORITY.detail && !isCode(text);
}

/** The option of a compiler that a warning, and what it notes of it, belong to. */
const OPTION = /\[-W[\w=+-]+\]$/;

/** Whether a line is surely about a warning above it: a note at another place may be a finding of its own. */
function isPartOf(headline: Line, { text }: Line): boolean {
  if (isCode(text) || isDetail(text) || isFrame(text)) return true;
  const option = OPTION.exec(headline.text)?.[0];
  if (option !== undefined && isNote(text) && text.endsWith(option)) return true;
  return indentOf(text) > indentOf(headline.text) || !namesPlace(text);
}

/** What ends a program that has used memory that is not its own. */
const CRASH =
  /\b(?:buffer overflow|stack smashing) detected\b|[Ss]egmentation fault|\bSIG(?:SEGV|BUS)\b|double free|corrupted size|AddressSanitizer/;
/** The options of GCC and Clang for warnings of such use. */
const OF_MEMORY =
  /\[-W(?:stringop-\w+|array-bounds|use-after-free|return-local-addr|format-overflow|free-nonheap-object|null-dereference|dangling-pointer|sizeof-pointer-memaccess)=?\d?\]$/;

/** The warnings of a compiler that say why a program has crashed. */
export function warningsOfCrash(failures: readonly StoredFailure[]): ReadonlySet<StoredFailure> {
  const hasCrash = failures.some(
    ({ severity, block }) => severity > SEVERITY.warning && block.lines.some(({ text }) => CRASH.test(text)),
  );
  if (!hasCrash) return new Set();
  return new Set(
    failures.filter(
      ({ severity, block }) => severity === SEVERITY.warning && OF_MEMORY.test(block.headline.text),
    ),
  );
}
