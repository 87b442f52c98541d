import type { Paint } from '../messages/paint.ts';
import type { Board, Card } from './board.ts';
import type { Layout } from './layout.ts';

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

export const FIRST_VIEW: View = { selected: undefined, mode: { kind: 'lanes' }, notice: undefined };

/** All that a picture of the board, and what a key does to it, depends on. */
export interface Seen {
  readonly board: Board;
  readonly view: View;
  readonly selected: Card | undefined;
  /** Of the selected card, where it is read. */
  readonly feedback: readonly string[];
  /** Of the terminal. */
  readonly columns: number;
  readonly rows: number;
  readonly layout: Layout;
  /** UTC, ISO 8601. */
  readonly now: string;
  readonly paint: Paint;
}

/** Lines of feedback that are on the screen together: a title stands above, the keys below. */
export function feedbackRows(rows: number): number {
  return Math.max(1, rows - 2);
}
