import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory, writeFileAtomic } from '../base/files.ts';
import { machineSigner } from '../state/machine-key.ts';
import { ralphDirectory, stateDirectory } from '../state/paths.ts';

/** The content of files by what their directory entries say, so that a file is read once and not at every stop. */
export interface HashedFiles {
  /** The state of all files together, and the fingerprint of the tree then; null while a file was too new. */
  readonly whole: { readonly state: string; readonly tree: string } | null;
  readonly count: number;
  /** One character per byte. */
  readonly paths: readonly string[];
  /** As from `statesOf`, one after another. */
  readonly states: Float64Array;
  /** Each of HASH_BYTES, one after another. */
  readonly hashes: Buffer;
}

/** The numbers in the state of one file. */
export const STATE_LENGTH = 5;
export const HASH_BYTES = 32;

const NAME = 'files';
const SIGNATURE_BYTES = 64;

/** @returns undefined where nothing is known, or nothing that this user has recorded on this machine */
export async function readHashedFiles(root: string): Promise<HashedFiles | undefined> {
  const path = pathOf(root);
  const signer = path === undefined ? undefined : await machineSigner();
  if (path === undefined || !signer) return undefined;
  try {
    const bytes = readFileSync(path);
    const body = bytes.subarray(SIGNATURE_BYTES);
    if (!signer.isSigned(body, bytes.toString('latin1', 0, SIGNATURE_BYTES))) return undefined;
    return unpacked(body);
  } catch {
    return undefined;
  }
}

/** How many bytes are known about the files of a project; 0 if nothing is. */
export function sizeOfHashedFiles(root: string): number {
  const path = pathOf(root);
  return path === undefined ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
}

/** Where state cannot be written, the files are read again. */
export async function writeHashedFiles(root: string, files: Omit<HashedFiles, 'count'>): Promise<void> {
  const path = pathOf(root);
  const signer = path === undefined ? undefined : await machineSigner();
  if (path === undefined || !signer) return;
  const body = packed(files);
  try {
    makeDirectory(stateDirectory(root), 0o700);
    writeFileAtomic(path, Buffer.concat([Buffer.from(signer.sign(body)), body]), { mode: 0o600 });
  } catch {
    // The disk is full or cannot be written.
  }
}

/** @returns undefined where the state is kept in the tree: whatever is there, the repository may have brought it */
function pathOf(root: string): string | undefined {
  const directory = stateDirectory(root);
  return directory === ralphDirectory(root) ? undefined : join(directory, NAME);
}

function packed({ whole, paths, states, hashes }: Omit<HashedFiles, 'count'>): Buffer {
  const names = Buffer.from(paths.join('\0'), 'latin1');
  const head = JSON.stringify({ whole, count: paths.length, nameBytes: names.length });
  return Buffer.concat([Buffer.from(`${head}\n`), names, Buffer.from(states.buffer), hashes]);
}

function unpacked(body: Buffer): HashedFiles {
  const names = body.indexOf('\n') + 1;
  const { whole, count, nameBytes } = JSON.parse(body.toString('latin1', 0, names));
  const states = names + nameBytes;
  const hashes = states + count * STATE_LENGTH * Float64Array.BYTES_PER_ELEMENT;
  return {
    whole,
    count,
    get paths() {
      return body.toString('latin1', names, states).split('\0');
    },
    // A copy: the numbers need an address that is a multiple of eight.
    get states() {
      return new Float64Array(new Uint8Array(body.subarray(states, hashes)).buffer);
    },
    hashes: body.subarray(hashes),
  };
}
