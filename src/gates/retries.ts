import type { CommandGate, GateOutcome, GateResult } from './types.ts';

/** Runs the command of a gate once. @param heading of a further attempt, for the log; undefined for the first */
type Attempt = (heading: string | undefined) => Promise<GateResult>;

/** The fingerprint of the working tree; undefined if it is not known. */
type TreeNow = () => Promise<string | undefined>;

/**
 * Runs a gate again while it fails, as often as its `retries` allow. One that passes then is flaky, unless the working
 * tree is known to have changed meanwhile: then it may be the change that made it pass.
 */
export async function runWithRetries(
  { retries = 0 }: CommandGate,
  attempt: Attempt,
  treeNow: TreeNow | undefined,
): Promise<GateResult> {
  if (retries === 0) return attempt(undefined);
  // Before the first attempt, because a gate may itself fix what it fails on.
  const before = await treeNow?.();
  let result = await attempt(undefined);
  let { durationMs } = result;
  let failures = 0;
  while (isWorthRetry(result.outcome) && failures < retries) {
    failures += 1;
    const next = await attempt(`attempt ${failures + 1}`);
    durationMs += next.durationMs;
    // That it failed is known, whatever the time was up for.
    if (next.outcome.reason === 'out-of-time') break;
    result = next;
  }
  if (failures === 0 || result.outcome.reason !== 'passed') return { ...result, durationMs };
  const after = await treeNow?.();
  const hasChanged = before !== undefined && after !== undefined && before !== after;
  return { ...result, durationMs, ...(!hasChanged && { flaky: failures }) };
}

/** A program that is missing is missing at the next attempt too. */
function isWorthRetry({ reason }: GateOutcome): boolean {
  return reason === 'failed' || reason === 'killed' || reason === 'timed-out';
}
