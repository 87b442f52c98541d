/** The failure that is being read: its lines, what is left out of them, and what each is worth. */

import type { ClassifiedLine } from '../lines/classify.ts';
import { SEVERITY } from '../lines/rules.ts';
import { isDependencyFrame, isExternalFrame, isFrame, stackIndentOf } from '../lines/stack-frames.ts';
import {
  introducesNext,
  isCandidate,
  isCode,
  isDetail,
  isNote,
  isNumberedPlace,
  isOverload,
  isPlaceOnly,
  isSyntaxError,
  isTitleOfFault,
  isTraceback,
  isUnittestTitle,
  namesPlace,
  saysWarning,
  separatorIn,
  startsAttachment,
  startsUsage,
} from '../lines/structure.ts';
import { bestLines, charactersIn, type FailureLine, type Line, PRIORITY, type Priority } from './failure.ts';
import { RenderedPage } from './rendered-page.ts';
import { dropNameOf } from './shown-frames.ts';

/** A failure with more than this is cut to the best of its lines, and far enough: cutting it at each line takes long. */
export const MAX_LINES = 160;
/** Of further lines that say nothing about a failure, the places are not kept: a gap is marked there. */
const MAX_DROPPED = 100;
const MAX_CHARACTERS = 12_000;
const CUT_LINES = 100;
const CUT_CHARACTERS = 6000;
/** Functions that a compiler has tried: those of the project, and those of libraries. The first are enough. */
const MAX_CANDIDATES = { own: 3, others: 1 } as const;

/** The error lines of pytest. */
export const ERROR_LINE = /^E(?: |$)/;

/** A line that was read, and what it is. */
interface ReadLine {
  readonly line: Line;
  readonly classified: ClassifiedLine;
  readonly template: number;
  readonly hadBlank: boolean;
}

/** The failure that is being read. */
export interface OpenFailure {
  readonly block: {
    severity: number;
    template: number;
    readonly signature?: string;
    readonly headline: Line;
    lines: FailureLine[];
    readonly dropped: number[];
  };
  /** About as many as its lines have. */
  characters: number;
  readonly indent: number;
  /** Its headline is a title, the name of a test or a numbered place: all that follows is about it. */
  readonly isTitled: boolean;
  /** Its last line of the headline's level introduced a line that has not come yet. */
  isIntroduced: boolean;
  messageLines: number;
  /** How many frames the last lines are: reports of crashes have several stacks. */
  frames: number;
  blanks: number;
  /** The indentation of its last exception, as long as no frame came. */
  exceptionIndent: number | undefined;
  /** The last lines, if they may be part of its message: it may have paragraphs, also at the left edge. */
  readonly unsure: ReadLine[];
  /** The lines below an external frame that are indented deeper are part of it. */
  externalIndent: number | undefined;
  /** The first frame of a dependency: it threw, and no frame may be the project's. */
  thrower: Line | undefined;
  /** Its last lines are of the error that caused it, and none is a frame of a dependency. */
  isCause: boolean;
  /** The frame of a dependency at which a stack is cut off: the project may have called it. */
  called: Line | undefined;
  /** A test has passed below it, which is no part of it: only its stack may follow. */
  hasPassed: boolean;
  /** Its last lines say how the command is used, not what is wrong. */
  isUsage: boolean;
  /** Its last lines say where a file about it is. */
  isAttachment: boolean;
  /** Some of its lines were printed twice. */
  hasRepeats: boolean;
  /** How many functions a compiler has tried so far. */
  candidates: number;
  /** The indentation of a further one, as long as the lines are about it. */
  candidateIndent: number | undefined;
  readonly page: RenderedPage;
  /** Its last lines are the steps of a path through the code, or one of them as a note. */
  isPath: boolean;
  isPathNote: boolean;
}

/**
 * A failure of which the first lines were read.
 *
 * @param line the one that says that something failed
 */
export function openFailure(block: OpenFailure['block'], line: Line, indent: number): OpenFailure {
  return {
    block,
    characters: charactersIn(block.lines),
    indent,
    isTitled:
      block.signature !== undefined ||
      [isNumberedPlace, isTitleOfFault, isUnittestTitle].some((isTitle) => isTitle(line.text)),
    isIntroduced: introducesNext(line.text),
    messageLines: 0,
    frames: 0,
    blanks: 0,
    exceptionIndent: block.severity === SEVERITY.thrown ? indent : undefined,
    unsure: [],
    externalIndent: undefined,
    thrower: undefined,
    isCause: false,
    called: undefined,
    hasPassed: false,
    isUsage: false,
    isAttachment: false,
    hasRepeats: false,
    candidates: 0,
    candidateIndent: undefined,
    page: new RenderedPage(),
    isPath: false,
    isPathNote: false,
  };
}

/** V8 shows so many frames of a stack. */
const MAX_FRAMES = 10;
/** What has waited may be called by nothing else. */
const ASYNC = /^\s*at async /;

export function addLine(open: OpenFailure, line: FailureLine): void {
  const { block } = open;
  block.lines.push(line);
  open.characters += line.text.length + 1;
  if (block.lines.length <= MAX_LINES && open.characters <= MAX_CHARACTERS) return;
  block.lines = bestLines(block, CUT_CHARACTERS, CUT_LINES);
  open.characters = charactersIn(block.lines);
}

/** Leaves out a line that says nothing about the failure. @returns that it is noise */
export function drop({ block: { dropped } }: OpenFailure, { at }: Pick<Line, 'at'>): true {
  if (dropped.length < MAX_DROPPED) dropped.push(at);
  return true;
}

/** The error that another one was caused by: its stack says more than that of the other. */
const CAUSE = /^\s*(?:\[cause\]|Caused by): /;

/** Leaves out an external frame, with its name on a line of its own. Those of dependencies may be the only places. */
export function dropFrame(open: OpenFailure, line: Line, classified: ClassifiedLine): true {
  if (classified.ask(isDependencyFrame)) {
    if (!open.thrower || open.isCause) {
      open.thrower = line;
      open.called = undefined;
      open.isCause = false;
    }
    if (open.frames === MAX_FRAMES && !ASYNC.test(line.text)) open.called = line;
  }
  const name = dropNameOf(line, open.block.lines);
  if (name) drop(open, name);
  return drop(open, line);
}

/** Whether the place of what is wrong is on a line of its own above it. */
export function isPlacedAbove({ headline, lines }: OpenFailure['block']): boolean {
  return lines.some(({ at, text }) => at < headline.at && isPlaceOnly(text));
}

/** Whether a place is that of source that cannot be parsed: the stack below says only who has loaded it. */
export function isNotParsed({ lines }: OpenFailure['block'], place: Line): boolean {
  return isPlaceOnly(place.text) && lines.some(({ at, text }) => at > place.at && isSyntaxError(text));
}

/** Drops the place of the next failure, below a blank line. */
export function dropNextPlace(block: OpenFailure['block']): void {
  const [blank, place] = block.lines.slice(-2);
  if (blank?.text === '' && place && isPlaceOnly(place.text)) block.lines = block.lines.slice(0, -2);
}

/** Drops the source of a package above the error that it threw. */
export function dropQuoted(block: OpenFailure['block']): void {
  const start = block.lines.findIndex(({ text }) => ERROR_LINE.test(text));
  const above = block.lines.slice(0, start).filter(({ priority }) => priority !== PRIORITY.code);
  block.lines = [...above, ...block.lines.slice(start)];
}

/**
 * Updates the failure for a line that belongs to it.
 *
 * @returns whether blank lines came before it, and whether the line above introduced it
 */
export function advance(
  open: OpenFailure,
  line: ClassifiedLine,
): { readonly hadBlank: boolean; readonly wasIntroduced: boolean } {
  const before = { hadBlank: open.blanks > 0, wasIntroduced: open.isIntroduced };
  open.isCause ||= CAUSE.test(line.text);
  const underlines = isUnderline(open, line);
  open.blanks = 0;
  if (before.hadBlank && open.frames > 0) open.messageLines = 0;
  open.frames = line.ask(isFrame) ? open.frames + 1 : 0;
  if (open.frames > 0) open.exceptionIndent = undefined;
  else if (line.severity === SEVERITY.thrown) open.exceptionIndent = line.indent;
  if (line.ask(isNote) || line.severity > SEVERITY.mentioned) open.messageLines = 0;
  if (line.indent <= open.indent) {
    open.isIntroduced = line.ask(introducesNext) || underlines;
    open.messageLines++;
  }
  return before;
}

/** Notes which frame is being read. @returns whether it is external, or a line of it is read */
export function readsExternalFrame(open: OpenFailure, line: ClassifiedLine): boolean {
  const { externalIndent } = open;
  const isNested = externalIndent !== undefined && stackIndentOf(line.text) > externalIndent;
  // A call in the code of a frame looks like a frame too.
  if (isNested && !line.ask(namesPlace)) return true;
  const isFrameItself = line.ask(isExternalFrame);
  open.externalIndent = isFrameItself ? stackIndentOf(line.text) : undefined;
  return isFrameItself;
}

/**
 * Notes what is being read of a failure that says nothing about it: functions that a compiler has tried, a path through the
 * code, a recorded file, how the command is used.
 *
 * @returns whether the line is part of one of these
 */
export function readsAside(open: OpenFailure, line: ClassifiedLine): boolean {
  return (
    readsCandidate(open, line) ||
    readsPath(open, line.text) ||
    readsAttachment(open, line) ||
    readsUsage(open, line)
  );
}

/** It goes on up to the next blank line. */
function readsUsage(open: OpenFailure, line: ClassifiedLine): boolean {
  open.isUsage ||= line.ask(startsUsage);
  return open.isUsage;
}

/** A file that was recorded of the test: from the heading to the line below it. */
function readsAttachment(open: OpenFailure, line: ClassifiedLine): boolean {
  const isInside = open.isAttachment || line.ask(startsAttachment);
  open.isAttachment = isInside && line.ask(separatorIn)?.title !== '';
  return isInside;
}

/** A function that a compiler has tried after some others. */
function readsCandidate(open: OpenFailure, line: ClassifiedLine): boolean {
  const { candidateIndent } = open;
  if (line.ask(isCandidate)) {
    const mayBeOwn = line.ask(namesPlace) || line.ask(isOverload);
    const max = mayBeOwn ? MAX_CANDIDATES.own : MAX_CANDIDATES.others;
    open.candidateIndent = ++open.candidates > max ? line.indent : undefined;
  } else if (candidateIndent !== undefined) {
    const isAboutIt =
      line.severity < SEVERITY.located &&
      (line.indent > candidateIndent || line.ask(isCode) || line.ask(isNote));
    if (!isAboutIt) open.candidateIndent = undefined;
  }
  return open.candidateIndent !== undefined;
}

/** The path through the code that an analyzer shows below an error: `‘main’: events 1-4`, and lines behind a bar. */
const PATH = /['‘]\S+['’]: events? \d+(?:-\d+)?$/;
const PATH_LINE = /^\s+[|+<]/;
/** What happens on it, not where it goes. */
const EVENT = /\(\d+\) (?!entry to|following|\.{3}|calling|returning to)/;

/** A step of such a path as a note, with its source below. That a value is assumed to be null says why. */
const PATH_NOTE =
  /: note: (?:Assuming (?!.* is null$)|'[?|&]+' condition is |Loop condition |Taking (?:true|false) branch|Entering loop body|Entered call |Calling |Returning from |Left side of )/;

/** What only shows where a path goes: there are dozens of lines to an error. */
function readsPath(open: OpenFailure, text: string): boolean {
  open.isPathNote = PATH_NOTE.test(text) || (open.isPathNote && !namesPlace(text) && text !== '');
  open.isPath = PATH.test(text) || (open.isPath && PATH_LINE.test(text));
  return open.isPathNote || (open.isPath && !EVENT.test(text));
}

/** How a logger begins a record of a warning. */
const WARNED = /^(?:\[?[\d:.,TZ-]+\]? )*\[?WARN(?:ING)?\]? /;

/** Whether a program has logged a warning: an exception and its stack below were handled. */
export function isHandled({ severity, headline }: OpenFailure['block']): boolean {
  return severity === SEVERITY.warning && WARNED.test(headline.text);
}

/** What a linter only suggests. */
function isInformation(text: string): boolean {
  return /^\s+ℹ \S/.test(text);
}

/** How a tool marks an error in ASCII; a warning has `!`. */
const CROSS = /^\s+x \S/;
/** The place below it, above the source. */
const FRAME_START = /^\s*,-\[\S+:\d+:\d+\]$/;

/** The severity of a failure with a further line. */
export function severityWith(block: OpenFailure['block'], line: ClassifiedLine): number {
  const { severity, headline, lines } = block;
  const isBelowHeadline = lines.at(-1)?.at === headline.at;
  if (line.ask(saysWarning)) return SEVERITY.warning;
  if (isHandled(block)) return severity;
  // A place without a word for how bad it is, and below it, that it is a warning, or less.
  const isMinor = (line.severity === SEVERITY.warning && !line.ask(isNote)) || line.ask(isInformation);
  if (severity === SEVERITY.thrown && isMinor && isBelowHeadline) return SEVERITY.warning;
  // A stack below it: it was thrown, not only mentioned or logged.
  const isWeak = severity === SEVERITY.mentioned || severity === SEVERITY.tagged;
  if (isWeak && isBelowHeadline && CROSS.test(headline.text) && FRAME_START.test(line.text))
    return SEVERITY.located;
  const least = isWeak && line.ask(isFrame) && line.ask(namesPlace) ? SEVERITY.thrown : severity;
  return line.severity > SEVERITY.mentioned ? Math.max(least, line.severity) : least;
}

/** The priority of a line that is not an error itself. */
export function priorityOf(line: ClassifiedLine, above: Line | undefined): Priority {
  // The innermost frame is the first in most languages.
  if (line.ask(isFrame) && above && isFrame(above.text)) return PRIORITY.code;
  if (line.ask(isOverload)) return PRIORITY.body;
  if (line.ask(isPlaceOnly) && line.ask(namesPlace)) return PRIORITY.place;
  if (line.ask(isFrame)) return line.ask(namesPlace) ? PRIORITY.place : PRIORITY.detail;
  if (line.ask(isDetail) || line.severity === SEVERITY.mentioned) return PRIORITY.detail;
  if (line.ask(isCode)) return PRIORITY.code;
  return line.ask(namesPlace) ? PRIORITY.detail : PRIORITY.body;
}

/** Where a stack of Python is, each frame with its code below. */
const PYTHON_FRAME = /^\s*File ".*", line \d+/;

/**
 * In Python, the innermost frame is the last one, with its code below: the error comes right after it. The first one is
 * where the project began, and the last but one has called what failed; those between say least.
 */
export function rankFrames(lines: FailureLine[]): void {
  const at = lines.findLastIndex(({ text }, index) => index >= lines.length - 5 && isFrame(text));
  const frame = lines[at];
  if (!frame || !PYTHON_FRAME.test(frame.text)) {
    if (frame?.priority === PRIORITY.code) lines[at] = { ...frame, priority: PRIORITY.detail };
    return;
  }
  const start = lines.findLastIndex(({ text }) => isTraceback(text));
  const frames = lines.flatMap(({ text }, index) => (index > start && PYTHON_FRAME.test(text) ? index : []));
  for (const [rank, index] of frames.entries()) {
    const isLast = rank === frames.length - 1;
    const mayCause = rank === 0 || rank === frames.length - 2;
    const priority = isLast ? PRIORITY.place : mayCause ? PRIORITY.detail : PRIORITY.code;
    lines[index] = { ...(lines[index] as FailureLine), priority };
  }
}

/** The line above a caret is the source that the error is about, also if it has no number. */
export function raiseSource(lines: FailureLine[]): void {
  const at = lines.length - 2;
  const source = lines[at];
  if (source?.priority === PRIORITY.body) lines[at] = { ...source, priority: PRIORITY.code };
}

/** Does not spread the line: that takes a fifth of the time for a log of errors. */
export function withPriority({ at, text, prefix }: Line, priority: Priority): FailureLine {
  return prefix === undefined ? { at, text, priority } : { at, text, prefix, priority };
}

/** Whether a line underlines the headline, as a title: a warning is none, and what is below its ruler is something else. */
export function isUnderline(
  { block: { headline, lines, severity }, blanks }: OpenFailure,
  line: ClassifiedLine,
): boolean {
  const isTitle = severity > SEVERITY.warning && blanks === 0 && lines.at(-1)?.at === headline.at;
  return isTitle && line.ask(separatorIn)?.title === '';
}

/** Whether the last line ends the details of a result in TAP. Deeper dots are a gap in a diff. */
export function endsYaml({ block: { lines } }: OpenFailure): boolean {
  const last = lines.at(-1)?.text ?? '';
  return last.trim() === '...' && lines.some(({ text }) => text === last.replace('...', '---'));
}
