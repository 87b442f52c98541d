import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isInside, realPathOf } from '../base/files.ts';
import { oneLine } from '../base/text.ts';
import { chainBegunText, keptText } from '../messages/chain.ts';
import type { Chain } from '../state/chain.ts';
import { removeOldArtifacts } from '../state/chain-artifacts.ts';
import { removeChain, writeNewChain } from '../state/chain-file.ts';
import type { GateAction, PromptStep } from '../state/prompt-step.ts';
import { actOnSession } from './act-on-session.ts';
import { beginChain } from './chain-steps.ts';
import { chainsOfSession, isForStops } from './find-chain.ts';
import { parsePrompt } from './parse/parse-prompt.ts';
import { problemsText } from './parse/problems-text.ts';
import { readPromptLibrary } from './parse/read-prompt-library.ts';
import type { BeginEffects, TypedPrompt } from './typed-prompt.ts';

/**
 * Begins the chain of a prompt that has gates, or does what the prompt says of the one that its session has.
 *
 * @param root absolute directory of the project
 * @param session whose stops are to be blocked for it
 */
export async function beginTypedPrompt(
  text: string,
  root: string,
  session: string | null,
  effects: BeginEffects,
): Promise<TypedPrompt> {
  const parsed = parsePrompt(text, readPromptLibrary(root));
  if (parsed === undefined) return { kind: 'plain' };
  if ('problems' in parsed)
    return {
      kind: 'refused',
      why: `The gates of this prompt are not understood, and nothing was begun:\n${problemsText(text, parsed.problems)}`,
    };
  const { steps, gateAction } = parsed;
  if (gateAction !== undefined) {
    const hasGates = steps.some((step) => step.verify.length + step.criteria.length > 0);
    return hasGates ? besideGates(gateAction) : actOnSession(root, session, gateAction, effects);
  }
  const verify = steps.flatMap((step) => step.verify);
  const atStop = verify.length > 0 && verify.every(({ loop }) => loop === false) ? 'tell' : 'block';
  const earlier = chainsOfSession(root, session).filter(({ chain }) => isForStops(chain));
  const begun = await beginKeptChain(root, { steps, session, atStop }, effects);
  if ('refused' in begun) return { kind: 'refused', why: begun.refused };
  // A session does one thing at a time: what was typed before is not what is wanted any more.
  for (const kept of earlier) removeChain(kept.root, kept.chain.id);
  const kept = earlier.flatMap(({ chain: { checkpoint } }) =>
    checkpoint === null ? [] : keptText(checkpoint),
  );
  const context = [chainBegunText(begun.chain, text), ...kept].join('\n');
  return { kind: 'begun', chain: begun.chain, context };
}

/** Begins a chain, saves the work first where that is asked for, and keeps it; or says why that cannot be. */
export async function beginKeptChain(
  root: string,
  about: Pick<Chain, 'steps' | 'session' | 'atStop'>,
  effects: BeginEffects,
): Promise<{ readonly chain: Chain } | { readonly refused: string }> {
  const { now } = effects;
  if (!existsSync(root)) return { refused: `The gates cannot be kept: there is no directory ${root}.` };
  const wrong = about.steps.flatMap((step) => wrongDirectories(step, root));
  if (wrong.length > 0) return { refused: wrong.join('\n') };
  const checkpoint = await checkpointFor(about.steps, root, effects);
  if (typeof checkpoint === 'object' && checkpoint !== null) return { refused: checkpoint.why };
  const chain = beginChain({ ...about, id: newChainId(now), checkpoint }, now);
  removeOldArtifacts(root, now);
  try {
    writeNewChain(root, chain);
  } catch (error) {
    if (checkpoint !== null) {
      const { dropCheckpoint } = await import('../checkpoint/store.ts');
      await dropCheckpoint(root, checkpoint, effects.env);
    }
    return { refused: `The gates cannot be kept: ${(error as Error).message}` };
  }
  return { chain };
}

/**
 * Saves the work as it is, where a gate asks for it.
 *
 * @returns its id, null where none does, or why it could not be saved
 */
async function checkpointFor(
  steps: readonly PromptStep[],
  root: string,
  effects: BeginEffects,
): Promise<string | null | { readonly why: string }> {
  const gates = steps.flatMap(({ verify }) => verify);
  if (!gates.some(({ checkpoint, rollback }) => checkpoint || rollback)) return null;
  const { createLoopCheckpoint } = await import('../checkpoint/settle.ts');
  const label = oneLine(gates.map(({ command }) => command).join(', '), 100);
  const created = await createLoopCheckpoint(root, label, effects);
  return created.ok ? created.value : { why: created.failure.message };
}

/** Sorts by time, and tells chains of one moment apart. */
function newChainId(now: Date): string {
  const random = Math.floor(Math.random() * 36 ** 4).toString(36);
  return `${Math.floor(now.getTime() / 1000).toString(36)}-${random.padStart(4, '0')}`;
}

/** It is about the gates that there are: those beside it would be dropped, or be taken for them. */
function besideGates(action: GateAction): TypedPrompt {
  const why = `found "gate_action:${action}" beside gates, and nothing was done: type it in a prompt of its own.`;
  return { kind: 'refused', why };
}

function wrongDirectories({ verify }: PromptStep, root: string): string[] {
  return verify.flatMap(({ workingDir }) => {
    if (workingDir === undefined) return [];
    const path = realPathOf(join(root, workingDir));
    if (!isInside(realPathOf(root), path)) return [`workingDir:"${workingDir}" leads out of the project.`];
    const isDirectory = existsSync(path) && statSync(path).isDirectory();
    return isDirectory ? [] : [`workingDir:"${workingDir}" is no directory of the project.`];
  });
}
