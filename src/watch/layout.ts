import type { Board } from './board.ts';

/** Where things stand on a screen of some size; all in columns and lines. */
export interface Layout {
  /** The lanes stand one below another, since there is no room for them side by side. */
  readonly isStacked: boolean;
  readonly laneRows: number;
  /** Lines of each panel with its heading; 0 where it is left out. */
  readonly slotRows: number;
  readonly hookRows: number;
  /** Whether what is told of an agent stands on one line, and not on two. */
  readonly isWide: boolean;
}

/** An id and a time can be read in so many columns. */
const LEAST_LANE_COLUMNS = 24;
const LEAST_LANE_ROWS = 6;
const WIDE_COLUMNS = 80;
const FOOTER_ROWS = 1;

export function layoutOf({ lanes, slots, hooks }: Board, columns: number, rows: number): Layout {
  const isWide = columns >= WIDE_COLUMNS;
  // The panels shall never crowd out the lanes.
  const most = Math.max(2, Math.floor(rows / 5));
  const panelRows = (lines: number) => (lines === 0 ? 0 : 1 + Math.min(lines, most));
  const hookRows = panelRows(hooks.length);
  const slotRows = panelRows(slots.length * (isWide ? 1 : 2));
  const room = rows - FOOTER_ROWS - hookRows;
  const hasSlots = room - slotRows >= LEAST_LANE_ROWS;
  return {
    isStacked: columns < lanes.length * LEAST_LANE_COLUMNS,
    laneRows: Math.max(0, room - (hasSlots ? slotRows : 0)),
    slotRows: hasSlots ? slotRows : 0,
    hookRows,
    isWide,
  };
}
