import { thousands } from '../base/text.ts';
import { localDate, longDuration, loopCount, money, percent } from './format.ts';
import { type Html, html } from './html.ts';
import { type Period, type PeriodUnit, type Report, slowestGates } from './make-report.ts';

/** The table below a plot has all bars. */
const MAX_BARS = 10;
const OUTCOMES = [
  ['first-try', 'passed first try'],
  ['later', 'passed later'],
  ['escalated', 'escalated'],
  ['unverified', 'ended unverified'],
] as const;

/** The plots of a report, without those that would be empty. */
export function reportPlots(report: Report): Html {
  return html`<div class="lead">${outcomePlot(report)}${iterationPlot(report)}</div>
${costPlot(report)}
<div class="pair">${failurePlot(report)}${durationPlot(report)}</div>`;
}

function outcomePlot({ periods, unit }: Report): Html | undefined {
  if (periods.every((period) => OUTCOMES.every(([outcome]) => period[outcome] === 0))) return undefined;
  // Few projects have an escalation.
  const outcomes = OUTCOMES.filter(
    ([outcome]) => outcome !== 'escalated' || periods.some((period) => period[outcome] > 0),
  );
  const columns = periods.map((period) => ({
    label: periodLabel(period, unit),
    parts: outcomes.map(([outcome, words]) => ({
      style: outcome,
      value: period[outcome],
      title: `${periodName(period, unit)}: ${thousands(period[outcome])} ${words}`,
    })),
  }));
  const title = `Loops per ${unit}`;
  return html`<figure>
<h2>${title}</h2>
<p class="legend">${outcomes.map(([outcome, words]) => html`<span><i class="${outcome}"></i>${words}</span> `)}</p>
${columnPlot(columns, { summary: `${title}, by outcome` })}
</figure>`;
}

function iterationPlot({ iterations }: Report): Html | undefined {
  if (iterations.length === 0) return undefined;
  const columns = iterations.map(({ label, loops }, index) => {
    const title = `${loopCount(loops)} passed at iteration ${label}`;
    return { label, parts: [{ style: index === 0 ? 'first-try' : 'later', value: loops, title }] };
  });
  return html`<figure>
<h2>Iterations to pass</h2>
<p class="note">Loops that passed, by iteration.</p>
${columnPlot(columns, { summary: 'Loops that passed, by iteration' })}
</figure>`;
}

function costPlot({ periods, unit }: Report): Html | undefined {
  if (periods.every(({ costUsd }) => costUsd === null)) return undefined;
  const columns = periods.map((period) => {
    const value = period.costUsd ?? 0;
    return {
      label: periodLabel(period, unit),
      parts: [{ style: 'cost', value, title: `${periodName(period, unit)}: ${money(value)}` }],
    };
  });
  const title = `Cost per ${unit}`;
  const scale = { markText: (value: number) => (value === 0 ? '$0' : money(value)), isCounted: false };
  return html`<figure>
<h2>${title}</h2>
<p class="note">As the agents of agent runs report it.</p>
${columnPlot(columns, { summary: title, ...scale })}
</figure>`;
}

function failurePlot({ gates }: Report): Html | undefined {
  const failing = gates.filter(({ failures }) => failures > 0);
  if (failing.length === 0) return undefined;
  const bars = failing.slice(0, MAX_BARS).map(({ name, runs, failures }) => ({
    name,
    value: failures / runs,
    text: `${thousands(failures)} of ${thousands(runs)}, ${percent(failures / runs)}`,
  }));
  return html`<figure>
<h2>Gates that fail most</h2>
<p class="note">Failed runs of all runs. A bar ends at 100 %.${limitNote(failing.length)}</p>
${barPlot(bars, 'unverified', 1)}
</figure>`;
}

function durationPlot(report: Report): Html | undefined {
  const slow = slowestGates(report);
  if (slow.length === 0) return undefined;
  const bars = slow.slice(0, MAX_BARS).map(({ name, medianMs, maxMs }) => ({
    name,
    value: medianMs,
    text: `${longDuration(medianMs)}, max ${longDuration(maxMs)}`,
  }));
  return html`<figure>
<h2>Slowest gates</h2>
<p class="note">The median of their runs, and the longest run.${limitNote(slow.length)}</p>
${barPlot(bars, 'slow', Math.max(...bars.map(({ value }) => value)))}
</figure>`;
}

function limitNote(all: number): string {
  return all > MAX_BARS ? ` The first ${MAX_BARS} of ${thousands(all)}.` : '';
}

/** `31 Jan`, `Jan 2026`. */
function periodLabel({ from }: Period, unit: PeriodUnit): string {
  const parts = unit === 'month' ? { month: 'short', year: 'numeric' } : { day: 'numeric', month: 'short' };
  return from.toLocaleDateString('en-GB', parts as Intl.DateTimeFormatOptions);
}

function periodName({ from }: Period, unit: PeriodUnit): string {
  if (unit === 'month') return localDate(from).slice(0, 7);
  return unit === 'week' ? `week of ${localDate(from)}` : localDate(from);
}

interface Bar {
  readonly name: string;
  /** Determines the length. */
  readonly value: number;
  /** The value as text. */
  readonly text: string;
}

/**
 * Horizontal bars with their names.
 *
 * @param style class that sets the colour
 * @param end the value of a bar over the whole width, above 0
 */
function barPlot(bars: readonly Bar[], style: string, end: number): Html {
  return html`<ol class="bars">${bars.map(
    ({ name, value, text }) => html`
<li><span class="name" title="${name}">${name}</span> <span class="value">${text}</span>
<svg height="10" aria-hidden="true"><rect class="track" width="100%" height="10" rx="2"/><rect class="${style}" width="${Math.round((value / end) * 1000) / 10}%" height="10" rx="2"/></svg></li>`,
  )}
</ol>`;
}

/** A column of stacked parts. */
interface PlotColumn {
  /** Shown below the column if there is space. */
  readonly label: string;
  readonly parts: readonly {
    /** Class that sets the colour. */
    readonly style: string;
    readonly value: number;
    /** The tooltip. */
    readonly title: string;
  }[];
}

interface PlotOptions {
  /** A description for screen readers. */
  readonly summary: string;
  /** Formats a mark of the scale. */
  readonly markText?: (value: number) => string;
  /** Whether the values are counts: the marks of the scale are then whole numbers. */
  readonly isCounted?: boolean;
}

/** Heights are in pixels, widths in percent: a plot fills its place, and its labels keep their shape. */
const PLOT_HEIGHT = 160;
const MARGIN_TOP = 16;
const MARGIN_BOTTOM = 24;
const SVG_HEIGHT = MARGIN_TOP + PLOT_HEIGHT + MARGIN_BOTTOM;
/** Separates the parts of a column for those who do not see the colours. */
const PART_GAP = 1;
/** The part of its place that a column fills. */
const COLUMN_FILL = 0.76;
const MAX_LABELS = 5;
/** With more columns there is no space for their figures. */
const MAX_FIGURES = 8;
const MAX_MARKS = 4;

/** Vertical columns with a scale, as SVG that fills its container. */
export function columnPlot(columns: readonly PlotColumn[], options: PlotOptions): Html {
  const { summary, markText = thousands, isCounted = true } = options;
  const marks = scaleMarks(Math.max(...columns.map(columnTotal)), isCounted);
  const top = marks.at(-1) ?? 1;
  const yOf = (value: number) => round(MARGIN_TOP + PLOT_HEIGHT * (1 - value / top));
  return html`<div class="columns">
<svg class="scale" height="${SVG_HEIGHT}" aria-hidden="true">${marks.map(
    (mark) => html`<text x="100%" y="${yOf(mark) + 4}" text-anchor="end">${markText(mark)}</text>`,
  )}</svg>
<svg class="plot" height="${SVG_HEIGHT}" role="img" aria-label="${summary}">${marks.map(
    (mark) => html`<line x1="0" x2="100%" y1="${yOf(mark)}" y2="${yOf(mark)}"/>`,
  )}
${columns.map((column, index) => columnMarkup(column, index, columns.length, yOf))}
</svg>
</div>`;
}

function columnMarkup(
  column: PlotColumn,
  index: number,
  columnCount: number,
  yOf: (value: number) => number,
): Html {
  const place = 100 / columnCount;
  const x = place * (index + (1 - COLUMN_FILL) / 2);
  const middle = place * (index + 0.5);
  const total = columnTotal(column);
  let below = 0;
  const rects = column.parts.map(({ style, value, title }) => {
    if (value === 0) return undefined;
    const bottom = yOf(below);
    below += value;
    const y = yOf(below);
    return html`<rect class="${style}" x="${round(x)}%" width="${round(place * COLUMN_FILL)}%" y="${y}" height="${round(Math.max(1, bottom - y - PART_GAP))}"><title>${title}</title></rect>`;
  });
  const figure =
    columnCount <= MAX_FIGURES && total > 0
      ? html`<text class="figure" x="${round(middle)}%" y="${yOf(total) - 4}" text-anchor="middle">${thousands(total)}</text>`
      : undefined;
  const isLabelled = index % Math.ceil(columnCount / MAX_LABELS) === 0 || columnCount <= MAX_FIGURES;
  // A plot may end at the right edge of the page; at its left is its scale.
  const anchor = middle > 92 ? 'end' : 'middle';
  const label = isLabelled
    ? html`<text x="${round(middle)}%" y="${MARGIN_TOP + PLOT_HEIGHT + 18}" text-anchor="${anchor}">${column.label}</text>`
    : undefined;
  return html`${rects}${figure}${label}`;
}

/** At most MAX_MARKS + 1 round numbers, from 0 to the first that is not below `most`. */
function scaleMarks(most: number, isCounted: boolean): number[] {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(most, Number.MIN_VALUE)));
  const steps = [0.1, 0.2, 0.5, 1, 2, 5].map((factor) => factor * magnitude);
  const step = steps.find((each) => (!isCounted || Number.isInteger(each)) && most / each <= MAX_MARKS) ?? 1;
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, index) => index * step);
}

function columnTotal({ parts }: PlotColumn): number {
  return parts.reduce((total, { value }) => total + value, 0);
}

function round(n: number): number {
  return Math.round(n * 100) / 100;
}
