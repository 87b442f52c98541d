import { findProject, readCurrentTask } from '../config/discover.ts';
import { readProject } from '../config/load.ts';

/** Names of variables that look secret, and that the project passes on to commands all the same. */
export async function secretsPassedAround(cwd: string): Promise<readonly string[]> {
  const found = findProject(cwd);
  if (!found.ok) return [];
  const { value: project } = found;
  return (await readProject(project, readCurrentTask(project.root))).settings.passEnv ?? [];
}
