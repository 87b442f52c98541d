import type { AllowReason, BlockReason } from '../hosts/types.ts';
import type { Chain, MovedChain } from '../state/chain.ts';

/** What came of a chain that was verified or reviewed: the agent may stop, or is sent back to work. */
export type ChainOutcome =
  | { readonly decision: 'allow'; readonly why: AllowReason }
  | { readonly decision: 'block'; readonly why: BlockReason };

/** @param before the chain as its commands, or its review, found it */
export function chainOutcome({ chain, ended }: MovedChain, before: Chain): ChainOutcome {
  if (ended !== undefined) return { decision: 'allow', why: ended === 'passed' ? 'verified' : 'unverified' };
  if (chain.status === 'escalated') return { decision: 'allow', why: 'escalated' };
  return { decision: 'block', why: whySentBack(chain, before) };
}

function whySentBack({ status, step }: Chain, before: Chain): BlockReason {
  if (step > before.step) return 'next-step';
  // Nothing begins a step anew but a person's word.
  if (status === 'awaiting') return 'retried';
  const wasInReview = before.status === 'review';
  if (status === 'review') return wasInReview ? 'review-incomplete' : 'review';
  return wasInReview ? 'review-failed' : 'gates-failed';
}
