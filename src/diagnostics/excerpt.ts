import { count, duration, oneLine, thousands } from '../base/text.ts';
import type { ExcerptLine } from '../state/failures.ts';
import type { Findings } from './condenser.ts';
import {
  bestLines,
  charactersIn,
  type FailureBlock,
  hasDetails,
  type Line,
  PRIORITY,
  type StoredFailure,
} from './failure.ts';
import { namedOnce, repeatsHeadline } from './failure-names.ts';
import { classificationOf, Gaps, isNoise, saysSomething } from './gaps.ts';
import { shapeOf } from './likeness.ts';
import { areItems, type NameList } from './lists.ts';
import { COMMAND_END, SEVERITY } from './rules.ts';
import type { Silence } from './silences.ts';
import { ownLines } from './stack-dump.ts';
import type { FailureTally } from './store.ts';
import { isExternalFrame, isPlacePointer, isProgress } from './structure.ts';

/** Of a shorter output, only noise is left out. */
const SHORT_CHARACTERS = 2500;
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
  const { note } = findings;
  const left = maxCharacters - (note?.length ?? 0) - 1;
  if (note === undefined || left < 0) return linesOf(findings, maxCharacters, hung);
  return [...linesOf(findings, left, hung), { kind: 'note', text: note }];
}

function linesOf(findings: Findings, maxCharacters: number, hung: boolean): ExcerptLine[] {
  const { outline } = findings;
  const failures = failuresOf(findings);
  const lists = outline.lists.filter((list) => isFact(list, failures, outline.closing));
  const whole = outline.whole && hung ? withSilences(outline.whole, findings.timing.silences) : outline.whole;
  if (whole && charactersIn(whole) <= Math.min(SHORT_CHARACTERS, maxCharacters))
    return trimmed(
      renderWhole(hung ? whole : withoutNoise(whole, failures, lists, outline.tail), failures, findings),
    );
  const hasTally = maxCharacters > 2 * TALLY_CHARACTERS;
  const selection = selectLines(
    findings,
    { failures, lists },
    hasTally ? maxCharacters - TALLY_CHARACTERS : maxCharacters,
    hung,
  );
  const gaps = new Gaps(findings, failures, lists);
  for (const filling of gaps.fillings(selection.lines())) selection.add(filling, maxCharacters);
  const lines = render(selection.lines(), failures, gaps, findings.lineCount);
  const shown = failures.filter(({ block }) => selection.has(block.headline)).length;
  const tally = hasTally && tallyLine(findings.tallies, shown);
  return tally ? [...lines, { kind: 'note', text: oneLine(tally, TALLY_CHARACTERS) }] : lines;
}

function withSilences(lines: readonly Line[], silences: readonly Silence[]): Line[] {
  return [...lines, ...silences.map(silenceLine)].sort((a, b) => a.at - b.at);
}

/** What is shown between the line before a silence and the next one. */
function silenceLine({ after: { at }, ms }: Silence): Line {
  return { at: at + 0.25, text: `… ${duration(ms)} without output …` };
}

export function excerptText(lines: readonly ExcerptLine[]): string {
  return lines.map(({ text }) => text).join('\n');
}

/** Where the output says that warnings made the command fail, and has no error at a place, they are errors. */
function failuresOf({ failures, treatsWarningsAsErrors }: Findings): readonly StoredFailure[] {
  if (!treatsWarningsAsErrors || failures.some(({ severity }) => severity >= SEVERITY.located))
    return failures;
  return failures.map((stored) =>
    stored.severity === SEVERITY.warning ? { ...stored, severity: SEVERITY.thrown } : stored,
  );
}

/** Where others say what is wrong, without what passed, and of plain lines that look alike, without those between. */
function withoutNoise(
  lines: readonly Line[],
  failures: readonly StoredFailure[],
  lists: readonly NameList[],
  tail: readonly Line[],
): readonly Line[] {
  const severe = failures.filter(({ severity }) => severity >= SEVERITY.tagged);
  if (severe.length === 0) return lines;
  const aboutFailures = new Set(
    [...severe.flatMap(({ block }) => block.lines), ...passedBeforeCrash(severe, tail)].map(({ at }) => at),
  );
  const shapes = lines.map(({ text }) => shapeOf(text));
  const isAmongAlike = (index: number) =>
    [index - 1, index + 1].every((other) => shapes[other] === shapes[index]);
  return lines.filter(
    (line, index) =>
      aboutFailures.has(line.at) ||
      areItems(lists, line.at, line.at) ||
      !(isNoise(line.text) || isAmongAlike(index)),
  );
}

/** The lines and what is in the small gaps between them, however often each was printed, except external frames. */
function renderWhole(
  lines: readonly Line[],
  failures: readonly StoredFailure[],
  findings: Findings,
): ExcerptLine[] {
  if (lines.every(({ text }) => text === '')) return [];
  const once = failures.map((stored) => ({ ...stored, times: 1 }));
  const kept = failures.flatMap(({ block }) => block.lines.filter(({ text }) => isExternalFrame(text)));
  const gaps = new Gaps(findings, failures, []);
  const filled = [...lines, ...gaps.fillings(lines).flat()].sort((a, b) => a.at - b.at);
  const own = [...ownLines(filled), ...kept].sort((a, b) => a.at - b.at);
  return render(own, once, gaps, findings.lineCount);
}

/** Without the blank lines at both ends. */
function trimmed(lines: readonly ExcerptLine[]): ExcerptLine[] {
  const isFull = ({ text }: ExcerptLine) => text !== '';
  return lines.slice(lines.findIndex(isFull), lines.findLastIndex(isFull) + 1);
}

function render(
  lines: readonly Line[],
  failures: readonly StoredFailure[],
  gaps: Gaps,
  lineCount: number,
): ExcerptLine[] {
  const headlines = new Map(failures.map((stored) => [stored.block.headline.at, stored]));
  const rendered: ExcerptLine[] = [];
  let next = 0;
  const gapBefore = (at: number) => {
    const mark = gaps.mark(next, Math.floor(at));
    if (mark !== undefined) rendered.push({ kind: 'note', text: mark });
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

/** The usual size of an excerpt; only the first failures, and one of each kind, may take more. */
const FULL_CHARACTERS = 3800;
/** The share of an excerpt that one failure may take: the first of a severity, the last, one of a kind, any other. */
const LEADING_SHARE = 0.48;
const LAST_SHARE = 0.35;
const KIND_SHARE = 0.16;
const OTHER_SHARE = 0.2;
/** The share of a failure that is less severe than others. */
const MINOR_SHARE = 0.08;
/** How full an excerpt may become by each sort of lines. */
const UP_TO = {
  lastLines: 0.3,
  closing: 0.25,
  /** These three of the maximum instead of the usual size. */
  names: 0.85,
  titles: 0.6,
  kinds: 0.9,
  minor: 0.75,
  minorAlone: 0.8,
  otherMinor: 0.4,
  unique: 0.7,
  tailAlone: 0.5,
} as const;
const CLOSING_LINES = 6;
/** An earlier line does not say how the run ended. */
const END_LINES = 60;
/** Lines right before a crash. */
const LEAD_UP_LINES = 5;
const LEAD_UP_REACH = 20;
/** In an output with more unique lines, a unique line says nothing. */
const MAX_UNIQUE_LINES = 25;
const LAST_LINES = 8;

/** Longer lines are cropped, unless they say what is wrong. */
const MAX_LINE_CHARACTERS = 300;
const CROP = { start: 220, end: 75 } as const;
/** The space of a gap and a count beside the lines. */
const MARK_CHARACTERS = 30;

/**
 * Selects the lines of an excerpt, the most important first, until it is full.
 *
 * @param failures those of the findings, with the severity that they have here
 * @param lists those that say what is wrong
 * @param hung whether the command was stopped: then its last lines say most
 */
function selectLines(
  { outline, lineCount, timing }: Findings,
  { failures, lists }: { readonly failures: readonly StoredFailure[]; readonly lists: readonly NameList[] },
  maxCharacters: number,
  hung: boolean,
): Selection {
  const selection = new Selection(maxCharacters);
  // No line fits. Callers ask for such an excerpt to learn how long the text around it is.
  if (maxCharacters <= MARK_CHARACTERS) return selection;
  const full = Math.min(FULL_CHARACTERS, maxCharacters);
  const highest = Math.max(0, ...failures.map(({ severity }) => severity));
  const threshold = Math.max(Math.min(Math.max(highest, SEVERITY.tagged), SEVERITY.thrown), highest - 2);
  const isListed = ({ at }: Line) => areItems(lists, at, at);
  const severe = failures.filter(({ severity, block }) => severity >= threshold && !isListed(block.headline));
  const main = oncePerTest(severe);
  const repeated = new Set(
    severe.filter((stored) => !main.includes(stored)).flatMap(({ block }) => block.lines.map(({ at }) => at)),
  );
  const isOther = (line: Line) => isOwn(line) && !isListed(line) && !repeated.has(line.at);
  const minor = failures.filter(
    ({ severity, block }) =>
      severity < threshold &&
      (severity > SEVERITY.warning || highest < SEVERITY.thrown) &&
      !isListed(block.headline),
  );
  // Runners list the names of failed tests again at the end, and print further attempts.
  const isRepeated = repeatsHeadline(main.map(({ block }) => block));
  const texts = new Map(
    main.flatMap(({ block }) => block.lines.map(({ at, text }) => [text, at] as const)).toReversed(),
  );
  const isFirst = (line: Line) => !isRepeated(line) && (texts.get(line.text) ?? line.at) >= line.at;
  const closing = outline.closing.filter((line) => isOther(line) && isFirst(line));
  const ending = closing.filter(({ at }) => at >= lineCount - END_LINES);
  if (hung) {
    for (const silence of timing.silences)
      selection.add([silence.after, silenceLine(silence)], full * UP_TO.lastLines);
    for (const line of outline.tail.filter(isOwn).slice(-LAST_LINES))
      selection.add([line], full * UP_TO.lastLines);
  }
  for (const line of ending.slice(-CLOSING_LINES).toReversed()) selection.add([line], full * UP_TO.closing);
  for (const stored of firstOf('severity', main)) selection.addBest(stored, full * LEADING_SHARE, full);
  // The names of all failed tests come before the details of some.
  for (const name of namesIn(main)) selection.add([name], maxCharacters * UP_TO.names);
  for (const { block } of firstOf('kind', main)) selection.add(titleOf(block), maxCharacters * UP_TO.titles);
  for (const stored of main.slice(-1)) selection.addBest(stored, full * LAST_SHARE, maxCharacters);
  for (const stored of firstOf('kind', main))
    selection.addBest(stored, full * KIND_SHARE, maxCharacters * UP_TO.kinds);
  // Without a severe failure, the others get more space.
  const isSure = highest >= SEVERITY.tagged;
  const share = full * (isSure ? MINOR_SHARE : OTHER_SHARE);
  for (const stored of firstOf('severity', minor)) selection.addBest(stored, share, maxCharacters);
  for (const { lines } of lists) selection.addFirst(lines);
  for (const stored of firstOf('message', main))
    selection.addBest(stored, full * OTHER_SHARE, maxCharacters * UP_TO.kinds);
  for (const stored of main) selection.addBest(stored, full * OTHER_SHARE, full);
  selection.add(leadUp(main, closing), full);
  for (const stored of [...minor.slice(-1), ...firstOf('kind', minor)])
    selection.addBest(stored, share, full * (isSure ? UP_TO.minor : UP_TO.minorAlone));
  const unique = outline.unique.filter(({ text }) => !isProgress(text));
  if (unique.length <= MAX_UNIQUE_LINES)
    for (const line of unique.filter((each) => isOther(each) && isFirst(each)))
      selection.add([line], full * (highest < SEVERITY.located ? 1 : UP_TO.unique));
  for (const stored of minor) selection.addBest(stored, share, full * UP_TO.otherMinor);
  if (!isSure) {
    // Where every line is noise, the last ones are all that is known.
    const last = closing.length > 0 ? closing : outline.tail.filter(isOther);
    for (const line of last.toReversed()) if (!selection.add([line], full * UP_TO.tailAlone)) break;
    for (const line of outline.head.filter(isOther)) if (!selection.add([line], full)) break;
  }
  // Where no line is sure to say what is wrong, any may.
  if (outline.whole && highest < SEVERITY.thrown) {
    const lines = new Map([...outline.head, ...outline.closing].map((line) => [line.at, line]));
    const telling = [...lines.values()].filter((line) => isOther(line) && saysSomething(line.text));
    selection.add(
      telling.filter(({ text }) => !isProgress(text)),
      maxCharacters,
    );
  }
  return selection;
}

/** Whether the project itself can fix what the line is about. */
export function isOwn({ text }: Line): boolean {
  return !isExternalFrame(text);
}

/** A tag, and nothing but a name after it. */
const WARNING_TAG = /^\W*warn(?:ing)?\W*$/i;
/** Bullets, or the letter that git puts before a path. */
const PLAIN = /^[^\p{L}\d]*(?:[A-Z][^\p{L}\d]*)?$/u;
const ITEM =
  '(?:files?|packages?|modules?|dependenc(?:y|ies)|exports?|issues?|problems?|offen[cs]es?|violations?)';
/** Words for what a file or a package should not be. */
const VERDICT =
  /\b(?:not|would|needs?|differs?|changed|modified|outdated|stale|un(?:formatted|used|resolved))\b/i;

/**
 * Whether a list says what is wrong. Errors at places are failures of their own. Of the other lists, some are only what the
 * command did on the way: those of plain names count if nothing else explains the failure, and each if the output ends
 * with its length.
 */
function isFact(
  { frame, severity, count: items }: NameList,
  failures: readonly StoredFailure[],
  closing: readonly Line[],
): boolean {
  const [before, after] = frame;
  if (severity === SEVERITY.tagged || (WARNING_TAG.test(before) && after === '')) return true;
  if (severity > SEVERITY.tagged) return false;
  const isPlain = PLAIN.test(before + after);
  const found = failures.filter(({ block }) => !COMMAND_END.test(block.headline.text));
  const least = isPlain ? SEVERITY.tagged : severity;
  const isAlone = found.every((failure) => failure.severity <= least);
  const isAboutFault = isPlain || severity > 0 || VERDICT.test(before + after);
  const total = new RegExp(`\\b${items} (?:\\w+ )?${ITEM}\\b`);
  return (isAlone && isAboutFault) || closing.some(({ text }) => total.test(text));
}

/** The line that says that something failed, and the place below it. */
function titleOf({ headline, lines }: FailureBlock): Line[] {
  const below = lines.find(({ at }) => at > headline.at);
  return below && isPlacePointer(below.text) ? [headline, below] : [headline];
}

/** What was printed right before the run failed at its end: it may say what was being done. */
function leadUp(failures: readonly StoredFailure[], closing: readonly Line[]): Line[] {
  const start = closing[0]?.at ?? 0;
  const first = failures.map(({ block }) => block.lines[0]?.at ?? 0).find((at) => at > start);
  if (first === undefined) return [];
  return closing.filter(({ at }) => at < first && at >= first - LEAD_UP_REACH).slice(-LEAD_UP_LINES);
}

/** The last test that passed before a crash: the next one crashed. */
function passedBeforeCrash(failures: readonly StoredFailure[], tail: readonly Line[]): Line[] {
  if (failures.some(({ severity }) => severity > SEVERITY.thrown)) return [];
  const start = tail[0]?.at ?? 0;
  const crash = failures.map(({ block }) => block.headline.at).find((at) => at > start);
  if (crash === undefined) return [];
  const isBefore = ({ at }: Line) => at < crash && at >= crash - LEAD_UP_REACH;
  const passed = tail.findLast((line) => isBefore(line) && classificationOf(line.text) === 'passed');
  return passed ? [passed] : [];
}

/** Without the failed tests that say nothing but a name, which a later failure has too. */
function oncePerTest(failures: readonly StoredFailure[]): StoredFailure[] {
  const blocks = failures.map(({ block }) => block);
  const shown = new Set(namedOnce(blocks, (block) => !hasDetails(block)));
  return failures.filter(({ block }) => shown.has(block));
}

/** The name of each failed test: its headline, or the heading above one that others have too. */
function namesIn(failures: readonly StoredFailure[]): Line[] {
  const seen = new Set<string>();
  return failures
    .filter(({ severity }) => severity === SEVERITY.failedTest)
    .map(({ block: { headline, lines } }) => {
      const isNew = !seen.has(headline.text) && seen.add(headline.text);
      const heading = lines.findLast(({ at, text }) => at < headline.at && text !== '');
      return isNew ? headline : (heading ?? headline);
    });
}

/** One of each, the most severe first: among a hundred alike, the one that differs counts. */
function firstOf(key: 'severity' | 'kind' | 'message', failures: readonly StoredFailure[]): StoredFailure[] {
  const seen = new Set<string | number>();
  return failures.toSorted(bySeverity).filter(({ [key]: value }) => !seen.has(value) && seen.add(value));
}

/** Of two of the same severity, the one with details, then the one that came first. */
function bySeverity(a: StoredFailure, b: StoredFailure): number {
  return (
    b.severity - a.severity ||
    Number(hasDetails(b.block)) - Number(hasDetails(a.block)) ||
    a.block.headline.at - b.block.headline.at
  );
}

/** Selected lines, each once, within a number of characters. */
class Selection {
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
   * @param limit characters that the selection may have with these lines
   * @returns false if the lines did not fit: then none was added
   */
  add(lines: readonly Line[], limit: number): boolean {
    const added = lines.filter((line) => !this.has(line)).map(cropped);
    if (added.length === 0) return true;
    const cost = charactersIn(added) + MARK_CHARACTERS * (1 + gapsIn(added));
    if (this.#used + cost > Math.min(limit, this.#maxCharacters)) return false;
    for (const line of added) this.#lines.set(line.at, line);
    this.#used += cost;
    return true;
  }

  /** Adds as many of the first lines as fit. */
  addFirst(lines: readonly Line[]): void {
    const added = lines.filter((line) => !this.has(line)).map(cropped);
    let left = this.#maxCharacters - this.#used - MARK_CHARACTERS;
    const end = added.findIndex(({ at, text }, index) => {
      const isGap = at - (added[index - 1]?.at ?? at) > 1;
      left -= text.length + 1 + (isGap ? MARK_CHARACTERS : 0);
      return left < 0;
    });
    this.add(end === -1 ? added : added.slice(0, end), this.#maxCharacters);
  }

  /** Adds a failure, or the best of its lines. @param share characters that it may take */
  addBest({ block }: StoredFailure, share: number, limit: number): void {
    const left = Math.min(share, Math.min(limit, this.#maxCharacters) - this.#used - MARK_CHARACTERS);
    const whole = { ...block, lines: block.lines.map(cropped) };
    const best = bestLines(whole, left);
    if (this.add(best, limit)) return;
    // The gaps between its best lines take space too.
    this.add(bestLines(whole, left - MARK_CHARACTERS * gapsIn(best)), limit);
  }

  /** In order of arrival. */
  lines(): Line[] {
    return [...this.#lines.values()].sort((a, b) => a.at - b.at);
  }
}

function gapsIn(lines: readonly Line[]): number {
  return lines.filter(({ at }, index) => at - (lines[index - 1]?.at ?? at) > 1).length;
}

function cropped<L extends Line & { readonly priority?: number }>(line: L): L {
  if (line.text.length <= MAX_LINE_CHARACTERS || line.priority === PRIORITY.error) return line;
  return {
    ...line,
    text: `${line.text.slice(0, CROP.start)} … ${line.text.slice(-CROP.end)}`.toWellFormed(),
  };
}
