import { uptimeMs } from '../../base/time.ts';
import type { CommandGate, Gate, GateBaseline, GateEvent } from '../../gates/types.ts';
import type { OutputStream } from '../../process/output.ts';
import {
  blockWith,
  type FailureBlock,
  hasDetails,
  type Line,
  type StoredFailure,
} from '../failures/failure.ts';
import { FailureFinder } from '../failures/group.ts';
import { Directories } from '../failures/headings.ts';
import { type Outline, OutputOutline, outlineWith } from '../failures/outline.ts';
import { ScriptChains } from '../failures/script-chains.ts';
import { RunningCommand } from '../failures/steps.ts';
import { FailureStore, type FailureTally } from '../failures/store.ts';
import { type TestLog, TestLogFinder, testLogWith } from '../failures/test-logs.ts';
import { ChannelTracker, FailureTracker, type TrackedFailures } from '../failures/tracker.ts';
import { type ClassifiedLine, LineClassifier } from '../lines/classify.ts';
import { lastWord } from '../lines/line-text.ts';
import { AnnouncedProjects, hasPrefix, taskOf, wholePrefixOf } from '../lines/prefix.ts';
import { RawLine } from '../lines/raw-line.ts';
import { SEVERITY } from '../lines/rules.ts';
import { isFrame } from '../lines/stack-frames.ts';
import {
  beginsTest,
  endsBlockInTap,
  isComment,
  isNumbered,
  separatorIn,
  startsClass,
  startsCommand,
  startsLoggedTest,
  treatsWarningsAsErrors,
  wasSkipped,
} from '../lines/structure.ts';
import { LineReader } from './read-lines.ts';
import { PrefixCounts } from './shown-prefixes.ts';
import { Sieve, type UnreadLine } from './sieve.ts';
import { type OutputTiming, SilenceKeeper } from './silences.ts';
import { ValueJoiner } from './value-joiner.ts';

/** Alone on a line, a value or a heading. */
const MAY_BE_TEXT = /^\[.*\D.*\] ?$|: $/;
/** Tasks are numbered from 0, and the items of a list from 1. */
const FIRST_TASK = '[0] ';
const NUMBER = /^\[\d/;
/** Before the name of a script, and its command. */
const SCRIPT_MARK = '> ';
/** A shorter one may underline a title. */
const MIN_RULER = 30;
/** Tasks that are distinguished by the prefixes of their lines. */
const MAX_CHANNELS = 64;

/** The lines of a stream that have one prefix. */
interface Channel {
  readonly stream: OutputStream;
  readonly task: string;
  readonly finder: FailureFinder;
}

/** What was found in an output, as plain data: another process may have read it. */
export interface Findings {
  /** Lines of the output, blank ones included. */
  readonly lineCount: number;
  readonly outline: Outline;
  /** In order of arrival. */
  readonly failures: readonly StoredFailure[];
  /** In order of arrival. */
  readonly testLogs: readonly TestLog[];
  /** By severity. */
  readonly tallies: ReadonlyMap<number, FailureTally>;
  /** Where the output last says that warnings made a command fail; -1 if it does not. */
  readonly warningsFailedAt: number;
  readonly timing: OutputTiming;
  /** What is left out of the failures and the outline, and why; a line for the end of the excerpt. */
  readonly note?: string;
  /** All failures, for a gate with a baseline. */
  readonly tracked?: TrackedFailures;
  /** What the baseline does not know, until the gate is judged. */
  readonly unknown?: Unknown;
}

export interface Unknown extends Pick<Findings, 'failures' | 'tallies'> {
  /** The lines of the known failures. */
  readonly knownLines: ReadonlySet<number>;
}

/** With what is shown of their prefixes before all lines. */
function withPrefixes(findings: Findings, shown: <L extends Line>(line: L) => L): Findings {
  const { outline, failures, testLogs, timing, unknown } = findings;
  const failuresWith = (all: readonly StoredFailure[]) =>
    all.map((stored) => ({ ...stored, block: blockWith(stored.block, shown) }));
  return {
    ...findings,
    outline: outlineWith(outline, (lines) => lines.map(shown)),
    failures: failuresWith(failures),
    testLogs: testLogs.map((log) => testLogWith(log, shown)),
    timing: {
      ...timing,
      silences: timing.silences.map((silence) => ({ ...silence, after: shown(silence.after) })),
    },
    ...(unknown && { unknown: { ...unknown, failures: failuresWith(unknown.failures) } }),
  };
}

/** Reads a command's output as it comes, and keeps what an excerpt may show; its memory is bounded. */
export class Condenser {
  readonly #reader = new LineReader(
    (stream, line) => this.#joiner.take(stream, line),
    (line) => this.#classifier.classify(line).severity < SEVERITY.thrown,
  );
  readonly #joiner = new ValueJoiner((stream, line) => this.#takeLine(stream, line));
  readonly #classifier = new LineClassifier();
  #store = new FailureStore();
  readonly #channels = new Map<string, Channel>();
  #onEitherStream = { printed: [], directories: new Directories(), command: new RunningCommand() };
  #outline = new OutputOutline();
  #testLogs = new TestLogFinder();
  /** Undefined with a baseline: what is compared with it is all that the output says. */
  readonly #chains: ScriptChains | undefined;
  readonly #projects = new AnnouncedProjects();
  readonly #prefixes = new PrefixCounts();
  readonly #tracking: Tracking | undefined;
  readonly #silences: SilenceKeeper;
  /** Undefined if all lines are read. */
  readonly #sieve: Sieve | undefined;
  /** That of the last line that was read and is not blank. */
  #channel: Channel | undefined;
  /** Where that line was. */
  #channelAt = 0;
  /** Of the last line that is not blank. */
  #lastAt = 0;
  #lastRaw: RawLine | undefined;
  #lastWhole: ClassifiedLine | undefined;
  #lineCount = 0;
  /** The streams that have brought something since the commands began that may have failed. */
  readonly #heardOn = new Set<OutputStream>();
  /** The line after the last one that was read. */
  #readTo = 0;
  /** The last line since then that says that something has passed; -1 if there is none. */
  #skippedPassAt = -1;
  #warningsFailedAt = -1;
  /** The last line of each task that says that something has passed. */
  readonly #passed = new Map<string, Pick<Line, 'at' | 'text'>>();
  /** Where the last line was the end of what TAP says of a test. */
  #endedYaml: Channel | undefined;
  /** Where the last file of tests has passed: what is indented below its result, its tests have logged. */
  #passedFile: Channel | undefined;
  /** Those that have brought a failed test of the command that runs: their problems are not its warnings. */
  readonly #withFailedTest = new Set<OutputStream>();

  /**
   * @param gate whose output it is: with a baseline, all failures are compared with it
   * @param now milliseconds on a clock that never goes back
   */
  constructor(
    { command, baseline }: Partial<Pick<CommandGate, 'command' | 'baseline'>> = {},
    now = uptimeMs,
  ) {
    if (!baseline) this.#chains = new ScriptChains(command);
    this.#tracking = baseline && new Tracking(baseline);
    this.#silences = new SilenceKeeper(now);
    // Every failure is compared with a baseline.
    if (!baseline)
      this.#sieve = new Sieve(
        (line) => this.#read(line),
        (at, template, whole) => this.#skip(at, template, whole),
      );
  }

  write(stream: OutputStream, bytes: Buffer): void {
    this.#silences.heard(this.#lastLine);
    this.#reader.write(stream, bytes);
  }

  /** Ends the output. */
  findings(): Findings {
    this.#reader.end();
    this.#joiner.end();
    const timing = this.#silences.ended(this.#lastLine);
    this.#sieve?.end();
    for (const { finder } of this.#channels.values()) finder.end();
    return withPrefixes(
      {
        lineCount: this.#lineCount,
        outline: this.#outline.end(),
        failures: this.#store.failures(),
        testLogs: this.#testLogs.logs,
        tallies: this.#store.tallies,
        warningsFailedAt: this.#warningsFailedAt,
        timing,
        ...this.#tracking?.findings(this.#warningsFailedAt !== -1),
      },
      this.#prefixes.shown,
    );
  }

  #takeLine(stream: OutputStream, raw: RawLine): void {
    const printed = this.#classifier.classify(raw);
    if (printed.mayAnnounce) this.#projects.announce(raw.text);
    const { mayBeKnown, haveBareNames } = this.#projects;
    const mayHaveTag = haveBareNames || (mayBeKnown && printed.mayBeTagged);
    const tagged = mayHaveTag ? this.#projects.tagged(raw.text) : undefined;
    if (tagged === undefined) this.#takeWhole(stream, raw, printed);
    else {
      const line = RawLine.of(tagged);
      this.#takeWhole(stream, line, this.#classifier.classify(line));
    }
  }

  #takeWhole(stream: OutputStream, raw: RawLine, whole: ClassifiedLine): void {
    const at = this.#lineCount++;
    // The lines of one form are all blank, or none is.
    if (whole.text !== '') {
      this.#lastAt = at;
      this.#lastRaw = raw;
      this.#lastWhole = whole;
    }
    if (this.#sieve) this.#sieve.take(at, raw, stream, whole);
    else this.#read({ at, raw, stream, whole });
  }

  readonly #lastLine = (): Line | undefined => {
    this.#reader.readHeld();
    if (!this.#lastRaw || !this.#lastWhole) return undefined;
    const { text } = this.#lastRaw;
    const prefix = this.#prefixOf(text, this.#lastWhole);
    return { at: this.#lastAt, text: text.slice(prefix.length), prefix };
  };

  #read({ at, raw, stream, whole }: UnreadLine): void {
    const { text } = raw;
    if (at !== this.#readTo) this.#leaveGap();
    this.#readTo = at + 1;
    const prefix = this.#prefixOf(text, whole);
    const start = text.startsWith(SCRIPT_MARK) ? this.#chains?.take({ at, text }) : undefined;
    if (start !== undefined) this.#forgetPassed(stream, start);
    const channel = this.#channelOf(at, stream, taskOf(prefix), whole);
    if (text.length <= prefix.length) {
      channel.finder.takeBlank(at);
      this.#outline.addBlank({ at, text: '', prefix });
      return;
    }
    this.#heardOn.add(stream);
    this.#prefixes.add(prefix, channel.task);
    this.#channel = channel;
    this.#channelAt = at;
    let line: Line = { at, text };
    if (prefix === '') this.#examine(channel, line, whole, raw.template);
    else {
      const rest = RawLine.of(text.slice(prefix.length));
      line = { at, text: rest.text, prefix };
      this.#examine(channel, line, this.#classifier.classify(rest), rest.template);
    }
    whole.isHeadline = channel.finder.isHeadline(line);
  }

  /**
   * Forgets what was found in the output of commands that have passed.
   *
   * @param stream that of the line that shows it
   * @param start where they began: if something had failed before, all is kept
   */
  #forgetPassed(stream: OutputStream, start: number): void {
    // What the other stream has brought may have been printed below: two pipes are read in any order.
    if ([...this.#heardOn].some((other) => other !== stream)) return;
    for (const { finder } of this.#channels.values()) finder.end();
    const wrong = this.#store.failures().filter(({ severity }) => severity > SEVERITY.warning);
    if (wrong.some(({ block }) => block.headline.at < start)) return;
    this.#heardOn.clear();
    this.#channels.clear();
    this.#channel = undefined;
    this.#store = new FailureStore();
    this.#outline = new OutputOutline();
    this.#testLogs = new TestLogFinder();
    this.#onEitherStream = { ...this.#onEitherStream, printed: [], directories: new Directories() };
    this.#passed.clear();
    this.#passedFile = undefined;
    this.#endedYaml = undefined;
    this.#warningsFailedAt = -1;
  }

  /** Alone on a line, `[lamp desk]` is a value, unless a task of that name has printed something. */
  #prefixOf(text: string, whole: ClassifiedLine): string {
    const prefix = whole.ask(hasPrefix) ? wholePrefixOf(text) : '';
    if (prefix === '') return '';
    const task = taskOf(prefix);
    const hasPrinted = (other: string) =>
      this.#channels.has(channelName('stdout', other)) || this.#channels.has(channelName('stderr', other));
    if (NUMBER.test(task)) return task === FIRST_TASK || hasPrinted(FIRST_TASK) ? prefix : '';
    const isText = text.length <= prefix.length && MAY_BE_TEXT.test(task);
    return isText && !hasPrinted(task) ? '' : prefix;
  }

  /** What was left out lies between the lines before and the next ones. */
  #leaveGap(): void {
    if (this.#skippedPassAt !== -1) this.#store.passed('', this.#skippedPassAt);
    this.#skippedPassAt = -1;
    for (const { finder } of this.#channels.values()) {
      finder.end();
      finder.takeBlank();
    }
    this.#testLogs.leaveGap();
    this.#outline.leaveGap();
  }

  /** Counts a line that is not read. */
  #skip(at: number, template: number, whole: ClassifiedLine): void {
    if (whole.isHeadline && whole.severity > 0) this.#store.repeat(whole.severity, template);
    else if (whole.classification === 'passed') this.#skippedPassAt = at;
  }

  #examine(channel: Channel, line: Line, classified: ClassifiedLine, template: number): void {
    const { finder, task, stream } = channel;
    if (classified.indent === 0 && !line.prefix?.startsWith(' ')) {
      if (this.#passedFile) {
        this.#passedFile.finder.end();
        this.#pass(this.#passedFile.task, line);
      }
      this.#passedFile = FILE_PASSED.test(line.text) ? channel : undefined;
      // Its own result is above what it has logged.
      if (this.#passedFile) this.#store.began(task, line.at, (result) => result !== line.text);
    }
    if (classified.ask(startsCommand)) this.#startCommand(task, line.at);
    if (DOT.test(line.text)) {
      finder.end();
      this.#pass(task, line);
    }
    // The comment is the title of the next test: what is logged below it is not about the one above.
    if (this.#endedYaml === channel && classified.ask(isComment))
      this.#store.began(task, line.at, () => false);
    this.#endedYaml = classified.ask(endsBlockInTap) ? channel : undefined;
    const isPassed = passMatcherOf(line.text, classified);
    if (isPassed) {
      finder.end();
      this.#store.began(task, line.at, isPassed);
    }
    this.#testLogs.take(line, stream, task, classified);
    const isNoise = finder.take(line, classified, template);
    this.#outline.add(line, stream, classified, template, isNoise);
    if (finder.isQuoted) return;
    if (task === '' && classified.severity === SEVERITY.failedTest) this.#endLogged();
    if (endsSection(line.text, classified)) this.#store.sectionEnded(task, line.at);
    const isResult = ![isNumbered, wasSkipped, beginsTest].some((question) => classified.ask(question));
    if (classified.classification === 'passed' && isResult) this.#pass(task, line);
    if (classified.classification === 'summary')
      this.#tracking?.tracker.readSummary((line.prefix ?? '') + line.text);
    if (classified.ask(treatsWarningsAsErrors) && !this.#withFailedTest.has(stream))
      this.#warningsFailedAt = line.at;
  }

  #startCommand(task: string, at: number): void {
    this.#endTask(task);
    this.#withFailedTest.clear();
    this.#store.started(task, at);
    this.#tracking?.started(task, at);
  }

  /** What either stream of a task has brought is complete. */
  #endTask(task: string): void {
    for (const channel of this.#channels.values()) if (channel.task === task) channel.finder.end();
  }

  /** What loggers printed before a result is complete. */
  #endLogged(): void {
    for (const channel of this.#channels.values()) if (channel.task !== '') channel.finder.end();
  }

  #pass(task: string, { at, text }: Line): void {
    this.#passed.set(task, { at, text });
    if (task === '') this.#endLogged();
    // The panic came by the other stream, and is complete.
    if (EXPECTED_PANIC.test(text)) this.#endTask(task);
    this.#store.passed(task, at, text);
    this.#tracking?.passed(task, at, text);
  }

  /** Beyond so many channels, the finder is the first one's. */
  #channelOf(at: number, stream: OutputStream, task: string, whole: ClassifiedLine): Channel {
    const last = this.#channel;
    if (last?.stream === stream && (last.task === task || (task === '' && this.#goesOn(last, at, whole))))
      return last;
    const name = channelName(stream, task);
    const known = this.#channels.get(name);
    if (known) return known;
    const [first] = this.#channels.values();
    if (first && this.#channels.size >= MAX_CHANNELS)
      return { stream, task: first.task, finder: first.finder };
    const channel = { stream, task, finder: this.#newFinder(task, stream) };
    this.#channels.set(name, channel);
    return channel;
  }

  /** A stack has no prefix, even if its error was logged with one, nor has the rest of a message. */
  #goesOn({ finder }: Channel, at: number, line: ClassifiedLine): boolean {
    return line.ask(isFrame) || (line.indent > 0 && at === this.#channelAt + 1 && finder.isOpen);
  }

  #newFinder(task: string, stream: OutputStream): FailureFinder {
    const tracking = this.#tracking;
    const add = (block: FailureBlock) => {
      // A task that failed may be named, and nothing else: the warnings below are what was wrong.
      if (block.severity === SEVERITY.failedTest && hasDetails(block)) this.#withFailedTest.add(stream);
      this.#store.add(block, task);
      // What was printed before a result ended may be read after it.
      const passed = this.#passed.get(task);
      if (passed && (block.lines.at(-1) ?? block.headline).at < passed.at)
        this.#store.passed(task, passed.at, passed.text);
    };
    if (!tracking) return new FailureFinder(add, task, this.#onEitherStream);
    const channel = new ChannelTracker(tracking.tracker, task);
    const take = (block: FailureBlock) => {
      add(block);
      tracking.take(block, channel.ended(block), task);
    };
    return new FailureFinder(take, task, this.#onEitherStream, channel);
  }
}

/**
 * The dot of a test that has passed, below what it has logged: what the next tests print may follow. Three mark source that
 * is left out.
 */
const DOT = /^\.(?!\.\.$)[.*FEsx]*(?:$|\d{4}-\d\d-\d\d|[{[])|^\.(?!NET\b)[A-Z]/;

/** How Jest names a file whose tests have passed, above what they have logged. */
const FILE_PASSED = /^PASS (?:\S+ )?\S+\.[cm]?[jt]sx?\b/;

/** A test of Rust that has passed because it panicked. */
const EXPECTED_PANIC = / - should panic \.\.\. ok$/;

/** How a run of tests ended in which some failed: the next run may pass. */
const RUN_FAILED =
  /^(?:test result: FAILED\b|FAILED \((?:failures|errors)=|\s*Tests:?\s+[1-9]\d* failed|\s*[1-9]\d* failing\b|(?:#|ℹ) fail [1-9])/;

/** The result of a program in CTest, which is above its output: some of its tests have passed. */
const PROGRAM_FAILED = /^\s*\d+\/\d+ Test +#\d+: .*\*\*\*/;

/**
 * How a script, or a workflow of GitHub or Azure, names its next step, and Cargo the next program with tests. In capital
 * letters, Go says what a test does: `=== RUN TestAdd`.
 */
const STEP_TITLE = /^(?:(?:==+>?|##+) (?![A-Z]+ )\S|(?:::|##\[)group|\s+Running (?:unittests )?\S+ \()/;

/** The title of a step or between signs, a ruler, the end of a run, or the result of the next program. */
function endsSection(text: string, classified: ClassifiedLine): boolean {
  if (classified.classification === 'failedTest') return PROGRAM_FAILED.test(text);
  if (STEP_TITLE.test(text)) return true;
  const separator = classified.ask(separatorIn);
  if (separator) return separator.title !== '' || text.length >= MIN_RULER;
  return classified.classification === 'summary' && RUN_FAILED.test(text);
}

/** Where a test begins, or those of a class, whether a line says that they have passed; undefined for another line. */
function passMatcherOf(text: string, classified: ClassifiedLine): ((result: string) => boolean) | undefined {
  if (classified.ask(startsClass)) return (result) => lastWord(result) === lastWord(text);
  return classified.ask(startsLoggedTest) ? (result) => result === 'ok' : undefined;
}

function channelName(stream: OutputStream, task: string): string {
  return `${stream} ${task}`;
}

/** More lines are not left out. */
const MAX_KNOWN_LINES = 200_000;

/** Separates the failures that a baseline knows from the others. */
class Tracking {
  readonly tracker: FailureTracker;
  readonly #unknown = new FailureStore();
  readonly #knownLines = new Set<number>();

  constructor(baseline: GateBaseline) {
    this.tracker = new FailureTracker(baseline);
  }

  take(block: FailureBlock, isKnown: boolean, task: string): void {
    if (!isKnown) this.#unknown.add(block, task);
    else if (this.#knownLines.size < MAX_KNOWN_LINES)
      for (const { at } of block.lines) this.#knownLines.add(at);
  }

  started(task: string, at: number): void {
    this.#unknown.started(task, at);
    this.tracker.started(task, at);
  }

  passed(task: string, at: number, result: string): void {
    this.#unknown.passed(task, at, result);
    this.tracker.passed(task, at);
  }

  findings(withWarnings: boolean): Pick<Findings, 'tracked' | 'unknown'> {
    const [failures, tallies] = [this.#unknown.failures(), this.#unknown.tallies];
    return {
      tracked: this.tracker.result(withWarnings),
      unknown: { failures, tallies, knownLines: this.#knownLines },
    };
  }
}

/** What was found in the output of each gate that printed something. */
export type GateFindings = ReadonlyMap<Gate, Findings>;

/** One condenser for each gate that prints. */
export class GateCondensers {
  readonly #condensers = new Map<Gate, Condenser>();
  readonly #ended = new Map<Gate, Findings>();

  take(event: GateEvent): void {
    // A further attempt: what the last one printed counts.
    if (event.type === 'started') {
      this.#condensers.delete(event.gate);
      this.#ended.delete(event.gate);
    }
    if (event.type !== 'output') return;
    const { gate, stream, bytes } = event;
    let condenser = this.#condensers.get(gate);
    if (!condenser) {
      condenser = new Condenser(gate.kind === 'command' ? gate : {});
      this.#condensers.set(gate, condenser);
    }
    condenser.write(stream, bytes);
  }

  /** What was found in the output of a gate that has ended; undefined if it printed nothing. */
  findingsOf(gate: Gate): Findings | undefined {
    const condenser = this.#condensers.get(gate);
    if (condenser) {
      this.#condensers.delete(gate);
      this.#ended.set(gate, condenser.findings());
    }
    return this.#ended.get(gate);
  }

  /** Takes what another process, or a review, has found in the output of a gate. */
  add(gate: Gate, findings: Findings): void {
    this.#ended.set(gate, findings);
  }

  /** Ends the outputs of all gates. */
  findings(): GateFindings {
    for (const gate of [...this.#condensers.keys()]) this.findingsOf(gate);
    return this.#ended;
  }
}
