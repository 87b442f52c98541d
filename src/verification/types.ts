import type { Settings } from '../config/settings.ts';
import type { GateCondensers, GateFindings } from '../diagnostics/output/condenser.ts';
import type { RunReport } from '../gates/report.ts';
import type { Deadline } from '../gates/run-gates.ts';
import type { Gate, GateEvent, RunningGate, RunResult } from '../gates/types.ts';
import type { FailedRun, IterationNumber } from '../messages/agent.ts';
import type { ProcessIdentity } from '../process/process-group.ts';
import type { RunCommand } from '../process/run-command.ts';
import type { RecordedRun } from '../state/last-run.ts';

/** The effects of a verification run, passed in by its caller. */
export interface RunContext {
  readonly runCommand: RunCommand;
  readonly now: () => Date;
  readonly env: NodeJS.ProcessEnv;
  /** Ends the gates that run. An aborted run records nothing. */
  readonly signal: AbortSignal;
  readonly deadline?: Deadline | undefined;
  /**
   * Loads the function that starts the owner of a run, so that the run does not end with this process. Without it, this
   * process owns its runs.
   */
  readonly loadRunner?: (() => Promise<StartRunner | undefined>) | undefined;
}

/**
 * @param directory of the run, with its request
 * @param root absolute directory of the project
 * @param env of the gates
 * @throws if no process can be started
 */
export type StartRunner = (directory: string, root: string, env: NodeJS.ProcessEnv) => ProcessIdentity;

/** The effects of a stop. Its signal is aborted when the host ends the hook: then the count is kept, and no answer given. */
export interface StopContext extends RunContext {
  readonly deadline: Deadline;
}

/** What to run, and where its results are kept. */
export interface VerificationRequest {
  /** Absolute directory of the project. */
  readonly root: string;
  /** In the order they run. */
  readonly gates: readonly Gate[];
  /** Whether later gates are skipped once a blocking one has failed. */
  readonly failFast: boolean;
  /** How many gates run at the same time; 1 by default. */
  readonly jobs?: Settings['jobs'] | undefined;
  /** Whether a gate that has passed with the same files is not run again; true by default. */
  readonly reuse?: boolean | undefined;
  /** The agent's last message, for markers. */
  readonly message?: string | undefined;
  /** The commit since which files count as changed, and null for all files; by default the merge base, or what passed last. */
  readonly changedSince?: string | null | undefined;
  /** Absolute directory of the gates' full outputs. */
  readonly outputDirectory: string;
  readonly failures: FailureRecord;
  /** Whether the gates are all or some of the project's own: then the run is recorded for receipts. */
  readonly receipt?: 'all' | 'some';
  /** Absolute path of the results file of a gate config. */
  readonly resultsPath?: string | undefined;
  /** Absolute path of a file that ralph-loop changes itself: it does not count as a change of the tree. */
  readonly ignoredPath?: string | undefined;
  /** Fingerprint of the working tree, where it has just been computed. */
  readonly knownTree?: string | undefined;
  /** Whether gates may go on when the time is up; otherwise they are ended. */
  readonly mayGoOn?: boolean;
  /** Whether the caller only waits: it joins any run of the same files, and leaves the result to the next stop. */
  readonly isWait?: boolean;
  /** Given by callers that show what the gates print while they run; loaded at the first output without it. */
  readonly condensers?: GateCondensers;
  readonly onEvent?: ((event: GateEvent) => void) | undefined;
}

/** Where a run records what failed, and what its result says about other records. */
export interface FailureRecord {
  /** Absolute path of the file. */
  readonly path: string;
  /** The loop's key and attempt, compared with the previous failure; undefined for `verify`, which has no loop. */
  readonly loop?: { readonly key: string; readonly attempt: IterationNumber };
  /**
   * `all`: the gates of the project, so a pass removes every recorded failure; `some`: a selection of them, so recorded
   * failures of the others stay; `own`: gates of a chain or an agent run, which say nothing about other records.
   */
  readonly covers: 'all' | 'some' | 'own';
}

/** A finished verification run. */
export interface VerificationRun {
  readonly result: RunResult;
  /** What was found in the outputs of the gates. */
  readonly findings: GateFindings;
  /** What the messages say about the failure; undefined after a pass, and without a loop. */
  readonly failed: FailedRun | undefined;
  /** The results in Ralph Gate's form, where they are written to a file. */
  readonly report: RunReport | undefined;
  /** What is recorded for receipts. */
  readonly recorded?: RecordedRun | undefined;
  /** What went wrong in recording the results. */
  readonly notes: readonly string[];
  /** What still runs; undefined if every gate has its result. */
  readonly running?: readonly RunningGate[] | undefined;
}
