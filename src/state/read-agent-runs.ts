import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentRun } from './agent-run.ts';
import { ralphDirectory } from './paths.ts';

/** Absolute paths of the files of a project's promise loops. */
export function agentRunFiles(root: string): string[] {
  let names: string[];
  try {
    names = readdirSync(ralphDirectory(root));
  } catch {
    return [];
  }
  return names
    .filter((name) => /^promise-.*\.json$/.test(name))
    .toSorted()
    .map((name) => join(ralphDirectory(root), name));
}

/** The promise loops of a project, the oldest first; files that cannot be read are passed over. */
export function readAgentRuns(root: string): AgentRun[] {
  return agentRunFiles(root)
    .flatMap((path) => readAgentRunAt(path) ?? [])
    .toSorted((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at));
}

/** @param path absolute, of its file */
export function readAgentRunAt(path: string): AgentRun | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isPromiseLoop(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Enough to be gone on with: a file of another version is passed over. */
function isPromiseLoop(value: unknown): value is AgentRun {
  if (typeof value !== 'object' || value === null) return false;
  const { id, task_id, stage, stages, status, iteration, started_at } = value as Record<string, unknown>;
  return (
    [id, task_id, stage, status, started_at].every((text) => typeof text === 'string') &&
    typeof iteration === 'number' &&
    Array.isArray(stages)
  );
}
