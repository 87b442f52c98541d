/** What a client told the model in one request, flattened to text: all that a script decides on and a test asserts. */
export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly tools: readonly string[];
  readonly messages: readonly ModelMessage[];
}

export interface ModelMessage {
  readonly role: string;
  readonly text: string;
}

interface RawRequest {
  readonly model?: string;
  readonly system?: unknown;
  readonly tools?: readonly { readonly name?: string }[];
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
}

export function parseModelRequest(body: RawRequest): ModelRequest {
  return {
    model: body.model ?? 'unknown',
    system: textOf(body.system),
    tools: (body.tools ?? []).map(({ name }) => name ?? ''),
    messages: (body.messages ?? []).map(({ role, content }) => ({ role, text: textOf(content) })),
  };
}

/** The newest words of the user, who is also the voice of hooks. Clients may add `system` messages after them. */
export function lastUserText(request: ModelRequest): string {
  return request.messages.findLast(({ role }) => role === 'user')?.text ?? '';
}

/** Content is a string or blocks; a block has `text`, or nests `content`, or is a tool call with `input`. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('\n');
  if (typeof content !== 'object' || content === null) return '';
  const block = content as { text?: unknown; content?: unknown; input?: unknown };
  if (block.input !== undefined) return JSON.stringify(block.input);
  return textOf(block.text ?? block.content);
}
