import { bestLines, type Line, lengthOf, type StoredFailure, VALUE } from './failure.ts';

/** Longer lines are cropped, unless they say what is wrong. */
const MAX_LINE_CHARACTERS = 300;
const CROP = { start: 220, end: 75 } as const;
/** What a gap and a count may take beside the lines. */
const MARK_CHARACTERS = 30;

/** Lines that were chosen, each once, and how much room they take. */
export class PickedLines {
  readonly #lines = new Map<number, Line>();
  readonly #maxCharacters: number;
  #used = 0;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  has({ at }: Line): boolean {
    return this.#lines.has(at);
  }

  /**
   * @param limit the excerpt's length that they must not lead beyond
   * @returns whether there was room for all of them
   */
  add(lines: readonly Line[], limit: number): boolean {
    const fresh = lines.filter((line) => !this.has(line)).map(cropped);
    if (fresh.length === 0) return true;
    const cost = lengthOf(fresh) + MARK_CHARACTERS * (1 + gapsIn(fresh));
    if (this.#used + cost > Math.min(limit, this.#maxCharacters)) return false;
    for (const line of fresh) this.#lines.set(line.at, line);
    this.#used += cost;
    return true;
  }

  /** Adds a failure, or what is best of it. @param share characters that it may take at the most */
  addBest({ failure }: StoredFailure, share: number, limit: number): void {
    const room = Math.min(limit, this.#maxCharacters) - this.#used - MARK_CHARACTERS;
    const lines = failure.lines.map(cropped);
    const best = bestLines({ ...failure, lines }, Math.min(share, room));
    if (this.add(best, limit)) return;
    // The gaps between its best lines take room too.
    this.add(bestLines({ ...failure, lines }, Math.min(share, room) - MARK_CHARACTERS * gapsIn(best)), limit);
  }

  /** In order of arrival. */
  lines(): Line[] {
    return [...this.#lines.values()].sort((a, b) => a.at - b.at);
  }
}

function gapsIn(lines: readonly Line[]): number {
  return lines.filter(({ at }, index) => at - (lines[index - 1]?.at ?? at) > 1).length;
}

function cropped<L extends Line & { readonly value?: number }>(line: L): L {
  if (line.text.length <= MAX_LINE_CHARACTERS || line.value === VALUE.error) return line;
  return {
    ...line,
    text: `${line.text.slice(0, CROP.start)} … ${line.text.slice(-CROP.end)}`.toWellFormed(),
  };
}
