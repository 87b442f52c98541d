import { constants } from 'node:os';
import type { ReadStream, WriteStream } from 'node:tty';
import { render } from 'ink';
import type { Paint } from '../messages/paint.ts';
import { singleLine } from '../report/format.ts';
import { type Board, type Card, isMoving } from './board.ts';
import { BoardScreen, FeedbackScreen, KeyListener } from './components.tsx';
import { type BoardCommand, handleKey, selectedCard } from './keys.ts';
import { openScreen } from './screen.ts';
import { type BoardFrame, computeLayout, footerText, INITIAL_VIEW } from './view.ts';

interface BoardContext {
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
  readonly paint: Paint;
  /** Calls back with the board whenever it changes. @returns stops that */
  follow(onChange: (board: Board) => void): () => void;
  /** The last feedback about a card, in lines of at most `columns` characters. */
  feedback(card: Card, columns: number): readonly string[];
  /** @returns the outcome for the person */
  cancel(loop: string): Promise<string>;
}

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const;
const SECOND_MS = 1000;
/** For terminals that do not report their size. */
const DEFAULT_SIZE = { columns: 80, rows: 24 };

/**
 * Shows the board in a terminal until a key or a signal ends it.
 *
 * @param board the present board
 * @returns the exit code: 0, or 128 plus the number of the signal
 */
export async function showBoard(board: Board, context: BoardContext): Promise<number> {
  const { stdin, stdout, paint } = context;
  let view = INITIAL_VIEW;
  let end: (code: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });

  const currentFrame = (): BoardFrame => {
    const { columns = DEFAULT_SIZE.columns, rows = DEFAULT_SIZE.rows } = stdout;
    const selected = selectedCard(board, view.selected);
    const feedback = selected ? context.feedback(selected, columns) : [];
    const footer = footerText(view, paint);
    const excerpt = view.mode.kind === 'feedback' ? [] : feedback;
    const content = { now: new Date().toISOString(), footer, excerpt, paint };
    const layout = computeLayout(board, { columns, rows }, content);
    return { board, view, selected, feedback, columns, rows, layout, paint };
  };
  const element = () => {
    const Screen = view.mode.kind === 'feedback' ? FeedbackScreen : BoardScreen;
    return (
      <KeyListener onKey={onKey}>
        <Screen {...currentFrame()} />
      </KeyListener>
    );
  };
  const screen = openScreen(stdout);
  const ink = render(element(), {
    stdin,
    stdout: screen.frames,
    // In debug mode Ink writes whole frames, which `openScreen` needs.
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  const draw = () => ink.rerender(element());

  function onKey(key: string): void {
    const { view: next, command } = handleKey(key, currentFrame());
    view = next;
    draw();
    if (command) execute(command);
  }
  function execute(command: BoardCommand): void {
    if (command.kind === 'exit') end(command.code);
    else
      context
        .cancel(command.loop)
        .then(showNotice, (error) => showNotice(`${command.loop} was not cancelled: ${error.message}`));
  }
  function showNotice(notice: string): void {
    view = { ...view, notice: singleLine(notice) };
    draw();
  }

  let clock: NodeJS.Timeout | undefined;
  const stopFollowing = context.follow((next) => {
    board = next;
    draw();
    clearInterval(clock);
    if (isMoving(board)) clock = setInterval(draw, SECOND_MS);
  });
  const removeSignalListeners = onSignals((signal) => end(128 + constants.signals[signal]));
  stdout.on('resize', draw);
  try {
    // Ink ends by itself when it cannot draw.
    return await Promise.race([ended, ink.waitUntilExit().then(() => 0)]);
  } finally {
    stdout.off('resize', draw);
    removeSignalListeners();
    clearInterval(clock);
    stopFollowing();
    ink.unmount();
    screen.close();
  }
}

function onSignals(listener: (signal: (typeof SIGNALS)[number]) => void): () => void {
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}
