import { relative } from 'node:path';
import { count, listed, oneLine } from '../base/text.ts';
import { holds, type RunResult } from '../gates/types.ts';
import type { GuardedProject } from '../state/guarded-session.ts';
import { knownFailures } from './known-failures.ts';
import { describeOutcome, passedText, unresolvedGates } from './outcome.ts';

/** Several messages as one; those of several lines stay apart. */
export function joinMessages(messages: readonly string[]): string {
  return messages.join(messages.some((message) => message.includes('\n')) ? '\n\n' : ' ');
}

/** For a stop that is allowed because the gates passed: "3 gates passed in 12.3 s". */
export function passedMessage(summary: RunResult, now: Date): string {
  const { results } = summary;
  const warnings = results.filter(({ gate, outcome }) => !gate.blocking && !holds(outcome));
  const names = warnings.map(({ gate }) => gate.name);
  if (warnings.length === results.length) return warningsMessage(names);
  const warned = warnings.length > 0 ? `; ${unblockedFailures(names)}` : '';
  const known = results.reduce((sum, result) => sum + (result.known ?? 0), 0);
  const despite = known > 0 ? `, with ${knownFailures(known)}` : '';
  return `ralph-loop: ${passedText(summary, now)}${despite}${warned}`;
}

/** For non-blocking gates that failed. */
export function warningsMessage(names: readonly string[]): string {
  return `ralph-loop: ${unblockedFailures(names)}`;
}

function unblockedFailures(names: readonly string[]): string {
  return `failed without blocking: ${listed(
    names.map((name) => oneLine(name, 60)),
    300,
  )}`;
}

export function chainFaultMessage(error: unknown): string {
  return `ralph-loop: the typed gates could not be run: ${oneLine(String(error), 300)}`;
}

export function internalErrorMessage(error: unknown): string {
  return `ralph-loop: internal error, the stop was allowed unverified: ${oneLine(String(error), 300)}`;
}

/** For a stop that is allowed unverified, although earlier stops of its session were verified. */
export function guardLostMessage(why: string, { root, gates }: GuardedProject): string {
  const names = oneLine(gates.map((name) => oneLine(name, 60)).join(', '), 300);
  return `ralph-loop: this stop was not verified, although earlier ones of this session were: ${oneLine(why, 300)}. Gates before, in ${root}: ${names}`;
}

/** For a stop at which the agent waits for something that may never end. @param why a clause */
export function postponedMessage(why: string): string {
  return `ralph-loop: this stop is not verified yet: ${why}`;
}

/** For gates that the config no longer has, though they verified earlier stops of the session. */
export function gatesGoneMessage(names: readonly string[]): string {
  const list = oneLine(names.map((name) => oneLine(name, 60)).join(', '), 300);
  return `ralph-loop: ${count(names.length, 'gate')} of earlier stops of this session ${names.length === 1 ? 'is' : 'are'} no longer in the config: ${list}`;
}

/** For state in the tree that decides nothing. */
export function ignoredStateMessage(paths: readonly string[]): string {
  const [first = ''] = paths;
  const others = paths.length > 1 ? ` and ${count(paths.length - 1, 'other file')}` : '';
  return `ralph-loop: ignored ${oneLine(first, 100)}${others}: state in the repository decides nothing. To remove it: ralph-loop reset --all`;
}

/** For a loop that was cancelled. @param by as in `Caller`; empty if it is not known */
export function cancelledMessage(by: string): string {
  return `ralph-loop: the loop was cancelled${by && ` ${by}`}: nothing was verified`;
}

/** For a command about a loop that no person has run in a terminal, as far as that can be seen. */
export function unattendedMessage(command: string, by: string): string {
  return `ralph-loop: \`${oneLine(command, 100)}\` was run ${oneLine(by)}`;
}

/** Why a stop is allowed although its gates did not pass. */
export type LimitReached =
  | { readonly why: 'cap-reached'; readonly iterations: number }
  | { readonly why: 'cannot-count' };

/** For a stop that is allowed although a gate fails: which gate, and where its output is. */
export function limitReachedMessage(summary: RunResult, limit: LimitReached, root: string): string {
  const unresolved = unresolvedGates(summary);
  const [first] = unresolved;
  if (!first) return `${lead(limit)}: the gates did not finish`;
  const fails = first.outcome.reason === 'failed' ? 'still fails' : oneLine(describeOutcome(first.outcome));
  const others = unresolved.length > 1 ? ` (and ${count(unresolved.length - 1, 'other gate')})` : '';
  const log = first.output.logPath ? `, output in ${relative(root, first.output.logPath)}` : '';
  return `${lead(limit)}: \`${oneLine(first.gate.name, 100)}\` ${fails}${others}${log}`;
}

export function limitReachedOnConfigMessage(problems: readonly string[], limit: LimitReached): string {
  return `${lead(limit)}: the config is still invalid: ${oneLine(problems[0] ?? '', 250)}`;
}

function lead(limit: LimitReached): string {
  return limit.why === 'cap-reached'
    ? `ralph-loop: stop allowed after the limit of ${count(limit.iterations, 'iteration')}`
    : 'ralph-loop: stop allowed because the loop state cannot be written';
}
