import { dirname, join } from 'node:path';
import { makeDirectory, readRegularFile, writeFileAtomic } from '../base/files.ts';
import type { Verdict } from '../gates/types.ts';
import type { Finding } from '../integrity/types.ts';
import type { Escalation, LoggedGate } from './execution-log.ts';
import { machineSigner, signedTextOf, withSignature } from './machine-key.ts';
import { ralphDirectory, stateDirectory } from './paths.ts';

// The last run of a project's gates, for receipts. It is signed: nobody without this user's key writes one.

export interface RecordedRun {
  /** When it ended: UTC, ISO 8601. */
  readonly at: string;
  /** The commit that was checked out; null before the first one. */
  readonly commit: string | null;
  /** Fingerprint of the files; null if they changed while the gates ran. */
  readonly tree: string | null;
  /** The file of this project that the fingerprint leaves out, because ralph-loop writes it; null for none. */
  readonly except: string | null;
  readonly verdict: Verdict;
  /** Whether only some of the project's gates were to run. */
  readonly isPart: boolean;
  readonly gates: readonly RecordedGate[];
  /** What was weaker than in the base, without what was escalated; null if nothing was compared. */
  readonly findings: readonly Finding[] | null;
  /** Why the agent says that a gate is wrong; null if it does not. */
  readonly escalated: Escalation | null;
}

export interface RecordedGate extends LoggedGate {
  readonly blocking: boolean;
  /** Gates with the same key have the same result; null for a marker, and if it is not known. */
  readonly key: string | null;
}

export interface SignedRun {
  readonly run: RecordedRun;
  readonly signature: string;
}

/** Where nothing can be written or signed, nothing is recorded. */
export async function recordRun(root: string, run: RecordedRun): Promise<void> {
  const path = pathOf(root);
  const signer = path === undefined ? undefined : await machineSigner();
  if (path === undefined || !signer) return;
  try {
    makeDirectory(dirname(path), 0o700);
    writeFileAtomic(path, withSignature(JSON.stringify({ kind: 'run', root, run }), signer), { mode: 0o600 });
  } catch {
    // The disk cannot be written.
  }
}

/** Records that the agent has escalated after the last run. */
export async function markRunEscalated(root: string, escalated: Escalation): Promise<void> {
  const last = await readLastRun(root);
  if (typeof last === 'object') await recordRun(root, { ...last.run, escalated });
}

/**
 * The last run of a project.
 *
 * @returns undefined if there is none; `forged` for a file that this user has not signed on this machine, for this project
 */
export async function readLastRun(root: string): Promise<SignedRun | 'forged' | undefined> {
  const path = pathOf(root);
  if (path === undefined) return undefined;
  try {
    const content = readRegularFile(path);
    if (content === undefined) return undefined;
    const signer = await machineSigner();
    const text = signer && signedTextOf(content, signer);
    const value = text === undefined ? undefined : JSON.parse(text);
    if (value?.kind !== 'run' || value.root !== root) return 'forged';
    return { run: value.run, signature: content.slice(0, content.indexOf('\n')) };
  } catch {
    return 'forged';
  }
}

/** @returns undefined where state is in the tree: whatever is there, the repository may have brought it */
function pathOf(root: string): string | undefined {
  const directory = stateDirectory(root);
  return directory === ralphDirectory(root) ? undefined : join(directory, 'last-run.json');
}
