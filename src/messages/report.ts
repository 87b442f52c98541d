import { relative } from 'node:path';
import wrapAnsi from 'wrap-ansi';
import { count, duration, oneLine } from '../base/text.ts';
import type { Findings, GateFindings } from '../diagnostics/condenser.ts';
import { excerptOf } from '../diagnostics/excerpt.ts';
import type { Gate, GateResult, RunResult } from '../gates/types.ts';
import type { ExcerptLine } from '../state/failures.ts';
import { describeOutcome } from './describe-outcome.ts';
import { hasHung } from './failure-text.ts';
import { type Paint, plain } from './paint.ts';
import { unresolvedGates } from './unresolved-gates.ts';

/** What a person gets to see of a failed gate's output, in characters. */
const EXCERPT_CHARACTERS = 4000;
const INDENT = 4;
const MIN_COLUMNS = 20;
/** Longer gate names are cut, so that times stand in one column on a narrow terminal too. */
export const MAX_NAME_CHARACTERS = 40;

export function gateName(gate: Gate): string {
  return oneLine(gate.name, MAX_NAME_CHARACTERS);
}

/** A gate's line in the summary: `✓ lint  2.1 s`. */
export function resultLine(
  { gate, outcome, durationMs }: GateResult,
  nameWidth: number,
  paint: Paint,
): string {
  const name = gateName(gate).padEnd(nameWidth);
  if (outcome.reason === 'passed')
    return `${paint('green', '✓')} ${name}  ${paint('dim', duration(durationMs))}`;
  if (outcome.reason === 'skipped') return paint('dim', `⊘ ${name}  not run`);
  const mark = gate.blocking ? paint('red', '✗') : paint('yellow', '⚠');
  const note = gate.blocking ? '' : ' (does not block)';
  return `${mark} ${name}  ${paint('dim', duration(durationMs))}  ${describeOutcome(outcome)}${note}`;
}

/**
 * What a failed gate printed, indented and fitted to the terminal, and where all of it is; nothing for the others.
 *
 * @param from absolute directory that log paths are given from
 * @param columns width of the terminal; undefined where there is none
 */
export function failureDetails(
  { outcome, output }: GateResult,
  findings: Findings | undefined,
  from: string,
  paint: Paint,
  columns?: number,
): string[] {
  if (outcome.reason === 'passed' || outcome.reason === 'skipped') return [];
  const lines = findings ? excerptOf(findings, EXCERPT_CHARACTERS, { hung: hasHung(outcome) }) : [];
  const log: ExcerptLine[] =
    output.logPath === undefined
      ? []
      : [{ kind: 'note', text: `Full output: ${relative(from, output.logPath)}` }];
  return fitted([...lines, ...log], paint, columns);
}

/** Lines of an excerpt as a person reads them: indented, coloured, wrapped where the terminal ends. */
export function fitted(lines: readonly ExcerptLine[], paint: Paint, columns?: number): string[] {
  const indent = ' '.repeat(INDENT);
  return lines.flatMap(({ kind, text }) => {
    const painted = kind === 'error' ? paint('red', text) : kind === 'note' ? paint('dim', text) : text;
    return wrapped(painted, columns === undefined ? undefined : columns - INDENT).map((line) =>
      `${indent}${line}`.trimEnd(),
    );
  });
}

/** A line as so many as the terminal's width makes of it. */
export function wrapped(line: string, columns: number | undefined): string[] {
  if (columns === undefined) return [line];
  return wrapAnsi(line, Math.max(columns, MIN_COLUMNS), { hard: true, trim: false }).split('\n');
}

/** `3 gates passed in 12.3 s`, or what stands in the way. */
export function summaryLine(summary: RunResult, paint: Paint): string {
  const time = duration(summary.durationMs);
  const warnings = summary.results.filter(
    ({ gate, outcome }) => !gate.blocking && outcome.reason !== 'passed',
  ).length;
  const warned = warnings > 0 ? `, ${count(warnings, 'warning')}` : '';
  if (summary.verdict === 'passed')
    return paint('green', `${count(summary.results.length - warnings, 'gate')} passed in ${time}${warned}`);
  const unresolved = unresolvedGates(summary).length;
  const verb = summary.verdict === 'failed' ? 'failed' : 'did not finish';
  return paint(
    'red',
    `${unresolved} of ${count(summary.results.length, 'gate')} ${verb} in ${time}${warned}`,
  );
}

/** A run that is over, as a person reads it who has not watched it. */
export function runText(summary: RunResult, findings: GateFindings, from: string): string {
  const nameWidth = Math.max(...summary.results.map(({ gate }) => gateName(gate).length));
  const lines = summary.results.flatMap((result) => [
    resultLine(result, nameWidth, plain),
    ...failureDetails(result, findings.get(result.gate), from, plain),
  ]);
  return [...lines, '', summaryLine(summary, plain)].join('\n');
}

/** The plan of a dry run, as it would run. */
export function planLines(gates: readonly Gate[], root: string): string[] {
  return gates.flatMap((gate, index) => {
    if (gate.kind === 'marker') return [`${index + 1}. ${gate.marker} in the agent's last message`];
    const where = relative(root, gate.cwd);
    const details = [
      gate.inUserShell && `order ${gate.order}`,
      Number.isFinite(gate.timeoutSeconds) && `${gate.timeoutSeconds} s at the most`,
      where && `in ${where}`,
      !gate.blocking && 'does not block',
      gate.passEnv && `with only ${gate.passEnv.join(', ') || 'the basics'} of the environment`,
      Object.keys(gate.env).length > 0 && `with ${Object.keys(gate.env).join(', ')} set`,
      gate.description,
    ].filter(Boolean);
    const name = gate.name === gate.command ? '' : `${gate.name}: `;
    return [`${index + 1}. ${name}${oneLine(gate.command, 1000)}`, `   ${details.join(', ')}`];
  });
}
