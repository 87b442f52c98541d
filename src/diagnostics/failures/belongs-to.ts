/** Whether a line belongs to the failure that is being read. */

import type { ClassifiedLine } from '../lines/classify.ts';
import { firstWord } from '../lines/line-text.ts';
import { COMMAND_END, NUMBERED_TEST, SEVERITY } from '../lines/rules.ts';
import { isExternalFrame, isFrame } from '../lines/stack-frames.ts';
import {
  indentOf,
  isCode,
  isComment,
  isDetail,
  isException,
  isFailuresHeading,
  isFileHeading,
  isFileTitle,
  isFinding,
  isNote,
  isNumberedPlace,
  isTitleOfFault,
  isTraceback,
  namesOrigin,
  separatorIn,
  startsInclusion,
  startsTestLog,
} from '../lines/structure.ts';
import type { Line } from './failure.ts';
import { ERROR_LINE, isHandled, isUnderline, MAX_LINES, type OpenFailure } from './open-failure.ts';
import { isFailedInTree } from './test-trees.ts';

/** Plain lines directly below a headline that are taken for the rest of its message. */
const MESSAGE_LINES = 3;
/** The same below the place of an assertion of GoogleTest. */
const ASSERTION_LINES = 8;
/** Further plain lines, besides indented ones, that are part of the message if a stack follows them. */
const PARAGRAPH_LINES = 30;
/** Of all that a program prints right below a stack, only a value is about the error above it: `Last message: {:add, 1}`. */
const LABELLED = /^[A-Z][a-z]+(?: [a-z]+)*(?: \([^()]*\))?: /;
/** `<testsuite name="cart">` */
const OPENING_TAG = /^\s*<\w(?:[^<>]*[^<>/])?>$/;

/** In TAP, the title of the next test is a comment too. */
const MORE_COMMENT = /^\s*#(?! Subtest:)/;

/** The first line of what a runner prints of a failed test, between two lines with its name: `==== cart-1 adds FAILED`. */
const FENCE = /^(={4,}) (\S+) .+ FAILED$/;

export function belongsTo(open: OpenFailure, { text: whole, prefix }: Line, line: ClassifiedLine): boolean {
  const { classification, severity, text, indent } = line;
  const { headline } = open.block;
  const isAfterBlank = open.blanks > 0;
  if (isFailuresHeading(headline.text)) return false;
  const [, fence, name] = FENCE.exec(headline.text) ?? [];
  if (fence) return !text.startsWith(`${fence} ${name} `);
  if (open.hasPassed && classification !== 'passed' && !line.ask(isFrame)) return false;
  // The items of a list, and what is in a tag, are failures of their own.
  if (line.ask(startsTestLog) || headline.text.endsWith('[') || OPENING_TAG.test(headline.text)) return false;
  if (open.isTitled)
    return (
      !line.ask(isNumberedPlace) &&
      !line.ask(isTitleOfFault) &&
      classification !== 'passed' &&
      classification !== 'summary' &&
      severity < SEVERITY.failedTest &&
      // Deeper, it underlines code.
      (indent > open.indent || isUnderline(open, line) || !line.ask(separatorIn))
    );
  if (severity === SEVERITY.failedTest && NUMBERED_TEST.test(text)) return false;
  if (isComment(headline.text) && !MORE_COMMENT.test(text)) return false;
  // The next row of a table may be indented less, or more.
  if (line.ask(isFinding)) return false;
  // Below a warning, the runner of the tests has indented them, not the warning.
  if (open.block.severity === SEVERITY.warning && severity === SEVERITY.failedTest) return false;
  if (indent <= open.indent && line.ask(endsCommand)) return false;
  // What a compiler says of the next file.
  if (endsCommand(headline.text) && line.ask(startsInclusion)) return false;
  if (isUnderline(open, line)) return true;
  if (isLoggedException(open, line)) return true;
  const isAssertion = ASSERTION.test(headline.text);
  const isSaidBelow = isAssertion || IN_FILE.test(headline.text);
  if (isBelow(open) && isSaidBelow && severity < SEVERITY.located) return true;
  if (line.ask(namesOrigin)) return true;
  if (line.ask(isNote)) return !isAfterBlank;
  // Counts, which bun indents by one character, say nothing of the test above.
  if (isAfterBlank && classification === 'summary' && indent <= open.indent + 1) return false;
  if (open.isUsage && hasTagOf(headline, whole, prefix)) return true;
  // What a compiler adds may be of no use, and further notes follow it.
  if (classification === 'chatter' && line.ask(isDetail)) return !isAfterBlank;
  if (classification === 'passed' || classification === 'chatter') return indent > open.indent;
  if (indent > open.indent)
    return !isAfterBlank || (severity <= open.block.severity && severity < SEVERITY.failedTest);
  // What was introduced is indented below, up to a blank line.
  if (open.isIntroduced && !(isAfterBlank && isDeeper(open, open.block.lines.at(-1))))
    return classification !== 'summary' && !line.ask(separatorIn);
  const isInStack = line.ask(isFrame) || line.ask(isExternalFrame);
  if (severity < SEVERITY.located && (isInStack || line.ask(isCode) || line.ask(isDetail))) return true;
  if (ERROR_LINE.test(text)) return true;
  if (quotesPlace(headline.text, whole)) return true;
  if (awaitsException(open)) return classification !== 'summary' && !line.ask(separatorIn);
  if (isAfterBlank) return open.frames > 0 && classification === 'plain' && !line.ask(separatorIn);
  if (isLogRecord(headline.text)) return false;
  // The next test may have logged it.
  const isRecord = DATED.test(prefix ?? '') && !DATED.test(headline.prefix ?? '');
  if (open.block.severity === SEVERITY.failedTest && isRecord) return false;
  // What is less deep than the name of a test is what the next one has printed.
  if (open.block.severity === SEVERITY.failedTest && indent < open.indent) return false;
  // The next test in a tree of results is beside it.
  if (open.block.severity === SEVERITY.failedTest && isFailedInTree(headline.text)) return false;
  if (classification === 'plain' || classification === 'mentioned')
    return (
      ((open.messageLines < (isAssertion ? ASSERTION_LINES : MESSAGE_LINES) &&
        (open.frames === 0 || LABELLED.test(text))) ||
        isNextItem(open, text)) &&
      !startsAnew(line) &&
      !(classification === 'mentioned' && lacksTag(headline.text, whole))
    );
  return classification === 'tagged' && hasTagOf(headline, whole, prefix);
}

export function endsCommand(text: string): boolean {
  return COMMAND_END.test(text);
}

const ITEM = /^\s*(\d+)[.)] /;

/** Whether a line is the next item of a list that is part of the message. */
function isNextItem({ block: { lines } }: OpenFailure, text: string): boolean {
  const item = ITEM.exec(text);
  return item !== null && Number(ITEM.exec(lines.at(-1)?.text ?? '')?.[1]) + 1 === Number(item[1]);
}

const LEVEL = /^[A-Z]+:?$/;

/** Lines with the same tag of a wrapper are one message; behind the prefix of a logger, a level is none. */
function hasTagOf(headline: Line, text: string, prefix: string | undefined): boolean {
  const tag = firstWord(text);
  return tag === firstWord(headline.text) && (prefix === undefined || !LEVEL.test(tag));
}

/** `[warn] src/cart.css` */
const TAG = /^\[\w+\] /;

/** Whether the program that prints a tag before each line has not printed this one. */
function lacksTag(headline: string, text: string): boolean {
  return TAG.test(headline) && firstWord(text) !== firstWord(headline);
}

/** Whether a line is part of the message of the last exception if a stack follows. */
export function mayBeMessage({ exceptionIndent, unsure }: OpenFailure, line: ClassifiedLine): boolean {
  if (exceptionIndent === undefined || unsure.length >= MAX_LINES) return false;
  if (line.classification !== 'plain' && line.classification !== 'mentioned') return false;
  if (line.indent > exceptionIndent) return !line.ask(isFrame);
  const paragraphs = unsure.filter(({ classified }) => classified.indent <= exceptionIndent);
  return (
    paragraphs.length < PARAGRAPH_LINES && !line.ask(isFrame) && !startsAnew(line) && !line.ask(isComment)
  );
}

/** Whether a line is a frame of the last exception, and the lines above it are thus its message. */
export function endsMessage({ exceptionIndent, unsure }: OpenFailure, line: ClassifiedLine): boolean {
  if (exceptionIndent === undefined || unsure.length === 0) return false;
  return line.indent > exceptionIndent && line.ask(isFrame) && /:\d/.test(line.text);
}

/** What a bundler prints above what is wrong in a file. */
const IN_FILE = /^ERROR in \S+(?: \d+:\d+(?:-\d+)*)?$/;
/** Where an assertion of GoogleTest has failed. Below are the values, and at the end what the test says about them. */
const ASSERTION = /^(?:\S+(?::\d+|\(\d+\))|unknown file): Failure$/;

/** Whether the next line is right below the headline. */
function isBelow({ block: { headline, lines }, blanks }: OpenFailure): boolean {
  return blanks === 0 && lines.at(-1)?.at === headline.at;
}

function isDeeper({ indent }: OpenFailure, line: Line | undefined): boolean {
  return line !== undefined && indentOf(line.text) > indent;
}

/** Whether the frames of a traceback were read, and the exception below them was not. */
function awaitsException({ block, exceptionIndent }: OpenFailure): boolean {
  if (exceptionIndent !== undefined) return false;
  if (isHandled(block)) return block.lines.some(({ text }) => isTraceback(text));
  return block.headline.text.trimStart().startsWith('Traceback (');
}

/** Whether a line is the exception that the headline, a line of a log, is about. */
function isLoggedException(open: OpenFailure, line: ClassifiedLine): boolean {
  const mayBeLogged = open.block.severity === SEVERITY.tagged || isHandled(open.block);
  return mayBeLogged && isBelow(open) && line.ask(isException);
}

/** Whether a line quotes the line of source that the headline names: it starts with its number. */
function quotesPlace(headline: string, text: string): boolean {
  const number = /^\s*(\d+)\s/.exec(text)?.[1];
  if (number === undefined) return false;
  return [`:${number}:`, `(${number},`, `(${number}:`].some((place) => headline.includes(place));
}

/** Whether a plain line is about something else than the ones above it. */
function startsAnew(line: ClassifiedLine): boolean {
  if (line.ask(separatorIn) !== null) return true;
  return [isFileHeading, isFileTitle, callsOnFile].some((question) => line.ask(question));
}

/** A program, its options, and the file that it reads next. */
function callsOnFile(text: string): boolean {
  return /^[\w./+-]+ (?:--?[\w-]+(?:=\S+)? )+\S*\/\S+$/.test(text);
}

/** How a logger without levels begins a record. */
const DATED = /^\d{4}[/-]\d\d[/-]\d\d[ T]\d\d:\d\d:\d\d/;

/** A line of a structured log is complete. */
export function isLogRecord(text: string): boolean {
  return text.trimStart().startsWith('{') && text.endsWith('}');
}
