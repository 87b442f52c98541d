import { StringDecoder } from 'node:string_decoder';
import { cleanLine, crop } from './clean-line.ts';
import { cutJson, isFolded, unfoldJson } from './unfold-json.ts';

type Stream = 'stdout' | 'stderr';

/** A line that does not end is cropped when it has so many characters: it is never kept whole. */
const MAX_PENDING = 64 * 1024;

/** Makes readable lines of what two streams bring in pieces. */
export class LineReader {
  readonly #onLine: (stream: Stream, text: string) => void;
  readonly #mayDrop: (text: string) => boolean;
  readonly #decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  readonly #pending = { stdout: '', stderr: '' };

  /** @param mayDrop whether a state of a redrawn line may be forgotten once the next one is drawn over it */
  constructor(onLine: (stream: Stream, text: string) => void, mayDrop: (text: string) => boolean) {
    this.#onLine = onLine;
    this.#mayDrop = mayDrop;
  }

  write(stream: Stream, bytes: Buffer): void {
    this.#text(stream, this.#decoders[stream].write(bytes));
  }

  end(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      this.#text(stream, this.#decoders[stream].end());
      if (this.#pending[stream] !== '') this.#line(stream, this.#pending[stream]);
      this.#pending[stream] = '';
    }
  }

  #text(stream: Stream, text: string): void {
    let start = 0;
    let end = text.indexOf('\n');
    if (end === -1) {
      this.#pending[stream] = this.#shortened(stream, this.#pending[stream] + text);
      return;
    }
    this.#line(stream, this.#pending[stream] + text.slice(0, end));
    for (start = end + 1, end = text.indexOf('\n', start); end !== -1; end = text.indexOf('\n', start)) {
      this.#line(stream, text.slice(start, end));
      start = end + 1;
    }
    this.#pending[stream] = text.slice(start);
  }

  /** Of a line that does not end: the list that it may be is read as it comes. */
  #shortened(stream: Stream, pending: string): string {
    if (pending.length <= MAX_PENDING) return pending;
    const [part, rest] = cutJson(pending) ?? ['', pending];
    if (part !== '') this.#line(stream, part);
    return rest.length > MAX_PENDING ? crop(rest) : rest;
  }

  /** Of a line that was redrawn, the last state stays. */
  #line(stream: Stream, raw: string): void {
    let end = raw.length;
    while (raw[end - 1] === '\r') end--;
    const line = raw.slice(0, end);
    if (isFolded(line)) {
      for (const part of unfoldJson(line)) this.#onLine(stream, cleanLine(part));
      return;
    }
    if (!line.includes('\r')) {
      this.#onLine(stream, cleanLine(line));
      return;
    }
    const states = line.split('\r').map(cleanLine);
    const last = states.pop() ?? '';
    for (const state of states) if (!this.#mayDrop(state)) this.#onLine(stream, state);
    this.#onLine(stream, last);
  }
}
