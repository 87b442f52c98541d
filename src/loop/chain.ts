import type { CriterionGate, GateAction, PromptStep } from '../prompt/parsed-prompt.ts';

/**
 * A prompt with gates, from when it is typed until they hold, or nobody wants them any more.
 *
 * `awaiting`: the agent works, and nothing has been verified yet; `failed`: it works on what failed; `review`: the
 * commands pass, and it has to review its work; `escalated`: no attempt is left, and a person has to say what is to be.
 */
export interface Chain {
  readonly id: string;
  readonly status: 'awaiting' | 'failed' | 'review' | 'escalated';
  /** Of the session whose stops it is verified at; null: the first main agent's that stops in this project. */
  readonly session: string | null;
  /** What stops do for it: block until it holds, tell once how it is, or nothing. */
  readonly atStop: 'block' | 'tell' | 'nothing';
  readonly steps: readonly PromptStep[];
  /** Index of the present step. */
  readonly step: number;
  /** Runs of the present step's commands, the one that goes on now included. */
  readonly attempts: number;
  /** Reviews of the present step that were asked for. */
  readonly reviews: number;
  /** The present step came by a person's word in a terminal: the agent has not read of it yet. */
  readonly untold: boolean;
  /** Indices of steps that were skipped: nobody knows whether they hold. */
  readonly unverified: readonly number[];
  /** The process that runs the commands now; null where none does. */
  readonly running: number | null;
  /** How the present step's last run ended, a command each. */
  readonly results: readonly CommandEnd[];
  /** Id of the checkpoint of when it began; null where none was asked for. */
  readonly checkpoint: string | null;
  /** UTC, ISO 8601. */
  readonly created_at: string;
  readonly updated_at: string;
}

/** How one command ended. */
export interface CommandEnd {
  readonly command: string;
  readonly passed: boolean;
  /** Null where there is none: killed, timed out, not started. */
  readonly exitCode: number | null;
  /** The last 5,000 characters. */
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  readonly timedOut: boolean;
}

/** The agent's word on a criterion. */
export interface CriterionVerdict {
  readonly name: string;
  readonly passed: boolean;
  /** Empty where it gave none, which is no verdict. */
  readonly reason: string;
}

/** `passed`: all steps hold; `skipped`: some were given up; `aborted`: it was called off. */
export type ChainEnd = 'passed' | 'skipped' | 'aborted';

/** A chain after something happened to it; `ended` where that was its last. */
export interface MovedChain {
  readonly chain: Chain;
  readonly ended?: ChainEnd;
}

/** A chain that nobody has touched for so long is nobody's any more. */
export const CHAIN_EXPIRY_HOURS = 24;
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

export function presentStep({ steps, step }: Chain): PromptStep {
  return steps[step] ?? { text: '', verify: [], criteria: [] };
}

export function hasExpired({ updated_at }: Chain, now: Date): boolean {
  const age = now.getTime() - Date.parse(updated_at);
  // A time that cannot be read is no time at all.
  return !(age <= CHAIN_EXPIRY_HOURS * 3_600_000);
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

export function verdictOn(
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
