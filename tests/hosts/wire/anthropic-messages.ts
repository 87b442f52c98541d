import type { ModelReply } from '../model-reply.ts';
import type { ModelMessage, ModelRequest } from '../model-request.ts';
import { textOf } from './text-of.ts';
import { asEventStream, asJson, type WireFormat } from './wire-format.ts';

interface Body {
  readonly model?: string;
  readonly stream?: boolean;
  readonly system?: unknown;
  readonly tools?: readonly { readonly name?: string }[];
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
}

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: unknown };

/** Anthropic's Messages API. */
export const anthropicMessages: WireFormat = {
  name: 'Messages',
  matches: (pathname) => pathname === '/v1/messages',
  parse(body) {
    const { model = 'unknown', stream = false, system, tools = [], messages = [] } = body as Body;
    return {
      model,
      streamed: stream,
      system: textOf(system),
      tools: tools.map(({ name }) => name ?? ''),
      messages: messages.flatMap(({ role, content }) => messagesIn(role, content)),
    };
  },
  write: (reply, request, id) =>
    request.streamed
      ? asEventStream(replyEvents(reply, request, id))
      : asJson({ ...envelope(request, id), content: [blockOf(reply, id)], stop_reason: stopReason(reply) }),
};

/** Results of tools are in user messages. */
function messagesIn(role: string, content: unknown): ModelMessage[] {
  const blocks: unknown[] = Array.isArray(content) ? content : [content];
  const isResult = (block: unknown) => (block as { type?: unknown }).type === 'tool_result';
  const [results, words] = [blocks.filter(isResult), blocks.filter((block) => !isResult(block))];
  return [
    ...results.map((block) => ({ role: 'tool', text: textOf(block) })),
    ...(words.length > 0 ? [{ role, text: textOf(words) }] : []),
  ];
}

/** Returns the events of an empty message, one block with one delta, and the end. */
function replyEvents(reply: ModelReply, request: ModelRequest, id: number): object[] {
  const block = blockOf(reply, id);
  const [opened, delta] =
    block.type === 'text'
      ? [
          { ...block, text: '' },
          { type: 'text_delta', text: block.text },
        ]
      : [
          { ...block, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
        ];
  return [
    { type: 'message_start', message: { ...envelope(request, id), content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: opened },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason(reply), stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: 'message_stop' },
  ];
}

function envelope({ model }: ModelRequest, id: number): object {
  const usage = { input_tokens: 1, output_tokens: 1 };
  return { id: `msg_${id}`, type: 'message', role: 'assistant', model, stop_sequence: null, usage };
}

function blockOf(reply: ModelReply, id: number): Block {
  if ('text' in reply) return { type: 'text', text: reply.text };
  return { type: 'tool_use', id: `toolu_${id}`, name: reply.tool, input: reply.input };
}

function stopReason(reply: ModelReply): string {
  return 'text' in reply ? 'end_turn' : 'tool_use';
}
