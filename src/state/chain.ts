import type { PromptStep } from './prompt-step.ts';

/**
 * A prompt with gates, from when it is typed until they hold, or nobody wants them any more.
 *
 * `awaiting`: the agent works, and nothing has been verified yet; `failed`: it works on what failed; `review`: the
 * commands pass, and it has to review its work; `escalated`: no attempt is left, and a person has to say what is to be.
 */
export interface Chain {
  readonly id: string;
  readonly status: 'awaiting' | 'failed' | 'review' | 'escalated';
  /** Of the session whose stops it is verified at; null: the first main agent's that stops in this project. */
  readonly session: string | null;
  /** What stops do for it: block until it holds, tell once how it is, or nothing. */
  readonly atStop: 'block' | 'tell' | 'nothing';
  readonly steps: readonly PromptStep[];
  /** Index of the present step. */
  readonly step: number;
  /** Runs of the present step's commands, the one that goes on now included. */
  readonly attempts: number;
  /** Reviews of the present step that were asked for. */
  readonly reviews: number;
  /** The present step came by a person's word in a terminal: the agent has not read of it yet. */
  readonly untold: boolean;
  /** Indices of steps that were skipped: nobody knows whether they hold. */
  readonly unverified: readonly number[];
  /** The process that runs the commands now; null where none does. */
  readonly running: number | null;
  /** How the present step's last run ended, a command each. */
  readonly results: readonly CommandEnd[];
  /** Id of the checkpoint of when it began; null where none was asked for. */
  readonly checkpoint: string | null;
  /** UTC, ISO 8601. */
  readonly created_at: string;
  readonly updated_at: string;
}

/** How one command ended. */
export interface CommandEnd {
  readonly command: string;
  readonly passed: boolean;
  /** Null where there is none: killed, timed out, not started. */
  readonly exitCode: number | null;
  /** The last 5,000 characters. */
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  readonly timedOut: boolean;
}

/** The agent's word on a criterion. */
export interface CriterionVerdict {
  readonly name: string;
  readonly passed: boolean;
  /** Empty where it gave none, which is no verdict. */
  readonly reason: string;
}

/** `passed`: all steps hold; `skipped`: some were given up; `aborted`: it was called off. */
export type ChainEnd = 'passed' | 'skipped' | 'aborted';

/** A chain after something happened to it; `ended` where that was its last. */
export interface MovedChain {
  readonly chain: Chain;
  readonly ended?: ChainEnd;
}

/** A chain that nobody has touched for so long is nobody's any more. */
export const CHAIN_EXPIRY_HOURS = 24;
export function presentStep({ steps, step }: Chain): PromptStep {
  return steps[step] ?? { text: '', verify: [], criteria: [] };
}

export function hasExpired({ updated_at }: Chain, now: Date): boolean {
  const age = now.getTime() - Date.parse(updated_at);
  // A time that cannot be read is no time at all.
  return !(age <= CHAIN_EXPIRY_HOURS * 3_600_000);
}
