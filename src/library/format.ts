import { count, duration, oneLine } from '../base/text.ts';
import { Condenser } from '../diagnostics/condenser.ts';
import { excerptOf, excerptText } from '../diagnostics/excerpt.ts';
import type { GateReport, RunReport } from '../gates/run-report.ts';
import { coloured, plain } from '../messages/paint.ts';

/** What an agent reads of one failure at the most. */
const CONTEXT_CHARACTERS = 4000;

/** How a text for people looks. */
export interface FormatOptions {
  /** With ANSI colours. False by default. */
  readonly color?: boolean;
}

/**
 * A run as people read it: a line for each gate, ✓ passed, ✗ failed, ⚠ failed without blocking, ⊘ not run; then the
 * verdict.
 *
 * @param summary - A run of all gates.
 * @param options - How the text looks.
 * @returns Lines, without a line break at the end.
 */
export function formatConsoleOutput(summary: RunReport, { color = false }: FormatOptions = {}): string {
  const paint = color ? coloured : plain;
  const { results, warnings, passed, totalDurationMs } = summary;
  const line = (result: GateReport) => {
    const name = oneLine(result.name, 80);
    if (result.skipped) return paint('dim', `⊘ ${name} (not run)`);
    const time = duration(result.durationMs);
    if (result.passed) return `${paint('green', '✓')} ${name} (${time})`;
    const mark = result.blocking ? paint('red', '✗') : paint('yellow', '⚠');
    return `${mark} ${name} (${endOf(result)}, ${time})`;
  };
  const failed = results.filter((result) => result.blocking && !result.passed && !result.skipped).length;
  const time = duration(totalDurationMs);
  const verdict = passed
    ? paint('green', `All blocking gates passed in ${time}.`)
    : paint('red', `${count(failed, 'blocking gate')} failed in ${time}.`);
  const warned = warnings.length > 0 ? [paint('yellow', `Warnings: ${warnings.join(', ')}`)] : [];
  return [...results.map(line), ...warned, verdict].join('\n');
}

/**
 * What an expert would paste of a failed gate's output: the first errors whole, one of each kind, how it ended; gaps
 * are marked.
 *
 * @param stderr - What the gate printed there.
 * @param stdout - What the gate printed there.
 * @returns At most 4,000 characters, in the order stdout, stderr.
 */
export function formatFailureContext(stderr: string, stdout = ''): string {
  const condenser = new Condenser();
  condenser.write('stdout', Buffer.from(stdout));
  condenser.write('stderr', Buffer.from(stderr));
  const lines = excerptOf(condenser.findings(), CONTEXT_CHARACTERS, { hung: false });
  return excerptText(lines) || 'It printed nothing.';
}

/** `exit 1`, `timed out`. */
export function endOf({ exitCode, reason }: GateReport): string {
  return exitCode === null ? reason.replaceAll('-', ' ') : `exit ${exitCode}`;
}
