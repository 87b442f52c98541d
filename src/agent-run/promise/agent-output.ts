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
const RELEVANT_EVENT =
  /^\{"type":"(?:assistant(?:\.message)?|result|item\.completed|turn\.(?:completed|failed)|message|tool_use|session\.error)"/;
const HEAD_BYTES = 40;
/** The first line of JSON that is laid out with a line for each value, as Gemini CLI prints it. */
const PRETTY_PRINTED = /^[{[]\s*$/;

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
  #told: ParsedOutput = NOTHING_PARSED;
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
    if (this.#line.isTooLong || (isEvent && !RELEVANT_EVENT.test(head))) return;
    // An event that is broken is the last one of an agent that was killed.
    if (this.#hear(this.#line.text()) || isEvent) return;
    this.#endsWithJson = false;
    if (!PRETTY_PRINTED.test(head)) return;
    this.#document.clear();
    this.#document.append(Buffer.from(head));
    this.#isInDocument = true;
  }

  /** @returns whether it is JSON */
  #hear(text: string): boolean {
    const document = parsed(text);
    if (document === undefined) return false;
    const heard = readDocument(this.#told, document);
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

/** What an agent has told so far, in its own JSON. */
export interface ParsedOutput {
  /** Its last words, as far as it has spoken. */
  readonly message: string;
  /** Null where it does not tell. */
  readonly costUsd: number | null;
  /** Read and written, what was read from a cache once; null where it does not tell. */
  readonly tokens: number | null;
}

export const NOTHING_PARSED: ParsedOutput = { message: '', costUsd: null, tokens: null };

type Fields = Readonly<Record<string, unknown>>;

/**
 * Takes in one JSON document of an agent's output. As printed by Claude Code 2.1.197, Codex 0.169.0, Gemini CLI 0.61.0,
 * Qwen Code 0.24.4 and 0.15.10, and Copilot CLI 1.0.102.
 *
 * @returns undefined where no agent prints such a document
 */
export function readDocument(told: ParsedOutput, document: unknown): ParsedOutput | undefined {
  if (Array.isArray(document)) return readDocuments(told, document);
  if (!isFields(document)) return undefined;
  switch (document.type) {
    // Claude Code and Qwen Code. A subagent's messages have a parent.
    case 'assistant':
      return document.parent_tool_use_id == null ? withMessage(told, textOf(document.message)) : told;
    case 'result':
      return 'stats' in document && 'status' in document
        ? { ...withError(told, document.error), tokens: numberIn(document.stats, 'total_tokens') }
        : readResult(told, document);
    // Codex.
    case 'item.completed':
      return isFields(document.item) && document.item.type === 'agent_message'
        ? withMessage(told, document.item.text)
        : told;
    case 'turn.completed':
      return { ...told, tokens: sumIn(document.usage, ['input_tokens', 'output_tokens']) };
    case 'turn.failed':
      return withError(told, document.error);
    // Gemini CLI as a stream: its words come in parts, and those before a tool's call are not its last ones.
    case 'message':
      return document.role === 'assistant' && typeof document.content === 'string'
        ? { ...told, message: told.message + document.content }
        : told;
    case 'tool_use':
      return { ...told, message: '' };
    // Copilot CLI, which ends with a result that has no words. A subagent's events have its id.
    case 'assistant.message':
      return isFields(document.data) && document.agentId === undefined
        ? withMessage(told, document.data.content)
        : told;
    case 'session.error':
      return withError(told, document.data);
    // Gemini CLI as one document.
    case undefined:
      return 'response' in document && isFields(document.stats)
        ? { ...withMessage(told, document.response), tokens: tokensOfModels(document.stats.models) }
        : undefined;
    default:
      return undefined;
  }
}

/** Claude Code with `--verbose`, and Qwen Code: all events in one list. */
function readDocuments(told: ParsedOutput, documents: readonly unknown[]): ParsedOutput | undefined {
  let heard: ParsedOutput | undefined;
  for (const document of documents) heard = readDocument(heard ?? told, document) ?? heard;
  return heard;
}

/**
 * Where agents work in the background there are several results, the last of which counts all. One of a run that was
 * stopped has no words.
 */
function readResult(told: ParsedOutput, result: Fields): ParsedOutput | undefined {
  if (!isFields(result.usage)) return undefined;
  const costUsd = numberIn(result, 'total_cost_usd');
  return { ...withMessage(told, result.result), costUsd, tokens: tokensOfResult(result, result.usage) };
}

/**
 * Qwen Code's `usage` has all: its subagents, and among the input what was read from a cache. That of Claude Code is
 * without subagents, which its `modelUsage` has; and its input is without what was written to a cache, or read from one.
 */
function tokensOfResult(result: Fields, usage: Fields): number | null {
  const models = isFields(result.modelUsage) ? Object.values(result.modelUsage) : [];
  if (models.length > 0)
    return sumOf(
      models.map((model) =>
        sumIn(model, ['inputTokens', 'cacheCreationInputTokens', 'cacheReadInputTokens', 'outputTokens']),
      ),
    );
  const ofCache =
    'cache_creation_input_tokens' in usage ? ['cache_creation_input_tokens', 'cache_read_input_tokens'] : [];
  return sumIn(usage, ['input_tokens', ...ofCache, 'output_tokens']);
}

function tokensOfModels(models: unknown): number | null {
  if (!isFields(models)) return null;
  return sumOf(
    Object.values(models).map((model) => (isFields(model) ? numberIn(model.tokens, 'total') : null)),
  );
}

function withMessage(told: ParsedOutput, message: unknown): ParsedOutput {
  return typeof message === 'string' && message !== '' ? { ...told, message } : told;
}

/** What went wrong is the last that is heard of it. */
function withError(told: ParsedOutput, error: unknown): ParsedOutput {
  return isFields(error) ? withMessage(told, error.message) : told;
}

/** The text of a message, without its calls of tools. */
function textOf(message: unknown): string {
  const content = isFields(message) && Array.isArray(message.content) ? message.content : [];
  return content
    .flatMap((block) => (isFields(block) && typeof block.text === 'string' ? [block.text] : []))
    .join('\n');
}

function sumIn(fields: unknown, names: readonly string[]): number | null {
  return sumOf(names.map((name) => numberIn(fields, name)));
}

/** @returns null where there is no number at all */
function sumOf(numbers: readonly (number | null)[]): number | null {
  const known = numbers.filter((number) => number !== null);
  return known.length === 0 ? null : known.reduce((sum, number) => sum + number, 0);
}

function numberIn(fields: unknown, name: string): number | null {
  const value = isFields(fields) ? fields[name] : undefined;
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const FIRST_BYTES = 64 * 1024;

/** Bytes that come in pieces, in one place, up to a limit: beyond it, nothing is kept. */
export class GrowingBytes {
  readonly #limit: number;
  #bytes = Buffer.allocUnsafe(0);
  #length = 0;
  #isTooLong = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether there was more than the limit. */
  get isTooLong(): boolean {
    return this.#isTooLong;
  }

  append(more: Buffer): void {
    const length = this.#length + more.length;
    if (length > this.#limit) {
      this.clear();
      this.#isTooLong = true;
    }
    if (this.#isTooLong) return;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(this.#limit, Math.max(FIRST_BYTES, 2 * length)));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    more.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  /** Bytes that are no UTF-8 become replacement characters. */
  text(maxBytes = this.#length): string {
    return this.#bytes.toString('utf8', 0, Math.min(maxBytes, this.#length));
  }

  clear(): void {
    this.#length = 0;
    this.#isTooLong = false;
    // What one long line needed is not held for the short ones behind it.
    if (this.#bytes.length > FIRST_BYTES) this.#bytes = Buffer.allocUnsafe(0);
  }
}

const LINE_FEED = 0x0a;

/** The last bytes of whatever is written, in memory that is allocated once. */
export class LastBytes {
  readonly #ring: Buffer;
  /** Of all that was written. */
  #count = 0;

  constructor(capacity: number) {
    this.#ring = Buffer.allocUnsafe(capacity);
  }

  write(bytes: Buffer): void {
    const kept = bytes.subarray(-this.#ring.length);
    const position = (this.#count + bytes.length - kept.length) % this.#ring.length;
    const untilWrap = Math.min(kept.length, this.#ring.length - position);
    kept.copy(this.#ring, position, 0, untilWrap);
    kept.copy(this.#ring, 0, untilWrap);
    this.#count += bytes.length;
  }

  /** What is kept, from the start of a line where anything is not. Bytes that are no UTF-8 become replacement characters. */
  text(): string {
    if (this.#count <= this.#ring.length) return this.#ring.toString('utf8', 0, this.#count);
    const oldest = this.#count % this.#ring.length;
    const bytes = Buffer.concat([this.#ring.subarray(oldest), this.#ring.subarray(0, oldest)]);
    // Without a newline, 0: half a character at the cut is a replacement character, which nobody minds.
    return bytes.toString('utf8', bytes.indexOf(LINE_FEED) + 1);
  }
}
