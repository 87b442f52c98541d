import { expect, test } from 'vitest';
import { chainOutcome } from '../../../src/chain/chain-outcome.ts';
import type { Chain, MovedChain } from '../../../src/state/chain.ts';
import { chainOf } from '../../helpers/chain.ts';

test.for<[what: string, before: Partial<Chain>, after: Partial<Chain>, MovedChain['ended'], outcome: string]>(
  [
    ['a pass', {}, {}, 'passed', 'allow verified'],
    ['a pass with a step that was skipped', {}, {}, 'skipped', 'allow unverified'],
    ['a failure', {}, { status: 'failed' }, undefined, 'block gates-failed'],
    ['another failure', { status: 'failed' }, { status: 'failed' }, undefined, 'block gates-failed'],
    ['the last attempt', { status: 'failed' }, { status: 'escalated' }, undefined, 'allow escalated'],
    ['the last review', { status: 'review' }, { status: 'escalated' }, undefined, 'allow escalated'],
    ['a step that holds', { status: 'failed' }, { step: 1 }, undefined, 'block next-step'],
    ['a review that holds', { status: 'review' }, { step: 1 }, undefined, 'block next-step'],
    ['commands that pass', {}, { status: 'review' }, undefined, 'block review'],
    [
      'a verdict that is missing',
      { status: 'review' },
      { status: 'review' },
      undefined,
      'block review-incomplete',
    ],
    ['a verdict that is FAIL', { status: 'review' }, { status: 'failed' }, undefined, 'block review-failed'],
    ['a word of a person meanwhile', { status: 'failed' }, {}, undefined, 'block retried'],
  ],
)('%s', ([, before, after, ended, outcome]) => {
  const moved = { chain: chainOf(after), ...(ended !== undefined && { ended }) };
  const { decision, why } = chainOutcome(moved, chainOf(before));
  expect(`${decision} ${why}`).toBe(outcome);
});
