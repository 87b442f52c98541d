import { relative } from 'node:path';
import { type Failure, type Result, success } from '../base/result.ts';
import { findProject, type ProjectFiles, readCurrentTask } from '../config/discover.ts';
import { onlyGates, type ProjectConfig, readProject } from '../config/load.ts';
import { planGates } from '../gates/plan.ts';
import { failuresPath, outputDirectory } from '../state/paths.ts';
import type { VerificationRequest } from './types.ts';

/** The gates of `ralph-loop verify`, ready to run. */
export interface VerificationPlan {
  readonly request: VerificationRequest;
  /** The project's config, relative to its directory. */
  readonly config: string;
  readonly project: ProjectFiles;
  /** All that the config of the project says. */
  readonly read: ProjectConfig;
  /** Why there is nothing to run; undefined if there is a gate. */
  readonly nothing: string | undefined;
}

/** Why nothing can be planned; the message joins the problems. */
export interface PlanFailure extends Failure {
  readonly problems: readonly string[];
  /** False if there is no project. */
  readonly isProject: boolean;
  /** Absolute path of the results file of a gate config that is broken; undefined if there is none. */
  readonly resultsPath?: string | undefined;
}

export interface PlanOptions {
  /** Names of the gates to run; empty for all. */
  readonly only: readonly string[];
  /** Path of a gate config. */
  readonly named?: string | undefined;
  /** Whether only a gate config is accepted. */
  readonly gatesOnly?: boolean;
  /** False: runs every gate, whatever the config says. */
  readonly failFast?: boolean;
  /** Run every gate, also one that has passed with the same files. */
  readonly force?: boolean | undefined;
}

const NO_GATES = 'No gate.config.json was found here or in the directories above: there is nothing to run.';

const NO_CONFIG = `No worktree.yaml or gate.config.json was found here or in the directories above.
Run "ralph-loop init", or create one at the root of the project:

verify:
  - npm run lint
  - npm test`;

/**
 * Plans a run of a project's own gates, without a stop and without a loop. Markers are not part of it: they are searched
 * in an agent's last message.
 *
 * @param cwd absolute directory in the project
 * @returns the failure if there is no project, or if its config or the selection is wrong
 */
export async function planVerification(
  cwd: string,
  { only, named, gatesOnly = false, failFast = true, force = false }: PlanOptions,
): Promise<Result<VerificationPlan, PlanFailure>> {
  const found = findProject(cwd, { needsRepository: false, orAround: true, named, gatesOnly });
  if (!found.ok) return planFailure([gatesOnly ? NO_GATES : NO_CONFIG], false);
  const { value: project } = found;
  const { root } = project;
  const read = await readProject(project, readCurrentTask(root));
  if (read.problems.length > 0) return planFailure(read.problems, true, read.resultsPath);
  const runnable = { ...read, gates: read.gates.filter(({ kind }) => kind === 'command') };
  const { settings, resultsPath, gates, problems } = only.length > 0 ? onlyGates(runnable, only) : runnable;
  if (problems.length > 0) return planFailure(problems, true);
  return success({
    request: {
      root,
      gates: planGates(gates),
      failFast: failFast && settings.failFast,
      jobs: settings.jobs,
      reuse: settings.reuse && !force,
      outputDirectory: outputDirectory(root),
      receipt: only.length > 0 ? 'some' : 'all',
      failures: { path: failuresPath(root, 'verify'), covers: only.length > 0 ? 'some' : 'all' },
      resultsPath,
    },
    config: configOf(project),
    project,
    read,
    nothing: gates.length === 0 ? whyNothing(project, read) : undefined,
  });
}

function configOf({ config, gateConfig, root }: ProjectFiles): string {
  const file = gateConfig ?? config;
  return file ? relative(root, file.path) : '.trellis';
}

function whyNothing(project: ProjectFiles, { gates }: ProjectConfig): string {
  const markers = gates.map(({ name }) => name).join(', ');
  const { gateConfig } = project;
  const where = configOf(project);
  return markers
    ? `${where} sets no verify commands: the hook looks for these markers in the agent's last message: ${markers}`
    : `${where} sets no ${gateConfig ? 'gates that are enabled' : 'verify commands'}: there is nothing to run.`;
}

function planFailure(
  problems: readonly string[],
  isProject: boolean,
  resultsPath?: string,
): Result<never, PlanFailure> {
  return { ok: false, failure: { message: problems.join('\n'), problems, isProject, resultsPath } };
}
