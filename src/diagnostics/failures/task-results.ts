import { SEVERITY } from '../lines/rules.ts';
import { isComment } from '../lines/structure.ts';

/** A failure so many lines before a failed test is taken for its reason. */
const REACH_LINES = 40;
/** Failures of one task that wait for its next result. */
const MAX_PENDING = 8;
/** Lines above the end of a long command that may say why it failed. */
export const LINES_ABOVE_END = 3;
/** A command that prints so many errors has printed some. */
const MAX_ERRORS = 32;
/** Warnings of one command that may be why it failed. */
const MAX_WARNINGS = 40;

/** What waits for the next result of its task. */
interface Pending {
  severity: number;
  readonly block: { readonly headline: { readonly at: number; readonly text?: string } };
}

/** The failures of a task that its next result may be about, and where its last results were. */
interface Task<T extends Pending> {
  pending: T[];
  /** The warnings of the command that runs, as long as it has printed no error. */
  warnings: T[];
  failedAt: number;
  passedAt: number;
  /** Where the first errors of the command that runs are. */
  errors: number[];
  /** Where the command began, as far as known: below the end of the last one, or at the line that says so. */
  beganAt: number;
  isAnnounced: boolean;
  /** Where the last section ended. */
  sectionAt: number;
}

/** Why a command failed. */
interface Reasons<T> {
  readonly reasons: readonly T[];
  /** If it has printed no error, and no warning, so many of the lines that it printed last say why; otherwise 0. */
  readonly lastLines: number;
}

/** Applies the results of tasks to the failures printed before them: a reason for a failed test, or expected. */
export class TaskResults<T extends Pending> {
  readonly #tasks = new Map<string, Task<T>>();
  /** The test, or the tests of a class, that began last, until their result. */
  #begun: { readonly at: number; readonly isPassed: (result: string) => boolean } | undefined;

  /** @param name the prefix of the task's lines */
  wait(name: string, stored: T): void {
    const { pending, warnings } = this.#task(name);
    pending.push(stored);
    if (pending.length > MAX_PENDING) pending.shift();
    if (stored.severity === SEVERITY.warning && warnings.length < MAX_WARNINGS) warnings.push(stored);
  }

  /** Notes an error of the task, and of the command that runs all tasks. */
  printedError(name: string, at: number): void {
    noteError(this.#task(''), at);
    if (name !== '') noteError(this.#task(name), at);
  }

  /**
   * Notes that a test of the task has failed: some runners print what went wrong before the name of the test.
   *
   * @param result the line that says so
   * @returns the failures that are the reason
   */
  failed(name: string, at: number, result = ''): T[] {
    this.#begun = undefined;
    const task = this.#task(name);
    const reasons = task.pending.filter((stored) => {
      const owner = ownerOf(stored, result);
      if (owner) return owner === 'test';
      const { at: failedAt } = stored.block.headline;
      return stored.severity > SEVERITY.warning && failedAt > task.passedAt && at - failedAt <= REACH_LINES;
    });
    for (const reason of reasons) reason.severity = SEVERITY.failedTest;
    task.pending = task.pending.filter((stored) => ownerOf(stored, result) === 'other');
    task.failedAt = at;
    // What a server has logged since the last result may be why the test failed: no later result excuses it.
    if (name === '') for (const logger of this.#loggers()) logger.pending = [];
    return reasons;
  }

  /** Notes that a command of the task begins: its results are not about what was printed before. */
  started(name: string, at: number): void {
    this.#begun = undefined;
    begin(this.#task(name), at, true);
  }

  /**
   * Notes that a test, or those of a class, begin: what they log is about no result above.
   *
   * @param isPassed whether a line says that they have passed
   */
  began(name: string, at: number, isPassed: (result: string) => boolean): void {
    this.#begun = { at, isPassed };
    const task = this.#task(name);
    task.pending = [];
    task.failedAt = NEVER;
  }

  /** Notes that a section of the output ends: what passes below, such as in a summary, excuses no error above it. */
  sectionEnded(name: string, at: number): void {
    this.#task(name).sectionAt = at;
    if (name === '') for (const task of this.#tasks.values()) task.sectionAt = at;
  }

  /**
   * Notes that a command of the task has failed. If it has printed no error, what it mentioned says why; if nothing, its
   * warnings do. The line where it began may be on the other stream, so that errors of an earlier command are among those
   * that wait.
   *
   * @param mayBeReason whether a failure is more than a part of what is said about the end
   * @param isRightAbove whether a failure says something up to the line about the end
   */
  ended(
    name: string,
    at: number,
    mayBeReason: (stored: T) => boolean,
    isRightAbove: (stored: T) => boolean,
  ): Reasons<T> {
    const task = this.#task(name);
    const { pending, passedAt } = task;
    // The line about the end may have come by the other stream, before what was printed next; a warning of a command before
    // this one is read late if its stream brought nothing since.
    const warnings = task.warnings.filter(
      (stored) =>
        stored.block.headline.at > task.beganAt && stored.block.headline.at < at && mayBeReason(stored),
    );
    const isShort = at - task.beganAt <= REACH_LINES;
    const isSilent = (isShort || task.isAnnounced) && !task.errors.some((error) => error < at);
    const recent = pending.filter(
      ({ block: { headline } }) =>
        headline.at > passedAt && headline.at < at && at - headline.at <= REACH_LINES,
    );
    begin(task, at, false);
    const last = recent.at(-1);
    const isOfEnd = last !== undefined && last.severity === SEVERITY.mentioned && isRightAbove(last);
    if (!isOfEnd && recent.some(({ severity }) => severity > SEVERITY.mentioned))
      return { reasons: [], lastLines: 0 };
    const mentioned = recent
      .filter((stored) => stored.severity === SEVERITY.mentioned && mayBeReason(stored))
      .slice(-1);
    const reasons = mentioned.length > 0 || !isSilent ? mentioned : warnings;
    for (const reason of reasons) reason.severity = SEVERITY.thrown;
    if (!isSilent || reasons.length > 0) return { reasons, lastLines: 0 };
    return { reasons, lastLines: isShort ? Number.POSITIVE_INFINITY : LINES_ABOVE_END };
  }

  /**
   * Notes that something of the task has passed: the errors since its last result belonged to it, and were expected.
   *
   * @param result the line that says so
   */
  passed(name: string, at: number, result = ''): void {
    const task = this.#tasks.get(name);
    const begun = this.#begun?.isPassed(result) ? this.#begun : undefined;
    const surelyFrom = begun?.at ?? Number.POSITIVE_INFINITY;
    if (begun) this.#begun = undefined;
    if (task) {
      demote(task, result, surelyFrom);
      task.passedAt = at;
    }
    if (name === '') for (const logger of this.#loggers()) demote(logger, result, surelyFrom);
  }

  /** A prefix that no result ever has is that of a logger, not of a task. */
  #loggers(): Task<T>[] {
    return [...this.#tasks.values()].filter(
      ({ failedAt, passedAt }) => failedAt === NEVER && passedAt === NEVER,
    );
  }

  #task(name: string): Task<T> {
    let task = this.#tasks.get(name);
    if (!task) {
      task = {
        pending: [],
        warnings: [],
        errors: [],
        beganAt: NEVER,
        isAnnounced: false,
        sectionAt: NEVER,
        failedAt: NEVER,
        passedAt: NEVER,
      };
      this.#tasks.set(name, task);
    }
    return task;
  }
}

const NEVER = -1;
/**
 * The severity of what a test that has passed has logged, where that is sure: in TAP, it is a comment above the result. Other
 * errors above a passed test may have come from elsewhere.
 */
export const NO_FAILURE = -1;

function noteError<T extends Pending>({ errors }: Task<T>, at: number): void {
  if (errors.length < MAX_ERRORS) errors.push(at);
}

function begin<T extends Pending>(task: Task<T>, at: number, isAnnounced: boolean): void {
  const isBelow = ({ block }: T) => block.headline.at > at;
  task.pending = task.pending.filter(isBelow);
  task.warnings = task.warnings.filter(isBelow);
  task.errors = task.errors.filter((error) => error > at);
  task.beganAt = at;
  task.isAnnounced = isAnnounced;
}

/** The panic of a thread, which has the name of its test: several run at the same time. */
const PANIC = /^thread '([^']+)' (?:\(\d+\) )?panicked at /;
const RESULT = /^test (\S+)(?: - should panic)? \.\.\. /;

/** Whether a panic is that of the test which a result names, or that of another thread; undefined if one has no name. */
function ownerOf({ block: { headline } }: Pending, result: string): 'test' | 'other' | undefined {
  const [test, thread] = [RESULT.exec(result)?.[1], PANIC.exec(headline.text ?? '')?.[1]];
  if (test === undefined || thread === undefined) return undefined;
  return thread === test ? 'test' : 'other';
}

/** @param surelyFrom where what has passed began, if that is known */
function demote<T extends Pending>(task: Task<T>, result: string, surelyFrom: number): void {
  for (const stored of task.pending) {
    const { at, text = '' } = stored.block.headline;
    const owner = ownerOf(stored, result);
    if (owner === 'other' || stored.severity > SEVERITY.thrown) continue;
    const followsFailedTest = task.failedAt > task.passedAt && task.failedAt < at;
    if (owner === 'test' || at > surelyFrom) stored.severity = NO_FAILURE;
    else if (stored.severity > SEVERITY.mentioned && at >= task.sectionAt && !followsFailedTest)
      stored.severity = isComment(text) ? NO_FAILURE : SEVERITY.mentioned;
  }
  task.pending = task.pending.filter((stored) => ownerOf(stored, result) === 'other');
}
