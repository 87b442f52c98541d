import type { Findings } from './condenser.ts';
import { bestLines, type Line, lengthOf, VALUE } from './failure.ts';
import type { StoredFailure } from './failure-store.ts';
import { WEIGHT } from './line-meaning.ts';
import { isForeignFrame } from './line-structure.ts';
import { thousands } from './wording.ts';

/** An output that is not longer than this is shown whole. */
const SHORT_CHARACTERS = 1500;
/** What an excerpt grows to; the first failures alone may take more. */
const FULL_CHARACTERS = 3800;
/** Longer lines are cropped, unless they say what is wrong. */
const MAX_LINE_CHARACTERS = 300;
const GAP_CHARACTERS = 22;
const MAX_ODD_LINES = 25;

/** The lines of an excerpt, in order of arrival, gaps marked. */
export function pickExcerpt(findings: Findings, maxCharacters: number): string {
  const { outline, lineCount } = findings;
  if (outline.whole && lengthOf(outline.whole) <= Math.min(SHORT_CHARACTERS, maxCharacters))
    return render(
      outline.whole.filter(({ text }) => !isForeignFrame(text)),
      lineCount,
    );
  const picked = new Picked(maxCharacters);
  const full = Math.min(FULL_CHARACTERS, maxCharacters);
  const failures = findings.failures.map((stored) =>
    findings.warningsCount && stored.weight === WEIGHT.warning
      ? { ...stored, weight: WEIGHT.thrown }
      : stored,
  );
  const strongest = Math.max(0, ...failures.map(({ weight }) => weight));
  const threshold = Math.max(WEIGHT.thrown, strongest - 2);
  const main = failures.filter(({ weight }) => weight >= threshold);
  const minor = failures.filter(
    ({ weight }) => weight < threshold && (weight > WEIGHT.warning || strongest < WEIGHT.thrown),
  );
  const closing = outline.closing.filter(({ text }) => !isForeignFrame(text));
  for (const line of closing.toReversed().slice(0, 6)) picked.add([line], full * 0.25);
  for (const stored of leading(main)) picked.addBest(stored, maxCharacters * 0.4, maxCharacters);
  for (const stored of firstOf('kind', main)) picked.addBest(stored, full * 0.2, maxCharacters * 0.9);
  for (const stored of firstOf('message', main)) picked.addBest(stored, full * 0.25, full);
  for (const stored of main) picked.addBest(stored, full * 0.25, full);
  picked.add(leadUp(main.at(-1), outline.tail), full);
  const small = full * (main.length === 0 ? 0.8 : 0.5);
  for (const stored of [...leading(minor), ...firstOf('kind', minor), ...minor])
    picked.addBest(stored, full * 0.25, small);
  if (strongest < WEIGHT.located) {
    const { odd } = outline;
    if (odd.length <= MAX_ODD_LINES) for (const line of odd) picked.add([line], full);
  }
  for (const stored of minor) picked.addBest(stored, full * 0.25, full * 0.3);
  if (main.length === 0) {
    for (const line of outline.tail.toReversed()) if (!picked.add([line], full * 0.8)) break;
    for (const line of outline.head) if (!picked.add([line], full)) break;
  }
  return render(picked.lines(), lineCount);
}

/** Lines that were chosen, each once, and what they take. */
class Picked {
  readonly #lines = new Map<number, Line>();
  readonly #maxCharacters: number;
  #used = 0;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** @returns false where they would make it longer than `limit` */
  add(lines: readonly Line[], limit: number): boolean {
    const fresh = lines.filter(({ at }) => !this.#lines.has(at)).map(cropped);
    if (fresh.length === 0) return true;
    const cost = lengthOf(fresh) + GAP_CHARACTERS;
    if (this.#used + cost > Math.min(limit, this.#maxCharacters)) return false;
    for (const line of fresh) this.#lines.set(line.at, line);
    this.#used += cost;
    return true;
  }

  addBest({ failure }: StoredFailure, share: number, limit: number): void {
    const room = Math.min(limit, this.#maxCharacters) - this.#used - GAP_CHARACTERS;
    const lines = failure.lines.map(cropped);
    this.add(bestLines({ ...failure, lines }, Math.min(share, room)), limit);
  }

  lines(): Line[] {
    return [...this.#lines.values()].sort((a, b) => a.at - b.at);
  }
}

/** What was printed right before the last failure: it may tell what was being done. */
function leadUp(last: StoredFailure | undefined, tail: readonly Line[]): Line[] {
  const first = last?.failure.lines[0];
  return first
    ? tail.filter(({ at, text }) => at < first.at && at >= first.at - 3 && !isForeignFrame(text))
    : [];
}

/** The first of each weight, and the last: it is why a run ended. */
function leading(failures: readonly StoredFailure[]): StoredFailure[] {
  const surest = failures.toSorted(bySureness);
  const first = surest.filter((stored, index) => stored.weight !== surest[index - 1]?.weight);
  return [...new Set([...first, ...failures.slice(-1)])];
}

/** One of each, the surer first: among a hundred alike, the odd one counts. */
function firstOf(what: 'kind' | 'message', failures: readonly StoredFailure[]): StoredFailure[] {
  const seen = new Set<string>();
  return failures.toSorted(bySureness).filter(({ [what]: key }) => !seen.has(key) && seen.add(key));
}

/** Of two that are as sure, the one that tells details, then the one that came first. */
function bySureness(a: StoredFailure, b: StoredFailure): number {
  const hasDetails = ({ failure: { lines, headline } }: StoredFailure) =>
    lines.some(({ at, value }) => at > headline.at && value >= VALUE.detail) ? 0 : 1;
  return (
    b.weight - a.weight || hasDetails(a) - hasDetails(b) || a.failure.headline.at - b.failure.headline.at
  );
}

function cropped<L extends Line & { readonly value?: number }>(line: L): L {
  return line.text.length > MAX_LINE_CHARACTERS && line.value !== VALUE.error
    ? { ...line, text: `${line.text.slice(0, 220)} … ${line.text.slice(-80)}` }
    : line;
}

function render(lines: readonly Line[], lineCount: number): string {
  const out: string[] = [];
  let next = 0;
  for (const { at, text } of lines) {
    const gap = Math.floor(at - next);
    if (gap > 1) out.push(`… ${thousands(gap)} lines …`);
    out.push(text);
    next = Math.floor(at) + 1;
  }
  if (lineCount - next > 1) out.push(`… ${thousands(lineCount - next)} lines …`);
  return out.join('\n').replace(/\n{3,}/g, '\n\n');
}
