import { type Chain, presentStep } from './chain.ts';

/** What `status` tells of one chain; also its form in `--json`. */
export interface ChainReport {
  readonly id: string;
  readonly status: Chain['status'];
  readonly session: string | null;
  /** Counts from 1. */
  readonly step: number;
  readonly steps: number;
  readonly attempts: number;
  readonly max_attempts: number;
  /** Steps that were skipped: nobody knows whether they hold. */
  readonly unverified_steps: number;
  readonly commands: readonly string[];
  /** Its commands run now, or the process that ran them was killed. */
  readonly verifying: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export function reportChain(chain: Chain): ChainReport {
  const { id, status, session, step, steps, attempts, running, created_at, updated_at } = chain;
  return {
    id,
    status,
    session,
    step: step + 1,
    steps: steps.length,
    attempts,
    max_attempts: Math.max(1, ...presentStep(chain).verify.map(({ maxAttempts }) => maxAttempts)),
    unverified_steps: chain.unverified.length,
    commands: presentStep(chain).verify.map(({ command }) => command),
    verifying: running !== null,
    created_at,
    updated_at,
  };
}
