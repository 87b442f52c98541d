import { join } from 'node:path';
import { writeFileAtomic } from '../base/files.ts';
import { shortHash } from '../base/short-hash.ts';
import type { AgentRun } from './agent-run.ts';
import { makeSelfIgnored } from './execution-log.ts';
import { withLock } from './lock.ts';
import { ralphDirectory } from './paths.ts';
import { readAgentRunAt } from './read-agent-runs.ts';

/** Names that a file may have as they stand; others are told apart by their hash. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,80}$/;

/** A name for files of a task: ids are short words; whatever else people give is told apart by its hash. */
export function taskFileName(task: string): string {
  if (PLAIN_NAME.test(task)) return task;
  return `${task.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 40)}~${shortHash(task)}`;
}

/** Absolute path of the file of a task's promise loop. */
export function agentRunPath(root: string, task: string): string {
  return join(ralphDirectory(root), `promise-${taskFileName(task)}.json`);
}

export function readAgentRun(root: string, task: string): AgentRun | undefined {
  return readAgentRunAt(agentRunPath(root, task));
}

/**
 * Changes a task's loop while this process alone may: what is returned is written, unless it is `refused`.
 *
 * @param change gets the loop as it is; undefined where there is none, or its file cannot be read
 * @throws where the file cannot be written
 */
export async function updateAgentRun<T extends AgentRun | { readonly refused: string }>(
  root: string,
  task: string,
  change: (loop: AgentRun | undefined) => T,
): Promise<T> {
  makeSelfIgnored(ralphDirectory(root));
  const path = agentRunPath(root, task);
  return withLock(path, () => {
    const changed = change(readAgentRunAt(path));
    if (!('refused' in changed)) writeFileAtomic(path, `${JSON.stringify(changed, null, 2)}\n`);
    return changed;
  });
}
