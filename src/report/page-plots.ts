import { thousands } from '../base/text.ts';
import { barPlot } from './bar-plot.ts';
import { columnPlot } from './column-plot.ts';
import { type Html, html } from './html.ts';
import type { Report } from './make-report.ts';
import type { Period, PeriodUnit } from './split-periods.ts';
import { day, loopCount, money, percent, time } from './wording.ts';

/** More bars are no picture any more; the table beneath has all. */
const MAX_BARS = 10;
const OUTCOMES = [
  ['first-try', 'passed first try'],
  ['later', 'passed later'],
  ['let-go', 'let go unverified'],
] as const;

/** The report as pictures, as far as there is something to see. */
export function pagePlots(report: Report): Html {
  return html`<div class="lead">${outcomePlot(report)}${iterationPlot(report)}</div>
${costPlot(report)}
<div class="pair">${failurePlot(report)}${durationPlot(report)}</div>`;
}

function outcomePlot({ periods, unit }: Report): Html | undefined {
  if (periods.every((period) => OUTCOMES.every(([outcome]) => period[outcome] === 0))) return undefined;
  const columns = periods.map((period) => ({
    label: labelOf(period, unit),
    parts: OUTCOMES.map(([outcome, words]) => ({
      style: outcome,
      value: period[outcome],
      title: `${nameOf(period, unit)}: ${thousands(period[outcome])} ${words}`,
    })),
  }));
  const title = `Loops per ${unit}`;
  return html`<figure>
<h2>${title}</h2>
<p class="legend">${OUTCOMES.map(([outcome, words]) => html`<span><i class="${outcome}"></i>${words}</span> `)}</p>
${columnPlot(columns, { summary: `${title}, by how they ended` })}
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
      label: labelOf(period, unit),
      parts: [{ style: 'cost', value, title: `${nameOf(period, unit)}: ${money(value)}` }],
    };
  });
  const title = `Cost per ${unit}`;
  const scale = { markText: (value: number) => (value === 0 ? '$0' : money(value)), isCounted: false };
  return html`<figure>
<h2>${title}</h2>
<p class="note">As the agents of promise loops told it.</p>
${columnPlot(columns, { summary: title, ...scale })}
</figure>`;
}

function failurePlot({ gates }: Report): Html | undefined {
  const failing = gates.filter(({ failures }) => failures > 0);
  if (failing.length === 0) return undefined;
  const bars = failing.slice(0, MAX_BARS).map(({ name, runs, failures }) => ({
    name,
    value: failures,
    text: `${thousands(failures)} of ${thousands(runs)}, ${percent(failures / runs)}`,
  }));
  return html`<figure>
<h2>Gates that fail most</h2>
<p class="note">Failed runs of all runs.${moreThan(failing.length)}</p>
${barPlot(bars, 'let-go')}
</figure>`;
}

function durationPlot({ gates }: Report): Html | undefined {
  const slow = gates.filter(({ maxMs }) => maxMs > 0).toSorted((a, b) => b.medianMs - a.medianMs);
  if (slow.length === 0) return undefined;
  const bars = slow.slice(0, MAX_BARS).map(({ name, medianMs, maxMs }) => ({
    name,
    value: medianMs,
    text: `${time(medianMs)}, max ${time(maxMs)}`,
  }));
  return html`<figure>
<h2>Slowest gates</h2>
<p class="note">Median of their runs, and the longest.${moreThan(slow.length)}</p>
${barPlot(bars, 'slow')}
</figure>`;
}

function moreThan(all: number): string {
  return all > MAX_BARS ? ` The first ${MAX_BARS} of ${thousands(all)}.` : '';
}

/** `31 Jan`, `Jan 2026`. */
function labelOf({ from }: Period, unit: PeriodUnit): string {
  const parts = unit === 'month' ? { month: 'short', year: 'numeric' } : { day: 'numeric', month: 'short' };
  return from.toLocaleDateString('en-GB', parts as Intl.DateTimeFormatOptions);
}

function nameOf({ from }: Period, unit: PeriodUnit): string {
  if (unit === 'month') return day(from).slice(0, 7);
  return unit === 'week' ? `week of ${day(from)}` : day(from);
}
