import {
  type FailureBlock,
  hasDetails,
  type Line,
  PRIORITY,
  type StoredFailure,
  signatureOf,
} from './failure.ts';
import { detachString } from './line-text.ts';
import { SEVERITY } from './rules.ts';
import { TaskResults } from './task-results.ts';

/** Failures that are kept: the first of each severity, the first of each kind, the last of all. */
const FIRST = 30;
const FIRST_OF_KIND = 3;
const LAST = 6;
/** Limits of the counters. */
const MAX_KINDS = 300;
const MAX_FILES = 500;
const MAX_SIGNATURES = 5000;
/** After so many failures whose template is known, further ones are counted only. */
const MANY = 1000;

/** How many failures there were, by kind and file. */
export interface FailureTally {
  count: number;
  readonly kinds: Map<string, number>;
  readonly files: Map<string, number>;
}

/** Keeps the failures that an excerpt may show, and counts the others; its memory is bounded. */
export class FailureStore {
  /** The first of each template. */
  readonly #byTemplate = new Map<number, StoredFailure>();
  #known = 0;
  readonly #bySignature = new Map<string, StoredFailure>();
  readonly #kept = new Set<StoredFailure>();
  readonly #perSeverity = new Map<number, number>();
  readonly #perKind = new Map<string, number>();
  readonly #perMessage = new Map<string, number>();
  readonly #tallies = new Map<number, FailureTally>();
  readonly #results = new TaskResults<StoredFailure>();
  readonly #last: StoredFailure[] = [];

  /** @param task the prefix of the lines of the failure */
  add(block: FailureBlock, task: string): void {
    const { severity, templateId } = block;
    const known = templateId === undefined ? undefined : this.#byTemplate.get(templateId);
    if (known && ++this.#known > MANY) {
      if (known.times > 1) known.times++;
      else {
        this.count(severity, 1);
        this.#keepLast({ ...known, block, severity, times: 1 });
      }
      return;
    }
    const signature = signatureOf(block);
    const same = this.#bySignature.get(signature);
    if (same) {
      // Runners list the names of failed tests, before or after what went wrong.
      if (severity !== SEVERITY.failedTest || (hasDetails(same.block) && hasDetails(block))) same.times++;
      else if (hasDetails(block)) same.block = detachBlock(block);
      return;
    }
    const detached = detachBlock(block);
    const kind = kindOf(detached);
    const message = messageOf(detached.headline.text);
    const stored: StoredFailure = { block: detached, kind, message, severity, times: 1 };
    this.#tally(detached, kind);
    const perSeverity = increment(this.#perSeverity, severity, Number.POSITIVE_INFINITY);
    const perKind = increment(this.#perKind, `${severity} ${kind}`, MAX_KINDS);
    const perMessage = increment(this.#perMessage, `${severity} ${message}`, MAX_KINDS);
    const isKept = perSeverity <= FIRST || perKind <= FIRST_OF_KIND || perMessage === 1;
    if (isKept) this.#kept.add(stored);
    this.#keepLast(stored);
    if (this.#bySignature.size < MAX_SIGNATURES) {
      const remembered = isKept ? stored : { ...stored, block: { ...detached, lines: [] } };
      this.#bySignature.set(detachString(signature), remembered);
      if (!known && templateId !== undefined) this.#byTemplate.set(templateId, remembered);
    }
    // A stack that waits is no reason for a result.
    if (templateId !== undefined || severity > SEVERITY.mentioned) this.#results.wait(task, stored);
    if (severity === SEVERITY.failedTest)
      for (const reason of this.#results.failed(task, block.headline.at)) this.#kept.add(reason);
  }

  /** Notes that something of this task has passed. */
  passed(task: string, at: number): void {
    this.#results.passed(task, at);
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

  #keepLast(stored: StoredFailure): void {
    if (stored.block.severity === SEVERITY.warning) return;
    this.#last.push(stored);
    if (this.#last.length > LAST) this.#last.shift();
  }

  #tally({ severity, headline, lines }: FailureBlock, kind: string): void {
    const tally = this.#tallyOf(severity);
    tally.count++;
    increment(tally.kinds, codeOf(headline.text) ?? kind, MAX_KINDS);
    const file = fileOf(headline.text) ?? fileOf(lines[0]?.text ?? '');
    if (file !== undefined) increment(tally.files, file, MAX_FILES);
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

/** @returns the new count; infinite for a new key if there are too many already */
function increment<K>(counts: Map<K, number>, key: K, maxKeys: number): number {
  const known = counts.get(key);
  if (known === undefined && counts.size >= maxKeys) return Number.POSITIVE_INFINITY;
  counts.set(key, (known ?? 0) + 1);
  return (known ?? 0) + 1;
}

/** A failure whose lines keep no chunk of the output alive. */
function detachBlock(block: FailureBlock): FailureBlock {
  const detached = <L extends Line>(line: L): L => ({ ...line, text: detachString(line.text) });
  return { ...block, headline: detached(block.headline), lines: block.lines.map(detached) };
}

/** `TS2339`, `E0308`, `[arg-type]`, `(line-too-long)`, `  no-undef`: a tool's name for the kind of an error. */
const CODE = /\b([A-Z]{1,6}\d{2,6})\b|[[(]([a-z][\w/-]+)[\])]\s*$|\s\s(@?[a-z][\w-]*(?:\/[\w-]+)*)\s*$/;
const FILE = /((?:[\w@.+~-]*[\\/])*[\w@+~-][\w@.+~-]*\.[A-Za-z]\w{0,7})(?=[:(\s"',)]|$)/;
/** What differs between two failures of one kind: names, numbers, places. */
const PARTICULAR = /`[^`]*`|\w*_\w*|"[^"]*"|'[^']*'|‘[^’]*’|“[^”]*”|«[^»]*»|\S*[\\/.]\S*|\d+/g;
/** The mark of a failed test or target: its name is not part of the kind. */
const FAILED_MARK = /^\s*(\d+\)|[^\w\s]|[A-Z]{4,}:?(?=\s))/;
/** The message of a structured log line: `{"level":"error","msg":"…"}`, `level=error msg="…"`. */
const LOGGED = /\b(?:msg|message|error|err)["']?\s*[:=]\s*["']([^"']+)/;

/** What a failure has in common with others of its kind: its code, or its words without names, numbers and places. */
function kindOf({ headline: { at, text: headline }, lines, severity, signature }: FailureBlock): string {
  if (signature !== undefined) return signature.slice(0, 200);
  const code = codeOf(headline);
  if (code !== undefined) return code;
  if (severity === SEVERITY.failedTest) {
    const mark = (FAILED_MARK.exec(headline)?.[1] ?? '').replace(/\d+/, '#');
    const reason = lines.find(({ at: below, priority }) => below > at && priority === PRIORITY.error);
    return `${mark} ${generalized(reason?.text ?? '')}`;
  }
  return generalized(LOGGED.exec(headline)?.[1] ?? headline);
}

/** What a headline says, without the place. */
function messageOf(headline: string): string {
  return headline
    .replace(/^\s*\S*[/.]\S*[:(]\d\S*|^\s*\d+:\d+/, '')
    .replace(/\d+/g, '#')
    .trim()
    .slice(0, 120);
}

function generalized(text: string): string {
  return text.replace(PARTICULAR, '¤').replace(/\s+/g, ' ').trim().slice(0, 60);
}

/** The tool's name for the kind of an error, at its place in the line. */
export function codeOf(headline: string): string | undefined {
  const code = CODE.exec(headline);
  return code?.[1] ?? code?.[2] ?? code?.[3];
}

/** The first name of a file. */
export function fileOf(text: string): string | undefined {
  return FILE.exec(text)?.[1];
}
