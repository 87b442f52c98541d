import type { HostName } from '../loop/stop-event.ts';

/** An event as it came, whatever is in it. */
export type EventFields = Readonly<Record<string, unknown>>;

/** What ralph-loop knows of a host: measured with the real client, or from its documentation (hosts.md). */
export interface Host {
  readonly name: HostName;
  /** Whether an event is this host's. Its own fields tell more than the environment, which its children inherit. */
  recognises(event: EventFields, env: NodeJS.ProcessEnv): boolean;
  /** The event in Claude Code's words, which most hosts speak; absent where the host speaks them. */
  translate?(event: EventFields): EventFields;
  /** Why one of its stops is not to be judged, though it is one; undefined where it is. */
  exempts?(event: EventFields): string | undefined;
  /** The keys of an answer that it takes, or passes over without harm. */
  readonly answerKeys: readonly AnswerKey[];
  readonly timeout: {
    /** Of the timeout in its settings. */
    readonly unit: 's' | 'ms';
    /** After so many seconds it gives up on a hook that sets no timeout, and lets the agent stop. */
    readonly defaultSeconds: number;
  };
  /** After so many blocks in a row it lets the agent stop, whatever a hook says; absent where it never does. */
  readonly blockCap?: number;
}

export type AnswerKey = 'decision' | 'reason' | 'warnings' | 'systemMessage' | 'followup_message';
