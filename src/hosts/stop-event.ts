/** An agent's attempt to stop, whichever host reported it and however it named its fields. */
export interface StopEvent {
  readonly host: HostName;
  /** Whether it is the main agent that wants to stop. */
  readonly isMain: boolean;
  /** `main`, or the subagent's type; empty where the host does not say. */
  readonly agent: string;
  readonly agentId: string | undefined;
  readonly sessionId: string | undefined;
  /** Where the agent works; undefined where the host does not say. */
  readonly cwd: string | undefined;
  /** The agent's last message, empty where the host gives none. */
  readonly message: string;
  /** Whether the message may begin with earlier ones. */
  readonly isWholeTurn: boolean;
  /** Absolute path of the transcript that the host keeps of this agent; undefined where it does not say. */
  readonly transcriptPath: string | undefined;
  /** The stop of Trellis's finish phase, which its check phase has verified already. */
  readonly finishPhase: boolean;
  /** Whether the host says that a stop hook made the agent go on before; undefined where it does not say. */
  readonly continuing: boolean | undefined;
  /** Why it is not to be judged, though an agent stops; undefined where it is. */
  readonly skipReason: string | undefined;
}

/** Whether its message is the agent's last, or all that there is to have. */
export function hasLastMessage({ message, isWholeTurn, transcriptPath }: StopEvent): boolean {
  return (message !== '' && !isWholeTurn) || transcriptPath === undefined;
}

/** `unknown` gets the answer that every host understands. */
export type HostName =
  | 'claude-code'
  | 'codex'
  | 'gemini'
  | 'qwen'
  | 'copilot'
  | 'droid'
  | 'cursor'
  | 'unknown';

/** What ralph-loop says to a stop attempt, before a host's form is given to it. */
export type Answer =
  /** The stop is none of our business: nothing is said at all. */
  | { readonly decision: 'ignore'; readonly why: string }
  | ({ readonly decision: 'allow'; readonly why: AllowReason } & AnswerNotes)
  /** `why` is for the log, `reason` for the agent. */
  | ({ readonly decision: 'block'; readonly why: BlockReason; readonly reason: string } & AnswerNotes);

export interface AnswerNotes {
  readonly toPerson?: string;
  /** Names of the gates of a gate config that failed and do not block. */
  readonly warnings?: readonly string[];
}

/** Why a stop that was judged is allowed. */
export type AllowReason =
  | 'commands-passed'
  | 'markers-found'
  | 'cap-reached'
  | 'no-gates'
  /** What was typed into the prompt holds, does not and nobody is sent back for it, or waits for a person. */
  | 'verified'
  | 'unverified'
  | 'escalated'
  /** Nobody has touched what was typed for a day. */
  | 'expired'
  | 'cannot-count'
  /** A person has called the loop off. */
  | 'cancelled'
  | 'internal-error';

/** Why an agent is sent back to work. */
export type BlockReason =
  | 'gates-failed'
  | 'out-of-time'
  | 'config-broken'
  /** Of what was typed into the prompt: nothing was refused, there is more to be done. */
  | 'next-step'
  | 'review'
  | 'retried'
  /** Of the agent's review: something does not hold, or a verdict is missing or has no reason. */
  | 'review-failed'
  | 'review-incomplete';
