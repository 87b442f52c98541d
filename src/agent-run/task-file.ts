import { readdirSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isInside, readFileIfExists, writeFileAtomic } from '../base/files.ts';
import { JsonDocument } from '../base/json-document.ts';
import type { AgentRun } from '../state/agent-run.ts';

/** A Trellis task. */
export interface TaskFile {
  /** Absolute path of its `task.json`. */
  readonly path: string;
  readonly title: string | null;
  /** Absolute path of its requirements; null where it has none. */
  readonly requirements: string | null;
}

/** How much of what the agent said last a task that failed keeps. */
const LAST_OUTPUT_CHARACTERS = 2000;

/**
 * Looks for a task by its directory's name, its path, or the `id` or `name` in its file.
 *
 * @param root absolute directory of the project
 * @returns undefined where there is none; why it cannot be used, where it is no JSON object
 */
export function findTask(root: string, task: string): TaskFile | { readonly why: string } | undefined {
  const tasks = join(root, '.trellis', 'tasks');
  for (const directory of [join(root, task), join(tasks, task)]) {
    const path = join(directory, 'task.json');
    const text = isInside(root, path) && directory !== root ? textOf(path) : undefined;
    if (text !== undefined) return taskIn(root, path, text);
  }
  for (const name of namesIn(tasks)) {
    const path = join(tasks, name, 'task.json');
    const fields = fieldsIn(readFileIfExists(path) ?? '');
    if (fields && (fields.id === task || fields.name === task)) return taskOf(path, fields);
  }
  return undefined;
}

function taskIn(root: string, path: string, text: string): TaskFile | { readonly why: string } {
  const fields = fieldsIn(text);
  return fields
    ? taskOf(path, fields)
    : { why: `${relative(root, path)} is no JSON object: ${whyNoJson(text)}` };
}

function taskOf(path: string, { title }: Readonly<Record<string, unknown>>): TaskFile {
  const requirements = join(dirname(path), 'prd.md');
  return {
    path,
    title: typeof title === 'string' && title.trim() !== '' ? title : null,
    requirements: readFileIfExists(requirements) === undefined ? null : requirements,
  };
}

/**
 * Notes in a task's file how its loop is: where it stands while it goes on; that it failed, when it is given up, and
 * that there is work to do again.
 *
 * @param said what the agent said last
 * @returns why it could not be noted
 */
export function noteInTask(path: string, loop: AgentRun, said: string): string | undefined {
  try {
    const text = readFileIfExists(path) ?? '';
    const fields = fieldsIn(text);
    if (!fields || !isObject(fields.metadata ?? {}))
      return `${path} is not as it was: the loop is not noted there`;
    const document = new JsonDocument(text);
    const goesOn = loop.status === 'running' || loop.status === 'interrupted';
    const noted = { ralph: goesOn ? progressOf(loop) : undefined, ralph_failure: failureOf(loop, said) };
    const isNoted = Object.values(noted).some((value) => value !== undefined);
    if (isNoted && fields.metadata === null) document.set(['metadata'], {});
    for (const [key, value] of Object.entries(noted)) {
      if (value !== undefined) document.set(['metadata', key], value);
      else if (isObject(fields.metadata) && key in fields.metadata)
        document.removeWithEmptyParents(['metadata', key]);
    }
    if (loop.failure !== null) document.set(['status'], 'todo');
    if (document.text !== text) writeFileAtomic(realpathSync(path), document.text);
    return undefined;
  } catch (error) {
    return `${path} could not be written: ${(error as Error).message}`;
  }
}

function progressOf({ stage, iteration, max_iterations, started_at, completion_promise }: AgentRun) {
  return { stage, iteration, max_iterations, started_at, completion_promise };
}

function failureOf({ stage, iteration, failure, last }: AgentRun, said: string) {
  if (failure === null) return undefined;
  return {
    stage,
    iterations_used: iteration,
    last_output: said.slice(-LAST_OUTPUT_CHARACTERS).toWellFormed(),
    reason: `${failure}: ${last?.why ?? ''}`,
  };
}

function fieldsIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function whyNoJson(text: string): string {
  try {
    JSON.parse(text);
    return 'it is another value';
  } catch (error) {
    return (error as Error).message;
  }
}

/** @returns undefined where there is none, nor can be: a task's name may be longer than a file's */
function textOf(path: string): string | undefined {
  try {
    return readFileIfExists(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).toSorted();
  } catch {
    return [];
  }
}
