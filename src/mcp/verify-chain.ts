import { chainOutcome } from '../chain/chain-outcome.ts';
import { type ChainRun, runChain } from '../chain/run-chain.ts';
import {
  endedMarkdown,
  escalatedMarkdown,
  failedMarkdown,
  nextStepMarkdown,
  reviewMarkdown,
  stepMarkdown,
} from '../messages/mcp.ts';
import { type Chain, presentStep } from '../state/chain.ts';
import { loggedGates } from '../state/execution-log.ts';
import type { CallContext } from './call-context.ts';
import { answerOn, type ChainAnswer } from './chain-answer.ts';
import { logCall } from './log-call.ts';
import { secretsPassedAround } from './secrets-passed.ts';
import type { Problem } from './tool-answer.ts';
import { withCheckpoint } from './with-checkpoint.ts';

/** One attempt: the commands of the present step run, and the chain moves on by how they end. */
export async function verifyChain(chain: Chain, context: CallContext): Promise<ChainAnswer | Problem> {
  const { cwd, root, effects, onEvent } = context;
  const secretsPassed = await secretsPassedAround(cwd);
  const run = await runChain(root, chain.id, effects, { secretsPassed, onEvent });
  if ('refused' in run) return { problem: `Nothing came of it for chain ${chain.id}: ${run.refused}.` };
  const { chain: moved, ended, attempt, summary, results } = run;
  const { decision, why } = chainOutcome(run, chain);
  const came = effects.signal.aborted
    ? ({ answer: 'none', why: 'the call was cancelled' } as const)
    : { answer: decision, why };
  const { iteration, maxIterations: max } = attempt;
  await logCall(chain, { ...came, iteration, max, gates: loggedGates(summary) }, context);
  const verified = { attempts: iteration, results };
  const answer = answerOn(chain, ended ?? moved.status, contentOf(run, chain), verified);
  return withCheckpoint(answer, run, context);
}

function contentOf({ chain, ended, summary, failed }: ChainRun, before: Chain): string {
  if (ended !== undefined) return endedMarkdown(chain, ended);
  if (chain.status === 'escalated') return escalatedMarkdown(chain);
  if (chain.status === 'review') return reviewMarkdown(chain, presentStep(chain));
  if (chain.status === 'failed' && failed) return failedMarkdown(chain, summary, failed);
  // A person may have retried it meanwhile: then it is where it was.
  return chain.step > before.step ? nextStepMarkdown(chain, 'passed') : stepMarkdown(chain);
}
