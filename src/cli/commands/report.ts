import { basename } from 'node:path';
import { rootAround } from '../../config/root-around.ts';
import { coloured, plain } from '../../messages/paint.ts';
import { makeReport } from '../../report/make-report.ts';
import { parseSince } from '../../report/parse-since.ts';
import { reportPage } from '../../report/report-page.ts';
import { reportText } from '../../report/report-text.ts';
import { readIterations, readLog } from '../../state/execution-log.ts';
import { ralphDirectory } from '../../state/paths.ts';
import { writePage } from './report-write.ts';

export interface ReportOptions {
  /** As it was typed; undefined: everything that is logged. */
  readonly since: string | undefined;
  /** File that the page is written to; undefined: the report is printed. */
  readonly html: string | undefined;
}

const EXIT = { told: 0, failed: 1, usage: 2 } as const;
/** Width of what is no terminal, and the most that is read with ease of one. */
const COLUMNS = { unknown: 80, most: 100 } as const;

/**
 * `ralph-loop report`: what the execution log tells of all loops together.
 *
 * @returns the exit code: 0 told, 1 the page cannot be written, 2 usage
 */
export async function report({ since: typed, html }: ReportOptions): Promise<number> {
  const madeAt = new Date();
  const since = typed === undefined ? undefined : parseSince(typed, madeAt);
  if (typed !== undefined && !since)
    return refuse(
      `--since "${typed}" is no time: expected 30m, 24h, 7d or 2w, or a date like 2026-01-31.`,
      EXIT.usage,
    );
  const root = rootAround(process.cwd()) ?? process.cwd();
  const directory = ralphDirectory(root);
  const log = { stops: readLog(directory), iterations: readIterations(directory) };
  const told = makeReport(log, { project: basename(root), since, madeAt });
  if (html === undefined) {
    const { stdout } = process;
    // Some terminals say that they have 0.
    const columns = Math.min(stdout.columns || COLUMNS.unknown, COLUMNS.most);
    stdout.write(reportText(told, stdout.hasColors?.() ? coloured : plain, columns));
    return EXIT.told;
  }
  const written = writePage(html, reportPage(told));
  if ('why' in written) return refuse(`${html} is not written: ${written.why}`, EXIT[written.fault]);
  process.stdout.write(`The report is in ${html}\n`);
  return EXIT.told;
}

function refuse(problem: string, exitCode: number): number {
  process.stderr.write(`${problem}\n`);
  return exitCode;
}
