import type { Paint } from '../messages/paint.ts';
import type { Board, Card } from './board.ts';

/** What a person has selected and opened. */
export interface ViewState {
  /** The card as it was when it was selected; undefined before that. */
  readonly selected: Card | undefined;
  readonly mode: ViewMode;
  /** A message that is shown until the next key. */
  readonly notice: string | undefined;
}

/** `feedback`: of the selected card, from the line `top` on. `confirm`: asks whether to cancel a loop. */
export type ViewMode =
  | { readonly kind: 'lanes' }
  | { readonly kind: 'feedback'; readonly top: number }
  | { readonly kind: 'confirm'; readonly loop: string };

export const INITIAL_VIEW: ViewState = { selected: undefined, mode: { kind: 'lanes' }, notice: undefined };

/** Everything that the next frame, and the effect of the next key, depend on. */
export interface BoardFrame {
  readonly board: Board;
  readonly view: ViewState;
  readonly selected: Card | undefined;
  /** Lines of feedback about the selected card; empty unless it is open. */
  readonly feedback: readonly string[];
  /** Size of the terminal. */
  readonly columns: number;
  readonly rows: number;
  readonly layout: BoardLayout;
  /** UTC, ISO 8601. */
  readonly now: string;
  readonly paint: Paint;
}

/** The visible lines of feedback, without the title and the list of keys. */
export function feedbackRows(rows: number): number {
  return Math.max(1, rows - 2);
}

/** The parts of the screen, in columns and lines. */
interface BoardLayout {
  /** The lanes are stacked because there is no space for them side by side. */
  readonly isStacked: boolean;
  readonly laneRows: number;
  /** Lines of a panel with its heading; 0 without the panel. */
  readonly agentRows: number;
  readonly hookRows: number;
  /** Whether a running agent fits on one line. */
  readonly isWide: boolean;
}

/** Enough for an id and a time. */
const MIN_LANE_COLUMNS = 24;
const MIN_LANE_ROWS = 6;
const WIDE_COLUMNS = 80;
const FOOTER_ROWS = 1;

export function computeLayout({ lanes, agents, hooks }: Board, columns: number, rows: number): BoardLayout {
  const isWide = columns >= WIDE_COLUMNS;
  // Most of the screen is for the lanes.
  const maxPanelLines = Math.max(2, Math.floor(rows / 5));
  const panelRows = (lines: number) => (lines === 0 ? 0 : 1 + Math.min(lines, maxPanelLines));
  const hookRows = panelRows(hooks.length);
  const agentRows = panelRows(agents.length * (isWide ? 1 : 2));
  const available = rows - FOOTER_ROWS - hookRows;
  const hasAgents = available - agentRows >= MIN_LANE_ROWS;
  return {
    isStacked: columns < lanes.length * MIN_LANE_COLUMNS,
    laneRows: Math.max(0, available - (hasAgents ? agentRows : 0)),
    agentRows: hasAgents ? agentRows : 0,
    hookRows,
    isWide,
  };
}

/**
 * The page of a list that contains the selected entry. Pages are fixed, so the list moves only when the selection leaves
 * the page.
 *
 * @param heights lines of each entry; an entry that is higher than a page has a page of its own
 * @param selected index; -1 selects the first page
 * @param rows height of a page
 * @returns the index of its first entry, and the index after its last
 */
export function visibleRange(
  heights: readonly number[],
  selected: number,
  rows: number,
): { readonly from: number; readonly to: number } {
  let from = 0;
  let used = 0;
  for (const [index, height] of heights.entries()) {
    if (used + height > rows && index > from) {
      if (selected < index) return { from, to: index };
      from = index;
      used = 0;
    }
    used += height;
  }
  return { from, to: heights.length };
}
