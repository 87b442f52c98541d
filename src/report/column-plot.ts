import { thousands } from '../base/text.ts';
import { type Html, html } from './html.ts';

/** One column of a plot: its parts stand on one another. */
export interface Column {
  /** Below it, where there is room. */
  readonly label: string;
  readonly parts: readonly ColumnPart[];
}

export interface ColumnPart {
  /** Class that colours it. */
  readonly style: string;
  readonly value: number;
  /** What is told where it is pointed at. */
  readonly title: string;
}

interface PlotOptions {
  /** What the plot shows, for those who do not see it. */
  readonly summary: string;
  /** A mark of the scale as text. */
  readonly markText?: (value: number) => string;
  /** Marks of countable things are whole numbers. */
  readonly isCounted?: boolean;
}

/** In pixels; all that is horizontal is in percent, so that a plot is as wide as its place and its texts stay upright. */
const HEIGHT = 160;
const TOP = 16;
const BELOW = 24;
/** Between the parts of a column, so that they are told apart without their colours. */
const GAP = 1;
/** Part of its place that a column fills. */
const FILLED = 0.76;
const MAX_LABELS = 5;
/** So few columns are told by their figures as well. */
const MAX_FIGURES = 8;
const MAX_MARKS = 4;

/** Columns side by side, as an SVG whose size is that of what it stands in. */
export function columnPlot(columns: readonly Column[], options: PlotOptions): Html {
  const { summary, markText = thousands, isCounted = true } = options;
  const marks = marksUpTo(Math.max(...columns.map(totalOf)), isCounted);
  const top = marks.at(-1) ?? 1;
  const yOf = (value: number) => round(TOP + HEIGHT * (1 - value / top));
  return html`<div class="columns">
<svg class="scale" height="${TOP + HEIGHT + BELOW}" aria-hidden="true">${marks.map(
    (mark) => html`<text x="100%" y="${yOf(mark) + 4}" text-anchor="end">${markText(mark)}</text>`,
  )}</svg>
<svg class="plot" height="${TOP + HEIGHT + BELOW}" role="img" aria-label="${summary}">${marks.map(
    (mark) => html`<line x1="0" x2="100%" y1="${yOf(mark)}" y2="${yOf(mark)}"/>`,
  )}
${columns.map((column, index) => columnOf(column, index, columns.length, yOf))}
</svg>
</div>`;
}

function columnOf(column: Column, index: number, among: number, yOf: (value: number) => number): Html {
  const place = 100 / among;
  const x = place * (index + (1 - FILLED) / 2);
  const middle = place * (index + 0.5);
  const total = totalOf(column);
  let below = 0;
  const rects = column.parts.map(({ style, value, title }) => {
    if (value === 0) return undefined;
    const bottom = yOf(below);
    below += value;
    const y = yOf(below);
    return html`<rect class="${style}" x="${round(x)}%" width="${round(place * FILLED)}%" y="${y}" height="${round(Math.max(1, bottom - y - GAP))}"><title>${title}</title></rect>`;
  });
  const figure =
    among <= MAX_FIGURES && total > 0
      ? html`<text class="figure" x="${round(middle)}%" y="${yOf(total) - 4}" text-anchor="middle">${thousands(total)}</text>`
      : undefined;
  const isLabelled = index % Math.ceil(among / MAX_LABELS) === 0 || among <= MAX_FIGURES;
  const label = isLabelled
    ? html`<text x="${round(middle)}%" y="${TOP + HEIGHT + 18}" text-anchor="${anchorAt(middle)}">${column.label}</text>`
    : undefined;
  return html`${rects}${figure}${label}`;
}

/** At its left a plot has its scale, at its right it may have the page's edge. */
function anchorAt(percent: number): string {
  return percent > 92 ? 'end' : 'middle';
}

/** Round numbers from 0 to the first that is not below `most`, few enough to be read. */
function marksUpTo(most: number, isCounted: boolean): number[] {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(most, Number.MIN_VALUE)));
  const steps = [0.1, 0.2, 0.5, 1, 2, 5].map((factor) => factor * magnitude);
  const step = steps.find((each) => (!isCounted || Number.isInteger(each)) && most / each <= MAX_MARKS) ?? 1;
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, index) => index * step);
}

function totalOf({ parts }: Column): number {
  return parts.reduce((total, { value }) => total + value, 0);
}

function round(n: number): number {
  return Math.round(n * 100) / 100;
}
