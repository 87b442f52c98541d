import type { Findings } from './condenser.ts';
import { bestLines, type Line, lengthOf } from './failure.ts';
import type { StoredFailure } from './failure-store.ts';
import { WEIGHT } from './line-meaning.ts';
import { isForeignFrame } from './line-structure.ts';
import { thousands } from './wording.ts';

/** An output that is not longer than this is shown whole. */
const SHORT_CHARACTERS = 1500;
/** What an excerpt grows to; more is filled only by the first failures. */
const FULL_CHARACTERS = 3000;
const GAP_CHARACTERS = 22;

/**
 * The lines of an excerpt, in order of arrival, gaps marked.
 */
export function pickExcerpt(findings: Findings, maxCharacters: number): string {
  const edges = [...findings.head, ...findings.tail];
  if (findings.isWhole && lengthOf(edges) <= Math.min(SHORT_CHARACTERS, maxCharacters))
    return render(
      edges.filter(({ text }) => !isForeignFrame(text)),
      findings.lineCount,
    );
  const picked = new Map<number, Line>();
  let used = 0;
  const add = (lines: readonly Line[], limit: number) => {
    const fresh = lines.filter(({ at }) => !picked.has(at));
    const cost = lengthOf(fresh) + GAP_CHARACTERS;
    if (used + cost > limit) return false;
    for (const line of fresh) picked.set(line.at, line);
    used += cost;
    return true;
  };
  const full = Math.min(FULL_CHARACTERS, maxCharacters);
  const strongest = Math.max(0, ...findings.failures.map(({ weight }) => weight));
  const threshold = Math.max(WEIGHT.thrown, strongest - 2);
  for (const line of findings.closing.toReversed().slice(0, 6)) add([cropped(line)], full * 0.25);
  const main = findings.failures.filter(({ weight }) => weight >= threshold);
  const addFailure = (stored: StoredFailure, share: number, limit: number) => {
    const lines = bestLines(stored.failure, Math.min(share, limit - used - GAP_CHARACTERS));
    return lines.length > 0 && add(lines.map(cropped), limit);
  };
  for (const stored of leading(main)) addFailure(stored, maxCharacters * 0.4, maxCharacters);
  for (const stored of firstOfKinds(main)) addFailure(stored, full * 0.2, maxCharacters * 0.9);
  for (const stored of main) addFailure(stored, full * 0.25, full);
  const minor = findings.failures.filter(({ weight }) => weight < threshold);
  const small = full * (main.length === 0 ? 0.8 : 0.5);
  for (const stored of [...leading(minor), ...minor]) addFailure(stored, full * 0.25, small);
  if (main.length === 0) {
    const isEnd = findings.tail.length > 0 ? findings.tail : findings.head;
    for (const line of isEnd.toReversed()) if (!add([line], full * 0.8)) break;
    for (const line of findings.head) if (!add([line], full)) break;
  }
  return render(
    [...picked.values()].toSorted((a, b) => a.at - b.at),
    findings.lineCount,
  );
}

/** The first of each weight, the second of the surest, and the last: it is why a run ended. */
function leading(failures: readonly StoredFailure[]): StoredFailure[] {
  const byWeight = failures.toSorted(
    (a, b) => b.weight - a.weight || a.failure.headline.at - b.failure.headline.at,
  );
  const first = byWeight.filter(
    (stored, index) => index < 2 || stored.weight !== byWeight[index - 1]?.weight,
  );
  return [...new Set([...first, ...failures.slice(-1)])];
}

/** One of each kind, the surer first: among a hundred alike, the odd one counts. */
function firstOfKinds(failures: readonly StoredFailure[]): StoredFailure[] {
  const seen = new Set<string>();
  return failures
    .toSorted((a, b) => b.weight - a.weight || a.failure.headline.at - b.failure.headline.at)
    .filter(({ kind }) => !seen.has(kind) && seen.add(kind));
}

function cropped<L extends Line>(line: L): L {
  return line.text.length > 400
    ? { ...line, text: `${line.text.slice(0, 300)} … ${line.text.slice(-80)}` }
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
