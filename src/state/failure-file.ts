import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FailureMemory } from './failure-memory.ts';
import { isMemoryFile, ralphDirectory } from './loop-location.ts';

export function hasMemory(path: string): boolean {
  return existsSync(path);
}

/** @returns undefined where there is none, or none that can be read */
export function recallFailures(path: string): FailureMemory | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isMemory(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** On a disk that cannot be written nothing is remembered: the next answer is then given in full. */
export function rememberFailures(path: string, memory: FailureMemory): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    // Where a gate has removed all of `.trellis`, it stays removed.
    if (!existsSync(dirname(path))) mkdirSync(dirname(path));
    writeFileSync(temporary, `${JSON.stringify(memory, null, 2)}\n`);
    renameSync(temporary, path);
  } catch {
    forgetFailures(temporary);
  }
}

export function forgetFailures(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A disk that cannot be written: the memory is then older than the last run, as its time tells.
  }
}

/** Where all gates hold, what failed before is of no use to anybody. */
export function forgetAllFailures(root: string): void {
  for (const path of memoryFiles(root)) forgetFailures(path);
}

/** What failed last in this project, of whichever loop or `verify`; the latest first. */
export function allFailures(root: string): FailureMemory[] {
  return memoryFiles(root)
    .map(recallFailures)
    .filter((memory) => memory !== undefined)
    .sort((a, b) => latest(b) - latest(a));
}

function latest({ gates }: FailureMemory): number {
  return Math.max(0, ...gates.map(({ time }) => Date.parse(time)));
}

/** Enough to be shown: a file of another version is passed over. */
function isMemory(value: unknown): value is FailureMemory {
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
      .filter(isMemoryFile)
      .map((name) => join(directory, name));
  } catch {
    return [];
  }
}
