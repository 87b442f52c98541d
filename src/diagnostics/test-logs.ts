/**
 * What a test has logged, where the runner prints it below a heading that names the test, and the failure elsewhere: that
 * of a failed test may say why it failed, that of the others is noise.
 */

import type { OutputStream } from '../process/output.ts';
import type { ClassifiedLine } from './classify.ts';
import { detached, type FailureLine, type Line, PRIORITY, type Span, type StoredFailure } from './failure.ts';
import { detachString } from './line-text.ts';
import { pointsElsewhere } from './pointers.ts';
import { COMMAND_END, SEVERITY } from './rules.ts';
import { isFrame } from './stack-frames.ts';
import { separatorIn, startsCommand } from './structure.ts';

/** `stderr | cart.test.ts > adds` (Vitest), `CartTest > adds() STANDARD_OUT` (Gradle). */
const HEADING = /^(?:stdout|stderr) \| (.* > .*)$|^(\S.*) STANDARD_(?:OUT|ERROR)$/;
/** The state of a file of tests: ` ❯ cart.test.ts (3 tests | 1 failed) 12ms`. */
const FILE_STATE = /^\s?[❯✓×] \S/;
/** More are read like the rest of the output. */
const MAX_LOGS = 500;
/** A log with more others between its lines ends. */
const MAX_SPANS = 50;
/** Of what a test has logged, so many lines are kept: the last are the nearest to its failure. */
const KEPT_LINES = 8;
/** What runners print behind the name of a failed test. */
const BEHIND_NAME = /^\s*(?:$|FAILED\b|[\d.]+ ?m?s\b|[^\w\s>])/;

/** What one test has logged at one time. */
export interface TestLog {
  readonly test: string;
  readonly heading: Line;
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
}

/** A log with other lines. */
export function testLogWith(log: TestLog, changed: <L extends Line>(line: L) => L): TestLog {
  return { ...log, heading: changed(log.heading), lines: log.lines.map(changed) };
}

/** Finds the logs of tests among the lines of an output. */
export class TestLogFinder {
  readonly #logs: OpenLog[] = [];
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
    const span = open.spans.at(-1);
    if (endsLog(open, classified) || (!isLast && open.spans.length >= MAX_SPANS)) {
      this.#open.delete(name);
      this.#last = undefined;
      return;
    }
    if (span && isLast) span.to = line.at;
    else open.spans.push({ from: line.at, to: line.at });
    if (classified.ask(isFrame) || classified.ask(pointsElsewhere)) return;
    const priority = classified.severity > 0 ? PRIORITY.error : PRIORITY.detail;
    open.lines.push(detached({ ...line, priority }));
    if (open.lines.length > KEPT_LINES) open.lines.shift();
  }

  #start(line: Line, name: string, named: Named): void {
    this.#open.delete(name);
    this.#last = undefined;
    if (this.#logs.length >= MAX_LOGS) return;
    const log = {
      ...named,
      heading: detached(line),
      lines: [],
      spans: [{ from: line.at, to: line.at }],
    };
    this.#open.set(name, log);
    this.#last = log;
    this.#logs.push(log);
  }

  /** Notes that lines are left out: what follows may be anything. */
  leaveGap(): void {
    this.#open.clear();
    this.#last = undefined;
  }

  /** In order of arrival. */
  get logs(): readonly TestLog[] {
    return this.#logs;
  }
}

type Named = Pick<OpenLog, 'test' | 'isIndented'>;

function isHeading(text: string): boolean {
  return HEADING.test(text);
}

function testLogOf(text: string): Named {
  const [, flush, indented] = HEADING.exec(text) ?? [];
  return { test: detachString((flush ?? indented ?? '').trim()), isIndented: indented !== undefined };
}

function endsLog({ isIndented }: OpenLog, line: ClassifiedLine): boolean {
  const { classification, severity, indent } = line;
  return (
    (isIndented && indent === 0) ||
    classification === 'passed' ||
    classification === 'summary' ||
    severity === SEVERITY.failedTest ||
    line.ask(startsCommand) ||
    FILE_STATE.test(line.text) ||
    line.ask(separatorIn) !== null
  );
}

/** What was found, with what failed tests have logged, and without what the others have. */
interface WithLogs {
  /** In order of arrival. What a failed test has logged is one of its own. */
  readonly failures: readonly StoredFailure[];
  /** Whether a line is from a test that has not failed. */
  readonly isOfOthers: (line: Line) => boolean;
}

/** Where only logs say what is wrong, everything stays. */
export function withTestLogs(failures: readonly StoredFailure[], logs: readonly TestLog[]): WithLogs {
  const isLogged = isIn(logs);
  const isSure = failures.some(
    ({ severity, block: { headline } }) =>
      severity >= SEVERITY.tagged && !isLogged(headline) && !COMMAND_END.test(headline.text),
  );
  if (!isSure) return { failures, isOfOthers: () => false };
  const names = failures
    .filter(({ severity }) => severity === SEVERITY.failedTest)
    .flatMap(({ block }) => block.lines.filter(({ priority }) => priority === PRIORITY.error))
    .map(({ text }) => text);
  const hasFailed = ({ test }: TestLog) => names.some((name) => isNameOf(name, test));
  const failed = new Set(logs.filter(hasFailed).map(({ test }) => test));
  const isOfOthers = isIn(logs.filter(({ test }) => !failed.has(test)));
  const logged = [...failed].flatMap((name) => failureOf(logs.filter(({ test }) => test === name)) ?? []);
  const found = [...failures.filter(({ block }) => !isOfOthers(block.headline)), ...logged];
  return { failures: found.sort((a, b) => a.block.headline.at - b.block.headline.at), isOfOthers };
}

function isIn(logs: readonly TestLog[]): (line: Line) => boolean {
  const spans = logs.flatMap((log) => log.spans);
  return ({ at }) => spans.some(({ from, to }) => at >= from && at <= to);
}

function isNameOf(headline: string, test: string): boolean {
  const at = headline.indexOf(test);
  return at !== -1 && BEHIND_NAME.test(headline.slice(at + test.length));
}

/** The last lines that differ, below the heading of the first of them. */
function failureOf(logs: readonly TestLog[]): StoredFailure | undefined {
  const byText = new Map(logs.flatMap(({ lines }) => lines).map((line) => [line.text, line]));
  const lines = [...byText.values()].toSorted((a, b) => a.at - b.at).slice(-KEPT_LINES);
  const [first] = lines;
  const headline = first && logs.find((log) => isIn([log])(first))?.heading;
  if (!headline) return undefined;
  const block = {
    severity: SEVERITY.tagged,
    template: undefined,
    headline,
    lines: [{ ...headline, priority: PRIORITY.error }, ...lines],
  };
  return { block, kind: headline.text, message: 0, severity: SEVERITY.tagged, times: 1 };
}
