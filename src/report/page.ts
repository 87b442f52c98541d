import { createHash } from 'node:crypto';
import { thousands } from '../base/text.ts';
import {
  dateRange,
  decimal,
  localDate,
  localDateTime,
  longDuration,
  loopCount,
  money,
  percent,
  sharedCount,
} from './format.ts';
import { type Html, html } from './html.ts';
import { LOOP_KIND_NAMES } from './loops.ts';
import {
  endedLoops,
  firstTryRate,
  type GateTotals,
  type Report,
  stoppedLoops,
  type UnverifiedLoop,
} from './make-report.ts';
import { reportPlots } from './plots.ts';
import { emptyReportText } from './report-text.ts';

/** The start of every page; a file that starts with it may be overwritten. */
export const PAGE_START = '<!doctype html>\n<html lang="en" data-made-by="ralph-loop report">';

/** The report as one HTML file that runs no script and makes no request, whatever texts the log contains. */
export function reportPage(report: Report): string {
  // The policy allows only this style sheet: markup that slips through cannot load or run anything.
  const styleHash = createHash('sha256').update(PAGE_STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;
  const { markup } = html`
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${report.project}: loops</title>
<style>${{ markup: PAGE_STYLE }}</style>
</head>
<body>
<header>
<h1>${report.project}</h1>
<p class="note">${subtitle(report)}</p>
</header>
<main>${report.span ? [tiles(report), reportPlots(report), tables(report)] : html`<section><p>${emptyReportText(report)}</p></section>`}</main>
</body>
</html>
`;
  return `${PAGE_START}${markup}`;
}

function subtitle({ span, since, madeAt, totals }: Report): string {
  const made = `Made by ralph-loop report on ${localDateTime(madeAt)}${since ? `, for loops since ${localDateTime(since)}` : ''}.`;
  return span ? `${loopCount(totals.loops)}, ${dateRange(span)}. ${made}` : made;
}

function tiles({ totals, medianIterations, waits }: Report): Html {
  const shared = sharedCount(totals);
  const rate = firstTryRate(totals);
  const passed = totals['first-try'] + totals.later;
  const tile = (name: string, value: string, note: string) =>
    html`<div><dt>${name}</dt><dd>${value}<small>${note}</small></dd></div>\n`;
  return html`<dl class="tiles">
${tile('First-try rate', rate === null ? NO_FIGURE : percent(rate), `${thousands(totals['first-try'])} of ${thousands(endedLoops(totals))} that ended`)}
${tile('Iterations to pass', medianIterations === null ? NO_FIGURE : decimal(medianIterations), 'median')}
${totals.selfReviewed === 0 ? undefined : tile('Self-reviewed', thousands(totals.selfReviewed), `of ${thousands(passed)} that passed`)}
${totals.escalated === 0 ? undefined : tile('Escalated', thousands(totals.escalated), 'by the agent')}
${tile('Ended unverified', thousands(totals.unverified), totals.unverified === 1 ? 'loop' : 'loops')}
${totals.cancelled === 0 ? undefined : tile('Cancelled', thousands(totals.cancelled), 'by a person')}
${totals.interrupted === 0 ? undefined : tile('Interrupted', thousands(totals.interrupted), 'can be resumed')}
${totals.open === 0 ? undefined : tile('Not ended', thousands(totals.open), 'according to the log')}
${tile('Gates', longDuration(totals.gateMs), 'in total')}
${shared === '' ? undefined : tile('Saved', longDuration(totals.savedMs), shared)}
${waits === 0 ? undefined : tile('Asked to wait', thousands(waits), waits === 1 ? 'stop' : 'stops')}
${totals.agentMs === 0 ? undefined : tile('Agents', longDuration(totals.agentMs), 'of agent runs')}
${totals.costUsd === null && totals.tokens === null ? undefined : tile('Cost', totals.costUsd === null ? NO_FIGURE : money(totals.costUsd), totals.tokens === null ? '' : `${thousands(Math.round(totals.tokens))} tokens`)}
</dl>`;
}

const NO_FIGURE = '–';

/** A page with more rows would be too long to read. */
const MAX_ROWS = 200;

/** The loops that need a look, and what no plot shows; what the plots show is there to be unfolded. */
function tables(report: Report): Html {
  return html`${weakenedTable(report)}
${endTable(report.escalated, 'Escalated', 'The agent was allowed to stop, because it says that a gate is wrong or cannot be satisfied.')}
${endTable(report.unverified, 'Ended unverified', 'The agent was allowed to stop, or its run ended, although gates failed or have no result.')}
${endTable(report.stopped, 'Cancelled or interrupted', 'A person ended the loop, or its process was killed. Not in the first-try rate.')}
${kindTable(report)}
${reuseTable(report)}
<details><summary>The figures of the plots</summary>
<div class="pair">${periodTable(report)}${iterationTable(report)}</div>
${gateTable(report)}
</details>`;
}

function weakenedTable({ weakened }: Report): Html | undefined {
  if (weakened.length === 0) return undefined;
  const rows = weakened.map(
    ({
      rule,
      blocked,
      allowed,
    }) => html`<tr><td class="name">${rule}</td><td>${thousands(blocked)}</td><td>${thousands(allowed)}</td></tr>
`,
  );
  return html`<section>
<h2>Weakened</h2>
<p class="note">Tests and checks that were weaker than at the beginning of the session, by the stops that found it.</p>
<table><thead><tr><th>Rule</th><th>Blocked</th><th>Allowed</th></tr></thead><tbody>
${rows}</tbody></table>
</section>`;
}

function endTable(loops: readonly UnverifiedLoop[], title: string, note: string): Html | undefined {
  if (loops.length === 0) return undefined;
  const rows = loops.slice(0, MAX_ROWS).map(
    ({
      at,
      loop,
      reason,
      detail,
    }) => html`<tr><td class="whole">${localDateTime(at)}</td><td class="name">${loop}</td><td>${reason}${detail && `, ${detail}`}</td></tr>
`,
  );
  return html`<section>
<h2>${title}</h2>
<p class="note">${note} The latest first.${limitNote(loops.length)}</p>
<table class="texts"><thead><tr><th>When</th><th>Loop</th><th>Reason</th></tr></thead><tbody>
${rows}</tbody></table>
</section>`;
}

function kindTable({ kinds }: Report): Html {
  const hasStopped = kinds.some(([, totals]) => stoppedLoops(totals) > 0);
  const hasEscalated = kinds.some(([, totals]) => totals.escalated > 0);
  const rows = kinds.map(
    ([kind, totals]) => html`<tr><td>${LOOP_KIND_NAMES[kind]}</td>${figures(
      thousands(totals.loops),
      thousands(totals['first-try']),
      thousands(totals.later),
      ...(hasEscalated ? [thousands(totals.escalated)] : []),
      thousands(totals.unverified),
      ...(hasStopped ? [thousands(stoppedLoops(totals))] : []),
      thousands(totals.open),
    )}</tr>
`,
  );
  return html`<section>
<h2>Loops</h2>
<table class="wide">${heading('Kind', 'All', 'First try', 'Later', ...(hasEscalated ? ['Escalated'] : []), 'Unverified', ...(hasStopped ? ['Stopped'] : []), 'Open')}<tbody>
${rows}</tbody></table>
</section>`;
}

function periodTable({ periods, unit }: Report): Html {
  const hasCost = periods.some(({ costUsd }) => costUsd !== null);
  const hasEscalated = periods.some(({ escalated }) => escalated > 0);
  const shown = periods.filter(
    ({ 'first-try': first, later, escalated, unverified, costUsd }) =>
      first + later + escalated + unverified > 0 || costUsd !== null,
  );
  const rows = shown.map(
    ({ from, costUsd, ...period }) => html`<tr><td class="whole">${localDate(from)}</td>${figures(
      thousands(period['first-try']),
      thousands(period.later),
      ...(hasEscalated ? [thousands(period.escalated)] : []),
      thousands(period.unverified),
      ...(hasCost ? [costUsd === null ? NO_FIGURE : money(costUsd)] : []),
    )}</tr>
`,
  );
  const from = unit === 'day' ? 'Day' : `${unit === 'week' ? 'Week' : 'Month'} from`;
  return html`<section>
<h2>Loops per ${unit}</h2>
<table>${heading(from, 'First try', 'Later', ...(hasEscalated ? ['Escalated'] : []), 'Unverified', ...(hasCost ? ['Cost'] : []))}<tbody>
${rows}</tbody></table>
</section>`;
}

function iterationTable({ iterations }: Report): Html | undefined {
  if (iterations.length === 0) return undefined;
  const passed = iterations.reduce((sum, { loops }) => sum + loops, 0);
  const rows = iterations.map(
    ({ label, loops }) =>
      html`<tr><td>${label}</td>${figures(thousands(loops), percent(loops / passed))}</tr>
`,
  );
  return html`<section>
<h2>Iterations to pass</h2>
<table>${heading('Iterations', 'Loops', 'Share')}<tbody>
${rows}</tbody></table>
</section>`;
}

/** The gates whose result was not always that of one run. */
function reuseTable({ gates }: Report): Html | undefined {
  const shown = gates.filter(({ reused, flaky }) => reused + flaky > 0);
  if (shown.length === 0) return undefined;
  const rows = shown.slice(0, MAX_ROWS).map(
    ({ name, runs, reused, flaky }) =>
      html`<tr><td class="name">${name}</td>${figures(thousands(runs), thousands(reused), thousands(flaky))}</tr>
`,
  );
  return html`<section>
<h2>Reused and flaky</h2>
<p class="note">Reused: it had passed with the same files. Flaky: it failed, and passed when it ran again.${limitNote(shown.length)}</p>
<table class="wide">${heading('Gate', 'Runs', 'Reused', 'Flaky')}<tbody>
${rows}</tbody></table>
</section>`;
}

/** The columns of the table of gates. */
const GATE_COLUMNS: readonly {
  readonly name: string;
  readonly figure: (gate: GateTotals) => string;
}[] = [
  { name: 'Runs', figure: ({ runs }) => thousands(runs) },
  { name: 'Failed', figure: ({ failures }) => thousands(failures) },
  { name: 'Rate', figure: ({ runs, failures }) => (runs === 0 ? NO_FIGURE : percent(failures / runs)) },
  { name: 'Median', figure: ({ medianMs }) => (medianMs === null ? NO_FIGURE : longDuration(medianMs)) },
  { name: 'Max', figure: ({ maxMs }) => (maxMs === null ? NO_FIGURE : longDuration(maxMs)) },
];

function gateTable({ gates }: Report): Html | undefined {
  if (gates.length === 0) return undefined;
  const rows = gates.slice(0, MAX_ROWS).map(
    (gate) =>
      html`<tr><td class="name">${gate.name}</td>${figures(...GATE_COLUMNS.map(({ figure }) => figure(gate)))}</tr>
`,
  );
  return html`<section>
<h2>Gates</h2>
<p class="note">Those that fail most first.${limitNote(gates.length)}</p>
<table class="wide">${heading('Gate', ...GATE_COLUMNS.map(({ name }) => name))}<tbody>
${rows}</tbody></table>
</section>`;
}

function heading(...names: readonly string[]): Html {
  return html`<thead><tr>${names.map((name) => html`<th>${name}</th>`)}</tr></thead>`;
}

function figures(...cells: readonly string[]): Html[] {
  return cells.map((cell) => html`<td class="whole">${cell}</td>`);
}

function limitNote(all: number): string {
  return all > MAX_ROWS ? ` The first ${MAX_ROWS} of ${thousands(all)}.` : '';
}

/** The page needs no other file and no font. */
const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fcfcfa; --ink: #1c2126; --quiet: #5d6670; --line: #e2e4e0;
  --first-try: #12826d; --later: #3d8ccb; --unverified: #cc5216; --escalated: #c79a1b; --cost: #7562b6; --slow: #5c7389;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --ink: #e4e7ea; --quiet: #98a2ac; --line: #2b3137;
    --first-try: #3dbb9c; --later: #5ba8e4; --unverified: #ee7f47; --escalated: #dcb53e; --cost: #a18fe2; --slow: #8ba2b8;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 1120px; padding: 32px 20px 64px;
  background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
h1 { margin: 0; font-size: 26px; line-height: 1.25; }
h2 { margin: 0 0 4px; font-size: 16px; }
p { margin: 4px 0; }
.note, .tiles dt, .legend, th { color: var(--quiet); font-size: 13px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: 20px 16px; margin: 28px 0 0; }
.tiles dd { margin: 0; font-size: 24px; line-height: 1.3; }
.tiles small { display: block; color: var(--quiet); font-size: 13px; }
figure, section, details { margin: 40px 0 0; min-width: 0; }
summary { cursor: pointer; font-weight: 600; }
.lead, .pair { display: grid; gap: 0 48px; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 860px) {
  .lead { grid-template-columns: 2fr 1fr; }
  .pair { grid-template-columns: 1fr 1fr; }
  .lead > :only-child, .pair > :only-child { grid-column: 1 / -1; }
}
.legend span { margin-right: 14px; white-space: nowrap; }
.legend i { display: inline-block; width: 10px; height: 10px; margin-right: 5px; border-radius: 2px; }
svg { display: block; width: 100%; }
svg text { fill: var(--quiet); font-size: 12px; }
svg .figure { fill: var(--ink); }
svg line { stroke: var(--line); shape-rendering: crispEdges; }
.columns { display: grid; grid-template-columns: 44px minmax(0, 1fr); gap: 8px; margin-top: 8px; }
.columns svg { overflow: visible; }
rect.first-try { fill: var(--first-try); } i.first-try { background: var(--first-try); }
rect.later { fill: var(--later); } i.later { background: var(--later); }
rect.escalated { fill: var(--escalated); } i.escalated { background: var(--escalated); }
rect.track { fill: var(--line); }
rect.unverified { fill: var(--unverified); } i.unverified { background: var(--unverified); }
rect.cost { fill: var(--cost); }
rect.slow { fill: var(--slow); }
.bars { list-style: none; margin: 12px 0 0; padding: 0; }
.bars li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 2px 12px; align-items: baseline; margin-bottom: 12px; }
.bars .name { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.bars .value { color: var(--quiet); font-size: 13px; }
.bars svg { grid-column: 1 / -1; }
.name { font: 13px/1.5 ui-monospace, monospace; }
table { width: 100%; margin-top: 12px; border-collapse: collapse; }
th { font-weight: 400; overflow-wrap: normal; }
th, td { padding: 5px 0 5px 16px; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
th:first-child, td:first-child, .texts th, .texts td { padding-left: 0; text-align: left; }
.texts th + th, .texts td + td { padding-left: 16px; }
td.name { line-height: 1.7; }
.texts .name { min-width: 16em; }
.whole { white-space: nowrap; }
@media (max-width: 600px) {
  th, td { padding-left: 8px; }
  .bars li { grid-template-columns: minmax(0, 1fr); }
  .bars .name { display: -webkit-box; white-space: normal; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
  table.wide tr { display: grid; grid-template-columns: 1fr 1fr 1fr 1.4fr 1fr; border-bottom: 1px solid var(--line); padding: 4px 0; }
  table.wide tr:has(> :nth-child(7)) { grid-template-columns: repeat(3, 1fr); }
  table.wide tr:has(> :nth-child(8)) { grid-template-columns: repeat(4, 1fr); }
  table.wide th, table.wide td { border: 0; padding: 2px 0; }
  table.wide th:first-child, table.wide td:first-child { grid-column: 1 / -1; }
  table.texts tr { display: block; border-bottom: 1px solid var(--line); padding: 6px 0; }
  table.texts thead { display: none; }
  table.texts td, table.texts td + td { display: block; border: 0; padding: 0; }
}
`;
