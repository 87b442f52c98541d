import { setTimeout } from 'node:timers/promises';
import { failure, type Result, success } from '../base/result.ts';
import type { LoopEnd } from '../checkpoint/settle.ts';
import { treeIdsIn } from '../process/process-group.ts';
import {
  type Chain,
  type CriterionVerdict,
  chainTask,
  currentStep,
  type GateAction,
} from '../state/chain.ts';
import {
  chainFailuresPath,
  moveChain,
  readChain,
  removeChainFile,
  type StoredChain,
} from '../state/chain-store.ts';
import { type FailedGate, readFailures } from '../state/failures.ts';
import { hasEscalations } from '../state/paths.ts';
import { endLeftoverTrees } from '../state/running-trees.ts';
import {
  CHANGED_RUN_ENDS_MS,
  type ChainFailure,
  type ChainRun,
  type ChainRunContext,
  runChain,
} from './run-chain.ts';
import {
  applyAction,
  CHAIN_OUTCOMES,
  type ChainEvent,
  type ChainOutcome,
  endReview,
  escalate,
  type Transition,
} from './transitions.ts';

// The only place that moves chains: the hook, the MCP server and `ralph-loop gate` turn the result into their words.

/** What happened to a chain. */
export interface ChainUpdate extends Transition {
  /** The chain before, or while its commands ran. */
  readonly before: Chain;
  /** The answer to a stop. */
  readonly outcome: ChainOutcome;
  /** Undefined if no commands were run. */
  readonly run?: ChainRun;
  /** The failure because of which the chain was escalated, or is tried again; undefined if no command failed. */
  readonly failedGate?: FailedGate | undefined;
  /** What happened to the checkpoint, for the person; undefined if there is nothing to know. */
  readonly checkpointNote?: string;
}

/** The names of the criteria that have passed now, by the review of the agent itself. */
export function reviewedIn({ before, chain, event }: ChainUpdate): string[] {
  const isPassed = event === 'step-passed' || (event === 'passed' && before.status === 'review');
  return isPassed && !chain.unverified.includes(before.step)
    ? currentStep(before).criteria.map(({ name }) => name)
    : [];
}

export interface ChainContext extends ChainRunContext {
  /** A stop delivers pending notices, and ends a chain that is verified only once. A tool call does neither. */
  readonly isStop: boolean;
}

/**
 * Verifies a chain because the agent says that it is done: reads its review, or runs the commands of the current step.
 *
 * @param verdicts of the agent, used if the chain is in review
 * @returns the failure if nothing was verified, or if the chain was removed meanwhile
 * @throws if the chain's file cannot be written
 */
export async function verifyChain(
  { root, chain }: StoredChain,
  verdicts: readonly CriterionVerdict[],
  context: ChainContext,
): Promise<Result<ChainUpdate, ChainFailure>> {
  if (chain.status === 'escalated') return success(updateOf({ chain, event: 'waiting' }, chain));
  if (context.isStop && chain.untold) return deliverNotice(root, chain);
  const moved =
    chain.status === 'review'
      ? await reviewChain(root, chain, verdicts, context)
      : await runStep(root, chain, context);
  if (!moved.ok) return moved;
  const update = await applyEscalation(root, moved.value, context);
  return success(await settleCheckpoint(root, update, context.now(), context.env));
}

/** The events after which the agent may escalate: something does not pass. */
const ESCALATED_AFTER: readonly ChainEvent[] = ['failed', 'review-failed', 'review-incomplete'];

async function applyEscalation(
  root: string,
  update: ChainUpdate,
  { now, env }: ChainContext,
): Promise<ChainUpdate> {
  if (!ESCALATED_AFTER.includes(update.event) || !hasEscalations(root)) return update;
  const { takeEscalation, escalationOf } = await import('../state/escalations.ts');
  const { id, session } = update.chain;
  const { verify, criteria } = currentStep(update.chain);
  const user = {
    session: session ?? undefined,
    runs: treeIdsIn(env),
    mayBeUnknown: true,
    gates: [...verify.map(({ command }) => command), ...criteria.map(({ name }) => name)],
  };
  const taken = await takeEscalation(root, user, now());
  if (!taken) return update;
  const escalation = { ...escalationOf(taken), by: taken.by };
  const moved = await moveChain(root, id, (chain) => success(escalate(chain, escalation, now())));
  return moved.ok ? { ...update, ...moved.value, outcome: CHAIN_OUTCOMES.escalated } : update;
}

/** Who passes a decision on: the agent reads the answer to a prompt and to a tool call, but nothing from a terminal. */
type DecisionSource = 'prompt' | 'tool' | 'terminal';

/**
 * Applies a person's decision to a chain. A tool call comes from the agent, which may only abort a chain, or pass on
 * what the person decided about an escalated one.
 *
 * @returns the failure if nothing was changed, for example because the file cannot be written
 */
export async function decideChain(
  root: string,
  id: string,
  action: GateAction,
  source: DecisionSource,
  { now, env }: { readonly now: Date; readonly env: NodeJS.ProcessEnv },
): Promise<Result<ChainUpdate>> {
  const transition = (before: Chain): Result<ChainUpdate> => {
    if (source === 'tool' && action !== 'abort' && before.status !== 'escalated')
      return failure(`it is ${before.status}, and "${action}" is for one that is escalated`);
    const moved = applyAction(before, action, now);
    const untold = source === 'terminal' && action === 'skip';
    const update = updateOf(untold ? { ...moved, chain: { ...moved.chain, untold } } : moved, before);
    return success(action === 'retry' ? { ...update, failedGate: recordedFailure(root, before) } : update);
  };
  try {
    const continued = action === 'abort' ? success(undefined) : await saveAgain(root, id, { now, env });
    if (!continued.ok) return continued;
    const moved = await moveChain(root, id, transition);
    // A process that was killed has not ended its commands.
    if (action === 'abort') await endLeftoverTrees(root);
    return moved.ok ? success(await settleCheckpoint(root, moved.value, now, env)) : moved;
  } catch (error) {
    return failure((error as Error).message);
  }
}

/** A chain that was rolled back, and continues, gets a checkpoint of what a person has done since then. */
async function saveAgain(
  root: string,
  id: string,
  context: { readonly now: Date; readonly env: NodeJS.ProcessEnv },
): Promise<Result<void>> {
  const chain = readChain(root, id);
  if (!chain || chain.checkpoint !== null || !wantsRollback(chain)) return success(undefined);
  const { createLoopCheckpoint } = await import('../checkpoint/settle.ts');
  const saved = await createLoopCheckpoint(root, chainTask(chain), context);
  if (!saved.ok) return saved;
  await saveInChain(root, chain, { checkpoint: saved.value });
  return success(undefined);
}

function recordedFailure(root: string, { id, results }: Chain): FailedGate | undefined {
  const hasFailed = results.some(({ passed }) => !passed);
  return hasFailed ? readFailures(chainFailuresPath(root, id))?.gates[0] : undefined;
}

function updateOf(transition: Transition, before: Chain): ChainUpdate {
  return { ...transition, before, outcome: CHAIN_OUTCOMES[transition.event] };
}

/** The agent learns at its next stop that a person skipped a step in a terminal. */
function deliverNotice(root: string, before: Chain): Promise<Result<ChainUpdate>> {
  return moveChain(root, before.id, (chain) =>
    success(updateOf({ chain: { ...chain, untold: false }, event: 'step-skipped' }, before)),
  );
}

function reviewChain(
  root: string,
  { id }: Chain,
  verdicts: readonly CriterionVerdict[],
  { now }: ChainContext,
): Promise<Result<ChainUpdate>> {
  return moveChain(root, id, (before) =>
    before.status === 'review'
      ? success(updateOf(endReview(before, verdicts, now()), before))
      : failure(`it is ${before.status} by now`),
  );
}

async function runStep(
  root: string,
  { id }: Chain,
  context: ChainContext,
): Promise<Result<ChainUpdate, ChainFailure>> {
  const ended = await runChain(root, id, context);
  if (!ended.ok) return ended;
  const { before, run, ...transition } = ended.value;
  const failedGate = run.failed?.remembered[0];
  const isOnce = context.isStop && before.atStop === 'tell' && run.failed && transition.event === 'escalated';
  if (isOnce) {
    removeChainFile(root, id);
    return success({ ...updateOf({ ...transition, event: 'failed-once' }, before), run, failedGate });
  }
  const update = { ...updateOf(transition, before), run, failedGate };
  return success(
    transition.event === 'failed' && run.result.verdict === 'incomplete'
      ? { ...update, outcome: { decision: 'block', why: 'out-of-time' } }
      : update,
  );
}

/** The events after which a chain's checkpoint is dropped, restored or kept for the person. */
const SETTLED: readonly ChainEvent[] = ['passed', 'skipped', 'aborted', 'escalated', 'failed-once'];

async function settleCheckpoint(
  root: string,
  update: ChainUpdate,
  now: Date,
  env: NodeJS.ProcessEnv,
): Promise<ChainUpdate> {
  const { chain, event, ended, run } = update;
  const { id, checkpoint } = chain;
  if (checkpoint === null) return update;
  const { settleLoopCheckpoint, fingerprintRepository } = await import('../checkpoint/settle.ts');
  if (!SETTLED.includes(event)) {
    if (!run || !wantsRollback(chain)) return update;
    const tree = await fingerprintRepository(root, env);
    return { ...update, chain: await saveInChain(root, chain, { tree }) };
  }
  const end = endOf(update);
  // A run in another process would write into the restored working tree.
  if (end.how === 'failed' && chain.running !== null) await setTimeout(CHANGED_RUN_ENDS_MS);
  const { note, isKept } = await settleLoopCheckpoint(root, { id, checkpoint }, end, { now, env });
  // A retry would restore the checkpoint again, and remove what the person has done meanwhile.
  const settled = isKept || ended ? chain : await saveInChain(root, chain, { checkpoint: null });
  return { ...update, chain: settled, ...(note !== undefined && { checkpointNote: note }) };
}

function wantsRollback({ steps }: Chain): boolean {
  return steps.some(({ verify }) => verify.some(({ rollback }) => rollback));
}

function endOf({ before, chain, event }: ChainUpdate): LoopEnd {
  if (event === 'passed' || event === 'skipped') return { how: 'passed' };
  const isAbortedLater = event === 'aborted' && before.status === 'escalated';
  if (isAbortedLater || !wantsRollback(chain)) return { how: 'kept' };
  return { how: 'failed', tree: event === 'aborted' ? (chain.tree ?? null) : 'now' };
}

/** @returns the chain with the fields, which are saved unless it was removed meanwhile */
async function saveInChain(
  root: string,
  chain: Chain,
  fields: Partial<Pick<Chain, 'checkpoint' | 'tree'>>,
): Promise<Chain> {
  await moveChain(root, chain.id, (present) => success({ chain: { ...present, ...fields } }));
  return { ...chain, ...fields };
}
