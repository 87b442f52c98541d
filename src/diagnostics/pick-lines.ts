import type { Findings } from './condenser.ts';
import { type Line, type StoredFailure, VALUE } from './failure.ts';
import { WEIGHT } from './line-meaning.ts';
import { isForeignFrame } from './line-structure.ts';
import { PickedLines } from './picked-lines.ts';

/** What an excerpt grows to; only the first failures, and one of each kind, may take more. */
const FULL_CHARACTERS = 3800;
/** How much of an excerpt one failure may take: the first of a weight, the last, one of a kind, any other. */
const LEADING_SHARE = 0.48;
const LAST_SHARE = 0.35;
const KIND_SHARE = 0.16;
const OTHER_SHARE = 0.2;
/** Of one that is less certain than others. */
const MINOR_SHARE = 0.08;
/** How full an excerpt may be for each kind of line to be added still. */
const UP_TO = {
  lastLines: 0.3,
  closing: 0.25,
  names: 0.85,
  /** Of all the characters that there may be. */
  kinds: 0.9,
  minor: 0.75,
  minorAlone: 0.8,
  otherMinor: 0.6,
  odd: 0.7,
  tailAlone: 0.8,
} as const;
const CLOSING_LINES = 6;
/** Lines right before a crash. */
const LEAD_UP_LINES = 5;
/** More lines than this that look like no other line: then looks tell nothing. */
const MAX_ODD_LINES = 25;
const LAST_LINES = 8;

/**
 * Chooses the lines of an excerpt, the most telling first, until there is no room.
 *
 * @param failures those of the findings, as much as they weigh here
 * @param hung whether the command was ended from outside: then its last lines tell most
 */
export function pickLines(
  { outline }: Findings,
  failures: readonly StoredFailure[],
  maxCharacters: number,
  hung: boolean,
): PickedLines {
  const picked = new PickedLines(maxCharacters);
  const full = Math.min(FULL_CHARACTERS, maxCharacters);
  const strongest = Math.max(0, ...failures.map(({ weight }) => weight));
  const threshold = Math.max(WEIGHT.thrown, strongest - 2);
  const main = failures.filter(({ weight }) => weight >= threshold);
  const minor = failures.filter(
    ({ weight }) => weight < threshold && (weight > WEIGHT.warning || strongest < WEIGHT.thrown),
  );
  if (hung)
    for (const line of outline.tail.filter(isOurs).slice(-LAST_LINES))
      picked.add([line], full * UP_TO.lastLines);
  for (const line of outline.closing.filter(isOurs).slice(-CLOSING_LINES).toReversed())
    picked.add([line], full * UP_TO.closing);
  for (const stored of firstOf('weight', main)) picked.addBest(stored, full * LEADING_SHARE, full);
  // Which tests failed is told of all, before more is told of some.
  for (const { failure, weight } of main)
    if (weight === WEIGHT.verdict) picked.add([failure.headline], full * UP_TO.names);
  for (const stored of main.slice(-1)) picked.addBest(stored, full * LAST_SHARE, maxCharacters);
  for (const stored of firstOf('kind', main))
    picked.addBest(stored, full * KIND_SHARE, maxCharacters * UP_TO.kinds);
  for (const stored of [...firstOf('message', main), ...main])
    picked.addBest(stored, full * OTHER_SHARE, full);
  picked.add(leadUp(main, outline.tail), full);
  // Where little is certain, the less certain is shown too.
  const isSure = main.length > 0;
  const share = full * (isSure ? MINOR_SHARE : OTHER_SHARE);
  for (const stored of [...firstOf('weight', minor), ...minor.slice(-1), ...firstOf('kind', minor)])
    picked.addBest(stored, share, full * (isSure ? UP_TO.minor : UP_TO.minorAlone));
  if (outline.odd.length <= MAX_ODD_LINES)
    for (const line of outline.odd.filter(isOurs))
      picked.add([line], full * (strongest < WEIGHT.located ? 1 : UP_TO.odd));
  for (const stored of minor) picked.addBest(stored, share, full * UP_TO.otherMinor);
  if (!isSure) {
    for (const line of outline.tail.filter(isOurs).toReversed())
      if (!picked.add([line], full * UP_TO.tailAlone)) break;
    for (const line of outline.head.filter(isOurs)) if (!picked.add([line], full)) break;
  }
  return picked;
}

/** What was printed right before the run failed at its end: it may tell what was being done. */
function leadUp(failures: readonly StoredFailure[], tail: readonly Line[]): Line[] {
  const start = tail[0]?.at ?? 0;
  const first = failures.map(({ failure }) => failure.lines[0]?.at ?? 0).find((at) => at > start);
  if (first === undefined) return [];
  const before = tail.findLastIndex(({ at }) => at < first);
  return tail.slice(Math.max(0, before + 1 - LEAD_UP_LINES), before + 1).filter(isOurs);
}

/** One of each, the surer first: among a hundred alike, the odd one counts. */
function firstOf(what: 'weight' | 'kind' | 'message', failures: readonly StoredFailure[]): StoredFailure[] {
  const seen = new Set<string | number>();
  return failures.toSorted(bySureness).filter(({ [what]: key }) => !seen.has(key) && seen.add(key));
}

/** Of two that are as sure, the one that tells details, then the one that came first. */
function bySureness(a: StoredFailure, b: StoredFailure): number {
  return (
    b.weight - a.weight || hasDetails(b) - hasDetails(a) || a.failure.headline.at - b.failure.headline.at
  );
}

function hasDetails({ failure: { lines, headline } }: StoredFailure): 0 | 1 {
  return lines.some(({ at, value }) => at > headline.at && value >= VALUE.detail) ? 1 : 0;
}

/** Whether somebody here can mend what the line tells of. */
export function isOurs({ text }: Line): boolean {
  return !isForeignFrame(text);
}
