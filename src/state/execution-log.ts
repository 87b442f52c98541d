import { appendFileSync, existsSync, lstatSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory, readLastLines, readRegularFile, realPathInside } from '../base/files.ts';
import { exitCodeOf } from '../gates/report.ts';
import type { GateOutcome, GateResult, RunResult } from '../gates/types.ts';
import type { HostName } from '../hosts/registry.ts';
import type { Answer } from '../hosts/types.ts';
import type { Finding } from '../integrity/types.ts';
import { ralphDirectory, stateDirectory, userDirectory } from './paths.ts';

/** One stop attempt, or an event of a chain without a stop, as a line of `log.jsonl`. */
export interface LogRecord {
  /** UTC, ISO 8601. */
  readonly time: string;
  /** `mcp` or `terminal` for a tool call or a person's command, where no hook was called. */
  readonly host: HostName | 'mcp' | 'terminal';
  readonly session: string | null;
  readonly agent: string | null;
  /** The loop's key; null if the stop was not counted. */
  readonly task: string | null;
  readonly iteration: number | null;
  readonly max: number | null;
  readonly gates: readonly LoggedGate[];
  /** `none`: the host ended the hook before it answered. */
  readonly answer: Answer['decision'] | 'none';
  /** A block that the host got as context. */
  readonly as?: 'context';
  readonly why: string;
  /** What became weaker since the beginning of the session. */
  readonly findings?: readonly Finding[];
  /** Why the agent says that a gate is wrong or cannot be satisfied. */
  readonly escalated?: Escalation;
  /** The names of the criteria of typed gates that the agent itself has reviewed, and passed. */
  readonly self_reviewed?: readonly string[];
  /** What was ignored or went wrong. */
  readonly notes?: readonly string[];
}

export interface Escalation {
  /** The gate's name; absent if the agent names none. */
  readonly gate?: string;
  readonly reason: string;
}

export interface LoggedGate {
  readonly name: string;
  readonly outcome: GateOutcome['reason'];
  /** Exit code; null if there is none. */
  readonly exit: number | null;
  readonly duration_ms: number;
  /** It did not run, because it has passed with the same files: when, UTC, ISO 8601. `duration_ms` is that of the pass. */
  readonly reused?: string;
  /** Another process ran it: `duration_ms` is the time that it took there. */
  readonly joined?: true;
  /** How often it failed before it passed. */
  readonly flaky?: number;
  /** How many failures of the baseline it passed in spite of. */
  readonly known?: number;
  /** How many failures of the baseline it does not have any more. */
  readonly fixed?: number;
  /** How many tests it ran, where its output says so. */
  readonly tests?: number;
}

/** One iteration of an agent run, as a line of `log.jsonl`. */
export interface IterationRecord {
  /** When it ended: UTC, ISO 8601. */
  readonly time: string;
  /** Id of the agent run. */
  readonly loop: string;
  readonly task_id: string;
  readonly stage: string;
  readonly ralph_iteration: number;
  readonly ralph_max: number;
  /** Whether the agent made its promise, true or not. */
  readonly promise_found: boolean;
  /** Whether the agent run continues, at this stage or the next. */
  readonly continuing: boolean;
  /** The agent's own time, without the gates' time. */
  readonly duration_ms: number;
  /** Null if the agent does not report it. */
  readonly cost_usd: number | null;
  readonly tokens: number | null;
  readonly outcome: IterationOutcome;
  /** The outcome in words. */
  readonly why: string;
  /** The gates that ran for it. */
  readonly gates: readonly LoggedGate[];
  /** Why the agent says that a gate is wrong or cannot be satisfied. */
  readonly escalated?: Escalation | undefined;
}

/**
 * `accepted`: the promise holds; `denied`: it does not; `no-promise`: the agent made none; `timed-out`, `crashed`: the
 * agent was killed, or failed; `not-started`: there is no such program; `interrupted`: a person interrupted it, or the
 * process of the agent run was killed; `cancelled`: a person cancelled it; `escalated`: the agent says that a gate cannot
 * be satisfied, and the promise does not hold.
 */
export type IterationOutcome =
  | 'accepted'
  | 'denied'
  | 'no-promise'
  | 'timed-out'
  | 'crashed'
  | 'not-started'
  | 'interrupted'
  | 'cancelled'
  | 'escalated';

export const LOG_FILE = 'log.jsonl';
const ROTATED_FILE = 'log.1.jsonl';
/** The log keeps this many characters of a task's name. */
export const LOGGED_TASK_CHARACTERS = 500;
const MAX_BYTES = 5 * 1024 * 1024;
/** A gate without a name has its command as its name, which may be a script. */
const MAX_NAME_CHARACTERS = 200;
/** Limits the length of a line, whatever a config or a prompt contains. */
const MAX_GATES = 100;

/**
 * Appends a record to the log of the project. Outside of a project, or if the project cannot be written, appends it to
 * the user's log, so that a hook that runs in the wrong place differs from one that never runs.
 */
export async function writeLog(
  root: string | undefined,
  record: LogRecord,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const toUser = async () => {
    const directory = userDirectory(env);
    if (directory !== undefined) await appendLog(directory, record);
  };
  await (root === undefined ? toUser() : appendProjectLog(root, record).catch(toUser));
}

/** @throws if the log cannot be written, or is outside of the project by a symbolic link */
export async function appendProjectLog(root: string, record: LogRecord | IterationRecord): Promise<void> {
  const directory = ralphDirectory(root);
  realPathInside(root, directory);
  await appendLog(directory, record);
}

/**
 * Appends a line. At 5 MB the log is renamed to `log.1.jsonl`, and a new one begins.
 *
 * @param directory created with a .gitignore of its own if it is missing
 * @throws if the log cannot be written
 */
async function appendLog(directory: string, record: LogRecord | IterationRecord): Promise<void> {
  const path = join(directory, LOG_FILE);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) makeSelfIgnored(directory);
  else if (!stats.isFile()) throw new Error(`${path} is not a file`);
  else if (stats.size > MAX_BYTES) await rotate(directory);
  // One write with O_APPEND: lines of hooks that end at the same time do not mix.
  appendFileSync(path, `${JSON.stringify(record)}\n`, { mode: 0o600 });
}

async function rotate(directory: string): Promise<void> {
  const path = join(directory, LOG_FILE);
  // Loaded on demand: an ignored event loads this file, and rarely rotates the log.
  const { withLock } = await import('./json-store.ts');
  await withLock(path, () => {
    // Another process may have rotated the log while this one waited for the lock.
    if (existsSync(path) && statSync(path).size > MAX_BYTES) renameSync(path, join(directory, ROTATED_FILE));
  });
}

/** Creates the directory for the state of a project. */
export function makeStateDirectory(root: string): void {
  const directory = stateDirectory(root);
  if (directory === ralphDirectory(root)) makeSelfIgnored(directory);
  else makeDirectory(directory, 0o700);
}

/** Creates a directory that git ignores without an entry in the project's own .gitignore. */
export function makeSelfIgnored(directory: string): void {
  makeDirectory(directory, 0o700);
  const ignore = join(directory, '.gitignore');
  const stats = lstatSync(ignore, { throwIfNoEntry: false });
  if (stats?.isFile() && stats.size > 0) return;
  // Empty: a process was killed while it wrote the file.
  if (stats) rmSync(ignore, { recursive: true, force: true });
  writeFileSync(ignore, '*\n', { flag: 'wx' });
}

/** Returns the gates of a run as a line of the log holds them. */
export function loggedGates({ results }: RunResult): LoggedGate[] {
  return results.slice(0, MAX_GATES).map(loggedGate);
}

export function loggedGate(result: GateResult): LoggedGate {
  const { gate, outcome, durationMs, reused, joined, flaky, known, fixed, tests } = result;
  return {
    name: gate.name.slice(0, MAX_NAME_CHARACTERS),
    outcome: outcome.reason,
    exit: exitCodeOf(outcome),
    duration_ms: Math.round(durationMs),
    ...(reused !== undefined && { reused }),
    ...(joined && { joined }),
    ...(flaky !== undefined && { flaky }),
    ...(known !== undefined && { known }),
    ...(fixed !== undefined && { fixed }),
    ...(tests !== undefined && { tests }),
  };
}

/** Returns the stop attempts of a log, the rotated file included, oldest first. Skips lines of other programs. */
export function readLog(directory: string): LogRecord[] {
  return recordsIn(directory).filter(isStop);
}

/** A line has a few hundred bytes: some dozens of stops. */
const END_BYTES = 64 * 1024;

/** Returns the stop attempts at the end of a log, oldest first, for those who cannot wait for all of it. */
export function readLastStops(directory: string): LogRecord[] {
  try {
    return (readLastLines(join(directory, LOG_FILE), END_BYTES) ?? []).flatMap(parseRecord).filter(isStop);
  } catch {
    return [];
  }
}

/** Returns the iterations of agent runs of a log, the rotated file included, oldest first. */
export function readIterations(directory: string): IterationRecord[] {
  return recordsIn(directory).filter(isIteration);
}

function recordsIn(directory: string): unknown[] {
  return [ROTATED_FILE, LOG_FILE].flatMap((file) => {
    let text: string;
    try {
      text = readRegularFile(join(directory, file)) ?? '';
    } catch {
      return [];
    }
    return text.split('\n').flatMap(parseRecord);
  });
}

function parseRecord(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

/** Checks the fields that are shown; a line of another program or a later version may lack them. */
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
