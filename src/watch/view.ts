import { count } from '../base/text.ts';
import type { Paint } from '../messages/paint.ts';
import type { RunStatus } from '../messages/status.ts';
import { wrapped } from '../messages/wrapped.ts';
import { singleLine } from '../report/format.ts';
import type { Board, Card, Lane, RunningAgent } from './board.ts';
import {
  agentLines,
  agentsHeading,
  cardLines,
  gateLines,
  paintedLine,
  runsHeading,
  worktreeLines,
} from './board-text.ts';

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
  /** Lines of feedback about the selected card. */
  readonly feedback: readonly string[];
  /** Size of the terminal. */
  readonly columns: number;
  readonly rows: number;
  readonly layout: BoardLayout;
  readonly paint: Paint;
}

/** The visible lines of feedback, without the title and the list of keys. */
export function feedbackRows(rows: number): number {
  return Math.max(1, rows - 2);
}

/** The question about the loop that is to be cancelled, the message about the last key, or the keys. */
export function footerText({ mode, notice }: ViewState, paint: Paint): string {
  if (mode.kind === 'confirm') return paint('yellow', `Cancel ${singleLine(mode.loop)}? y/n`);
  return notice ?? paint('dim', 'hjkl/arrows move | enter feedback | c cancel | q quit');
}

/** The parts of the screen, in columns and lines. No part is higher than its content. */
export interface BoardLayout {
  /** The lanes are stacked, those without a card left out, because there is no space for them side by side. */
  readonly isStacked: boolean;
  /** The lanes of each column. */
  readonly columns: readonly LaneColumn[];
  readonly laneColumns: number;
  readonly laneRows: number;
  readonly hasBorders: boolean;
  /** The panels of the running agents and gates with their headings; empty without a panel. */
  readonly panels: readonly string[];
  readonly footer: readonly string[];
}

/** Lanes below each other. */
export type LaneColumn = readonly { readonly lane: Lane; readonly cards: readonly LaidOutCard[] }[];

export interface LaidOutCard {
  readonly card: Card;
  /** Wrapped and coloured. */
  readonly lines: readonly string[];
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** Enough for an id and a time. */
const MIN_LANE_COLUMNS = 24;
const MIN_LANE_ROWS = 6;
/** Enough for a running agent on one line. */
const WIDE_COLUMNS = 80;
/** Cards have borders on a screen of this height, and on a lower one if everything fits all the same. */
const ROOMY_ROWS = 24;
/** Of a border, or of the indentation without one. */
const SIDES = 4;
const BORDER_ROWS = 2;

interface LayoutContent {
  /** UTC, ISO 8601. */
  readonly now: string;
  /** One line, which is wrapped. */
  readonly footer: string;
  /** The last feedback about the selected card, wrapped; shown where it fits below everything else. */
  readonly excerpt?: readonly string[];
  readonly paint: Paint;
}

/** A shorter part of the feedback says too little. */
const MIN_EXCERPT_ROWS = 5;

export function computeLayout(
  board: Board,
  { columns, rows }: ScreenSize,
  { now, footer, excerpt = [], paint }: LayoutContent,
): BoardLayout {
  const isStacked = columns < board.lanes.length * MIN_LANE_COLUMNS;
  const groups = isStacked
    ? [board.lanes.filter(({ cards }) => cards.length > 0)]
    : board.lanes.map((lane) => [lane]);
  const laneColumns = Math.floor(columns / Math.max(1, groups.length));
  const laidOut = groups.map((lanes) => lanes.map((lane) => ({ lane, cards: lane.cards.map(layOut) })));
  const footerLines = wrapped(footer, columns);
  const available = rows - footerLines.length;
  const panels: string[] = [];
  for (const whole of [
    agentPanel(board.agents, columns, now, paint),
    runPanel(board.runs, columns, now, paint),
    worktreeLines(board.worktrees, now, paint).map((line) => wrapped(line, columns)[0] ?? ''),
  ]) {
    const panel = whole.slice(0, 1 + maxPanelLines(rows));
    if (available - panels.length - panel.length >= MIN_LANE_ROWS) panels.push(...panel);
  }
  const maxLaneRows = Math.max(0, available - panels.length);
  const height = (withBorders: boolean) =>
    Math.max(1, ...laidOut.map((column) => sum(cardRows(column, withBorders))));
  const hasBorders = rows >= ROOMY_ROWS || height(true) <= maxLaneRows;
  const laneRows = Math.min(height(hasBorders), maxLaneRows);
  return {
    isStacked,
    columns: laidOut,
    laneColumns,
    laneRows,
    hasBorders,
    panels: [...panels, ...excerptPanel(excerpt, maxLaneRows - laneRows, paint)],
    footer: footerLines,
  };

  function layOut(card: Card): LaidOutCard {
    const lines = cardLines(card, now, isStacked).flatMap((line) =>
      wrapped(line.text, laneColumns - SIDES).map((text) => paintedLine({ ...line, text }, paint)),
    );
    return { card, lines };
  }
}

/** Most of the screen is for the lanes. */
function maxPanelLines(rows: number): number {
  return Math.max(2, Math.floor(rows / 5));
}

function agentPanel(agents: readonly RunningAgent[], columns: number, now: string, paint: Paint): string[] {
  if (agents.length === 0) return [];
  const lines = agents.flatMap((agent, index) => {
    const [head, tail] = agentLines(agent, index, now);
    const lines = columns >= WIDE_COLUMNS ? [`  ${head}, ${tail}`] : [`  ${head}`, `    ${tail}`];
    return lines.flatMap((line) => wrapped(line, columns));
  });
  return [agentsHeading(agents.length, paint), ...lines];
}

function runPanel(runs: readonly RunStatus[], columns: number, now: string, paint: Paint): string[] {
  if (runs.length === 0) return [];
  const lines = runs.flatMap((run) =>
    gateLines(run, now, paint).flatMap((line) => wrapped(`  ${line}`, columns)),
  );
  return [runsHeading(runs.length, paint), ...lines];
}

/** @param rows that nothing else needs */
function excerptPanel(excerpt: readonly string[], rows: number, paint: Paint): string[] {
  if (excerpt.length === 0 || rows < MIN_EXCERPT_ROWS) return [];
  const heading = paint('bold', 'LAST FEEDBACK');
  const shown = rows - 1;
  if (excerpt.length <= shown) return [heading, ...excerpt];
  const hidden = excerpt.length - shown + 1;
  return [heading, ...excerpt.slice(0, shown - 1), paint('dim', `… ${count(hidden, 'more line')}: enter`)];
}

/** The lines of each card, those of the first of a lane with its heading. */
export function cardRows(column: LaneColumn, hasBorders: boolean): number[] {
  return column.flatMap(({ cards }) =>
    cards.map(({ lines }, index) => lines.length + (hasBorders ? BORDER_ROWS : 0) + (index === 0 ? 1 : 0)),
  );
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
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
