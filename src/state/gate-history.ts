import { join } from 'node:path';
import { readLastLines } from '../base/files.ts';
import type { LastRun } from '../gates/schedule.ts';
import { LOG_FILE } from './execution-log.ts';
import { ralphDirectory } from './paths.ts';

/** A line has a few hundred bytes: some dozens of runs. */
const MAX_BYTES = 64 * 1024;

/**
 * Returns how each gate ended the last time, by name, as far as the end of the execution log says. The log is in the
 * tree, where anybody writes: it may decide which gate starts first, and nothing else.
 */
export function readGateHistory(root: string): Map<string, LastRun> {
  const history = new Map<string, LastRun>();
  let lines: string[];
  try {
    lines = readLastLines(join(ralphDirectory(root), LOG_FILE), MAX_BYTES) ?? [];
  } catch {
    return history;
  }
  for (const { name, outcome, duration_ms: durationMs } of lines.flatMap(gatesIn))
    if (
      typeof name === 'string' &&
      typeof durationMs === 'number' &&
      !WITHOUT_RESULT.includes(String(outcome))
    )
      history.set(name, { failed: outcome !== 'passed' && outcome !== 'out-of-time', durationMs });
  return history;
}

/** These outcomes show neither whether the gate fails nor how long it takes. */
const WITHOUT_RESULT = ['skipped', 'unaffected', 'interrupted'];

/** The gates of a line of the log; none for a line that is something else. */
function gatesIn(line: string): Readonly<Record<string, unknown>>[] {
  try {
    const { gates } = JSON.parse(line);
    return gates.filter((gate: unknown) => typeof gate === 'object' && gate !== null);
  } catch {
    return [];
  }
}
