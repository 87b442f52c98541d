import type { ModelReply } from '../model-reply.ts';
import type { ModelMessage } from '../model-request.ts';
import { textOf } from './text-of.ts';
import { asEventStream, asJson, type WireFormat } from './wire-format.ts';

interface Body {
  readonly model?: string;
  readonly stream?: boolean;
  readonly instructions?: string;
  readonly tools?: readonly Tool[];
  readonly input?: string | readonly Item[];
}

interface Tool {
  readonly name?: string;
  /** Of a namespace: the tools in it. */
  readonly tools?: readonly Tool[];
}

interface Item {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
  readonly arguments?: string;
  /** Of a tool that reads text. */
  readonly input?: string;
  readonly output?: unknown;
}

/** OpenAI's Responses API. */
export const openaiResponses: WireFormat = {
  name: 'Responses',
  matches: (pathname) => pathname === '/v1/responses',
  parse(body) {
    const { model = 'unknown', stream = false, instructions = '', tools = [], input = [] } = body as Body;
    return {
      model,
      streamed: stream,
      system: instructions,
      tools: tools.flatMap(namesOf),
      messages: typeof input === 'string' ? [{ role: 'user', text: input }] : input.map(messageOf),
    };
  },
  write(reply, { model, streamed }, id) {
    const item = itemOf(reply, id);
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const response = {
      id: `resp_${id}`,
      object: 'response',
      model,
      status: 'completed',
      output: [item],
      usage,
    };
    if (!streamed) return asJson(response);
    return asEventStream([
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ]);
  },
};

function namesOf({ name, tools = [] }: Tool): string[] {
  return [...(name === undefined ? [] : [name]), ...tools.flatMap(namesOf)];
}

function messageOf({ type, role = '', content, arguments: json, input = '', output }: Item): ModelMessage {
  if (type === 'function_call' || type === 'custom_tool_call')
    return { role: 'assistant', text: json ?? input };
  if (type === 'function_call_output' || type === 'custom_tool_call_output')
    return { role: 'tool', text: textOf(output) };
  return { role, text: textOf(content) };
}

function itemOf(reply: ModelReply, id: number): object {
  const status = 'completed';
  if ('text' in reply) {
    const content = [{ type: 'output_text', text: reply.text, annotations: [] }];
    return { type: 'message', id: `msg_${id}`, role: 'assistant', status, content };
  }
  const { tool: name, namespace, input, freeform } = reply;
  if (freeform !== undefined)
    return {
      type: 'custom_tool_call',
      id: `ctc_${id}`,
      status,
      call_id: `call_${id}`,
      name,
      input: freeform,
    };
  const call = { call_id: `call_${id}`, name, namespace, arguments: JSON.stringify(input) };
  return { type: 'function_call', id: `fc_${id}`, status, ...call };
}
