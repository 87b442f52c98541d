import type { ModelReply } from '../model-reply.ts';
import type { ModelRequest } from '../model-request.ts';
import { textOf } from './text-of.ts';
import { asEventStream, asJson, type WireFormat, type WrittenReply } from './wire-format.ts';

interface Body {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly function?: { readonly name?: string } }[];
  readonly messages?: readonly { readonly role: string; readonly content?: unknown }[];
}

/** OpenAI's chat completions API, which many providers support. */
export const openaiChat: WireFormat = {
  name: 'chat completions',
  matches: (pathname) => pathname.endsWith('/chat/completions'),
  parse(body) {
    const { model = 'unknown', stream = false, tools = [], messages = [] } = body as Body;
    const flat = messages.map(({ role, content }) => ({ role, text: textOf(content) }));
    return {
      model,
      streamed: stream,
      system: textOf(flat.filter(({ role }) => role === 'system')),
      tools: tools.map((tool) => tool.function?.name ?? ''),
      messages: flat.filter(({ role }) => role !== 'system'),
    };
  },
  write: (reply, request, id) =>
    request.streamed
      ? chunks(reply, request, id)
      : asJson({
          ...envelope('chat.completion', request, id),
          choices: [{ index: 0, message: messageOf(reply, id), finish_reason: finishReason(reply) }],
          usage: USAGE,
        }),
};

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** Returns the message in one chunk, the finish reason and the usage. The end of the stream is not JSON. */
function chunks(reply: ModelReply, request: ModelRequest, id: number): WrittenReply {
  const common = envelope('chat.completion.chunk', request, id);
  const stream = asEventStream([
    { ...common, choices: [{ index: 0, delta: messageOf(reply, id), finish_reason: null }] },
    { ...common, choices: [{ index: 0, delta: {}, finish_reason: finishReason(reply) }] },
    { ...common, choices: [], usage: USAGE },
  ]);
  return { ...stream, body: `${stream.body}data: [DONE]\n\n` };
}

function envelope(object: string, { model }: ModelRequest, id: number): object {
  return { id: `chatcmpl-${id}`, object, created: 0, model };
}

function messageOf(reply: ModelReply, id: number): object {
  if ('text' in reply) return { role: 'assistant', content: reply.text };
  const called = { name: reply.tool, arguments: JSON.stringify(reply.input) };
  const call = { index: 0, id: `call_${id}`, type: 'function', function: called };
  return { role: 'assistant', content: null, tool_calls: [call] };
}

function finishReason(reply: ModelReply): string {
  return 'text' in reply ? 'stop' : 'tool_calls';
}
