import type { AgentRun } from '../state/agent-run.ts';
import type { StopContext } from '../verification/types.ts';

/** What happens while a loop is driven, told as it happens. */
export type AgentRunEvent =
  | { readonly type: 'begun'; readonly loop: AgentRun; readonly logPath: string }
  | { readonly type: 'gate'; readonly name: string }
  | { readonly type: 'ended'; readonly loop: AgentRun }
  /** Something went wrong that does not end the loop. */
  | { readonly type: 'note'; readonly text: string };

export interface AgentRunContext extends StopContext {
  readonly onEvent: (event: AgentRunEvent) => void;
}
