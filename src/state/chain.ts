import type { ProcessIdentity } from '../process/process-group.ts';
import type { Escalation } from './execution-log.ts';

/** A command that must succeed before the step is done, as in `:: verify:"npm test" max:3`. */
export interface VerifyGate {
  /** For the shell: never blank, without NUL, on one line. */
  readonly command: string;
  /** How often the agent may try; a whole number from 1. */
  readonly maxAttempts: number;
  /** Seconds that the command may take; a whole number from 1. */
  readonly timeoutSeconds: number;
  /** Whether a failure blocks the stop; undefined if not typed: prompts and tool calls have different defaults. */
  readonly loop: boolean | undefined;
  readonly checkpoint: boolean;
  readonly rollback: boolean;
  /** As typed: a path relative to the project that does not leave it. The parser does not check that it exists. */
  readonly workingDir: string | undefined;
}

/** A statement that the agent reviews its work against. */
export interface CriterionGate {
  /** Unique within its step. */
  readonly name: string;
  readonly text: string;
}

export interface PromptStep {
  /** The task: the text without its gates, its template rendered. */
  readonly text: string;
  readonly verify: readonly VerifyGate[];
  readonly criteria: readonly CriterionGate[];
}

/** A person's decision about a chain. */
export type GateAction = 'retry' | 'skip' | 'abort';

/**
 * The gates typed into a prompt, from the prompt until they pass or are abandoned. Also the format of the chain's file.
 *
 * `awaiting`: the agent works, nothing is verified yet; `failed`: the agent works on a failure; `review`: the commands
 * pass and the agent has to review its work; `escalated`: no attempt is left and a person has to decide.
 */
export interface Chain {
  readonly id: string;
  readonly status: 'awaiting' | 'failed' | 'review' | 'escalated';
  /** The session whose stops verify it; null: the first session whose main agent stops in this project. */
  readonly session: string | null;
  /** At a stop: block until it passes, report a failure once, or ignore the chain. */
  readonly atStop: 'block' | 'tell' | 'nothing';
  readonly steps: readonly PromptStep[];
  /** Index of the current step. */
  readonly step: number;
  /** Runs of the current step's commands, including a run in progress. */
  readonly attempts: number;
  /**
   * For each command of the current step, how many of these runs used up none of its attempts: those in which it passed,
   * or was not reached. A chain of an earlier version has none.
   */
  readonly spared?: readonly number[];
  /** How many reviews of the current step were requested. */
  readonly reviews: number;
  /** A notice is pending: a person skipped to the current step in a terminal, and the agent does not know it yet. */
  readonly untold: boolean;
  /** Indices of the skipped steps. */
  readonly unverified: readonly number[];
  /** The process that runs the commands now, or that was killed while it did; null if none does. */
  readonly running: ProcessIdentity | null;
  /** Results of the current step's last run, one for each command. */
  readonly results: readonly CommandReport[];
  /** Set if it is escalated because the agent says that a gate cannot be satisfied. */
  readonly escalation?: ChainEscalation | undefined;
  /** Id of the checkpoint saved when the chain started; null if none was requested, or it has been restored. */
  readonly checkpoint: string | null;
  /** Fingerprint of the working tree after the last run, for a rollback; null if there is none. */
  readonly tree?: string | null;
  /** UTC, ISO 8601. */
  readonly created_at: string;
  readonly updated_at: string;
}

/** @property by who escalated, as in `Caller` */
export interface ChainEscalation extends Escalation {
  readonly by: string;
}

/** How one command of a step ended. */
export interface CommandReport {
  readonly command: string;
  readonly passed: boolean;
  /** Null if there is none: killed, timed out, not started. */
  readonly exitCode: number | null;
  /** The last 5,000 characters. */
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  readonly timedOut: boolean;
}

/** The agent's verdict on a criterion. */
export interface CriterionVerdict {
  readonly name: string;
  readonly passed: boolean;
  /** A verdict with an empty reason does not count. */
  readonly reason: string;
}

/** `passed`: all steps passed; `skipped`: some steps were skipped, the others passed; `aborted`: a person aborted it. */
export type ChainEnd = 'passed' | 'skipped' | 'aborted';

/** A chain after a transition; `ended` if it is over. */
export interface MovedChain {
  readonly chain: Chain;
  readonly ended?: ChainEnd;
}

/** A chain without any change for this long expires. */
export const CHAIN_EXPIRY_HOURS = 24;

export function isChainExpired({ updated_at }: Chain, now: Date): boolean {
  const age = now.getTime() - Date.parse(updated_at);
  // Also true for an invalid time.
  return !(age <= CHAIN_EXPIRY_HOURS * 3_600_000);
}

export function currentStep({ steps, step }: Chain): PromptStep {
  return steps[step] ?? { text: '', verify: [], criteria: [] };
}

/** The names of the criteria of the steps that have passed: the agent itself has reviewed them. @param ended no step is left */
export function selfReviewed({ steps, step, unverified }: Chain, ended: boolean): string[] {
  return steps
    .filter((_, index) => (ended || index < step) && !unverified.includes(index))
    .flatMap(({ criteria }) => criteria.map(({ name }) => name));
}

/** Attempts that a command has used up, or that are counted for it while it runs, of those that it has. */
export interface Attempts {
  readonly iteration: number;
  readonly maxIterations: number;
}

/** The attempts of a command of the current step. */
export function attemptsOf(chain: Chain, index: number): Attempts {
  const iteration = chain.attempts - (chain.spared?.[index] ?? 0);
  return { iteration, maxIterations: currentStep(chain).verify[index]?.maxAttempts ?? 1 };
}

/** The attempts of the command that failed last; else of the one that has used up the most. */
export function latestAttempts(chain: Chain): Attempts {
  const failed = chain.results.findIndex(({ passed }) => !passed);
  if (failed !== -1) return attemptsOf(chain, failed);
  const all = currentStep(chain).verify.map((_, index) => attemptsOf(chain, index));
  const iteration = Math.max(0, ...all.map((each) => each.iteration));
  const used = all.filter((each) => each.iteration === iteration);
  return { iteration, maxIterations: Math.max(1, ...used.map(({ maxIterations }) => maxIterations)) };
}

/** The chain's key in the execution log and in the record of its failures. */
export function chainTask({ id }: Pick<Chain, 'id'>): string {
  return `chain:${id}`;
}

/** A chain as `status --json` prints it. */
export interface ChainReport {
  readonly id: string;
  readonly status: Chain['status'];
  readonly session: string | null;
  /** Counts from 1. */
  readonly step: number;
  readonly steps: number;
  readonly attempts: number;
  readonly max_attempts: number;
  /** How many steps were skipped. */
  readonly unverified_steps: number;
  readonly commands: readonly string[];
  /** Its commands run now, or the process that ran them was killed. */
  readonly verifying: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export function reportChain(chain: Chain): ChainReport {
  const { id, status, session, step, steps, running, created_at, updated_at } = chain;
  const { iteration, maxIterations } = latestAttempts(chain);
  return {
    id,
    status,
    session,
    step: step + 1,
    steps: steps.length,
    attempts: iteration,
    max_attempts: maxIterations,
    unverified_steps: chain.unverified.length,
    commands: currentStep(chain).verify.map(({ command }) => command),
    verifying: running !== null,
    created_at,
    updated_at,
  };
}
