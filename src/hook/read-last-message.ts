import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { READ_WITHOUT_WAITING } from '../base/files.ts';
import { hasLastMessage, lastMessageIn } from '../hosts/normalize.ts';
import type { StopEvent } from '../hosts/types.ts';

/** A last message is a page or two; what the agent's tools printed before it may be longer, and is of no interest. */
const TAIL_BYTES = 256 * 1024;

/**
 * What an agent said last: by its event, or where that does not tell, by the end of its transcript, however long that
 * is; empty where neither tells.
 */
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
