import { linkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory, readRegularFile } from '../base/files.ts';
import { userDirectory } from './paths.ts';

const KEY_NAME = 'key';
const KEY_BYTES = 32;
const KEY_FORM = /^[0-9a-f]{64}$/;

/** Signs what this program writes for itself, and recognizes it. A repository cannot bring such a signature. */
export interface Signer {
  /** HMAC-SHA-256, in hexadecimal. */
  sign(data: string | Buffer): string;
  isSigned(data: string | Buffer, signature: string): boolean;
}

/**
 * The signer with this user's key on this machine, which is created at the first use.
 *
 * @returns undefined where no key can be kept outside of projects: nothing is trusted that was written before then
 */
export async function machineSigner(): Promise<Signer | undefined> {
  const directory = userDirectory(process.env);
  if (directory === undefined) return undefined;
  const { createHmac, randomBytes, timingSafeEqual } = await import('node:crypto');
  const key = readKey(directory) ?? createKey(directory, () => randomBytes(KEY_BYTES).toString('hex'));
  if (key === undefined) return undefined;
  const sign = (data: string | Buffer) => createHmac('sha256', key).update(data).digest('hex');
  return {
    sign,
    isSigned: (data, signature) => {
      const expected = Buffer.from(sign(data));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

/** A text with its signature, as a file has it. */
export function withSignature(text: string, signer: Signer): string {
  return `${signer.sign(text)}\n${text}`;
}

/** The text of such a file; undefined if its signature is missing or wrong. */
export function signedTextOf(content: string, signer: Signer): string | undefined {
  const end = content.indexOf('\n');
  const text = content.slice(end + 1);
  return end > 0 && signer.isSigned(text, content.slice(0, end)) ? text : undefined;
}

/** @returns undefined if there is none, or none that this version has written */
function readKey(directory: string): string | undefined {
  try {
    const key = readRegularFile(join(directory, KEY_NAME));
    return key !== undefined && KEY_FORM.test(key) ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Two processes may create the key at the same time: the first one's is used by both. */
function createKey(directory: string, newKey: () => string): string | undefined {
  const path = join(directory, KEY_NAME);
  const temporary = `${path}.${process.pid}`;
  try {
    makeDirectory(directory, 0o700);
    writeFileSync(temporary, newKey(), { mode: 0o600 });
    linkSync(temporary, path);
  } catch {
    // It was created meanwhile, or the directory cannot be written.
  }
  try {
    unlinkSync(temporary);
  } catch {
    // It was not written.
  }
  return readKey(directory);
}
