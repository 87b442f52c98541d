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
  /** How many reviews of the current step were requested. */
  readonly reviews: number;
  /** A notice is pending: a person skipped to the current step in a terminal, and the agent does not know it yet. */
  readonly untold: boolean;
  /** Indices of the skipped steps. */
  readonly unverified: readonly number[];
  /** Pid of the process that runs the commands now; null if none does. */
  readonly running: number | null;
  /** Results of the current step's last run, one for each command. */
  readonly results: readonly CommandReport[];
  /** Id of the checkpoint saved when the chain started; null if none was requested, or it has been restored. */
  readonly checkpoint: string | null;
  /** Fingerprint of the working tree after the last run, for a rollback; null if there is none. */
  readonly tree?: string | null;
  /** UTC, ISO 8601. */
  readonly created_at: string;
  readonly updated_at: string;
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

/** Attempts that the current step has at most. */
export function maxAttemptsOf(chain: Chain): number {
  return Math.max(1, ...currentStep(chain).verify.map(({ maxAttempts }) => maxAttempts));
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
  const { id, status, session, step, steps, attempts, running, created_at, updated_at } = chain;
  return {
    id,
    status,
    session,
    step: step + 1,
    steps: steps.length,
    attempts,
    max_attempts: maxAttemptsOf(chain),
    unverified_steps: chain.unverified.length,
    commands: currentStep(chain).verify.map(({ command }) => command),
    verifying: running !== null,
    created_at,
    updated_at,
  };
}
