import type { Line } from './failure.ts';
import { FailureFinder } from './failure-finder.ts';
import { FailureStore, type StoredFailure, type Tally } from './failure-store.ts';
import { type LineForm, LineForms } from './line-form.ts';
import { meaningOf, WEIGHT } from './line-meaning.ts';
import { LineReader } from './line-reader.ts';
import { OutputOutline } from './output-outline.ts';

type Stream = 'stdout' | 'stderr';

/** Lines of a run of the same, or of such that differ in numbers only, that are looked at one by one. */
const RUN_LINES = 1000;
/** Tasks whose lines are told apart by their prefix. */
const MAX_CHANNELS = 64;

/** `[web] …`, `web | …`, `web:build: …`, `packages/web build: …`, and the time: whoever ran the tool put it there. */
const PREFIX =
  /^(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d\S*\]?\s+)?(?:==\d+== |\[(?!error|err|info|warn|warning|debug|fatal|note|\d|!|\s)[\w@:./ -]{1,40}\] ?|[a-z@][\w@./-]{0,40} +\| ?|@?[\w./-]*\w[:#][a-z][\w:-]*: |@[\w.-]+\/[\w.-]+: |@?[\w.-]+\/[\w./-]+ [a-z][\w:-]*: )?/i;
/** The time is no part of a task's name. */
const TIME = /^\[?\d{4}[-/]\d\d[-/]\S+\s+(?:\d\d:\S+\s+)?/;

/** What was found in an output. */
export interface Findings {
  /** Lines that came, blank ones included. */
  readonly lineCount: number;
  readonly outline: OutputOutline;
  /** In order of arrival. */
  readonly failures: readonly StoredFailure[];
  readonly tallies: ReadonlyMap<number, Tally>;
  /** Whether the output says that warnings made the command fail. */
  readonly warningsCount: boolean;
}

/** Reads a command's output as it comes, and keeps what tells of failures; its memory is bounded. */
export class Condenser {
  readonly #reader = new LineReader(
    (stream, text) => this.#line(stream, text),
    (text) => !isFailure(text),
  );
  readonly #finders = new Map<string, FailureFinder>();
  readonly #forms = new LineForms();
  readonly #store = new FailureStore();
  readonly #outline = new OutputOutline();
  #last: { readonly stream: Stream; readonly task: string; readonly finder: FailureFinder } | undefined;
  #lineCount = 0;
  #lastText: string | undefined;
  #same = 0;
  #lastForm: LineForm | undefined;
  #alike = 0;
  #skipped: { readonly finder: FailureFinder; readonly line: Line; readonly form: LineForm } | undefined;
  #warningsCount = false;

  write(stream: Stream, bytes: Buffer): void {
    this.#reader.write(stream, bytes);
  }

  /** Ends the output. */
  findings(): Findings {
    this.#reader.end();
    this.#endRun();
    for (const finder of this.#finders.values()) finder.end();
    this.#outline.end();
    return {
      lineCount: this.#lineCount,
      outline: this.#outline,
      failures: this.#store.failures(),
      tallies: this.#store.tallies,
      warningsCount: this.#warningsCount,
    };
  }

  #line(stream: Stream, text: string): void {
    // Of the very same line, over and over, the first ones and the last tell all.
    if (text === this.#lastText) {
      if (++this.#same > RUN_LINES) {
        this.#lineCount++;
        return;
      }
    } else {
      this.#same = 0;
      this.#lastText = text;
    }
    const line: Line = { at: this.#lineCount++, text };
    const prefix = PREFIX.exec(text)?.[0] ?? '';
    const task = prefix === '' ? '' : prefix.replace(TIME, '');
    const finder = this.#finderOf(stream, task);
    if (text.length === prefix.length) {
      finder.takeBlank();
      this.#outline.addBlank(line);
      return;
    }
    const form = this.#forms.of(prefix === '' ? text : text.slice(prefix.length));
    // So do those of lines that differ in their numbers only.
    if (form !== this.#lastForm) this.#endRun();
    this.#lastForm = form;
    if (++this.#alike > RUN_LINES) {
      this.#skipped = { finder, line, form };
      return;
    }
    this.#tell(finder, line, form, task);
  }

  #endRun(): void {
    const hidden = this.#alike - RUN_LINES - 1;
    const skipped = this.#skipped;
    this.#alike = 0;
    this.#skipped = undefined;
    if (!skipped) return;
    if (skipped.form.weight > 0) this.#store.countMore(skipped.form.weight, hidden);
    this.#tell(skipped.finder, skipped.line, skipped.form, '');
  }

  #tell(finder: FailureFinder, line: Line, form: LineForm, task: string): void {
    const isNoise = finder.take(line, form);
    if (form.meaning.kind === 'passed') this.#store.passed(task, line.at);
    if (form.warningsCount) this.#warningsCount = true;
    this.#outline.add(line, form.shape, isNoise);
  }

  #finderOf(stream: Stream, task: string): FailureFinder {
    if (stream === this.#last?.stream && task === this.#last.task) return this.#last.finder;
    const finder = this.#finderNamed(stream, task);
    this.#last = { stream, task, finder };
    return finder;
  }

  #finderNamed(stream: Stream, task: string): FailureFinder {
    const name = `${stream} ${task}`;
    const known = this.#finders.get(name);
    if (known) return known;
    if (this.#finders.size >= MAX_CHANNELS) return this.#finders.values().next().value as FailureFinder;
    const finder = new FailureFinder((failure) => this.#store.add(failure, task));
    this.#finders.set(name, finder);
    return finder;
  }
}

function isFailure(text: string): boolean {
  const meaning = meaningOf(text);
  return meaning.kind === 'failure' && meaning.weight >= WEIGHT.thrown;
}
