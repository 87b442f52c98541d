import type { GateValues } from '../config/schema.ts';
import type { OutputStream, Recording } from '../process/output.ts';

/** The options of a gate that have no default. */
type OptionalValues = Pick<
  GateValues,
  'description' | 'needs' | 'exclusive' | 'paths' | 'inputs' | 'report' | 'reuse' | 'retries' | 'allowEmpty'
>;

/** A command that must exit with 0, with the options of `GATE_SCHEMA`. */
export interface CommandGate
  extends Omit<GateValues, 'enabled' | keyof OptionalValues>,
    Partial<OptionalValues> {
  readonly kind: 'command';
  /** Unique among the gates of one run; the command itself if the config gives no name. */
  readonly name: string;
  /** Absolute path of the directory that the command runs in. */
  readonly cwd: string;
  /** Added to the inherited environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The only variables that it inherits, besides basic ones such as PATH; without this list, it inherits all. */
  readonly passEnv?: readonly string[];
  /** The only variables with secret-looking names that it inherits; without this list, it inherits all. */
  readonly secretsPassed?: readonly string[];
  /** Infinite if only the hook's deadline limits it. */
  readonly timeoutSeconds: number;
  /** Run by the user's own shell, `$SHELL`, instead of `/bin/sh`. */
  readonly inUserShell?: boolean;
  /** What runs instead of the command, one after another: the command with the changed files in place of `{changed_files}`. */
  readonly batches?: readonly string[];
  /** What the project's baseline says about the gate. */
  readonly baseline?: GateBaseline;
}

/** The failures of a gate that do not block, and how the gate ended when they were recorded. */
export interface GateBaseline {
  /** Absolute directory of the project: paths in it are compared without it. */
  readonly root: string;
  readonly exitCode: number;
  /** How many failures the output itself reports, by the words around the number. */
  readonly reported: Readonly<Record<string, number>>;
  readonly failures: readonly KnownFailure[];
}

/** Failures that differ in their line or in numbers only. */
export interface KnownFailure {
  /** The tool's name for the kind of error, `test` for the name of a test that failed, or `error`. */
  readonly kind: string;
  /** Relative to the project; null where the output names none. */
  readonly file: string | null;
  /** Without numbers, times and the path of the project. */
  readonly message: string;
  /** How many there are, from 1. */
  readonly count: number;
}

/** A word that the agent's last message must contain, such as `LINT_FINISH`. */
export interface MarkerGate {
  readonly kind: 'marker';
  readonly name: string;
  readonly marker: string;
  /** It counts only where the agent states it, not in a denial, a quotation or code. */
  readonly strict?: true;
  readonly blocking: true;
}

export type Gate = CommandGate | MarkerGate;

/** How one gate ended. */
export type GateOutcome =
  | { readonly reason: 'passed' }
  | { readonly reason: 'failed'; readonly exitCode: number }
  /** Exit 127: the shell found no such program. */
  | { readonly reason: 'not-found' }
  /** Exit 126: the program is there but cannot be executed. */
  | { readonly reason: 'not-executable' }
  | { readonly reason: 'killed'; readonly signal: string }
  | { readonly reason: 'timed-out'; readonly limitSeconds: number }
  /** The hook's deadline was earlier than the gate's time limit. */
  | { readonly reason: 'out-of-time'; readonly deadlineSeconds: number }
  | { readonly reason: 'not-started'; readonly message: string }
  | { readonly reason: 'interrupted' }
  | { readonly reason: 'marker-missing' }
  /** A test command passed that has run no test. */
  | { readonly reason: 'empty' }
  /** Not run, because no changed file matches its `paths`. */
  | { readonly reason: 'unaffected' }
  /** Not run, or ended while it ran, because another gate failed; or not run, because the time was up. */
  | { readonly reason: 'skipped' };

export interface GateResult {
  readonly gate: Gate;
  readonly outcome: GateOutcome;
  /** That of the run that had this result; 0 if the gate did not run. */
  readonly durationMs: number;
  readonly output: Recording;
  /** Milliseconds from the start of this run to the end of the gate, or to when it was skipped. */
  readonly endedAfterMs?: number;
  /** The gate did not run, because it has passed with the same files: when, UTC, ISO 8601. */
  readonly reused?: string;
  /** Another process ran the gate, and this one waited for the result. */
  readonly joined?: true;
  /** How often the gate failed in this run before it passed. */
  readonly flaky?: number;
  /** The gate passed because all its failures are in the baseline: how many. */
  readonly known?: number;
  /** How many failures of the baseline the gate does not have any more. */
  readonly fixed?: number;
  /** The gate passed, and there is no file that its `report` names. */
  readonly noReport?: true;
  /** How many tests it ran, where its output says so; of a gate that failed, 0 if it found none. */
  readonly tests?: number;
  /** How many tests it ran at its last pass, if they were more than twice as many. */
  readonly testsBefore?: number;
}

/** Whether a gate with this outcome does not keep the run from passing. */
export function holds({ reason }: GateOutcome): boolean {
  return reason === 'passed' || reason === 'unaffected';
}

/** Emitted while gates run; `started` again for each further attempt of a gate with retries. */
export type GateEvent =
  | { readonly type: 'started'; readonly gate: Gate }
  | { readonly type: 'output'; readonly gate: Gate; readonly stream: OutputStream; readonly bytes: Buffer }
  | { readonly type: 'ended'; readonly result: GateResult };

/** `incomplete`: no gate failed, but the deadline or an interruption left a blocking gate without a result. */
export type Verdict = 'passed' | 'failed' | 'incomplete';

export interface RunResult {
  readonly verdict: Verdict;
  readonly results: readonly GateResult[];
  readonly durationMs: number;
}

/** A gate that has no result yet. */
export interface RunningGate {
  readonly name: string;
  readonly elapsedMs: number;
}
