import type { EventFields, Host } from './host.ts';

/**
 * Why a stop is not to be judged, whoever's it is: the work that it seems to end has not ended, or is not ours to end.
 *
 * @param event in Claude Code's words
 * @param env the hook's environment
 * @returns undefined where it is to be judged
 */
export function skipReason(host: Host, event: EventFields, env: NodeJS.ProcessEnv): string | undefined {
  // A gate that starts an agent in this project would start all gates again at that agent's stop, itself among them.
  if (env.RALPH_LOOP === '1') return 'the agent was started by a gate';
  return host.skipReason?.(event) ?? whyStillWorking(event);
}

/**
 * A main agent that waits for others says that it stops; it is woken when they are done, and stops again: so do Claude
 * Code 2.1.197 and Qwen Code 0.24.4, without a terminal as well. Shells in the background are not waited for: one that
 * serves a page never ends.
 */
function whyStillWorking({
  hook_event_name: name,
  background_tasks: tasks,
}: EventFields): string | undefined {
  if (name !== 'Stop' || !Array.isArray(tasks)) return undefined;
  const running = tasks.filter(isRunningAgent).length;
  return running > 0 ? `it waits for ${running} agent${running > 1 ? 's' : ''} in the background` : undefined;
}

function isRunningAgent(task: unknown): boolean {
  if (typeof task !== 'object' || task === null) return false;
  const { type, agent_type: agentType, status } = task as EventFields;
  const isAgent = typeof agentType === 'string' || type === 'subagent' || type === 'workflow';
  return isAgent && (status === 'running' || status === 'pending');
}
