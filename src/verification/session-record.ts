import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { makeDirectory, readRegularFile, writeFileAtomic } from '../base/files.ts';
import { sha256 } from '../base/sha256.ts';
import { type ProjectFiles, readConfig, repositoryAround } from '../config/discover.ts';
import { markersPath } from '../config/load.ts';
import { BASELINE_FILE } from '../gates/known-failures.ts';
import { recordGuard } from '../state/guarded-session.ts';
import { machineSigner, signedTextOf, withSignature } from '../state/machine-key.ts';
import { isRecordFile, ralphDirectory, recordPath, stateDirectory } from '../state/paths.ts';
import { type RecordedFiles, readRecorded, readScriptFiles } from './recorded-files.ts';
import type { TreeBase } from './tree-base.ts';

/** What judges a project, as texts: everything else follows from them. */
export interface ProjectRecord {
  readonly project: ProjectFiles;
  /** Trellis's current task; null if none is set. */
  readonly task: string | null;
  /** The files that the commands of the gates depend on. */
  readonly files: RecordedFiles;
  /** The settings of the hosts, and the launcher of the hooks. */
  readonly hooks: RecordedFiles;
  /** Absolute directory of the git repository around the project; null outside of any. */
  readonly repository: string | null;
}

/** What judges the stops of a session. */
export interface SessionRecord extends ProjectRecord {
  readonly session: string;
  /** When it was recorded, UTC, ISO 8601. */
  readonly since: string;
  /** The files as they were then; null where only a stop was there to record them, or without git. */
  readonly base: TreeBase | null;
  /** As of `GuardedProject`; older records have none. */
  readonly places?: readonly string[] | undefined;
}

/** Whose record it is: that of a session, in a project, for `ralph-loop hook` or for Ralph Gate's hook. */
export interface RecordKey {
  /** Absolute directory of the project. */
  readonly root: string;
  readonly session: string | undefined;
  readonly isGate: boolean;
}

/**
 * Reads what judges a project.
 *
 * @param hooks the files with hooks, relative to the project or beginning with `~/`
 */
export function recordProject(
  project: ProjectFiles,
  task: string | undefined,
  hooks: readonly string[],
): ProjectRecord {
  const { root, config } = project;
  const gateConfig = project.gateConfig && {
    ...project.gateConfig,
    text: readConfig(project.gateConfig.path)?.text,
  };
  const texts = [config?.text, gateConfig?.text].filter((text) => text !== undefined);
  return {
    project: {
      ...project,
      ...(gateConfig && { gateConfig }),
      recorded: {
        baseline: readRecorded(root, BASELINE_FILE),
        markers: task === undefined ? null : readRecorded(root, relative(root, markersPath(root, task))),
      },
    },
    task: task ?? null,
    files: readScriptFiles(root, texts),
    hooks: Object.fromEntries(hooks.map((path) => [path, readRecorded(root, path)])),
    repository: repositoryAround(root) ?? null,
  };
}

/** Whether what judges the gates of a project is as it was. The hooks are not compared. */
export function isAsRecorded(
  { project: before, task, files }: ProjectRecord,
  now: ProjectFiles,
  presentTask: string | undefined,
): boolean {
  const { root, recorded } = before;
  const read = (path: string) => readRecorded(root, path);
  return (
    before.layout === now.layout &&
    before.config?.path === now.config?.path &&
    before.config?.text === now.config?.text &&
    before.gateConfig?.path === now.gateConfig?.path &&
    before.gateConfig?.text === (now.gateConfig && readConfig(now.gateConfig.path)?.text) &&
    task === (presentTask ?? null) &&
    recorded?.baseline === read(BASELINE_FILE) &&
    recorded.markers === (task === null ? null : read(relative(root, markersPath(root, task)))) &&
    Object.entries(files).every(([path, text]) => read(path) === text)
  );
}

/** Which records of a session there are, for each project. */
export function variantOf(isGate: boolean): 'loop' | 'gate' {
  return isGate ? 'gate' : 'loop';
}

/** Whether a session has a record, valid or not: all that a prompt within a session asks for. */
export async function hasRecord({ root, session, isGate }: RecordKey): Promise<boolean> {
  const path = await recordPath(root, session, isGate);
  return path === undefined || existsSync(path);
}

/** @returns undefined if there is none, or none that this program has written for this session and project */
export async function readRecord({ root, session, isGate }: RecordKey): Promise<SessionRecord | undefined> {
  const path = await recordPath(root, session, isGate);
  const record = path === undefined ? undefined : await readAt(path);
  return record?.session === session && record?.project.root === root ? record : undefined;
}

async function readAt(path: string): Promise<SessionRecord | undefined> {
  const signer = existsSync(path) ? await machineSigner() : undefined;
  if (signer === undefined) return undefined;
  try {
    const text = signedTextOf(readRegularFile(path) ?? '', signer);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Writes the record of a session, whole or not at all.
 *
 * @returns whether it is written: nothing is recorded without a session, or where no key can be kept
 */
export async function writeRecord(record: SessionRecord, isGate: boolean): Promise<boolean> {
  const { session, places } = record;
  const { root } = record.project;
  const path = await recordPath(root, session, isGate);
  const signer = path === undefined ? undefined : await machineSigner();
  if (path === undefined || signer === undefined) return false;
  try {
    if (!existsSync(path)) removeRecords(root, Date.now() - MAX_AGE_MS);
    makeDirectory(dirname(path), 0o700);
    writeFileAtomic(path, withSignature(JSON.stringify(record), signer), { mode: 0o600 });
    // A stop that finds no project finds the record by the session.
    await recordGuard(session, { root, agents: [], gates: [], recorded: [variantOf(isGate)], places });
    return true;
  } catch {
    return false;
  }
}

/** A session that is older is seldom continued; its next event records anew. */
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

/** Removes the records of a project. @param before only those that were last written before this time, in ms */
function removeRecords(root: string, before: number): void {
  for (const path of recordFiles(root))
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? before) < before)
      rmSync(path, { force: true });
}

function recordFiles(root: string): string[] {
  const directory = stateDirectory(root);
  try {
    return readdirSync(directory)
      .filter(isRecordFile)
      .map((name) => join(directory, name));
  } catch {
    return [];
  }
}

/** A record with what identifies its file. */
export interface KeptRecord {
  readonly record: SessionRecord;
  readonly isGate: boolean;
  readonly path: string;
}

/** The records of all sessions of a project. */
export async function readRecords(root: string): Promise<KeptRecord[]> {
  const found: KeptRecord[] = [];
  for (const path of recordFiles(root)) {
    const record = await readAt(path);
    if (record?.project.root === root) found.push({ record, isGate: path.endsWith('.gate.json'), path });
  }
  return found;
}

/**
 * Writes a copy of a recorded file outside of the project. Its path depends on the text alone, because the key of a gate
 * has its command.
 *
 * @returns its absolute path; undefined where state is in the tree
 */
export function copyOutside(root: string, text: string, name: string): string | undefined {
  const directory = stateDirectory(root);
  if (directory === ralphDirectory(root)) return undefined;
  const path = join(directory, 'recorded', sha256().update(text).digest('hex').slice(0, 16), name);
  try {
    makeDirectory(dirname(path), 0o700);
    writeFileAtomic(path, text, { mode: 0o600 });
    return path;
  } catch {
    return undefined;
  }
}
