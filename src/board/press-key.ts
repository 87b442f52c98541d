import type { Board, Card } from './board.ts';
import { type Direction, moveSelection, selectedCard } from './move-selection.ts';

/** What a person sees of the board. */
export interface View {
  /** As it was when it was selected; undefined until then. */
  readonly selected: Card | undefined;
  readonly mode: Mode;
  /** Told once, until a key is pressed. */
  readonly notice: string | undefined;
}

/** `feedback`: of the selected card, from a line on; `asking`: whether to cancel the loop of a task. */
export type Mode =
  | { readonly kind: 'lanes' }
  | { readonly kind: 'feedback'; readonly top: number }
  | { readonly kind: 'asking'; readonly task: string };

/** What the keys act upon. */
export interface Pressed {
  readonly board: Board;
  readonly isStacked: boolean;
  /** Lines of feedback that are on the screen, and those there are. */
  readonly page: number;
  readonly lines: number;
}

/** What is to be done, beyond showing another view. */
export type Command =
  | { readonly kind: 'end'; readonly code: number }
  | { readonly kind: 'cancel'; readonly task: string };

export interface Reaction {
  readonly view: View;
  readonly command?: Command;
}

export const FIRST_VIEW: View = { selected: undefined, mode: { kind: 'lanes' }, notice: undefined };

/** What SIGINT makes of a process, in the words of shells. */
const INTERRUPTED = 130;

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
export function pressKey(view: View, key: string, pressed: Pressed): Reaction {
  const quiet: View = { ...view, notice: undefined };
  const { mode } = view;
  if (key === 'ctrl-c') return { view: quiet, command: { kind: 'end', code: INTERRUPTED } };
  if (mode.kind === 'asking') return answer(quiet, mode.task, key);
  if (key === 'q') return { view: quiet, command: { kind: 'end', code: 0 } };
  return { view: mode.kind === 'feedback' ? read(quiet, mode.top, key, pressed) : walk(quiet, key, pressed) };
}

/** Only a plain yes is one. */
function answer(view: View, task: string, key: string): Reaction {
  const after: View = { ...view, mode: { kind: 'lanes' } };
  if (key === 'y') return { view: after, command: { kind: 'cancel', task } };
  return { view: { ...after, notice: 'Nothing was cancelled.' } };
}

function read(view: View, top: number, key: string, { page, lines }: Pressed): View {
  if (key === 'escape' || key === 'enter') return { ...view, mode: { kind: 'lanes' } };
  const steps = { up: -1, down: 1, left: 0, right: 0 };
  const direction = DIRECTIONS[key];
  const pages: Readonly<Record<string, number>> = { pageup: -page, pagedown: page, ' ': page };
  const by = direction ? steps[direction] : (pages[key] ?? 0);
  return { ...view, mode: { kind: 'feedback', top: Math.max(0, Math.min(top + by, lines - page)) } };
}

function walk(view: View, key: string, { board, isStacked }: Pressed): View {
  const selected = selectedCard(board, view.selected);
  if (!selected) return view;
  const direction = DIRECTIONS[key];
  if (direction) return { ...view, selected: moveSelection(board, selected, direction, isStacked) };
  if (key === 'enter') return { ...view, selected, mode: { kind: 'feedback', top: 0 } };
  if (key !== 'c') return view;
  const { cancel } = selected;
  if ('why' in cancel) return { ...view, selected, notice: cancel.why };
  return { ...view, selected, mode: { kind: 'asking', task: cancel.task } };
}
