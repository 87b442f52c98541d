import type { ClassifiedLine } from '../lines/classify.ts';
import { SEVERITY } from '../lines/rules.ts';
import { isExternalFrame, isFrame } from '../lines/stack-frames.ts';
import { type FailureBlock, type FailureLine, type Line, normalized, PRIORITY } from './failure.ts';
import { ownLines } from './shown-frames.ts';

/** The thread that the dump is about. */
const CURRENT = /^goroutine \d+ .*\[running|^Current |\b[Cc]rashed\b|^\* thread #/;
/** Says no more than that. */
const RUNNING = /^goroutine \d+ \[running\]:$/;
/** In Go: above it are the functions that have dealt with the panic. */
const PANIC = /^panic\(/;
/** What differs from thread to thread in equal stacks. */
const ARGUMENTS = / in goroutine \d+|\((?:[^()]*=[^()]*|[\da-fx?.,{} ]+)\)/g;
const TEST_FILE = /(?:[_.](?:test|spec)|Tests?)\.\w+\b|\btest_\w+\.\w+|(?:^|[\s/"])tests?\//;
/** Of a deeper stack, the innermost frames are kept. */
const MAX_LINES = 120;
const MAX_CHARACTERS = 12_000;

/**
 * The stack of one thread in a dump. A dump has one for each thread, most of which wait at the same place: equal stacks
 * have one signature, so that they are shown once, with their count.
 */
export class ThreadStack {
  readonly isCurrent: boolean;
  readonly #heading: Line;
  readonly #indent: number;
  readonly #lines: Line[] = [];
  #characters = 0;

  constructor(heading: Line, { indent }: ClassifiedLine) {
    this.#heading = heading;
    this.#indent = indent;
    this.isCurrent = CURRENT.test(heading.text);
  }

  /** @returns whether the line is part of the stack */
  take(line: Line, classified: ClassifiedLine): boolean {
    // A logger may go on while the stacks are printed.
    const isLogged = classified.classification === 'chatter';
    const isInStack = classified.ask(isFrame) || classified.ask(isExternalFrame);
    const isPart = !isLogged && (classified.indent > this.#indent || isInStack || /^\.{3}/.test(line.text));
    if (isPart) this.#characters += line.text.length + 1;
    if (isPart && this.#lines.length < MAX_LINES && this.#characters <= MAX_CHARACTERS)
      this.#lines.push(line);
    return isPart;
  }

  /** The thread as a failure; undefined if none of its frames is the project's. */
  end(): FailureBlock | undefined {
    const panic = this.#lines.findLastIndex(({ text }) => PANIC.test(text));
    const own = ownLines(this.#lines.slice(panic + 1));
    const frames = own.filter(({ text }) => isFrame(text));
    if (frames.length === 0) return undefined;
    const signature = frames.map(({ text }) => normalized(text.replace(ARGUMENTS, ''))).join('\n');
    const isOfTest = frames.some(({ text }) => TEST_FILE.test(text));
    return {
      severity: this.isCurrent || isOfTest ? SEVERITY.thrown : SEVERITY.mentioned,
      template: undefined,
      signature,
      headline: this.#heading,
      lines: [
        { ...this.#heading, priority: PRIORITY.error },
        ...own.map(
          (line): FailureLine => ({
            ...line,
            priority: isFrame(line.text) ? PRIORITY.error : PRIORITY.detail,
          }),
        ),
      ],
      dropped: this.#lines.filter((line) => !own.includes(line)).map(({ at }) => at),
    };
  }
}

/** The lines of the thread that an error is about, and where those are that say nothing more. */
export function belowError({ headline, lines, dropped = [] }: FailureBlock): {
  readonly lines: readonly FailureLine[];
  readonly dropped: readonly number[];
} {
  return RUNNING.test(headline.text)
    ? { lines: lines.filter(({ at }) => at !== headline.at), dropped: [headline.at, ...dropped] }
    : { lines, dropped };
}
