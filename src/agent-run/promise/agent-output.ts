import { TailBuffer } from '../../process/output.ts';

/** How much of the agent's last message is kept: bytes of plain output, characters of a message in JSON. */
const MAX_MESSAGE = 256 * 1024;
/** A longer JSON document is skipped: parsing it would take several times as much memory. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const OPENS: readonly number[] = [0x7b, 0x5b];
const CLOSES: readonly number[] = [0x7d, 0x5d];
/** In the events of all agents, the type is the first key; Kimi Code has the role there. */
const EVENT = /^\{"(?:type|role)":"/;
/** The events that need to be parsed. An `error` without a time is one of Codex, which repeats it in `turn.failed`. */
const RELEVANT_EVENT =
  /^\{"(?:type":"(?:assistant(?:\.message)?|result|item\.completed|turn\.(?:completed|failed)|message(?:_end)?|tool_use|session\.error|text|step_finish|error","timestamp)|role":"assistant)"/;
const HEAD_BYTES = 40;
/** The first line of a JSON document with one line for each value, as Gemini CLI prints it. */
const PRETTY_PRINTED = /^[{[]\s*$/;

/**
 * Reads the output of an agent as it arrives, in bounded memory. An output that ends with the JSON of a known agent is
 * parsed; other lines may precede the JSON. Any other output is plain text, even if it contains JSON.
 */
export class AgentOutput {
  readonly #tail = new TailBuffer(MAX_MESSAGE);
  /** The current line, if it begins like JSON. */
  readonly #line = new GrowingBytes(MAX_DOCUMENT_BYTES);
  /** The lines so far of a JSON document that has one line for each value. */
  readonly #document = new GrowingBytes(MAX_DOCUMENT_BYTES);
  /** The first byte of the current line; undefined at its start. */
  #first: number | undefined;
  #parsed: ParsedOutput = NOTHING_PARSED;
  #endsWithJson = false;
  #isInDocument = false;

  write(bytes: Buffer): void {
    this.#tail.write('stdout', bytes);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      this.#append(bytes, start, end + 1);
      this.#endLine();
      start = end + 1;
    }
    if (start < bytes.length) this.#append(bytes, start, bytes.length);
  }

  end(): ParsedOutput {
    if (this.#first !== undefined) this.#endLine();
    if (!this.#endsWithJson) return { ...NOTHING_PARSED, message: tailText(this.#tail) };
    return { ...this.#parsed, message: lastPart(this.#parsed.message) };
  }

  #append(bytes: Buffer, start: number, end: number): void {
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
      this.#endOpeningLine();
      this.#line.clear();
    } else if (CLOSES.includes(first) && this.#isInDocument) {
      this.#parse(this.#document.text());
      this.#document.clear();
      this.#isInDocument = false;
    } else if (first !== NEWLINE && first !== CARRIAGE_RETURN) this.#endsWithJson = false;
  }

  /** Handles a line that begins like JSON: a whole document, or the first line of one. */
  #endOpeningLine(): void {
    const head = this.#line.text(HEAD_BYTES);
    const isEvent = EVENT.test(head);
    if (this.#line.isTooLong || (isEvent && !RELEVANT_EVENT.test(head))) return;
    // A broken event is the last one of an agent that was killed.
    if (this.#parse(this.#line.text()) || isEvent) return;
    this.#endsWithJson = false;
    if (!PRETTY_PRINTED.test(head)) return;
    this.#document.clear();
    this.#document.append(Buffer.from(head));
    this.#isInDocument = true;
  }

  /** Returns whether the text is JSON. */
  #parse(text: string): boolean {
    const document = parseJson(text);
    if (document === undefined) return false;
    const parsed = readDocument(this.#parsed, document);
    this.#endsWithJson = parsed !== undefined;
    if (!parsed) return true;
    // Cut at twice the limit, so that a message that arrives in many parts is not cut at each of them.
    const isLong = parsed.message.length > 2 * MAX_MESSAGE;
    this.#parsed = isLong ? { ...parsed, message: lastPart(parsed.message) } : parsed;
    return true;
  }
}

/** Returns the end of the output, from the start of a line if its beginning was dropped. */
function tailText(tail: TailBuffer): string {
  const bytes = Buffer.concat(tail.contents().map(({ bytes }) => bytes));
  return bytes.toString('utf8', tail.omittedBytes > 0 ? bytes.indexOf(NEWLINE) + 1 : 0);
}

/** Returns the end of a message, from the start of a line if its beginning is cut off. */
function lastPart(message: string): string {
  if (message.length <= MAX_MESSAGE) return message;
  const last = message.slice(-MAX_MESSAGE);
  return last.slice(last.indexOf('\n') + 1).toWellFormed();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is known from the output so far. */
interface ParsedOutput {
  /** The agent's last message. */
  readonly message: string;
  /** Null when the agent does not report it. */
  readonly costUsd: number | null;
  /** Input and output, with cached input counted once; null when the agent does not report it. */
  readonly tokens: number | null;
}

const NOTHING_PARSED: ParsedOutput = { message: '', costUsd: null, tokens: null };

type Fields = Readonly<Record<string, unknown>>;

/**
 * Adds one JSON document to what is known. The formats are those of Claude Code 2.1.197, Codex 0.169.0, Gemini CLI
 * 0.61.0, Qwen Code 0.24.4 and 0.15.10, Copilot CLI 1.0.102, OpenCode 1.18.33, Kilo Code 7.7.7, Pi 0.87.1 and Kimi Code
 * 2.1.0.
 *
 * @returns undefined when no agent prints such a document
 */
function readDocument(known: ParsedOutput, document: unknown): ParsedOutput | undefined {
  if (Array.isArray(document)) return readDocuments(known, document);
  if (!isFields(document)) return undefined;
  switch (document.type) {
    // Claude Code and Qwen Code. A subagent's messages have a parent.
    case 'assistant':
      return document.parent_tool_use_id == null ? withMessage(known, textOf(document.message)) : known;
    case 'result':
      return 'stats' in document && 'status' in document
        ? { ...withError(known, document.error), tokens: numberIn(document.stats, 'total_tokens') }
        : readResult(known, document);
    // Codex.
    case 'item.completed':
      return isFields(document.item) && document.item.type === 'agent_message'
        ? withMessage(known, document.item.text)
        : known;
    case 'turn.completed':
      return { ...known, tokens: sumIn(document.usage, ['input_tokens', 'output_tokens']) };
    case 'turn.failed':
      return withError(known, document.error);
    // Gemini CLI as a stream: a message arrives in parts, and those before a tool call are not the last message.
    case 'message':
      return document.role === 'assistant' && typeof document.content === 'string'
        ? { ...known, message: known.message + document.content }
        : known;
    // OpenCode has the same event.
    case 'tool_use':
      return { ...known, message: '' };
    // Copilot CLI, which ends with a result without a message. A subagent's events have its id.
    case 'assistant.message':
      return isFields(document.data) && document.agentId === undefined
        ? withMessage(known, document.data.content)
        : known;
    case 'session.error':
      return withError(known, document.data);
    // OpenCode and Kilo Code, without the sessions of subagents.
    case 'text':
      return isFields(document.part) ? withMessage(known, document.part.text) : undefined;
    case 'step_finish':
      return isFields(document.part)
        ? withUse(known, document.part.cost, numberIn(document.part.tokens, 'total'))
        : undefined;
    case 'error':
      return isFields(document.error) ? withError(known, document.error.data) : undefined;
    // Pi.
    case 'message_end':
      return isFields(document.message) ? withPiMessage(known, document.message) : undefined;
    // Gemini CLI as one document, and a message of Kimi Code.
    case undefined:
      if (document.role === 'assistant') return withMessage(known, document.content);
      return 'response' in document && isFields(document.stats)
        ? { ...withMessage(known, document.response), tokens: tokensOfModels(document.stats.models) }
        : undefined;
    default:
      return undefined;
  }
}

/** Claude Code with `--verbose`, and Qwen Code: all events in one list. */
function readDocuments(known: ParsedOutput, documents: readonly unknown[]): ParsedOutput | undefined {
  let parsed: ParsedOutput | undefined;
  for (const document of documents) parsed = readDocument(parsed ?? known, document) ?? parsed;
  return parsed;
}

/**
 * With background agents there are several results, the last of which has the totals. The result of an interrupted agent
 * has no message.
 */
function readResult(known: ParsedOutput, result: Fields): ParsedOutput | undefined {
  if (!isFields(result.usage)) return undefined;
  const costUsd = numberIn(result, 'total_cost_usd');
  return { ...withMessage(known, result.result), costUsd, tokens: tokensOfResult(result, result.usage) };
}

/**
 * The `usage` of Qwen Code includes subagents, and its input includes cached tokens. The `usage` of Claude Code excludes
 * subagents, which its `modelUsage` includes, and its input excludes tokens written to a cache or read from one.
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

function withMessage(known: ParsedOutput, message: unknown): ParsedOutput {
  return typeof message === 'string' && message !== '' ? { ...known, message } : known;
}

/** Pi reports every message of the session. One that failed has an error, and no text. */
function withPiMessage(known: ParsedOutput, message: Fields): ParsedOutput {
  if (message.role !== 'assistant' || !isFields(message.usage)) return known;
  const { cost, totalTokens } = message.usage;
  const used = withUse(known, isFields(cost) ? cost.total : undefined, totalTokens);
  return withMessage(withMessage(used, textOf(message)), message.errorMessage);
}

/** Adds what one message took. */
function withUse(known: ParsedOutput, costUsd: unknown, tokens: unknown): ParsedOutput {
  return {
    ...known,
    costUsd: sumOf([known.costUsd, amount(costUsd)]),
    tokens: sumOf([known.tokens, amount(tokens)]),
  };
}

/** The error is the last message of an agent that failed. */
function withError(known: ParsedOutput, error: unknown): ParsedOutput {
  return isFields(error) ? withMessage(known, error.message) : known;
}

/** Returns the text of a message, without its tool calls. */
function textOf(message: unknown): string {
  const content = isFields(message) && Array.isArray(message.content) ? message.content : [];
  return content
    .flatMap((block) => (isFields(block) && typeof block.text === 'string' ? [block.text] : []))
    .join('\n');
}

function sumIn(fields: unknown, names: readonly string[]): number | null {
  return sumOf(names.map((name) => numberIn(fields, name)));
}

/** Returns null when there is no number. */
function sumOf(numbers: readonly (number | null)[]): number | null {
  const known = numbers.filter((number) => number !== null);
  return known.length === 0 ? null : known.reduce((sum, number) => sum + number, 0);
}

function numberIn(fields: unknown, name: string): number | null {
  return amount(isFields(fields) ? fields[name] : undefined);
}

/** Returns null for what is no amount. */
function amount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const FIRST_BYTES = 64 * 1024;

/** A buffer that grows up to a limit. Beyond the limit it keeps nothing. */
class GrowingBytes {
  readonly #limit: number;
  #bytes = Buffer.allocUnsafe(0);
  #length = 0;
  #isTooLong = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

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

  text(maxBytes = this.#length): string {
    return this.#bytes.toString('utf8', 0, Math.min(maxBytes, this.#length));
  }

  clear(): void {
    this.#length = 0;
    this.#isTooLong = false;
    // Frees the memory that one long line needed.
    if (this.#bytes.length > FIRST_BYTES) this.#bytes = Buffer.allocUnsafe(0);
  }
}
