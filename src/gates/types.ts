import type { GateValues } from '../config/schema.ts';
import type { OutputStream, Recording } from '../process/recording.ts';

/** A command that must exit with 0, with the options of `GATE_SCHEMA`. */
export interface CommandGate extends Omit<GateValues, 'enabled' | 'description'> {
  readonly kind: 'command';
  /** Unique among the gates of one run; the command itself where the config gives no name. */
  readonly name: string;
  readonly description?: string;
  /** Absolute path of the directory that the command runs in. */
  readonly cwd: string;
  /** Added to the inherited environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The only variables to be inherited, besides the basic ones; all are, where there is no such list. */
  readonly passEnv?: readonly string[];
  /** Variables whose names look secret are not inherited, apart from these. */
  readonly secretsPassed?: readonly string[];
  /** Infinite where only the hook's deadline limits it. */
  readonly timeoutSeconds: number;
  /** Run by the person's own shell, `$SHELL`, instead of `/bin/sh`. */
  readonly inUserShell?: boolean;
}

/** A word that the agent's last message must contain, as `LINT_FINISH`. */
export interface MarkerGate {
  readonly kind: 'marker';
  readonly name: string;
  readonly marker: string;
  readonly blocking: true;
}

export type Gate = CommandGate | MarkerGate;

/** How one gate ended: a failure is a value. */
export type GateOutcome =
  | { readonly reason: 'passed' }
  | { readonly reason: 'failed'; readonly exitCode: number }
  /** Exit 127: the shell found no such program. */
  | { readonly reason: 'not-found' }
  /** Exit 126: the program is there but cannot be executed. */
  | { readonly reason: 'not-executable' }
  | { readonly reason: 'killed'; readonly signal: string }
  | { readonly reason: 'timed-out'; readonly limitSeconds: number }
  /** The hook's own deadline came before the gate's limit. */
  | { readonly reason: 'out-of-time'; readonly deadlineSeconds: number }
  | { readonly reason: 'not-started'; readonly message: string }
  | { readonly reason: 'interrupted' }
  | { readonly reason: 'marker-missing' }
  /** Not run, since an earlier gate failed or time ran out. */
  | { readonly reason: 'skipped' };

export interface GateResult {
  readonly gate: Gate;
  readonly outcome: GateOutcome;
  readonly durationMs: number;
  readonly output: Recording;
}

/** What happens while gates run, told as it happens. */
export type GateEvent =
  | { readonly type: 'started'; readonly gate: Gate }
  | { readonly type: 'output'; readonly gate: Gate; readonly stream: OutputStream; readonly bytes: Buffer }
  | { readonly type: 'ended'; readonly result: GateResult };

/** `incomplete`: nothing failed, but the deadline or an interruption left a blocking gate without a result. */
export type Verdict = 'passed' | 'failed' | 'incomplete';

export interface RunResult {
  readonly verdict: Verdict;
  readonly results: readonly GateResult[];
  readonly durationMs: number;
}
