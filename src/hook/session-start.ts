import { uptimeMs } from '../base/time.ts';
import type { ProjectFiles } from '../config/discover.ts';
import { hookFiles } from '../setup/recorded-hooks.ts';
import { hasRecord, recordProject, type SessionRecord, writeRecord } from '../verification/session-record.ts';

/** What a session begins with. */
export interface SessionStart {
  readonly session: string;
  readonly project: ProjectFiles;
  /** Trellis's current task. */
  readonly task: string | undefined;
  /** Whether Ralph Gate's hook is called, which has other gates. */
  readonly isGate: boolean;
  /** The places of the host's projects. */
  readonly places: readonly string[] | undefined;
}

/** A prompt must not wait longer for git. Without a base, the files are compared with `HEAD`. */
const GIT_MS = 2000;

/** The record of a session that begins now, with its files. */
export async function newRecord(
  start: SessionStart,
  env: NodeJS.ProcessEnv,
  now: Date,
): Promise<SessionRecord> {
  const { recordBase } = await import('../verification/tree-base.ts');
  const { signal } = new AbortController();
  const base = await recordBase(start.project.root, { env, signal, endAt: uptimeMs() + GIT_MS });
  return { ...newRecordAtStop(start, now), base: base.ok ? base.value : null };
}

/** The record of a session without a prompt: what has changed before its first stop is the agent's work. */
export function newRecordAtStop({ session, project, task, places }: SessionStart, now: Date): SessionRecord {
  const since = now.toISOString();
  return { ...recordProject(project, task, hookFiles()), session, since, base: null, places };
}

/** Records what judges a session, if that is not recorded. Where nothing can be recorded, nothing happens. */
export async function startSession(start: SessionStart, env: NodeJS.ProcessEnv, now: Date): Promise<void> {
  const { session, project, isGate } = start;
  if (await hasRecord({ root: project.root, session, isGate })) return;
  await writeRecord(await newRecord(start, env, now), isGate);
}
