/** What may be in an excerpt: failures by what they are worth, lists, and the lines beside them. */

import { isConsequence, saysNothing } from '../failures/consequences.ts';
import {
  type FailureBlock,
  type FailureLine,
  hasDetails,
  type Line,
  PRIORITY,
  positionsOf,
  type StoredFailure,
} from '../failures/failure.ts';
import { areItems, isPackageFile } from '../failures/lists.ts';
import { isOnTheWay } from '../failures/noise.ts';
import { announcesCommand } from '../failures/steps.ts';
import { failedByOthers, listsOthers, namedOnce, repeatsHeadline } from '../fold/failure-names.ts';
import { classificationOf, severityOf } from '../lines/classify.ts';
import { shapeOf } from '../lines/likeness.ts';
import { pointsElsewhere, repairs } from '../lines/pointers.ts';
import { withoutPrefix } from '../lines/prefix.ts';
import { SEVERITY } from '../lines/rules.ts';
import { isExternalFrame } from '../lines/stack-frames.ts';
import { isCode, namesLine, namesPlace, startsCommand } from '../lines/structure.ts';
import type { Material } from './material.ts';
import { loggedAbove, saysFailure } from './warnings.ts';

const SETTING = /\bseed\b.*\d|(?<!\bpkg-)\b(?:config(?:uration)?|settings)\b.*\w\.\w/i;
/** A warning so close above a failure may say why. */
const CAUSE_REACH = 8;
/** So many lines below a warning may be about it. */
const WARNING_REACH = 16;
/** A command with an option: what comes next is about that. */
const CALL = /^\S+ (?:.* )?--?\w/;
/** In an output with more unique lines, a unique line says nothing. */
const MAX_UNIQUE_LINES = 25;
/** One that is further from a failure that is sure is about something else. */
const UNIQUE_REACH = 5;

/** A file, or a place in it, above what is wrong there. That of an error is shown with it; the others have warnings only. */
const FILE_ONLY =
  /^\s*(?:\{"filePath":"[^"]*","messages":\[|\.{0,2}\/?(?:[\w@.+~()[\]-]+[\\/])*[\w@+~-][\w@.+~-]*\.[A-Za-z]\w{0,7}(?::\d+){0,2})$/;

/** What may be in an excerpt, by what it is worth. */
export interface Candidates {
  /** The failures that say what is wrong, each test once. */
  readonly main: readonly StoredFailure[];
  /** The others, in case that there is space. */
  readonly minor: readonly StoredFailure[];
  /** The last lines that say nothing that a failure or a list says. */
  readonly closing: readonly Line[];
  /** Those of the stream that ended first that may say how the run ended. */
  readonly earlier: readonly Line[];
  /** The lines of a shape that no other line has; none if there are many. */
  readonly unique: readonly Line[];
  /** Whether a line is in no list, in no failure of a test that `main` has, and was not left out of a failure. */
  readonly isOther: (line: Line) => boolean;
}

export function candidatesOf(material: Material): Candidates {
  const { outline, failures, highest, lists, banner, sameReasons } = material;
  const threshold = Math.max(Math.min(Math.max(highest, SEVERITY.tagged), SEVERITY.thrown), highest - 2);
  const isApart = ({ at, text }: Line) =>
    areItems(lists, at, at) || banner.has(at) || (highest > 0 && isPackageFile(text));
  const cause = failures.find(
    ({ severity, block }) => severity >= threshold && !isConsequence(block.headline),
  );
  const isBelowCause = ({ at }: Line) => cause !== undefined && at > cause.block.headline.at;
  const isSilent = ({ headline, lines }: FailureBlock) =>
    isBelowCause(headline) &&
    saysNothing(headline.text) &&
    !lines.some(({ at, priority }) => at < headline.at && priority === PRIORITY.error);
  const unlisted = failures.filter(({ block }) => !isApart(block.headline) && !isSilent(block));
  const severe = unlisted.filter(({ severity }) => severity >= threshold);
  const followed = new Set(failedByOthers(severe.map(({ block }) => block)));
  const isFollowed = ({ block }: StoredFailure) =>
    isBelowCause(block.headline) && isConsequence(block.headline) && block.lines.length === 1;
  const independent = oncePerTest(
    severe.filter((stored) => !followed.has(stored.block) && !isFollowed(stored)),
  );
  // Runners list the names of failed tests again at the end, and print further attempts.
  const isRepeated = repeatsHeadline(independent.map(({ block }) => block));
  const main = independent.filter(
    ({ block }) => !listsOthers(block, isRepeated) && !sameReasons.further.has(block.headline.at),
  );
  const mayCount = minorBeside(main, material);
  const minor = unlisted.filter(
    (stored) => isFollowed(stored) || (stored.severity < threshold && mayCount(stored)),
  );
  const repeated = positionsOf(severe.filter((stored) => !main.includes(stored)));
  const dropped = new Set(failures.flatMap(({ block }) => block.dropped ?? []));
  const isOther = (line: Line) =>
    isOwn(line) && !isApart(line) && !repeated.has(line.at) && !dropped.has(line.at);
  const isFirst = firstPrint(main);
  const hasWarnings =
    highest >= SEVERITY.thrown && failures.some(({ severity }) => severity === SEVERITY.warning);
  const isOfWarning = belowUnrelated(material);
  const isNew = (line: Line) =>
    isOther(line) &&
    !isRepeated(line) &&
    isFirst(line) &&
    !(hasWarnings && FILE_ONLY.test(line.text)) &&
    !isOfWarning(line);
  const closing = outline.closing.filter(isNew);
  return {
    main,
    minor,
    closing,
    earlier: outline.earlier.filter((line) => isNew(line) && isResult(line)),
    unique: uniqueIn(material, main, repeated).filter(isNew),
    isOther,
  };
}

/** Whether a failure that is less severe than others may explain them, or is one of few. */
function minorBeside(
  main: readonly StoredFailure[],
  { outline: { lists }, failures, highest, unrelated }: Material,
): (stored: StoredFailure) => boolean {
  // Of what a command mentions of name after name, the first is enough.
  const isFurther = ({ at }: Line) =>
    highest > SEVERITY.mentioned &&
    areItems(lists, at, at) &&
    !lists.some(({ lines }) => lines[0]?.at === at);
  const logged = loggedAbove(failures);
  // At a place too, a program has warned of what it then failed at.
  const thrown = main.filter(({ block }) => block.severity === SEVERITY.thrown);
  const starts = new Set(thrown.map(({ block }) => block.headline.at));
  const warnings = new Set(
    failures.flatMap(({ severity, block }) => (severity === SEVERITY.warning ? block.headline.at : [])),
  );
  /** Where the warnings end that are in a row: all of them are about one thing, or none. */
  const endOfRun = (at: number): number => (warnings.has(at + 1) ? endOfRun(at + 1) : at);
  const isCause = ({ headline }: FailureBlock) =>
    logged.has(headline) ||
    (starts.has(headline.at + 1) && saysFailure(headline.text)) ||
    (!namesLine(withoutPrefix(headline.text)) &&
      !unrelated.has(headline.text) &&
      main.some(({ block: { lines } }) =>
        isShortlyBefore(endOfRun(headline.at), lines[0]?.at ?? headline.at),
      ));
  // Of the warnings of a log beside its errors, those that say what did not work.
  const mayExplain = ({ headline }: FailureBlock) =>
    highest < SEVERITY.tagged || (highest === SEVERITY.tagged && saysFailure(headline.text));
  return ({ severity, block }) =>
    (severity > SEVERITY.warning || mayExplain(block) || isCause(block)) &&
    !(severity === SEVERITY.mentioned && isFurther(block.headline));
}

/** Whether a line does not say again what a failure says, or looks like one whose count says that it came again. */
function firstPrint(failures: readonly StoredFailure[]): (line: Line) => boolean {
  const texts = new Map(
    failures
      .flatMap(({ block }) => block.lines.map(({ at, text }) => [text.trim(), at] as const))
      .toReversed(),
  );
  const counted = new Set(
    failures.filter(({ times }) => times > 1).map(({ block }) => shapeOf(block.headline.text)),
  );
  // A summary indents it otherwise.
  return ({ at, text }) =>
    (texts.get(text.trim()) ?? at) >= at && !(counted.size > 0 && counted.has(shapeOf(text)));
}

/** Whether a line is a paragraph further down of a warning that explains no error, and says nothing else. */
function belowUnrelated({ failures, unrelated, highest }: Material): (line: Line) => boolean {
  if (highest < SEVERITY.thrown) return () => false;
  return ({ at, text }) => {
    const above = failures.findLast(({ block: { headline } }) => headline.at <= at)?.block.headline;
    const isNear = above !== undefined && at - above.at <= WARNING_REACH && unrelated.has(above.text);
    const isOfOthers = !isCode(text) && (isOfRun({ at, text }) || CALL.test(text));
    return isNear && classificationOf(text) === 'plain' && !isOfOthers;
  };
}

/** The lines of a shape of their own that may say something of the failures. @param repeated where those are that `main` says again */
function uniqueIn(
  { outline, failures, highest }: Material,
  main: readonly StoredFailure[],
  repeated: ReadonlySet<number>,
): Line[] {
  const lines = outline.unique.filter(({ text }) => !isOnTheWay(text));
  if (lines.length > MAX_UNIQUE_LINES) return [];
  if (highest < SEVERITY.thrown) return lines;
  const said = positionsOf(failures.filter(saysAll));
  const nearby = [
    ...failures.filter(({ severity }) => severity > SEVERITY.warning).flatMap(({ block }) => block.lines),
    ...lines.filter(({ text }) => namesPlace(text)),
  ].filter(({ at }) => !said.has(at) && !repeated.has(at));
  const isNear = ({ at }: Line) => nearby.some((line) => Math.abs(line.at - at) <= UNIQUE_REACH);
  const isAllSaid = main.every(saysAll);
  return lines.filter((line) => isOfRun(line) || (!isAllSaid && isNear(line)));
}

/** Whether a failure says which place is wrong: what is printed beside it is about something else. */
export function isPlaced({ severity, block }: StoredFailure): boolean {
  return severity >= SEVERITY.located && namesPlace(block.headline.text);
}

/** Whether a failure is a test that says what is wrong, or at a place: what is printed beside it says nothing about it. */
function saysAll(stored: StoredFailure): boolean {
  return isPlaced(stored) || (stored.severity === SEVERITY.failedTest && hasDetails(stored.block));
}

/** Whether a line counts, or says that something failed. */
function isResult({ text }: Line): boolean {
  const classification = classificationOf(text);
  return classification === 'summary' || severityOf(classification) >= SEVERITY.mentioned;
}

/** How the run was set up, and how it is repeated or repaired: that is about all failures. */
function isOfRun({ text }: Line): boolean {
  return SETTING.test(text) || repairs(text);
}

function isShortlyBefore(at: number, start: number): boolean {
  return at < start && start - at <= CAUSE_REACH;
}

/** Whether the project itself can fix what the line is about. */
export function isOwn({ text }: Line): boolean {
  const said = withoutPrefix(text);
  return said !== '' && !isExternalFrame(said) && !pointsElsewhere(said);
}

/** Before the message of a failed test: an arrow while the tests run, later the name of what was thrown. */
const BEFORE_MESSAGE = /^(?:→ |\w*Error: )/;

/** Whether a later failure says all that is below the headline of one. */
function saidLaterIn(blocks: readonly FailureBlock[]): (block: FailureBlock) => boolean {
  const said = (text: string) => text.trim().replace(BEFORE_MESSAGE, '');
  const lastAt = new Map(blocks.flatMap(({ lines }) => lines.map(({ at, text }) => [said(text), at])));
  return ({ headline, lines }) => {
    const below = lines.filter(({ at, text }) => at > headline.at && text.trim() !== '');
    const end = below.at(-1)?.at ?? headline.at;
    return below.every(({ text }) => (lastAt.get(said(text)) ?? 0) > end);
  };
}

/** The result of a test, below its name and what it has logged. */
const RESULT_ONLY = /^(?:ERROR|FAIL)$/;

/** That of a failed test: a list at the end has it again, with what is wrong. */
function numberOf({ text }: Line): string | undefined {
  return /^\s*(\d+)\) \S/.exec(text)?.[1];
}

/**
 * Without the failed tests that say nothing but a name, which a later failure has too, or not even a name. Some runners print
 * why a test failed above its name, and list the names at the end.
 */
function oncePerTest(failures: readonly StoredFailure[]): StoredFailure[] {
  const blocks = failures.map(({ block }) => block);
  const reasons = blocks.filter((block) => block.severity < SEVERITY.failedTest && hasDetails(block));
  const ends = new Set(reasons.map(({ lines }) => lines.at(-1)?.at));
  const isBelowReason = ({ severity, headline }: FailureBlock) =>
    severity === SEVERITY.failedTest && ends.has(headline.at - 1);
  const isAgain = repeatsHeadline(blocks.filter(isBelowReason));
  const isSaidLater = saidLaterIn(blocks);
  const once = namedOnce(blocks, (block) => (hasDetails(block) ? isSaidLater(block) : !isBelowReason(block)));
  const listed = new Map(
    blocks.filter(hasDetails).map(({ headline }) => [numberOf(headline), headline.at] as const),
  );
  const isListed = ({ headline }: FailureBlock) => {
    const number = numberOf(headline);
    return number !== undefined && (listed.get(number) ?? 0) > headline.at;
  };
  const isNamedAgain = (block: FailureBlock) => isAgain(block.headline) || isListed(block);
  const shown = new Set(once.filter((block) => hasDetails(block) || !isNamedAgain(block)));
  const hasReasons = blocks.some(hasDetails);
  const isNameless = ({ headline, lines }: FailureBlock) =>
    hasReasons && RESULT_ONLY.test(headline.text) && lines.at(-1)?.at === headline.at;
  const isShown = ({ block }: StoredFailure) => shown.has(block) && !isNameless(block);
  // The first one in a package has the name of its script above it, and the command.
  let command: FailureLine[] = [];
  return failures.flatMap((stored) => {
    const { headline, lines } = stored.block;
    const own = lines.filter(({ at, text }) => at < headline.at && announcesCommand(text));
    if (own.some(({ text }) => startsCommand(text))) command = own;
    if (!isShown(stored)) return [];
    const above = command.filter((line) => !lines.some(({ at }) => at === line.at));
    command = [];
    return above.length === 0
      ? stored
      : { ...stored, block: { ...stored.block, lines: [...above, ...lines] } };
  });
}
