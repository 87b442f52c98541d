import {
  type Chain,
  type CommandEnd,
  type CriterionVerdict,
  type MovedChain,
  presentStep,
} from '../state/chain.ts';
import type { CriterionGate, GateAction } from '../state/prompt-step.ts';

/** The agent is asked so often for a review that it passes. */
const MAX_REVIEWS = 5;

export function beginChain(
  about: Pick<Chain, 'id' | 'session' | 'atStop' | 'steps' | 'checkpoint'>,
  now: Date,
): Chain {
  const time = now.toISOString();
  return {
    ...about,
    status: 'awaiting',
    step: 0,
    attempts: 0,
    reviews: 0,
    untold: false,
    unverified: [],
    running: null,
    results: [],
    created_at: time,
    updated_at: time,
  };
}

/** Counts a run before it begins: one that is killed counts too. */
export function beginRun(chain: Chain, pid: number, now: Date): Chain {
  return { ...chain, attempts: chain.attempts + 1, running: pid, updated_at: now.toISOString() };
}

/** Whether a chain is still where a run began with it: nobody has moved it on meanwhile. */
export function isAtRun({ running, attempts, step }: Chain, begun: Chain): boolean {
  return running === begun.running && attempts === begun.attempts && step === begun.step;
}

/** @param results how each command ended, in the order of the step; those after the first that failed were not run */
export function endRun(chain: Chain, results: readonly CommandEnd[], now: Date): MovedChain {
  const next: Chain = { ...chain, results, running: null, updated_at: now.toISOString() };
  const failed = results.findIndex(({ passed }) => !passed);
  if (failed === -1) {
    return presentStep(chain).criteria.length > 0 ? askForReview(next) : nextStep(next);
  }
  const isLast =
    chain.atStop === 'tell' || chain.attempts >= (presentStep(chain).verify[failed]?.maxAttempts ?? 1);
  return { chain: { ...next, status: isLast ? 'escalated' : 'failed' } };
}

/** A run that came to no result, since its process was told to end, or ran out of time. */
export function breakOffRun(chain: Chain, now: Date): Chain {
  return { ...chain, running: null, updated_at: now.toISOString() };
}

/** Every criterion must be told to hold, with a reason: what does not sends the agent back to work. */
export function endReview(chain: Chain, verdicts: readonly CriterionVerdict[], now: Date): MovedChain {
  const next: Chain = { ...chain, updated_at: now.toISOString() };
  const { criteria } = presentStep(chain);
  if (criteria.every(({ name }) => verdictOn(name, verdicts) === 'passed')) return nextStep(next);
  // What is repaired may break what passed: the commands run again, and then a review is asked for anew.
  const isFailed = criteria.some(({ name }) => verdictOn(name, verdicts) === 'failed');
  return isFailed ? { chain: { ...next, status: 'failed' } } : askForReview(next);
}

function askForReview(chain: Chain): MovedChain {
  const isLast = chain.reviews >= MAX_REVIEWS;
  return {
    chain: isLast
      ? { ...chain, status: 'escalated' }
      : { ...chain, status: 'review', reviews: chain.reviews + 1 },
  };
}

function verdictOn(
  name: CriterionGate['name'],
  verdicts: readonly CriterionVerdict[],
): 'passed' | 'failed' | 'missing' {
  const verdict = verdicts.findLast((each) => each.name === name && each.reason.trim() !== '');
  if (!verdict) return 'missing';
  return verdict.passed ? 'passed' : 'failed';
}

/** What a person says of a chain. One that is called off while it runs keeps the process that has still to end. */
export function takeAction(chain: Chain, action: GateAction, now: Date): MovedChain {
  if (action === 'abort') return { chain: { ...chain, updated_at: now.toISOString() }, ended: 'aborted' };
  const next: Chain = { ...chain, running: null, updated_at: now.toISOString() };
  if (action === 'skip') return nextStep({ ...next, unverified: [...chain.unverified, chain.step] });
  return { chain: { ...next, ...BEGUN } };
}

const BEGUN = { status: 'awaiting', attempts: 0, reviews: 0, results: [] } as const;

function nextStep(chain: Chain): MovedChain {
  if (chain.step + 1 < chain.steps.length)
    return { chain: { ...chain, ...BEGUN, step: chain.step + 1, untold: false } };
  return { chain, ended: chain.unverified.length > 0 ? 'skipped' : 'passed' };
}
