import { join } from 'node:path';
import { findProject, readConfig, readCurrentTask } from '../config/discover.ts';
import { readProject } from '../config/load.ts';
import { sectionOf, sliceSections } from '../config/sections.ts';
import type { PromiseSettings } from '../config/settings.ts';
import { problemsIn } from '../config/validate.ts';

/** `ralph:` of the worktree.yaml; of `.specflow/config.yaml` where that sets nothing of promise loops. */
export async function readPromiseSettings(
  cwd: string,
  root: string,
): Promise<{ readonly promises: PromiseSettings; readonly problems: readonly string[] }> {
  const none = { agents: {} };
  const found = findProject(cwd, { needsRepository: false });
  const read = found.found ? await readProject(found.project, readCurrentTask(root)) : undefined;
  if (read && (read.problems.length > 0 || read.settings.promises))
    return { promises: read.settings.promises ?? none, problems: read.problems };
  const file = readConfig(join(root, '.specflow', 'config.yaml'));
  if (!file) return { promises: none, problems: [] };
  const section = sectionOf(sliceSections(file.text).sections, 'ralph');
  if (!section) return { promises: none, problems: [] };
  const { parseRalph } = await import('../config/yaml.ts');
  const { settings, problems } = parseRalph(section, 'stand-alone');
  return { promises: settings.promises ?? none, problems: problemsIn(file, problems, root) };
}
