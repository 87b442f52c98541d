/**
 * What a test has logged, where the runner prints it below a heading that names the test, and the failure elsewhere: that
 * of a failed test may say why it failed, that of the others is noise.
 */

import type { ClassifiedLine } from './classify.ts';
import { detached, type FailureLine, type Line, PRIORITY, type StoredFailure } from './failure.ts';
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
  /** The position of its last line. */
  readonly to: number;
}

interface OpenLog extends TestLog {
  readonly lines: FailureLine[];
  to: number;
  /** Whether its lines are deeper than its heading. */
  readonly isIndented: boolean;
}

/** A log with other lines. */
export function testLogWith(log: TestLog, changed: <L extends Line>(line: L) => L): TestLog {
  return { ...log, heading: changed(log.heading), lines: log.lines.map(changed) };
}

/** Finds the logs of tests among the lines of one stream. */
export class TestLogFinder {
  readonly #logs: OpenLog[] = [];
  /** By task. */
  readonly #open = new Map<string, OpenLog>();

  /**
   * @param line one that is not blank
   * @param task that of its prefix: what a test logs may have a tag of its own
   */
  take(line: Line, task: string, classified: ClassifiedLine): void {
    const named = classified.ask(testLogOf);
    if (named) {
      this.#start(line, task, named);
      return;
    }
    const name = this.#open.has(task) ? task : '';
    const open = this.#open.get(name);
    if (!open) return;
    if (endsLog(open, classified)) {
      this.#open.delete(name);
      return;
    }
    open.to = line.at;
    if (classified.ask(isFrame) || classified.ask(pointsElsewhere)) return;
    const priority = classified.severity > 0 ? PRIORITY.error : PRIORITY.detail;
    open.lines.push(detached({ ...line, priority }));
    if (open.lines.length > KEPT_LINES) open.lines.shift();
  }

  #start(line: Line, task: string, named: Pick<OpenLog, 'test' | 'isIndented'>): void {
    this.#open.delete(task);
    if (this.#logs.length >= MAX_LOGS) return;
    const log = { ...named, heading: detached(line), lines: [], to: line.at };
    this.#open.set(task, log);
    this.#logs.push(log);
  }

  /** Notes that lines are left out: what follows may be anything. */
  leaveGap(): void {
    this.#open.clear();
  }

  /** In order of arrival. */
  get logs(): readonly TestLog[] {
    return this.#logs;
  }
}

function testLogOf(text: string): Pick<OpenLog, 'test' | 'isIndented'> | null {
  const [heading, flush, indented] = HEADING.exec(text) ?? [];
  if (heading === undefined) return null;
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
export interface WithLogs {
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
  return ({ at }) => logs.some(({ heading, to }) => at >= heading.at && at <= to);
}

function isNameOf(headline: string, test: string): boolean {
  const at = headline.indexOf(test);
  return at !== -1 && BEHIND_NAME.test(headline.slice(at + test.length));
}

/** The last lines that differ, below the heading of the first of them. */
function failureOf(logs: readonly TestLog[]): StoredFailure | undefined {
  const byText = new Map(logs.flatMap(({ lines }) => lines).map((line) => [line.text, line]));
  const lines = [...byText.values()].toSorted((a, b) => a.at - b.at).slice(-KEPT_LINES);
  const from = lines[0]?.at ?? 0;
  const headline = logs.find(({ heading, to }) => heading.at < from && from <= to)?.heading;
  if (!headline) return undefined;
  const block = {
    severity: SEVERITY.tagged,
    template: undefined,
    headline,
    lines: [{ ...headline, priority: PRIORITY.error }, ...lines],
  };
  return { block, kind: headline.text, message: 0, severity: SEVERITY.tagged, times: 1 };
}
