import type { ModelReply } from '../model-reply.ts';
import type { ModelMessage, ModelRequest } from '../model-request.ts';
import { textOf } from './text-of.ts';
import { asEventStream, asJson, type WireFormat } from './wire-format.ts';

interface Body {
  readonly systemInstruction?: Content;
  readonly contents?: readonly Content[];
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
}

interface Content {
  readonly role?: string;
  readonly parts?: readonly object[];
}

/** The path contains the model and the method: `/v1beta/models/<model>:streamGenerateContent`. */
const METHOD = /([^/]+):(generateContent|streamGenerateContent)$/;

/** Google's Gemini API. */
export const gemini: WireFormat = {
  name: 'generateContent',
  matches: (pathname) => METHOD.test(pathname),
  parse(body, pathname) {
    const [, model = 'unknown', method] = METHOD.exec(pathname) ?? [];
    const { systemInstruction, contents = [], tools = [] } = body as Body;
    return {
      model,
      streamed: method === 'streamGenerateContent',
      system: textOf(systemInstruction?.parts),
      tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
      messages: contents.map(messageOf),
    };
  },
  write: (reply, request, id) =>
    request.streamed ? asEventStream([response(reply, request, id)]) : asJson(response(reply, request, id)),
};

/** Results of tools are user contents without text. */
function messageOf({ role = 'user', parts = [] }: Content): ModelMessage {
  if (parts.some((part) => 'functionResponse' in part)) return { role: 'tool', text: JSON.stringify(parts) };
  return { role: role === 'model' ? 'assistant' : role, text: textOf(parts) };
}

/** A stream may contain the whole message in one event. */
function response(reply: ModelReply, { model }: ModelRequest, id: number): object {
  const part =
    'text' in reply ? { text: reply.text } : { functionCall: { name: reply.tool, args: reply.input } };
  return {
    responseId: `response_${id}`,
    modelVersion: model,
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
}
