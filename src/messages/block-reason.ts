import { count, duration, oneLine } from '../base/text.ts';
import type { GateFindings } from '../diagnostics/condenser.ts';
import type { GateResult, RunResult } from '../gates/types.ts';
import type { FailedGate } from '../state/failures.ts';
import { outcomeInShort } from './describe-outcome.ts';
import { type FailureContext, failureText } from './failure-text.ts';
import { type Attempt, fittedReason, iterationOf } from './reason-frame.ts';
import { unresolvedGates } from './unresolved-gates.ts';

/** Of several failed gates, so many are shown with their output. */
const MAX_SHOWN = 4;

const UNTOUCHED =
  'Nothing in the working tree has changed since your last stop, so nothing could pass that failed then.';

const AT_NEXT_STOP = 'at your next stop';

/** What is known of a failed run beside its results. */
export interface FailedRun {
  readonly attempt: Attempt;
  /** Absolute directory of the project: log paths are given from there. */
  readonly root: string;
  readonly findings: GateFindings;
  /** How each failed gate is remembered: since when it fails in this way. */
  readonly remembered: readonly FailedGate[];
  /** Nothing in the working tree has changed since the last stop. */
  readonly untouched: boolean;
}

/**
 * What the agent reads when its stop is blocked: the Python hook's first lines, then how each gate failed, what is
 * wrong, and where the rest is.
 *
 * @param again when the gates run again
 */
export function blockReason(summary: RunResult, run: FailedRun, again = AT_NEXT_STOP): string {
  const failed = unresolvedGates(summary);
  const missing = failed.filter(({ outcome }) => outcome.reason === 'marker-missing');
  if (missing.length > 0) return missingMarkers(missing, run.attempt);
  const shown = Math.min(failed.length, MAX_SHOWN);
  return fittedReason((room) => compose(summary, failed, run, { again, room: Math.floor(room / shown) }));
}

/**
 * What the agent reads where a gate config blocks its stop: Ralph Gate's first line, and the first failure only.
 */
export function namedGateReason(summary: RunResult, run: FailedRun): string {
  const failed = unresolvedGates(summary);
  const first = failed[0];
  if (!first)
    return `${iterationOf(run.attempt)} Verification incomplete.\n${whatNext(summary, failed, AT_NEXT_STOP)}`;
  const { gate, outcome } = first;
  const verb =
    outcome.reason === 'out-of-time' || outcome.reason === 'interrupted' ? 'did not finish' : 'failed';
  const headline = `Gate '${oneLine(gate.name, 80)}' ${verb} (${oneLine(outcomeInShort(outcome), 300)}):`;
  return fittedReason((room) =>
    [
      failureText(first, { ...contextOf(first, 0, run), headline }, run.root, room),
      '',
      ...(summary.results.length > 1 ? [`Gates: ${gateLine(summary)}`] : []),
      `${iterationOf(run.attempt)} ${whatNext(summary, [first], AT_NEXT_STOP)}`,
    ].join('\n'),
  );
}

function compose(
  summary: RunResult,
  failed: readonly GateResult[],
  run: FailedRun,
  { again, room }: { readonly again: string; readonly room: number },
): string {
  const head = summary.verdict === 'incomplete' ? 'Verification incomplete' : 'Verification failed';
  const shown = failed
    .slice(0, MAX_SHOWN)
    .map((result, index) => failureText(result, contextOf(result, index, run), run.root, room));
  if (failed.length > MAX_SHOWN) shown.push(`${count(failed.length - MAX_SHOWN, 'more gate')} failed.`);
  return [
    `${iterationOf(run.attempt)} ${head}:`,
    shown.join('\n\n'),
    '',
    ...(summary.results.length > 1 ? [`Gates: ${gateLine(summary)}`] : []),
    whatNext(summary, failed, again),
  ].join('\n');
}

function contextOf(
  { gate }: GateResult,
  index: number,
  { attempt, findings, remembered, untouched }: FailedRun,
): FailureContext {
  const known = remembered.find(({ name }) => name === gate.name);
  const isSame = known?.since != null && known.since < attempt.iteration;
  return {
    findings: findings.get(gate),
    same: isSame ? known : undefined,
    note: untouched && index === 0 ? UNTOUCHED : undefined,
  };
}

function missingMarkers(missing: readonly GateResult[], attempt: Attempt): string {
  const names = missing.map(({ gate }) => gate.name).join(', ');
  return [
    `${iterationOf(attempt)} Missing completion markers: ${oneLine(names, 2000)}.`,
    '',
    'A marker states that its check was really run and found nothing. Run the check behind each marker now, read what',
    'it prints, and repair what it finds until it ends without an error. Then close your message with the marker of every',
    'check that passed, spelled as above. Writing a marker for a check that did not run defeats its purpose.',
  ].join('\n');
}

function whatNext(summary: RunResult, failed: readonly GateResult[], again: string): string {
  if (summary.verdict === 'incomplete')
    return `Whether the work is done is not known yet: the gates run again ${again}. Make them faster where they take too long, or say that they need more time than the hook has.`;
  if (failed.some(({ outcome }) => outcome.reason === 'not-found'))
    return `Something the gate needs is not installed, or is misspelled. Install it or correct the name; the gates run again ${again}.`;
  return `Repair the cause, not the gate. All gates run again ${again}.`;
}

/** `lint ✓ 2.1 s · test ✗ 8 s · build – not run` */
export function gateLine(summary: RunResult): string {
  const states = summary.results.map(({ gate, outcome, durationMs }) => {
    const name = oneLine(gate.name, 40);
    if (outcome.reason === 'skipped') return `${name} – not run`;
    return `${name} ${outcome.reason === 'passed' ? '✓' : gate.blocking ? '✗' : '⚠'} ${duration(durationMs)}`;
  });
  return oneLine(states.join(' · '), 600);
}
