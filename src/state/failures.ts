import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectory, readRegularFile, writeFileAtomic } from '../base/files.ts';
import type { GateOutcome } from '../gates/types.ts';
import type { Escalation } from './execution-log.ts';
import { isFailuresFile, stateDirectory } from './paths.ts';

/** What failed at the last stop of a loop, or in the last `verify`. */
export interface PreviousFailures {
  /** The loop's key; null for `verify`. */
  readonly task: string | null;
  readonly iteration: number | null;
  /** Fingerprint of the working tree when the stop was blocked; null without git. */
  readonly tree: string | null;
  readonly gates: readonly FailedGate[];
  /** Set if the agent was allowed to stop in spite of them. */
  readonly escalated?: Escalation;
}

/** A gate that failed. */
export interface FailedGate {
  /** When its run ended: UTC, ISO 8601. */
  readonly time: string;
  readonly name: string;
  readonly command: string;
  readonly outcome: GateOutcome;
  readonly duration_ms: number;
  /** Its errors without the parts that differ from run to run: the same errors are the same failure. */
  readonly errors: readonly string[];
  /** The names of its tests that failed, or of its errors; undefined if not all are known. */
  readonly names?: readonly string[] | undefined;
  /** The first iteration of this failure. */
  readonly since: number | null;
  readonly excerpt: readonly ExcerptLine[];
  /** Absolute path of its full output. */
  readonly log: string | null;
  /** Bytes that the log lacks in its middle; absent for a log that is whole. */
  readonly log_omitted_bytes?: number;
}

/** A line of an excerpt: of the output, or a note of ralph-loop about lines that it omits. */
export interface ExcerptLine {
  readonly kind: 'error' | 'plain' | 'note';
  readonly text: string;
}

/** Returns the failures of a loop's previous stop; undefined if they belong to another loop, or to an earlier start. */
export function previousFailuresOf(
  failures: PreviousFailures | undefined,
  task: string,
  iteration: number,
): PreviousFailures | undefined {
  if (failures?.task !== task || failures.iteration === null) return undefined;
  return failures.iteration < iteration ? failures : undefined;
}

export function hasFailures(path: string): boolean {
  return existsSync(path);
}

/** Returns undefined for a file that is missing or cannot be read. */
export function readFailures(path: string): PreviousFailures | undefined {
  try {
    const value: unknown = JSON.parse(readRegularFile(path) ?? '');
    return isFailures(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** On a disk that cannot be written nothing is recorded, and the next answer repeats the failure in full. */
export function writeFailures(path: string, failures: PreviousFailures): void {
  try {
    makeDirectory(dirname(path), 0o700);
    writeFileAtomic(path, `${JSON.stringify(failures, null, 2)}\n`, { mode: 0o600 });
  } catch {
    // The disk cannot be written.
  }
}

/** Records that an agent was allowed to stop in spite of its failures. */
export function markEscalated(path: string, escalated: Escalation): void {
  const failures = readFailures(path);
  if (failures) writeFailures(path, { ...failures, escalated });
}

export function removeFailures(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The disk cannot be written: the record is older than the last run, as its time shows.
  }
}

/** Removes the failures of every loop of a project, when all gates pass. */
export function removeAllFailures(root: string): void {
  for (const path of failuresFiles(root)) removeFailures(path);
}

/** Returns the failures of every loop of a project, and of `verify`, the latest first. */
export function allFailures(root: string): PreviousFailures[] {
  return failuresFiles(root)
    .map(readFailures)
    .filter((failures) => failures !== undefined)
    .sort((a, b) => latest(b) - latest(a));
}

function latest({ gates }: PreviousFailures): number {
  return Math.max(0, ...gates.map(({ time }) => Date.parse(time)));
}

function failuresFiles(root: string): string[] {
  const directory = stateDirectory(root);
  try {
    return readdirSync(directory)
      .filter(isFailuresFile)
      .map((name) => join(directory, name));
  } catch {
    return [];
  }
}

/** Checks the fields that are shown; a file of another version may lack them. */
function isFailures(value: unknown): value is PreviousFailures {
  if (typeof value !== 'object' || value === null) return false;
  const { gates } = value as Record<string, unknown>;
  return Array.isArray(gates) && gates.every(isFailedGate);
}

function isFailedGate(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Record<string, unknown>;
  const { time, name, command, outcome, errors, names, excerpt, log_omitted_bytes: omittedBytes } = record;
  return (
    [name, command].every((text) => typeof text === 'string') &&
    !Number.isNaN(Date.parse(String(time))) &&
    isTexts(errors) &&
    (names === undefined || isTexts(names)) &&
    (omittedBytes === undefined || typeof omittedBytes === 'number') &&
    Array.isArray(excerpt) &&
    excerpt.every(isExcerptLine) &&
    typeof (outcome as { reason?: unknown } | undefined)?.reason === 'string'
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

function isExcerptLine(value: unknown): boolean {
  return typeof (value as { text?: unknown } | null)?.text === 'string';
}
