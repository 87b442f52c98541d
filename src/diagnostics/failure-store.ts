import { type Failure, type StoredFailure, signatureOf } from './failure.ts';
import { kindOf, messageOf } from './failure-kind.ts';
import { WEIGHT } from './line-meaning.ts';
import { detachFailure, detachString } from './own-copy.ts';
import { increment, Tallies, type Tally } from './tallies.ts';
import { TaskResults } from './task-results.ts';

/** Failures that are kept: of each weight the first ones, of each kind the first ones, of all the last ones. */
const FIRST = 30;
const FIRST_OF_KIND = 3;
const LAST = 6;
/** Kinds and failures that are told apart. */
const MAX_KINDS = 300;
const MAX_SIGNATURES = 5000;
/** Failures that are like another but for their numbers, after which each further one is counted only. */
const MANY = 1000;

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
  readonly #results = new TaskResults();
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
    const own = detachFailure(failure);
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
      this.#bySignature.set(detachString(signature), known);
      if (!alike) this.#byForm.set(failure.form, known);
    }
    this.#results.wait(task, stored);
    if (failure.weight === WEIGHT.verdict)
      for (const reason of this.#results.failed(task, failure.headline.at)) this.#kept.add(reason);
  }

  #keepLast(stored: StoredFailure): void {
    if (stored.failure.weight === WEIGHT.warning) return;
    this.#last.push(stored);
    if (this.#last.length > LAST) this.#last.shift();
  }

  /** Something of this task has passed. */
  passed(task: string, at: number): void {
    this.#results.passed(task, at);
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
}
