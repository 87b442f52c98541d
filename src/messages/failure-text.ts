import { relative } from 'node:path';
import { duration, oneLine } from '../base/text.ts';
import type { Findings } from '../diagnostics/condenser.ts';
import { excerptOf, excerptText } from '../diagnostics/excerpt.ts';
import type { GateOutcome, GateResult } from '../gates/types.ts';
import type { FailedGate } from '../state/failures.ts';
import { adviceOn } from './advice.ts';
import { describeOutcome } from './describe-outcome.ts';

/** What is known of a failed gate beside its result. */
export interface FailureContext {
  readonly findings: Findings | undefined;
  /** Where it is the same failure as at an earlier stop: what is remembered of it. */
  readonly same: FailedGate | undefined;
  /** What is to be known first. */
  readonly note: string | undefined;
  /** What is said of how it ended, instead of the Python hook's words. */
  readonly headline?: string;
}

/** Errors of a failure that is told in short. */
const SHORT_ERRORS = 3;

/** How one gate failed: the Python hook's words, how it ended, what to do where the code is not at fault, the excerpt. */
export function failureText(
  result: GateResult,
  { findings, same, note, headline }: FailureContext,
  root: string,
  maxCharacters: number,
): string {
  const { gate, outcome, durationMs, output } = result;
  const command = gate.kind === 'command' ? gate.command : gate.name;
  const label = gate.name === command ? 'It' : `Gate "${oneLine(gate.name, 80)}"`;
  const advice = adviceOn(outcome, findings);
  const log = output.logPath === undefined ? undefined : oneLine(relative(root, output.logPath), 300);
  const ended = `${label} ${oneLine(describeOutcome(outcome), 400)}${durationMs > 0 ? `, after ${duration(durationMs)}` : ''}.`;
  return [
    headline ?? `${firstWords(outcome)}: ${oneLine(command)}`,
    ...(note === undefined ? [] : [note]),
    ...(headline === undefined ? [ended] : []),
    ...(advice === undefined ? [] : [oneLine(advice, 400)]),
    // Ralph Gate's own form: the output right below its headline.
    ...(headline === undefined || note !== undefined || advice !== undefined ? [''] : []),
    same ? unchanged(same) : printed(findings, outcome, maxCharacters),
    ...(log === undefined ? [] : ['', `Full output: ${log}`]),
  ].join('\n');
}

export function hasHung(outcome: GateOutcome): boolean {
  return ['timed-out', 'out-of-time', 'interrupted', 'killed'].includes(outcome.reason);
}

function printed(findings: Findings | undefined, outcome: GateOutcome, maxCharacters: number): string {
  const lines = findings ? excerptOf(findings, maxCharacters, { hung: hasHung(outcome) }) : [];
  return excerptText(lines) || 'It printed nothing.';
}

/** The agent has read it once; what it needs to know is that nothing of it has moved. */
function unchanged({ since, errors }: FailedGate): string {
  const shown = errors.slice(0, SHORT_ERRORS).map((error) => `  ${oneLine(error, 200)}`);
  const rest = errors.length > shown.length ? [`  and ${errors.length - shown.length} more`] : [];
  return [
    `Unchanged since iteration ${since ?? '?'}: what was done since then did not reach the cause.${shown.length > 0 ? ' Still there:' : ''}`,
    ...shown,
    ...rest,
    'Look at it from another side: is the cause in another file, or is the change not where the gate looks?',
  ].join('\n');
}

/** The Python hook's words for how a command ended. */
function firstWords(outcome: GateOutcome): string {
  if (outcome.reason === 'timed-out') return 'Command timed out';
  if (outcome.reason === 'not-started') return 'Command error';
  return outcome.reason === 'out-of-time' ? 'Out of time' : 'Command failed';
}
