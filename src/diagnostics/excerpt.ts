/**
 * What was found in an output → its excerpt. A line of the output that an excerpt lacks was left out by one of these, in
 * this order:
 *
 *   output/read-lines, redrawn-lines  what a line is: redrawn ones count once, long ones are cut, JSON is expanded
 *   output/value-joiner               a value on several lines is one
 *   lines/prefix                      what is before a line, and which task it is from: each task is grouped by itself
 *   output/shown-prefixes             at the end: which prefixes the lines of the findings have
 *   lines/classify                    what a line says: `rules`, and how it belongs to its neighbours: `structure`
 *   output/sieve                      of more than 10,000 lines, which ones are read; the others are counted
 *   failures/script-chains            which commands have passed: what they have printed is forgotten
 *   failures/group                    which failure a line is part of, and with which priority. A failure that is full keeps
 *                                     the best of its lines, and in `dropped` the places of what says nothing about it
 *   failures/store, task-results      which failures are kept: equal ones once, with their count, and why a result is what
 *                                     it is
 *   failures/outline                  which other lines are kept: all of a short output, the edges, lists, rare lines
 *   — `Findings`: what is neither in its `failures` nor in its `outline` was left out above, the rest below —
 *   output/parts, wrapper             whether each task, or command, has an excerpt of its own: it is read again by itself;
 *                                     so is an output without what a script has put before all of its lines
 *   failures/test-logs                that of failed tests is a failure of its own; that of the others is left out
 *   select/alike-errors               errors from one place, and lines of one wording: the first is shown, with the count
 *   select/material                   what was said before, source around what is wrong; what is about no failure
 *   select/candidates                 what a failure or a line is worth beside the others
 *   select/select-lines, selection    which of them fit, beside a failed test without a reason those of `silent-tests`
 *   select/short-output               what is noise: all that is left out of a short output
 *   select/gaps                       which small gaps are filled, and which have a mark
 *   select/run-up, fold/failure-names what was done before the failure, and headlines that are there twice
 *   fold/fold                         what others say: one step after another
 *   fold/layout                       what makes a line wide
 *
 * `condensed(output)` in the tests returns the findings. To find the step of `fold` that left a line out, call them one by
 * one.
 */

import { count, oneLine, thousands } from '../base/text.ts';
import type { ExcerptLine } from '../state/failures.ts';
import { isNamedByPrefix } from './failures/consequences.ts';
import { charactersIn, type Line, type StoredFailure } from './failures/failure.ts';
import { outlineWithout } from './failures/outline.ts';
import { ownLines } from './failures/shown-frames.ts';
import { type FailureTally, PARTICULAR } from './failures/store.ts';
import { withoutRepeatedHeadlines } from './fold/failure-names.ts';
import { type Folded, folded, positionsWithout } from './fold/fold.ts';
import { narrowed } from './fold/layout.ts';
import { SEVERITY } from './lines/rules.ts';
import { isExternalFrame } from './lines/stack-frames.ts';
import { isFileHeading, namesLine } from './lines/structure.ts';
import type { Findings } from './output/condenser.ts';
import { failedParts, type Part } from './output/parts.ts';
import { type Silence, silenceLine } from './output/silences.ts';
import { briefly } from './select/brief.ts';
import { Gaps, joinedMark } from './select/gaps.ts';
import { type Material, materialOf, withoutLines } from './select/material.ts';
import { runUpIn } from './select/run-up.ts';
import { selectLines } from './select/select-lines.ts';
import { countMark, type Selection } from './select/selection.ts';
import { withoutNoise } from './select/short-output.ts';

/** Of a shorter output, only noise is left out. */
const SHORT_CHARACTERS = 2500;
/** Where a test has failed, what is printed around it is mostly about others. */
const SHORT_WITH_TEST = 600;
const TALLY_CHARACTERS = 250;
/** More are selected once: a second time would take a tenth of a second, and 10 MB. */
const MANY_FAILURES = 64;
const PASSES = 3;

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
  const { note } = findings;
  const left = maxCharacters - (note?.length ?? 0) - 1;
  const manner = { hung, sure: SHORT_CHARACTERS, isBrief: false };
  if (note === undefined || left < 0) return partLines(findings, maxCharacters, manner);
  return [...partLines(findings, left, manner), { kind: 'note', text: note }];
}

/** How much an excerpt has. */
interface Manner {
  /** Whether the command was stopped. */
  readonly hung: boolean;
  /** Of a sure failure, an output that has no more characters is shown without noise only. */
  readonly sure: number;
  /** Whether there is no space for source that findings quote. */
  readonly isBrief: boolean;
}

const BRIEF: Manner = { hung: false, sure: 0, isBrief: true };

/** A message about a file of another package. */
const ELSEWHERE = /^(?:\.\.\/)+(([^\s:(]+\/)?[^\s/:(]+[:(]\d.*)$/;

/**
 * The errors that were shown. One in a file of another package has the path from there:
 * `../db/src/lots.ts(8,32): …` is `src/lots.ts(8,32): …` in its own package, and `../../packages/db/src/lots.ts(8,32): …`
 * further down.
 */
class SaidErrors {
  readonly #said = new Set<string>();
  /** From each directory on their paths. */
  readonly #below = new Set<string>();

  has(text: string): boolean {
    const [whole = text, ...rest] = pathsOf(text);
    return this.#below.has(whole) || [whole, ...rest].some((path) => this.#said.has(path));
  }

  add(text: string): void {
    const [whole = text, ...rest] = pathsOf(text);
    this.#said.add(whole);
    for (const path of rest) this.#below.add(path);
  }
}

/** A message about another package, as it is from each directory on its path on; any other message. */
function pathsOf(text: string): string[] {
  const [, message = text, path = ''] = ELSEWHERE.exec(text) ?? [];
  const names = path.split('/').slice(0, -1);
  const starts = names.map((_, index) =>
    names.slice(0, index).reduce((sum, { length }) => sum + length + 1, 0),
  );
  return starts.length > 0 ? starts.map((start) => message.slice(start)) : [message];
}

/**
 * Without the errors of a part that an earlier one has, at the same places: both run one compiler.
 *
 * @param excerpts of each part
 */
function withoutSaidErrors(excerpts: readonly ExcerptLine[][], parts: readonly Part[]): ExcerptLine[][] {
  const said = new SaidErrors();
  return excerpts.map((lines, index) => {
    const { prefix = '' } = parts[index] ?? {};
    const ownOf = ({ text }: ExcerptLine) => text.slice(prefix.length);
    const errors = lines.filter((line) => line.kind === 'error' && namesLine(ownOf(line)));
    const again = errors.filter((line) => said.has(ownOf(line)));
    for (const error of errors) said.add(ownOf(error));
    const kept: ExcerptLine[] = [];
    let isSaid = false;
    for (const line of lines) {
      const own = ownOf(line);
      const isError = again.includes(line);
      // What is below an error is about it, and so is the function above.
      isSaid = isError || (isSaid && line.kind === 'plain' && (/^\s+\S/.test(own) || namesLine(own)));
      if (isError && isFileHeading(ownOf(kept.at(-1) ?? line))) kept.pop();
      if (line === again[0])
        kept.push({ kind: 'note', text: `${prefix}… ${count(again.length, 'error')} as above …` });
      if (!isSaid) kept.push(line);
    }
    return kept;
  });
}

/** The lines of each part that failed, in the space of all. */
function partLines(findings: Findings, maxCharacters: number, manner: Manner): ExcerptLine[] {
  const parts = manner.hung ? [] : failedParts(findings);
  if (parts.length === 0) return linesOf(findings, maxCharacters, manner);
  const excerptsIn = (manner: Manner) =>
    withoutSaidErrors(
      parts.map((part) => linesOfPart(part, maxCharacters, manner)),
      parts,
    );
  const charactersOf = (lines: readonly ExcerptLine[]) => excerptText(lines).length + 1;
  const fit = (excerpts: readonly ExcerptLine[][]) =>
    excerpts.reduce((sum, lines) => sum + charactersOf(lines), 0) <= maxCharacters;
  const whole = excerptsIn({ hung: false, sure: SHORT_CHARACTERS / parts.length, isBrief: false });
  if (fit(whole)) return joined(whole);
  const brief = excerptsIn(BRIEF);
  if (fit(brief)) return joined(brief);
  const shares = sharesOf(brief.map(charactersOf), maxCharacters);
  if (shares.some((share) => share < MIN_PART_CHARACTERS)) return linesOf(findings, maxCharacters, manner);
  const shared = parts.map((part, index) => {
    const lines = brief[index] ?? [];
    const share = shares[index] ?? 0;
    return charactersOf(lines) <= share ? lines : linesOfPart(part, share - 1, BRIEF);
  });
  return joined(withoutSaidErrors(shared, parts));
}

/** With one mark for the gaps at the end of a part and at the start of the next one. */
export function joined(parts: readonly ExcerptLine[][]): ExcerptLine[] {
  const lines: ExcerptLine[] = [];
  for (const line of parts.flat()) {
    const mark = joinedMark(lines.at(-1)?.text ?? '', line.text);
    if (mark === undefined) lines.push(line);
    else lines.splice(-1, 1, { ...line, text: mark });
  }
  return lines;
}

/** With less space, a part says nothing. */
const MIN_PART_CHARACTERS = 200;

/** Divides space: who needs less than the others leaves them the rest. */
function sharesOf(wanted: readonly number[], space: number): number[] {
  const shares: number[] = [];
  let left = space;
  const smallestFirst = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  for (const [rank, index] of smallestFirst.entries()) {
    const share = Math.floor(left / (smallestFirst.length - rank));
    // Who gets all that it wants may be shorter than a part has to be.
    shares[index] = Math.max(Math.min(wanted[index] ?? 0, share), share);
    left -= Math.min(wanted[index] ?? 0, share);
  }
  return shares;
}

function linesOfPart(
  { prefix, title, findings, verdict }: Part,
  maxCharacters: number,
  manner: Manner,
): ExcerptLine[] {
  const around = (text: string | undefined): ExcerptLine[] =>
    text === undefined ? [] : [{ kind: 'plain', text }];
  const [above, below] = [around(title), around(verdict)];
  const space = maxCharacters - excerptText([...above, ...below]).length - 1;
  const lines = partLines(findings, space, manner)
    .filter(({ text }) => !isNamedByPrefix(text, `${prefix}${title ?? ''}`))
    .map((line) => (line.kind === 'note' || line.text === '' ? line : { ...line, text: prefix + line.text }));
  return [...above, ...lines, ...below];
}

export function excerptText(lines: readonly ExcerptLine[]): string {
  return lines.map(({ text }) => text).join('\n');
}

function linesOf(findings: Findings, maxCharacters: number, manner: Manner): ExcerptLine[] {
  const { hung, sure, isBrief } = manner;
  const material = materialOf(findings);
  const { whole } = material.outline;
  const lines = whole && hung ? withSilences(whole, material.timing.silences) : whole;
  const hasTest = !hung && material.highest === SEVERITY.failedTest;
  const isSure = material.highest >= SEVERITY.thrown;
  const short = Math.min(hasTest ? SHORT_WITH_TEST : isSure ? sure : SHORT_CHARACTERS, maxCharacters);
  if (lines && !isBrief && charactersIn(lines) <= short)
    return trimmed(wholeLines(hung ? lines : withoutNoise(lines, material), material));
  return selectedLines(isBrief ? briefly(material) : material, maxCharacters, hung);
}

/** Lines that fit, and what was left out of them because others say it. */
interface Attempt {
  readonly selection: Selection;
  readonly fold: Folded;
  readonly redundant: readonly number[];
  readonly lines: readonly ExcerptLine[];
  readonly characters: number;
}

function selectedLines(material: Material, maxCharacters: number, hung: boolean): ExcerptLine[] {
  const { failures, throwing, tallies, sameReasons } = material;
  const hasTally = maxCharacters > 2 * TALLY_CHARACTERS;
  const size = hasTally ? maxCharacters - TALLY_CHARACTERS : maxCharacters;
  const gaps = new Gaps(material);
  const wasted = new Set(sameReasons.said);
  /** @param space characters that the selected lines may have, with the marks of all gaps */
  const attempt = (space: number, kept: readonly Line[], redundantBefore: readonly number[]): Attempt => {
    const useful = {
      ...material,
      failures: withoutLines(failures, wasted),
      outline: outlineWithout(material.outline, ({ at }) => wasted.has(at)),
    };
    const selection = selectLines(useful, space, hung, kept);
    for (const filling of gaps.fillings(selection.lines())) selection.add(filling, maxCharacters);
    const selected = selection.lines();
    const runUp = runUpIn(selected, material);
    const named = withoutRepeatedHeadlines(
      selected.filter(({ at }) => !throwing.has(at) && !runUp.has(at)),
      failures.map(({ block }) => block),
    );
    const fold = folded(named, failures);
    const redundant = [...redundantBefore, ...fold.redundant];
    const lines = render({ ...fold, redundant }, failures, gaps, material.lineCount);
    return { selection, fold, redundant, lines, characters: excerptText(lines).length };
  };
  let space = size;
  let last = attempt(space, [], [...sameReasons.below]);
  // The space of lines that say nothing new is for others, and so is that of gaps without a mark. Of very many failures,
  // most do not fit anyway.
  for (let pass = 1; pass < PASSES && last.selection.lacksSpace && failures.length <= MANY_FAILURES; pass++) {
    const { fold, redundant, characters } = last;
    for (const at of positionsWithout(last.selection.lines(), fold.shown)) wasted.add(at);
    space += Math.max(0, size - characters);
    last = attempt(space, fold.shown, redundant);
    while (last.characters > size && space > size) {
      space = Math.max(size, space - 2 * (last.characters - size));
      last = attempt(space, fold.shown, redundant);
    }
  }
  const shown = failures.filter(({ block }) => last.selection.has(block.headline)).length;
  const tally = hasTally && tallyLine(tallies, shown, material.highest);
  return tally ? [...last.lines, { kind: 'note', text: oneLine(tally, TALLY_CHARACTERS) }] : [...last.lines];
}

function withSilences(lines: readonly Line[], silences: readonly Silence[]): Line[] {
  return [...lines, ...silences.map(silenceLine)].sort((a, b) => a.at - b.at);
}

/** The lines and what is in the small gaps between them, except external frames. A count says how often a failure was left out. */
function wholeLines(lines: readonly Line[], material: Material): ExcerptLine[] {
  const { failures, throwing, lineCount } = material;
  if (lines.every(({ text }) => text === '')) return [];
  const shown = failures.map((stored) => ({ ...stored, times: 1 + (stored.again?.length ?? 0) }));
  const kept = failures.flatMap(({ block }) =>
    block.lines.filter(({ at, text }) => isExternalFrame(text) && !throwing.has(at)),
  );
  const gaps = new Gaps({ ...material, lists: [] });
  const filled = [...lines, ...gaps.fillings(lines).flat()].sort((a, b) => a.at - b.at);
  const own = [...ownLines(filled), ...kept].sort((a, b) => a.at - b.at);
  return render(folded(own, shown), shown, gaps, lineCount);
}

/** Without the blank lines at both ends. */
function trimmed(lines: readonly ExcerptLine[]): ExcerptLine[] {
  const isFull = ({ text }: ExcerptLine) => text !== '';
  return lines.slice(lines.findIndex(isFull), lines.findLastIndex(isFull) + 1);
}

function render(
  { shown, redundant }: Folded,
  failures: readonly StoredFailure[],
  gaps: Gaps,
  lineCount: number,
): ExcerptLine[] {
  const headlines = new Map(failures.map((stored) => [stored.block.headline.at, stored]));
  const rendered: ExcerptLine[] = [];
  let next = 0;
  const gapBefore = (at: number) => {
    const mark = gaps.mark(next, Math.floor(at), redundant);
    if (mark !== undefined) rendered.push({ kind: 'note', text: mark });
    next = Math.floor(at) + 1;
  };
  for (const { at, text } of narrowed(shown)) {
    gapBefore(at);
    const stored = headlines.get(at);
    rendered.push({
      kind: stored && stored.severity > SEVERITY.warning ? 'error' : 'plain',
      text: `${text}${stored ? countMark(stored) : ''}`,
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
function tallyLine(
  tallies: ReadonlyMap<number, FailureTally>,
  shown: number,
  highest: number,
): string | undefined {
  // What was thrown while tests ran may be what they have logged.
  const thrown = highest === SEVERITY.failedTest ? undefined : tallies.get(SEVERITY.thrown);
  const tally = tallies.get(SEVERITY.located) ?? thrown;
  if (!tally || tally.count - shown < MIN_HIDDEN) return undefined;
  const named = [...tally.kinds].filter(([kind]) => !kind.includes(PARTICULAR));
  // Words without their names say nothing.
  const kinds =
    named.length > 0 ? top(new Map(named)).map(([kind, times]) => `${thousands(times)} × ${kind}`) : [];
  const files = top(tally.files).map(([file, times]) => `${file} ${thousands(times)}`);
  const inFiles =
    tally.files.size > 1 ? `; ${count(tally.files.size, 'file')}: ${listed(files, tally.files.size)}` : '';
  const ofKinds = kinds.length > 0 ? `: ${listed(kinds, tally.kinds.size)}` : '';
  // A number alone may count what a program has logged.
  if (ofKinds === '' && inFiles === '') return undefined;
  return `… ${thousands(tally.count)} in all${ofKinds}${inFiles}`;
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
