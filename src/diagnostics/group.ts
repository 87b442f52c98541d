import type { ClassifiedLine } from './classify.ts';
import { FailedNames } from './failed-names.ts';
import {
  bestLines,
  charactersIn,
  ERROR_BITS,
  type FailureBlock,
  type FailureLine,
  type Line,
  PRIORITY,
  type Priority,
} from './failure.ts';
import { templateOf } from './likeness.ts';
import { pointsElsewhere, repairs } from './pointers.ts';
import { prefixOf, withoutPrefix } from './prefix.ts';
import { QuotedCalls } from './quoted-calls.ts';
import { MIN_REPEATED, withoutRepeats } from './repeats.ts';
import { COMMAND_END, SEVERITY } from './rules.ts';
import { dropNameOf } from './shown-frames.ts';
import { ThreadStack } from './stack-dump.ts';
import {
  isDependencyFrame,
  isExternalFrame,
  isFrame,
  isThreadHeading,
  stackIndentOf,
} from './stack-frames.ts';
import {
  indentOf,
  introducesNext,
  introducesText,
  isCandidate,
  isCaret,
  isCode,
  isComment,
  isDetail,
  isException,
  isFileHeading,
  isInstantiation,
  isLogged,
  isMember,
  isNote,
  isNumberedPlace,
  isPlaceOnly,
  isPlacePointer,
  isProgress,
  namesPlace,
  namesTest,
  separatorIn,
  startsAttachment,
  startsStep,
  startsTestLog,
  startsUsage,
} from './structure.ts';
import type { ChannelTracker } from './tracker.ts';

/** A failure with more than this is cut to the best of its lines, and far enough: cutting it at each line takes long. */
const MAX_LINES = 160;
/** Of further lines that say nothing about a failure, the places are not kept: a gap is marked there. */
const MAX_DROPPED = 100;
const MAX_CHARACTERS = 12_000;
const CUT_LINES = 100;
const CUT_CHARACTERS = 6000;
/** Blank lines between two parts of one failure. */
const MAX_BLANKS = 2;
/** Lines right above a headline that may lead to it. */
const LEAD_LINES = 6;
/** How far above an error without a place the step may begin that it belongs to. */
const STEP_LINES = 8;
/** Lines above a wrapper's report that its command failed: they may say why. */
const COMMAND_LINES = 3;
/** Comments above a test. */
const MAX_LOGGED = 3;
/** Functions that a compiler has tried: those of the project, and those of libraries. The first are enough. */
const MAX_CANDIDATES = { own: 3, others: 1 } as const;
/** Plain lines directly below a headline that are taken for the rest of its message. */
const MESSAGE_LINES = 3;
/** Further plain lines, besides indented ones, that are part of the message if a stack follows them. */
const PARAGRAPH_LINES = 30;

/** The error lines of pytest. */
const ERROR_LINE = /^E(?: |$)/;

type Headline = Pick<ClassifiedLine, 'text' | 'indent' | 'introducesNext' | 'severity'>;

/** A line that was read, and what it is. */
interface ReadLine {
  readonly line: Line;
  readonly classified: ClassifiedLine;
  readonly template: number;
  readonly hadBlank: boolean;
}

/** The failure that is being read. */
interface OpenFailure {
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
  /** The last line was a frame: reports of crashes have several stacks. */
  isAfterFrame: boolean;
  blanks: number;
  /** The indentation of its last exception, as long as no frame came. */
  exceptionIndent: number | undefined;
  /** The last lines, if they may be part of its message: it may have paragraphs, also at the left edge. */
  readonly unsure: ReadLine[];
  /** The lines below an external frame that are indented deeper are part of it. */
  externalIndent: number | undefined;
  /** The first frame of a dependency: it threw, and no frame may be the project's. */
  thrower: Line | undefined;
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
  /** Its last lines are the steps of a path through the code. */
  isPath: boolean;
}

/** Finds the failures among the lines of one channel: a stream, or one task's lines of it. */
export class FailureFinder {
  readonly #onFailure: (block: FailureBlock) => void;
  readonly #tracker: ChannelTracker | undefined;
  #open: OpenFailure | undefined;
  #thread: ThreadStack | undefined;
  readonly #names = new FailedNames();
  /** That of what passed, or of a record of a log that is no failure, until a line has no deeper one. */
  #passedIndent = Number.POSITIVE_INFINITY;
  readonly #headings = new Headings();
  readonly #calls = new QuotedCalls();
  #isQuoted = false;
  #lead: Line[] = [];
  /** The last lines that are no part of a failure, in a ring. */
  readonly #recent: (Line | undefined)[] = [];
  /** The last lines that are not noise. */
  readonly #last: Line[] = [];

  /** @param tracker is given every line about a failure, also those that the failure does not keep */
  constructor(onFailure: (block: FailureBlock) => void, tracker?: ChannelTracker) {
    this.#onFailure = onFailure;
    this.#tracker = tracker;
  }

  /** @returns whether the line is noise: no part of a failure, and nothing about how the run went */
  take(line: Line, classified: ClassifiedLine, template: number): boolean {
    this.#tracker?.sees(line, classified.indent);
    const isNoise = this.#takePart(line, classified, template);
    if (isNoise) return true;
    this.#last.push(line);
    if (this.#last.length > COMMAND_LINES) this.#last.shift();
    return false;
  }

  /** @param at the place of a blank line; undefined for a gap */
  takeBlank(at?: number): void {
    this.#lead = [];
    if (this.#thread) return;
    if (at !== undefined && (this.#open?.isAttachment || this.#open?.isUsage)) drop(this.#open, { at });
    if (this.#open && ++this.#open.blanks > MAX_BLANKS) this.end();
  }

  end(): void {
    this.#endThread();
    while (this.#open) this.#endFailure();
  }

  /** Whether a failure is being read. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Whether the last line was source that a stack quotes: its words say nothing about the run. */
  get isQuoted(): boolean {
    return this.#isQuoted;
  }

  /** Whether a line is what the failure that is being read is about. */
  isHeadline(line: Line): boolean {
    return this.#open?.block.headline === line;
  }

  #endFailure(): void {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return;
    const { block, thrower } = open;
    if (open.hasRepeats) block.lines = withoutRepeats(block.lines);
    if (thrower && !block.lines.some(({ at, text }) => at >= block.headline.at && namesPlace(text)))
      block.lines = [...block.lines, withPriority(thrower, PRIORITY.detail)].sort((a, b) => a.at - b.at);
    this.#onFailure(block);
    for (const { line, classified, template, hadBlank } of open.unsure) {
      if (hadBlank) this.takeBlank();
      this.#take(line, classified, template);
    }
  }

  /** The stack that an error is about is part of it; that of any other thread is a failure of its own. */
  #endThread(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    const stack = thread?.end();
    if (!stack) return;
    if (thread?.isCurrent && this.#open) {
      for (const stackLine of stack.lines) addLine(this.#open, stackLine);
      return;
    }
    this.#endFailure();
    this.#tracker?.began(undefined, 0, stack.severity);
    this.#onFailure(stack);
  }

  #takePart(line: Line, classified: ClassifiedLine, template: number): boolean {
    const part = this.#calls.read(line, classified);
    this.#isQuoted = part === 'source' || part === 'external';
    if (part === undefined) return this.#take(line, classified, template);
    if (part === 'error') {
      this.end();
      const lead = leadTo(this.#lead, classified.text, classified.indent);
      this.#begin(line, { ...classified, severity: SEVERITY.thrown }, template, lead);
      return false;
    }
    const open = this.#isQuoted ? undefined : this.#open;
    if (open && ERROR_LINE.test(open.block.lines.at(-1)?.text ?? '')) {
      if (part === 'externalPlace') dropQuoted(open.block);
      if (part === 'place' || !open.block.lines.some(({ text }) => namesPlace(text)))
        addLine(open, withPriority(line, PRIORITY.place));
    }
    this.end();
    if (part === 'source') this.#addLead(line);
    else this.#lead = [];
    return true;
  }

  #addLead(line: Line): void {
    this.#lead.push(line);
    if (this.#lead.length > LEAD_LINES) this.#lead.shift();
  }

  #take(line: Line, classified: ClassifiedLine, template: number): boolean {
    if (classified.ask(isThreadHeading)) {
      this.#endThread();
      this.#thread = new ThreadStack(line, classified);
      return true;
    }
    if (this.#thread?.take(line, classified)) return true;
    this.#endThread();
    const { severity, classification, text, indent } = classified;
    const signature = severity < SEVERITY.failedTest ? this.#names.signatureOf(line.text) : undefined;
    const open = this.#open;
    if (open && signature === undefined) {
      // What follows a pointer to a manual, such as the stack, is about the error above it.
      if (severity < SEVERITY.tagged && classified.ask(pointsElsewhere)) return drop(open, line);
      if (open.unsure.length === 0 && belongsTo(open, line, classified))
        return this.#append(open, line, classified, template);
      if (endsMessage(open, classified)) return this.#appendUnsure(open, line, classified, template);
      if (mayBeMessage(open, classified)) {
        open.unsure.push({ line, classified, template, hadBlank: open.blanks > 0 });
        open.blanks = 0;
        return false;
      }
    }
    if (open && open.unsure.length > 0) {
      this.#endFailure();
      return this.#take(line, classified, template);
    }
    this.end();
    const above = this.#lead.at(-1);
    if (signature !== undefined)
      this.#begin(line, { ...classified, severity: SEVERITY.failedTest }, template, [], signature);
    else if ((classification === 'plain' || classification === 'mentioned') && isComment(line.text)) {
      this.#headings.startComment(line, classification === 'mentioned');
      this.#lead = [];
      return true;
      // How to see more of a warning, and what a runtime has called, with words of the error.
    } else if (severity > 0 && severity < SEVERITY.tagged && classified.ask(pointsElsewhere)) return true;
    else if (severity > 0 && classified.ask(isExternalFrame)) return true;
    else if (severity > 0)
      this.#begin(
        line,
        classified,
        template,
        classified.ask(endsCommand) ? [...this.#last] : leadTo(this.#lead, text, indent),
      );
    else if (above && indent > 0 && classified.ask(isFrame) && /:\d|line \d/.test(text))
      return this.#append(this.#beginStack(above), line, classified, template);
    // The heading of an error is shown with it.
    else return this.#remember(line, classified) || classified.ask(isFileHeading);
    return classification === 'warning';
  }

  /** What is indented below a passed test, or below a record of a log, or a logged line that introduces it, belongs to it. */
  #isNoise(line: ClassifiedLine): boolean {
    const { classification, indent, introducesNext } = line;
    if (
      classification === 'passed' ||
      (classification === 'chatter' && (introducesNext || line.ask(isLogged)))
    )
      this.#passedIndent = indent;
    else if (indent <= this.#passedIndent) this.#passedIndent = Number.POSITIVE_INFINITY;
    else if (classification === 'plain' && this.#passedIndent < indent) return true;
    return classification === 'passed' || classification === 'chatter';
  }

  #begin(
    line: Line,
    { text, indent, introducesNext, severity }: Headline,
    template: number,
    lead: readonly Line[],
    signature?: string,
  ): OpenFailure {
    // Where a line only points to the place, the one above says what is wrong there.
    const headline = isPlacePointer(text) ? (lead.at(-1) ?? line) : line;
    const above = this.#headings.above(indent, lead[0] ?? line);
    const lines: FailureLine[] = [];
    const step = this.#stepOf(line, lead[0] ?? line, severity);
    if (step) lines.push(withPriority(step, PRIORITY.detail));
    for (const heading of above) lines.push(withPriority(heading, PRIORITY.detail));
    if (ERROR_LINE.test(line.text) && !lead.some(({ text: source }) => namesPlace(source)))
      for (const call of this.#calls.lastCall)
        lines.push(withPriority(call, namesPlace(call.text) ? PRIORITY.place : PRIORITY.detail));
    for (const leading of lead)
      lines.push(withPriority(leading, leading === headline ? PRIORITY.error : PRIORITY.code));
    lines.push(withPriority(line, PRIORITY.error));
    this.#open = {
      block: {
        severity,
        template: (template >>> 0) * 2 ** ERROR_BITS,
        ...(signature !== undefined && { signature }),
        headline,
        lines,
        dropped: [],
      },
      characters: charactersIn(lines),
      indent,
      isTitled: signature !== undefined || isNumberedPlace(line.text),
      isIntroduced: introducesNext,
      messageLines: 0,
      isAfterFrame: false,
      blanks: 0,
      exceptionIndent: severity === SEVERITY.thrown ? indent : undefined,
      unsure: [],
      externalIndent: undefined,
      thrower: undefined,
      isUsage: false,
      isAttachment: false,
      hasRepeats: false,
      candidates: 0,
      candidateIndent: undefined,
      isPath: false,
    };
    this.#lead = [];
    this.#passedIndent = Number.POSITIVE_INFINITY;
    this.#headings.push(line, indent);
    if (severity === SEVERITY.failedTest && signature === undefined) this.#names.add(line.text);
    this.#tracker?.began(lead.at(-1), indent, severity);
    return this.#open;
  }

  /** The step that an error belongs to, unless it names a test or a place, or the step is above anyway. */
  #stepOf({ at, text }: Line, first: Line, severity: number): Line | undefined {
    if (severity < SEVERITY.tagged) return undefined;
    const recent = this.#recent.splice(0);
    if (severity > SEVERITY.thrown || namesPlace(text)) return undefined;
    return recent
      .filter((line) => line !== undefined)
      .toSorted((a, b) => b.at - a.at)
      .find(
        (line) => line.at < first.at && at - line.at <= STEP_LINES && startsStep(withoutPrefix(line.text)),
      );
  }

  /** Begins a failure at a stack without an error: the line above it says why it was printed. */
  #beginStack(above: Line): OpenFailure {
    this.#lead.pop();
    const { text } = above;
    const indent = indentOf(text);
    return this.#begin(
      above,
      { text, indent, introducesNext: introducesNext(text), severity: SEVERITY.thrown },
      templateOf(text),
      leadTo(this.#lead, text, indent),
    );
  }

  /** Appends a frame, and the message above it. @returns whether the frame is noise */
  #appendUnsure(open: OpenFailure, frame: Line, classified: ClassifiedLine, template: number): boolean {
    const { blanks } = open;
    for (const { hadBlank, ...read } of open.unsure.splice(0)) {
      open.blanks = Number(hadBlank);
      this.#append(open, read.line, read.classified, read.template);
    }
    open.blanks = blanks;
    return this.#append(open, frame, classified, template);
  }

  /** @returns whether the line is noise */
  #append(open: OpenFailure, line: Line, classified: ClassifiedLine, template: number): boolean {
    const { block } = open;
    const { indent, classification, severity, text } = classified;
    const { hadBlank, wasIntroduced } = advance(open, classified);
    if (classification === 'passed' || classification === 'chatter') return drop(open, line);
    if (isExternal(open, classified)) {
      if (!open.thrower && classified.ask(isDependencyFrame)) open.thrower = line;
      const name = dropNameOf(line, block.lines);
      if (name) drop(open, name);
      return drop(open, line);
    }
    if (isFurtherCandidate(open, classified) || isPathStep(open, text)) return drop(open, line);
    if (isOfAttachment(open, classified)) return drop(open, line);
    if (classified.ask(startsUsage)) open.isUsage = true;
    if (open.isUsage) return drop(open, line);
    const isError = severity > SEVERITY.mentioned;
    if (isError) block.severity = Math.max(block.severity, severity);
    // A stack below it: it was thrown, not only mentioned or logged.
    if (isWeak(block.severity) && classified.ask(isFrame) && classified.ask(namesPlace))
      block.severity = SEVERITY.thrown;
    if (isOnlyWarning(block, severity) && !classified.ask(isNote)) block.severity = SEVERITY.warning;
    const above = block.lines.at(-1);
    const isText = above?.priority === PRIORITY.error && introducesText(above.text);
    const isMessage = isError || isText || (wasIntroduced && indent <= open.indent);
    this.#tracker?.continued(line, indent, severity, isMessage);
    if (isMessage) block.template += (template >>> (32 - ERROR_BITS)) - (block.template % 2 ** ERROR_BITS);
    // A second attempt fails with the same lines.
    const isRepeated = line.text.length >= MIN_REPEATED && block.lines.some(({ text }) => text === line.text);
    if (isRepeated) open.hasRepeats = true;
    const own = isMessage ? PRIORITY.error : priorityOf(classified, above);
    const priority = isRepeated ? PRIORITY.body : own;
    if (hadBlank) addLine(open, { at: line.at - 0.5, text: '', priority });
    addLine(open, withPriority(line, priority));
    if (classified.ask(isCaret)) raiseSource(block.lines);
    if (isError) raiseInnermostFrame(block.lines);
    else this.#headings.push(line, indent);
    this.#lead = classified.ask(isPlaceOnly) ? [line] : [];
    if (severity === SEVERITY.failedTest) this.#names.add(line.text);
    if (endsYaml(open)) this.#endFailure();
    return block.severity === SEVERITY.warning && !classified.ask(repairs);
  }

  /** @returns whether the line is noise */
  #remember(line: Line, classified: ClassifiedLine): boolean {
    const isNoise = this.#isNoise(classified);
    const { classification, indent } = classified;
    this.#recent[line.at % STEP_LINES] = line;
    const separator = classified.ask(separatorIn);
    if (separator) {
      const isTitle = separator.title !== '' && classification !== 'summary';
      this.#headings.startSection(isTitle ? line : undefined);
      this.#lead = [];
    } else if (classification === 'plain') {
      if (!isLogRecord(line.text)) this.#headings.push(line, indent);
      if (isNoise) return true;
      if (classified.ask(namesTest)) this.#headings.startTest(line);
      this.#addLead(line);
    } else if (this.#lead.length > 0) this.#lead = [];
    return isNoise;
  }
}

/** Drops the source of a package above the error that it threw. */
function dropQuoted(block: OpenFailure['block']): void {
  const start = block.lines.findIndex(({ text }) => ERROR_LINE.test(text));
  const above = block.lines.slice(0, start).filter(({ priority }) => priority !== PRIORITY.code);
  block.lines = [...above, ...block.lines.slice(start)];
}

function endsCommand(text: string): boolean {
  return COMMAND_END.test(text);
}

function addLine(open: OpenFailure, line: FailureLine): void {
  const { block } = open;
  block.lines.push(line);
  open.characters += line.text.length + 1;
  if (block.lines.length <= MAX_LINES && open.characters <= MAX_CHARACTERS) return;
  block.lines = bestLines(block, CUT_CHARACTERS, CUT_LINES);
  open.characters = charactersIn(block.lines);
}

/** Leaves out a line that says nothing about the failure. @returns that it is noise */
function drop({ block: { dropped } }: OpenFailure, { at }: Pick<Line, 'at'>): true {
  if (dropped.length < MAX_DROPPED) dropped.push(at);
  return true;
}

function belongsTo(open: OpenFailure, { text: whole }: Line, line: ClassifiedLine): boolean {
  const { classification, severity, text, indent } = line;
  const { headline } = open.block;
  const isAfterBlank = open.blanks > 0;
  // The items of a list are failures of their own.
  if (line.ask(startsTestLog) || headline.text.endsWith('[')) return false;
  if (open.isTitled)
    return (
      !line.ask(isNumberedPlace) &&
      classification !== 'passed' &&
      classification !== 'summary' &&
      severity < SEVERITY.failedTest &&
      !line.ask(separatorIn)
    );
  // Below a warning, the runner of the tests has indented them, not the warning.
  if (open.block.severity === SEVERITY.warning && severity === SEVERITY.failedTest) return false;
  if (isUnderline(open, line)) return true;
  if (isLoggedException(open, line)) return true;
  if (line.ask(isNote)) return !isAfterBlank;
  if (open.isUsage && hasTagOf(headline, whole)) return true;
  // What a compiler adds may be of no use, and further notes follow it.
  if (classification === 'chatter' && line.ask(isDetail)) return !isAfterBlank;
  if (classification === 'passed' || classification === 'chatter') return indent > open.indent;
  if (indent > open.indent)
    return !isAfterBlank || (severity <= open.block.severity && severity < SEVERITY.failedTest);
  // What was introduced is indented below, up to a blank line.
  if (open.isIntroduced && !(isAfterBlank && isDeeper(open, open.block.lines.at(-1))))
    return classification !== 'summary' && !line.ask(separatorIn);
  if (severity < SEVERITY.located && (line.ask(isCode) || line.ask(isDetail) || line.ask(isFrame)))
    return true;
  if (ERROR_LINE.test(text)) return true;
  if (quotesPlace(headline.text, whole)) return true;
  if (isAfterBlank) return open.isAfterFrame && classification === 'plain' && !line.ask(separatorIn);
  if (isLogRecord(headline.text)) return false;
  if (classification === 'plain' || classification === 'mentioned')
    return (open.messageLines < MESSAGE_LINES || isNextItem(open, text)) && !startsAnew(line);
  return classification === 'tagged' && hasTagOf(headline, whole);
}

const ITEM = /^\s*(\d+)[.)] /;

/** Whether a line is the next item of a list that is part of the message. */
function isNextItem({ block: { lines } }: OpenFailure, text: string): boolean {
  const item = ITEM.exec(text);
  return item !== null && Number(ITEM.exec(lines.at(-1)?.text ?? '')?.[1]) + 1 === Number(item[1]);
}

/** Lines with the same tag of a wrapper are one message, unless they have the prefix of a task too. */
function hasTagOf(headline: Line, text: string): boolean {
  return firstWord(text) === firstWord(headline.text) && prefixOf(text) === '';
}

/** Whether a line is part of the message of the last exception if a stack follows. */
function mayBeMessage({ exceptionIndent, unsure }: OpenFailure, line: ClassifiedLine): boolean {
  if (exceptionIndent === undefined || unsure.length >= MAX_LINES) return false;
  if (line.classification !== 'plain' && line.classification !== 'mentioned') return false;
  if (line.indent > exceptionIndent) return !line.ask(isFrame);
  const paragraphs = unsure.filter(({ classified }) => classified.indent <= exceptionIndent);
  return (
    paragraphs.length < PARAGRAPH_LINES && !line.ask(isFrame) && !startsAnew(line) && !line.ask(isComment)
  );
}

/** Whether a line is a frame of the last exception, and the lines above it are thus its message. */
function endsMessage({ exceptionIndent, unsure }: OpenFailure, line: ClassifiedLine): boolean {
  if (exceptionIndent === undefined || unsure.length === 0) return false;
  return line.indent > exceptionIndent && line.ask(isFrame) && /:\d/.test(line.text);
}

function isDeeper({ indent }: OpenFailure, line: Line | undefined): boolean {
  return line !== undefined && indentOf(line.text) > indent;
}

/** Whether a line underlines the headline, as a title. */
function isUnderline({ block: { headline, lines }, blanks }: OpenFailure, line: ClassifiedLine): boolean {
  return blanks === 0 && lines.at(-1)?.at === headline.at && line.ask(separatorIn)?.title === '';
}

/** Whether nothing but a word or a tag says that something failed. */
function isWeak(severity: number): boolean {
  return severity === SEVERITY.mentioned || severity === SEVERITY.tagged;
}

/** Whether a line is the exception that the headline, a line of a log, is about. */
function isLoggedException({ block, blanks }: OpenFailure, line: ClassifiedLine): boolean {
  const isNext = blanks === 0 && block.lines.at(-1)?.at === block.headline.at;
  return isNext && block.severity === SEVERITY.tagged && line.ask(isException);
}

/** Whether the last line ends the details of a result in TAP. */
function endsYaml({ block: { lines } }: OpenFailure): boolean {
  return lines.at(-1)?.text.trim() === '...' && lines.some(({ text }) => text.trim() === '---');
}

/** Whether a line quotes the line of source that the headline names: it starts with its number. */
function quotesPlace(headline: string, text: string): boolean {
  const number = /^\s*(\d+)\s/.exec(text)?.[1];
  if (number === undefined) return false;
  return headline.includes(`:${number}:`) || headline.includes(`(${number},`);
}

/** Whether a plain line is about something else than the ones above it. */
function startsAnew(line: ClassifiedLine): boolean {
  return line.ask(separatorIn) !== null || line.ask(isFileHeading);
}

/** A line of a structured log is complete. */
function isLogRecord(text: string): boolean {
  return text.startsWith('{') && text.endsWith('}');
}

function firstWord(text: string): string | undefined {
  return /\S+/.exec(text)?.[0];
}

/**
 * Updates the failure for a line that belongs to it.
 *
 * @returns whether blank lines came before it, and whether the line above introduced it
 */
function advance(
  open: OpenFailure,
  line: ClassifiedLine,
): { readonly hadBlank: boolean; readonly wasIntroduced: boolean } {
  const before = { hadBlank: open.blanks > 0, wasIntroduced: open.isIntroduced };
  const underlines = isUnderline(open, line);
  open.blanks = 0;
  if (before.hadBlank && open.isAfterFrame) open.messageLines = 0;
  open.isAfterFrame = line.ask(isFrame);
  if (open.isAfterFrame) open.exceptionIndent = undefined;
  else if (line.severity === SEVERITY.thrown) open.exceptionIndent = line.indent;
  if (line.ask(isNote) || line.severity > SEVERITY.mentioned) open.messageLines = 0;
  if (line.indent <= open.indent) {
    open.isIntroduced = line.introducesNext || underlines;
    open.messageLines++;
  }
  return before;
}

/** Whether a line is an external frame, or part of the one above. */
function isExternal(open: OpenFailure, line: ClassifiedLine): boolean {
  const { externalIndent } = open;
  const isNested = externalIndent !== undefined && stackIndentOf(line.text) > externalIndent;
  // A call in the code of a frame looks like a frame too.
  if (isNested && !line.ask(namesPlace)) return true;
  const isFrameItself = line.ask(isExternalFrame);
  open.externalIndent = isFrameItself ? stackIndentOf(line.text) : undefined;
  return isFrameItself;
}

/** Whether a line is about a file that was recorded of the test: from the heading to the line below it. */
function isOfAttachment(open: OpenFailure, line: ClassifiedLine): boolean {
  const isInside = open.isAttachment || line.ask(startsAttachment);
  open.isAttachment = isInside && line.ask(separatorIn)?.title !== '';
  return isInside;
}

/** Whether a line is about a function that a compiler has tried after some others. */
function isFurtherCandidate(open: OpenFailure, line: ClassifiedLine): boolean {
  const { candidateIndent } = open;
  if (line.ask(isCandidate)) {
    const max = line.ask(namesPlace) ? MAX_CANDIDATES.own : MAX_CANDIDATES.others;
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

/** Whether a line only shows where a path goes: there are dozens to an error. */
function isPathStep(open: OpenFailure, text: string): boolean {
  open.isPath = PATH.test(text) || (open.isPath && PATH_LINE.test(text));
  return open.isPath && !EVENT.test(text);
}

/** Whether the line below a place without a word for how bad it is says that it is a warning. */
function isOnlyWarning({ severity, headline, lines }: OpenFailure['block'], next: number): boolean {
  return severity === SEVERITY.thrown && next === SEVERITY.warning && lines.at(-1)?.at === headline.at;
}

/** The priority of a line that is not an error itself. */
function priorityOf(line: ClassifiedLine, above: Line | undefined): Priority {
  // The innermost frame is the first in most languages.
  if (line.ask(isFrame) && above && isFrame(above.text)) return PRIORITY.code;
  if (line.ask(isPlaceOnly) && line.ask(namesPlace)) return PRIORITY.place;
  if (line.ask(isFrame)) return PRIORITY.detail;
  if (line.ask(isDetail) || line.severity === SEVERITY.mentioned) return PRIORITY.detail;
  if (line.ask(isCode)) return PRIORITY.code;
  return line.ask(namesPlace) ? PRIORITY.detail : PRIORITY.body;
}

/** In Python, the innermost frame is the last one, with its code below: the error comes right after it. */
function raiseInnermostFrame(lines: FailureLine[]): void {
  const at = lines.findLastIndex(({ text }, index) => index >= lines.length - 4 && isFrame(text));
  const frame = lines[at];
  if (frame?.priority === PRIORITY.code) lines[at] = { ...frame, priority: PRIORITY.detail };
}

/** The line above a caret is the source that the error is about, also if it has no number. */
function raiseSource(lines: FailureLine[]): void {
  const at = lines.length - 2;
  const source = lines[at];
  if (source?.priority === PRIORITY.body) lines[at] = { ...source, priority: PRIORITY.code };
}

/** Does not spread the line: that takes a fifth of the time for a log of errors. */
function withPriority({ at, text }: Line, priority: Priority): FailureLine {
  return { at, text, priority };
}

/**
 * The lines right above a headline that lead to it: more indented ones, a pointer into code, one that introduces it, the
 * members of the same object.
 *
 * @param above in order of arrival
 */
function leadTo(above: readonly Line[], headline: string, indent: number): Line[] {
  if (above.length === 0) return [];
  const place = above.findIndex(({ text }) => isPlaceOnly(text) && introducesNext(text));
  if (place !== -1) return above.slice(place);
  const leads = ({ text }: Line, isNearest: boolean) =>
    indentOf(text) > indent ||
    isCode(text) ||
    isInstantiation(text) ||
    (isNearest && (introducesNext(text) || isPlaceOnly(text) || isPlacePointer(headline))) ||
    (isMember(headline) && isMember(text));
  const last = above.findLastIndex((line, index) => !leads(line, index === above.length - 1));
  const says = ({ text }: Line) => !isExternalFrame(text) && (isCode(text) || !isProgress(text));
  return above.slice(last + 1).filter(says);
}

/** Headings that are shown with one failure: the suite, the file. */
const MAX_HEADINGS = 3;
/** A heading further up is about something else. */
const REACH_LINES = 600;

/** The headings above the next line. */
class Headings {
  /** By their indentation, outermost first. */
  readonly #open: { readonly indent: number; readonly line: Line }[] = [];
  #section: Line | undefined;
  /** Comments above the section that say that something failed: runners print what a test has logged as comments. */
  #logged: Line[] = [];
  /** The section, if it says that something failed. */
  #fault: Line | undefined;
  /** A line that names the test, until the next separator. */
  #test: Line | undefined;

  push(line: Line, indent: number): void {
    while ((this.#open.at(-1)?.indent ?? -1) >= indent) this.#open.pop();
    this.#open.push({ indent, line });
  }

  /** @param title undefined for a separator without one: the section goes on */
  startSection(title: Line | undefined): void {
    if (title) {
      this.#section = title;
      this.#logged = [];
    }
    this.#test = undefined;
    this.#open.length = 0;
  }

  /** @param isFault whether it says that something failed */
  startComment(line: Line, isFault: boolean): void {
    const logged = this.#fault && line.at - this.#fault.at === 1 ? [...this.#logged, this.#fault] : [];
    this.startSection(line);
    this.#logged = logged.slice(-MAX_LOGGED);
    this.#fault = isFault ? line : undefined;
  }

  startTest(line: Line): void {
    this.#test = line;
  }

  /** The section and the nearest headings of what starts at a line, in order of arrival. */
  above(indent: number, { at }: Line): Line[] {
    const isNear = (line: Line) => line.at < at && at - line.at < REACH_LINES;
    // Most lines have none: they are at the left edge.
    const headings =
      indent === 0 ? [] : this.#open.filter((heading) => heading.indent < indent).map(({ line }) => line);
    if (headings.length === 0 && !this.#section && !this.#test) return [];
    const named = [...this.#logged, this.#section, this.#test].filter((line) => line !== undefined);
    const own = headings.slice(-MAX_HEADINGS).filter((line) => !named.includes(line));
    return [...named, ...own].filter(isNear).toSorted((a, b) => a.at - b.at);
  }
}
