import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { exitCodeOf } from '../gates/run-report.ts';
import type { GateResult, RunResult } from '../gates/types.ts';
import type { IterationRecord, LoggedGate, LogRecord } from './log-record.ts';
import { withLock } from './state-lock.ts';

const FILE = 'log.jsonl';
const ROTATED_FILE = 'log.1.jsonl';
/** A gate without a name is called by its command, which may be a script. */
const MAX_NAME_CHARACTERS = 200;
/** A line of the log stays a line, whatever a config or a prompt holds. */
const MAX_GATES = 100;
const MAX_BYTES = 5 * 1024 * 1024;

/**
 * Appends a line; at 5 MB the log is kept as `log.1.jsonl` and begun anew.
 *
 * @param directory made, with a .gitignore of its own, where it is missing
 * @throws where it cannot be written
 */
export async function appendLog(directory: string, record: LogRecord | IterationRecord): Promise<void> {
  const path = join(directory, FILE);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) makeSelfIgnored(directory);
  else if (!stats.isFile()) throw new Error(`${path} is no file`);
  else if (stats.size > MAX_BYTES) await rotate(directory);
  // One write of O_APPEND: lines of hooks that end together do not mix.
  appendFileSync(path, `${JSON.stringify(record)}\n`);
}

/** The stop attempts of a log, oldest first, the rotated file's included; other lines are passed over. */
export function readLog(directory: string): LogRecord[] {
  return recordsIn(directory).filter(isStop);
}

/** The same of the iterations of promise loops. */
export function readIterations(directory: string): IterationRecord[] {
  return recordsIn(directory).filter(isIteration);
}

function recordsIn(directory: string): unknown[] {
  return [ROTATED_FILE, FILE].flatMap((file) => {
    let text: string;
    try {
      text = readFileSync(join(directory, file), 'utf8');
    } catch {
      return [];
    }
    return text.split('\n').flatMap(parseRecord);
  });
}

/** The gates of a run as a line of the log has them. */
export function loggedGates({ results }: RunResult): LoggedGate[] {
  return results.slice(0, MAX_GATES).map(loggedGate);
}

export function loggedGate({ gate, outcome, durationMs }: GateResult): LoggedGate {
  return {
    name: gate.name.slice(0, MAX_NAME_CHARACTERS),
    outcome: outcome.reason,
    exit: exitCodeOf(outcome),
    duration_ms: Math.round(durationMs),
  };
}

/** Makes a directory that git does not see, so that no project has to be told to ignore it. */
export function makeSelfIgnored(directory: string): void {
  mkdirSync(directory, { recursive: true });
  const ignore = join(directory, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
}

async function rotate(directory: string): Promise<void> {
  const path = join(directory, FILE);
  await withLock(path, () => {
    // Whoever waited for the lock finds the log rotated already.
    if (existsSync(path) && statSync(path).size > MAX_BYTES) renameSync(path, join(directory, ROTATED_FILE));
  });
}

function parseRecord(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

/** Enough to be shown: a line of another program, or of a later version, is passed over. */
function isStop(value: unknown): value is LogRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { time, answer, why, gates } = value as Record<string, unknown>;
  return [time, answer, why].every((text) => typeof text === 'string') && Array.isArray(gates);
}

function isIteration(value: unknown): value is IterationRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { time, loop, task_id, stage, outcome, gates } = value as Record<string, unknown>;
  return (
    [time, loop, task_id, stage, outcome].every((text) => typeof text === 'string') && Array.isArray(gates)
  );
}
