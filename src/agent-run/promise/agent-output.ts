import { type AgentTold, hear, NOTHING_TOLD } from './agent-event.ts';
import { GrowingBytes } from './growing-bytes.ts';
import { LastBytes } from './last-bytes.ts';

/** So many bytes, or characters, of an agent's words are its final message: nobody means more as one. */
const MAX_MESSAGE = 256 * 1024;
/** A JSON document that is longer is passed over: to parse it would take several times as much memory. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const OPENS: readonly number[] = [0x7b, 0x5b];
const CLOSES: readonly number[] = [0x7d, 0x5d];
/** All agents name the type of an event first. */
const EVENT = /^\{"type":"/;
/** The events that tell something: the others need not be parsed. */
const TELLING =
  /^\{"type":"(?:assistant(?:\.message)?|result|item\.completed|turn\.(?:completed|failed)|message|tool_use|session\.error)"/;
const HEAD_BYTES = 40;
/** The first line of JSON that is laid out with a line for each value, as Gemini CLI prints it. */
const LAID_OUT = /^[{[]\s*$/;

/**
 * Reads the output of an agent as it comes, in memory that does not grow with it: the agent's own JSON where it prints
 * such, else its last words as they are. JSON counts where the output ends with it, so that a text which only shows some
 * stays a text; other lines may precede it.
 */
export class AgentOutput {
  readonly #last = new LastBytes(MAX_MESSAGE);
  /** The line that is being read, where it begins as JSON does. */
  readonly #line = new GrowingBytes(MAX_DOCUMENT_BYTES);
  /** A document of several lines, from its first one on. */
  readonly #document = new GrowingBytes(MAX_DOCUMENT_BYTES);
  /** What the line that is being read begins with; undefined before its first byte. */
  #first: number | undefined;
  #told: AgentTold = NOTHING_TOLD;
  #endsWithJson = false;
  #isInDocument = false;

  write(bytes: Buffer): void {
    this.#last.write(bytes);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      this.#part(bytes, start, end + 1);
      this.#endLine();
      start = end + 1;
    }
    if (start < bytes.length) this.#part(bytes, start, bytes.length);
  }

  /** What the agent said, what it cost, and the tokens that it took; null where it does not tell. */
  end(): { message: string; costUsd: number | null; tokens: number | null } {
    if (this.#first !== undefined) this.#endLine();
    if (!this.#endsWithJson) return { message: this.#last.text(), costUsd: null, tokens: null };
    return { ...this.#told, message: lastPart(this.#told.message) };
  }

  /** Of the line that is being read. */
  #part(bytes: Buffer, start: number, end: number): void {
    const first = this.#first ?? bytes[start];
    this.#first = first;
    if (first === undefined) return;
    if (OPENS.includes(first)) this.#line.append(bytes.subarray(start, end));
    else if (this.#isInDocument) this.#document.append(bytes.subarray(start, end));
  }

  #endLine(): void {
    const first = this.#first ?? NEWLINE;
    this.#first = undefined;
    if (OPENS.includes(first)) {
      this.#endOpening();
      this.#line.clear();
    } else if (CLOSES.includes(first) && this.#isInDocument) {
      this.#hear(this.#document.text());
      this.#document.clear();
      this.#isInDocument = false;
    } else if (first !== NEWLINE && first !== CARRIAGE_RETURN) this.#endsWithJson = false;
  }

  /** A line that begins as JSON does: a document of its own, or the beginning of one that is laid out. */
  #endOpening(): void {
    const head = this.#line.text(HEAD_BYTES);
    const isEvent = EVENT.test(head);
    if (this.#line.isTooLong || (isEvent && !TELLING.test(head))) return;
    // An event that is broken is the last one of an agent that was killed.
    if (this.#hear(this.#line.text()) || isEvent) return;
    this.#endsWithJson = false;
    if (!LAID_OUT.test(head)) return;
    this.#document.clear();
    this.#document.append(Buffer.from(head));
    this.#isInDocument = true;
  }

  /** @returns whether it is JSON */
  #hear(text: string): boolean {
    const document = parsed(text);
    if (document === undefined) return false;
    const heard = hear(this.#told, document);
    this.#endsWithJson = heard !== undefined;
    if (!heard) return true;
    // Not at every part of a message that grows.
    const isLong = heard.message.length > 2 * MAX_MESSAGE;
    this.#told = isLong ? { ...heard, message: lastPart(heard.message) } : heard;
    return true;
  }
}

/** From the start of a line, where anything is cut off. */
function lastPart(message: string): string {
  if (message.length <= MAX_MESSAGE) return message;
  const last = message.slice(-MAX_MESSAGE);
  return last.slice(last.indexOf('\n') + 1).toWellFormed();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
