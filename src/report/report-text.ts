import { count, oneLine, thousands } from '../base/text.ts';
import type { Paint } from '../messages/paint.ts';
import type { Report } from './make-report.ts';
import { firstTryRate } from './tally-loops.ts';
import { textTable } from './text-table.ts';
import { daysOf, KIND_NAMES, loopCount, minute, money, oneDigit, percent, time } from './wording.ts';

/** Longer lists are told by their start. */
const MAX_GATES = 8;
const MAX_LET_GO = 10;
const INDENT = '  ';
const BAR = '█';

/**
 * A report as people read it in a terminal.
 *
 * @param columns width of what it is read in
 */
export function reportText(report: Report, paint: Paint, columns: number): string {
  const { span } = report;
  if (!span) return `${emptyText(report)}\n`;
  const width = columns - INDENT.length;
  const sections = [
    { title: titleOf(report, span, columns), lines: headLines(report) },
    { title: 'Iterations to pass', lines: iterationLines(report, width) },
    { title: 'Loops', lines: kindLines(report, width) },
    { title: 'Gates that fail most', lines: failingLines(report, width) },
    { title: 'Slowest gates', lines: slowLines(report, width) },
    { title: 'Let go unverified', lines: letGoLines(report, width) },
  ];
  const told = sections.filter(({ lines }) => lines.length > 0);
  const texts = told.map(({ title, lines }) =>
    [paint('bold', title), ...lines.map((line) => `${INDENT}${line}`)].join('\n'),
  );
  return `${texts.join('\n\n')}\n`;
}

/** Why there is nothing to tell. */
export function emptyText({ project, since }: Pick<Report, 'project' | 'since'>): string {
  const when = since ? ` since ${minute(since)}` : ' yet';
  return `Nothing to report of ${oneLine(project)}${when}: its execution log, .trellis/.ralph/log.jsonl, has no loop in it.`;
}

function titleOf({ project, all }: Report, span: NonNullable<Report['span']>, columns: number): string {
  const figures = `${loopCount(all.loops)}, ${daysOf(span)}`;
  return `${oneLine(project, Math.max(8, columns - figures.length - 2))}: ${figures}`;
}

function headLines({ all, medianIterations }: Report): string[] {
  const rate = firstTryRate(all);
  const passed = all['first-try'] + all.later;
  const ended = passed + all['let-go'];
  const after = medianIterations === null ? '' : `, at iteration ${oneDigit(medianIterations)} in the median`;
  const cost = [
    ...(all.costUsd === null ? [] : [money(all.costUsd)]),
    ...(all.tokens === null ? [] : [`${thousands(Math.round(all.tokens))} tokens`]),
  ];
  const rows = [
    [
      'First try',
      rate === null
        ? 'none has ended'
        : `${percent(rate)}, ${thousands(all['first-try'])} of ${thousands(ended)}`,
    ],
    ['Passed', `${thousands(passed)}${after}`],
    ['Let go', all['let-go'] === 0 ? 'none' : `${thousands(all['let-go'])} unverified`],
    ...(all.open === 0 ? [] : [['Not ended', thousands(all.open)]]),
    ['Gates', time(all.gateMs)],
    ...(all.agentMs === 0 ? [] : [['Agents', time(all.agentMs)]]),
    ...(cost.length === 0 ? [] : [['Cost', cost.join(', ')]]),
  ];
  return rows.map(([label = '', value = '']) => `${label.padEnd(11)}${value}`);
}

function iterationLines({ iterations }: Report, width: number): string[] {
  const most = iterations.reduce((max, { loops }) => Math.max(max, loops), 1);
  const room = Math.min(40, width - 12);
  return iterations.map(({ label, loops }) => {
    const bar = BAR.repeat(loops === 0 ? 0 : Math.max(1, Math.round((loops / most) * room)));
    return `${label.padStart(3)}  ${bar}${bar && ' '}${thousands(loops)}`;
  });
}

function kindLines({ kinds }: Report, width: number): string[] {
  const heading = ['', 'all', 'first try', 'later', 'let go', 'open'];
  const rows = kinds.map(([kind, tally]) => [
    KIND_NAMES[kind],
    ...[tally.loops, tally['first-try'], tally.later, tally['let-go'], tally.open].map(thousands),
  ]);
  return textTable([heading, ...rows], width);
}

function failingLines({ gates }: Report, width: number): string[] {
  const failing = gates.filter(({ failures }) => failures > 0);
  if (failing.length === 0) return [];
  const rows = failing
    .slice(0, MAX_GATES)
    .map(({ name, runs, failures }) => [
      name,
      thousands(runs),
      thousands(failures),
      percent(failures / runs),
    ]);
  return [
    ...textTable([['', 'runs', 'failed', 'rate'], ...rows], width),
    ...andMore(failing.length, MAX_GATES, 'gate'),
  ];
}

function slowLines({ gates }: Report, width: number): string[] {
  const slow = gates.filter(({ maxMs }) => maxMs > 0).toSorted((a, b) => b.medianMs - a.medianMs);
  if (slow.length === 0) return [];
  const rows = slow
    .slice(0, MAX_GATES)
    .map(({ name, medianMs, maxMs }) => [name, time(medianMs), time(maxMs)]);
  return [
    ...textTable([['', 'median', 'at most'], ...rows], width),
    ...andMore(slow.length, MAX_GATES, 'gate'),
  ];
}

function letGoLines({ letGo }: Report, width: number): string[] {
  const lines = letGo
    .slice(0, MAX_LET_GO)
    .flatMap(({ at, loop, why, detail }) => [
      `${minute(at)}  ${oneLine(loop, width - 18)}`,
      `${INDENT}${oneLine([why, detail].filter((part) => part !== '').join(', '), width - INDENT.length)}`,
    ]);
  return [...lines, ...andMore(letGo.length, MAX_LET_GO, 'loop')];
}

function andMore(all: number, shown: number, noun: string): string[] {
  return all > shown ? [`and ${count(all - shown, `other ${noun}`)}; --html tells more`] : [];
}
