import { join } from 'node:path';
import { readRegularFile, writeFileAtomic } from '../base/files.ts';
import type { Finding } from '../integrity/types.ts';
import { makeStateDirectory } from './execution-log.ts';
import { machineSigner } from './machine-key.ts';
import { ralphDirectory, stateDirectory } from './paths.ts';

// What the last integrity check of a project found, so that the same files are not compared again. It is signed: an agent
// cannot write that nothing was found.

interface KnownFindings {
  /** Of the base, the files and the settings. */
  readonly key: string;
  readonly findings: readonly Finding[];
  readonly signature: string;
}

/** @returns undefined if the last check was of something else */
export async function knownFindings(root: string, key: string): Promise<readonly Finding[] | undefined> {
  const path = pathOf(root);
  const known = path === undefined ? undefined : readKnown(path);
  if (known?.key !== key) return undefined;
  const signer = await machineSigner();
  return signer?.isSigned(signedText(root, known), known.signature) ? known.findings : undefined;
}

/** Where it cannot be written, the files are compared again. */
export async function rememberFindings(
  root: string,
  key: string,
  findings: readonly Finding[],
): Promise<void> {
  const path = pathOf(root);
  const signer = path === undefined ? undefined : await machineSigner();
  if (path === undefined || !signer) return;
  const known = { key, findings };
  try {
    makeStateDirectory(root);
    writeFileAtomic(path, JSON.stringify({ ...known, signature: signer.sign(signedText(root, known)) }));
  } catch {
    // The state directory cannot be written.
  }
}

function signedText(root: string, { key, findings }: Pick<KnownFindings, 'key' | 'findings'>): string {
  return JSON.stringify(['findings', root, key, findings]);
}

function pathOf(root: string): string | undefined {
  const directory = stateDirectory(root);
  return directory === ralphDirectory(root) ? undefined : join(directory, 'findings.json');
}

function readKnown(path: string): KnownFindings | undefined {
  try {
    const value = JSON.parse(readRegularFile(path) ?? 'null') as Partial<KnownFindings> | null;
    if (typeof value?.key !== 'string' || typeof value.signature !== 'string') return undefined;
    return Array.isArray(value.findings) ? (value as KnownFindings) : undefined;
  } catch {
    return undefined;
  }
}
