import { StringDecoder } from 'node:string_decoder';
import type { OutputPiece, OutputStream, Recording, StreamBytes } from './recording.ts';
import { TailBuffer } from './tail-buffer.ts';

/** Bytes kept in memory from the start and from the end of a command's output. */
const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 256 * 1024;

/**
 * Keeps the head and the tail of what a command prints on both streams, in order of arrival. The bytes are decoded
 * at the end only: most of a long output is never looked at.
 */
export class OutputRecorder {
  readonly #head: StreamBytes[] = [];
  #headBytes = 0;
  #tail: TailBuffer | undefined;

  write(stream: OutputStream, bytes: Buffer): void {
    const toHead = bytes.subarray(0, HEAD_BYTES - this.#headBytes);
    if (toHead.length > 0) {
      // A copy: the chunk itself is the whole of what was read at once.
      this.#head.push({ stream, bytes: Buffer.from(toHead) });
      this.#headBytes += toHead.length;
    }
    const toTail = bytes.subarray(toHead.length);
    if (toTail.length === 0) return;
    this.#tail ??= new TailBuffer(TAIL_BYTES);
    this.#tail.write(stream, toTail);
  }

  /** Bytes that are no UTF-8 become U+FFFD; a character that came in two chunks is put together. */
  recording(logPath?: string): Recording {
    const omittedBytes = this.#tail?.omittedBytes ?? 0;
    const tail = this.#tail?.contents() ?? [];
    const whole = omittedBytes === 0;
    return {
      head: decode(whole ? [...this.#head, ...tail] : this.#head),
      tail: whole ? [] : decode(withoutBrokenStart(tail)),
      omittedBytes,
      ...(logPath !== undefined && { logPath }),
    };
  }
}

function decode(parts: readonly StreamBytes[]): OutputPiece[] {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  const pieces: OutputPiece[] = parts.map(({ stream, bytes }) => ({
    stream,
    text: decoders[stream].write(bytes),
  }));
  for (const stream of ['stdout', 'stderr'] as const) pieces.push({ stream, text: decoders[stream].end() });
  return pieces.filter(({ text }) => text !== '');
}

/** Where bytes were left out, the first ones may be the end of a character: 10xxxxxx, three at the most. */
function withoutBrokenStart(parts: readonly StreamBytes[]): StreamBytes[] {
  const begun = new Set<OutputStream>();
  return parts.map(({ stream, bytes }) => {
    if (begun.has(stream)) return { stream, bytes };
    begun.add(stream);
    let start = 0;
    while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
    return { stream, bytes: bytes.subarray(start) };
  });
}
