import { relative } from 'node:path';
import type { ProjectFiles } from '../config/find-project.ts';
import type { ProjectConfig } from '../config/read-project.ts';

export const NO_GATES =
  'No gate.config.json was found here or in the directories above: there is nothing to run.';

export const NO_CONFIG = `No worktree.yaml or gate.config.json was found here or in the directories above.
Create one at the root of the project:

verify:
  - npm run lint
  - npm test`;

/** Why there is nothing to run in a project, as text or as JSON. */
export function nothingToRun(
  { config, gateConfig, root }: ProjectFiles,
  { gates }: ProjectConfig,
  json: boolean,
): string {
  const markers = gates.map(({ name }) => name).join(', ');
  const file = gateConfig ?? config;
  const where = file ? relative(root, file.path) : '.trellis';
  const why = markers
    ? `${where} sets no verify commands: the hook looks for these markers in the agent's last message: ${markers}`
    : `${where} sets no ${gateConfig ? 'gates that are enabled' : 'verify commands'}: there is nothing to run.`;
  return json ? JSON.stringify({ verdict: 'passed', duration_ms: 0, gates: [] }, null, 2) : why;
}
