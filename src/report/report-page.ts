import { createHash } from 'node:crypto';
import { thousands } from '../base/text.ts';
import { type Html, html } from './html.ts';
import type { Report } from './make-report.ts';
import { pagePlots } from './page-plots.ts';
import { PAGE_STYLE } from './page-style.ts';
import { pageTables } from './page-tables.ts';
import { emptyText } from './report-text.ts';
import { firstTryRate } from './tally-loops.ts';
import { daysOf, loopCount, minute, money, oneDigit, percent, time } from './wording.ts';

/** What a page of ours begins with: by it one is known that may be written over. */
export const PAGE_START = '<!doctype html>\n<html lang="en" data-made-by="ralph-loop report">';
/** A report as a page that needs nothing but itself: no script, no request, whatever the log holds. */
export function reportPage(report: Report): string {
  // Of styles, this very one is allowed; of all else, nothing: what slips through as markup still cannot load or run.
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
<main>${report.span ? [tiles(report), pagePlots(report), pageTables(report)] : html`<section><p>${emptyText(report)}</p></section>`}</main>
</body>
</html>
`;
  return `${PAGE_START}${markup}`;
}

function subtitle({ span, since, madeAt, all }: Report): string {
  const made = `Made by ralph-loop report on ${minute(madeAt)}${since ? `, for what happened since ${minute(since)}` : ''}.`;
  return span ? `${loopCount(all.loops)}, ${daysOf(span)}. ${made}` : made;
}

function tiles({ all, medianIterations }: Report): Html {
  const rate = firstTryRate(all);
  const passed = all['first-try'] + all.later;
  const tile = (name: string, value: string, note: string) =>
    html`<div><dt>${name}</dt><dd>${value}<small>${note}</small></dd></div>\n`;
  return html`<dl class="tiles">
${tile('First-try rate', rate === null ? '–' : percent(rate), `${thousands(all['first-try'])} of ${thousands(passed + all['let-go'])} that ended`)}
${tile('Iterations to pass', medianIterations === null ? '–' : oneDigit(medianIterations), 'in the median')}
${tile('Let go', thousands(all['let-go']), 'unverified')}
${all.open === 0 ? undefined : tile('Not ended', thousands(all.open), 'as far as the log tells')}
${tile('Gates', time(all.gateMs), 'in all')}
${all.agentMs === 0 ? undefined : tile('Agents', time(all.agentMs), 'of promise loops')}
${all.costUsd === null && all.tokens === null ? undefined : tile('Cost', all.costUsd === null ? '–' : money(all.costUsd), all.tokens === null ? '' : `${thousands(Math.round(all.tokens))} tokens`)}
</dl>`;
}
