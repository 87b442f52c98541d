import { count, duration, oneLine } from '../base/text.ts';
import { excerptOf, excerptText } from '../diagnostics/excerpt.ts';
import { Condenser } from '../diagnostics/output/condenser.ts';
import type { GateReport, RunReport } from '../gates/report.ts';
import { coloured, plain } from '../messages/paint.ts';
import { warningsMessage } from '../messages/person.ts';

/** The maximum length of the excerpt of a failure. */
const CONTEXT_CHARACTERS = 4000;

/** Options of a text for people. */
export interface FormatOptions {
  /** Use ANSI colours. False by default. */
  readonly color?: boolean;
}

/**
 * Formats a run for people: a line for each gate (✓ passed, ✗ failed, ⚠ failed without blocking, ⊘ not run), then the
 * verdict.
 *
 * @param summary - A run of all gates.
 * @param options - Options of the text.
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
 * Selects the lines of a failed gate's output that explain the failure: the first errors in full, one error of each kind,
 * and the end. Gaps are marked.
 *
 * @param stderr - The stderr of the gate.
 * @param stdout - The stdout of the gate.
 * @returns At most 4,000 characters, in the order stdout, stderr.
 */
export function formatFailureContext(stderr: string, stdout = ''): string {
  const condenser = new Condenser();
  condenser.write('stdout', Buffer.from(stdout));
  condenser.write('stderr', Buffer.from(stderr));
  const lines = excerptOf(condenser.findings(), CONTEXT_CHARACTERS, { hung: false });
  return excerptText(lines) || 'It printed nothing.';
}

/** `exit 1`, `timed out`, `no test`. */
export function endOf({ exitCode, reason }: GateReport): string {
  if (reason === 'empty') return 'no test';
  return exitCode === null ? reason.replaceAll('-', ' ') : `exit ${exitCode}`;
}

/** What a Stop hook prints as JSON. An empty object allows the stop. */
export interface HookOutput {
  readonly decision?: 'block';
  /** Shown to the agent. */
  readonly reason?: string;
  /** Names of the non-blocking gates that failed. */
  readonly warnings?: readonly string[];
  /** Shown to the user. */
  readonly systemMessage?: string;
}

/**
 * Creates the answer of a Stop hook for Claude Code, and for hosts that ignore unknown keys.
 *
 * @param summary - A run of all gates.
 * @returns Empty if all gates passed; otherwise the first blocking failure, or the warnings. It does not limit the number
 * of blocks: a hook has to count them.
 */
export function generateHookResponse(summary: RunReport): HookOutput {
  const { passed, firstFailure, warnings } = summary;
  const notes = {
    ...(warnings.length > 0 && { warnings }),
    ...(warnings.length > 0 && { systemMessage: warningsMessage(warnings) }),
  };
  if (passed) return notes;
  const reason = firstFailure ? reasonOf(firstFailure) : 'The gates did not finish.';
  return { decision: 'block', reason, ...notes };
}

function reasonOf(failure: GateReport): string {
  const { name, stderr, stdout } = failure;
  return `Gate '${oneLine(name, 80)}' failed (${endOf(failure)}):\n${formatFailureContext(stderr, stdout)}`;
}
