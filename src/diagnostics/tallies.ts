import type { Failure } from './failure.ts';
import { codeOf, fileOf } from './failure-kind.ts';

/** Kinds and files that are told apart. */
const MAX_KINDS = 300;
const MAX_FILES = 500;

/** What there was in all, by weight. */
export interface Tally {
  count: number;
  readonly kinds: Map<string, number>;
  readonly files: Map<string, number>;
}

/** Counts all failures that there are, also those that are not kept. */
export class Tallies {
  readonly byWeight = new Map<number, Tally>();

  count({ weight, headline, lines }: Failure, kind: string): void {
    const tally = this.#tally(weight);
    tally.count++;
    increment(tally.kinds, codeOf(headline.text) ?? kind, MAX_KINDS);
    const file = fileOf(headline.text) ?? fileOf(lines[0]?.text ?? '');
    if (file !== undefined) increment(tally.files, file, MAX_FILES);
  }

  /** Failures whose kind and file are not told. */
  countMore(weight: number, count: number): void {
    this.#tally(weight).count += count;
  }

  #tally(weight: number): Tally {
    let tally = this.byWeight.get(weight);
    if (!tally) {
      tally = { count: 0, kinds: new Map(), files: new Map() };
      this.byWeight.set(weight, tally);
    }
    return tally;
  }
}

/** @returns the new count; where there are too many keys already, infinite */
export function increment<K>(counts: Map<K, number>, key: K, maxKeys: number): number {
  const known = counts.get(key);
  if (known === undefined && counts.size >= maxKeys) return Number.POSITIVE_INFINITY;
  counts.set(key, (known ?? 0) + 1);
  return (known ?? 0) + 1;
}
