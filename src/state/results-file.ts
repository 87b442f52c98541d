import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeFileAtomic } from '../base/files.ts';
import type { RunReport } from '../gates/report.ts';

/** The names that a config without `outputPath` gives; its runs clear away those of earlier days. */
const DEFAULT_NAME = /^gate-results-\d+\.json$/;
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/**
 * Writes a run's report, whole or not at all.
 *
 * @returns why it could not be written
 */
export function writeResults(path: string, report: RunReport, now: Date): string | undefined {
  try {
    makeDirectory(dirname(path));
    writeFileAtomic(path, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    return `ralph-loop: the results file cannot be written: ${(error as Error).message}`;
  }
  if (DEFAULT_NAME.test(basename(path))) removeOld(dirname(path), now);
  return undefined;
}

/** One by one: Node's own recursive mkdir never ends where a parent refuses children, as `/proc` does. */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return;
  makeDirectory(dirname(directory));
  try {
    mkdirSync(directory);
  } catch (error) {
    // Another hook may have made it in the meantime.
    if (!existsSync(directory)) throw error;
  }
}

/** What cannot be looked at, or cannot be removed, stays. */
function removeOld(directory: string, now: Date): void {
  try {
    for (const name of readdirSync(directory).filter((file) => DEFAULT_NAME.test(file))) {
      const path = join(directory, name);
      const writtenAt = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now.getTime();
      if (now.getTime() - writtenAt > MAX_AGE_MS) remove(path);
    }
  } catch {
    // A directory that may not be listed.
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A file of somebody else's: it is in nobody's way.
  }
}
