import { DEFAULT_AGENTS, type Layout } from './defaults.ts';
import { sectionOf, sliceSections } from './slice-sections.ts';

/**
 * Whether a worktree.yaml may make this agent's stop ours, told without reading its YAML: a hook that does not concern
 * us must cost no more than this. A yes has still to be checked against the settings; a no is final.
 *
 * @param text the file's, empty where there is none
 */
export function mayGuard(text: string, layout: Layout, agent: string): boolean {
  if (agent === '') return false;
  if (DEFAULT_AGENTS[layout].some((name) => name === agent)) return true;
  if (!text.includes('ralph')) return false;
  const ralph = sectionOf(sliceSections(text).sections, 'ralph');
  return ralph !== undefined && [ralph.inline, ...ralph.body].some((line) => line.includes(agent));
}
