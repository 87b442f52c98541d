import { realPathOf } from '../base/files.ts';
import { failure, type Result, success } from '../base/result.ts';
import {
  type FindProjectOptions,
  findProject,
  type ProjectFiles,
  repositoryAround,
} from '../config/discover.ts';
import { didYouMean } from '../config/validate.ts';
import { claudeCode } from '../hosts/claude-code.ts';
import type { KnownHost } from '../hosts/host.ts';
import { HOSTS } from '../hosts/registry.ts';
import { cannotBlock, HOOKLESS_AGENTS } from './hookless-agents.ts';

/** The project that `init` and `doctor` work on. */
export interface SetupTarget {
  /** Absolute. */
  readonly root: string;
  /** Absent if there is no config yet. */
  readonly project?: ProjectFiles;
  /** The root of the git repository; absent outside of any. */
  readonly repository?: string;
  /** Why the root is not the working directory; absent if it is. */
  readonly why?: string;
}

/**
 * Finds the project's root: the directory whose config guards the working directory, or the root of the git repository.
 *
 * @param cwd the working directory, absolute
 */
export function findSetupTarget(
  cwd: string,
  options: Pick<FindProjectOptions, 'orAround'> = {},
): Result<SetupTarget> {
  const here = realPathOf(cwd);
  const found = findProject(here, options);
  if (found.ok) {
    const { value: project } = found;
    const { root } = project;
    const repository = repositoryAround(root);
    const why = root === here ? {} : { why: 'whose config guards this directory' };
    return success({ root, project, ...(repository !== undefined && { repository }), ...why });
  }
  const { repository: root } = found.failure;
  if (root === undefined)
    return failure(
      `${here} is not in a git repository, which ralph-loop needs to find the project. Run "git init" at the project's root first.`,
    );
  const why = root === here ? {} : { why: 'the root of the git repository' };
  return success({ root, repository: root, ...why });
}

/**
 * What a person has to know who starts a host elsewhere: settings are read in the directory where the host is started.
 *
 * @param directory absolute directory that has the settings
 * @param here absolute working directory
 * @returns undefined if both are the root of the repository
 */
export function whereToStart(
  directory: string,
  here: string,
  repository: string | undefined,
): string | undefined {
  if (directory === here && (repository === undefined || directory === repository)) return undefined;
  return `Start the host in ${directory}: it reads its settings in the directory where it is started.`;
}

/** The hosts that a project seems to be used with. */
interface DetectedHosts {
  readonly hosts: readonly KnownHost[];
  /** What shows that they are used, for the person. */
  readonly why: string;
}

/**
 * The hosts that have files in the project; if there are none, those whose programs are installed, or else Claude Code.
 *
 * @param isInProject whether the project has a file or directory
 * @param isInstalled whether a program is on PATH
 */
export function detectHosts(
  isInProject: (path: string) => boolean,
  isInstalled: (program: string) => boolean,
): DetectedHosts {
  const used = HOSTS.filter(({ projectFiles }) => projectFiles.some(isInProject));
  if (used.length > 0) return { hosts: used, why: 'the project has files for them' };
  const installed = HOSTS.filter(({ executable }) => isInstalled(executable));
  if (installed.length > 0) return { hosts: installed, why: 'they are installed' };
  return { hosts: [claudeCode], why: 'the default' };
}

/**
 * The hosts with these names: `claude-code`, or the program's name (`claude`), or the product's (`Claude Code`).
 *
 * @param values each a name, or several names with commas between them
 */
export function hostsNamed(values: readonly string[]): Result<readonly KnownHost[]> {
  const known = `Known hosts: ${HOSTS.map(({ name }) => name).join(', ')}.`;
  const wanted = values
    .flatMap((value) => value.split(','))
    .map((name) => hostKey(name))
    .filter((name) => name !== '');
  if (wanted.length === 0) return failure(`Empty value for --host. ${known}`);
  const names = HOSTS.flatMap(namesOf);
  const hookless = HOOKLESS_AGENTS.find((agent) => wanted.includes(agent.name));
  if (hookless) return failure(cannotBlock(hookless));
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined)
    return failure(
      `Unknown host "${unknown}"${didYouMean(unknown, [...names, ...HOOKLESS_AGENTS.map(({ name }) => name)]) || '.'} ${known}`,
    );
  return success(HOSTS.filter((host) => namesOf(host).some((name) => wanted.includes(name))));
}

function namesOf({ name, executable, title, alsoNamed = [] }: KnownHost): string[] {
  return [name, executable, hostKey(title), ...alsoNamed];
}

function hostKey(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, '-');
}
