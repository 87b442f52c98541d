import { fstatSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { reasonOf } from '../base/files.ts';
import { duration, listed, printable } from '../base/text.ts';
import { write } from '../hook/io.ts';
import { coloured, isColour, type Paint, plain } from '../messages/paint.ts';
import { secretsIn } from '../process/secrets/environment.ts';
import { maskTexts } from '../process/secrets/masker.ts';

/** The exit codes of all commands. */
export const EXIT = {
  ok: 0,
  /** What was asked for did not hold, or could not be done. */
  failed: 1,
  /** The command line or the configuration is wrong. */
  usage: 2,
  budgetExceeded: 3,
  /** As timeout(1) reports that the time was up. */
  stillRunning: 124,
  interrupted: 130,
} as const;

/** Prints lines on stdout, as `forStdout` returns them. */
export function print(text: string | readonly string[]): void {
  process.stdout.write(`${forStdout([text].flat().join('\n'))}\n`);
}

/**
 * A text without anything that controls the terminal, but with our own colours: names, commands, and what is read from
 * files come from projects and agents.
 */
export function forStdout(text: string): string {
  return printable(text, stdoutPaint() === plain ? undefined : isColour);
}

/** Prints lines on stderr, printable and with secrets masked. */
export function warn(text: string | readonly string[]): void {
  // First of all printable: a control character inside a secret would hide it from the search.
  const lines = [text].flat().map((line) => printable(line));
  process.stderr.write(`${maskTexts(lines, secretsIn(process.env)).join('\n')}\n`);
}

/**
 * Reports an expected failure on stderr, as `warn` does.
 *
 * @returns the exit code
 */
export function fail(message: string | readonly string[], exitCode: number = EXIT.failed): number {
  warn(message);
  return exitCode;
}

/** The values of FORCE_COLOR that ask for colours, as Node reads them. */
const FORCED = ['', '1', '2', '3', 'true'];

/** Colours where stdout is a terminal that has them, for which Node reads NO_COLOR, or where FORCE_COLOR asks for them. */
export function stdoutPaint(): Paint {
  const forced = process.env.FORCE_COLOR;
  if (forced !== undefined) return FORCED.includes(forced) ? coloured : plain;
  // Setting up Node's own stream costs a quarter of Node's start, which `status` in a status line need not pay.
  return isCharacterDevice(1) && process.stdout.hasColors?.() ? coloured : plain;
}

/** The width of the terminal in columns; undefined without a terminal, and for one that reports a width of 0. */
export function stdoutColumns(): number | undefined {
  return process.stdout.columns || undefined;
}

/**
 * Makes the command fail if stdout cannot be written: a script would take the part that is there for all of it. The reader
 * of a pipe may leave before the end, as `head` does.
 */
export function failIfUnprinted(): void {
  let isReported = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || isReported) return;
    isReported = true;
    // Where the terminal is gone, an error of Node's stream would end this process before its gates.
    write(2, `${unprintedText(error)}\n`);
    // The command sets its own exit code later.
    process.once('exit', () => {
      process.exitCode = EXIT.failed;
    });
  });
}

export function unprintedText(error: Error): string {
  return `The output is not complete: ${reasonOf(error)}`;
}

/** Calls the listener, instead of ending the process, when the user or the system asks the program to end. */
export function onInterrupt(listener: (signal: NodeJS.Signals) => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, listener);
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
const CLEAR_LINE = '\x1b[1G\x1b[K';

/**
 * A line with a spinner that is redrawn in place. It is never wider than the terminal: a wrapped line could not be
 * redrawn.
 *
 * @returns undefined without a terminal that can redraw a line
 */
export function liveLine(out: NodeJS.WriteStream, paint: Paint) {
  if (!out.isTTY || process.env.TERM === 'dumb') return undefined;
  let timer: NodeJS.Timeout | undefined;
  const draw = (names: readonly string[], startedAt: number) => {
    const elapsed = Date.now() - startedAt;
    const frame = FRAMES[Math.floor(elapsed / FRAME_MS) % FRAMES.length] ?? '';
    const time = duration(elapsed);
    const width = Math.max(1, (out.columns || 80) - time.length - 6);
    const text = cut(listed(names, width), width);
    out.write(`${CLEAR_LINE}${paint('yellow', frame)} ${text}  ${paint('dim', time)}`);
  };
  return {
    /**
     * @param names of what runs; those for which there is no room are counted
     * @param startedAt milliseconds since 1970
     */
    start(names: readonly string[], startedAt = Date.now()) {
      clearInterval(timer);
      draw(names, startedAt);
      timer = setInterval(() => draw(names, startedAt), FRAME_MS);
    },
    stop() {
      clearInterval(timer);
      out.write(CLEAR_LINE);
    },
  };
}

/** An escape sequence, or a CRLF, that is not complete yet. */
const UNFINISHED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences consist of them
  /(?:\r|(?:\u001B\[|\u009B)[0-?]*[ -/]*|\u001B(?:[ -/]*|[\]PX^_][^\u0007\u001B\u009C\n]*\u001B?))$/;
const MAX_SEQUENCE = 4096;
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above
const COLOUR = /^\u001B\[[\d;:]*m$/;
/** One that hides the text after it. In `38;5;8`, 8 is a colour. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above
const HIDING = /^\u001B\[(?:(?![34]8[;:])\d*;)*0*8[;m]/;

/** A longer line is shown in parts. */
const MAX_LINE = 64 * 1024;
const RESET = '\x1b[0m';

/**
 * The output of a program as it may be shown while it runs: with its colours, without anything else that controls the
 * terminal. A line that the program redraws is shown as several.
 */
export class LiveOutput {
  readonly #decoder = new StringDecoder();
  readonly #prefix: string | undefined;
  /** What may be the start of a sequence. */
  #held = '';
  /** The start of a line. */
  #line = '';

  /** @param prefix of each line: then the text is whole lines, so that the lines of several programs do not mix */
  constructor(prefix?: string) {
    this.#prefix = prefix;
  }

  write(bytes: Buffer): string {
    return this.#inLines(this.#take(this.#decoder.write(bytes), false));
  }

  /** Returns what was held back. */
  end(): string {
    const text = this.#inLines(this.#take(this.#decoder.end(), true));
    return this.#line === '' ? text : text + this.#inLines('\n');
  }

  #inLines(text: string): string {
    if (this.#prefix === undefined) return text;
    const lines = (this.#line + text).split('\n');
    const rest = lines.pop() ?? '';
    this.#line = rest.length > MAX_LINE ? '' : rest;
    if (rest.length > MAX_LINE) lines.push(rest);
    // A colour must not go on in the line of another program.
    return lines.map((line) => `${this.#prefix}${line}${line.includes('\x1b') ? RESET : ''}\n`).join('');
  }

  #take(more: string, isLast: boolean): string {
    const text = this.#held + more;
    const unfinished = isLast ? undefined : UNFINISHED.exec(text.slice(-MAX_SEQUENCE))?.[0];
    this.#held = unfinished ?? '';
    const finished = text.slice(0, text.length - this.#held.length);
    return printable(
      finished.replace(/\r\n?/g, '\n'),
      (sequence) => COLOUR.test(sequence) && !HIDING.test(sequence),
    );
  }
}

/** Cuts a text to a width in columns. Every character outside ASCII counts as two columns; too narrow does no harm. */
function cut(text: string, columns: number): string {
  let width = 0;
  let end = 0;
  for (const character of text) {
    width += (character.codePointAt(0) ?? 0) > 0x7e ? 2 : 1;
    if (width > columns) break;
    end += character.length;
  }
  return text.slice(0, end);
}

function isCharacterDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}
