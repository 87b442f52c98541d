import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';

/** Sequences of xterm: the alternate screen without a cursor, and synchronized updates. */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[2J';
const LEAVE = '\x1b[?25h\x1b[?1049l';
const BEGIN_UPDATE = '\x1b[?2026h';
const END_UPDATE = '\x1b[?2026l';

export interface Screen {
  /** Each write is a whole frame, its lines from the top of the screen on. */
  readonly frames: NodeJS.WriteStream;
  /** Restores the terminal. */
  close(): void;
}

/**
 * Switches the terminal to its alternate screen and draws the lines of each frame that have changed. Ink itself draws
 * relative to the cursor, and clears the scrollback when its output is as high as the terminal.
 *
 * The terminal is also restored when the process exits, unless it is killed.
 */
export function openScreen(terminal: WriteStream): Screen {
  let drawn: readonly string[] = [];
  let isOpen = true;
  const clear = () => {
    drawn = [];
    terminal.write('\x1b[2J');
  };
  const draw = (frame: string) => {
    const lines = frame.split('\n').slice(0, terminal.rows);
    const removed = drawn.slice(lines.length).map(() => '');
    const changed = [...lines, ...removed].flatMap((line, row) =>
      line === drawn[row] ? [] : [`\x1b[${row + 1};1H\x1b[2K${line}`],
    );
    drawn = lines;
    if (changed.length > 0) terminal.write(`${BEGIN_UPDATE}${changed.join('')}${END_UPDATE}`);
  };
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    terminal.off('resize', clear);
    process.off('exit', close);
    terminal.write(LEAVE);
  };
  terminal.write(ENTER);
  terminal.on('resize', clear);
  process.once('exit', close);
  const frames = new Writable({
    decodeStrings: false,
    write(frame: string, _encoding, done) {
      // Ink makes an empty write to wait until all is written.
      if (isOpen && frame !== '') draw(frame);
      done();
    },
  });
  const size = { columns: { get: () => terminal.columns }, rows: { get: () => terminal.rows } };
  return { frames: Object.defineProperties(frames, size) as unknown as NodeJS.WriteStream, close };
}
