import { thousands } from '../../base/text.ts';
import {
  bestLines,
  byRank,
  charactersIn,
  type Line,
  PRIORITY,
  type StoredFailure,
} from '../failures/failure.ts';
import { compacted, narrowed } from '../fold/layout.ts';
import { classificationOf } from '../lines/classify.ts';
import { cropComparison } from '../lines/line-text.ts';
import { withoutPrefix } from '../lines/prefix.ts';
import { introducesNext } from '../lines/structure.ts';

/** The usual size of an excerpt; only the first failures, one of each kind, and each of a few may take more. */
const FULL_CHARACTERS = 3800;
/** Longer lines are cropped, unless they say what is wrong. */
const MAX_LINE_CHARACTERS = 300;
const CROP = { start: 220, end: 75 } as const;
/** The space of the mark of a gap. */
export const MARK_CHARACTERS = 24;

/** How often a failure was printed, behind its headline. Runners print the name of each failed test twice. */
export function countMark({ times, block }: Pick<StoredFailure, 'times' | 'block'>): string {
  if (times <= 1) return '';
  const { text } = block.headline;
  const isName = classificationOf(withoutPrefix(text)) === 'failedTest' && !introducesNext(text);
  return times === 2 && isName ? '' : ` (×${thousands(times)})`;
}

/** Selected lines, each once, within a number of characters. */
export class Selection {
  readonly #lines = new Map<number, Line>();
  /** Where they are in the output; that of a blank line is before the line that it is above. */
  readonly #places = new Set<number>();
  /** Characters of the count behind a line. */
  readonly #counts = new Map<number, number>();
  /** Characters that it may have. */
  readonly max: number;
  /** The usual size. */
  readonly full: number;
  #characters = 0;
  /** Lines without a gap between them. */
  #runs = 0;
  #lacksSpace = false;

  /** @param failures those whose count is shown behind the headline */
  constructor(maxCharacters: number, failures: readonly StoredFailure[]) {
    this.max = maxCharacters;
    this.full = Math.min(FULL_CHARACTERS, maxCharacters);
    for (const stored of failures) this.#counts.set(stored.block.headline.at, countMark(stored).length);
  }

  /** Whether a failure has more to say than fitted. */
  get lacksSpace(): boolean {
    return this.#lacksSpace;
  }

  has({ at }: Line): boolean {
    return this.#lines.has(at);
  }

  /**
   * @param limit characters that the selection may have with these lines, and the marks of its gaps
   * @returns false if the lines did not fit: then none was added
   */
  add(lines: readonly Line[], limit: number): boolean {
    const added = lines.filter((line) => !this.has(line)).map(cropped);
    if (added.length === 0) return true;
    const characters =
      this.#characters +
      charactersIn(narrowed(added)) +
      added.reduce((sum, { at }) => sum + (this.#counts.get(at) ?? 0), 0);
    const runs = this.#runsWith(added);
    if (characters + MARK_CHARACTERS * (runs + 1) > Math.min(limit, this.max)) return false;
    for (const line of added) {
      this.#lines.set(line.at, line);
      this.#places.add(Math.floor(line.at));
    }
    this.#characters = characters;
    this.#runs = runs;
    return true;
  }

  /** Adds as many of the first lines as fit. */
  addFirst(lines: readonly Line[], limit: number): void {
    for (const line of lines) if (!this.add([line], limit)) return;
  }

  /** Adds a failure, or the best of its lines. @param share characters that it may take */
  addBest({ block }: StoredFailure, share: number, limit: number): void {
    // Most of hundreds of failures come when there is no space left.
    if (this.#characters + MARK_CHARACTERS * (this.#runs + 2) > Math.min(limit, this.max)) {
      if (limit >= this.max) this.#lacksSpace = true;
      return;
    }
    const lines = block.lines.map(cropped).map((line) => (line.text.length > share ? shortened(line) : line));
    const best = bestLines({ ...block, lines }, share);
    if (best.length < lines.length) this.#lacksSpace = true;
    if (this.add(best, limit)) return;
    this.#lacksSpace = true;
    this.addFirst(byRank(block.headline, best), limit);
  }

  /** In order of arrival. */
  lines(): Line[] {
    return [...this.#lines.values()].sort((a, b) => a.at - b.at);
  }

  #runsWith(lines: readonly Line[]): number {
    const added = new Set<number>();
    const has = (place: number) => this.#places.has(place) || added.has(place);
    let runs = this.#runs;
    for (const place of lines.map(({ at }) => Math.floor(at))) {
      if (has(place)) continue;
      runs += 1 - Number(has(place - 1)) - Number(has(place + 1));
      added.add(place);
    }
    return runs;
  }
}

/** What a compiler says of a type: the members of a long one are not what is wrong. */
const LONG_TYPE = /'([^']{60})[^']{60,}([^']{30})'(?=,? (?:is|gave|to)\b|\.$)/g;

function cropped<L extends Line & { readonly priority?: number }>(whole: L): L {
  const compact = compacted(whole);
  const isSaid = compact.priority === PRIORITY.error || compact.text.length <= MAX_LINE_CHARACTERS;
  const line = isSaid ? compact : { ...compact, text: compact.text.replace(LONG_TYPE, "'$1 … $2'") };
  return line.text.length <= MAX_LINE_CHARACTERS || line.priority === PRIORITY.error ? line : shortened(line);
}

function shortened<L extends Line>(line: L): L {
  const { text } = line;
  const middle = () => `${text.slice(0, CROP.start)} … ${text.slice(-CROP.end)}`.toWellFormed();
  return { ...line, text: cropComparison(text) ?? middle() };
}
