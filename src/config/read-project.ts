import { relative } from 'node:path';
import type { Gate } from '../gates/gate.ts';
import { formatProblem } from './config-problem.ts';
import { defaultSettings, type Settings } from './defaults.ts';
import type { ProjectFiles } from './find-project.ts';
import { parseWorktree } from './parse-worktree.ts';

/** What a project asks for: its settings and its gates, from whichever source they come. */
export interface ProjectConfig {
  readonly settings: Settings;
  readonly gates: readonly Gate[];
  /** Everything that is wrong in the config, each with file:line:column. */
  readonly problems: readonly string[];
  /** What was passed over without being wrong, for the log. */
  readonly notes: readonly string[];
}

/**
 * Reads the project's gates: the `verify:` commands, or, in a Trellis project without any, the markers of its task.
 *
 * @param task the current task, where there is one
 */
export async function readProject(project: ProjectFiles, task: string | undefined): Promise<ProjectConfig> {
  const { root, layout, config } = project;
  const parsed = config
    ? await parseWorktree(config.text, layout, root)
    : { settings: defaultSettings(layout), gates: [], problems: [] };
  const file = config ? relative(root, config.path) : '';
  const problems = parsed.problems.map((problem) => formatProblem(file, problem));
  if (config?.unreadable !== undefined)
    problems.push(`${file}:1:1: the file cannot be read: ${config.unreadable}`);
  const { settings, gates } = parsed;
  if (gates.length > 0 || problems.length > 0 || layout !== 'trellis' || task === undefined)
    return { settings, gates, problems, notes: [] };
  const { readMarkers } = await import('./read-markers.ts');
  return { settings, problems, ...readMarkers(root, task) };
}
