import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isInside, realPathOf } from '../base/files.ts';
import { failure, type Result, success } from '../base/result.ts';
import { oneLine } from '../base/text.ts';
import { actionText, chainBegunText, hasGates, keptText } from '../messages/chain.ts';
import { type Chain, currentStep, type GateAction, type PromptStep } from '../state/chain.ts';
import { removeChain, removeOldArtifacts, writeNewChain } from '../state/chain-store.ts';
import { decideChain } from './engine.ts';
import { chainsOfSession, verifiesStops } from './find-chain.ts';
import { parsePrompt } from './parse/parse-prompt.ts';
import { problemsText } from './parse/problems.ts';
import { readPromptLibrary } from './parse/templates.ts';
import { newChain } from './transitions.ts';

interface StartContext {
  readonly now: Date;
  readonly env: NodeJS.ProcessEnv;
}

/** The chain that a prompt started, or made a decision about. */
export interface TypedPrompt {
  readonly chain: Chain;
  /** The decision; undefined if the prompt started the chain. */
  readonly action?: GateAction;
  /** What the agent needs to know. */
  readonly context: string;
}

/**
 * Starts a chain for a prompt with gates, or applies its gate action to a chain of the session.
 *
 * @param root absolute directory of the project
 * @param session the session whose stops the chain blocks
 * @returns undefined for a prompt without gates; the failure, for the person, if nothing was started or changed
 */
export async function submitPrompt(
  text: string,
  root: string,
  session: string | null,
  context: StartContext,
): Promise<Result<TypedPrompt> | undefined> {
  const parsed = parsePrompt(text, readPromptLibrary(root));
  if (parsed === undefined) return undefined;
  if (!parsed.ok)
    return failure(
      `The gates in this prompt have errors, and nothing was started:\n${problemsText(text, parsed.failure)}`,
    );
  const { steps, gateAction } = parsed.value;
  if (gateAction === undefined) return startForSession(steps, text, root, session, context);
  // The gates would be dropped, or taken for those that the action is about.
  return steps.some(hasGates)
    ? failure(
        `found "gate_action:${gateAction}" beside gates, and nothing was done: type it in a prompt of its own.`,
      )
    : decideForSession(gateAction, root, session, context);
}

async function startForSession(
  steps: readonly PromptStep[],
  text: string,
  root: string,
  session: string | null,
  context: StartContext,
): Promise<Result<TypedPrompt>> {
  const verify = steps.flatMap((step) => step.verify);
  const atStop = verify.length > 0 && verify.every(({ loop }) => loop === false) ? 'tell' : 'block';
  const earlier = chainsOfSession(root, session).filter(({ chain }) => verifiesStops(chain));
  const started = await startChain(root, { steps, session, atStop }, context);
  if (!started.ok) return started;
  const chain = started.value;
  // A session has one chain: a new prompt replaces the gates of an earlier one.
  for (const { root: directory, chain } of earlier) removeChain(directory, chain.id);
  const kept = earlier.flatMap(({ chain: { checkpoint } }) =>
    checkpoint === null ? [] : keptText(checkpoint),
  );
  return success({ chain, context: [chainBegunText(chain, text), ...kept].join('\n') });
}

/** Of several chains, the decision is about the latest escalated one, else about the latest. */
async function decideForSession(
  action: GateAction,
  root: string,
  session: string | null,
  context: StartContext,
): Promise<Result<TypedPrompt>> {
  const chains = chainsOfSession(root, session);
  const about = chains.findLast(({ chain }) => chain.status === 'escalated') ?? chains.at(-1);
  if (!about) return failure(`There are no gates in this session that "${action}" could apply to.`);
  const decided = await decideChain(about.root, about.chain.id, action, 'prompt', context);
  if (!decided.ok) return failure(`Nothing was done: ${decided.failure.message}.`);
  const { chain, checkpointNote = [] } = decided.value;
  const text = actionText(action, decided.value, currentStep(chain), about.root);
  return success({ chain, action, context: [text, checkpointNote].flat().join('\n') });
}

/**
 * Starts and saves a chain, after a checkpoint if a gate asks for one.
 *
 * @returns the chain; or the failure, if nothing was started
 */
export async function startChain(
  root: string,
  about: Pick<Chain, 'steps' | 'session' | 'atStop'>,
  context: StartContext,
): Promise<Result<Chain>> {
  const { now } = context;
  if (!existsSync(root)) return failure(`The gates cannot be saved: there is no directory ${root}.`);
  const wrong = about.steps.flatMap((step) => wrongDirectories(step, root));
  if (wrong.length > 0) return failure(wrong.join('\n'));
  const saved = await checkpointFor(about.steps, root, context);
  if (!saved.ok) return saved;
  const checkpoint = saved.value;
  const chain = newChain({ ...about, id: newChainId(now), checkpoint }, now);
  removeOldArtifacts(root, now);
  try {
    await writeNewChain(root, chain);
  } catch (error) {
    if (checkpoint !== null) {
      const { dropCheckpoint } = await import('../checkpoint/store.ts');
      await dropCheckpoint(root, checkpoint, context.env);
    }
    return failure(`The gates cannot be saved: ${(error as Error).message}`);
  }
  return success(chain);
}

/** @returns the id of the checkpoint; null if no gate asks for one */
async function checkpointFor(
  steps: readonly PromptStep[],
  root: string,
  context: StartContext,
): Promise<Result<string | null>> {
  const gates = steps.flatMap(({ verify }) => verify);
  if (!gates.some(({ checkpoint, rollback }) => checkpoint || rollback)) return success(null);
  const { createLoopCheckpoint } = await import('../checkpoint/settle.ts');
  const label = oneLine(gates.map(({ command }) => command).join(', '), 100);
  return createLoopCheckpoint(root, label, context);
}

/** Ids sort by time; the random part distinguishes chains of the same second. */
function newChainId(now: Date): string {
  const random = Math.floor(Math.random() * 36 ** 4).toString(36);
  return `${Math.floor(now.getTime() / 1000).toString(36)}-${random.padStart(4, '0')}`;
}

function wrongDirectories({ verify }: PromptStep, root: string): string[] {
  return verify.flatMap(({ workingDir }) => {
    if (workingDir === undefined) return [];
    const path = realPathOf(join(root, workingDir));
    if (!isInside(realPathOf(root), path)) return [`workingDir:"${workingDir}" is outside the project.`];
    const isDirectory = existsSync(path) && statSync(path).isDirectory();
    return isDirectory ? [] : [`workingDir:"${workingDir}" is not a directory in the project.`];
  });
}
