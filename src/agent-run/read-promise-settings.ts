import { join } from 'node:path';
import { findProject, readConfig, readCurrentTask } from '../config/discover.ts';
import { readProject } from '../config/load.ts';
import { type AgentRunSettings, DEFAULT_AGENT_RUN } from '../config/settings.ts';
import { problemsIn } from '../config/validate.ts';
import { parseRalph, sliceSections } from '../config/worktree.ts';

/** `ralph:` of the worktree.yaml; of `.specflow/config.yaml` where that sets nothing of promise loops. */
export async function readPromiseSettings(
  cwd: string,
  root: string,
): Promise<{ readonly promises: AgentRunSettings; readonly problems: readonly string[] }> {
  const found = findProject(cwd, { needsRepository: false });
  const read = found.ok ? await readProject(found.value, readCurrentTask(root)) : undefined;
  if (read && (read.problems.length > 0 || read.settings.agentRun))
    return { promises: read.settings.agentRun ?? DEFAULT_AGENT_RUN, problems: read.problems };
  const file = readConfig(join(root, '.specflow', 'config.yaml'));
  if (!file) return { promises: DEFAULT_AGENT_RUN, problems: [] };
  const { settings, problems } = await parseRalph(sliceSections(file.text).sections, 'stand-alone');
  return { promises: settings.agentRun ?? DEFAULT_AGENT_RUN, problems: problemsIn(file, problems, root) };
}
