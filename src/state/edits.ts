import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectory, readRegularFile, writeFileAtomic } from '../base/files.ts';
import { sha256 } from '../base/sha256.ts';
import type { Ancestor } from '../process/ancestors.ts';
import { withLock } from './json-store.ts';
import { machineSigner, signedTextOf, withSignature } from './machine-key.ts';
import { editsPath, isEditsFile, stateDirectory } from './paths.ts';

// What each session of a project has edited with its tools. It is signed and outside of the tree.

export interface SessionEdits {
  readonly session: string;
  /** The processes that have started the hook of its last edit, the nearest first. */
  readonly hosts: readonly Ancestor[];
  /**
   * By path, relative to the project: what the file had before and after the edits, as digests, the oldest first. Each edit
   * found what the one before it had left; otherwise the list begins anew.
   */
  readonly files: Readonly<Record<string, readonly string[]>>;
  /** The failures that are not its own and were reported to it, as digests. */
  readonly reported: readonly string[];
}

/** The digest of a text, or of the absence of a file. */
export function digestOf(text: string | null | undefined): string {
  return text === null || text === undefined ? 'absent' : sha256().update(text).digest('hex').slice(0, 32);
}

const MAX_FILES = 1000;
const MAX_STATES = 200;
const MAX_REPORTED = 100;

/** The edits with one more. @param states of the file before and after it; empty if they are not known */
export function withEdit(
  files: SessionEdits['files'],
  path: string,
  states: readonly string[],
): SessionEdits['files'] {
  const { [path]: known = [], ...others } = files;
  const isNext = states.length > 0 && known.at(-1) === states[0];
  const next = [...(isNext ? known : states.slice(0, 1)), ...states.slice(1)].slice(-MAX_STATES);
  // The last path is the one that was edited last.
  return Object.fromEntries([...Object.entries(others), [path, next] as const].slice(-MAX_FILES));
}

export function withReported(reported: readonly string[], added: readonly string[]): string[] {
  return [...new Set([...reported, ...added])].slice(-MAX_REPORTED);
}

/** Changes what is recorded of a session. Nothing is recorded where state is in the tree, or without a key. */
export async function changeEdits(
  root: string,
  session: string,
  change: (edits: SessionEdits) => SessionEdits,
): Promise<boolean> {
  const path = await editsPath(root, session);
  const signer = path === undefined ? undefined : await machineSigner();
  if (path === undefined || signer === undefined) return false;
  try {
    makeDirectory(dirname(path), 0o700);
    await withLock(path, () => {
      const known = editsIn(path, signer) ?? { session, hosts: [], files: {}, reported: [] };
      writeFileAtomic(path, withSignature(JSON.stringify(change(known)), signer), { mode: 0o600 });
    });
    return true;
  } catch {
    return false;
  }
}

/** What is recorded of all sessions of a project. */
export async function readEdits(root: string): Promise<SessionEdits[]> {
  const directory = stateDirectory(root);
  let names: string[];
  try {
    names = readdirSync(directory).filter(isEditsFile);
  } catch {
    return [];
  }
  const signer = names.length > 0 ? await machineSigner() : undefined;
  if (signer === undefined) return [];
  return names.flatMap((name) => editsIn(join(directory, name), signer) ?? []);
}

function editsIn(path: string, signer: Parameters<typeof signedTextOf>[1]): SessionEdits | undefined {
  try {
    const text = signedTextOf(readRegularFile(path) ?? '', signer);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
