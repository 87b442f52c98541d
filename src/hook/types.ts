import type { ProjectConfig } from '../config/load.ts';
import type { Settings } from '../config/settings.ts';
import type { RunResult } from '../gates/types.ts';
import type { Answer } from '../hosts/types.ts';
import type { Finding } from '../integrity/types.ts';
import type { IterationNumber } from '../messages/agent.ts';
import type { Escalation } from '../state/execution-log.ts';
import type { TreeBase } from '../verification/tree-base.ts';
import type { StopContext } from '../verification/types.ts';
import type { GuardedStop } from './triage.ts';

/** The answer to a stop, and what the execution log records about it. */
export interface StopResult {
  readonly answer: Answer;
  /** Directory of the project whose log records the stop; undefined for the user's log. */
  readonly root: string | undefined;
  /** How the project asks for a block to be answered; `block` if absent. */
  readonly blockAs?: Settings['answer'] | undefined;
  /** The command that notifies the person, as the session's record has it; undefined where none is set. */
  readonly notify?: string | undefined;
  /** The loop's key. */
  readonly task?: string;
  readonly attempt?: IterationNumber;
  readonly summary?: RunResult | undefined;
  /** What became weaker since the beginning of the session. */
  readonly findings?: readonly Finding[];
  /** Set if the stop was allowed because the agent escalated. */
  readonly escalated?: Escalation;
  /** The names of the criteria of typed gates that the agent itself has reviewed, and passed. */
  readonly selfReviewed?: readonly string[];
  readonly notes?: readonly string[];
  /** Fingerprint of the working tree that the stop was judged with, where turns are compared. */
  readonly tree?: string | undefined;
  /** The result of the chain that allowed the stop, where the project's own gates were judged after it. */
  readonly chain?: StopResult;
}

/** A guarded stop with the config of its project. */
export interface ConfiguredStop extends GuardedStop {
  readonly config: ProjectConfig;
  /** The fingerprint of the project's files, which is computed while the config is read; undefined if it is not. */
  readonly files?: Promise<string | undefined> | undefined;
  /** What became weaker in the gates since the beginning of the session. */
  readonly findings: readonly Finding[];
  /** The files as they were when the session began; undefined for `HEAD`. */
  readonly base?: TreeBase | undefined;
  /** Whether the gates are known although the config is broken. */
  readonly isKnown: boolean;
  /** For the person: what is known about the record of the session. */
  readonly messages: readonly string[];
}

/** The effects of the hook: the process that the host has started. */
export interface HookProcess {
  readonly env: NodeJS.ProcessEnv;
  /** Absolute working directory. */
  readonly cwd: string;
  /** Reads stdin to its end, or for at most `maxMs` milliseconds; empty in a terminal. */
  readonly readStdin: (maxMs: number) => string;
  readonly write: (descriptor: 1 | 2, text: string) => void;
  /** Emits signals and uncaught errors, as `process` does. */
  readonly events: Pick<NodeJS.EventEmitter, 'on'>;
  /** When the process started, on the clock of `uptimeMs()`: close to when the host started its own clock. */
  readonly startedAtMs: number;
  /** As in `RunContext`. */
  readonly loadRunner?: StopContext['loadRunner'];
}
