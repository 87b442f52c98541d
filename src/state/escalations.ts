import { rmSync } from 'node:fs';
import type { Finding } from '../integrity/types.ts';
import type { Escalation } from './execution-log.ts';
import { JsonStore } from './json-store.ts';
import { machineSigner, type Signer } from './machine-key.ts';
import { escalationsPath, hasEscalations, ralphDirectory, stateDirectory } from './paths.ts';

/** An escalation that no stop has used yet. */
export interface PendingEscalation extends Escalation {
  /** The session that it is of; null if the command does not know it. */
  readonly session: string | null;
  /** Id of the agent run whose agent escalates; null outside of one. */
  readonly run: string | null;
  /** Who escalates, as in `Caller`. */
  readonly by: string;
  /** UTC, ISO 8601. */
  readonly at: string;
}

/** The findings with which a session was allowed to stop. */
interface EscalatedFindings {
  readonly session: string | null;
  readonly at: string;
  /** The identity of each: what stays the same while the lines of the file move. */
  readonly findings: readonly string[];
}

interface EscalationFile {
  readonly pending: readonly PendingEscalation[];
  readonly findings: readonly EscalatedFindings[];
}

/** What is in the file: text that this machine has signed. */
interface SignedFile {
  readonly text: string;
  readonly signature: string;
}

/** Who asks for an escalation. */
export interface EscalationUser {
  readonly session: string | undefined;
  /** The ids of the agent runs around the process. */
  readonly runs: readonly string[];
  /** Whether the escalation of a session that is not known may be its. */
  readonly mayBeUnknown: boolean;
  /** The gates that it is about; undefined for any. */
  readonly gates?: readonly string[];
  /** The agent run asks, whose agent has ended. */
  readonly isRun?: true;
}

const NOTHING: EscalationFile = { pending: [], findings: [] };
/** How long an escalation waits if its session is not known; as long as a loop goes on by default. */
const UNKNOWN_SESSION_MS = 30 * 60 * 1000;
/** A session that has not stopped for so long will hardly do so. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
const MAX_ENTRIES = 50;
/** A stop does not wait longer for another one. */
const LOCK_WAIT_MS = 1000;

/**
 * Records an escalation for the next stop that it fits.
 *
 * @returns false where state cannot be kept outside of the project
 */
export function recordEscalation(root: string, escalation: PendingEscalation): Promise<boolean> {
  return update(root, (file) => ({
    file: { ...file, pending: [...file.pending, escalation] },
    result: true,
  })).then((recorded) => recorded ?? false);
}

/** Returns the escalations that no stop has used yet, the oldest first. */
export async function pendingEscalations(root: string, now: Date): Promise<readonly PendingEscalation[]> {
  if (!hasEscalations(root)) return [];
  const signer = await machineSigner();
  return signer ? fresh(read(root, signer), now).pending : [];
}

/**
 * Takes an escalation: it is used once. That of an agent run stays until the run has ended, because its agent's stop and
 * the run both ask for it.
 *
 * @returns the latest that fits
 */
export async function takeEscalation(
  root: string,
  user: EscalationUser,
  now: Date,
): Promise<PendingEscalation | undefined> {
  if (!hasEscalations(root)) return undefined;
  return update(root, (file) => {
    const fitting = fresh(file, now).pending.filter((each) => fits(each, user, now));
    const isKept = ({ run }: PendingEscalation) => run !== null && !user.isRun;
    const pending = file.pending.filter((each) => isKept(each) || !fitting.includes(each));
    return { file: fresh({ ...file, pending }, now), result: fitting.at(-1) };
  });
}

function fits({ session, run, gate, at }: PendingEscalation, user: EscalationUser, now: Date): boolean {
  if (user.gates && gate !== undefined && !user.gates.includes(gate)) return false;
  if (run !== null) return user.runs.includes(run);
  if (session !== null) return session === user.session;
  return user.mayBeUnknown && now.getTime() - Date.parse(at) <= UNKNOWN_SESSION_MS;
}

/** What logs and reports keep of it. */
export function escalationOf({ gate, reason }: Escalation): Escalation {
  return { ...(gate !== undefined && { gate }), reason };
}

/** Removes the escalations of a project, when its loops are reset. */
export function removeEscalations(root: string): void {
  rmSync(escalationsPath(root), { force: true });
}

/** Records the findings with which a session was allowed to stop: they do not block it again. */
export async function recordEscalatedFindings(
  root: string,
  session: string | undefined,
  findings: readonly Finding[],
  now: Date,
): Promise<void> {
  if (findings.length === 0) return;
  const entry = { session: session ?? null, at: now.toISOString(), findings: findings.map(identityOf) };
  await update(root, (file) => ({
    file: { ...file, findings: [...file.findings, entry].slice(-MAX_ENTRIES) },
    result: undefined,
  }));
}

/**
 * Returns a function that says whether a finding was there when the session escalated. Such a finding does not block the
 * session; the person reads it all the same.
 */
export async function escalatedFindings(
  root: string,
  session: string | undefined,
): Promise<(finding: Finding) => boolean> {
  const signer = hasEscalations(root) ? await machineSigner() : undefined;
  if (!signer) return () => false;
  const known = new Set(
    read(root, signer)
      .findings.filter((entry) => entry.session === (session ?? null))
      .flatMap(({ findings }) => findings),
  );
  return (finding) => known.has(identityOf(finding));
}

function identityOf({ rule, path, message }: Finding): string {
  return JSON.stringify([rule, path, message]);
}

function fresh({ pending, findings }: EscalationFile, now: Date): EscalationFile {
  const isFresh = ({ at }: { readonly at: string }) => now.getTime() - Date.parse(at) <= MAX_AGE_MS;
  return { pending: pending.filter(isFresh), findings };
}

/** @returns the result of the change; undefined where state cannot be kept outside of the project */
async function update<R>(
  root: string,
  change: (file: EscalationFile) => { readonly file: EscalationFile; readonly result: R },
): Promise<R | undefined> {
  const signer = stateDirectory(root) === ralphDirectory(root) ? undefined : await machineSigner();
  if (!signer) return undefined;
  try {
    return await storeAt(root).update(
      (saved, write) => {
        const { file, result } = change(parse(root, saved, signer));
        const text = JSON.stringify(file);
        write({ text, signature: signer.sign(signedText(root, text)) });
        return result;
      },
      { waitMs: LOCK_WAIT_MS },
    );
  } catch {
    return undefined;
  }
}

function read(root: string, signer: Signer): EscalationFile {
  return parse(root, storeAt(root).read(), signer);
}

function parse(root: string, saved: SignedFile | undefined, signer: Signer): EscalationFile {
  if (!saved || !signer.isSigned(signedText(root, saved.text), saved.signature)) return NOTHING;
  return JSON.parse(saved.text);
}

/** The file of another project is none of this. */
function signedText(root: string, text: string): string {
  return JSON.stringify(['escalations', root, text]);
}

function storeAt(root: string): JsonStore<SignedFile> {
  return new JsonStore(escalationsPath(root), {
    check: (value) => {
      const { text, signature } = (value ?? {}) as Partial<Record<string, unknown>>;
      return typeof text === 'string' && typeof signature === 'string' ? { text, signature } : undefined;
    },
  });
}
