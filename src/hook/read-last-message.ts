import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { READ_WITHOUT_WAITING } from '../base/files.ts';
import { hasLastMessage, lastMessageIn } from '../hosts/normalize.ts';
import type { StopEvent } from '../hosts/types.ts';

/** A last message is a page or two long; the tool output before it is not needed. */
const TAIL_BYTES = 256 * 1024;

/** Returns what an agent wrote last: from its event, or else from the end of its transcript; empty without either. */
export function readLastMessage(event: StopEvent): string {
  const { message, transcriptPath } = event;
  if (hasLastMessage(event) || transcriptPath === undefined) return message;
  return lastMessageIn(readTail(transcriptPath)) || message;
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
