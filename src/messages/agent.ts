import { relative } from 'node:path';
import { count, duration, oneLine } from '../base/text.ts';
import type { Findings } from '../diagnostics/condenser.ts';
import { excerptOf, textOf } from '../diagnostics/excerpt.ts';
import type { GateFindings } from '../diagnostics/gate-condensers.ts';
import type { GateOutcome, GateResult, RunResult } from '../gates/types.ts';
import type { FailedGate } from '../state/failures.ts';
import { adviceOn } from './advice.ts';
import { describeOutcome, outcomeInShort, unresolvedGates } from './outcome.ts';
import { type Attempt, fits, fittedReason, iterationOf } from './reason-frame.ts';

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

/** What the agent reads when the gates could not be run at all, since the config is broken. */
export function brokenConfigReason(problems: readonly string[], attempt: Attempt): string {
  let shown = Math.min(problems.length, 20);
  let reason: string;
  do reason = brokenConfig(problems, shown--, attempt);
  while (shown > 0 && !fits(reason));
  return reason;
}

function brokenConfig(problems: readonly string[], shown: number, attempt: Attempt): string {
  return [
    `${iterationOf(attempt)} Verification failed:`,
    'The configuration of the gates is broken, so none was run:',
    ...problems.slice(0, shown).map((problem) => oneLine(problem, 250)),
    ...(problems.length > shown ? [`and ${count(problems.length - shown, 'more problem')}`] : []),
    '',
    'Mend these places in the config, and leave its gates as strict as they were meant to be. They run at your next stop.',
  ].join('\n');
}

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
  return textOf(lines) || 'It printed nothing.';
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
