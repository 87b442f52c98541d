import { relative } from 'node:path';
import { count, listed, oneLine } from '../base/text.ts';
import { type GateResult, holds, type RunResult } from '../gates/types.ts';
import type { GuardedProject } from '../state/guarded-session.ts';
import { knownFailures } from './known-failures.ts';
import { describeOutcome, passedText, unresolvedGates } from './outcome.ts';
import { testNotes } from './tests.ts';

/** Several messages as one; those of several lines stay apart. */
export function joinMessages(messages: readonly string[]): string {
  return messages.join(messages.some((message) => message.includes('\n')) ? '\n\n' : ' ');
}

const PROGRAM = 'ralph-loop: ';

/** Several messages on one line, which names the program once. */
export function joinOnLine(messages: readonly string[]): string {
  const [first = '', ...others] = messages;
  return others.reduce((line, other) => `${line.replace(/\.$/, '')}; ${other.replace(PROGRAM, '')}`, first);
}

/** For a host that continues a turn once: what follows a block has no stop of its own. @param reason for the agent */
export function unseenBlockMessage(reason: string): string {
  return `${PROGRAM}the last stop was blocked, and nothing has verified the work since: ${oneLine(reason, 300)}`;
}

/**
 * For a stop that is allowed because the gates passed, and all that makes the pass worth less, on one line: "3 gates passed
 * in 12.3 s, 1 reused, with 2 known failures; `test` ran no test". What became weaker follows it.
 */
export function passedMessage(summary: RunResult, now: Date): string {
  const { results } = summary;
  const names = failedWarnings(results).map(({ gate }) => gate.name);
  const known = results.reduce((sum, result) => sum + (result.known ?? 0), 0);
  const despite = known > 0 ? `, with ${knownFailures(known)}` : '';
  const parts = [
    ...(names.length === results.length ? [] : [`${passedText(summary, now)}${despite}`]),
    ...(names.length > 0 ? [unblockedFailures(names)] : []),
    ...testNotes(summary),
  ];
  return `${PROGRAM}${parts.join('; ')}`;
}

/** Whether there is nothing to say about a pass but that the gates passed. */
export function isPlainPass({ results }: RunResult): boolean {
  const isPlain = ({ reused, known, outcome }: GateResult) =>
    outcome.reason === 'passed' && reused === undefined && known === undefined;
  return results.every(isPlain) && testNotes({ results }).length === 0;
}

function failedWarnings(results: readonly GateResult[]): GateResult[] {
  return results.filter(({ gate, outcome }) => !gate.blocking && !holds(outcome));
}

/** For non-blocking gates that failed. */
export function warningsMessage(names: readonly string[]): string {
  return `${PROGRAM}${unblockedFailures(names)}`;
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

/** For a stop whose typed gates changed while they were to be verified. @param why a clause about the chain */
export function chainNotVerifiedMessage(why: string): string {
  return `ralph-loop: the typed gates were not verified at this stop: ${oneLine(why, 300)}`;
}

/** For a session whose environment says that a gate has started it, although none of this program has. */
export function markedMessage(): string {
  return 'ralph-loop: this stop was not verified: RALPH_LOOP=1 is in the environment of the host, although no gate has started it';
}

/** For a session whose record cannot be read. */
export function unreadableSessionMessage(why: string): string {
  return `ralph-loop: this stop was not verified: ${oneLine(why, 300)}. The record of what guarded the session cannot be read`;
}

/** For a hook that was killed: its host has allowed the stop. */
export function lostMessage(): string {
  return 'ralph-loop: the hook of the stop before this one was ended before it had a result: nothing verified that stop';
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

/** For a stop whose failures are the work of another session. @param files that only the other session has edited */
export function otherSessionsMessage(
  names: readonly string[],
  files: readonly string[],
  root: string,
): string {
  const gates = listed(
    names.map((name) => `\`${oneLine(name, 60)}\``),
    200,
  );
  const where = listed(
    files.map((path) => oneLine(path, 100)),
    200,
  );
  return `${PROGRAM}not passed: ${gates} still ${names.length === 1 ? 'fails' : 'fail'} in ${oneLine(root, 200)}, in what another session has edited (${where})`;
}

/** For a person who is away while a stop is blocked. @param reason what the agent reads */
export function blockedMessage(failed: readonly string[], reason: string): string {
  const [first = ''] = reason.replace(/^Iteration \d+\/\d+\. /, '').split('\n', 1);
  if (failed.length === 0) return `${PROGRAM}stop blocked: ${first}`;
  return `${PROGRAM}stop blocked: ${listed(
    failed.map((name) => `\`${name}\``),
    300,
  )} failed`;
}

/** For a command of `ralph.notify` that failed. @param how a clause @param log absolute path of its output */
export function notifyFailedText(how: string, log: string): string {
  return `ralph-loop: the command of \`notify\` ${oneLine(how, 200)}; output in ${log}`;
}

/** For state in the tree that decides nothing. */
export function ignoredStateMessage(paths: readonly string[]): string {
  const [first = ''] = paths;
  const others = paths.length > 1 ? ` and ${count(paths.length - 1, 'other file')}` : '';
  return `ralph-loop: ignored ${oneLine(first, 100)}${others}: state in the repository decides nothing. To remove it: ralph-loop reset --all`;
}

/** For a loop that was cancelled. @param by as in `Caller`; empty if it is not known */
export function cancelledMessage(by: string): string {
  return `ralph-loop: the loop was cancelled ${by || 'by an unknown program'}: nothing was verified`;
}

/** For a cancellation that is in the state file, and that `ralph-loop cancel` has not written. */
export function forgedCancellationMessage(): string {
  return 'ralph-loop: ignored a cancellation in the state file: ralph-loop cancel has not written it';
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
  return `${lead(limit)}: ${unresolvedText(summary, root)}`;
}

/** The first gate that did not pass, how many others there are, and where its output is; empty if all passed. */
export function unresolvedText(summary: RunResult, root: string): string {
  const unresolved = unresolvedGates(summary);
  const [first] = unresolved;
  if (!first) return summary.verdict === 'passed' ? '' : 'the gates did not finish';
  const fails = first.outcome.reason === 'failed' ? 'still fails' : oneLine(describeOutcome(first.outcome));
  const others = unresolved.length > 1 ? ` (and ${count(unresolved.length - 1, 'other gate')})` : '';
  const log = first.output.logPath ? `, output in ${relative(root, first.output.logPath)}` : '';
  return `\`${oneLine(first.gate.name, 100)}\` ${fails}${others}${log}`;
}

export function limitReachedOnConfigMessage(problems: readonly string[], limit: LimitReached): string {
  return `${lead(limit)}: the config is still invalid: ${oneLine(problems[0] ?? '', 250)}`;
}

/** For a stop that is allowed although tests or checks became weaker. @param weakened as of `weakenedText` */
export function limitReachedOnWeakenedMessage(weakened: string, limit: LimitReached): string {
  return `${lead(limit)}: the gates pass, but ${weakened}`;
}

function lead(limit: LimitReached): string {
  return limit.why === 'cap-reached'
    ? `ralph-loop: stop allowed after the limit of ${count(limit.iterations, 'iteration')}`
    : 'ralph-loop: stop allowed because the loop state cannot be written';
}
