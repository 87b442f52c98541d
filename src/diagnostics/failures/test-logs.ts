/**
 * What a test has logged, where the runner prints it below a heading that names the test, and the failure elsewhere: that
 * of a failed test may say why it failed, that of the others is noise.
 */

import type { OutputStream } from '../../process/output.ts';
import { type ClassifiedLine, classificationOf, severityOf } from '../lines/classify.ts';
import { detachString } from '../lines/line-text.ts';
import { pointsElsewhere } from '../lines/pointers.ts';
import { withoutPrefix } from '../lines/prefix.ts';
import { COMMAND_END, SEVERITY } from '../lines/rules.ts';
import { isFrame } from '../lines/stack-frames.ts';
import { separatorIn, startsCommand } from '../lines/structure.ts';
import { startedTestIn } from './crashed-test.ts';
import { detached, type FailureLine, type Line, PRIORITY, type Span, type StoredFailure } from './failure.ts';

/**
 * `stderr | cart.test.ts > adds` (Vitest), `CartTest > adds() STANDARD_OUT` (Gradle). Jest names the function that a test
 * has called, and no test: nothing says that it is one that failed.
 */
const HEADING =
  /^(?:stdout|stderr) \| (.* > .*)$|^(\S.*) STANDARD_(?:OUT|ERROR)$|^ {2,4}(console\.(?:log|info|debug|trace|dir|table|warn|error))$/;
/** Where the log of a test goes on that others have interrupted. */
const CONTINUED = /^=== (?:CONT|NAME) +(\S.*)$/;
/** pytest and Minitest print a test before its log, which Minitest begins on that line, and its result below. */
const BEFORE_LOG = /^(\S+\.py::\w+(?:::\w+)*(?:\[.*\])?) ?$|^(\w\S*#test_\S*) = (?!\d+\.\d+ s = )\S/;
const PASSED_BELOW_LOG = /^(?:PASSED|SKIPPED|XFAIL)(?: \(.*\))? +\[ *\d+%\]$|^\d+\.\d+ s = [.S]$/;
/** The result of a test that said that it began, with its name. */
const RESULT =
  /^\s*--- (?:PASS|SKIP|FAIL): (\S+)|^\[ +(?:OK|FAILED|SKIPPED) +\] ([\w./]+)|^Test Case ('.*') (?:passed|failed|skipped) /;
const STREAMS: readonly OutputStream[] = ['stdout', 'stderr'];
/** What a library calls an error, and is a warning. */
const WARNING = /^\s*Warning: /;
/** Of what is logged by this function, errors may say why a test failed, unless all tests of the file pass. */
const ERRORS = 'console.error';
const CONSOLE = /^console\.\w+$/;
/** A record of a logger has a time. */
const STAMP = /^\s*(?:\{.*|\[?(?:\d{4}-\d\d-\d\d[T ])?)\d\d:\d\d:\d\d|^\s*\{.*"(?:time|ts|timestamp)":/;
/** Jest prints the logs of a file above its result, or, with a heading and deeper, below it. */
const LOGGED_ABOVE = /^ {2}\S/;
const FILE_RESULT = /^\s?(PASS|FAIL) +\S/;
/** The state of a file of tests: ` ❯ cart.test.ts (3 tests | 1 failed) 12ms`. */
const FILE_STATE = /^\s?[❯✓×] \S/;
/** More are read like the rest of the output; those of tests that have passed make way for others. */
const MAX_LOGS = 500;
/** A log with more others between its lines ends. */
const MAX_SPANS = 50;
/** Of what a test has logged, so many lines are kept: the last are the nearest to its failure. */
const KEPT_LINES = 8;
/** Of one that began and has failed, this is all that it says. */
const KEPT_OF_BEGUN = 24;
/** What runners print behind the name of a failed test. */
const BEHIND_NAME = /^\s*(?:$|FAILED\b|[\d.]+ ?m?s\b|[^\w\s>])/;

/** What one test has logged at one time. */
export interface TestLog {
  readonly test: string;
  readonly heading: Line;
  /** Whether the heading says that the test began: all is printed there, and what the test says is deeper. */
  readonly hasBegun: boolean;
  /** Whether the result of a test that began says so. */
  readonly hasPassed: boolean;
  /** The last lines that say something. */
  readonly lines: readonly FailureLine[];
  /** Where it is: lines of the other stream, and of other tasks, may be between its own. */
  readonly spans: readonly Span[];
}

interface OpenLog extends TestLog {
  readonly lines: FailureLine[];
  readonly spans: Span[];
  /** Whether its lines are deeper than its heading. */
  readonly isIndented: boolean;
  /** A test that began has a log from its result on, and what is called an error is one if all tests of its file passed. */
  counts: boolean;
  hasPassed: boolean;
}

/** A log with other lines. */
export function testLogWith(log: TestLog, changed: <L extends Line>(line: L) => L): TestLog {
  return { ...log, heading: changed(log.heading), lines: log.lines.map(changed) };
}

/** Finds the logs of tests among the lines of an output. */
export class TestLogFinder {
  readonly #logs: OpenLog[] = [];
  /** Those with an error, until the result of their file. */
  readonly #undecided: OpenLog[] = [];
  /** Whether the last file of tests has passed. */
  #hasPassed = false;
  /** Those of tests that began, by name, until their result. */
  readonly #begun = new Map<string, OpenLog[]>();
  /** By stream and task. */
  readonly #open = new Map<string, OpenLog>();
  /** That of the last line. */
  #last: OpenLog | undefined;

  /**
   * @param line one that is not blank
   * @param task that of its prefix: what a test logs may have a tag of its own
   */
  take(line: Line, stream: OutputStream, task: string, classified: ClassifiedLine): void {
    const own = `${stream} ${task}`;
    // What the runner itself, or the next command, prints then on the other stream is no log of a test.
    if (classified.ask(startsCommand) || classified.ask(isFileState))
      for (const each of STREAMS) this.#open.delete(`${each} ${task}`);
    const result = classified.indent <= 1 ? FILE_RESULT.exec(line.text)?.[1] : undefined;
    if (result !== undefined) {
      this.#hasPassed = result === 'PASS';
      for (const log of this.#undecided.splice(0)) log.counts = this.#hasPassed;
    }
    const isPassed = classified.classification === 'passed';
    if (this.#begun.size > 0) this.#readResult(line.text, isPassed, this.#open.get(own));
    const named = classified.ask(isHeading) ? testLogOf(line.text) : undefined;
    if (named) {
      this.#start(line, own, named);
      return;
    }
    const name = this.#open.has(own) ? own : `${stream} `;
    const open = this.#open.get(name);
    const isLast = this.#last === open;
    this.#last = open;
    if (!open) return;
    if (open.counts && open.lines.length === 0 && mayBeReason(open, line.text)) this.#setApart(open);
    const span = open.spans.at(-1);
    if (endsLog(open, line, classified) || (!isLast && open.spans.length >= MAX_SPANS)) {
      this.#open.delete(name);
      this.#last = undefined;
      return;
    }
    if (span && isLast) span.to = line.at;
    else open.spans.push({ from: line.at, to: line.at });
    if (classified.ask(isFrame) || classified.ask(pointsElsewhere)) return;
    // What the program logs is at the left edge.
    if (open.hasBegun && classified.indent === 0) return;
    const priority = classified.severity > 0 ? PRIORITY.error : PRIORITY.detail;
    open.lines.push(detached({ ...line, priority }));
    if (open.lines.length > (open.hasBegun ? KEPT_OF_BEGUN : KEPT_LINES)) open.lines.shift();
  }

  /** A log counts if its file has passed; where that is said below, it waits. */
  #setApart(log: OpenLog): void {
    const isAbove = LOGGED_ABOVE.test(log.heading.text);
    log.counts = !isAbove && this.#hasPassed;
    if (isAbove) this.#undecided.push(log);
  }

  #start(line: Line, name: string, named: Named): void {
    this.#forgetEmpty(this.#open.get(name));
    this.#open.delete(name);
    this.#last = undefined;
    if (!this.#hasSpace()) return;
    const log = {
      ...named,
      heading: detached(line),
      lines: [],
      spans: [{ from: line.at, to: line.at }],
      counts: !named.hasBegun,
      hasPassed: false,
    };
    if (log.hasBegun) this.#begun.set(log.test, [...(this.#begun.get(log.test) ?? []), log]);
    this.#open.set(name, log);
    this.#last = log;
    this.#logs.push(log);
  }

  /** Of very many logs, those of failed tests count. */
  #hasSpace(): boolean {
    if (this.#logs.length < MAX_LOGS) return true;
    const passed = this.#logs.findIndex((log) => log.hasPassed);
    if (passed !== -1) this.#logs.splice(passed, 1);
    return passed !== -1;
  }

  /** Most tests log nothing, and there may be any number of them. */
  #forgetEmpty(log: OpenLog | undefined): void {
    if (!log?.hasBegun || !isEmpty(log) || log !== this.#logs.at(-1)) return;
    this.#logs.pop();
    const others = (this.#begun.get(log.test) ?? []).filter((other) => other !== log);
    if (others.length > 0) this.#begun.set(log.test, others);
    else this.#begun.delete(log.test);
  }

  /** Notes that the logs of a test that has ended count. @param open the log that the line would be part of */
  #readResult(text: string, isPassed: boolean, open: OpenLog | undefined): void {
    const [, go, google, apple] = RESULT.exec(text) ?? [];
    const below = open?.hasBegun && PASSED_BELOW_LOG.test(text) ? open.test : undefined;
    const name = go ?? google ?? apple ?? below;
    if (name === undefined) return;
    for (const log of this.#begun.get(name) ?? []) {
      log.counts = true;
      log.hasPassed = isPassed;
    }
    this.#begun.delete(name);
  }

  /** Notes that lines are left out: what follows may be anything. */
  leaveGap(): void {
    this.#open.clear();
    this.#undecided.length = 0;
    this.#begun.clear();
    this.#last = undefined;
  }

  /** In order of arrival. */
  get logs(): readonly TestLog[] {
    return this.#logs.filter(({ counts }) => counts);
  }
}

/** Whether what a function of the console has printed may say why a test failed: an error, or the record of one. */
function mayBeReason({ test }: OpenLog, text: string): boolean {
  if (test === ERRORS) return !WARNING.test(text);
  if (!CONSOLE.test(test) || !STAMP.test(text)) return false;
  const severity = severityOf(classificationOf(withoutPrefix(text.trim())));
  return severity >= SEVERITY.tagged && severity < SEVERITY.failedTest;
}

type Named = Pick<OpenLog, 'test' | 'isIndented' | 'hasBegun'>;

function isEmpty({ spans, heading }: OpenLog): boolean {
  return spans.at(-1)?.to === heading.at;
}

function isFileState(text: string): boolean {
  return FILE_STATE.test(text);
}

function isHeading(text: string): boolean {
  return HEADING.test(text) || begunIn(text) !== undefined;
}

/** The name of the test that begins at a line, or goes on. */
function begunIn(text: string): string | undefined {
  const [, file, method] = BEFORE_LOG.exec(text) ?? [];
  return startedTestIn(text) ?? CONTINUED.exec(text)?.[1] ?? file ?? method;
}

function testLogOf(text: string): Named {
  const begun = begunIn(text);
  const [, flush, indented, method] = HEADING.exec(text) ?? [];
  const test = begun ?? flush ?? indented ?? method ?? '';
  const hasBegun = begun !== undefined;
  return { test: detachString(test.trim()), isIndented: flush === undefined && !hasBegun, hasBegun };
}

function endsLog({ isIndented, hasBegun }: OpenLog, { prefix }: Line, line: ClassifiedLine): boolean {
  const { classification, severity, indent } = line;
  return (
    // What is logged may begin with a tag, which is taken for a prefix.
    (isIndented && indent === 0 && !prefix?.startsWith(' ')) ||
    classification === 'passed' ||
    (!isIndented && classification === 'summary') ||
    severity === SEVERITY.failedTest ||
    line.ask(isFileState) ||
    (!hasBegun && line.ask(separatorIn) !== null)
  );
}

/** What was found, with what failed tests have logged, and without what the others have. */
interface WithLogs {
  /** In order of arrival. What a failed test has logged is one of its own. */
  readonly failures: readonly StoredFailure[];
  /** Whether a line is from a test that has not failed, or is what such tests log too. */
  readonly isOfOthers: (line: Line) => boolean;
}

/** Where only logs say what is wrong, everything stays. @param failedTests how many there were, also those that were not kept */
export function withTestLogs(
  failures: readonly StoredFailure[],
  logs: readonly TestLog[],
  failedTests: number,
): WithLogs {
  const isLogged = isIn(logs);
  const isSure = failures.some(
    ({ severity, block: { headline } }) =>
      severity >= SEVERITY.tagged && !isLogged(headline) && !COMMAND_END.test(headline.text),
  );
  if (!isSure) return { failures, isOfOthers: () => false };
  const tests = failures.filter(({ severity }) => severity === SEVERITY.failedTest);
  const names = tests
    .flatMap(({ block }) => block.lines.filter(({ priority }) => priority === PRIORITY.error))
    .filter((line) => !isLogged(line) && !isHeading(line.text))
    .map(({ text }) => text);
  // Of very many failed tests, the names of some are known.
  const hasFailed = ({ test, hasBegun, hasPassed }: TestLog) =>
    hasBegun ? !hasPassed : names.some((name) => isNameOf(name, test));
  const failed = new Set(logs.filter(hasFailed).map(({ test }) => test));
  const ofPassed = logs.filter(({ test }) => !failed.has(test));
  // The errors below the names are as severe in the end.
  const named = tests.filter(({ block }) => block.severity === SEVERITY.failedTest);
  const areAllKnown = named.reduce((sum, { times }) => sum + times, 0) >= failedTests;
  const passed = ofPassed.filter(({ hasPassed }) => hasPassed || areAllKnown);
  const isUsualIn = saidBy(passed);
  const isUsual = (log: TestLog) => (line: Line) => isUsualIn(log, line);
  const ofFailed = logs.filter(({ test }) => failed.has(test));
  const saysNothing = (log: TestLog) => log.lines.length > 0 && log.lines.every(isUsual(log));
  const isDropped = isIn([...ofPassed, ...ofFailed.filter(saysNothing)]);
  const repeated = positionsIn(ofFailed.flatMap((log) => log.lines.filter(isUsual(log))));
  const isOfOthers = (line: Line) => repeated.has(line.at) || isDropped(line);
  const unusual = ofFailed.map((log) => ({ ...log, lines: log.lines.filter((line) => !isUsual(log)(line)) }));
  const logged = [...failed].flatMap((name) => failureOf(unusual.filter(({ test }) => test === name)) ?? []);
  const others = failures
    .filter(({ block }) => !isOfOthers(block.headline))
    .map((stored) => {
      const lines = stored.block.lines.filter((line) => !isOfOthers(line));
      return { ...stored, block: { ...stored.block, lines } };
    });
  const found = [...others, ...logged];
  return { failures: found.sort((a, b) => a.block.headline.at - b.block.headline.at), isOfOthers };
}

function positionsIn(lines: readonly Line[]): ReadonlySet<number> {
  return new Set(lines.map(({ at }) => at));
}

/** A number that is no status of a request that failed. */
const NUMBER = /(?<!\d)(?![45]\d\d(?!\d))\d+/g;

/** What a line says, whatever its test is called, and its numbers are. */
function saidIn({ test }: TestLog, { text }: Line): string {
  const name = test.split(' > ').at(-1) ?? test;
  return text.replaceAll(name, '').replace(NUMBER, '0');
}

const LAST_WORD = /\S+$/;

/** What a record of no warning says, whatever it is about; undefined for another line. */
function recordIn(log: TestLog, line: Line): string | undefined {
  return classificationOf(line.text) === 'chatter' ? saidIn(log, line).replace(LAST_WORD, '') : undefined;
}

/** Whether these logs have a line too. Of records that are about several things there, another one says nothing. */
function saidBy(logs: readonly TestLog[]): (log: TestLog, line: Line) => boolean {
  const said = new Set(logs.flatMap((log) => log.lines.map((line) => saidIn(log, line))));
  const subjects = new Map<string, Set<string>>();
  for (const log of logs)
    for (const line of log.lines) {
      const record = recordIn(log, line);
      if (record === undefined) continue;
      subjects.set(record, (subjects.get(record) ?? new Set()).add(saidIn(log, line)));
    }
  return (log, line) =>
    said.has(saidIn(log, line)) || (subjects.get(recordIn(log, line) ?? '')?.size ?? 0) > 1;
}

function isIn(logs: readonly TestLog[]): (line: Line) => boolean {
  const spans = logs.flatMap((log) => log.spans);
  return ({ at }) => spans.some(({ from, to }) => at >= from && at <= to);
}

function isNameOf(headline: string, test: string): boolean {
  const at = headline.indexOf(test);
  return at !== -1 && BEHIND_NAME.test(headline.slice(at + test.length));
}

/** The last lines that differ, below the heading of the first of them, if that is not what every test prints. */
function failureOf(logs: readonly TestLog[]): StoredFailure | undefined {
  const byText = new Map(logs.flatMap(({ lines }) => lines).map((line) => [line.text, line]));
  const sorted = [...byText.values()].toSorted((a, b) => a.at - b.at);
  const hasBegun = logs.some((log) => log.hasBegun);
  const [first, ...others] = sorted.slice(-(hasBegun ? KEPT_OF_BEGUN : KEPT_LINES));
  const headline = hasBegun ? first : first && logs.find((log) => isIn([log])(first))?.heading;
  if (!first || !headline) return undefined;
  const block = {
    severity: SEVERITY.tagged,
    template: undefined,
    headline,
    lines: [{ ...headline, priority: PRIORITY.error }, ...(hasBegun ? [] : [first]), ...others],
  };
  return { block, kind: headline.text, message: 0, severity: SEVERITY.tagged, times: 1 };
}
