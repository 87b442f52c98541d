import type { ProjectLayout } from '../../src/config/discover.ts';
import { formatProblem } from '../../src/config/validate.ts';
import { parseWorktree } from '../../src/config/worktree.ts';

/** The directory of the gates of `readWorktree`, which does not exist. */
export const ROOT = '/the/project';

/** Parses a worktree.yaml, with formatted problems without the name of the file: `2:3: found …`. */
export async function readWorktree(text: string, layout: ProjectLayout = 'trellis') {
  const { settings, gates, problems } = await parseWorktree(text, layout, ROOT);
  return {
    settings,
    gates,
    commands: gates.map(({ command }) => command),
    problems: problems.map((problem) => formatProblem('', problem).slice(1)),
  };
}
