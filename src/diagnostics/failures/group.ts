import type { ClassifiedLine } from '../lines/classify.ts';
import { templateOf } from '../lines/likeness.ts';
import { pointsElsewhere, repairs } from '../lines/pointers.ts';
import { taskOf, withoutPrefix } from '../lines/prefix.ts';
import { SEVERITY } from '../lines/rules.ts';
import { isExternalFrame, isFrame, isThreadHeading } from '../lines/stack-frames.ts';
import {
  endsBlockInTap,
  endsExpected,
  hasWords,
  indentOf,
  introducesNext,
  introducesText,
  isCaret,
  isComment,
  isDetailInTap,
  isFileHeading,
  isFileTitle,
  isLogged,
  isNumberedPlace,
  isPlaceOnly,
  isPlacePointer,
  isRecordOfStep,
  isRequest,
  isRestOfRecord,
  isRuleMessage,
  isTestTitle,
  isTitleOfFault,
  isTitleOfStep,
  isTraceback,
  namesPlace,
  namesTest,
  separatorIn,
  startsBlockInTap,
  startsExpected,
  startsInclusion,
  startsStep,
  startsSuite,
  startsToDo,
  startsWithPlace,
} from '../lines/structure.ts';
import { belongsTo, endsCommand, endsMessage, isLogRecord, mayBeMessage } from './belongs-to.ts';
import { FailedNames } from './failed-names.ts';
import { ERROR_BITS, type FailureBlock, type FailureLine, type Line, PRIORITY } from './failure.ts';
import {
  type Directories,
  entersDirectory,
  Headings,
  isRowOfStep,
  isStepOfScenario,
  leadTo,
  RuledNames,
} from './headings.ts';
import {
  addLine,
  advance,
  drop,
  dropFrame,
  dropNextPlace,
  dropQuoted,
  ERROR_LINE,
  endsYaml,
  isNotParsed,
  isPlacedAbove,
  type OpenFailure,
  openFailure,
  priorityOf,
  raiseSource,
  rankFrames,
  readsAside,
  readsExternalFrame,
  severityWith,
  withPriority,
} from './open-failure.ts';
import { QuotedCalls } from './quoted-calls.ts';
import { MIN_REPEATED, withoutRepeats } from './repeats.ts';
import { belowError, ThreadStack } from './stack-dump.ts';
import {
  announcesCommand,
  isTracedProgram,
  mayAnnounceStep,
  ofFailedScript,
  type RunningCommand,
} from './steps.ts';
import type { ChannelTracker } from './tracker.ts';

/** Blank lines between two parts of one failure. */
const MAX_BLANKS = 2;
/** Lines right above a headline that may lead to it. */
const LEAD_LINES = 6;
/** How far above an error without a place the step may begin that it belongs to. */
const STEP_LINES = 8;
/** Lines above a wrapper's report that its command failed: they may say why. */
const PRINTED_BY_COMMAND = 24;
/** Those of other tasks may be between the lines of one. */
const PRINTED_LINES = 40;

type Headline = Pick<ClassifiedLine, 'indent' | 'severity'>;

/** The place of an example in a text, below what it should have printed. */
const OF_EXAMPLE = /: (?:DocTestFailure|UnexpectedException)$/;

/** What the lines of one stream say about those of the other. */
interface OnEitherStream {
  /** The last lines that are not noise: a command may say on one stream that it failed, and why on the other. */
  readonly printed: Line[];
  /** Where make is. */
  readonly directories: Directories;
  readonly command: RunningCommand;
}

/** How a signal has ended Python, which prints its stacks below: what it did last is right above. */
const PYTHON_CRASHED = /^Fatal Python error: /;
/** What a linter has found at a place in the file above, which has the same indentation. */
const SIGNED_ROW = /^\s+[✖✘✗×⨯] +\d+:\d+ {2,}\S/;
/** Source with the number of its line is no heading of what is below. */
const NUMBERED_SOURCE = /^\s*\d+ +[|│] /;
/** The place of an error, in the words of OCaml's compiler: no test that passes excuses it. */
const OF_COMPILER = /^File ".*", lines? [\d-]+, characters \d/;

/** Finds the failures among the lines of one channel: a stream, or one task's lines of it. */
export class FailureFinder {
  readonly #onFailure: (block: FailureBlock) => void;
  readonly #tracker: ChannelTracker | undefined;
  #open: OpenFailure | undefined;
  #thread: ThreadStack | undefined;
  readonly #names = new FailedNames();
  /** That of what passed, or of a record of a log that is no failure, until a line has no deeper one. */
  #passedIndent = Number.POSITIVE_INFINITY;
  /** Whether that line is a record of a log. */
  #isLogged = false;
  readonly #headings = new Headings();
  readonly #ruledNames = new RuledNames();
  readonly #calls = new QuotedCalls();
  #isQuoted = false;
  #isExpected = false;
  /** Whether the last line was about a test that is still to be done. */
  #isToDo = false;
  /** That of the block below such a test. */
  #toDoIndent = Number.POSITIVE_INFINITY;
  #lead: Line[] = [];
  /** The last lines that are no part of a failure, in a ring. */
  readonly #recent: (Line | undefined)[] = [];
  readonly #task: string;
  readonly #printed: Line[];
  readonly #directories: Directories;
  readonly #command: RunningCommand;

  /**
   * @param task the prefix of the channel's lines
   * @param tracker is given every line about a failure, also those that the failure does not keep
   */
  constructor(
    onFailure: (block: FailureBlock) => void,
    task: string,
    { printed, directories, command }: OnEitherStream,
    tracker?: ChannelTracker,
  ) {
    this.#onFailure = onFailure;
    this.#task = task;
    this.#printed = printed;
    this.#directories = directories;
    this.#command = command;
    this.#tracker = tracker;
  }

  /** @returns whether the line is noise: no part of a failure, and nothing about how the run went */
  take(line: Line, classified: ClassifiedLine, template: number): boolean {
    this.#tracker?.sees(line, classified.indent);
    this.#ruledNames.take(line);
    if (classified.ask(entersDirectory)) this.#directories.take(line);
    if (this.#task === '' && classified.ask(mayAnnounceStep)) this.#command.take(line);
    const isNoise = this.#takePart(line, classified, template);
    if (isNoise) return true;
    this.#printed.push(line);
    if (this.#printed.length > PRINTED_LINES) this.#printed.shift();
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
    const { block, thrower, called } = open;
    if (isPlacedAbove(block)) dropNextPlace(block);
    if (open.hasRepeats) dropRepeats(open);
    const hasPlace = block.lines.some(({ at, text }) => at >= block.headline.at && namesPlace(text));
    if (thrower && (!hasPlace || isNotParsed(block, thrower))) {
      const frames = [...new Set([thrower, called ?? thrower])].map((line) =>
        withPriority(line, PRIORITY.detail),
      );
      block.lines = [...block.lines, ...frames].sort((a, b) => a.at - b.at);
    }
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
      const { lines, dropped } = belowError(stack);
      for (const stackLine of lines) addLine(this.#open, stackLine);
      for (const at of dropped) drop(this.#open, { at });
      this.#open.frames += lines.length;
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
    } else if (open && OF_EXAMPLE.test(line.text)) {
      open.block.severity = Math.max(open.block.severity, SEVERITY.thrown);
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

  /** Notes whether a list of tests that did not have to pass is read. @returns whether the line is part of one */
  #readsExpected(line: ClassifiedLine): boolean {
    if (line.ask(startsExpected)) {
      this.end();
      this.#isExpected = true;
    } else if (this.#isExpected)
      this.#isExpected = line.classification !== 'summary' && !line.ask(endsExpected);
    if (this.#isToDo && line.ask(startsBlockInTap)) this.#toDoIndent = line.indent;
    const isBelow = line.indent >= this.#toDoIndent || line.ask(isDetailInTap);
    this.#isToDo = line.ask(startsToDo) || (this.#isToDo && isBelow);
    if (!this.#isToDo || line.ask(endsBlockInTap)) this.#toDoIndent = Number.POSITIVE_INFINITY;
    return this.#isExpected || this.#isToDo;
  }

  #take(line: Line, classified: ClassifiedLine, template: number): boolean {
    if (this.#readsExpected(classified)) return true;
    if (classified.ask(isThreadHeading)) {
      this.#endThread();
      this.#thread = new ThreadStack(line, classified);
      return true;
    }
    if (this.#thread?.take(line, classified)) return true;
    this.#endThread();
    const signature =
      classified.severity < SEVERITY.failedTest ? this.#names.signatureOf(line.text) : undefined;
    const open = this.#open;
    if (open && signature === undefined) {
      const isNoise = this.#takeBelow(open, line, classified, template);
      if (isNoise !== undefined) return isNoise;
    }
    if (open && open.unsure.length > 0) {
      this.#endFailure();
      return this.#take(line, classified, template);
    }
    this.end();
    if (signature === undefined) return this.#takeAnew(line, classified, template);
    this.#begin(line, { ...classified, severity: SEVERITY.failedTest }, template, [], signature);
    return classified.classification === 'warning';
  }

  /** @returns whether the line is noise; undefined if it is no part of the failure */
  #takeBelow(
    open: OpenFailure,
    line: Line,
    classified: ClassifiedLine,
    template: number,
  ): boolean | undefined {
    // What follows a pointer to a manual, such as the stack, is about the error above it.
    if (classified.severity < SEVERITY.tagged && classified.ask(pointsElsewhere)) return drop(open, line);
    if (open.page.read(line.text) === 'form') {
      open.blanks = 0;
      return drop(open, line);
    }
    if (open.unsure.length === 0 && belongsTo(open, line, classified))
      return this.#append(open, line, classified, template);
    if (endsMessage(open, classified)) return this.#appendUnsure(open, line, classified, template);
    if (!mayBeMessage(open, classified)) return undefined;
    open.unsure.push({ line, classified, template, hadBlank: open.blanks > 0 });
    open.blanks = 0;
    return false;
  }

  /** Takes a line that is no part of a failure above it. @returns whether it is noise */
  #takeAnew(line: Line, classified: ClassifiedLine, template: number): boolean {
    const { severity, classification, text, indent } = classified;
    const above = this.#lead.at(-1);
    if ((classification === 'plain' || classification === 'mentioned') && isComment(line.text)) {
      this.#headings.startComment(line, classification === 'mentioned');
      this.#lead = [];
      return true;
    }
    // What a program tries, and logs, may fail.
    if (classification === 'mentioned' && this.#isLogged && this.#passedIndent < indent) return true;
    const isPointer =
      classified.ask(isPlacePointer) || (classified.ask(startsWithPlace) && isRuleMessage(above?.text ?? ''));
    if (above && isPointer) return this.#append(this.#beginAt(above), line, classified, template);
    if (severity > 0) {
      // How to see more of a warning, and what a runtime has called, with words of the error.
      if (severity < SEVERITY.tagged && classified.ask(pointsElsewhere)) return true;
      if (classified.ask(isExternalFrame)) return true;
      const lead = classified.ask(endsCommand)
        ? this.#printedByCommand(text)
        : leadTo(this.#lead, text, indent);
      this.#begin(line, classified, template, lead);
      return classification === 'warning';
    }
    const isStack = indent > 0 && classified.ask(isFrame) && /:\d|line \d/.test(text);
    if (above && isStack && !startsInclusion(above.text))
      return this.#append(this.#beginAt(above), line, classified, template);
    // The heading of an error is shown with it.
    return this.#remember(line, classified) || classified.ask(isFileHeading);
  }

  /**
   * Notes what has passed, or was logged: what is indented below it belongs to it.
   *
   * @returns whether the line is noise
   */
  #readsNoise(line: ClassifiedLine): boolean {
    const { classification, indent } = line;
    if (
      classification === 'passed' ||
      (classification === 'chatter' && (line.ask(introducesNext) || line.ask(isLogged)))
    ) {
      this.#passedIndent = indent;
      this.#isLogged = line.ask(isLogged);
    } else if (indent <= this.#passedIndent) this.#passedIndent = Number.POSITIVE_INFINITY;
    else if (classification === 'plain' && this.#passedIndent < indent) return true;
    return classification === 'passed' || classification === 'chatter';
  }

  #begin(
    line: Line,
    { indent, severity }: Headline,
    template: number,
    lead: readonly Line[],
    signature?: string,
  ): OpenFailure {
    const depth = SIGNED_ROW.test(line.text) ? indent + 1 : indent;
    const above = this.#headings.above(depth, lead[0] ?? line);
    const lines: FailureLine[] = [];
    if (this.#task === '' && (severity >= SEVERITY.thrown || endsCommand(line.text)))
      for (const announced of this.#command.announced(line.text))
        lines.push(withPriority(announced, PRIORITY.detail));
    const step = this.#stepOf(line, lead[0] ?? line, severity);
    if (step) lines.push(withPriority(step, PRIORITY.detail));
    const names = severity > SEVERITY.warning ? this.#ruledNames.names : [];
    for (const heading of [...this.#directories.of(line), ...names, ...above])
      lines.push(withPriority(heading, isTestTitle(heading.text) ? PRIORITY.place : PRIORITY.detail));
    if (ERROR_LINE.test(line.text) && !lead.some(({ text: source }) => namesPlace(source))) {
      for (const call of this.#calls.calls)
        lines.push(withPriority(call, namesPlace(call.text) ? PRIORITY.place : PRIORITY.detail));
      for (const argument of this.#calls.arguments) lines.push(withPriority(argument, PRIORITY.body));
    }
    for (const leading of lead)
      lines.push(withPriority(leading, isPlaceOnly(leading.text) ? PRIORITY.place : PRIORITY.code));
    lines.push(withPriority(line, PRIORITY.error));
    const isCompiled = lead.some(({ text: place }) => OF_COMPILER.test(place));
    const block = {
      severity: isCompiled ? Math.max(severity, SEVERITY.located) : severity,
      template: (template >>> 0) * 2 ** ERROR_BITS,
      ...(signature !== undefined && { signature }),
      headline: line,
      lines,
      dropped: [],
    };
    this.#open = openFailure(block, line, indent);
    this.#lead = [];
    this.#passedIndent = Number.POSITIVE_INFINITY;
    // A warning that was printed above a failed test, which is indented, does not name it.
    if (severity > SEVERITY.warning) this.#headings.push(line, depth);
    if (severity === SEVERITY.failedTest && signature === undefined) this.#names.add(line.text);
    this.#tracker?.began(lead.at(-1), indent, severity);
    return this.#open;
  }

  /** The last lines of the command that has failed; a wrapper without a prefix runs those with one. */
  #printedByCommand(end: string): Line[] {
    const isOwn = ({ prefix }: Line) => this.#task === '' || taskOf(prefix) === this.#task;
    const own = this.#printed.filter(isOwn);
    const others = this.#printed.filter((line) => !own.includes(line));
    this.#printed.splice(0, this.#printed.length, ...others);
    return ofFailedScript(own, end)
      .filter(({ text }) => !announcesCommand(withoutPrefix(text)))
      .slice(-PRINTED_BY_COMMAND);
  }

  /** The step on either stream that an error belongs to, unless it names a test or a place, or the step is above anyway. */
  #stepOf({ at, text }: Line, first: Line, severity: number): Line | undefined {
    if (severity < SEVERITY.tagged) return undefined;
    const recent = this.#recent.splice(0);
    if (severity > SEVERITY.thrown || namesPlace(text)) return undefined;
    return [...recent, ...this.#printed.filter(({ prefix }) => taskOf(prefix) === this.#task)]
      .filter((line) => line !== undefined)
      .toSorted((a, b) => b.at - a.at)
      .find(
        (line) =>
          line.at < first.at &&
          at - line.at <= STEP_LINES &&
          (startsStep(withoutPrefix(line.text)) ||
            (line.at === first.at - 1 &&
              (isTracedProgram(line.text) || (PYTHON_CRASHED.test(text) && !isFrame(line.text)))) ||
            (!text.includes('{') && isRecordOfStep(line.text))) &&
          // What a program logs before it logs an error may be about anything.
          (severity >= SEVERITY.thrown || !isLogged(line.text)),
      );
  }

  /** Begins a failure at a stack, or a pointer to a place, without an error: the line above it says why it was printed. */
  #beginAt(above: Line): OpenFailure {
    this.#lead.pop();
    const { text } = above;
    const indent = indentOf(text);
    return this.#begin(
      above,
      { indent, severity: SEVERITY.thrown },
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
    const { indent, classification, severity } = classified;
    const { hadBlank, wasIntroduced } = advance(open, classified);
    const isNoise = classification === 'passed' || classification === 'chatter';
    if (classification === 'passed' && block.severity < SEVERITY.failedTest) open.hasPassed = true;
    if (isNoise && !isStepOfScenario(line.text)) return drop(open, line);
    if (readsExternalFrame(open, classified)) return dropFrame(open, line, classified);
    if (readsAside(open, classified)) return drop(open, line);
    const isError = severity > SEVERITY.mentioned;
    block.severity = severityWith(block, classified);
    const above = block.lines.at(-1);
    // What is below a title says what is wrong, or where.
    const isTitle = (title: string) => isNumberedPlace(title) || isTitleOfFault(title);
    const isText =
      above?.priority === PRIORITY.error &&
      (introducesText(above.text) || (above.at === block.headline.at && isTitle(above.text)));
    const isMessage = isError || isText || (wasIntroduced && indent <= open.indent);
    this.#tracker?.continued(line, indent, severity, isMessage);
    if (isMessage) block.template += (template >>> (32 - ERROR_BITS)) - (block.template % 2 ** ERROR_BITS);
    // A second attempt fails with the same lines.
    const isRepeated =
      line.text.length >= MIN_REPEATED &&
      hasWords(line.text) &&
      block.lines.some(({ text }) => text === line.text);
    if (isRepeated) open.hasRepeats = true;
    const own = classified.ask(isTraceback)
      ? PRIORITY.body
      : isMessage && !classified.ask(isRestOfRecord)
        ? PRIORITY.error
        : priorityOf(classified, above);
    const isMinor = isRepeated || isRowOfStep(line, above);
    const priority = isMinor ? PRIORITY.body : isNoise ? PRIORITY.code : own;
    if (hadBlank) addLine(open, { at: line.at - 0.5, text: '', priority });
    addLine(open, withPriority(line, priority));
    if (classified.ask(isCaret)) raiseSource(block.lines);
    if (isError && !classified.ask(isTraceback)) rankFrames(block.lines);
    else if (!NUMBERED_SOURCE.test(line.text)) this.#headings.push(line, indent);
    this.#lead = classified.ask(isPlaceOnly) ? [line] : [];
    if (severity === SEVERITY.failedTest) this.#names.add(line.text);
    if (endsYaml(open)) this.#endFailure();
    return block.severity === SEVERITY.warning && !classified.ask(repairs);
  }

  /** @returns whether the line is noise */
  #remember(line: Line, classified: ClassifiedLine): boolean {
    const isNoise = this.#readsNoise(classified);
    const { classification, indent } = classified;
    const mayBeStep = [isTitleOfStep, isLogged, isRecordOfStep].some((question) => classified.ask(question));
    const isStep = !isNoise || mayBeStep;
    if (isStep) this.#recent[line.at % STEP_LINES] = line;
    const separator = classified.ask(separatorIn);
    if (separator) {
      const isTitle = separator.title !== '' && classification !== 'summary' && classification !== 'chatter';
      this.#headings.startSection(isTitle ? line : undefined);
      this.#lead = [];
    } else if (classified.ask(isFileTitle)) {
      this.#headings.startSection(line);
      this.#lead = [];
    } else if (
      classification === 'plain' ||
      (classification === 'summary' && classified.ask(introducesNext))
    ) {
      if (!isLogRecord(line.text) && !classified.ask(isRequest)) this.#headings.push(line, indent);
      if (isNoise || classified.ask(pointsElsewhere)) return true;
      if (classified.ask(namesTest)) this.#headings.startTest(line);
      this.#addLead(line);
    } else {
      if (classification === 'summary') this.#headings.endRun();
      if (classified.ask(startsSuite)) this.#headings.push(line, indent);
      if (this.#lead.length > 0) this.#lead = [];
    }
    return isNoise;
  }
}

/** Drops what was printed again, as by a further attempt. */
function dropRepeats(open: OpenFailure): void {
  const { block } = open;
  const kept = new Set(withoutRepeats(block.lines));
  for (const line of block.lines) if (!kept.has(line)) drop(open, { at: Math.floor(line.at) });
  block.lines = [...kept];
}
