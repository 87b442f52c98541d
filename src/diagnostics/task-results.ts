import type { StoredFailure } from './failure.ts';
import { WEIGHT } from './line-meaning.ts';

/** A failure so many lines before a verdict is taken for its reason. */
const REACH_LINES = 40;
/** Failures of one task that wait for what is said of them next. */
const MAX_PENDING = 8;

/** What one task said lately: which of its failures a verdict may still be about. */
interface Task {
  pending: StoredFailure[];
  verdictAt: number;
  passedAt: number;
}

/** What the results that tasks tell say of the failures that they told before: a reason, or expected. */
export class TaskResults {
  readonly #tasks = new Map<string, Task>();

  /** @param name the prefix of the task's lines */
  wait(name: string, stored: StoredFailure): void {
    const { pending } = this.#task(name);
    pending.push(stored);
    if (pending.length > MAX_PENDING) pending.shift();
  }

  /**
   * Something of the task has failed, by name: some runners print what went wrong before they say so.
   *
   * @returns the failures that are its reason
   */
  failed(name: string, at: number): StoredFailure[] {
    const task = this.#task(name);
    const reasons = task.pending.filter(({ weight, failure }) => {
      const { at: failedAt } = failure.headline;
      const isOneOfMany = weight === WEIGHT.warning && task.pending.length > 2;
      return !isOneOfMany && failedAt > task.passedAt && at - failedAt <= REACH_LINES;
    });
    for (const reason of reasons) reason.weight = WEIGHT.verdict;
    task.pending = [];
    task.verdictAt = at;
    return reasons;
  }

  /** Something of the task has passed: what was logged since its last result belonged to it, and was expected. */
  passed(name: string, at: number): void {
    const task = this.#tasks.get(name);
    if (task) {
      demote(task);
      task.passedAt = at;
    }
    // A prefix that no result ever comes with is no task's, but a logger's.
    if (name === '' && this.#tasks.size > 1)
      for (const other of this.#tasks.values()) if (!hasResults(other)) demote(other);
  }

  #task(name: string): Task {
    let task = this.#tasks.get(name);
    if (!task) {
      task = { pending: [], verdictAt: -1, passedAt: -1 };
      this.#tasks.set(name, task);
    }
    return task;
  }
}

function hasResults({ verdictAt, passedAt }: Task): boolean {
  return verdictAt !== -1 || passedAt !== -1;
}

function demote(task: Task): void {
  for (const stored of task.pending) {
    const { at: failedAt } = stored.failure.headline;
    const followsVerdict = task.verdictAt > task.passedAt && task.verdictAt < failedAt;
    if (stored.weight <= WEIGHT.thrown && stored.weight > WEIGHT.mentioned && !followsVerdict)
      stored.weight = WEIGHT.mentioned;
  }
  task.pending = [];
}
