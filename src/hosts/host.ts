import type { HostName } from '../loop/stop-event.ts';

/** An event as it came, whatever is in it. */
export type EventFields = Readonly<Record<string, unknown>>;

/** What ralph-loop knows of a host: measured with the real client, or from its documentation (hosts.md). */
export interface Host {
  readonly name: HostName;
  /** Whether an event is this host's. Its own fields tell more than the environment, which its children inherit. */
  recognises(event: EventFields, env: NodeJS.ProcessEnv): boolean;
  /**
   * The event in Claude Code's words, which most hosts speak; absent where the host speaks them.
   *
   * @returns why it is no stop that is to be judged, where it is none
   */
  translate?(event: EventFields): { readonly event: EventFields } | { readonly why: string };
  /** A key that it does not know takes nothing from an answer. */
  readonly ignoresUnknownKeys: boolean;
  /** The person reads what stands in `systemMessage`. */
  readonly showsSystemMessage: boolean;
  /** Seconds after which it gives up on a hook that sets no timeout, and lets the agent stop. */
  readonly timeoutSeconds: number;
}
