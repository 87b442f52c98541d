import { saysNothing } from '../failures/consequences.ts';
import { type FailureBlock, type Line, PRIORITY, type StoredFailure } from '../failures/failure.ts';
import { saidBy } from '../failures/repeats.ts';
import { classificationOf, severityOf } from '../lines/classify.ts';
import { withoutPrefix } from '../lines/prefix.ts';
import { SEVERITY } from '../lines/rules.ts';
import { isExternalFrame, isExternalPlace, isFrame } from '../lines/stack-frames.ts';
import {
  indentOf,
  introducesNext,
  isChained,
  isCode,
  isDetail,
  isItem,
  isTestTitle,
  isTraceback,
  isValue,
  namesPlace,
  separatorIn,
} from '../lines/structure.ts';
import { isSameTest, type ShownName, shownNames } from './shown-names.ts';

/** A shorter message may be part of a line by chance. */
const MIN_MESSAGE = 16;
/** Lines between a message and the exception that has it too. */
const REACH = 2;
/** What is before and behind a message in a longer line. */
const BEFORE = /(?:^|[:>\]"'`(=→-])\s*$/;
const BEHIND = /^(?:$|["'`)\]},;]| \[| \()/;
/** Lines between two lines of one print. */
const MAX_GAP = 3;

/** Without a message beside the exception that has it too: `boom` above `Error: boom`. */
export function withoutInnerMessages(lines: readonly Line[]): Line[] {
  return lines.filter(({ at, text }, index) => {
    const message = messageIn(text);
    if (message.length < MIN_MESSAGE || !message.includes(' ') || isPart(text)) return true;
    return !lines
      .slice(Math.max(0, index - REACH), index + REACH + 1)
      .some(
        (line) => Math.abs(line.at - at) <= REACH && line.text.length > text.length && has(line, message),
      );
  });
}

/** A shorter message may be that of two errors. */
const MIN_SAID = 40;
const PLACE_ALONE = /^\s*\S*[/.]\S*$/;
/** Between the message and the error with its stack. */
const MAX_BLANK = 1;
/** Further above, a message may be about something else. */
const MAX_BETWEEN = 8;
/** What is put before a message when it is passed on. */
const PASSED_ON =
  /^(?:\s*(?:[\w.]*(?:Error|Exception)|[Ee]rror|ERROR|[Ff]atal|FATAL|[Cc]aused by|[Ww]arning|WARNING): )+/;

/**
 * Without an error that was shown before, if nothing about it follows, and nothing that it may belong to lies in between.
 * Tests, files and other errors may have the same message.
 */
export function withoutSaidBefore(lines: readonly Line[], failures: readonly StoredFailure[]): Line[] {
  const blocks = new Map(failures.flatMap(({ block }) => block.lines.map(({ at }) => [at, block] as const)));
  const kept: Line[] = [];
  for (const [index, line] of lines.entries()) {
    const block = blocks.get(line.at);
    const message = withoutPrefix(line.text).replace(PASSED_ON, '').trim();
    const mayBeSaid =
      message.length >= MIN_SAID &&
      message.includes(' ') &&
      !isPart(line.text) &&
      !isExplained(line, lines[index + 1]) &&
      !belongsTo(line, lines[index - 1]);
    // With its place, a message is about the same wherever it is.
    const hasPlace =
      severityOf(classificationOf(line.text)) >= SEVERITY.thrown &&
      namesPlace(message) &&
      !introducesNext(message);
    const above = kept.at(-1);
    // A program prints the message, and then the error with its stack.
    const printed = kept.findLast(({ text }) => text !== '');
    const isWithStack = isFrame(lines[index + 1]?.text ?? '') && printed?.text === line.text;
    if (isWithStack && printed.at >= line.at - MAX_BLANK - 1) continue;
    const said = mayBeSaid
      ? kept.slice(hasPlace ? 0 : -MAX_BETWEEN).findLast(({ text }) => endsWith(text, message))
      : undefined;
    const isOfSame =
      block === undefined || block.headline.at >= line.at || blocks.get(said?.at ?? -1) === block;
    // Below another message, it is the place of that.
    const isPlaceOf = block !== undefined && block.headline.at === line.at - 1 && above === lines[index - 1];
    const isSaid =
      said &&
      (hasPlace
        ? !isPlaceOf
        : isOfSame && !kept.slice(kept.indexOf(said) + 1).some(({ text }) => startsOther(text)));
    if (!isSaid) kept.push(line);
  }
  return kept;
}

/** Whether a line is a message, with or without what passes it on. */
function endsWith(text: string, message: string): boolean {
  return text.endsWith(message) && /(?:^|:)\s*$/.test(withoutPrefix(text.slice(0, -message.length)));
}

/** Whether the next line goes on with what a line says. */
function isExplained({ at, text }: Line, next: Line | undefined): boolean {
  if (!next || next.at > at + 1 || next.text === '') return false;
  if (isExternalFrame(next.text)) return false;
  return introducesNext(text) || indentOf(next.text) > indentOf(text) || isPartOfError(next.text);
}

/** Whether a line is the end of what is above it, or below another line. */
function belongsTo({ at, text }: Line, above: Line | undefined): boolean {
  if (!above || at > above.at + 1 || above.text === '') return false;
  return indentOf(above.text) < indentOf(text) || isPartOfError(above.text);
}

function isPartOfError(text: string): boolean {
  return isCode(text) || isFrame(text) || isDetail(text);
}

/** Whether a test or a file begins, or a place is named: what follows is about that. */
function startsOther(text: string): boolean {
  return (
    classificationOf(text) === 'failedTest' ||
    separatorIn(text) !== null ||
    introducesNext(text) ||
    PLACE_ALONE.test(text)
  );
}

/** What an exception of Python says, behind its class. */
const EXCEPTION = /^(?:E\s+)?(?:\w*(?:Error|Exception)|\w+(?:\.\w+)+)(?:: (.*))?$/;

/**
 * Without an exception of which no frame is shown, and that another one was raised from with the same message, or that has
 * none: a library has passed it on.
 */
export function withoutPassedOn(lines: readonly Line[]): Line[] {
  const dropped = new Set<Line>();
  for (const [index, { text }] of lines.entries()) {
    if (!isChained(text)) continue;
    const start = lines.findLastIndex((line, at) => at < index && EXCEPTION.test(line.text));
    const between = lines.slice(start + 1, index);
    const message = EXCEPTION.exec(lines[start]?.text ?? '')?.[1] ?? '';
    const isAgain =
      message === '' || lines.slice(index + 1).some((line) => EXCEPTION.exec(line.text)?.[1] === message);
    const above = lines[start - 1];
    const isOfFrame = above !== undefined && !isTraceback(above.text) && isShownFrame(above.text);
    if (
      start === -1 ||
      !isAgain ||
      isOfFrame ||
      !between.every((line) => line.text === '' || isExternalPlace(line.text))
    )
      continue;
    const from = above && isTraceback(above.text) ? start - 1 : start;
    for (const line of lines.slice(from, index + 1)) dropped.add(line);
  }
  return lines.filter((line) => !dropped.has(line));
}

/** Whether a line is of a stack, and of the project. */
function isShownFrame(text: string): boolean {
  return text !== '' && !isExternalFrame(text) && (isFrame(text) || isCode(text) || indentOf(text) > 0);
}

/** Why a test failed, in a list of those that ran. */
const ARROW = /^\s*→ \S/;
/** The same in a tree of tests, behind the name. */
const IN_TREE = /^[\s│├└─]+\S.* [✘✗] (?=\S)/;

/** Without what a list of tests says of a failed one, if that is shown below with its details. */
export function withoutListedReasons(lines: readonly Line[]): Line[] {
  const others = lines.filter(({ text }) => !ARROW.test(text) && !IN_TREE.test(text));
  const lastAt = new Map(others.map(({ at, text }) => [messageIn(text), at]));
  let said: Line | undefined;
  return lines.filter((line) => {
    const { at, text } = line;
    const message = messageIn(text.replace(IN_TREE, ''));
    const goesOn = said?.at === at - 1 || text === '';
    const isSaid =
      ARROW.test(text) || IN_TREE.test(text)
        ? others.some((other) => other.at > at && has(other, message))
        : said && goesOn && (message === '' || (lastAt.get(message) ?? 0) > at);
    said = isSaid ? line : undefined;
    return !isSaid;
  });
}

/** How often a rule was broken: `6     E231 missing whitespace after ','`, and the number of all at the end. */
const RULE_COUNT = /^\s*(\d+)\s+([A-Z]{1,4}\d{2,})\s/;
const NUMBER = /^\d+$/;

/** Without the counts of rules that are shown wherever they were broken. */
export function withoutRuleCounts(lines: readonly Line[]): Line[] {
  const others = lines.filter(({ text }) => !RULE_COUNT.test(text)).map(({ text }) => text);
  let isCounted = false;
  return lines.filter(({ text }) => {
    const [, times = '', rule] = RULE_COUNT.exec(text) ?? [];
    const isTotal = isCounted && NUMBER.test(text);
    isCounted = rule !== undefined;
    if (rule === undefined) return !isTotal;
    return others.filter((other) => other.includes(`: ${rule} `)).length < Number(times);
  });
}

/** A member of an error, and its end, are below its stack, of which the frames of the runner are left out. */
const MEMBER = /^\s+\w+: \S.*$|^\s*[}\])],?$/;
const MAX_STACK = 12;

/** A failed test, and what is shown below its name. */
interface Print {
  readonly name: ShownName;
  readonly below: readonly Line[];
}

/** Without what is said of a failed test both where it failed and at the end. */
export function withoutSecondPrints(lines: readonly Line[]): Line[] {
  const prints = shownNames(lines)
    .filter(({ isBare, name }) => !isBare && name !== '')
    .map((name) => ({ name, below: printBelow(name.line, lines) }));
  const redundant = new Set<Line>();
  for (const [index, first] of prints.entries()) {
    const others = prints.filter((print) => print !== first && areOfSameTest(first, print));
    const [second] = others;
    if (others.length !== 1 || !second || prints.indexOf(second) < index) continue;
    const [less, more] = isSaidIn(first, second) ? [first, second] : [second, first];
    if (!isSaidIn(less, more)) continue;
    for (const line of less.below) redundant.add(line);
    if (isSameTest(less.name, more.name)) redundant.add(less.name.line);
  }
  return lines.filter((line) => !redundant.has(line));
}

function areOfSameTest({ name: one }: Print, { name: other }: Print): boolean {
  return isSameTest(one, other) || isSameTest(other, one);
}

function isSaidIn(print: Print, other: Print): boolean {
  const said = print.below.map(({ text }) => messageIn(text)).filter((text) => text !== '');
  return said.length > 0 && said.every((message) => other.below.some((line) => has(line, message)));
}

function printBelow({ at }: Line, lines: readonly Line[]): Line[] {
  const below: Line[] = [];
  let last = at;
  for (const line of lines) {
    if (line.at <= at) continue;
    const gap = MEMBER.test(line.text) ? MAX_STACK : MAX_GAP;
    if (line.at - last > gap || endsPrint(line.text)) break;
    below.push(line);
    last = line.at;
  }
  return below;
}

function endsPrint(text: string): boolean {
  return ['failedTest', 'passed', 'summary'].includes(classificationOf(text)) || separatorIn(text) !== null;
}

/** What a line says, without a mark and a margin. */
function messageIn(text: string): string {
  return saidBy(withoutPrefix(text))
    .replace(/^[→-]\s+/, '')
    .trim();
}

function has({ text }: Line, message: string): boolean {
  const at = text.lastIndexOf(message);
  return at !== -1 && BEFORE.test(text.slice(0, at)) && BEHIND.test(text.slice(at + message.length));
}

/** Whether a line is a name, a value, or a part of code or a stack: these are read as they are. */
function isPart(text: string): boolean {
  return classificationOf(text) === 'failedTest' || isValue(text) || isCode(text) || isFrame(text);
}

/** The name of a failed test, and why it failed. */
const REASON = /^(.*?\S) - (\S.*)$/;

/**
 * The positions of what a summary says below the names of failed tests, if all of it, with the reason behind the name, was
 * said of a failure before.
 */
export function saidAgainIn(failures: readonly StoredFailure[]): ReadonlySet<number> {
  const said = new Set<string>();
  const again = new Set<number>();
  for (const { severity, block } of failures) {
    const reason = severity === SEVERITY.failedTest ? REASON.exec(block.headline.text)?.[2] : undefined;
    const details = block.lines.filter(({ at, text }) => at > block.headline.at && text !== '');
    const isSaid = ({ text }: Line) => said.has(messageIn(text));
    if (reason !== undefined && said.has(reason) && details.every(isSaid))
      for (const { at } of details) again.add(at);
    if (severity >= SEVERITY.thrown) for (const { text } of block.lines) said.add(messageIn(text));
  }
  return again;
}

/** Without what a list of failed tests says below, or behind, the name of one whose failure is shown above. */
export function withoutSaidReasons(lines: readonly Line[]): Line[] {
  const said = new Set<string>();
  const kept: Line[] = [];
  let last: number | undefined;
  for (const line of lines) {
    const { at, text } = line;
    const isFailed = classificationOf(text) === 'failedTest';
    const [, name = '', reason = ''] = (isFailed && REASON.exec(text)) || [];
    const isSaid = reason.length >= MIN_MESSAGE && (said.has(reason) || isCutFrom(reason, said));
    const isBelow = last !== undefined && at <= last + MAX_GAP && !endsPrint(text);
    last = isSaid || isBelow ? at : undefined;
    if (isSaid) kept.push({ ...line, text: name });
    else if (!isBelow || !said.has(messageIn(text))) kept.push(line);
    said.add(messageIn(text));
  }
  return kept;
}

/** Where a runner, or this program, has cut a text. */
const CUT = /(?:\.{3}| … .*)$/;

function isCutFrom(reason: string, said: ReadonlySet<string>): boolean {
  const start = reason.replace(CUT, '');
  return start.length < reason.length && [...said].some((message) => message.startsWith(start));
}

const SIGNED = /^\s*[+-](?![+-]{2})/;
/** The values of an assertion as members in YAML, below its message. */
const VALUES = /^\s*(?:expected|actual):$/;
const ERROR_TEXT = /^\s*error: [|>]/;

/** The lines of a diff, and two short values, in the message of an assertion of Node.js. */
const ADDED = /^\s*\+ /;
const REMOVED = /^\s*- /;
const COMPARED = /^\s*\S.* !== \S/;
const CLOSING = /^\s*[}\])],?$/;
const MEMBER_VALUE = /^\s+(?:actual|expected): \S/;

/** The positions of the values of an assertion, if the message above them has a diff of these. */
export function secondValuesIn({ lines: block }: FailureBlock): number[] {
  const lines = block.map(({ at, text }) => ({ at, text: withoutPrefix(text) }));
  const of = (pattern: RegExp) => lines.findIndex(({ text }) => pattern.test(text));
  const diff = Math.min(of(ADDED), of(REMOVED));
  const compared = diff === -1 ? of(COMPARED) : diff;
  const members = compared === -1 ? [] : memberValuesIn(lines.slice(compared));
  const error = lines.findIndex(({ text }) => ERROR_TEXT.test(text));
  const start = lines.findIndex(({ text }, index) => index > error && VALUES.test(text));
  if (error === -1 || !lines.slice(error, start).some(({ text }) => SIGNED.test(text))) return members;
  const indent = indentOf(lines[start]?.text ?? '');
  const end = lines.findIndex(
    ({ text }, index) => index > start && indentOf(text) === indent && !VALUES.test(text),
  );
  const ofYaml = lines.slice(start, end === -1 ? lines.length : end).map(({ at }) => at);
  return [...members, ...ofYaml];
}

/** Above a diff: which sign is which. */
const LEGEND =
  /^\s*(?:[-+] (?:Expected|Received|Actual)(?: +[-+] \d+)?|\+ expected - actual|\+ actual - expected|[-+]{3} (?:Expected|Actual))$/;
const CHANGE = /^\s*[-+]\s*(.*?),?$/;
/** Below a change, of Python: which signs differ. */
const DIFFERENCE = /^\s*\?\s+[\s^+~-]+$/;

/** Above a diff: RSpec has said before what was expected, and what it got. */
const DIFF = /^\s*Diff:$/;
const PLACE_OF_DIFF = /^\s*@@ /;
const BETWEEN = /[\s()[\]{}]+/g;

/** The positions of a diff of one line in another one, and of its legend, if the lines above have both. */
export function saidDiffIn({ headline, lines: block }: FailureBlock): number[] {
  const lines = block.map(({ at, text, priority }) => ({ at, priority, text: withoutPrefix(text) }));
  const changes = lines.filter(({ text }) => SIGNED.test(text) && !LEGEND.test(text));
  const [first, second] = changes;
  if (!first || !second || changes.length > 2 || first.text.trim()[0] === second.text.trim()[0]) return [];
  const start = lines.findIndex(({ text }) => DIFF.test(text));
  const least = start === -1 ? PRIORITY.error : PRIORITY.detail;
  const message = lines
    .filter(({ at, priority }) => at >= headline.at && at < first.at && priority >= least)
    .map(({ text }) => text.replace(BETWEEN, ''));
  const isSaid = ({ text }: Line) => {
    const value = CHANGE.exec(text)?.[1]?.replace(BETWEEN, '') ?? '';
    return value !== '' && message.some((said) => said.includes(value));
  };
  if (!isSaid(first) || !isSaid(second)) return [];
  const indent = indentOf(lines[start]?.text ?? '');
  const below = start === -1 ? [] : lines.slice(start + 1);
  const end = below.findIndex(({ text }) => text !== '' && (indentOf(text) < indent || isFrame(text)));
  const section = below.slice(0, end === -1 ? below.length : end);
  const same = section.filter(({ text }) => text !== '' && !SIGNED.test(text) && !PLACE_OF_DIFF.test(text));
  // Of a value with several members, the diff says which one differs.
  if (same.length > 0) return same.map(({ at }) => at);
  const around = lines.filter(({ text }) => LEGEND.test(text) || DIFFERENCE.test(text));
  return [...(start === -1 ? [] : lines.slice(start, start + 1)), ...section, ...around, first, second].map(
    ({ at }) => at,
  );
}

/** Above the diff that a runner makes of an assertion of Node.js, which has one in its message. */
const LEGEND_OF_RUNNER = /^\s*\+ expected - actual$/;
/** A value without its sign, its quotation marks, and a comma. */
const BARE = /^\s*[+-]?\s*(["'`]?)(.*?)\1,?\s*$/;

/** The positions of the diff that a runner adds to an assertion with the same values in its message. */
export function secondDiffIn({ lines: block }: FailureBlock): number[] {
  const lines = block.map(({ at, text }) => ({ at, text: withoutPrefix(text) }));
  const start = lines.findIndex(({ text }) => LEGEND_OF_RUNNER.test(text));
  if (start === -1) return [];
  const bareOf = (text: string) => BARE.exec(text)?.[2] ?? '';
  const above = lines.slice(0, start).map(({ text }) => text);
  const said = new Set([
    ...above.filter((text) => SIGNED.test(text)).map(bareOf),
    ...above.filter((text) => COMPARED.test(text)).flatMap((text) => text.split(' !== ').map(bareOf)),
  ]);
  const below = lines.slice(start + 1);
  const end = below.findIndex(({ text }) => text !== '' && !SIGNED.test(text));
  const changes = end === -1 ? below : below.slice(0, end);
  const isSaid = ({ text }: Line) => text === '' || said.has(bareOf(text));
  if (changes.every(({ text }) => text === '') || !changes.every(isSaid)) return [];
  return lines.slice(start, start + 1 + changes.length).map(({ at }) => at);
}

const REQUIRED = /^\s*Require stack:$/;
const REQUIRED_BY = /^\s*- (\S+)$/;
const MEMBER_OF_STACK = /^\s*requireStack: \[/;

/**
 * The positions of what Node.js prints of a module that it did not find, besides the files of the project that require it:
 * the files of packages, and the frames of the same files, except for the first.
 */
export function requiredAgainIn({ lines: block }: FailureBlock): number[] {
  const lines = block.map(({ at, text }) => ({ at, text: withoutPrefix(text) }));
  const start = lines.findIndex(({ text }) => REQUIRED.test(text));
  if (start === -1) return [];
  const below = lines.slice(start + 1);
  const files = below.flatMap(({ text }) => REQUIRED_BY.exec(text)?.[1] ?? []);
  const ofPackages = below.filter(
    ({ text }) => REQUIRED_BY.test(text) && /[\\/]node_modules[\\/]/.test(text),
  );
  const frames = below.filter(({ text }) => isFrame(text) && files.some((file) => text.includes(`${file}:`)));
  const member = below.findIndex(({ text }) => MEMBER_OF_STACK.test(text));
  const end = below.findIndex(({ text }, index) => index >= member && /\],?$/.test(text));
  const members = member === -1 ? [] : below.slice(member, end + 1);
  return [...ofPackages, ...frames.slice(1), ...members].map(({ at }) => at);
}

/** The values among the members of an error that was printed, each with its further lines. */
function memberValuesIn(lines: readonly Line[]): number[] {
  let indent: number | undefined;
  return lines.flatMap(({ at, text }) => {
    const own = indentOf(text);
    if (MEMBER_VALUE.test(text)) indent = own;
    const isFurther = indent !== undefined && (own > indent || (own === indent && CLOSING.test(text)));
    if (!isFurther && !MEMBER_VALUE.test(text)) indent = undefined;
    return indent === undefined ? [] : [at];
  });
}

/** Of so many items with the same below them, the first few stand for all. */
const MANY_ITEMS = 10;
const FEW_ITEMS = 3;

/**
 * The positions of what is below items of a list, if it is below one above too. Of many such items, as of the pages with one
 * broken link, those of all but the first few.
 */
export function repeatedItemsIn({ lines }: FailureBlock): number[] {
  const alike = new Map<string, Line[][]>();
  for (const item of itemsIn(lines)) {
    const below = item.slice(1).map(({ text }) => text.trim());
    const key = below.join('\n');
    if (key.length >= MIN_MESSAGE) alike.set(key, [...(alike.get(key) ?? []), item]);
  }
  const redundant = [...alike.values()].flatMap((items) =>
    items.length < MANY_ITEMS
      ? items.slice(1).flatMap((item) => item.slice(1))
      : items.slice(FEW_ITEMS).flat(),
  );
  return redundant.map(({ at }) => at);
}

/** The items of lists that introduce what is below them, with that, up to the next item. */
function itemsIn(lines: readonly Line[]): Line[][] {
  const items: Line[][] = [];
  let item: Line[] | undefined;
  for (const line of lines) {
    if (isItem(line.text) && line.text.endsWith(':')) {
      item = [line];
      items.push(item);
    } else if (item?.[0] && indentOf(line.text) > indentOf(item[0].text)) item.push(line);
    else item = undefined;
  }
  return items;
}

/** An error as a CI service reads it: its file, its line, and what is wrong. */
const ANNOTATION = /^\s*::error (?=.*\bfile=([^,]+))(?=.*\bline=(\d+)).*?::(.*)$/;
/** Breaks the lines of an annotation, in which a percent sign is escaped. */
const LINE_BREAK = /%0[AD]/;
const PERCENT = '%25';
/** What fills the rest of a title; a line break behind it may be cut. */
const RULER_BEHIND = /\s*[─━═]+%?$/;

/** Without what is said for a CI service too. */
export function withoutAnnotations(lines: readonly Line[]): Line[] {
  const annotations = new Set(lines.filter(({ text }) => ANNOTATION.test(text)));
  const others = lines.filter((line) => !annotations.has(line));
  return lines.filter((line) => !annotations.has(line) || !isSaidBy(others, line));
}

/** The first line says what is wrong, as far as it was not cut; of the others, the values count. */
function isSaidBy(others: readonly Line[], { text }: Line): boolean {
  const [, file = '', at = '', message = ''] = ANNOTATION.exec(text) ?? [];
  const place = `${file.slice(file.lastIndexOf('/') + 1)}:${at}`;
  const [title = '', ...rest] = message.split(LINE_BREAK).map((part) => part.replaceAll(PERCENT, '%').trim());
  const mayBeValue = (part: string) => isValue(part) && !CUT.test(part) && !saysNothing(part);
  const said = [title.replace(CUT, '').replace(RULER_BEHIND, ''), ...rest.filter(mayBeValue)];
  return (
    others.some((line) => line.text.includes(`${place}:`) || line.text.endsWith(place)) &&
    said.every((part) => others.some((line) => line.text.includes(part)))
  );
}

/** Nothing but a place, of webpack: `./src/admin.ts 1:17-23`, and `4:76-79` in the file that is named above. */
const BARE_PLACE = /^\s*(?:\S*?([\w@.+~-]+\.\w+) )?(\d+):\d+(?:-\d+(?::\d+)?)?$/;

/** The line of a place in brackets, or behind a colon. */
const PLACE_IN_ERROR = /\.\w+ ?(?:\(|:)(\d+)[,:]\d+/;
/** What Rollup adds to an error that has its place. */
const FILE_OF_ERROR = /^file: \S*?([\w@.+~-]+\.\w+):(\d+):\d+$/;

/** The file of an error, of webpack, and the same error with its place, of a loader. */
const FILE_ONLY = /^ERROR in (\S+)$/;
const PLACED_FILE = /ERROR in (\S+)\(\d+,\d+\)$/;
const PLACE_REACH = 2;

/** Without the places, and the files, that the error below each, or above it, has too. */
export function withoutPlacesOfErrors(lines: readonly Line[]): Line[] {
  const hasPlace = (error: Line | undefined, file: string, line: string | undefined) =>
    error !== undefined &&
    severityOf(classificationOf(error.text)) >= SEVERITY.tagged &&
    error.text.includes(file) &&
    PLACE_IN_ERROR.exec(error.text)?.[1] === line;
  const isNext = (one: Line | undefined, other: Line | undefined) => one?.at === (other?.at ?? 0) - 1;
  return lines.filter((line, index) => {
    const [above, below] = [lines[index - 1], lines[index + 1]];
    const only = FILE_ONLY.exec(line.text)?.[1];
    if (only !== undefined)
      return !lines
        .slice(index + 1, index + 1 + PLACE_REACH)
        .some(({ text }) => PLACED_FILE.exec(text)?.[1] === only);
    const [, file = '', bare] = BARE_PLACE.exec(line.text) ?? [];
    if (bare !== undefined) return !isNext(line, below) || !hasPlace(below, file, bare);
    const [, name, added] = FILE_OF_ERROR.exec(line.text) ?? [];
    return name === undefined || !isNext(above, line) || !hasPlace(above, name, added);
  });
}

/** The source below a note, and the sign below that. */
const MAX_BELOW_NOTE = 2;
/** What a compiler, or an analyzer, has found at a place, and what it adds. */
const PLACED = /^(\S+:\d+:\d+: )(?:error|warning): (.*?)(?: \[[^\]]*\])?$/;
const NOTE = /^(\S+:\d+:\d+: )note: (.*)$/;

/** Without the notes that say at the place of an error what it says, and the source below them. */
export function withoutSameNotes(lines: readonly Line[]): Line[] {
  const said = new Set<string>();
  let note: Line | undefined;
  return lines.filter((line) => {
    const [, place, message] = PLACED.exec(line.text) ?? [];
    const [, placeOfNote, added] = NOTE.exec(line.text) ?? [];
    if (place !== undefined) said.add(`${place}${message}`);
    if (placeOfNote !== undefined && said.has(`${placeOfNote}${added}`)) note = line;
    else if (!(note && indentOf(line.text) > 0 && line.at - note.at <= MAX_BELOW_NOTE)) note = undefined;
    return note === undefined;
  });
}

/** What a runner or a runtime puts before the lines of a stack. */
const LEAD_OF_STACK = /^(?:=> |Caused by: |at )+/;

/** The errors with a stack of which another failure has the message and all frames: a test says what it has logged, too. */
export function stacksOfOthersIn(failures: readonly StoredFailure[]): ReadonlySet<StoredFailure> {
  const saidIn = ({ text }: Line) => messageIn(text).replace(LEAD_OF_STACK, '');
  const all = failures.map((stored) => {
    const { headline, lines } = stored.block;
    const own = lines.filter(({ at, text }) => at >= headline.at && text !== '');
    return { stored, at: headline.at, own: own.map(saidIn), said: new Set(lines.map(saidIn)) };
  });
  type Said = (typeof all)[number];
  const isWithin = ({ own }: Said, { said }: Said) => own.every((line) => said.has(line));
  const isStack = ({ stored: { block } }: Said) =>
    block.severity >= SEVERITY.tagged &&
    block.severity < SEVERITY.failedTest &&
    block.lines.some(({ text }) => isFrame(text)) &&
    !block.lines.some(({ text }) => isTestTitle(text));
  // Of two that say the same, the first one stays.
  const isOfOther = (one: Said) =>
    all.some(
      (other) => other !== one && isWithin(one, other) && (other.at < one.at || !isWithin(other, one)),
    );
  return new Set(all.filter((one) => isStack(one) && isOfOther(one)).map(({ stored }) => stored));
}
