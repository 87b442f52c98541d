import type { ClassifiedLine } from '../lines/classify.ts';
import { detachString } from '../lines/line-text.ts';
import { taskOf } from '../lines/prefix.ts';
import { COMMAND_END, SEVERITY } from '../lines/rules.ts';
import { isFrame } from '../lines/stack-frames.ts';
import { introducesNext, isProgress } from '../lines/structure.ts';
import { detached, type Line, type Span, type StoredFailure } from './failure.ts';

/** Fewer items are no list. */
const MIN_ITEMS = 3;
/** What is kept of the lists of an output. */
const MAX_LISTS = 12;
const MAX_CHARACTERS = 6000;
const MAX_SPANS = 40;

/** Lines that say the same of different names: files that are not formatted, packages that are missing. */
export interface NameList {
  /** What is before and after the name in each line. */
  readonly frame: readonly [before: string, after: string];
  /** Of the lines, that of the first. */
  readonly severity: number;
  /** Whether the line above says what is wrong with the names. */
  readonly isIntroduced: boolean;
  readonly count: number;
  /** The first items, in order of arrival. */
  readonly lines: readonly Line[];
  /** Where the items are, first and last of each run without another line in between. */
  readonly spans: readonly Span[];
}

/** Whether all lines from one to another are items of one list. */
export function areItems(lists: readonly NameList[], from: number, to: number): boolean {
  return lists.some(({ spans }) => spans.some((span) => span.from <= from && to <= span.to));
}

const FAULT =
  /\b(?:not|would|needs?|differs?|changed|modified|outdated|obsolete|stale|duplicated?|forbidden|redundant|superfluous|un(?:formatted|necessary|used|resolved|known|defined|declared|documented|translated|tracked|listed))\b/i;

/** Whether a text has a word for what a file or a package should not be. */
export function saysFault(text: string): boolean {
  return FAULT.test(text);
}

const LACK = /\b(?:no|without|lacks?|missing)\b/i;
/** How far above the first item it may be. */
const HEADING_REACH = 2;

interface OpenList {
  readonly task: string;
  readonly frame: NameList['frame'];
  readonly severity: number;
  readonly isIntroduced: boolean;
  count: number;
  characters: number;
  readonly lines: Line[];
  readonly spans: Span[];
}

/** Finds the lists of names in an output; its memory is bounded. */
export class ListFinder {
  readonly #lists: OpenList[] = [];
  /** That of the line above, or of the last list that another line has interrupted. */
  #current: OpenList | undefined;
  #above: Line | undefined;
  /** The last line that says one thing of one name: other lines may be between it and the next such line. */
  #tagged: Line | undefined;
  #template = 0;
  /** The last line that says what is wrong with the names below it. */
  #heading: Line | undefined;

  /**
   * @param template that of the line: lines of one template differ in numbers only
   * @param isNoise whether the line says nothing about the failure: such lines are no items, and end no list
   */
  take(line: Line, classified: ClassifiedLine, template: number, isNoise: boolean): void {
    if (isNoise && classified.classification !== 'warning') return;
    const { text } = line;
    const isRepeated = template === this.#template;
    this.#template = template;
    if (this.#current?.task === taskOf(line.prefix) && isItem(this.#current.frame, text))
      addItem(this.#current, line);
    else if (!isRepeated || this.#isIntroduced()) this.#begin(line, classified);
    this.#above = line;
    if (TAGGED_NAME.test(text)) this.#tagged = line;
    if (!introducesFault(text)) return;
    this.#heading = line;
    this.#current = undefined;
  }

  /** In order of arrival. Behind the tag of a warning, one name is a list: nothing else is said of it. */
  lists(): NameList[] {
    return this.#lists.filter(({ count, frame }) => count >= MIN_ITEMS || WARNING_TAG.test(frame[0]));
  }

  /** Whether the line above is the first below one that says what is wrong. */
  #isIntroduced(): boolean {
    return this.#heading !== undefined && (this.#above?.at ?? 0) - this.#heading.at <= HEADING_REACH;
  }

  #begin(line: Line, classified: ClassifiedLine): void {
    const isIntroduced = this.#isIntroduced();
    const task = taskOf(line.prefix);
    const frameBelow = (other: Line | undefined) =>
      other && taskOf(other.prefix) === task ? frameOf(other.text, line.text) : undefined;
    const near = frameBelow(this.#above);
    const above = near ? this.#above : this.#tagged;
    const tag = WARNED_NAME.exec(line.text)?.[1];
    const frame = tag === undefined ? (near ?? frameBelow(above)) : ([tag, ''] as const);
    if (!frame || classified.ask(isFrame)) return;
    const known = this.#lists.find(
      (list) =>
        list.task === task &&
        list.frame[0] === frame[0] &&
        list.frame[1] === frame[1] &&
        list.isIntroduced === isIntroduced,
    );
    this.#current = known ?? this.#newList(task, frame, classified.severity, isIntroduced);
    if (tag === undefined && above) addItem(this.#current, above);
    addItem(this.#current, line);
  }

  #newList(task: string, frame: NameList['frame'], severity: number, isIntroduced: boolean): OpenList {
    const list: OpenList = {
      task: detachString(task),
      frame: [detachString(frame[0]), detachString(frame[1])],
      severity,
      isIntroduced,
      count: 0,
      characters: 0,
      lines: [],
      spans: [],
    };
    if (this.#lists.length >= MAX_LISTS) this.#dropShortest();
    this.#lists.push(list);
    return list;
  }

  #dropShortest(): void {
    const counts = this.#lists.map(({ count }) => count);
    this.#lists.splice(counts.indexOf(Math.min(...counts)), 1);
  }
}

/** Whether a line says what is wrong with the names below: `The following files have no license:`. */
function introducesFault(text: string): boolean {
  return introducesNext(text) && (LACK.test(text) || saysFault(text));
}

function addItem(list: OpenList, line: Line): void {
  const { spans, lines } = list;
  const last = spans.at(-1);
  if (last && line.at <= last.to) return;
  if (last && line.at === last.to + 1) last.to = line.at;
  else if (spans.length < MAX_SPANS) spans.push({ from: line.at, to: line.at });
  list.count++;
  list.characters += line.text.length + 1;
  if (list.characters <= MAX_CHARACTERS) lines.push(detached(line));
}

const BLANK = 32;
const TAB = 9;

/** What two lines have in common around the one word in which they differ; undefined if they differ in more. */
function frameOf(one: string, other: string): NameList['frame'] | undefined {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one.charCodeAt(start) === other.charCodeAt(start)) start++;
  if (start === one.length && start === other.length) return undefined;
  while (start > 0 && !isBlank(one.charCodeAt(start - 1))) start--;
  let end = 0;
  while (
    end < shorter - start &&
    one.charCodeAt(one.length - 1 - end) === other.charCodeAt(other.length - 1 - end)
  )
    end++;
  while (end > 0 && !isBlank(one.charCodeAt(one.length - end))) end--;
  // Most pairs differ in more: no slice is made of them.
  if (hasBlank(one, start, one.length - end) || hasBlank(other, start, other.length - end)) return undefined;
  const frame = [one.slice(0, start), one.slice(one.length - end)] as const;
  return isItem(frame, one) && isItem(frame, other) ? frame : undefined;
}

function hasBlank(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (isBlank(text.charCodeAt(at))) return true;
  return false;
}

function isBlank(code: number): boolean {
  return code === BLANK || code === TAB;
}

/** `[warn] schema.json` */
const TAGGED_NAME = /^\[\w+\]\s+\S+$/;
/** The tag of a warning, and a file. */
const WARNED_NAME = /^(\[warn(?:ing)?\] )(?=\S+$)(?:\S*\/)?[\w.@-]*\.\w+$/i;
/** A path, a package, an identifier of several words. */
const NAME = /^(?=\P{L}*\p{L})[^\s{}<>=;]+$/u;
const BARE_NAME = /[^\s.]\/|\/[^\s.]|\w\.\w|\w@\w|\w[-_]\w/;
const IN_BRACKETS = /^\(|\)$/;

/** Whether a line is what the frame says of one name. */
function isItem([before, after]: NameList['frame'], text: string): boolean {
  if (text.length <= before.length + after.length || !text.startsWith(before) || !text.endsWith(after))
    return false;
  const name = text.slice(before.length, text.length - after.length);
  // Without words around it, a name is what looks like one: a program may print words.
  return NAME.test(name) && (/\S/.test(before + after) || (BARE_NAME.test(name) && !IN_BRACKETS.test(name)));
}

/** The file of a package: it was read, and nobody asks to fix it. */
const PACKAGE_FILE = /^(?:\S*\/)?(?:node_modules|(?:site|dist)-packages|pkg\/mod)\/\S*$/;

export function isPackageFile(text: string): boolean {
  return PACKAGE_FILE.test(text);
}

/** A tag, and nothing but a name after it. */
const WARNING_TAG = /^\W*warn(?:ing)?\W*$/i;
/** Bullets, or the letter that git puts before a path. */
const PLAIN = /^[^\p{L}\d]*(?:[A-Z][^\p{L}\d]*)?$/u;

/**
 * Whether a list says what is wrong. Errors at places are failures of their own. Of the other lists, some are only what the
 * command did on the way: they count if nothing else explains the failure.
 */
export function saysWhatIsWrong(
  { frame: [before, after], severity, isIntroduced, lines }: NameList,
  failures: readonly StoredFailure[],
): boolean {
  if (severity === SEVERITY.tagged || (WARNING_TAG.test(before) && after === '')) return true;
  if (severity > SEVERITY.tagged) return false;
  // What is done to file after file may begin below an error that introduces a list.
  if (isIntroduced && !lines.every(({ text }) => isProgress(text))) return true;
  const isPlain = PLAIN.test(before + after);
  const others = failures.filter(({ block }) => !COMMAND_END.test(block.headline.text));
  if (isPlain && others.length > 0 && lines.some(({ text }) => isPackageFile(text))) return false;
  const least = isPlain ? SEVERITY.tagged : severity;
  const isAlone = others.every((failure) => failure.severity <= least);
  return isAlone && (isPlain || severity > 0 || saysFault(before + after));
}

/** Says that something was looked for at the places below. */
const SOUGHT = /\b(?:tried|searched|looked (?:in|at|for))\b/i;
/** A place: a path, with few words or signs before it. */
const PLACE = /^\W*(?:(?:no file|tried|in|at) )?['"‘`]?[\w.~@-]*\/\S+?['"’`]?[,;]?$/;
/** What says so itself. */
const WITHOUT_FILE = /^\W*no file ['"‘`]/;
/** So many of these places, and the last one, show where it was looked for. */
const MAX_PLACES = 3;

/** Without most of the places where something was looked for in vain: a path after another. */
export function withoutTriedPlaces(lines: readonly Line[]): Line[] {
  const kept: Line[] = [];
  let places = 0;
  for (const [index, line] of lines.entries()) {
    const { text } = line;
    const above = lines[index - 1]?.text ?? '';
    const isPlace = PLACE.test(text) && (places > 0 || SOUGHT.test(above) || WITHOUT_FILE.test(text));
    places = isPlace ? places + 1 : 0;
    const goesOn = isPlace && PLACE.test(lines[index + 1]?.text ?? '');
    if (places <= MAX_PLACES || !goesOn) kept.push(line);
  }
  return kept;
}
