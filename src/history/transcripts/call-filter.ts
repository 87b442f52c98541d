import type { TranscriptEvent } from '../events.ts';

/** A longer line is searched for the call that it answers before it is parsed. */
const SHORT_LINE = 16 * 1024;
const MAX_ID = 200;

type Call = TranscriptEvent & { readonly kind: 'command' | 'edit' };

/** The calls whose results matter: those of other tools (files that were read, pages) are most of a transcript. */
export class CallFilter {
  readonly #expected = new Set<string>();
  readonly #label: string;

  /** @param label what precedes the id of the call in the line of a result */
  constructor(label: string) {
    this.#label = label;
  }

  /** Notes that the result of a call is wanted. */
  expect<C extends Call>(call: C): C {
    this.#expected.add(call.call);
    return call;
  }

  /** Whether the result of a call is wanted; once. */
  take(call: string): boolean {
    return this.#expected.delete(call);
  }

  /** False for the line of a result that nobody wants. */
  mayConcern(line: Buffer): boolean {
    if (line.length <= SHORT_LINE) return true;
    const label = line.indexOf(this.#label);
    if (label === -1) return true;
    const from = label + this.#label.length;
    const id = line.toString('latin1', from, Math.min(from + MAX_ID, line.length)).split('"', 1)[0] ?? '';
    return this.#expected.has(id);
  }
}
