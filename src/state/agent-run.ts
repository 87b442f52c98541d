import type { ProcessIdentity } from '../process/identity.ts';
import type { IterationRecord } from './execution-log.ts';

/**
 * A loop that drives an agent until what it promises holds: one a task, in a file of its own, which stays when the loop
 * has ended, so that people see how.
 */
export interface AgentRun {
  /** Of this loop, and no other one of the same task; the processes of its agents are known by it. */
  readonly id: string;
  readonly task_id: string;
  readonly title: string | null;
  /** What it was begun with: enough to go on with it. */
  readonly order: AgentRunOrder;
  /** The agents that work on the task, one after another. */
  readonly stages: readonly string[];
  /** The one that works now, or worked last. */
  readonly stage: string;
  /** Of this stage. Counted before its agent is started; 0 before the first. */
  readonly iteration: number;
  readonly max_iterations: number;
  readonly completion_promise: string;
  /**
   * `running`: it is driven, or was when its driver was killed; `interrupted`: stopped by a person, and may be resumed;
   * `passed`: every stage's promise holds; `failed`: given up; `cancelled`: called off for good.
   */
  readonly status: 'running' | 'interrupted' | 'passed' | 'failed' | 'cancelled';
  /** Why it was given up; null where it was not. */
  readonly failure: AgentRunFailure | null;
  /** What goes on now; null where nothing does. */
  readonly activity: Activity | null;
  /** The process that drives the loop; null where none does. */
  readonly driver: ProcessIdentity | null;
  /** The agent, which leads a process group of its own; null where none has been started in this iteration. */
  readonly agent: ProcessIdentity | null;
  /** The iteration that ended last, as it is logged. */
  readonly last: IterationRecord | null;
  /** What the next iteration's agent is told of why the last claim was not accepted. */
  readonly feedback: string | null;
  /** What the last iteration failed by: the same text for the same failure. */
  readonly failed_by: string | null;
  /** Iterations in a row that changed nothing and failed in the same way. */
  readonly stalled: number;
  /** Agents in a row that ended at once with an error. */
  readonly crashed: number;
  /** Fingerprint of the working tree when the loop began; null where git does not tell. */
  readonly base_tree: string | null;
  /** Id of the checkpoint of when it began; null where none was asked for. */
  readonly checkpoint: string | null;
  /** Summed over all iterations; null where no agent has told. */
  readonly cost_usd: number | null;
  readonly tokens: number | null;
  /** UTC, ISO 8601. */
  readonly started_at: string;
  readonly updated_at: string;
}

export interface AgentRunOrder {
  /** What to run for the agent, argument by argument; null where the config says it. */
  readonly command: readonly string[] | null;
  /** Absolute path of the specification; null where the config or the task has it. */
  readonly prompt_file: string | null;
  /** Whether the work goes back to the checkpoint when the loop fails. */
  readonly rollback: boolean;
}

/**
 * `cap`: no iteration is left; `once`: loops are switched off; `budget`: it has cost too much; `stalled`: nothing changes
 * any more; `crashing`, `no-agent`: there is nothing to drive.
 */
export type AgentRunFailure = 'cap' | 'once' | 'budget' | 'stalled' | 'crashing' | 'no-agent';

/** What an iteration does now. */
export interface Activity {
  /** `gate`: one of the project's gates verifies the promise. */
  readonly kind: 'agent' | 'gate';
  /** Of the gate, or the agent. */
  readonly name: string;
  /** UTC, ISO 8601. */
  readonly since: string;
}
