import type { AllowReason, BlockReason } from '../hosts/types.ts';
import type { ProcessIdentity } from '../process/process-group.ts';
import {
  attemptsOf,
  type Chain,
  type ChainEnd,
  type ChainEscalation,
  type CommandReport,
  type CriterionVerdict,
  currentStep,
  type GateAction,
  type MovedChain,
} from '../state/chain.ts';

/** The agent is asked for at most this many reviews of a step. */
const MAX_REVIEWS = 5;

/** What happened to a chain. */
export type ChainEvent =
  | ChainEnd
  /** The next step is the current one. */
  | 'step-passed'
  | 'step-skipped'
  /** A person started the step again. */
  | 'retried'
  /** A command failed, and attempts are left. */
  | 'failed'
  /** A command failed in a chain that is verified only once, which is removed. */
  | 'failed-once'
  /** The run was ended before it had a result. */
  | 'interrupted'
  /** The commands pass, and the agent has to review its work. */
  | 'review'
  /** A verdict is missing or has no reason. */
  | 'review-incomplete'
  | 'review-failed'
  /** No attempt is left; a person has to decide. */
  | 'escalated'
  /** It was escalated earlier, and nothing was run. */
  | 'waiting';

export interface Transition extends MovedChain {
  readonly event: ChainEvent;
}

/** The answer to a stop, in the words of the execution log. */
export type ChainOutcome =
  | { readonly decision: 'allow'; readonly why: AllowReason }
  | { readonly decision: 'block'; readonly why: BlockReason };

const allow = (why: AllowReason): ChainOutcome => ({ decision: 'allow', why });
const block = (why: BlockReason): ChainOutcome => ({ decision: 'block', why });

export const CHAIN_OUTCOMES: Readonly<Record<ChainEvent, ChainOutcome>> = {
  passed: allow('verified'),
  skipped: allow('unverified'),
  aborted: allow('unverified'),
  'failed-once': allow('unverified'),
  escalated: allow('escalated'),
  waiting: allow('escalated'),
  'step-passed': block('next-step'),
  'step-skipped': block('next-step'),
  retried: block('retried'),
  failed: block('gates-failed'),
  interrupted: block('out-of-time'),
  review: block('review'),
  'review-incomplete': block('review-incomplete'),
  'review-failed': block('review-failed'),
};

export function newChain(
  about: Pick<Chain, 'id' | 'session' | 'atStop' | 'steps' | 'checkpoint'>,
  now: Date,
): Chain {
  const time = now.toISOString();
  return {
    ...about,
    status: 'awaiting',
    step: 0,
    attempts: 0,
    spared: [],
    reviews: 0,
    untold: false,
    unverified: [],
    running: null,
    results: [],
    created_at: time,
    updated_at: time,
  };
}

/** Counts a run before it starts, for every command, so that a killed run counts too. */
export function startRun(chain: Chain, running: ProcessIdentity, now: Date): Chain {
  return { ...chain, attempts: chain.attempts + 1, running, updated_at: now.toISOString() };
}

/** Whether a chain is unchanged since a run of it started. */
export function isAtRun({ running, attempts, step }: Chain, started: Chain): boolean {
  const isSame = running?.pid === started.running?.pid && running?.started === started.running?.started;
  return isSame && attempts === started.attempts && step === started.step;
}

/** @param results of the commands that ran, in the order of the step */
export function endRun(chain: Chain, results: readonly CommandReport[], now: Date): Transition {
  const failed = results.findIndex(({ passed }) => !passed);
  const next: Chain = { ...sparing(chain, failed), results, running: null, updated_at: now.toISOString() };
  if (failed === -1)
    return currentStep(chain).criteria.length > 0 ? requestReview(next, 'review') : nextStep(next, 'passed');
  const { iteration, maxIterations } = attemptsOf(next, failed);
  const isLast = chain.atStop === 'tell' || iteration >= maxIterations;
  return isLast
    ? { chain: { ...next, status: 'escalated' }, event: 'escalated' }
    : { chain: { ...next, status: 'failed' }, event: 'failed' };
}

/**
 * A run without a result: its process was ended.
 *
 * @param results up to the command that was interrupted, which uses up an attempt; without any, every command does
 */
export function interruptRun(chain: Chain, results: readonly CommandReport[], now: Date): Transition {
  const interrupted = results.findIndex(({ passed }) => !passed);
  const counted = interrupted === -1 ? chain : sparing(chain, interrupted);
  return { chain: { ...counted, running: null, updated_at: now.toISOString() }, event: 'interrupted' };
}

/** The run used up an attempt of one command only; -1 for none. */
function sparing(chain: Chain, failed: number): Chain {
  const spared = currentStep(chain).verify.map(
    (_, index) => (chain.spared?.[index] ?? 0) + (index === failed ? 0 : 1),
  );
  return { ...chain, spared };
}

/** Every criterion needs the verdict PASS with a reason; a FAIL sends the agent back to work. */
export function endReview(chain: Chain, verdicts: readonly CriterionVerdict[], now: Date): Transition {
  const next: Chain = { ...chain, updated_at: now.toISOString() };
  const found = currentStep(chain).criteria.map(({ name }) => verdictOn(name, verdicts));
  if (found.every((verdict) => verdict === 'passed')) return nextStep(next, 'passed');
  // The fix may break what passed: the commands run again, and then a new review is requested.
  if (found.includes('failed')) return { chain: { ...next, status: 'failed' }, event: 'review-failed' };
  return requestReview(next, 'review-incomplete');
}

function requestReview(chain: Chain, event: 'review' | 'review-incomplete'): Transition {
  return chain.reviews >= MAX_REVIEWS
    ? { chain: { ...chain, status: 'escalated' }, event: 'escalated' }
    : { chain: { ...chain, status: 'review', reviews: chain.reviews + 1 }, event };
}

function verdictOn(name: string, verdicts: readonly CriterionVerdict[]): 'passed' | 'failed' | 'missing' {
  const verdict = verdicts.findLast((each) => each.name === name && each.reason.trim() !== '');
  if (!verdict) return 'missing';
  return verdict.passed ? 'passed' : 'failed';
}

/** The agent says that a gate cannot be satisfied: a person has to decide, as if no attempt were left. */
export function escalate(chain: Chain, escalation: ChainEscalation, now: Date): Transition {
  return {
    chain: { ...chain, status: 'escalated', escalation, updated_at: now.toISOString() },
    event: 'escalated',
  };
}

/** A person's decision. An aborted chain keeps `running`: that process still has to end. */
export function applyAction(chain: Chain, action: GateAction, now: Date): Transition {
  const next: Chain = { ...chain, updated_at: now.toISOString() };
  if (action === 'abort') return { chain: next, ended: 'aborted', event: 'aborted' };
  if (action === 'retry') return { chain: { ...next, ...STEP_START }, event: 'retried' };
  const unverified = [...chain.unverified, chain.step];
  return nextStep({ ...next, running: null, unverified }, 'skipped');
}

const STEP_START = {
  status: 'awaiting',
  running: null,
  attempts: 0,
  spared: [],
  reviews: 0,
  results: [],
  escalation: undefined,
} as const;

/** @param how the current step ended */
function nextStep(chain: Chain, how: 'passed' | 'skipped'): Transition {
  if (chain.step + 1 < chain.steps.length)
    return {
      chain: { ...chain, ...STEP_START, step: chain.step + 1, untold: false },
      event: `step-${how}`,
    };
  const ended = chain.unverified.length > 0 ? 'skipped' : 'passed';
  return { chain, ended, event: ended };
}
