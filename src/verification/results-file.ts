import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeFileAtomic } from '../base/files.ts';
import type { RunReport } from '../gates/report.ts';

/** The file names that a config without `outputPath` gives. A run removes the files of earlier days. */
const DEFAULT_NAME = /^gate-results-\d+\.json$/;
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** Writes the report of a gate config's run, whole or not at all. Returns what went wrong. */
export function writeReport(path: string, report: RunReport, now: Date): string[] {
  try {
    makeDirectory(dirname(path));
    writeFileAtomic(path, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    return [`ralph-loop: the results file cannot be written: ${(error as Error).message}`];
  }
  if (DEFAULT_NAME.test(basename(path))) removeOldFiles(dirname(path), now);
  return [];
}

/** Creates one directory at a time: Node's recursive mkdir never ends where a parent refuses children, as `/proc` does. */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return;
  makeDirectory(dirname(directory));
  try {
    mkdirSync(directory);
  } catch (error) {
    // Another hook may have created it.
    if (!existsSync(directory)) throw error;
  }
}

/** Removes the default files of earlier days. A file or directory that cannot be read or removed stays. */
function removeOldFiles(directory: string, now: Date): void {
  try {
    for (const name of readdirSync(directory).filter((file) => DEFAULT_NAME.test(file))) {
      const path = join(directory, name);
      const writtenAt = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now.getTime();
      if (now.getTime() - writtenAt > MAX_AGE_MS) removeIfAllowed(path);
    }
  } catch {
    // The directory cannot be listed.
  }
}

function removeIfAllowed(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The file belongs to another user.
  }
}
