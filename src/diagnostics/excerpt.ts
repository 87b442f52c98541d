import { oneLine, thousands } from '../base/text.ts';
import type { ExcerptLine } from '../state/failures.ts';
import type { Findings } from './condenser.ts';
import { type Line, lengthOf, type StoredFailure } from './failure.ts';
import { tallyLine } from './failure-tally.ts';
import { WEIGHT } from './line-meaning.ts';
import { isOurs, pickLines } from './pick-lines.ts';

/** An output that is not longer than this is shown whole. */
const SHORT_CHARACTERS = 1500;
const TALLY_CHARACTERS = 250;

/**
 * What an expert would paste of an output: the first failures, one of each kind, how the run ended, and how many more
 * there were. In order of arrival, gaps marked.
 *
 * @param hung whether the command was ended from outside: then its last lines tell most
 * @returns the excerpt's text is never longer than `maxCharacters`
 */
export function excerptOf(
  findings: Findings,
  maxCharacters: number,
  { hung }: { readonly hung: boolean },
): ExcerptLine[] {
  const { outline, lineCount } = findings;
  if (outline.whole && lengthOf(outline.whole) <= Math.min(SHORT_CHARACTERS, maxCharacters))
    return trimmed(renderWhole(outline.whole, failuresOf(findings), lineCount));
  const hasTally = maxCharacters > 2 * TALLY_CHARACTERS;
  const room = hasTally ? maxCharacters - TALLY_CHARACTERS : maxCharacters;
  const failures = failuresOf(findings);
  const picked = pickLines(findings, failures, room, hung);
  const shown = failures.filter(({ failure }) => picked.has(failure.headline)).length;
  const tally = hasTally && tallyLine(findings.tallies, shown);
  const lines = render(picked.lines(), failures, lineCount);
  return tally ? [...lines, { kind: 'note', text: oneLine(tally, TALLY_CHARACTERS) }] : lines;
}

export function textOf(lines: readonly ExcerptLine[]): string {
  return lines.map(({ text }) => text).join('\n');
}

/** Each line stands there, however often it came; only foreign frames are left out. */
function renderWhole(
  lines: readonly Line[],
  failures: readonly StoredFailure[],
  lineCount: number,
): ExcerptLine[] {
  if (lines.every(({ text }) => text === '')) return [];
  const once = failures.map((stored) => ({ ...stored, times: 1 }));
  return render(lines.filter(isOurs), once, lineCount);
}

/** Without the blank lines around it. */
function trimmed(lines: readonly ExcerptLine[]): ExcerptLine[] {
  const isFull = ({ text }: ExcerptLine) => text !== '';
  return lines.slice(lines.findIndex(isFull), lines.findLastIndex(isFull) + 1);
}

/** Where the output says that warnings made the command fail, they weigh more. */
function failuresOf({ failures, warningsCount }: Findings): StoredFailure[] {
  return failures.map((stored) =>
    warningsCount && stored.weight === WEIGHT.warning ? { ...stored, weight: WEIGHT.thrown } : stored,
  );
}

function render(
  lines: readonly Line[],
  failures: readonly StoredFailure[],
  lineCount: number,
): ExcerptLine[] {
  const headlines = new Map(failures.map((stored) => [stored.failure.headline.at, stored]));
  const rendered: ExcerptLine[] = [];
  let next = 0;
  const gapBefore = (at: number) => {
    const gap = Math.floor(at - next);
    if (gap > 1) rendered.push({ kind: 'note', text: `… ${thousands(gap)} lines …` });
    next = Math.floor(at) + 1;
  };
  for (const { at, text } of lines) {
    gapBefore(at);
    const stored = headlines.get(at);
    const times = stored && stored.times > 1 ? ` (×${thousands(stored.times)})` : '';
    rendered.push({
      kind: stored && stored.weight > WEIGHT.warning ? 'error' : 'plain',
      text: `${text}${times}`,
    });
  }
  gapBefore(lineCount);
  return rendered;
}
