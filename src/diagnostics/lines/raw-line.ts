import { hashLine, type LineHashes } from './likeness.ts';
import { cleanLine } from './line-text.ts';

/** A line of an output as it came, and its hashes: of a long output, no text is made of most lines. */
export class RawLine implements LineHashes {
  /** UTF-8. What is before `start` or from `end` on belongs to other lines. */
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  form = 0;
  formCheck = 0;
  template = 0;
  /** Whether there is no control character but tabs; otherwise there are no hashes. */
  readonly isText: boolean;
  #text: string | undefined;

  constructor(bytes: Buffer, start: number, end: number, text?: string) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.#text = text;
    this.isText = hashLine(this, bytes, start, end);
  }

  /** @param text a line as a terminal shows it */
  static of(text: string): RawLine {
    const bytes = Buffer.from(text);
    return new RawLine(bytes, 0, bytes.length, text);
  }

  /** As a terminal shows it. */
  get text(): string {
    this.#text ??= cleanLine(this.bytes.toString('utf8', this.start, this.end));
    return this.#text;
  }
}
