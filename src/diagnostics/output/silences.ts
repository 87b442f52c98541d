import { duration } from '../../base/text.ts';
import { detached, type Line } from '../failures/failure.ts';

/** A time in which a command printed nothing. */
export interface Silence {
  /** The last line before it. */
  readonly after: Line;
  readonly ms: number;
}

/** When an output came. */
export interface OutputTiming {
  /** From the first output to the end of the command. */
  readonly spanMs: number;
  /** The longest, the longest first. */
  readonly silences: readonly Silence[];
}

/** Whatever is shorter, or much shorter than the longest one, does not show where the time went. */
const MIN_MS = 2000;
const MIN_SHARE = 0.2;
const KEPT = 3;

/** Keeps the longest silences of a command, from its first output. */
export class SilenceKeeper {
  readonly #now: () => number;
  readonly #startedAt: number;
  #heardAt: number;
  #longest: Silence[] = [];

  /** @param now milliseconds on a clock that never goes back */
  constructor(now: () => number) {
    this.#now = now;
    this.#startedAt = now();
    this.#heardAt = this.#startedAt;
  }

  /** @param last returns the last line so far, if there is one */
  heard(last: () => Line | undefined): void {
    const now = this.#now();
    const ms = now - this.#heardAt;
    this.#heardAt = now;
    if (ms < MIN_MS || (this.#longest.length === KEPT && ms <= (this.#longest.at(-1)?.ms ?? 0))) return;
    const after = last();
    if (!after) return;
    const silence = { after: detached(after), ms };
    this.#longest = [...this.#longest, silence].sort((a, b) => b.ms - a.ms).slice(0, KEPT);
  }

  ended(last: () => Line | undefined): OutputTiming {
    this.heard(last);
    const longestMs = this.#longest[0]?.ms ?? 0;
    return {
      spanMs: this.#heardAt - this.#startedAt,
      silences: this.#longest.filter(({ ms }) => ms >= longestMs * MIN_SHARE),
    };
  }
}

/** What is shown between the line before a silence and the next one. */
export function silenceLine({ after: { at }, ms }: Silence): Line {
  return { at: at + 0.25, text: `… ${duration(ms)} without output …` };
}
