import type { Board, Card } from './board.ts';
import { type BoardFrame, feedbackRows, type ViewState } from './view.ts';

/** An effect of a key beyond another view. */
export type BoardCommand =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'cancel'; readonly loop: string };

interface KeyResult {
  readonly view: ViewState;
  readonly command?: BoardCommand;
}

/** The exit code of a process that SIGINT has ended, in shells. */
const INTERRUPTED = 130;

type Direction = 'up' | 'down' | 'left' | 'right';

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  up: 'up',
  k: 'up',
  down: 'down',
  j: 'down',
  left: 'left',
  h: 'left',
  right: 'right',
  l: 'right',
};

/** @param key a character, or the name of another key: `up`, `enter`, `escape`, `pagedown`, `ctrl-c` */
export function handleKey(key: string, frame: BoardFrame): KeyResult {
  const view: ViewState = { ...frame.view, notice: undefined };
  const { mode } = view;
  if (key === 'ctrl-c') return { view, command: { kind: 'exit', code: INTERRUPTED } };
  if (mode.kind === 'confirm') return confirm(view, mode.loop, key);
  if (key === 'q') return { view, command: { kind: 'exit', code: 0 } };
  return {
    view: mode.kind === 'feedback' ? scroll(view, mode.top, key, frame) : navigate(view, key, frame),
  };
}

/** Every key other than `y` means no. */
function confirm(view: ViewState, loop: string, key: string): KeyResult {
  const closed: ViewState = { ...view, mode: { kind: 'lanes' } };
  if (key === 'y') return { view: closed, command: { kind: 'cancel', loop } };
  return { view: { ...closed, notice: 'Nothing was cancelled.' } };
}

function scroll(view: ViewState, top: number, key: string, { feedback, rows }: BoardFrame): ViewState {
  if (key === 'escape' || key === 'enter') return { ...view, mode: { kind: 'lanes' } };
  const page = feedbackRows(rows);
  const steps = { up: -1, down: 1, left: 0, right: 0 };
  const direction = DIRECTIONS[key];
  const pages: Readonly<Record<string, number>> = { pageup: -page, pagedown: page, ' ': page };
  const by = direction ? steps[direction] : (pages[key] ?? 0);
  const newTop = Math.max(0, Math.min(top + by, feedback.length - page));
  return { ...view, mode: { kind: 'feedback', top: newTop } };
}

function navigate(view: ViewState, key: string, { board, selected, layout }: BoardFrame): ViewState {
  if (!selected) return view;
  const direction = DIRECTIONS[key];
  if (direction) return { ...view, selected: moveSelection(board, selected, direction, layout.isStacked) };
  if (key === 'enter') return { ...view, selected, mode: { kind: 'feedback', top: 0 } };
  if (key !== 'c') return view;
  const { cancel } = selected;
  if (!cancel.ok) return { ...view, selected, notice: cancel.failure.message };
  return { ...view, selected, mode: { kind: 'confirm', loop: cancel.value } };
}

/** The present state of the selected card; if it is gone, the first card that runs, or the first card. */
export function selectedCard(board: Board, selected: Card | undefined): Card | undefined {
  const cards = cardGroups(board).flat();
  return (
    cards.find((card) => card.kind === selected?.kind && card.id === selected.id) ??
    cards.find(({ runningSince }) => runningSince !== null) ??
    cards[0]
  );
}

/**
 * The card to which a key leads. Up and down move within a lane; left and right move to the same row of another lane.
 *
 * @param selected a card of the board
 * @param isStacked whether the lanes are stacked: up and down then move through all lanes
 */
export function moveSelection(board: Board, selected: Card, direction: Direction, isStacked: boolean): Card {
  const groups = cardGroups(board);
  const at = groups.findIndex((cards) => cards.includes(selected));
  const row = groups[at]?.indexOf(selected) ?? 0;
  const step = direction === 'up' || direction === 'left' ? -1 : 1;
  const isVertical = direction === 'up' || direction === 'down';
  return (isVertical ? vertical() : horizontal()) ?? selected;

  function vertical(): Card | undefined {
    const next = groups[at]?.[row + step];
    if (next || !isStacked) return next;
    return step < 0 ? groups[at - 1]?.at(-1) : groups[at + 1]?.[0];
  }
  function horizontal(): Card | undefined {
    const next = groups[at + step];
    return isStacked ? next?.[0] : next?.[Math.min(row, next.length - 1)];
  }
}

/** The cards of each lane that has any. */
function cardGroups({ lanes }: Board): (readonly Card[])[] {
  return lanes.map(({ cards }) => cards).filter((cards) => cards.length > 0);
}
