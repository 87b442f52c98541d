import type { ClassifiedLine } from './classify.ts';
import { type FailureBlock, type FailureLine, type Line, normalized, PRIORITY } from './failure.ts';
import { withoutPrefix } from './prefix.ts';
import { SEVERITY } from './rules.ts';
import { isExternalFrame, isFrame, stackIndentOf } from './stack-frames.ts';
import { indentOf, namesPlace } from './structure.ts';

/** The thread that the dump is about. */
const CURRENT = /^goroutine \d+ .*\[running|^Current |\b[Cc]rashed\b|^\* thread #/;
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
    const isPart =
      !isLogged && (classified.indent > this.#indent || classified.ask(isFrame) || /^\.{3}/.test(line.text));
    if (isPart) this.#characters += line.text.length + 1;
    if (isPart && this.#lines.length < MAX_LINES && this.#characters <= MAX_CHARACTERS)
      this.#lines.push(line);
    return isPart;
  }

  /** The thread as a failure; undefined if none of its frames is the project's. */
  end(): FailureBlock | undefined {
    const own = ownLines(this.#lines);
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

/** The lines of a stack without those of external frames: a frame may have a line for its name and one for its place. */
export function ownLines(lines: readonly Line[]): Line[] {
  const own: Line[] = [];
  let externalIndent: number | undefined;
  for (const line of lines) {
    const said = withoutPrefix(line.text);
    const indent = stackIndentOf(said);
    if (isExternalFrame(said)) {
      externalIndent = indent;
      dropNameOf(line, own);
    } else if (externalIndent === undefined || indent <= externalIndent || isFrame(said)) {
      externalIndent = undefined;
      own.push(line);
    }
  }
  return own;
}

/** A frame with an offset in a program, not with a place. */
const OFFSET = /^\s*#\d+ .*\(\S+\+0x[\da-f]+\)/;

/**
 * Without the outermost frames of a stack that have an offset only, if others have a place: the project is compiled with
 * places, and what calls it, such as a fuzzer, is not.
 */
export function withoutOffsets(lines: readonly Line[]): Line[] {
  const kept: Line[] = [];
  /** Whether a frame of the stack that is being read has a place. */
  let hasPlace = false;
  for (const line of lines) {
    const isPlace = namesPlace(line.text);
    if (hasPlace && !isPlace && OFFSET.test(line.text)) continue;
    hasPlace = isFrame(line.text) && (hasPlace || isPlace);
    kept.push(line);
  }
  return kept;
}

/** The frame of what calls a function of Rust: the part of it that the compiler has made. */
const CLOSURE = /^\s*\d+: (\S+?)(?:::\{\{closure\}\})+$/;

/** Without the frames of the closures of a function that is shown above, such as those of a test, and where they are. */
export function withoutClosures(lines: readonly Line[]): Line[] {
  const kept: Line[] = [];
  let isClosure = false;
  for (const line of lines) {
    const isPlace = isClosure && /^\s+at \S/.test(line.text);
    const name = CLOSURE.exec(line.text)?.[1];
    isClosure =
      name !== undefined &&
      kept.slice(-2).some(({ text }) => /^\s*\d+: /.test(text) && text.endsWith(`: ${name}`));
    if (!isClosure && !isPlace) kept.push(line);
  }
  return kept;
}

/** Removes the last line if it is the name of the frame whose place is on the next one. @returns that line */
export function dropNameOf(place: Line, lines: Line[]): Line | undefined {
  const above = lines.at(-1);
  const isName = above?.at === place.at - 1 && isFrame(above.text) && !/:\d/.test(above.text);
  return isName && indentOf(above.text) < indentOf(place.text) ? lines.pop() : undefined;
}
