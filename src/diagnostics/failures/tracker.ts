import { keyOf } from '../../gates/known-failures.ts';
import type { GateBaseline, KnownFailure } from '../../gates/types.ts';
import { SEVERITY } from '../lines/rules.ts';
import { namesPlace } from '../lines/structure.ts';
import type { FailureBlock, Line } from './failure.ts';
import { type FailureIdentity, headingFile, identityOf, type Surroundings } from './identity.ts';
import { TaskResults } from './task-results.ts';

/** All failures of an output, as a baseline has them. */
export interface TrackedFailures {
  readonly failures: readonly KnownFailure[];
  /** How many the output itself reports, by the words around the number. */
  readonly reported: Readonly<Record<string, number>>;
  /** False if there were too many to keep them apart. */
  readonly isComplete: boolean;
}

/** More lines about failures are not kept apart. */
const MAX_FAILURES = 20_000;
/** More words around the number of failures are not kept apart. */
const MAX_REPORTED = 2000;

/** One line about a failure. */
interface Tracked {
  readonly identity: FailureIdentity;
  severity: number;
  readonly block: { readonly headline: { readonly at: number } };
}

/**
 * Keeps every failure of an output by its identity, one for each line that says that something failed: which lines make
 * one failure depends on their neighbours.
 */
export class FailureTracker {
  readonly root: string;
  readonly #tracked: Tracked[] = [];
  /** Not counted unless the output says that they made the command fail. */
  readonly #warnings: Tracked[] = [];
  readonly #results = new TaskResults<Tracked>();
  readonly #reported = new Map<string, number>();
  /** How often a known failure is expected again. */
  readonly #expected: Map<string, number>;

  constructor({ root, failures }: GateBaseline) {
    this.root = root;
    this.#expected = new Map(failures.map((failure) => [keyOf(failure), failure.count]));
  }

  /** @returns whether the failure is known */
  add(identity: FailureIdentity, severity: number, at: number, task: string): boolean {
    const list = severity === SEVERITY.warning ? this.#warnings : this.#tracked;
    const tracked = { identity, severity, block: { headline: { at } } };
    if (list.length <= MAX_FAILURES) list.push(tracked);
    if (severity === SEVERITY.failedTest) this.#results.failed(task, at);
    else if (severity !== SEVERITY.warning) this.#results.wait(task, tracked);
    const key = keyOf(identity);
    const left = this.#expected.get(key) ?? 0;
    if (left > 0) this.#expected.set(key, left - 1);
    return left > 0;
  }

  started(task: string, at: number): void {
    this.#results.started(task, at);
  }

  passed(task: string, at: number): void {
    this.#results.passed(task, at);
  }

  /** Reads how many failures a line reports: `Tests: 2 failed`, `FAILED (errors=1)`. */
  readSummary(text: string): void {
    const lead = LEAD.exec(text)?.[0];
    if (lead === undefined) return;
    const words = lead.match(/[A-Za-z]+/g) ?? [];
    for (const [, before, after, word, number] of text.matchAll(REPORTED)) {
      const what = (after ?? word ?? '').toLowerCase().replace(/s$/, '');
      const key = [...words, what].join(' ');
      const count = Number((before ?? number ?? '').replaceAll(',', ''));
      const known = this.#reported.get(key);
      if (known !== undefined || (count > 0 && this.#reported.size <= MAX_REPORTED))
        this.#reported.set(key, (known ?? 0) + count);
    }
  }

  /** @param withWarnings whether warnings made the command fail */
  result(withWarnings: boolean): TrackedFailures {
    const lists = withWarnings ? [this.#tracked, this.#warnings] : [this.#tracked];
    const counts = new Map<string, { readonly identity: FailureIdentity; count: number }>();
    for (const { identity, severity } of lists.flat()) {
      if (severity < (withWarnings ? SEVERITY.warning : SEVERITY.tagged)) continue;
      if (severity === SEVERITY.mentioned) continue;
      const key = keyOf(identity);
      const known = counts.get(key);
      if (known) known.count++;
      else counts.set(key, { identity, count: 1 });
    }
    return {
      failures: [...counts.values()].map(({ identity, count }) => ({ ...identity, count })),
      reported: Object.fromEntries(this.#reported),
      isComplete: lists.every(({ length }) => length <= MAX_FAILURES) && this.#reported.size <= MAX_REPORTED,
    };
  }
}

/** What is before the first number of a line, at most three words. */
const LEAD = /^\W*(?:[A-Za-z]+\W+){0,3}(?:(?=\d)|(?=[A-Za-z]+\s*[=:]\s*\d))/;
const REPORTED =
  /\b(\d[\d,]*)\s+(failed|failing|failures?|errors?)\b|\b(failed|failures?|fail|errors?)\b\s*[=:]?\s*(\d+)\b/gi;

/** Gives the lines of one channel's failures to the tracker. */
export class ChannelTracker {
  readonly #tracker: FailureTracker;
  readonly #task: string;
  /** The files of the headings above, outermost first. */
  readonly #headings: { readonly indent: number; readonly file: string }[] = [];
  /** That of the headline. */
  #heading: string | undefined;
  #lead: string | undefined;
  #place: string | undefined;
  #introduced: string | undefined;
  #severity = 0;
  /** Whether every line of the failure is known. */
  #isKnown = true;

  /** @param task the prefix of the channel's lines */
  constructor(tracker: FailureTracker, task: string) {
    this.#tracker = tracker;
    this.#task = task;
  }

  /** Takes every line, before it begins or continues a failure. */
  sees({ text }: Line, indent: number): void {
    while ((this.#headings.at(-1)?.indent ?? -1) >= indent) this.#headings.pop();
    const file = headingFile(text, this.#tracker.root);
    if (file !== undefined) this.#headings.push({ indent, file });
  }

  /** @param severity of the headline alone */
  began(lead: Line | undefined, indent: number, severity: number): void {
    this.#heading = this.#headingAbove(indent);
    this.#lead = lead?.text;
    this.#place = undefined;
    this.#introduced = undefined;
    this.#severity = severity;
    this.#isKnown = true;
  }

  /** @param isMessage whether it belongs to what the headline says */
  continued(line: Line, indent: number, severity: number, isMessage: boolean): void {
    if (severity > SEVERITY.mentioned || severity === SEVERITY.warning)
      this.#add(line, severity, {
        heading: severity === SEVERITY.failedTest ? this.#headingAbove(indent) : undefined,
      });
    else if (isMessage) this.#introduced ??= line.text;
    if (namesPlace(line.text)) this.#place ??= line.text;
  }

  /** @returns whether nothing in the failure is new */
  ended({ severity, headline }: FailureBlock): boolean {
    const own = this.#ownSeverity(severity);
    if (own !== SEVERITY.mentioned)
      this.#add(headline, own, {
        heading: this.#heading,
        lead: this.#lead,
        place: this.#place,
        introduced: this.#introduced,
      });
    return this.#isKnown;
  }

  #headingAbove(indent: number): string | undefined {
    return this.#headings.findLast((heading) => heading.indent < indent)?.file;
  }

  /** Lines below may show that the headline is more than it says, or that it is a warning. */
  #ownSeverity(ofAll: number): number {
    if (ofAll === SEVERITY.warning || this.#severity === SEVERITY.warning) return SEVERITY.warning;
    return ofAll < SEVERITY.thrown ? this.#severity : Math.max(this.#severity, SEVERITY.thrown);
  }

  #add({ text, at }: Line, severity: number, surroundings: Surroundings): void {
    const isTest = severity === SEVERITY.failedTest;
    const identity = identityOf(text, isTest, { ...surroundings, task: this.#task }, this.#tracker.root);
    if (!this.#tracker.add(identity, severity, at, this.#task)) this.#isKnown = false;
  }
}
