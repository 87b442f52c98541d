import type { Line, StoredFailure } from './failure.ts';
import { FailureStore } from './failure-store.ts';
import { type LineForm, LineForms } from './line-form.ts';
import { meaningOf, WEIGHT } from './line-meaning.ts';
import { prefixOf, taskOf } from './line-prefix.ts';
import { LineReader } from './line-reader.ts';
import { OutputOutline } from './output-outline.ts';
import type { Tally } from './tallies.ts';
import { type Channel, type Stream, TaskChannels } from './task-channels.ts';

/** Lines of a run that are looked at one by one. */
const RUN_LINES = 1000;
/** Lines of one task that follow each other and are the same but for their numbers. */
interface Run extends Channel {
  readonly stream: Stream;
  readonly form: LineForm;
  /** The last line. */
  text: string;
  length: number;
  /** The last line, where it was not looked at. */
  skipped: Line | undefined;
}

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
  readonly #forms = new LineForms();
  readonly #store = new FailureStore();
  readonly #channels = new TaskChannels((failure, task) => this.#store.add(failure, task));
  readonly #outline = new OutputOutline();
  #run: Run | undefined;
  #lineCount = 0;
  #warningsCount = false;

  write(stream: Stream, bytes: Buffer): void {
    this.#reader.write(stream, bytes);
  }

  /** Ends the output. */
  findings(): Findings {
    this.#reader.end();
    this.#endRun();
    this.#channels.end();
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
    const line: Line = { at: this.#lineCount++, text };
    const run = this.#run;
    if (run && text === run.text && stream === run.stream) {
      this.#extend(run, line);
      return;
    }
    const prefix = prefixOf(text);
    const task = taskOf(prefix);
    const isSameTask = run && task === run.task && stream === run.stream;
    const finder = isSameTask ? run.finder : this.#channels.finderOf(stream, task);
    if (text.length === prefix.length) {
      finder.takeBlank();
      this.#outline.addBlank(line);
      return;
    }
    const form = this.#forms.of(prefix === '' ? text : text.slice(prefix.length));
    // A stack has no prefix, where what was thrown was logged with one.
    if (prefix === '' && run && run.task !== '' && stream === run.stream && form.isFrame) {
      this.#tell({ ...run, form }, line);
      return;
    }
    if (isSameTask && form === run.form) {
      run.text = text;
      this.#extend(run, line);
      return;
    }
    this.#endRun();
    this.#run = { stream, task, finder, form, text, length: 0, skipped: undefined };
    this.#extend(this.#run, line);
  }

  /** Of lines that are the same but for their numbers, over and over, the first ones and the last tell all. */
  #extend(run: Run, line: Line): void {
    if (++run.length > RUN_LINES) run.skipped = line;
    else this.#tell(run, line);
  }

  #endRun(): void {
    if (!this.#run?.skipped) return;
    const { form, length, skipped } = this.#run;
    if (form.weight > 0) this.#store.countMore(form.weight, length - RUN_LINES - 1);
    this.#tell(this.#run, skipped);
  }

  #tell({ finder, form, task }: Run, line: Line): void {
    const isNoise = finder.take(line, form);
    if (form.meaning.kind === 'passed') this.#pass(task, line.at);
    if (form.warningsCount) this.#warningsCount = true;
    this.#outline.add(line, form.shape, isNoise);
  }

  #pass(task: string, at: number): void {
    // What a logger wrote before is not waited for to end.
    if (task === '') this.#channels.endLogged();
    this.#store.passed(task, at);
  }
}

function isFailure(text: string): boolean {
  const meaning = meaningOf(text);
  return meaning.kind === 'failure' && meaning.weight >= WEIGHT.thrown;
}
