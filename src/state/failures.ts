import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeFileAtomic } from '../base/files.ts';
import type { GateOutcome } from '../gates/types.ts';
import { isFailuresFile, ralphDirectory } from './loop-location.ts';

/** What failed at the last stop of a loop, or in the last `verify`. */
export interface PreviousFailures {
  /** The loop's key; null for `verify`. */
  readonly task: string | null;
  readonly iteration: number | null;
  /** The working tree as it was when the agent was sent back to work; null where git does not tell. */
  readonly tree: string | null;
  readonly gates: readonly FailedGate[];
}

/** A line of an excerpt: of the output, or a word of ours about what was left out. */
export interface ExcerptLine {
  readonly kind: 'error' | 'plain' | 'note';
  readonly text: string;
}

/** A gate that failed. */
export interface FailedGate {
  /** When its run ended: UTC, ISO 8601. */
  readonly time: string;
  readonly name: string;
  readonly command: string;
  readonly outcome: GateOutcome;
  readonly duration_ms: number;
  /** Its errors without what differs from run to run: the same errors are the same failure. */
  readonly errors: readonly string[];
  /** The iteration since which it fails in the same way. */
  readonly since: number | null;
  readonly excerpt: readonly ExcerptLine[];
  /** Absolute path of its full output. */
  readonly log: string | null;
}

/**
 * The memory of a loop's previous stop.
 *
 * @returns undefined where it is that of another loop, or of one that was begun again
 */
export function previousFailuresOf(
  memory: PreviousFailures | undefined,
  task: string,
  iteration: number,
): PreviousFailures | undefined {
  if (memory?.task !== task || memory.iteration === null) return undefined;
  return memory.iteration < iteration ? memory : undefined;
}

export function hasFailures(path: string): boolean {
  return existsSync(path);
}

/** @returns undefined where there is none, or none that can be read */
export function readFailures(path: string): PreviousFailures | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isMemory(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** On a disk that cannot be written nothing is remembered. */
export function writeFailures(path: string, memory: PreviousFailures): void {
  try {
    // Where a gate has removed all of `.trellis`, it stays removed.
    if (!existsSync(dirname(path))) mkdirSync(dirname(path));
    writeFileAtomic(path, `${JSON.stringify(memory, null, 2)}\n`);
  } catch {
    // The next answer is given in full.
  }
}

export function removeFailures(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A disk that cannot be written: the memory is then older than the last run, as its time tells.
  }
}

/** Where all gates hold, what failed before is of no use to anybody. */
export function removeAllFailures(root: string): void {
  for (const path of memoryFiles(root)) removeFailures(path);
}

/** What failed last in this project, of whichever loop or `verify`; the latest first. */
export function allFailures(root: string): PreviousFailures[] {
  return memoryFiles(root)
    .map(readFailures)
    .filter((memory) => memory !== undefined)
    .sort((a, b) => latest(b) - latest(a));
}

function latest({ gates }: PreviousFailures): number {
  return Math.max(0, ...gates.map(({ time }) => Date.parse(time)));
}

/** Enough to be shown: a file of another version is passed over. */
function isMemory(value: unknown): value is PreviousFailures {
  if (typeof value !== 'object' || value === null) return false;
  const { gates } = value as Record<string, unknown>;
  return Array.isArray(gates) && gates.every(isRememberedGate);
}

function isRememberedGate(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { time, name, command, outcome, errors, excerpt } = value as Record<string, unknown>;
  return (
    [name, command].every((text) => typeof text === 'string') &&
    !Number.isNaN(Date.parse(String(time))) &&
    Array.isArray(errors) &&
    Array.isArray(excerpt) &&
    excerpt.every(isLine) &&
    typeof (outcome as { reason?: unknown } | undefined)?.reason === 'string'
  );
}

function isLine(value: unknown): boolean {
  return typeof (value as { text?: unknown } | null)?.text === 'string';
}

function memoryFiles(root: string): string[] {
  const directory = ralphDirectory(root);
  try {
    return readdirSync(directory)
      .filter(isFailuresFile)
      .map((name) => join(directory, name));
  } catch {
    return [];
  }
}
