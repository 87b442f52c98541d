import { classify } from '../lines/classify.ts';
import { templateOf, wordingOf } from '../lines/likeness.ts';
import { detachString, firstWord } from '../lines/line-text.ts';
import { withoutPrefix } from '../lines/prefix.ts';
import { COMMAND_END, NUMBERED_TEST, SEVERITY } from '../lines/rules.ts';
import { isProgress, isValue, namesPlace } from '../lines/structure.ts';
import { makeLevelOf } from './consequences.ts';
import {
  blockWith,
  bounded,
  detached,
  ERROR_BITS,
  type FailureBlock,
  hasDetails,
  type Line,
  PRIORITY,
  type StoredFailure,
  signatureOf,
  valuesOf,
} from './failure.ts';
import { lastAlike } from './steps.ts';
import { LINES_ABOVE_END, TaskResults } from './task-results.ts';

/** Failures that are kept: the first of each severity, the first of each kind, the last of all. */
const FIRST = 30;
const FIRST_OF_KIND = 3;
const LAST = 6;
/** With more, what failed before a failed test is not kept as its reason. */
const MAX_KEPT = 1500;
/** Limits of the counters. */
const MAX_KINDS = 300;
const MAX_WORDINGS = 1000;
const MAX_MESSAGES = 300;
const MAX_FILES = 500;
const MAX_SIGNATURES = 5000;
/** After so many failures whose template is known, further ones are counted only. */
const MANY = 1000;
/** A failure of more lines is copied at once. */
const FEW_LINES = 20;
const MAX_KIND_CHARACTERS = 60;
const MAX_SIGNATURE_CHARACTERS = 200;
const MAX_MESSAGE_CHARACTERS = 120;
/** What is warned of below the end of a command that has failed. */
const GOES_ON = /\bfailed\b.*\bcontinuing\b/i;
/** The kind of failures beyond the limits. */
const OTHER_KIND = '';

/** How many failures there were, by kind and file. */
export interface FailureTally {
  count: number;
  readonly kinds: Map<string, number>;
  readonly files: Map<string, number>;
}

/** The failures of one severity that differ. */
interface Seen {
  count: number;
  /** How often there was each message. */
  readonly messages: Map<number, number>;
}

/** Further prints of one failure: more are in the middle of an output that is long. */
const MAX_AGAIN = 20;

/** Keeps the failures that an excerpt may show, and counts the others; its memory is bounded. */
export class FailureStore {
  /** The first of each template. */
  readonly #byTemplate = new Map<number, StoredFailure>();
  /** The first of each template of a headline. */
  readonly #byHeadline = new Map<number, StoredFailure>();
  #known = 0;
  readonly #bySignature = new Map<string, StoredFailure>();
  readonly #kept = new Set<StoredFailure>();
  readonly #seen = new Map<number, Seen>();
  readonly #kinds = new Kinds();
  readonly #tallies = new Map<number, FailureTally>();
  readonly #results = new TaskResults<StoredFailure>();
  readonly #last: StoredFailure[] = [];
  /** How deep the make is that has failed last. */
  #level = 0;

  /** @param task the prefix of the lines of the failure */
  add(read: FailureBlock, task: string): void {
    const { template } = read;
    const known = template === undefined ? undefined : this.#byTemplate.get(template);
    if (known && ++this.#known > MANY) {
      if (read.severity > SEVERITY.mentioned) this.#results.printedError(task, read.headline.at);
      if (known.times > 1) known.times++;
      else {
        const { severity } = read;
        this.count(severity, 1);
        this.#keepLast({ block: read, kind: known.kind, message: known.message, severity, times: 1 });
      }
      return;
    }
    const isEnd = COMMAND_END.test(read.headline.text) && !NUMBERED_TEST.test(read.headline.text);
    const block = isEnd ? this.#ended(task, read) : read;
    const { severity } = block;
    if (!isEnd && severity > SEVERITY.mentioned) this.#results.printedError(task, block.headline.at);
    const isRemembered = this.#bySignature.size < MAX_SIGNATURES;
    const signature = known || isRemembered ? bounded(task + signatureIn(block)) : undefined;
    const same = signature === undefined ? undefined : this.#bySignature.get(signature);
    if (same) {
      // Runners list the names of failed tests, before or after what went wrong.
      const isBare = severity === SEVERITY.failedTest && !(hasDetails(same.block) && hasDetails(block));
      if (!isBare) {
        same.times++;
        noteAgain(same, block);
      }
      if ((isBare && hasDetails(block)) || saysWhere(block, same.block)) same.block = detachBlock(block);
      return;
    }
    const tally = this.#tallyOf(severity);
    const seen = this.#seenOf(severity);
    const kind = this.#kinds.of(block, task, tally.kinds.size >= MAX_KINDS);
    // Beyond the limit no message is new.
    const message = seen.messages.size < MAX_MESSAGES ? messageOf(task, block) : 0;
    const perKind = this.#tally(block, kind);
    const perMessage = increment(seen.messages, message, MAX_MESSAGES);
    const isKept = ++seen.count <= FIRST || perKind <= FIRST_OF_KIND || perMessage === 1;
    const stored: StoredFailure = { block, kind, message, severity, times: 1 };
    if (isKept) this.#keep(stored);
    // The others are soon dropped. Until then they may keep alive what they were cut from, unless it is much: their
    // lines are many, or further tasks have failures too.
    else if (task !== '' || block.lines.length > FEW_LINES) stored.block = detachBlock(block);
    this.#keepLast(stored);
    if (isRemembered && signature !== undefined) {
      const remembered = isKept ? stored : { block: withoutText(block), kind, message, severity, times: 1 };
      this.#bySignature.set(detachString(signature), remembered);
      if (!known && template !== undefined) {
        this.#byTemplate.set(template, remembered);
        const headline = Math.floor(template / 2 ** ERROR_BITS);
        if (!this.#byHeadline.has(headline)) this.#byHeadline.set(headline, remembered);
      }
    }
    // A stack that waits is no reason for a result, and neither is that a command has failed.
    if (!isEnd && (template !== undefined || severity > SEVERITY.mentioned)) this.#results.wait(task, stored);
    if (severity !== SEVERITY.failedTest) return;
    const reasons = this.#results.failed(task, block.headline.at, block.headline.text);
    if (isKept && this.#kept.size < MAX_KEPT) for (const reason of reasons) this.#keep(reason);
  }

  /** Counts a failure of which only the template of its headline is known. */
  repeat(severity: number, headline: number): void {
    const known = this.#byHeadline.get(headline >>> 0);
    if (known && known.times > 1) known.times++;
    else this.count(severity, 1);
  }

  /** Notes that a command of this task begins. */
  started(task: string, at: number): void {
    this.#results.started(task, at);
  }

  /** Notes that a test, or those of a class, begin. @param isPassed whether a line says that they have passed */
  began(task: string, at: number, isPassed: (result: string) => boolean): void {
    this.#results.began(task, at, isPassed);
  }

  /** Notes that a section of the output ends: at the title of the next one, or a ruler. */
  sectionEnded(task: string, at: number): void {
    this.#results.sectionEnded(task, at);
  }

  /** Notes that something of this task has passed. @param result the line that says so */
  passed(task: string, at: number, result = ''): void {
    this.#results.passed(task, at, result);
  }

  /** Counts failures without their kinds and files. */
  count(severity: number, count: number): void {
    this.#tallyOf(severity).count += count;
  }

  /** In order of arrival. */
  failures(): StoredFailure[] {
    const all = new Set([...this.#kept, ...this.#last]);
    return [...all].sort((a, b) => a.block.headline.at - b.block.headline.at);
  }

  /** By severity; failures that are not kept are counted too. */
  get tallies(): ReadonlyMap<number, FailureTally> {
    return this.#tallies;
  }

  /** A command has failed: keeps why. If it printed no error, what it printed last says it. */
  #ended(task: string, end: FailureBlock): FailureBlock {
    const { headline, lines } = end;
    const isRightAbove = ({ block }: StoredFailure) =>
      hasDetails(block) && (block.lines.at(-1)?.at ?? 0) >= headline.at - 1;
    const tag = tagOf(headline);
    const isFurther = this.#isFurtherEnd(headline.text);
    const { reasons, lastLines } = this.#results.ended(
      task,
      headline.at,
      ({ block: { headline: above } }) =>
        !isFurther && tagOf(above) !== tag && !isValue(above.text) && !GOES_ON.test(above.text),
      isRightAbove,
    );
    for (const reason of reasons) this.#keep(reason);
    const above = lines.filter(({ at, priority }) => at < headline.at && priority === PRIORITY.code);
    const saysWhy = (line: Line) => !isFurther && tagOf(line) !== tag && maySayWhy(line.text);
    const why = lastLines > 0 ? lastAlike(above.slice(-lastLines).filter(saysWhy)) : [];
    const last = why.at(-1);
    const dropped = above.slice(0, -LINES_ABOVE_END).filter((line) => !why.includes(line));
    if (!last) return { ...end, lines: lines.filter((line) => !dropped.includes(line)) };
    return {
      ...end,
      severity: SEVERITY.thrown,
      signature: `${last.text}\n${headline.text}`,
      lines: lines
        .filter((line) => !dropped.includes(line))
        .map((line) => (why.includes(line) ? { ...line, priority: PRIORITY.error } : line)),
    };
  }

  /** Whether a make reports only that the make below it has failed. */
  #isFurtherEnd(text: string): boolean {
    const level = makeLevelOf(text);
    const isFurther = level < this.#level;
    this.#level = level;
    return isFurther;
  }

  #keep(stored: StoredFailure): void {
    if (this.#kept.has(stored)) return;
    stored.block = detachBlock(stored.block);
    this.#kept.add(stored);
  }

  #keepLast(stored: StoredFailure): void {
    if (stored.block.severity === SEVERITY.warning) return;
    this.#last.push(stored);
    if (this.#last.length > LAST) this.#last.shift();
  }

  /** @returns how many of this kind there are */
  #tally({ severity, headline, lines }: FailureBlock, kind: string): number {
    const tally = this.#tallyOf(severity);
    tally.count++;
    const file = fileOf(headline.text) ?? fileOf(lines[0]?.text ?? '');
    if (file !== undefined) increment(tally.files, detachString(file), MAX_FILES);
    return increment(tally.kinds, kind, MAX_KINDS);
  }

  #seenOf(severity: number): Seen {
    let seen = this.#seen.get(severity);
    if (!seen) {
      seen = { count: 0, messages: new Map() };
      this.#seen.set(severity, seen);
    }
    return seen;
  }

  #tallyOf(severity: number): FailureTally {
    let tally = this.#tallies.get(severity);
    if (!tally) {
      tally = { count: 0, kinds: new Map(), files: new Map() };
      this.#tallies.set(severity, tally);
    }
    return tally;
  }
}

/** Behind a place: that of the instruction. */
const OFFSET = / \+0x[\da-f]+$/;

/** Notes where a failure was printed again, unless it was with more, or with another place. */
function noteAgain(same: StoredFailure, { headline, lines }: FailureBlock): void {
  if (same.times > MAX_AGAIN) return;
  same.again ??= [];
  const saidOf = ({ text }: Line) => (namesPlace(text) ? text.replace(OFFSET, '') : templateOf(text));
  const said = new Set(same.block.lines.map(saidOf));
  const own = lines.filter(({ at }) => at >= headline.at);
  if (own.every((line) => said.has(saidOf(line)))) same.again.push(own.map(({ at }) => at));
}

/** @returns the new count; infinite for a new key if there are too many already */
function increment<K>(counts: Map<K, number>, key: K, maxKeys: number): number {
  const known = counts.get(key);
  if (known === undefined && counts.size >= maxKeys) return Number.POSITIVE_INFINITY;
  counts.set(key, (known ?? 0) + 1);
  return (known ?? 0) + 1;
}

/** What linters report; tests and exceptions are printed again below other headings. */
const REPORTED: ReadonlySet<number> = new Set([SEVERITY.located, SEVERITY.tagged, SEVERITY.warning]);

/** The same error at a line of another file is another one, though only the heading above names the file. */
function signatureIn(block: FailureBlock): string {
  const { severity, headline, lines } = block;
  const signature = signatureOf(block);
  if (!REPORTED.has(severity) || fileOf(headline.text) !== undefined) return signature;
  const files = lines.filter(({ at }) => at < headline.at).map(({ text }) => fileOf(text));
  return `${files.findLast((file) => file !== undefined) ?? ''}\n${signature}`;
}

/** Whether a line may say why a command failed. */
function maySayWhy(text: string): boolean {
  const said = withoutPrefix(text);
  return classify(said) === 'plain' && !isProgress(said);
}

function tagOf({ text }: Line): string {
  return firstWord(withoutPrefix(text));
}

/**
 * Whether a failure that was printed again has a place, or, right above its name, the file of the test, which was not named
 * before; and no less to say.
 */
function saysWhere({ lines, headline }: FailureBlock, { lines: before }: FailureBlock): boolean {
  if (lines.length < before.length) return false;
  const hasPlace = ({ text }: Line) => namesPlace(text);
  if (!before.some(hasPlace)) return lines.some(hasPlace);
  const file = fileOf(lines.find((line) => line.at === headline.at - 1 && hasPlace(line))?.text ?? '');
  return file !== undefined && !before.some(({ text }) => text.includes(file));
}

/** What is needed of a failure that is neither kept nor shown. */
function withoutText({ severity, template, headline: { at } }: FailureBlock): FailureBlock {
  return { severity, template, headline: { at, text: '' }, lines: [] };
}

/** A failure whose lines keep no chunk of the output alive. */
function detachBlock(block: FailureBlock): FailureBlock {
  return blockWith(block, detached);
}

/** `TS2339`, `E0308`, `[arg-type]`, `(line-too-long)`, `  no-undef`: a tool's name for the kind of an error. */
const CODE = /\b([A-Z]{1,6}\d{2,6})\b|[[(]([a-z][\w/-]+)[\])]\s*$|\s\s(@?[a-z][\w-]*(?:\/[\w-]+)*)\s*$/;
/** Looked for by its extension: most words that may begin a path have none. */
const FILE = /\.(?=[A-Za-z]\w{0,7}(?:[:(\s"',)]|$))(?<=((?:[\w@.+~-]*[\\/])*[\w@+~-][\w@.+~-]*)\.)(\w+)/;
/** In a kind, what is in the place of what differs between two failures of it. */
export const PARTICULAR = '¤';
/** What differs between two failures of one kind: names, numbers, places. */
const PARTICULARS = /`[^`]*`|(?<!\w)\w*_\w*|"[^"]*"|'[^']*'|‘[^’]*’|“[^”]*”|«[^»]*»|\S*[\\/.]\S*|\d+/g;
/** The mark of a failed test or target: its name is not part of the kind. */
const FAILED_MARK = /^\s*(\d+\)|[^\w\s]|[A-Z]{4,}:?(?=\s))/;
/** A place before what a headline says. */
const PLACE = /^\s*\S*[/.]\S*[:(]\d\S*|^\s*\d+:\d+/;
/** The message of a structured log line: `{"level":"error","msg":"…"}`, `level=error msg="…"`. */
const LOGGED = /\b(?:msg|message|error|err)["']?\s*[:=]\s*["']([^"']+)/;

/** What failures have in common with others of their kind: a code, or the words without names, numbers and places. */
class Kinds {
  /** By wording. */
  readonly #known = new Map<number, string>();

  /** @param areFull whether there are so many kinds that no new one is counted */
  of(
    { headline: { at, text: headline }, lines, severity, signature }: FailureBlock,
    task: string,
    areFull: boolean,
  ): string {
    if (signature !== undefined) return detachString(signature.slice(0, MAX_SIGNATURE_CHARACTERS));
    const code = codeOf(headline);
    if (code !== undefined) return detachString(code);
    if (severity !== SEVERITY.failedTest)
      return this.#generalized(LOGGED.exec(headline)?.[1] ?? task + headline, areFull);
    const mark = detachString(FAILED_MARK.exec(headline)?.[1] ?? '').replace(/\d+/, '#');
    const reason = lines.find(({ at: below, priority }) => below > at && priority === PRIORITY.error);
    return `${mark} ${this.#generalized(task + (reason?.text ?? ''), areFull)}`;
  }

  #generalized(text: string, areFull: boolean): string {
    const wording = wordingOf(text);
    let kind = this.#known.get(wording);
    if (kind !== undefined) return kind;
    const isLimit = this.#known.size >= MAX_WORDINGS;
    if (isLimit && areFull) return OTHER_KIND;
    const words = text.replace(PARTICULARS, PARTICULAR).replace(/\s+/g, ' ').trim();
    kind = detachString(words.slice(0, MAX_KIND_CHARACTERS));
    if (!isLimit) this.#known.set(wording, kind);
    return kind;
  }
}

/** What a headline says, without the place; of an assertion, which may say the same each time, the values too. */
function messageOf(task: string, block: FailureBlock): number {
  const { text } = block.headline;
  const start = PLACE.exec(text)?.[0].length ?? 0;
  const said = text.slice(start, start + MAX_MESSAGE_CHARACTERS);
  // A text with a line break has no template.
  const values = valuesOf(block).slice(0, MAX_MESSAGE_CHARACTERS).replaceAll('\n', ' ');
  return templateOf(`${task}${said} ${values}`);
}

/** The tool's name for the kind of an error, at its place in the line. */
export function codeOf(headline: string): string | undefined {
  const code = CODE.exec(headline);
  return code?.[1] ?? code?.[2] ?? code?.[3];
}

/** The first name of a file. */
export function fileOf(text: string): string | undefined {
  const file = FILE.exec(text);
  return file ? `${file[1]}.${file[2]}` : undefined;
}
