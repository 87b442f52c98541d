import { count, oneLine, thousands } from '../base/text.ts';
import type { Paint } from '../messages/paint.ts';
import {
  dateRange,
  decimal,
  localDateTime,
  longDuration,
  loopCount,
  money,
  percent,
  sharedCount,
  stopCount,
} from './format.ts';
import { LOOP_KIND_NAMES } from './loops.ts';
import {
  endedLoops,
  firstTryRate,
  type GateTotals,
  type Report,
  slowestGates,
  stoppedLoops,
  type UnverifiedLoop,
} from './make-report.ts';

const MAX_GATES = 8;
const MAX_LOOPS = 10;
const INDENT = '  ';
const BAR = '█';
const MAX_BAR_COLUMNS = 40;

/** @param columns the width of the terminal */
export function reportText(report: Report, paint: Paint, columns: number): string {
  const { span } = report;
  if (!span) return `${emptyReportText(report)}\n`;
  const width = columns - INDENT.length;
  const sections = [
    { title: titleOf(report, span, columns), lines: headLines(report) },
    { title: 'Iterations to pass', lines: iterationLines(report, width) },
    { title: 'Loops', lines: kindLines(report, width) },
    { title: 'Gates that fail most', lines: failingLines(report, width) },
    { title: 'Flaky gates', lines: flakyLines(report, width) },
    { title: 'Slowest gates', lines: slowLines(report, width) },
    { title: 'Weakened', lines: weakenedLines(report, width) },
    { title: 'Escalated', lines: endLines(report.escalated, width) },
    { title: 'Ended unverified', lines: endLines(report.unverified, width) },
    { title: 'Cancelled or interrupted', lines: endLines(report.stopped, width) },
  ];
  const texts = sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ title, lines }) => [paint('bold', title), ...lines.map((line) => `${INDENT}${line}`)].join('\n'));
  return `${texts.join('\n\n')}\n`;
}

/** The text of a report without loops. */
export function emptyReportText({ project, since }: Pick<Report, 'project' | 'since'>): string {
  const when = since ? `since ${localDateTime(since)}` : 'yet';
  return `The execution log of ${oneLine(project)}, .trellis/.ralph/log.jsonl, has no loops ${when}.`;
}

function titleOf({ project, totals }: Report, span: NonNullable<Report['span']>, columns: number): string {
  const figures = `${loopCount(totals.loops)}, ${dateRange(span)}`;
  return `${oneLine(project, Math.max(8, columns - figures.length - 2))}: ${figures}`;
}

function headLines({ totals, medianIterations, waits }: Report): string[] {
  const rate = firstTryRate(totals);
  const passed = totals['first-try'] + totals.later;
  const ended = endedLoops(totals);
  const reviewed = totals.selfReviewed === 0 ? '' : `, ${thousands(totals.selfReviewed)} self-reviewed`;
  const iteration = medianIterations === null ? '' : `, at iteration ${decimal(medianIterations)} (median)`;
  const cost = [
    ...(totals.costUsd === null ? [] : [money(totals.costUsd)]),
    ...(totals.tokens === null ? [] : [`${thousands(Math.round(totals.tokens))} tokens`]),
  ];
  const shared = sharedCount(totals);
  const rows = [
    [
      'First try',
      rate === null
        ? 'no loop has ended'
        : `${percent(rate)}, ${thousands(totals['first-try'])} of ${thousands(ended)}`,
    ],
    ['Passed', `${thousands(passed)}${iteration}${reviewed}`],
    ...(totals.escalated === 0 ? [] : [['Escalated', thousands(totals.escalated)]]),
    ['Unverified', totals.unverified === 0 ? 'none' : thousands(totals.unverified)],
    ...(totals.cancelled === 0 ? [] : [['Cancelled', thousands(totals.cancelled)]]),
    ...(totals.interrupted === 0 ? [] : [['Interrupted', thousands(totals.interrupted)]]),
    ...(totals.open === 0 ? [] : [['Not ended', thousands(totals.open)]]),
    ['Gates', longDuration(totals.gateMs)],
    ...(shared === '' ? [] : [['Saved', `${longDuration(totals.savedMs)}, ${shared}`]]),
    ...(waits === 0 ? [] : [['Waited', `${stopCount(waits)}, for gates that still ran`]]),
    ...(totals.agentMs === 0 ? [] : [['Agents', longDuration(totals.agentMs)]]),
    ...(cost.length === 0 ? [] : [['Cost', cost.join(', ')]]),
  ];
  return rows.map(([label = '', value = '']) => `${label.padEnd(12)}${value}`);
}

function iterationLines({ iterations }: Report, width: number): string[] {
  const most = iterations.reduce((max, { loops }) => Math.max(max, loops), 1);
  const barColumns = Math.min(MAX_BAR_COLUMNS, width - 12);
  return iterations.map(({ label, loops }) => {
    const bar = BAR.repeat(loops === 0 ? 0 : Math.max(1, Math.round((loops / most) * barColumns)));
    return `${label.padStart(3)}  ${bar}${bar && ' '}${thousands(loops)}`;
  });
}

function kindLines({ kinds }: Report, width: number): string[] {
  const hasStopped = kinds.some(([, totals]) => stoppedLoops(totals) > 0);
  const hasEscalated = kinds.some(([, totals]) => totals.escalated > 0);
  const heading = [
    '',
    'all',
    'first try',
    'later',
    ...(hasEscalated ? ['escalated'] : []),
    'unverified',
    ...(hasStopped ? ['stopped'] : []),
    'open',
  ];
  const rows = kinds.map(([kind, totals]) => [
    LOOP_KIND_NAMES[kind],
    ...[totals.loops, totals['first-try'], totals.later].map(thousands),
    ...(hasEscalated ? [thousands(totals.escalated)] : []),
    thousands(totals.unverified),
    ...(hasStopped ? [thousands(stoppedLoops(totals))] : []),
    thousands(totals.open),
  ]);
  return table([heading, ...rows], width);
}

function failingLines({ gates }: Report, width: number): string[] {
  const failing = gates.filter(({ failures }) => failures > 0);
  return gateLines(failing, width, [
    ['runs', ({ runs }) => thousands(runs)],
    reusedColumn(failing),
    ['failed', ({ failures }) => thousands(failures)],
    ['rate', ({ runs, failures }) => percent(failures / runs)],
  ]);
}

function flakyLines({ gates }: Report, width: number): string[] {
  const flaky = gates.filter((gate) => gate.flaky > 0).toSorted((a, b) => b.flaky - a.flaky);
  return gateLines(flaky, width, [
    ['runs', ({ runs }) => thousands(runs)],
    ['flaky', (gate) => thousands(gate.flaky)],
    ['rate', (gate) => percent(gate.flaky / gate.runs)],
  ]);
}

function slowLines(report: Report, width: number): string[] {
  const slow = slowestGates(report);
  return gateLines(slow, width, [
    ['median', ({ medianMs }) => longDuration(medianMs)],
    ['max', ({ maxMs }) => longDuration(maxMs)],
    reusedColumn(slow),
  ]);
}

/** The heading of a column, and its figure of a gate. */
type GateColumn<G> = readonly [string, (gate: G) => string];

/** @returns undefined if no result of these gates was reused */
function reusedColumn(gates: readonly GateTotals[]): GateColumn<GateTotals> | undefined {
  return gates.some(({ reused }) => reused > 0) ? ['reused', ({ reused }) => thousands(reused)] : undefined;
}

function gateLines<G extends GateTotals>(
  gates: readonly G[],
  width: number,
  columns: readonly (GateColumn<G> | undefined)[],
): string[] {
  if (gates.length === 0) return [];
  const shown = columns.filter((column) => column !== undefined);
  const heading = ['', ...shown.map(([name]) => name)];
  const rows = gates
    .slice(0, MAX_GATES)
    .map((gate) => [gate.name, ...shown.map(([, figure]) => figure(gate))]);
  return [...table([heading, ...rows], width), ...andMore(gates.length, MAX_GATES, 'gate')];
}

function weakenedLines({ weakened }: Report, width: number): string[] {
  if (weakened.length === 0) return [];
  const rows = weakened.map(({ rule, blocked, allowed }) => [rule, thousands(blocked), thousands(allowed)]);
  return table([['', 'blocked', 'allowed'], ...rows], width);
}

function endLines(loops: readonly UnverifiedLoop[], width: number): string[] {
  const lines = loops
    .slice(0, MAX_LOOPS)
    .flatMap(({ at, loop, reason, detail }) => [
      `${localDateTime(at)}  ${oneLine(loop, width - 18)}`,
      `${INDENT}${oneLine([reason, detail].filter((part) => part !== '').join(', '), width - INDENT.length)}`,
    ]);
  return [...lines, ...andMore(loops.length, MAX_LOOPS, 'loop')];
}

function andMore(all: number, shown: number, noun: string): string[] {
  return all > shown ? [`and ${count(all - shown, `more ${noun}`)}; --html shows more`] : [];
}

const COLUMN_GAP = '  ';
const MIN_NAME_COLUMNS = 8;

/**
 * Aligns names to the left and figures to the right. Names are cut to fit.
 *
 * @param rows the heading first; each row has the same number of cells
 * @param columns the maximum length of a line, unless the figures alone are longer
 */
function table(rows: readonly (readonly string[])[], columns: number): string[] {
  const [, ...figureWidths] = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  const taken = figureWidths.reduce((sum, width) => sum + COLUMN_GAP.length + width, 0);
  const names = rows.map(([name = '']) => oneLine(name, Math.max(MIN_NAME_COLUMNS, columns - taken)));
  const nameWidth = Math.max(...names.map((name) => name.length));
  return rows.map(([, ...figures], at) => {
    const cells = figures.map((figure, index) => figure.padStart(figureWidths[index] ?? 0));
    return [(names[at] ?? '').padEnd(nameWidth), ...cells].join(COLUMN_GAP).trimEnd();
  });
}
