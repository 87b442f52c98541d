import { clearLine, cursorTo } from 'node:readline';
import { duration } from '../../base/text.ts';
import type { Paint } from '../../messages/paint.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;

/**
 * One line that is drawn over and over, never wider than the terminal: a wrapped line could not be drawn over.
 *
 * @returns undefined where there is no terminal that can do it
 */
export function liveLine(out: NodeJS.WriteStream, paint: Paint) {
  if (!out.isTTY || process.env.TERM === 'dumb') return undefined;
  let timer: NodeJS.Timeout | undefined;
  const draw = (text: string, startedAt: number) => {
    const elapsed = Date.now() - startedAt;
    const frame = FRAMES[Math.floor(elapsed / FRAME_MS) % FRAMES.length] ?? '';
    const time = duration(elapsed);
    cursorTo(out, 0);
    clearLine(out, 1);
    const room = (out.columns ?? 80) - time.length - 6;
    out.write(`${paint('yellow', frame)} ${fit(text, room)}  ${paint('dim', time)}`);
  };
  return {
    start(text: string) {
      const startedAt = Date.now();
      draw(text, startedAt);
      timer = setInterval(() => draw(text, startedAt), FRAME_MS);
    },
    stop() {
      clearInterval(timer);
      cursorTo(out, 0);
      clearLine(out, 1);
    },
  };
}

/** Cuts a text to a width in columns. Everything outside ASCII is taken to be two wide: too narrow does no harm. */
function fit(text: string, columns: number): string {
  let width = 0;
  let fitted = '';
  for (const character of text) {
    width += (character.codePointAt(0) ?? 0) > 0x7e ? 2 : 1;
    if (width > columns) return fitted;
    fitted += character;
  }
  return fitted;
}
