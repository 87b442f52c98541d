import { newChain } from '../../src/chain/transitions.ts';
import type { Chain, CommandReport, PromptStep, VerifyGate } from '../../src/state/chain.ts';
import type { Files } from './project.ts';
import { verifyGate } from './typed-prompt.ts';

export function step(text: string, ...verify: readonly VerifyGate[]): PromptStep {
  return { text, verify, criteria: [] };
}

/** Returns a chain, by default of one step that runs `npm test`, started now. */
export function chainOf(fields: Partial<Chain> = {}, now = new Date()): Chain {
  const steps = [step('Do it', verifyGate('npm test'))];
  const about = { id: 'k3x9-7f2a', session: null, atStop: 'nothing', steps, checkpoint: null } as const;
  return { ...newChain(about, now), ...fields };
}

/** By default of a command that failed with exit code 1. */
export function commandReport(fields: Partial<CommandReport> = {}): CommandReport {
  const { passed = false } = fields;
  const end = { exitCode: passed ? 0 : 1, stdout: '', stderr: '', durationMs: 7, timedOut: false };
  return { command: 'npm test', passed, ...end, ...fields };
}

/** The file of a chain in a project without a state directory of the user. */
export function chainFile(chain: Chain): Files {
  return { [`.trellis/.ralph/chain-${chain.id}.json`]: JSON.stringify(chain) };
}

/** Returns the state file of a chain. */
export function savedChain(chain: Chain): Files {
  return { [`@/chain-${chain.id}.json`]: JSON.stringify(chain) };
}
