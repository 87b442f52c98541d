import { type Failure, type Line, signatureOf } from './failure.ts';
import { kindOf, messageOf } from './failure-kind.ts';
import { WEIGHT } from './line-meaning.ts';
import { ownCopy } from './own-copy.ts';
import { increment, Tallies, type Tally } from './tallies.ts';

/** Failures that are kept: of each weight the first ones, of each kind the first ones, of all the last ones. */
const FIRST = 30;
const FIRST_OF_KIND = 3;
const LAST = 6;
/** Kinds and failures that are told apart. */
const MAX_KINDS = 300;
const MAX_SIGNATURES = 5000;
/** Failures that are like another but for their numbers, after which each further one is counted only. */
const MANY = 1000;
/** A failure so many lines before a verdict is taken for its reason. */
const REACH_LINES = 40;
/** Failures of one task that wait for what is said of them next. */
const MAX_PENDING = 8;

export interface StoredFailure {
  readonly failure: Failure;
  readonly kind: string;
  readonly message: string;
  /** Its own weight, or what the lines after it made of it. */
  weight: number;
  /** How often the very same was told. */
  times: number;
}

/** What one task said lately: which of its failures a verdict may still be about. */
interface Task {
  pending: StoredFailure[];
  verdictAt: number;
  passedAt: number;
}

/** Keeps the failures that an excerpt may be made of, and counts the others; bounded, however many come. */
export class FailureStore {
  /** The first of each form. */
  readonly #byForm = new Map<number, StoredFailure>();
  #alike = 0;
  readonly #bySignature = new Map<string, StoredFailure>();
  readonly #kept = new Set<StoredFailure>();
  readonly #perWeight = new Map<number, number>();
  readonly #perKind = new Map<string, number>();
  readonly #perMessage = new Map<string, number>();
  readonly #tallies = new Tallies();
  readonly #tasks = new Map<string, Task>();
  readonly #last: StoredFailure[] = [];

  /** @param task the prefix of the task whose lines tell of it */
  add(failure: Failure, task: string): void {
    const alike = this.#byForm.get(failure.form);
    if (alike && ++this.#alike > MANY) {
      if (alike.times > 1) alike.times++;
      else {
        this.#tallies.countMore(failure.weight, 1);
        this.#keepLast({ ...alike, failure, weight: failure.weight, times: 1 });
      }
      return;
    }
    const signature = signatureOf(failure);
    const same = this.#bySignature.get(signature);
    if (same) {
      same.times++;
      return;
    }
    const own = owned(failure);
    const kind = kindOf(own);
    const message = messageOf(own.headline.text);
    const stored: StoredFailure = { failure: own, kind, message, weight: own.weight, times: 1 };
    this.#tallies.count(own, kind);
    const perWeight = increment(this.#perWeight, failure.weight, Number.POSITIVE_INFINITY);
    const perKind = increment(this.#perKind, `${failure.weight} ${kind}`, MAX_KINDS);
    const perMessage = increment(this.#perMessage, `${failure.weight} ${message}`, MAX_KINDS);
    const isKept = perWeight <= FIRST || perKind <= FIRST_OF_KIND || perMessage === 1;
    if (isKept) this.#kept.add(stored);
    this.#keepLast(stored);
    if (this.#bySignature.size < MAX_SIGNATURES) {
      const known = isKept ? stored : { ...stored, failure: { ...own, lines: [] } };
      this.#bySignature.set(ownCopy(signature), known);
      if (!alike) this.#byForm.set(failure.form, known);
    }
    const { pending } = this.#task(task);
    pending.push(stored);
    if (pending.length > MAX_PENDING) pending.shift();
    if (failure.weight === WEIGHT.verdict) this.#judge(task, failure.headline.at);
  }

  #keepLast(stored: StoredFailure): void {
    if (stored.failure.weight === WEIGHT.warning) return;
    this.#last.push(stored);
    if (this.#last.length > LAST) this.#last.shift();
  }

  /** Something of this task has passed: what was logged since the last result belonged to it, and was expected. */
  passed(task: string, at: number): void {
    const known = this.#tasks.get(task);
    if (known) {
      demote(known);
      known.passedAt = at;
    }
    // A prefix that no result ever comes with is no task's, but a logger's.
    if (task === '' && this.#tasks.size > 1)
      for (const other of this.#tasks.values()) if (!hasResults(other)) demote(other);
  }

  /** Failures that were not looked at, since they differ from those before in their numbers only. */
  countMore(weight: number, count: number): void {
    this.#tallies.countMore(weight, count);
  }

  failures(): StoredFailure[] {
    const all = new Set([...this.#kept, ...this.#last]);
    return [...all].sort((a, b) => a.failure.headline.at - b.failure.headline.at);
  }

  get tallies(): ReadonlyMap<number, Tally> {
    return this.#tallies.byWeight;
  }

  /** Some runners print what went wrong before they say that a test failed. */
  #judge(task: string, at: number): void {
    const known = this.#task(task);
    for (const stored of known.pending) {
      const { at: failedAt } = stored.failure.headline;
      if (
        (stored.weight === WEIGHT.warning && known.pending.length > 2) ||
        failedAt <= known.passedAt ||
        at - failedAt > REACH_LINES
      )
        continue;
      stored.weight = WEIGHT.verdict;
      this.#kept.add(stored);
    }
    known.pending = [];
    known.verdictAt = at;
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

/** What a task logged before it passed was expected. */
function demote(task: Task): void {
  for (const stored of task.pending) {
    const { at: failedAt } = stored.failure.headline;
    const followsVerdict = task.verdictAt > task.passedAt && task.verdictAt < failedAt;
    if (stored.weight <= WEIGHT.thrown && stored.weight > WEIGHT.mentioned && !followsVerdict)
      stored.weight = WEIGHT.mentioned;
  }
  task.pending = [];
}

function owned({ weight, form, headline, lines }: Failure): Failure {
  const own = (line: Line) => ({ ...line, text: ownCopy(line.text) });
  return {
    weight,
    form,
    headline: own(headline),
    lines: lines.map((line) => ({ ...own(line), value: line.value })),
  };
}
