import { type Failure, signatureOf } from './failure.ts';
import { codeOf, fileOf, kindOf } from './failure-kind.ts';
import { WEIGHT } from './line-meaning.ts';

/** Failures that are kept: of each weight the first ones, of each kind the first ones, of all the last ones. */
const FIRST = 30;
const FIRST_OF_KIND = 3;
const LAST = 4;
/** Kinds, files and failures that are told apart. */
const MAX_KINDS = 300;
const MAX_FILES = 500;
const MAX_SIGNATURES = 5000;
/** A failure so many lines before a verdict is taken for its reason. */
const REASON_REACH = 15;

export interface StoredFailure {
  readonly failure: Failure;
  readonly kind: string;
  /** Its weight, or more where a verdict followed. */
  weight: number;
  /** How often the very same was told. */
  times: number;
}

/** What there was in all, by weight. */
export interface Tally {
  count: number;
  readonly kinds: Map<string, number>;
  readonly files: Map<string, number>;
}

/** Keeps the failures that an excerpt may be made of, and counts the others; bounded, however many come. */
export class FailureStore {
  readonly #bySignature = new Map<string, StoredFailure>();
  readonly #kept = new Set<StoredFailure>();
  readonly #perWeight = new Map<number, number>();
  readonly #perKind = new Map<string, number>();
  readonly #tallies = new Map<number, Tally>();
  #last: StoredFailure[] = [];

  add(failure: Failure): void {
    const signature = signatureOf(failure);
    const same = this.#bySignature.get(signature);
    if (same) {
      same.times++;
      return;
    }
    const kind = kindOf(failure.headline.text);
    const stored: StoredFailure = { failure, kind, weight: failure.weight, times: 1 };
    if (this.#bySignature.size < MAX_SIGNATURES) this.#bySignature.set(signature, stored);
    this.#count(failure, kind);
    const perWeight = increment(this.#perWeight, failure.weight, Number.POSITIVE_INFINITY);
    const perKind = increment(this.#perKind, `${failure.weight} ${kind}`, MAX_KINDS);
    if (perWeight <= FIRST || perKind <= FIRST_OF_KIND) this.#kept.add(stored);
    this.#last = [...this.#last.slice(-(LAST - 1)), stored];
    if (failure.weight === WEIGHT.verdict) this.#promoteReasons(failure);
  }

  failures(): StoredFailure[] {
    return [...new Set([...this.#kept, ...this.#last])].sort(
      (a, b) => a.failure.headline.at - b.failure.headline.at,
    );
  }

  get tallies(): ReadonlyMap<number, Tally> {
    return this.#tallies;
  }

  /** Some runners print what went wrong before they say that a test failed. */
  #promoteReasons(verdict: Failure): void {
    for (const stored of this.#last) {
      const { at } = stored.failure.lines.at(-1) ?? stored.failure.headline;
      if (stored.weight >= WEIGHT.verdict || verdict.headline.at - at > REASON_REACH) continue;
      stored.weight = WEIGHT.verdict;
      this.#kept.add(stored);
    }
  }

  #count({ weight, headline, lines }: Failure, kind: string): void {
    let tally = this.#tallies.get(weight);
    if (!tally) {
      tally = { count: 0, kinds: new Map(), files: new Map() };
      this.#tallies.set(weight, tally);
    }
    tally.count++;
    increment(tally.kinds, codeOf(headline.text) ?? kind, MAX_KINDS);
    const file = fileOf(headline.text) ?? fileOf(lines[0]?.text ?? '');
    if (file !== undefined) increment(tally.files, file, MAX_FILES);
  }
}

/** @returns the new count; where there are too many keys already, a high one */
function increment<K>(counts: Map<K, number>, key: K, maxKeys: number): number {
  const known = counts.get(key);
  if (known === undefined && counts.size >= maxKeys) return Number.POSITIVE_INFINITY;
  counts.set(key, (known ?? 0) + 1);
  return (known ?? 0) + 1;
}
