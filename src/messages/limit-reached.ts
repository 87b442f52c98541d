import { relative } from 'node:path';
import { count, oneLine } from '../base/text.ts';
import type { RunResult } from '../gates/types.ts';
import { describeOutcome } from './describe-outcome.ts';
import { unresolvedGates } from './unresolved-gates.ts';

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
