import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { READ_WITHOUT_WAITING } from './config/files.ts';
import { lastMessageIn } from './hosts/last-message-in.ts';

/** A last message is a page or two; what the agent's tools printed before it may be longer, and is of no interest. */
const TAIL_BYTES = 256 * 1024;

/**
 * Reads what an agent said last from the end of its transcript, however long that is.
 *
 * @param path absolute path of the transcript
 * @returns empty where there is none, or where its end tells of no message
 */
export function readLastMessage(path: string): string {
  return lastMessageIn(readTail(path));
}

function readTail(path: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, READ_WITHOUT_WAITING);
    const { size } = fstatSync(descriptor);
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    const bytes = readSync(descriptor, tail, 0, tail.length, size - tail.length);
    return tail.toString('utf8', 0, bytes);
  } catch {
    return '';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
