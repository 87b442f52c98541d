import { relative } from 'node:path';
import { count, duration, oneLine } from '../base/text.ts';
import type { RunResult } from '../gates/types.ts';
import { describeOutcome, unresolvedGates } from './outcome.ts';

/** What the person reads when the agent may stop: "3 gates passed in 12.3 s". */
export function passedMessage({ results, durationMs }: RunResult): string {
  const warnings = results.filter(({ gate, outcome }) => !gate.blocking && outcome.reason !== 'passed');
  const passed = count(results.length - warnings.length, 'gate');
  const names = warnings.map(({ gate }) => oneLine(gate.name, 60)).join(', ');
  return `ralph-loop: ${passed} passed in ${duration(durationMs)}${names && `; failed without blocking: ${oneLine(names, 300)}`}`;
}

/** What the person reads when gates of a gate config failed that do not block. */
export function warningsMessage(names: readonly string[]): string {
  const list = names.map((name) => oneLine(name, 60)).join(', ');
  return `ralph-loop: failed without blocking: ${oneLine(list, 300)}`;
}

export function chainFaultMessage(error: unknown): string {
  return `ralph-loop: the typed gates could not be verified: ${oneLine(String(error), 300)}`;
}

export function internalErrorMessage(error: unknown): string {
  return `ralph-loop: internal error, the stop was allowed unverified: ${oneLine(String(error), 300)}`;
}

/** Why a stop is allowed though the gates do not hold. */
export type LimitReached =
  | { readonly why: 'cap-reached'; readonly iterations: number }
  | { readonly why: 'cannot-count' };

/** What the person reads when the loop lets go: which gate still fails, and where its output is. */
export function limitReachedMessage(summary: RunResult, letGo: LimitReached, root: string): string {
  const unresolved = unresolvedGates(summary);
  const [first] = unresolved;
  if (!first) return `${lead(letGo)}: the gates did not finish`;
  const fails = first.outcome.reason === 'failed' ? 'still fails' : oneLine(describeOutcome(first.outcome));
  const others = unresolved.length > 1 ? `, and ${count(unresolved.length - 1, 'other')} too` : '';
  const log = first.output.logPath ? `, output in ${relative(root, first.output.logPath)}` : '';
  return `${lead(letGo)}: \`${oneLine(first.gate.name, 100)}\` ${fails}${others}${log}`;
}

export function limitReachedOnConfigMessage(problems: readonly string[], letGo: LimitReached): string {
  return `${lead(letGo)}: the config is still broken: ${oneLine(problems[0] ?? '', 250)}`;
}

function lead(letGo: LimitReached): string {
  if (letGo.why === 'cap-reached') return `ralph-loop gave up after ${count(letGo.iterations, 'iteration')}`;
  return 'ralph-loop let the agent stop, since its loop state cannot be written';
}
