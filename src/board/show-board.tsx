import { constants } from 'node:os';
import { render } from 'ink';
import type { Board } from './board.ts';
import type { BoardEffects } from './board-effects.ts';
import { BoardPicture } from './board-picture.tsx';
import { FeedbackPicture } from './feedback-picture.tsx';
import { Keys } from './keys.tsx';
import { layoutOf } from './layout.ts';
import { selectedCard } from './move-selection.ts';
import { type Command, FIRST_VIEW, pressKey } from './press-key.ts';
import { openScreen } from './screen.ts';
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

  /** All that a picture, or a key, depends on. */
  const look = () => {
    const { columns = USUAL.columns, rows = USUAL.rows } = stdout;
    const selected = selectedCard(board, view.selected);
    const isReading = view.mode.kind === 'feedback' && selected !== undefined;
    const feedback = isReading ? effects.feedback(selected, columns) : [];
    return { columns, rows, selected, feedback, layout: layoutOf(board, columns, rows) };
  };
  const picture = () => {
    const seen = look();
    const { selected, feedback } = seen;
    const now = new Date().toISOString();
    return (
      <Keys press={press}>
        {view.mode.kind === 'feedback' && selected ? (
          <FeedbackPicture {...seen} card={selected} lines={feedback} top={view.mode.top} paint={paint} />
        ) : (
          <BoardPicture {...seen} board={board} view={view} now={now} paint={paint} />
        )}
      </Keys>
    );
  };
  const screen = openScreen(stdout);
  // Ink shall write whole pictures, which is what it does in order to be debugged.
  const ink = render(picture(), {
    stdin,
    stdout: screen.pictures,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  const draw = () => ink.rerender(picture());

  function press(key: string): void {
    const { rows, feedback, layout } = look();
    const page = rows - 2;
    const reaction = pressKey(view, key, {
      board,
      isStacked: layout.isStacked,
      page,
      lines: feedback.length,
    });
    view = reaction.view;
    draw();
    if (reaction.command) carryOut(reaction.command);
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
  const endings = SIGNALS.map((signal) => {
    const ending = () => end(128 + constants.signals[signal]);
    process.once(signal, ending);
    return () => process.off(signal, ending);
  });
  stdout.on('resize', draw);
  try {
    return await Promise.race([ended, ink.waitUntilExit().then(() => 0)]);
  } finally {
    stdout.off('resize', draw);
    for (const forget of endings) forget();
    clearInterval(clock);
    stopFollowing();
    ink.unmount();
    screen.close();
  }
}
