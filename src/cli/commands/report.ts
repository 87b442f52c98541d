import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { reasonOf, writeFileAtomic } from '../../base/files.ts';
import { jsonText } from '../../base/text.ts';
import { rootAround } from '../../config/discover.ts';
import { firstTryRate, makeReport, type Report } from '../../report/make-report.ts';
import { PAGE_START, reportPage } from '../../report/page.ts';
import { reportText } from '../../report/report-text.ts';
import { readIterations, readLog } from '../../state/execution-log.ts';
import { ralphDirectory } from '../../state/paths.ts';
import { outputProblem } from '../output-file.ts';
import { readSince } from '../since-option.ts';
import { EXIT, fail, forStdout, print, stdoutColumns, stdoutPaint } from '../terminal.ts';

interface ReportOptions {
  /** As typed; undefined: everything that is logged. */
  readonly since?: string | undefined;
  /** File for the HTML page; undefined: the report is printed. */
  readonly html?: string | undefined;
  readonly json?: boolean;
}

/** The width without a terminal, and the greatest one: longer lines are hard to read. */
const COLUMNS = { default: 80, max: 100 } as const;

/**
 * `ralph-loop report`: a summary of the execution log.
 *
 * @returns the exit code: 0 reported, 1 the page cannot be written, 2 usage
 */
export async function report({ since: typed, html, json }: ReportOptions): Promise<number> {
  const madeAt = new Date();
  const since = readSince(typed, madeAt);
  if (!since.ok) return fail(since.failure.message, EXIT.usage);
  const root = rootAround(process.cwd()) ?? process.cwd();
  const directory = ralphDirectory(root);
  const log = { stops: readLog(directory), iterations: readIterations(directory) };
  const made = makeReport(log, { project: basename(root), since: since.value, madeAt });
  if (html !== undefined) return writePage(html, reportPage(made));
  if (json) {
    print(jsonText(reportAsJson(made)));
    return EXIT.ok;
  }
  const columns = Math.min(stdoutColumns() ?? COLUMNS.default, COLUMNS.max);
  process.stdout.write(forStdout(reportText(made, stdoutPaint(), columns)));
  return EXIT.ok;
}

function reportAsJson(report: Report): object {
  const {
    project,
    since,
    madeAt,
    span,
    totals,
    waits,
    kinds,
    iterations,
    gates,
    weakened,
    escalated,
    unverified,
    stopped,
    unit,
    periods,
  } = report;
  return {
    project,
    since: since ?? null,
    made_at: madeAt,
    from: span?.from ?? null,
    to: span?.to ?? null,
    totals: totalsAsJson(totals),
    waits,
    kinds: Object.fromEntries(kinds.map(([kind, ofKind]) => [kind.replace('-', '_'), totalsAsJson(ofKind)])),
    iterations,
    median_iterations: report.medianIterations,
    gates: gates.map(({ medianMs, maxMs, ...gate }) => ({ ...gate, median_ms: medianMs, max_ms: maxMs })),
    weakened,
    escalated,
    unverified,
    stopped,
    unit,
    periods: periods.map(({ 'first-try': first_try, costUsd: cost_usd, ...period }) => ({
      ...period,
      first_try,
      cost_usd,
    })),
  };
}

function totalsAsJson(totals: Report['totals']): object {
  const { 'first-try': first_try, gateMs: gate_ms, savedMs: saved_ms, ...rest } = totals;
  const { agentMs: agent_ms, costUsd: cost_usd, selfReviewed: self_reviewed, ...others } = rest;
  const first_try_rate = firstTryRate(totals);
  return { ...others, first_try, first_try_rate, self_reviewed, gate_ms, saved_ms, agent_ms, cost_usd };
}

/**
 * Writes a page, whole or not at all, over nothing but an earlier page. A link to an earlier page stays a link.
 *
 * @returns the exit code
 */
function writePage(path: string, page: string): number {
  try {
    const problem = pathProblem(path);
    if (problem !== undefined) return fail(`Cannot write ${path}: ${problem}`, EXIT.usage);
    writeFileAtomic(existsSync(path) ? realpathSync(path) : path, page);
  } catch (error) {
    return fail(`Cannot write ${path}: ${reasonOf(error)}`);
  }
  print(`Report written to ${path}`);
  return EXIT.ok;
}

function pathProblem(path: string): string | undefined {
  const isDirectory = statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory();
  return isDirectory
    ? outputProblem(path, (start) => start.startsWith(PAGE_START))
    : `no such directory: ${dirname(path)}`;
}
