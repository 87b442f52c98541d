/** A command that must succeed before the step is done, as `:: verify:"npm test" max:3` asks for it. */
export interface VerifyGate {
  /** For the shell: never blank, without NUL, on one line. */
  readonly command: string;
  /** How often the agent may try; a whole number from 1. */
  readonly maxAttempts: number;
  /** Seconds that the command may take; a whole number from 1. */
  readonly timeoutSeconds: number;
  /** Whether the agent is sent back while it fails; undefined where that was not typed: each door has its own default. */
  readonly loop: boolean | undefined;
  readonly checkpoint: boolean;
  readonly rollback: boolean;
  /** As typed: relative to the project and inside it, by its words; whether it exists is not known here. */
  readonly workingDir: string | undefined;
}

/** A statement that the agent's work must be reviewed against. */
export interface CriterionGate {
  /** Unique within its step. */
  readonly name: string;
  readonly text: string;
}

export interface PromptStep {
  /** What the agent is to do: without the gates, its template rendered. */
  readonly text: string;
  readonly verify: readonly VerifyGate[];
  readonly criteria: readonly CriterionGate[];
}

/** What the person answers a failed gate with. */
export type GateAction = 'retry' | 'skip' | 'abort';

export interface ParsedPrompt {
  /** In the order they are to be done; empty where nothing but a gate action was typed. */
  readonly steps: readonly PromptStep[];
  readonly gateAction: GateAction | undefined;
}

/** One thing that is wrong in a prompt. Lines and columns count from 1, columns in UTF-16 units, as editors do. */
export interface PromptProblem {
  readonly line: number;
  readonly column: number;
  /** What was found, what is expected, and the nearest valid word. */
  readonly message: string;
}
