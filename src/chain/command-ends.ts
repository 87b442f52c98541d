import { type GateReport, gateReport } from '../gates/report.ts';
import type { RunResult } from '../gates/types.ts';
import type { CommandEnd } from '../state/chain.ts';

/** What is kept of each stream. */
const KEPT_CHARACTERS = 5000;

/** How the commands of a run ended, as a chain keeps it; those that were not run are left out. */
export function commandEnds({ results }: RunResult): CommandEnd[] {
  return results
    .filter(({ outcome }) => outcome.reason !== 'skipped')
    .map((result) => commandEnd(gateReport(result)));
}

function commandEnd({ name, passed, exitCode, stdout, stderr, durationMs, reason }: GateReport): CommandEnd {
  const timedOut = reason === 'timed-out' || reason === 'out-of-time';
  return {
    command: name,
    passed,
    exitCode,
    stdout: tailOf(stdout),
    stderr: tailOf(stderr),
    durationMs,
    timedOut,
  };
}

function tailOf(text: string): string {
  if (text.length <= KEPT_CHARACTERS) return text;
  return `[...truncated, showing last ${KEPT_CHARACTERS} chars...]\n${text.slice(-KEPT_CHARACTERS)}`.toWellFormed();
}
