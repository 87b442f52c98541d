import type { ProjectLayout } from '../../src/config/discover.ts';
import { formatProblem } from '../../src/config/validate.ts';
import { parseWorktree } from '../../src/config/worktree.ts';

/** Where the gates of `readWorktree` run; nothing is there. */
export const ROOT = '/the/project';

/** Parses a worktree.yaml, its problems in the form that people read, without the file's name: `2:3: found …`. */
export async function readWorktree(text: string, layout: ProjectLayout = 'trellis') {
  const { settings, gates, problems } = await parseWorktree(text, layout, ROOT);
  return {
    settings,
    gates,
    commands: gates.map(({ command }) => command),
    problems: problems.map((problem) => formatProblem('', problem).slice(1)),
  };
}
