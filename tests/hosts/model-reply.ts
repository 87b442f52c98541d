export type ModelReply =
  | { readonly text: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: unknown };

/** The reply as one document: the Messages API's answer to a request without `stream`. */
export function replyDocument(reply: ModelReply, model: string, id: number): object {
  return { ...envelope(model, id), content: [blockOf(reply, id)], stop_reason: stopReason(reply) };
}

/** The same reply as server-sent events: an empty message, one block that grows by one delta, the end. */
export function replyEvents(reply: ModelReply, model: string, id: number): string {
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
    { type: 'message_start', message: { ...envelope(model, id), content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: opened },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason(reply), stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: 'message_stop' },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}

function envelope(model: string, id: number): object {
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
