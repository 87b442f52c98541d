import { SEVERITY } from './rules.ts';

/** A failure so many lines before a failed test is taken for its reason. */
const REACH_LINES = 40;
/** Failures of one task that wait for its next result. */
const MAX_PENDING = 8;

/** What waits for the next result of its task. */
interface Pending {
  severity: number;
  readonly block: { readonly headline: { readonly at: number } };
}

/** The failures of a task that its next result may be about, and where its last results were. */
interface Task<T extends Pending> {
  pending: T[];
  failedAt: number;
  passedAt: number;
  /** That the command of the task has failed, if nothing that it printed was an error. */
  silentEnd: T | undefined;
  /** Whether a command of the task began, and has printed no error. */
  isSilent: boolean;
}

/** Applies the results of tasks to the failures printed before them: a reason for a failed test, or expected. */
export class TaskResults<T extends Pending> {
  readonly #tasks = new Map<string, Task<T>>();

  /**
   * @param name the prefix of the task's lines
   * @param isEnd whether it says only that a command has failed
   */
  wait(name: string, stored: T, isEnd = false): void {
    const task = this.#task(name);
    const { pending } = task;
    pending.push(stored);
    if (pending.length > MAX_PENDING) pending.shift();
    if (stored.severity <= SEVERITY.warning || !task.isSilent) return;
    if (isEnd) task.silentEnd ??= stored;
    else task.isSilent = false;
  }

  /**
   * Notes that a test of the task has failed: some runners print what went wrong before the name of the test.
   *
   * @returns the failures that are the reason
   */
  failed(name: string, at: number): T[] {
    const task = this.#task(name);
    const reasons = task.pending.filter(({ severity, block }) => {
      const { at: failedAt } = block.headline;
      const isOneOfMany = severity === SEVERITY.warning && task.pending.length > 2;
      return !isOneOfMany && failedAt > task.passedAt && at - failedAt <= REACH_LINES;
    });
    for (const reason of reasons) reason.severity = SEVERITY.failedTest;
    task.pending = [];
    task.failedAt = at;
    task.isSilent = false;
    return reasons;
  }

  /**
   * Notes that a command of the task begins: its results are not about what was printed before.
   *
   * @returns that the last one has failed, if it printed no error: what it printed last says why
   */
  started(name: string): T | undefined {
    const task = this.#task(name);
    const silentEnd = this.#silentEndOf(task);
    task.pending = [];
    task.silentEnd = undefined;
    task.isSilent = true;
    return silentEnd;
  }

  /** @returns those of the commands that have failed last, and printed no error */
  finished(): T[] {
    return [...this.#tasks.values()].flatMap((task) => this.#silentEndOf(task) ?? []);
  }

  #silentEndOf({ isSilent, silentEnd }: Task<T>): T | undefined {
    return isSilent ? silentEnd : undefined;
  }

  /**
   * Notes that a command of the task has failed. If it has printed no error, what it mentioned last says why. The line
   * where it began may be on the other stream, so that errors of an earlier command are among those that wait.
   *
   * @param isRightAbove whether a failure says something up to the line about the end
   * @returns the failure that is the reason
   */
  ended(name: string, at: number, isRightAbove: (stored: T) => boolean): T | undefined {
    const { pending, passedAt } = this.#task(name);
    const recent = pending.filter(
      ({ block: { headline } }) => headline.at > passedAt && at - headline.at <= REACH_LINES,
    );
    const last = recent.at(-1);
    const isOfEnd = last !== undefined && last.severity === SEVERITY.mentioned && isRightAbove(last);
    if (!isOfEnd && recent.some(({ severity }) => severity > SEVERITY.mentioned)) return undefined;
    const reason = recent.findLast(({ severity }) => severity === SEVERITY.mentioned);
    if (reason) reason.severity = SEVERITY.thrown;
    return reason;
  }

  /** Notes that something of the task has passed: the errors since its last result belonged to it, and were expected. */
  passed(name: string, at: number): void {
    const task = this.#tasks.get(name);
    if (task) {
      demote(task);
      task.passedAt = at;
    }
    // A prefix that no result ever has is that of a logger, not of a task.
    if (name === '' && this.#tasks.size > 1)
      for (const other of this.#tasks.values())
        if (other.failedAt === NEVER && other.passedAt === NEVER) demote(other);
  }

  #task(name: string): Task<T> {
    let task = this.#tasks.get(name);
    if (!task) {
      task = { pending: [], failedAt: NEVER, passedAt: NEVER, silentEnd: undefined, isSilent: false };
      this.#tasks.set(name, task);
    }
    return task;
  }
}

const NEVER = -1;

function demote<T extends Pending>(task: Task<T>): void {
  for (const stored of task.pending) {
    const followsFailedTest = task.failedAt > task.passedAt && task.failedAt < stored.block.headline.at;
    if (stored.severity <= SEVERITY.thrown && stored.severity > SEVERITY.mentioned && !followsFailedTest)
      stored.severity = SEVERITY.mentioned;
  }
  task.pending = [];
}
