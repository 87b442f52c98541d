import { delimiter } from 'node:path';

/** The variable with the directories of the projects whose gates have started a process, the outermost first. */
export const PROJECTS_VARIABLE = 'RALPH_LOOP_PROJECTS';

/**
 * The environment for the gates of a project.
 *
 * @param root absolute directory of the project, without symbolic links
 */
export function environmentOfGates(root: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const outer = env[PROJECTS_VARIABLE];
  return { ...env, [PROJECTS_VARIABLE]: outer ? `${outer}${delimiter}${root}` : root };
}

/**
 * Whether a gate of the project has started this process, itself or by way of other programs and projects. If it ran the
 * gates again, that gate would start it again, without end.
 */
export function isStartedByGateOf(root: string, env: NodeJS.ProcessEnv): boolean {
  const surrounded = (list: string) => `${delimiter}${list}${delimiter}`;
  // Not split: a directory may have the delimiter in its name.
  return surrounded(env[PROJECTS_VARIABLE] ?? '').includes(surrounded(root));
}
