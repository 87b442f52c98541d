import { count, duration, listed, oneLine } from '../base/text.ts';
import { excerptOf, excerptText } from '../diagnostics/excerpt.ts';
import { changeBetween, type FailureChange } from '../diagnostics/fold/failure-names.ts';
import type { Findings, GateFindings } from '../diagnostics/output/condenser.ts';
import { shortExcerptOf, withReadInShort } from '../diagnostics/short-excerpt.ts';
import {
  type GateOutcome,
  type GateResult,
  holds,
  type RunningGate,
  type RunResult,
} from '../gates/types.ts';
import type { Finding } from '../integrity/types.ts';
import type { FailedGate } from '../state/failures.ts';
import { adviceOn } from './advice.ts';
import { findingLines } from './integrity.ts';
import { knownFailures } from './known-failures.ts';
import {
  afterText,
  describeOutcome,
  describeRepeatedOutcome,
  endedEarly,
  isSameOutcome,
  logHint,
  outcomeInShort,
  skippedText,
  stillRunning,
  unresolvedGates,
} from './outcome.ts';
import { fewerTestsLines } from './tests.ts';

/** The number of failed gates that are shown with their output. */
const MAX_SHOWN = 4;

const UNTOUCHED =
  'Nothing in the working tree has changed since your last stop, so the gates that failed then fail again.';

const AT_NEXT_STOP = 'at your next stop';

/** What is known about a failed run besides its results. */
export interface FailedRun {
  readonly attempt: IterationNumber;
  /** Absolute directory of the project, from which log paths are given. */
  readonly root: string;
  readonly findings: GateFindings;
  /** The failed gates as recorded, with the iteration since which each fails in this way. */
  readonly remembered: readonly FailedGate[];
  /** The gates that had failed at the last run. */
  readonly earlier: readonly FailedGate[];
  /** Nothing in the working tree has changed since the last stop. */
  readonly untouched: boolean;
  /** How a shell starts ralph-loop; undefined: by its name. */
  readonly program?: string | undefined;
}

/**
 * The reason of a blocked stop: the first lines of Trellis's Python hook, then how each gate failed, the excerpt of its
 * output, and the path of its log.
 *
 * @param again when the gates run again, as part of a sentence
 */
export function blockReason(summary: RunResult, run: FailedRun, again = AT_NEXT_STOP): string {
  const failed = unresolvedGates(summary);
  const missing = failed.filter(({ outcome }) => outcome.reason === 'marker-missing');
  if (missing.length > 0) return missingMarkers(missing, run);
  const shown = Math.min(failed.length, MAX_SHOWN);
  return fittedReason((maxCharacters) =>
    compose(summary, failed, run, { again, maxCharacters: Math.floor(maxCharacters / shown) }),
  );
}

/** The reason of a stop whose gates pass, but tests or checks became weaker. */
export function weakenedReason(
  findings: readonly Finding[],
  { results }: RunResult,
  { attempt, program = 'ralph-loop' }: Pick<FailedRun, 'attempt' | 'program'>,
): string {
  const high = findings.filter(({ severity }) => severity === 'high');
  const medium = findings.filter(({ severity }) => severity === 'medium');
  return [
    `${iterationOf(attempt)} ${results.length === 1 ? 'The gate passes' : 'The gates pass'}, but tests or checks are weaker than when the session began:`,
    ...findingLines(high),
    '',
    'Restore each of them, and fix the code instead.',
    `Never weaken a test or check to pass. If a change is right, the user decides: ${program} escalate "<reason>"`,
    ...(medium.length > 0 ? ['', 'Also changed, without blocking:', ...findingLines(medium)] : []),
  ].join('\n');
}

/** Adds to the reason of a block that tests or checks became weaker. */
export function withFindings(reason: string, findings: readonly Finding[]): string {
  const shown = findings.filter(({ severity }) => severity !== 'low');
  if (shown.length === 0) return reason;
  return [
    reason,
    '',
    'Tests or checks are weaker than when the session began. Restore them:',
    ...findingLines(shown),
  ].join('\n');
}

/** The reason of a stop that a gate config blocks: Ralph Gate's first line, and the first failure only. */
export function namedGateReason(summary: RunResult, run: FailedRun): string {
  const failed = unresolvedGates(summary);
  const first = failed[0];
  if (!first)
    return [
      `${iterationOf(run.attempt)} Verification incomplete.`,
      ...wayOutOf(run),
      whatNext(summary, failed, AT_NEXT_STOP),
    ].join('\n');
  const { gate, outcome } = first;
  const verb =
    outcome.reason === 'out-of-time' || outcome.reason === 'interrupted' ? 'did not finish' : 'failed';
  const headline = `Gate '${oneLine(gate.name, 80)}' ${verb} (${oneLine(outcomeInShort(outcome), 300)}):`;
  return fittedReason((maxCharacters) =>
    [
      failureText(first, { ...contextOf(first, 0, run), headline }, run.root, maxCharacters),
      '',
      ...(summary.results.length > 1 ? [`Gates: ${gateLine(summary)}`] : []),
      ...fewerTestsLines(summary),
      ...wayOutOf(run),
      `${iterationOf(run.attempt)} ${whatNext(summary, [first], AT_NEXT_STOP)}`,
    ].join('\n'),
  );
}

function compose(
  summary: RunResult,
  failed: readonly GateResult[],
  run: FailedRun,
  { again, maxCharacters }: { readonly again: string; readonly maxCharacters: number },
): string {
  const head = summary.verdict === 'incomplete' ? 'Verification incomplete' : 'Verification failed';
  const shown = failed
    .slice(0, MAX_SHOWN)
    .map((result, index) => failureText(result, contextOf(result, index, run), run.root, maxCharacters));
  if (failed.length > MAX_SHOWN) shown.push(`${count(failed.length - MAX_SHOWN, 'more gate')} failed.`);
  return [
    `${iterationOf(run.attempt)} ${head}:`,
    shown.join('\n\n'),
    '',
    ...(summary.results.length > 1 ? [`Gates: ${gateLine(summary)}`] : []),
    ...fewerTestsLines(summary),
    ...wayOutOf(run),
    whatNext(summary, failed, again),
  ].join('\n');
}

/** @param index among the failed gates of the run */
export function contextOf(
  { gate, outcome }: GateResult,
  index: number,
  { attempt, findings, remembered, earlier, untouched }: FailedRun,
): FailureContext {
  const known = remembered.find(({ name }) => name === gate.name);
  const isSame = known?.since != null && known.since < attempt.iteration;
  const before = earlier.find(({ name }) => name === gate.name);
  const isEndedAlike = before !== undefined && isSameOutcome(before.outcome, outcome);
  const change = isSame ? undefined : changeSince(before, known);
  const found = findings.get(gate);
  const hasNew = change !== undefined && change.added.length > 0;
  return {
    findings: found && before && hasNew ? withReadInShort(found, before.errors) : found,
    same: isSame ? known : undefined,
    again: isSame || (isEndedAlike && outcome.reason !== 'failed'),
    change,
    untouched,
    note: untouched && index === 0 ? UNTOUCHED : undefined,
  };
}

/** How the failures of a gate differ from those of the last run; undefined if one of the runs did not come to its end. */
function changeSince(before: FailedGate | undefined, now: FailedGate | undefined): FailureChange | undefined {
  const isComplete = [before, now].every((gate) => gate?.outcome.reason === 'failed');
  return isComplete && before?.names && now?.names ? changeBetween(before.names, now.names) : undefined;
}

function missingMarkers(missing: readonly GateResult[], run: FailedRun): string {
  const names = listed(
    missing.map(({ gate }) => gate.name),
    2000,
  );
  return [
    `${iterationOf(run.attempt)} Missing completion markers: ${names}.`,
    '',
    ...wayOutOf(run),
    'A marker states that its check was run and passed. Run the check of each missing marker now, read its output, and',
    'fix what it reports until it passes. Then end your message with the marker of every check that passed, spelled as',
    'above. Do not write a marker for a check that you did not run.',
    ...(missing.some(({ gate }) => gate.kind === 'marker' && gate.strict)
      ? ['A marker does not count in code, in quotation marks, or in a sentence that denies it.']
      : []),
  ].join('\n');
}

/** From the second block on: the first one is seldom the gate's fault. */
function wayOutOf({ attempt, program = 'ralph-loop' }: Pick<FailedRun, 'attempt' | 'program'>): string[] {
  return attempt.iteration > 1 ? [wayOut(program)] : [];
}

/** The rule, and the way out of it, for an agent that is blocked again. @param program how a shell starts ralph-loop */
function wayOut(program: string): string {
  return `Never weaken a test or check to pass. If a gate is wrong or cannot be satisfied: ${program} escalate --gate <name> "<reason>"`;
}

function whatNext(summary: RunResult, failed: readonly GateResult[], again: string): string {
  if (summary.verdict === 'incomplete')
    return `The gates did not finish, so the result is not known yet; they run again ${again}. If they are slow, make them faster, or report to the user that they need more time than the hook has.`;
  if (failed.some(({ outcome }) => outcome.reason === 'not-found'))
    return `A program that the gate needs is not installed, or its name is misspelled. Install it or correct the name; the gates run again ${again}.`;
  return `Fix the cause, not the gate. ${summary.results.length === 1 ? 'It runs' : 'All gates run'} again ${again}.`;
}

/** `lint ✓ 2.1 s · test ✗ 8 s · build – not run` */
export function gateLine(summary: RunResult): string {
  const states = summary.results.map((result) => {
    const { gate, outcome, durationMs, reused, known } = result;
    const name = oneLine(gate.name, 40);
    if (outcome.reason === 'skipped') return `${name} – ${skippedText(result)}`;
    if (outcome.reason === 'unaffected') return `${name} – not affected`;
    const mark = holds(outcome) ? '✓' : gate.blocking ? '✗' : '⚠';
    const despite = known === undefined ? '' : ` (${knownFailures(known)})`;
    return `${name} ${mark} ${reused === undefined ? duration(durationMs) : 'reused'}${despite}`;
  });
  return listed(states, 600, ' · ');
}

/** The reason of a stop whose gates still run. @param usualMs how long each gate usually takes, where it is known */
export function stillRunningReason(
  gates: readonly RunningGate[],
  usualMs: ReadonlyMap<string, number>,
): string {
  return `${stillRunning(gates, usualMs)}. Run \`ralph-loop wait\`, then finish.`;
}

/** The reason of a stop whose gates could not run because the config is invalid. */
export function brokenConfigReason(
  problems: readonly string[],
  attempt: IterationNumber,
  program?: string,
): string {
  let shown = Math.min(problems.length, 20);
  let reason: string;
  do reason = brokenConfig(problems, shown--, { attempt, program });
  while (shown > 0 && !fits(reason));
  return reason;
}

function brokenConfig(
  problems: readonly string[],
  shown: number,
  run: Pick<FailedRun, 'attempt' | 'program'>,
): string {
  return [
    `${iterationOf(run.attempt)} Verification failed:`,
    'The gate configuration is invalid, so no gate was run:',
    ...problems.slice(0, shown).map((problem) => oneLine(problem, 250)),
    ...(problems.length > shown ? [`and ${count(problems.length - shown, 'more problem')}`] : []),
    '',
    ...wayOutOf(run),
    'Fix these problems without making the gates less strict. The gates run at your next stop.',
  ].join('\n');
}

/** What is known about a failed gate besides its result. */
interface FailureContext {
  readonly findings: Findings | undefined;
  /** The recorded failure, if it is the same as at an earlier stop. */
  readonly same: FailedGate | undefined;
  /** Whether the gate ended in this way at the last run too. */
  readonly again?: boolean;
  /** How its failures differ from those of the last run, if that is certain. */
  readonly change?: FailureChange | undefined;
  /** Nothing in the working tree has changed since the last stop. */
  readonly untouched?: boolean;
  /** A sentence to begin with. */
  readonly note: string | undefined;
  /** Replaces the first line of Trellis's Python hook and the sentence on how the gate ended. */
  readonly headline?: string;
}

/** How one gate failed: how it ended, advice if the code is not at fault, the excerpt of its output, its log. */
export function failureText(
  result: GateResult,
  { findings, same, again = false, change, untouched = false, note, headline }: FailureContext,
  root: string,
  maxCharacters: number,
): string {
  const { gate, outcome } = result;
  const command = gate.kind === 'command' ? gate.command : gate.name;
  const label = gate.name === command ? 'It' : `Gate "${oneLine(gate.name, 80)}"`;
  const advice = adviceOn(result, findings, { again, root });
  const log = logHint(result, root);
  const how = again ? describeRepeatedOutcome(outcome) : describeOutcome(outcome);
  const ended = `${label} ${oneLine(how, 400)}${afterText(result)}.`;
  return [
    headline ?? `${firstWords(outcome)}: ${oneLine(command)}`,
    ...(note === undefined ? [] : [note]),
    ...(headline === undefined ? [ended] : []),
    ...(change ? changeLines(change) : []),
    ...(advice === undefined ? [] : [oneLine(advice, 450)]),
    // Ralph Gate prints the output directly below its headline.
    ...(headline === undefined || note !== undefined || change !== undefined || advice !== undefined
      ? ['']
      : []),
    same
      ? unchanged(same, findings, { untouched, advised: advice !== undefined, maxCharacters })
      : printed(findings, outcome, maxCharacters),
    ...(log === undefined ? [] : ['', log]),
  ].join('\n');
}

/** What the changes of the agent have done: a failure that is not reported any more may be fixed, or not reached. */
export function changeLines({ gone, added }: FailureChange): string[] {
  const names = (list: readonly string[]) =>
    listed(
      list.map((name) => oneLine(name, 100)),
      300,
      ' · ',
    );
  return [
    ...(gone.length > 0 ? [`No longer reported since the last run: ${names(gone)}`] : []),
    ...(added.length > 0 ? [`New since the last run: ${names(added)}`] : []),
  ];
}

function printed(findings: Findings | undefined, outcome: GateOutcome, maxCharacters: number): string {
  const lines = findings ? excerptOf(findings, maxCharacters, { hung: endedEarly(outcome) }) : [];
  return excerptText(lines) || 'It printed nothing.';
}

export const WITHOUT_EFFECT = ': your changes since then did not fix the cause.';

/** For a failure that only the code can cause. */
const ANOTHER_APPROACH =
  'Try another approach: the cause may be in another file, or the gate may not use the code that you changed.';

/** The agent has read the failure before; it needs to know that its changes, if any, had no effect, and what remains. */
function unchanged(
  { since, outcome }: FailedGate,
  findings: Findings | undefined,
  {
    untouched,
    advised,
    maxCharacters,
  }: { readonly untouched: boolean; readonly advised: boolean; readonly maxCharacters: number },
): string {
  const hung = endedEarly(outcome);
  const lines = findings ? shortExcerptOf(findings, maxCharacters, { hung }) : [];
  const effect = hung || untouched ? '.' : WITHOUT_EFFECT;
  const heading = lines.length > 0 ? (hung ? ' Its output:' : ' Remaining errors:') : '';
  return [
    `Unchanged since iteration ${since ?? '?'}${effect}${heading}`,
    ...lines.map(({ text }) => `  ${text}`.trimEnd()),
    ...(advised || hung || untouched ? [] : [ANOTHER_APPROACH]),
  ].join('\n');
}

/** How a command ended, in the words of Trellis's Python hook. */
function firstWords(outcome: GateOutcome): string {
  if (outcome.reason === 'timed-out') return 'Command timed out';
  if (outcome.reason === 'not-started') return 'Command error';
  return outcome.reason === 'out-of-time' ? 'Out of time' : 'Command failed';
}

/** The maximum length of a reason. */
const MAX_CHARACTERS = 6000;
/** The maximum size as JSON: Codex cuts a reason at about 10 kB, and quotes and most scripts take more than a byte. */
const MAX_BYTES = 7800;

export interface IterationNumber {
  readonly iteration: number;
  readonly maxIterations: number;
}

/**
 * A reason that fits: what frames the excerpts is always complete, and the excerpts get the characters that are left.
 *
 * @param compose returns the whole text with excerpts of so many characters
 */
export function fittedReason(compose: (excerptCharacters: number) => string): string {
  let reason = compose(0);
  let excerptCharacters = MAX_CHARACTERS - reason.length;
  do {
    reason = compose(excerptCharacters);
    excerptCharacters = Math.floor(excerptCharacters * 0.8);
  } while (excerptCharacters > 0 && !fits(reason));
  return reason;
}

/** Whether hosts pass the whole reason on to the agent. */
export function fits(reason: string): boolean {
  return reason.length <= MAX_CHARACTERS && Buffer.byteLength(JSON.stringify(reason)) <= MAX_BYTES;
}

function iterationOf({ iteration, maxIterations }: IterationNumber): string {
  return `Iteration ${iteration}/${maxIterations}.`;
}
