import { DEFAULT_AGENTS, type Layout } from './defaults.ts';

/**
 * Whether a worktree.yaml may make this agent's stop ours, told without understanding it: a hook that does not concern
 * us must cost no more than this. A yes has still to be checked against the settings; a no is final.
 *
 * @param text the file's, empty where there is none
 */
export function mayGuard(text: string, layout: Layout, agent: string): boolean {
  if (agent === '') return false;
  return (
    DEFAULT_AGENTS[layout].some((name) => name === agent) || (text.includes('ralph') && text.includes(agent))
  );
}
