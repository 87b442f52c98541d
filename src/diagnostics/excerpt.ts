import { count, oneLine, thousands } from '../base/text.ts';
import type { ExcerptLine } from '../state/failures.ts';
import type { Findings } from './condenser.ts';
import { charactersIn, type Line, type StoredFailure } from './failure.ts';
import { SEVERITY } from './rules.ts';
import { isOwn, selectLines } from './select.ts';
import type { FailureTally } from './store.ts';

/** A shorter output is shown whole. */
const SHORT_CHARACTERS = 1500;
const TALLY_CHARACTERS = 250;

/**
 * What an expert would quote of an output: the first failures, one of each kind, how the run ended, and how many more
 * there were. In order of arrival, gaps marked.
 *
 * @param hung whether the command was stopped: then its last lines say most
 * @returns the excerpt's text is never longer than `maxCharacters`
 */
export function excerptOf(
  findings: Findings,
  maxCharacters: number,
  { hung }: { readonly hung: boolean },
): ExcerptLine[] {
  const { outline, lineCount } = findings;
  const failures = failuresOf(findings);
  if (outline.whole && charactersIn(outline.whole) <= Math.min(SHORT_CHARACTERS, maxCharacters))
    return trimmed(renderWhole(outline.whole, failures, lineCount));
  const hasTally = maxCharacters > 2 * TALLY_CHARACTERS;
  const selection = selectLines(
    findings,
    failures,
    hasTally ? maxCharacters - TALLY_CHARACTERS : maxCharacters,
    hung,
  );
  const lines = render(selection.lines(), failures, lineCount);
  const shown = failures.filter(({ block }) => selection.has(block.headline)).length;
  const tally = hasTally && tallyLine(findings.tallies, shown);
  return tally ? [...lines, { kind: 'note', text: oneLine(tally, TALLY_CHARACTERS) }] : lines;
}

export function excerptText(lines: readonly ExcerptLine[]): string {
  return lines.map(({ text }) => text).join('\n');
}

/** Where the output says that warnings made the command fail, they are errors. */
function failuresOf({ failures, treatsWarningsAsErrors }: Findings): readonly StoredFailure[] {
  if (!treatsWarningsAsErrors) return failures;
  return failures.map((stored) =>
    stored.severity === SEVERITY.warning ? { ...stored, severity: SEVERITY.thrown } : stored,
  );
}

/** All lines, however often each was printed, except external frames. */
function renderWhole(
  lines: readonly Line[],
  failures: readonly StoredFailure[],
  lineCount: number,
): ExcerptLine[] {
  if (lines.every(({ text }) => text === '')) return [];
  const once = failures.map((stored) => ({ ...stored, times: 1 }));
  return render(lines.filter(isOwn), once, lineCount);
}

/** Without the blank lines at both ends. */
function trimmed(lines: readonly ExcerptLine[]): ExcerptLine[] {
  const isFull = ({ text }: ExcerptLine) => text !== '';
  return lines.slice(lines.findIndex(isFull), lines.findLastIndex(isFull) + 1);
}

function render(
  lines: readonly Line[],
  failures: readonly StoredFailure[],
  lineCount: number,
): ExcerptLine[] {
  const headlines = new Map(failures.map((stored) => [stored.block.headline.at, stored]));
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
      kind: stored && stored.severity > SEVERITY.warning ? 'error' : 'plain',
      text: `${text}${times}`,
    });
  }
  gapBefore(lineCount);
  return rendered;
}

const TOP = 4;
/** With fewer failures that are not shown, there is no tally. */
const MIN_HIDDEN = 3;
const MAX_NAME_CHARACTERS = 60;

/** All failures by kind and file: `300 in all: 280 × TS2339, 20 × TS2322; 30 files: src/a.ts 10, …`. */
function tallyLine(tallies: ReadonlyMap<number, FailureTally>, shown: number): string | undefined {
  const tally = tallies.get(SEVERITY.located) ?? tallies.get(SEVERITY.thrown);
  if (!tally || tally.count - shown < MIN_HIDDEN) return undefined;
  const kinds = top(tally.kinds).map(([kind, times]) => `${thousands(times)} × ${kind}`);
  const files = top(tally.files).map(([file, times]) => `${file} ${thousands(times)}`);
  const inFiles =
    tally.files.size > 1 ? `; ${count(tally.files.size, 'file')}: ${listed(files, tally.files.size)}` : '';
  return `… ${thousands(tally.count)} in all: ${listed(kinds, tally.kinds.size)}${inFiles}`;
}

function top(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, TOP)
    .map(([key, times]) => [key.slice(0, MAX_NAME_CHARACTERS), times]);
}

function listed(items: readonly string[], total: number): string {
  return `${items.join(', ')}${total > items.length ? ', …' : ''}`;
}
