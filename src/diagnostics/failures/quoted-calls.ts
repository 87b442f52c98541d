import type { ClassifiedLine } from '../lines/classify.ts';
import { isExternalPlace } from '../lines/stack-frames.ts';
import { isChained, separatorIn } from '../lines/structure.ts';
import { type FailureLine, type Line, PRIORITY, type StoredFailure } from './failure.ts';

/** Where the section of a test begins, for pytest and pytest-sugar. */
const SECTION = /^(?:_|―+ \w)/;
/** Between two calls of a test. */
const BETWEEN_CALLS = /^(?:_ ){3,}_?$/;
/** An argument of the function that is quoted below it. */
const ARGUMENT = /^[\w.]+ += /;
/** One without a value that could be wrong. */
const OPAQUE = /= (?:None|<.*>)$/;
const MAX_ARGUMENT = 240;
const FUNCTION = /^ {4}(?:@|(?:async )?def |class )/;
/** The line of a function that was called. */
const CALLED = /^> /;
const ERROR = /^E(?:\s|$)/;
/** The place of a function, below it. */
const PLACE = /^\S+:\d+:(?: [\w.]+)?\s*$/;
/** The place of a call, above its source. */
const FRAME = /^\S+:\d+: in \S/;
/** Source that cannot be read: that of a compiled package. */
const UNKNOWN = /^(?:>|\s)\s+\?{3}$/;

/** What a line is in such a stack; undefined for one that is read as any other. */
export type QuotedPart = 'source' | 'error' | 'place' | 'externalPlace' | 'external' | undefined;

/**
 * The stack of a test, where each call is shown with the arguments and the source of its function, and its place below, as
 * pytest does: the words of the source say nothing about the run.
 */
export class QuotedCalls {
  #isSection = false;
  #isFunction = false;
  #called: Line | undefined;
  #frame: Line | undefined;
  #first: readonly Line[] = [];
  #last: readonly Line[] = [];
  /** Of the function that is quoted. */
  #arguments: Line[] = [];

  /** The arguments of the function that threw, if the test has called it: those of a test are in its name. */
  get arguments(): readonly Line[] {
    return this.#last.length === 0 ? [] : this.#arguments;
  }

  /** The first and the last call in the project's code: of each, its source and its place. */
  get calls(): readonly Line[] {
    return this.#first === this.#last ? this.#last : [...this.#first, ...this.#last];
  }

  read(line: Line, classified: ClassifiedLine): QuotedPart {
    const { text } = line;
    // In a comment, a line may underline a title.
    if (classified.indent === 0 && classified.ask(separatorIn)) {
      this.#isSection = SECTION.test(text);
      this.#isFunction = false;
      this.#first = this.#last = [];
      this.#arguments = [];
      this.#called = this.#frame = undefined;
    }
    if (!this.#isSection) return undefined;
    // The next exception has calls of its own.
    if (classified.ask(isChained)) this.#first = this.#last = [];
    const frame = this.#frame;
    this.#frame = undefined;
    if (frame && classified.indent > 0) {
      if (isExternalPlace(frame.text) || UNKNOWN.test(text)) return 'external';
      this.#add([frame, line]);
    }
    if (BETWEEN_CALLS.test(text)) {
      this.#arguments = [];
      return 'external';
    }
    if (FUNCTION.test(text)) this.#isFunction = true;
    else if (CALLED.test(text)) this.#called = line;
    else if (PLACE.test(text)) return this.#endFunction(line);
    else if (FRAME.test(text)) {
      this.#frame = line;
      if (isExternalPlace(text)) return 'external';
    }
    if (ERROR.test(text)) return this.#endSource();
    const isSource = this.#isFunction && (classified.indent > 0 || CALLED.test(text));
    if (!ARGUMENT.test(text)) return isSource ? 'source' : undefined;
    const hasValue = !OPAQUE.test(text) && text.length <= MAX_ARGUMENT;
    if (!this.#isFunction && hasValue) this.#arguments.push(line);
    return 'source';
  }

  /** What the function threw is as deep as the line that threw it. */
  #endSource(): QuotedPart {
    const isFirst = this.#isFunction;
    this.#isFunction = false;
    return isFirst ? 'error' : undefined;
  }

  #endFunction(place: Line): QuotedPart {
    const called = this.#called;
    this.#isFunction = false;
    this.#called = undefined;
    if (isExternalPlace(place.text) || UNKNOWN.test(called?.text ?? '')) return 'externalPlace';
    this.#add(called ? [called, place] : [place]);
    return 'place';
  }

  #add(call: readonly Line[]): void {
    if (this.#first.length === 0) this.#first = call;
    this.#last = call;
  }
}

/** Something was not found in a collection: its value shows what is there. */
const NOT_FOUND = /^E\s+(?:KeyError|IndexError)\b/;
const COLLECTION = /^[\w.]+ += [[{]/;
/** The value of an argument is a file: it may be the one that is wrong. */
const FILE = /['"]([^'"]*\/[^'"]+\.\w{1,5})['"]\)?$/;
/** Beside more errors, other arguments take the space of what is wrong. */
const FEW_ERRORS = 4;

/** The positions of the arguments that are kept with errors, if there are many. */
export function spareArgumentsIn(failures: readonly StoredFailure[]): number[] {
  const thrown = failures.filter(({ block }) => block.lines.some(({ text }) => ERROR.test(text)));
  if (thrown.length <= FEW_ERRORS) return [];
  return thrown.flatMap(({ block: { lines } }) => {
    const isNotFound = lines.some(({ text }) => NOT_FOUND.test(text));
    const isSaid = (file: string) => lines.some(({ text }) => ERROR.test(text) && text.includes(file));
    const isSpare = ({ priority, text }: FailureLine) => {
      const file = FILE.exec(text)?.[1];
      const mayBeWrong = file === undefined ? isNotFound && COLLECTION.test(text) : !isSaid(file);
      return priority === PRIORITY.body && ARGUMENT.test(text) && !mayBeWrong;
    };
    return lines.filter(isSpare).map(({ at }) => at);
  });
}
