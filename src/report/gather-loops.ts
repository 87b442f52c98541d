import type { Attempt, LoopRun } from './loop-run.ts';

/**
 * Puts the attempts together that belong to one loop. A loop of stops has ended with the stop that was allowed, and
 * begins anew at iteration 1; chains and promise loops have ids of their own, and may be taken up again.
 *
 * @param attempts those of one loop oldest first
 * @returns in the order in which they began
 */
export function gatherLoops(attempts: readonly Attempt[]): LoopRun[] {
  const runs: Attempt[][] = [];
  const open = new Map<string, Attempt[]>();
  for (const attempt of attempts) {
    const run = attempt.count === 1 ? undefined : open.get(attempt.key);
    if (!run) {
      const begun = [attempt];
      runs.push(begun);
      open.set(attempt.key, begun);
    } else if (!isSaidAgain(attempt, run)) run.push(attempt);
    if (attempt.kind === 'hook' && hasEnded(attempt)) open.delete(attempt.key);
  }
  return runs.map(loopOf);
}

/** Each stop of a session is allowed, and logged, while its chain waits for a person; nothing is run. */
function isSaidAgain({ end, gates }: Attempt, run: readonly Attempt[]): boolean {
  const last = run.at(-1)?.end;
  return gates.length === 0 && end.reason === 'let-go' && last?.reason === 'let-go' && end.why === last.why;
}

function hasEnded({ end }: Attempt): boolean {
  return end.reason === 'passed' || end.reason === 'let-go';
}

function loopOf(attempts: readonly Attempt[]): LoopRun {
  const last = attempts.at(-1) as Attempt;
  const { kind, name, at: endedAt, end } = last;
  // Steps and stages that hold at once are one iteration together: only what was refused makes more of it.
  const refused = attempts.slice(0, -1).filter((attempt) => attempt.end.reason !== 'goes-on');
  const iterations = last.count ?? refused.length + 1;
  const passed = iterations === 1 ? 'first-try' : 'later';
  return {
    kind,
    name,
    attempts,
    outcome: end.reason === 'passed' ? passed : end.reason === 'let-go' ? 'let-go' : 'open',
    iterations,
    endedAt,
    letGo: end.reason === 'let-go' ? end : undefined,
  };
}
