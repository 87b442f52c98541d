import { constants } from 'node:os';
import { render } from 'ink';
import type { Board } from './board.ts';
import type { BoardEffects } from './board-effects.ts';
import { BoardPicture } from './board-picture.tsx';
import { FeedbackPicture } from './feedback-picture.tsx';
import { Keys } from './keys.tsx';
import { layoutOf } from './layout.ts';
import { selectedCard } from './move-selection.ts';
import { type Command, pressKey } from './press-key.ts';
import { openScreen } from './screen.ts';
import { FIRST_VIEW, type Seen } from './view.ts';
import { fit } from './words.ts';

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const;
const SECOND_MS = 1000;
/** Where the terminal does not tell its size. */
const USUAL = { columns: 80, rows: 24 };

/**
 * Shows the board in a terminal until the person, or a signal, ends it.
 *
 * @param board as it is now
 * @returns the exit code: 0, or 128 and the number of the signal
 */
export async function showBoard(board: Board, effects: BoardEffects): Promise<number> {
  const { stdin, stdout, paint } = effects;
  let view = FIRST_VIEW;
  let end: (code: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });

  const look = (): Seen => {
    const { columns = USUAL.columns, rows = USUAL.rows } = stdout;
    const selected = selectedCard(board, view.selected);
    const isRead = view.mode.kind === 'feedback' && selected !== undefined;
    const feedback = isRead ? effects.feedback(selected, columns) : [];
    const layout = layoutOf(board, columns, rows);
    return { board, view, selected, feedback, columns, rows, layout, now: new Date().toISOString(), paint };
  };
  const picture = () => (
    <Keys press={press}>
      {view.mode.kind === 'feedback' ? <FeedbackPicture {...look()} /> : <BoardPicture {...look()} />}
    </Keys>
  );
  const screen = openScreen(stdout);
  const ink = render(picture(), {
    stdin,
    stdout: screen.pictures,
    // Ink shall write whole pictures, which is what it does in order to be debugged.
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  const draw = () => ink.rerender(picture());

  function press(key: string): void {
    const { view: next, command } = pressKey(key, look());
    view = next;
    draw();
    if (command) carryOut(command);
  }
  function carryOut(command: Command): void {
    if (command.kind === 'end') end(command.code);
    else
      effects
        .cancel(command.task)
        .then(tell, (error) => tell(`${command.task} was not cancelled: ${error.message}`));
  }
  function tell(notice: string): void {
    view = { ...view, notice: fit(notice) };
    draw();
  }

  let clock: NodeJS.Timeout | undefined;
  const stopFollowing = effects.follow((next) => {
    board = next;
    draw();
    clearInterval(clock);
    if (board.slots.length > 0) clock = setInterval(draw, SECOND_MS);
  });
  const forgetSignals = onSignals((signal) => end(128 + constants.signals[signal]));
  stdout.on('resize', draw);
  try {
    // Ink ends by itself where a picture cannot be drawn.
    return await Promise.race([ended, ink.waitUntilExit().then(() => 0)]);
  } finally {
    stdout.off('resize', draw);
    forgetSignals();
    clearInterval(clock);
    stopFollowing();
    ink.unmount();
    screen.close();
  }
}

function onSignals(end: (signal: (typeof SIGNALS)[number]) => void): () => void {
  for (const signal of SIGNALS) process.on(signal, end);
  return () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
}
