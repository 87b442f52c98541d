import type { HostName } from './registry.ts';

/** An agent's attempt to stop, with the same fields for every host. */
export interface StopEvent {
  readonly host: HostName;
  /** Whether the main agent stops, not a subagent. */
  readonly isMain: boolean;
  /** `main`, or the subagent's type; empty if the host does not report it. */
  readonly agent: string;
  readonly agentId: string | undefined;
  readonly sessionId: string | undefined;
  /** The directory where the agent works; undefined if the host does not report it. */
  readonly cwd: string | undefined;
  /** What the host reports as the project's directories, the best first: absolute paths, which need not exist. */
  readonly projectDirectories: readonly string[];
  /** The agent's last message; empty if the host does not report it. */
  readonly message: string;
  /** Whether the message can begin with earlier messages of the turn. */
  readonly isWholeTurn: boolean;
  /** Absolute path of this agent's transcript; undefined if the host does not report it. */
  readonly transcriptPath: string | undefined;
  /** Whether this is the stop of Trellis's finish phase, whose work the check phase has verified. */
  readonly finishPhase: boolean;
  /** Whether a stop hook has continued the turn before; undefined if the host does not report it reliably. */
  readonly continuing: boolean | undefined;
  /** The reason why the stop is not checked; undefined if it is checked. */
  readonly skipReason: string | undefined;
  /** What the main agent may wait for; undefined if there is nothing. */
  readonly background: BackgroundWork | undefined;
  /** The event's name for context that continues the turn; undefined if the host is not known to take any here. */
  readonly contextEvent: string | undefined;
}

/** What runs in the background of the main agent, and wakes it when it ends. */
export interface BackgroundWork {
  /** The number of agents. They end by themselves. */
  readonly agents: number;
  /** Anything else, which may run for ever; without what surely does, and what cannot be recognized at a later stop. */
  readonly others: readonly BackgroundTask[];
}

export interface BackgroundTask {
  readonly kind: 'shell' | 'task' | 'wake-up';
  /** The same at each stop. */
  readonly id: string;
}

/** A prompt, before the agent reads it. */
export interface PromptEvent {
  readonly host: HostName;
  /** The host's name of the event. */
  readonly name: string;
  readonly prompt: string;
  /** Whether a person typed it, as far as the text shows; hosts also send notices and empty prompts. */
  readonly byPerson: boolean;
  readonly sessionId: string | undefined;
  /** The directory where the agent works; undefined if the host does not report it. */
  readonly cwd: string | undefined;
  /** What the host reports as the project's directories, the best first: absolute paths, which need not exist. */
  readonly projectDirectories: readonly string[];
}

/** A tool that has edited files, before the agent goes on. */
export interface EditEvent {
  readonly host: HostName;
  /** The host's name of the event. */
  readonly name: string;
  /**
   * The files that the tool has changed, created or removed, as the host reports them: absolute, or relative to the
   * directory where the agent works. None for other tools, and where no answer reaches the agent.
   */
  readonly paths: readonly string[];
  /** The texts of the one edited file, null for no file; undefined if the host does not report them. */
  readonly texts?: { readonly before: string | null; readonly after: string } | undefined;
  readonly sessionId: string | undefined;
  /** The directory where the agent works; undefined if the host does not report it. */
  readonly cwd: string | undefined;
  /** What the host reports as the project's directories, the best first: absolute paths, which need not exist. */
  readonly projectDirectories: readonly string[];
}

/** The answer to a stop event, before it is written in a host's form. */
export type Answer =
  /** ralph-loop does not guard the stop: it writes nothing. */
  | { readonly decision: 'ignore'; readonly why: string }
  | ({ readonly decision: 'allow'; readonly why: AllowReason } & AnswerNotes)
  /** `why` is for the log, `reason` for the agent. */
  | ({ readonly decision: 'block'; readonly why: BlockReason; readonly reason: string } & AnswerNotes);

export interface AnswerNotes {
  readonly toPerson?: string;
  /** Names of the failed gates of a gate config that do not block. */
  readonly warnings?: readonly string[];
}

/** Why a guarded stop is allowed. */
export type AllowReason =
  | 'commands-passed'
  | 'markers-found'
  | 'cap-reached'
  | 'no-gates'
  /** The gates typed into the prompt passed, failed without a loop, or wait for a person. */
  | 'verified'
  | 'unverified'
  /** A typed gate failed at its last attempt, or the agent says that a gate cannot be satisfied. */
  | 'escalated'
  /** The chain has not changed for a day. */
  | 'expired'
  | 'cannot-count'
  /** The turn has changed no file. */
  | 'unchanged'
  /** The main agent waits for work in the background. */
  | 'postponed'
  /** What fails is the work of another session, and was reported to this one before. */
  | 'of-another-session'
  /** A person cancelled the loop. */
  | 'cancelled'
  /** Earlier stops of the session were guarded, and this one is not. */
  | 'guard-lost'
  | 'internal-error';

/** Why a stop is blocked. */
export type BlockReason =
  | 'gates-failed'
  | 'out-of-time'
  /** A gate needs more time than the hook has. The stop does not count. */
  | 'still-running'
  | 'config-broken'
  /** The gates pass, but tests or checks became weaker. */
  | 'integrity'
  /** The chain goes on: with its next step, with a review, or with the step that is tried again. */
  | 'next-step'
  | 'review'
  | 'retried'
  /** The agent's review: a criterion does not hold, or a verdict is missing or has no reason. */
  | 'review-failed'
  | 'review-incomplete';
