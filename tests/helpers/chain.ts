import { beginChain } from '../../src/chain/chain-steps.ts';
import type { Chain } from '../../src/state/chain.ts';
import type { PromptStep, VerifyGate } from '../../src/state/prompt-step.ts';
import type { Files } from './project.ts';
import { verifyGate } from './typed-prompt.ts';

export function step(text: string, ...verify: readonly VerifyGate[]): PromptStep {
  return { text, verify, criteria: [] };
}

/** A chain of one step that runs `npm test`, begun now, where nothing else is said. */
export function chainOf(fields: Partial<Chain> = {}, now = new Date()): Chain {
  const steps = [step('Do it', verifyGate('npm test'))];
  const about = { id: 'k3x9-7f2a', session: null, atStop: 'nothing', steps, checkpoint: null } as const;
  return { ...beginChain(about, now), ...fields };
}

/** The file that a project keeps a chain in. */
export function chainFile(chain: Chain): Files {
  return { [`.trellis/.ralph/chain-${chain.id}.json`]: JSON.stringify(chain) };
}
