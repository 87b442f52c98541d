import type { GateFindings } from '../diagnostics/condenser.ts';
import { comparableErrors } from '../diagnostics/errors.ts';
import { excerptOf } from '../diagnostics/excerpt.ts';
import type { GateOutcome, RunResult } from '../gates/types.ts';
import { endedEarly, unresolvedGates } from '../messages/outcome.ts';
import type { FailedGate } from '../state/failures.ts';

/** The excerpt that `why` shows. */
const EXCERPT_CHARACTERS = 5000;

/**
 * The failed gates of a run, as they are saved for the next run and for `why`.
 *
 * @param earlier the failed gates that were saved for the run before
 * @param run its iteration, null if it is not a stop; when it ended
 */
export function rememberGates(
  summary: RunResult,
  findings: GateFindings,
  earlier: readonly FailedGate[],
  { iteration, time }: { readonly iteration: number | null; readonly time: Date },
): FailedGate[] {
  return unresolvedGates(summary).map(({ gate, outcome, durationMs, output }) => {
    const found = findings.get(gate);
    const errors = comparableErrors(found);
    const same = earlier.find(
      (other) =>
        other.name === gate.name &&
        isSameOutcome(other.outcome, outcome) &&
        other.errors.join('\n') === errors.join('\n'),
    );
    return {
      time: time.toISOString(),
      name: gate.name,
      command: gate.kind === 'command' ? gate.command : gate.name,
      outcome,
      duration_ms: Math.round(durationMs),
      errors,
      since: same?.since ?? iteration,
      excerpt: found ? excerptOf(found, EXCERPT_CHARACTERS, { hung: endedEarly(outcome) }) : [],
      log: output.logPath ?? null,
    };
  });
}

/** A gate that could not be started has no output: the reason is its error. */
function isSameOutcome(one: GateOutcome, other: GateOutcome): boolean {
  if (one.reason === 'not-started' && other.reason === 'not-started') return one.message === other.message;
  return one.reason === other.reason;
}
