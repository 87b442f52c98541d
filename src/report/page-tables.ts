import { thousands } from '../base/text.ts';
import { type Html, html } from './html.ts';
import type { Report } from './make-report.ts';
import { day, KIND_NAMES, minute, money, percent, time } from './wording.ts';

/** A page of thousands of rows is a file for a program, not for people. */
const MAX_ROWS = 200;

/** What the plots show, figure by figure, and each loop that was let go. */
export function pageTables(report: Report): Html {
  return html`${letGoTable(report)}
${kindTable(report)}
<div class="pair">${periodTable(report)}${iterationTable(report)}</div>
${gateTable(report)}`;
}

function letGoTable({ letGo }: Report): Html | undefined {
  if (letGo.length === 0) return undefined;
  const rows = letGo.slice(0, MAX_ROWS).map(
    ({
      at,
      loop,
      why,
      detail,
    }) => html`<tr><td class="whole">${minute(at)}</td><td class="name">${loop}</td><td>${why}${detail && `, ${detail}`}</td></tr>
`,
  );
  return html`<section>
<h2>Let go unverified</h2>
<p class="note">The agent was allowed to stop, or given up, and nobody knows whether its gates hold. The latest first.${onlyFirst(letGo.length)}</p>
<table class="texts"><thead><tr><th>When</th><th>Loop</th><th>Why</th></tr></thead><tbody>
${rows}</tbody></table>
</section>`;
}

function kindTable({ kinds }: Report): Html {
  const rows = kinds.map(
    ([kind, tally]) => html`<tr><td>${KIND_NAMES[kind]}</td>${figures(
      thousands(tally.loops),
      thousands(tally['first-try']),
      thousands(tally.later),
      thousands(tally['let-go']),
      thousands(tally.open),
    )}</tr>
`,
  );
  return html`<section>
<h2>Loops</h2>
<table class="wide">${heading('Kind', 'All', 'First try', 'Later', 'Let go', 'Open')}<tbody>
${rows}</tbody></table>
</section>`;
}

function periodTable({ periods, unit }: Report): Html {
  const hasCost = periods.some(({ costUsd }) => costUsd !== null);
  const told = periods.filter(
    (period) => period['first-try'] + period.later + period['let-go'] > 0 || period.costUsd !== null,
  );
  const rows = told.map(
    ({ from, costUsd, ...period }) => html`<tr><td class="whole">${day(from)}</td>${figures(
      thousands(period['first-try']),
      thousands(period.later),
      thousands(period['let-go']),
      ...(hasCost ? [costUsd === null ? '–' : money(costUsd)] : []),
    )}</tr>
`,
  );
  const from = unit === 'day' ? 'Day' : `${unit === 'week' ? 'Week' : 'Month'} from`;
  return html`<section>
<h2>Loops per ${unit}</h2>
<table>${heading(from, 'First try', 'Later', 'Let go', ...(hasCost ? ['Cost'] : []))}<tbody>
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

function gateTable({ gates }: Report): Html | undefined {
  if (gates.length === 0) return undefined;
  const rows = gates.slice(0, MAX_ROWS).map(
    ({ name, runs, failures, medianMs, maxMs }) => html`<tr><td class="name">${name}</td>${figures(
      thousands(runs),
      thousands(failures),
      percent(failures / runs),
      time(medianMs),
      time(maxMs),
    )}</tr>
`,
  );
  return html`<section>
<h2>Gates</h2>
<p class="note">Those that fail most first.${onlyFirst(gates.length)}</p>
<table class="wide">${heading('Gate', 'Runs', 'Failed', 'Rate', 'Median', 'Max')}<tbody>
${rows}</tbody></table>
</section>`;
}

function heading(...names: readonly string[]): Html {
  return html`<thead><tr>${names.map((name) => html`<th>${name}</th>`)}</tr></thead>`;
}

function figures(...cells: readonly string[]): Html[] {
  return cells.map((cell) => html`<td class="whole">${cell}</td>`);
}

function onlyFirst(all: number): string {
  return all > MAX_ROWS ? ` The first ${MAX_ROWS} of ${thousands(all)}.` : '';
}
