import { count, duration, oneLine } from '../base/text.ts';
import type { RunResult } from '../gates/types.ts';

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
