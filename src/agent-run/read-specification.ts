import { relative } from 'node:path';
import { isInside, readFileIfExists } from '../base/files.ts';
import type { StageSettings } from '../config/settings.ts';
import type { AgentRunOrder } from '../state/agent-run.ts';
import type { TaskFile } from './task-file.ts';

/** Where it is said what is to be done. */
interface Source {
  /** Absolute. */
  readonly root: string;
  readonly order: AgentRunOrder;
  readonly taskFile: TaskFile | undefined;
}

/** Reads the file that says what is to be done. @returns an empty text where neither the person nor the task names one */
export function readSpecification({
  root,
  order,
  taskFile,
}: Source): { readonly text: string } | { readonly why: string } {
  const path = order.prompt_file ?? taskFile?.requirements;
  if (path === undefined || path === null) return { text: '' };
  const shown = isInside(root, path) ? relative(root, path) : path;
  try {
    const text = readFileIfExists(path);
    return text === undefined ? { why: `There is no file ${shown}.` } : { text };
  } catch (error) {
    return { why: `${shown} cannot be read: ${(error as Error).message}` };
  }
}

/** What the agent of a stage is told that it is to do. */
export function specificationFor(stage: Pick<StageSettings, 'prompt'> | undefined, text: string): string {
  return [stage?.prompt, text]
    .map((part) => part?.trim() ?? '')
    .filter((part) => part !== '')
    .join('\n\n');
}

/**
 * The file's text, read anew, so that it can be made clearer while the loop goes on; what was read at first where it is
 * gone, as after `git clean`, or was a pipe, which can be read only once.
 */
export function presentSpecification(plan: Source & { readonly specification: string }): string {
  const read = readSpecification(plan);
  return 'text' in read && read.text.trim() !== '' ? read.text : plan.specification;
}
