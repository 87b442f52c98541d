import { relative } from 'node:path';
import { readCurrentTask } from '../config/current-task.ts';
import { findProject, type ProjectFiles } from '../config/find-project.ts';
import { onlyGates } from '../config/only-gates.ts';
import { type ProjectConfig, readProject } from '../config/read-project.ts';
import { planGates } from '../gates/plan.ts';
import type { Gate } from '../gates/types.ts';

/** A run of the project's own gates that somebody asks for: no stop, and no loop. */
export interface Verification extends Pick<ProjectConfig, 'settings' | 'resultsPath'> {
  readonly root: string;
  /** In the order they run. */
  readonly plan: readonly Gate[];
  /** Whether only some of the gates are asked for. */
  readonly ofSome: boolean;
  /** Why there is nothing to run, where there is not. */
  readonly nothing: string | undefined;
}

export interface WantedVerification {
  /** Names of the gates to run; all where there are none. */
  readonly only: readonly string[];
  /** A gate config that is named. */
  readonly named?: string | undefined;
  /** Only a gate config will do. */
  readonly gatesOnly?: boolean;
}

const NO_GATES = 'No gate.config.json was found here or in the directories above: there is nothing to run.';

const NO_CONFIG = `No worktree.yaml or gate.config.json was found here or in the directories above.
Create one at the root of the project:

verify:
  - npm run lint
  - npm test`;

/**
 * Plans a run of the gates of the project around a directory. Markers are no part of it: they are looked for in an
 * agent's last message.
 *
 * @returns why there is none, where there is no project, or something is wrong with it or with what is asked for
 */
export async function planVerification(
  cwd: string,
  { only, named, gatesOnly = false }: WantedVerification,
): Promise<Verification | { readonly problems: readonly string[]; readonly isProject: boolean }> {
  const found = findProject(cwd, { needsRepository: false, named, gatesOnly });
  if (!found.found) return { problems: [gatesOnly ? NO_GATES : NO_CONFIG], isProject: false };
  const { project } = found;
  const read = await readProject(project, readCurrentTask(project.root));
  if (read.problems.length > 0) return { problems: read.problems, isProject: true };
  const runnable = { ...read, gates: read.gates.filter(({ kind }) => kind === 'command') };
  const { settings, resultsPath, gates, problems } = only.length > 0 ? onlyGates(runnable, only) : runnable;
  if (problems.length > 0) return { problems, isProject: true };
  return {
    root: project.root,
    settings,
    ...(resultsPath !== undefined && { resultsPath }),
    plan: planGates(gates),
    ofSome: only.length > 0,
    nothing: gates.length === 0 ? whyNothing(project, read) : undefined,
  };
}

function whyNothing({ config, gateConfig, root }: ProjectFiles, { gates }: ProjectConfig): string {
  const markers = gates.map(({ name }) => name).join(', ');
  const file = gateConfig ?? config;
  const where = file ? relative(root, file.path) : '.trellis';
  return markers
    ? `${where} sets no verify commands: the hook looks for these markers in the agent's last message: ${markers}`
    : `${where} sets no ${gateConfig ? 'gates that are enabled' : 'verify commands'}: there is nothing to run.`;
}
