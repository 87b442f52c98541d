import { relative } from 'node:path';
import { count, duration, listed, oneLine, timeAgo } from '../base/text.ts';
import { excerptOf } from '../diagnostics/excerpt.ts';
import type { Findings, GateFindings } from '../diagnostics/output/condenser.ts';
import { orderOf } from '../gates/plan.ts';
import {
  type CommandGate,
  type Gate,
  type GateOutcome,
  type GateResult,
  holds,
  type RunningGate,
  type RunResult,
} from '../gates/types.ts';
import { loggedGate } from '../state/execution-log.ts';
import type { ExcerptLine, FailedGate, PreviousFailures } from '../state/failures.ts';
import { fixOf } from './advice.ts';
import { fixedLines, knownFailures } from './known-failures.ts';
import {
  afterText,
  describeOutcome,
  endedEarly,
  logHint,
  passedText,
  recordedLogHint,
  reusedText,
  sharedText,
  skippedText,
  stillRunning,
  unresolvedGates,
} from './outcome.ts';
import { type Paint, plain } from './paint.ts';
import { testNotes } from './tests.ts';
import { wrapped } from './wrapped.ts';

/** The maximum length of the excerpt of a failed gate's output. */
const EXCERPT_CHARACTERS = 4000;
const INDENT = 4;
/** Longer gate names are cut, so that the times are in one column on a narrow terminal too. */
export const MAX_NAME_CHARACTERS = 40;

export function gateName(gate: Gate): string {
  return oneLine(gate.name, MAX_NAME_CHARACTERS);
}

/** For a program that a gate of the project has started. */
export function nestedText(program: string, config: string): string {
  return `${program} was started by a gate of this project, and would start that gate again: remove it from ${config}, or from the script that the gate runs`;
}

/** The line of a gate: `✓ lint  2.1 s`. */
export function resultLine(result: GateResult, nameWidth: number, paint: Paint, now: Date): string {
  const { gate, outcome, durationMs, known } = result;
  const name = gateName(gate).padEnd(nameWidth);
  const despite = known === undefined ? '' : `  ${knownFailures(known)}`;
  if (outcome.reason === 'passed')
    return `${paint('green', '✓')} ${name}  ${paint('dim', reusedText([result], now) || duration(durationMs))}${despite}`;
  if (outcome.reason === 'skipped') return paint('dim', `⊘ ${name}  ${skippedText(result)}`);
  if (outcome.reason === 'unaffected') return paint('dim', `⊘ ${name}  not affected`);
  const mark = gate.blocking ? paint('red', '✗') : paint('yellow', '⚠');
  const note = gate.blocking ? '' : ' (non-blocking)';
  return `${mark} ${name}  ${paint('dim', duration(durationMs))}  ${describeOutcome(outcome)}${note}`;
}

/**
 * The excerpt of a failed gate's output, the command that fixes what it reports, and the path of its log, indented and wrapped; empty for other gates.
 *
 * @param from absolute directory from which log paths are given
 * @param columns width of the terminal; undefined without one
 */
export function failureDetails(
  result: GateResult,
  findings: Findings | undefined,
  from: string,
  paint: Paint,
  columns?: number,
): string[] {
  const { outcome } = result;
  if (holds(outcome) || outcome.reason === 'skipped') return [];
  const lines = findings ? excerptOf(findings, EXCERPT_CHARACTERS, { hung: endedEarly(outcome) }) : [];
  const hint = logHint(result, from);
  const notes = [fixOf(result, findings, from), hint].filter((text) => text !== undefined);
  const below = notes.map((text): ExcerptLine => ({ kind: 'note', text: oneLine(text, 450) }));
  return excerptLines([...lines, ...below], paint, columns);
}

/** The lines of an excerpt, indented, coloured and wrapped to the width of the terminal. */
export function excerptLines(lines: readonly ExcerptLine[], paint: Paint, columns?: number): string[] {
  const indent = ' '.repeat(INDENT);
  return lines.flatMap(({ kind, text }) => {
    const painted = kind === 'error' ? paint('red', text) : kind === 'note' ? paint('dim', text) : text;
    return wrapped(painted, columns === undefined ? undefined : columns - INDENT).map((line) =>
      `${indent}${line}`.trimEnd(),
    );
  });
}

/** `3 gates passed in 12.3 s`, or how many failed. */
export function summaryLine(summary: RunResult, paint: Paint, now: Date): string {
  const time = duration(summary.durationMs);
  const warnings = summary.results.filter(({ gate, outcome }) => !gate.blocking && !holds(outcome)).length;
  const warned = warnings > 0 ? `, ${count(warnings, 'warning')}` : '';
  if (summary.verdict === 'passed' && warnings === summary.results.length)
    return paint('yellow', `${count(warnings, 'gate')} failed without blocking in ${time}`);
  if (summary.verdict === 'passed') return paint('green', `${passedText(summary, now)}${warned}`);
  const unresolved = unresolvedGates(summary).length;
  const verb = summary.verdict === 'failed' ? 'failed' : 'did not finish';
  const shared = sharedText(summary.results.map(loggedGate));
  return paint(
    'red',
    `${unresolved} of ${count(summary.results.length, 'gate')} ${verb} in ${time}${shared}${warned}`,
  );
}

/** @param goesOn whether the gates belong to another process */
export function interruptedText(goesOn: boolean): string {
  return goesOn
    ? 'Interrupted; another process still runs the gates.'
    : 'Interrupted; all gates have been stopped.';
}

/** For a run that goes on after the time to wait is up. */
export function waitAgainText(gates: readonly RunningGate[], usualMs: ReadonlyMap<string, number>): string {
  return `${stillRunning(gates, usualMs)}. To wait on: ralph-loop wait`;
}

/** The results of a whole run. */
export function runText(summary: RunResult, findings: GateFindings, from: string, now: Date): string {
  const nameWidth = Math.max(...summary.results.map(({ gate }) => gateName(gate).length));
  const lines = summary.results.flatMap((result) => [
    resultLine(result, nameWidth, plain, now),
    ...failureDetails(result, findings.get(result.gate), from, plain),
  ]);
  return [...lines, '', summaryLine(summary, plain, now), ...fixedLines(summary), ...testNotes(summary)].join(
    '\n',
  );
}

/**
 * The gates of a dry run, in the order in which they would run.
 *
 * @param jobs how many of them run at the same time
 * @param outcomes those of the gates that would not run, in the place of each gate
 */
export function planLines(
  gates: readonly Gate[],
  root: string,
  jobs: number,
  outcomes: readonly (GateOutcome | undefined)[] = [],
): string[] {
  const orders = new Set(gates.map(orderOf));
  const lines = gates.flatMap((gate, index) => {
    if (gate.kind === 'marker') return [`${index + 1}. ${gate.marker} in the agent's last message`];
    const where = relative(root, gate.cwd);
    const outcome = outcomes[index];
    const details = [
      outcome && oneLine(describeOutcome(outcome), 300),
      (gate.inUserShell || orders.size > 1) && `order ${gate.order}`,
      ...scheduleWords(gate, gates),
      Number.isFinite(gate.timeoutSeconds) && `timeout ${gate.timeoutSeconds} s`,
      where && `in ${where}`,
      !gate.blocking && 'non-blocking',
      gate.passEnv && `inherits only ${gate.passEnv.join(', ') || 'the basic variables'}`,
      Object.keys(gate.env).length > 0 && `sets ${Object.keys(gate.env).join(', ')}`,
      gate.description,
    ].filter(Boolean);
    const name = gate.name === gate.command ? '' : `${gate.name}: `;
    return [`${index + 1}. ${name}${oneLine(gate.command, 1000)}`, `   ${details.join(', ')}`];
  });
  if (jobs === 1 || gates.length < 2) return lines;
  return [`Up to ${jobs} gates of the same order run at the same time.`, ...lines];
}

/** What must not run at the same time as a gate, in words. */
export function scheduleWords(gate: CommandGate, gates: readonly Gate[]): string[] {
  const needs = gates.map(({ name }) => name).filter((name) => gate.needs?.includes(name));
  return [
    ...(needs.length > 0 ? [`needs ${listed(needs, 200)}`] : []),
    ...(gate.exclusive ? ['runs alone'] : []),
  ];
}

/** How failures are shown. */
export interface FailureLayout {
  /** Absolute directory from which log paths are given. */
  readonly from: string;
  readonly now: Date;
  readonly paint: Paint;
  /** Width of the terminal; undefined without one. */
  readonly columns: number | undefined;
}

/** Failed gates as `why` shows them: how and when each ended, its excerpt, its log. */
export function failureLines(
  gates: readonly FailedGate[],
  { task, iteration }: PreviousFailures,
  { from, now, paint, columns }: FailureLayout,
): string[] {
  const where = task === null ? 'in verify' : `at iteration ${iteration} of ${oneLine(task, 80)}`;
  return gates.flatMap((failed, index) => {
    const { time, name, command, outcome, duration_ms: ms, excerpt, since } = failed;
    const when = timeAgo(now.getTime() - Date.parse(time));
    const title = `${paint('red', '✗')} ${paint('bold', oneLine(name, 80))} ${oneLine(describeOutcome(outcome), 200)}${afterText({ outcome, durationMs: ms })}`;
    const same = since !== null && since !== iteration ? `, unchanged since iteration ${since}` : '';
    const lines = excerpt.length > 0 ? excerpt : [{ kind: 'note' as const, text: 'It printed nothing.' }];
    const head = [
      title,
      paint('dim', `  ${when}, ${where}${same}`),
      ...(command === name ? [] : [paint('dim', `  $ ${oneLine(command, 300)}`)]),
    ];
    const log = recordedLogHint(failed, from);
    const full = log === undefined ? [] : [{ kind: 'note' as const, text: log }];
    return [
      ...(index > 0 ? [''] : []),
      ...head.flatMap((line) => wrapped(line, columns)),
      '',
      ...excerptLines(lines, paint, columns),
      ...(full.length > 0 ? ['', ...excerptLines(full, paint, columns)] : []),
    ];
  });
}
