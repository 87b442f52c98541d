import { fstatSync } from 'node:fs';
import { duration } from '../base/text.ts';
import { coloured, type Paint, plain } from '../messages/paint.ts';
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
  interrupted: 130,
} as const;

export function print(text: string | readonly string[]): void {
  process.stdout.write(`${[text].flat().join('\n')}\n`);
}

/**
 * Reports an expected failure on stderr, with secrets masked.
 *
 * @returns the exit code
 */
export function fail(message: string | readonly string[], exitCode: number = EXIT.failed): number {
  process.stderr.write(`${maskTexts([message].flat(), secretsIn(process.env)).join('\n')}\n`);
  return exitCode;
}

/** Colours where stdout is a terminal that has them; Node reads NO_COLOR and FORCE_COLOR. */
export function stdoutPaint(): Paint {
  // Setting up Node's own stream costs a quarter of Node's start, which `status` in a status line need not pay.
  return isCharacterDevice(1) && process.stdout.hasColors?.() ? coloured : plain;
}

/** The width of the terminal in columns; undefined without a terminal, and for one that reports a width of 0. */
export function stdoutColumns(): number | undefined {
  return process.stdout.columns || undefined;
}

/** Calls the listener, instead of ending the process, when the user or the system asks the program to end. */
export function onInterrupt(listener: () => void): void {
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
  const draw = (text: string, startedAt: number) => {
    const elapsed = Date.now() - startedAt;
    const frame = FRAMES[Math.floor(elapsed / FRAME_MS) % FRAMES.length] ?? '';
    const time = duration(elapsed);
    const width = (out.columns || 80) - time.length - 6;
    out.write(`${CLEAR_LINE}${paint('yellow', frame)} ${cut(text, width)}  ${paint('dim', time)}`);
  };
  return {
    start(text: string) {
      const startedAt = Date.now();
      draw(text, startedAt);
      timer = setInterval(() => draw(text, startedAt), FRAME_MS);
    },
    stop() {
      clearInterval(timer);
      out.write(CLEAR_LINE);
    },
  };
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
