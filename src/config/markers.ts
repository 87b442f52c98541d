import { join, relative, resolve } from 'node:path';
import { isInside, readFileIfExists, realPathOf } from '../base/files.ts';
import { failure, type Result, success } from '../base/result.ts';
import type { MarkerGate } from '../gates/types.ts';
import { splitLines } from './worktree.ts';

/** The marker of a task whose `check.jsonl` names none, as in the Python hook. */
const DEFAULT_MARKER = 'ALL_CHECKS_FINISH';

export interface Markers {
  readonly gates: readonly MarkerGate[];
  /** What was skipped, for the log. */
  readonly notes: readonly string[];
}

/**
 * Reads the markers of a Trellis task: each row of its `check.jsonl` gives `<REASON>_FINISH`.
 *
 * @param root absolute directory of the project
 * @param task the directory of the task, relative to the root; one outside of the project is not read
 */
export function readMarkers(root: string, task: string): Markers {
  const path = join(resolve(root, task), 'check.jsonl');
  const file = relative(root, path);
  if (!isInside(root, realPathOf(path)))
    return {
      gates: [gateOf(DEFAULT_MARKER)],
      notes: [`the task ${task} is outside the project; its check.jsonl was not read`],
    };
  let text: string | undefined;
  try {
    text = readFileIfExists(path);
  } catch (error) {
    return { gates: [gateOf(DEFAULT_MARKER)], notes: [`${file}: ${(error as Error).message}`] };
  }
  const { markers, notes } = parseMarkers(text ?? '', file);
  return { gates: [...(markers.size > 0 ? markers : [DEFAULT_MARKER])].map(gateOf), notes };
}

function parseMarkers(text: string, file: string): { markers: Set<string>; notes: string[] } {
  const markers = new Set<string>();
  const notes: string[] = [];
  for (const [index, row] of splitLines(text).entries()) {
    if (row.trim() === '') continue;
    const reason = reasonOf(row);
    if (!reason.ok) notes.push(`${file}:${index + 1}:1: ${reason.failure.message}; the row was skipped`);
    else if (reason.value) markers.add(`${reason.value.toUpperCase().replaceAll(' ', '_')}_FINISH`);
  }
  return { markers, notes };
}

/** The `reason` of a row. A row without one is valid. */
function reasonOf(row: string): Result<string | undefined> {
  let value: unknown;
  try {
    value = JSON.parse(row);
  } catch {
    return failure('found a row that is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return failure('found a row that is not an object, expected {"reason": "…"}');
  const { reason } = value as { reason?: unknown };
  if (reason === undefined || reason === null) return success(undefined);
  return typeof reason === 'string' ? success(reason) : failure('found a reason that is not text');
}

function gateOf(marker: string): MarkerGate {
  return { kind: 'marker', name: marker, marker, blocking: true };
}
