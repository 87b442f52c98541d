import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';

/** xterm's names: the screen of full-screen programs, the cursor, and drawing all at once where a terminal can. */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[2J';
const LEAVE = '\x1b[?25h\x1b[?1049l';
const BEGIN_DRAWING = '\x1b[?2026h';
const END_DRAWING = '\x1b[?2026l';

export interface Screen {
  /** Each write is a whole picture, its lines from the top of the screen on. */
  readonly pictures: NodeJS.WriteStream;
  /** Gives the terminal back as it was. */
  close(): void;
}

/**
 * Takes the terminal's second screen, and draws what has changed of each picture there. Ink draws relative to the cursor
 * and, where its output is as high as the terminal, clears what people can scroll back to.
 *
 * The terminal is given back however the process ends, unless it is killed.
 */
export function openScreen(terminal: WriteStream): Screen {
  let drawn: readonly string[] = [];
  let isOpen = true;
  const forget = () => {
    drawn = [];
    terminal.write('\x1b[2J');
  };
  const draw = (picture: string) => {
    const lines = picture.split('\n').slice(0, terminal.rows);
    const gone = drawn.slice(lines.length).map(() => '');
    const changed = [...lines, ...gone].flatMap((line, row) =>
      line === drawn[row] ? [] : [`\x1b[${row + 1};1H\x1b[2K${line}`],
    );
    drawn = lines;
    if (changed.length > 0) terminal.write(`${BEGIN_DRAWING}${changed.join('')}${END_DRAWING}`);
  };
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    terminal.off('resize', forget);
    process.off('exit', close);
    terminal.write(LEAVE);
  };
  terminal.write(ENTER);
  terminal.on('resize', forget);
  process.once('exit', close);
  const pictures = new Writable({
    decodeStrings: false,
    write(picture: string, _encoding, done) {
      // Ink writes nothing when it wants to know that all is written.
      if (isOpen && picture !== '') draw(picture);
      done();
    },
  });
  const size = { columns: { get: () => terminal.columns }, rows: { get: () => terminal.rows } };
  return { pictures: Object.defineProperties(pictures, size) as unknown as NodeJS.WriteStream, close };
}
