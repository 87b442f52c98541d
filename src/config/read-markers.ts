import { join, relative, resolve } from 'node:path';
import { isInside, readFileIfExists, realPathOf } from '../base/files.ts';
import type { MarkerGate } from '../gates/types.ts';
import { DEFAULTS } from './defaults.ts';
import { splitLines } from './slice-sections.ts';

export interface Markers {
  readonly gates: readonly MarkerGate[];
  /** What was passed over, each as a sentence for the log. */
  readonly notes: readonly string[];
}

/**
 * The markers that a Trellis task asks for: each row of its `check.jsonl` gives `<REASON>_FINISH`. Without a usable
 * row it is `ALL_CHECKS_FINISH`.
 *
 * @param root absolute directory of the project
 * @param task the task's directory, relative to it; one outside of it is refused, and not read
 */
export function readMarkers(root: string, task: string): Markers {
  const path = join(resolve(root, task), 'check.jsonl');
  const inside = relative(root, path);
  if (!isInside(root, realPathOf(path)))
    return {
      gates: [gateOf(DEFAULTS.marker)],
      notes: [`the task ${task} lies outside the project; its check.jsonl was not read`],
    };
  let text: string | undefined;
  try {
    text = readFileIfExists(path);
  } catch (error) {
    return { gates: [gateOf(DEFAULTS.marker)], notes: [`${inside}: ${(error as Error).message}`] };
  }
  const { markers, notes } = parseMarkers(text ?? '', inside);
  return { gates: [...(markers.size > 0 ? markers : [DEFAULTS.marker])].map(gateOf), notes };
}

function parseMarkers(text: string, file: string): { markers: Set<string>; notes: string[] } {
  const markers = new Set<string>();
  const notes: string[] = [];
  for (const [index, row] of splitLines(text).entries()) {
    if (row.trim() === '') continue;
    const { reason, problem } = reasonOf(row);
    if (problem !== undefined) notes.push(`${file}:${index + 1}:1: ${problem}; the row was skipped`);
    else if (reason) markers.add(`${reason.toUpperCase().replaceAll(' ', '_')}_FINISH`);
  }
  return { markers, notes };
}

/** A row without a reason asks for nothing, and is no problem. */
function reasonOf(row: string): { reason?: string; problem?: string } {
  let value: unknown;
  try {
    value = JSON.parse(row);
  } catch {
    return { problem: 'found a row that is not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: 'found a row that is no object, expected {"reason": "…"}' };
  const { reason } = value as { reason?: unknown };
  if (reason === undefined || reason === null) return {};
  return typeof reason === 'string' ? { reason } : { problem: 'found a reason that is no text' };
}

function gateOf(marker: string): MarkerGate {
  return { kind: 'marker', name: marker, marker, blocking: true };
}
