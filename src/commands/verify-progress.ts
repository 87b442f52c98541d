import { clearLine, cursorTo } from 'node:readline';
import type { WriteStream } from 'node:tty';
import type { GateCondensers } from '../feedback/gate-condensers.ts';
import type { Paint } from '../feedback/paint.ts';
import { failureDetails, gateName, resultLine } from '../feedback/report.ts';
import { duration } from '../feedback/wording.ts';
import type { Gate, GateEvent } from '../gates/gate.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;

export interface ProgressOptions {
  /** Absolute directory that the person is in: log paths are given from there. */
  readonly from: string;
  readonly nameWidth: number;
  readonly paint: Paint;
  /** They have read what the gates printed. */
  readonly condensers: GateCondensers;
  /** Print what the gates print, as it comes. */
  readonly verbose: boolean;
}

/**
 * Shows the gates as they run: in a terminal with a line that moves, in a pipe with a line when a gate starts and one
 * when it ends.
 */
export function showProgress(out: NodeJS.WriteStream, options: ProgressOptions): (event: GateEvent) => void {
  const live =
    out.isTTY && process.env.TERM !== 'dumb' && !options.verbose ? liveLine(out, options.paint) : undefined;
  return (event) => {
    switch (event.type) {
      case 'started':
        if (live) live.start(event.gate);
        else out.write(`${options.paint('dim', `▸ ${gateName(event.gate)}`)}\n`);
        return;
      case 'output':
        if (options.verbose) out.write(event.bytes);
        return;
      case 'ended': {
        live?.stop();
        const findings = options.condensers.findings().get(event.result.gate);
        const columns = out.isTTY ? out.columns : undefined;
        const details = options.verbose
          ? []
          : failureDetails(event.result, findings, options.from, options.paint, columns);
        out.write(`${[resultLine(event.result, options.nameWidth, options.paint), ...details].join('\n')}\n`);
      }
    }
  };
}

/** One line that is drawn over and over, never wider than the terminal: a wrapped line could not be drawn over. */
function liveLine(out: NodeJS.WriteStream & Partial<WriteStream>, paint: Paint) {
  let timer: NodeJS.Timeout | undefined;
  const draw = (gate: Gate, startedAt: number) => {
    const elapsed = Date.now() - startedAt;
    const frame = FRAMES[Math.floor(elapsed / FRAME_MS) % FRAMES.length] ?? '';
    const time = duration(elapsed);
    cursorTo(out, 0);
    clearLine(out, 1);
    const room = (out.columns ?? 80) - time.length - 6;
    out.write(`${paint('yellow', frame)} ${fit(gateName(gate), room)}  ${paint('dim', time)}`);
  };
  return {
    start(gate: Gate) {
      const startedAt = Date.now();
      draw(gate, startedAt);
      timer = setInterval(() => draw(gate, startedAt), FRAME_MS);
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
