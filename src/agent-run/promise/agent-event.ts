/** What an agent has told so far, in its own JSON. */
export interface AgentTold {
  /** Its last words, as far as it has spoken. */
  readonly message: string;
  /** Null where it does not tell. */
  readonly costUsd: number | null;
  /** Read and written, what was read from a cache once; null where it does not tell. */
  readonly tokens: number | null;
}

export const NOTHING_TOLD: AgentTold = { message: '', costUsd: null, tokens: null };

type Fields = Readonly<Record<string, unknown>>;

/**
 * Takes in one JSON document of an agent's output. As printed by Claude Code 2.1.197, Codex 0.169.0, Gemini CLI 0.61.0,
 * Qwen Code 0.24.4 and 0.15.10, and Copilot CLI 1.0.102.
 *
 * @returns undefined where no agent prints such a document
 */
export function hear(told: AgentTold, document: unknown): AgentTold | undefined {
  if (Array.isArray(document)) return hearAll(told, document);
  if (!isFields(document)) return undefined;
  switch (document.type) {
    // Claude Code and Qwen Code. A subagent's messages have a parent.
    case 'assistant':
      return document.parent_tool_use_id == null ? withMessage(told, textOf(document.message)) : told;
    case 'result':
      return 'stats' in document && 'status' in document
        ? { ...withError(told, document.error), tokens: numberIn(document.stats, 'total_tokens') }
        : hearResult(told, document);
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
function hearAll(told: AgentTold, documents: readonly unknown[]): AgentTold | undefined {
  let heard: AgentTold | undefined;
  for (const document of documents) heard = hear(heard ?? told, document) ?? heard;
  return heard;
}

/**
 * Where agents work in the background there are several results, the last of which counts all. One of a run that was
 * stopped has no words.
 */
function hearResult(told: AgentTold, result: Fields): AgentTold | undefined {
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

function withMessage(told: AgentTold, message: unknown): AgentTold {
  return typeof message === 'string' && message !== '' ? { ...told, message } : told;
}

/** What went wrong is the last that is heard of it. */
function withError(told: AgentTold, error: unknown): AgentTold {
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
