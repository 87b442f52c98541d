import { StringDecoder } from 'node:string_decoder';
import type { OutputPiece, OutputStream, Recording } from './recording.ts';

/** Characters kept in memory from the start and from the end of a command's output. */
const HEAD_CHARACTERS = 64 * 1024;
const TAIL_CHARACTERS = 256 * 1024;
/** Small writes are joined up to this size, so that a command printing byte by byte costs no more than another. */
const PIECE_CHARACTERS = 16 * 1024;

/** Decodes both streams as they arrive and keeps the head and the tail of what they print. */
export class OutputRecorder {
  readonly #decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  readonly #head: OutputPiece[] = [];
  readonly #tail: OutputPiece[] = [];
  #headCharacters = 0;
  #tailCharacters = 0;
  #omittedCharacters = 0;

  /** Takes a chunk; bytes that are no UTF-8 become U+FFFD, a character split across chunks is put together. */
  write(stream: OutputStream, bytes: Buffer): string {
    const text = this.#decoders[stream].write(bytes);
    this.#keep(stream, text);
    return text;
  }

  /** Ends both streams and returns what a last, incomplete character decodes to. */
  end(): string {
    return (['stdout', 'stderr'] as const)
      .map((stream) => {
        const rest = this.#decoders[stream].end();
        this.#keep(stream, rest);
        return rest;
      })
      .join('');
  }

  recording(logPath?: string): Recording {
    return {
      head: [...this.#head],
      tail: [...this.#tail],
      omittedCharacters: this.#omittedCharacters,
      ...(logPath !== undefined && { logPath }),
    };
  }

  #keep(stream: OutputStream, text: string): void {
    if (text === '') return;
    const room = HEAD_CHARACTERS - this.#headCharacters;
    const toHead = text.slice(0, room);
    if (toHead !== '') {
      append(this.#head, stream, toHead);
      this.#headCharacters += toHead.length;
    }
    const toTail = text.slice(toHead.length);
    if (toTail === '') return;
    append(this.#tail, stream, toTail);
    this.#tailCharacters += toTail.length;
    this.#dropOldest();
  }

  #dropOldest(): void {
    for (let first = this.#tail[0]; first !== undefined; first = this.#tail[0]) {
      if (this.#tailCharacters - first.text.length < TAIL_CHARACTERS) return;
      this.#tail.shift();
      this.#tailCharacters -= first.text.length;
      this.#omittedCharacters += first.text.length;
    }
  }
}

function append(pieces: OutputPiece[], stream: OutputStream, text: string): void {
  const last = pieces.at(-1);
  if (last?.stream === stream && last.text.length + text.length <= PIECE_CHARACTERS)
    pieces[pieces.length - 1] = { stream, text: last.text + text };
  else pieces.push({ stream, text });
}
