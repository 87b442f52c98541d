import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import {
  isInside,
  NotRegularError,
  readRegularFile,
  realPathOf,
  reasonOf,
  writeFileAtomic,
} from '../base/files.ts';
import { JsonDocument } from '../base/json-document.ts';
import { failure, type Result, success } from '../base/result.ts';
import { type AgentRun, isUnfinished } from '../state/agent-run.ts';

/** A Trellis task. */
export interface TaskFile {
  /** Absolute path of its `task.json`. */
  readonly path: string;
  readonly title: string | null;
  /** Absolute path of its `prd.md`; null when there is none. */
  readonly requirements: string | null;
}

/** How much of the agent's last message the file of a failed task keeps. */
const LAST_OUTPUT_CHARACTERS = 2000;

/**
 * Finds a Trellis task by the name of its directory, by its path, or by the `id` or `name` in its file.
 *
 * @param root absolute directory of the project
 * @returns undefined when there is no such task; a failure when its file is not a JSON object
 */
export function findTask(root: string, task: string): Result<TaskFile | undefined> {
  const tasks = join(root, '.trellis', 'tasks');
  for (const directory of [join(root, task), join(tasks, task)]) {
    const path = join(directory, 'task.json');
    const text = isInside(root, realPathOf(path)) && directory !== root ? readTaskText(path) : undefined;
    if (text === undefined) continue;
    const fields = parseObject(text);
    if (fields) return success(taskOf(path, fields));
    return failure(`${relative(root, path)} is not a JSON object: ${jsonError(text)}`);
  }
  for (const name of directoryNames(tasks)) {
    const path = join(tasks, name, 'task.json');
    const fields = parseObject(readTaskText(path) ?? '');
    if (fields && (fields.id === task || fields.name === task)) return success(taskOf(path, fields));
  }
  return success(undefined);
}

function taskOf(path: string, { title }: Readonly<Record<string, unknown>>): TaskFile {
  const requirements = join(dirname(path), 'prd.md');
  return {
    path,
    title: typeof title === 'string' && title.trim() !== '' ? title : null,
    requirements: readTaskText(requirements) === undefined ? null : requirements,
  };
}

/**
 * Records the state of an agent run in the file of its task: the progress while it runs, the failure when it has failed.
 * A failed task becomes `todo` again.
 *
 * @param lastMessage the agent's last message
 * @returns a failure when the file cannot be read or written
 */
export function recordInTask(path: string, run: AgentRun, lastMessage: string): Result<void> {
  try {
    const text = readRegularFile(path) ?? '';
    const fields = parseObject(text);
    if (!fields || !isObject(fields.metadata ?? {}))
      return failure(`${path} is no longer a valid task file: the agent run is not recorded there`);
    const document = new JsonDocument(text);
    const records = {
      ralph: isUnfinished(run) ? progressOf(run) : undefined,
      ralph_failure: failureOf(run, lastMessage),
    };
    const hasRecord = Object.values(records).some((value) => value !== undefined);
    if (hasRecord && fields.metadata === null) document.set(['metadata'], {});
    for (const [key, value] of Object.entries(records)) {
      if (value !== undefined) document.set(['metadata', key], value);
      else if (isObject(fields.metadata) && key in fields.metadata)
        document.removeWithEmptyParents(['metadata', key]);
    }
    if (run.failure !== null) document.set(['status'], 'todo');
    if (document.text !== text) writeFileAtomic(path, document.text);
    return success(undefined);
  } catch (error) {
    return failure(`${path} cannot be written: ${reasonOf(error)}`);
  }
}

function progressOf({ stage, iteration, max_iterations, started_at, completion_promise }: AgentRun) {
  return { stage, iteration, max_iterations, started_at, completion_promise };
}

function failureOf({ stage, iteration, failure, last }: AgentRun, lastMessage: string) {
  if (failure === null) return undefined;
  return {
    stage,
    iterations_used: iteration,
    last_output: lastMessage.slice(-LAST_OUTPUT_CHARACTERS).toWellFormed(),
    reason: `${failure}: ${last?.why ?? ''}`,
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
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

function jsonError(text: string): string {
  try {
    JSON.parse(text);
    return 'it holds another JSON value';
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns undefined when there is no such regular file, also when its name is longer than the file system allows. */
function readTaskText(path: string): string | undefined {
  try {
    return readRegularFile(path);
  } catch (error) {
    if (error instanceof NotRegularError || (error as NodeJS.ErrnoException).code === 'ENAMETOOLONG')
      return undefined;
    throw error;
  }
}

function directoryNames(directory: string): string[] {
  try {
    return readdirSync(directory).toSorted();
  } catch {
    return [];
  }
}
