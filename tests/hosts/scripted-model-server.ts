import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ModelReply } from './model-reply.ts';
import type { ModelRequest } from './model-request.ts';
import { anthropicMessages } from './wire/anthropic-messages.ts';
import { gemini } from './wire/gemini.ts';
import { openaiChat } from './wire/openai-chat.ts';
import { openaiResponses } from './wire/openai-responses.ts';
import { asJson, type WireFormat, type WrittenReply } from './wire/wire-format.ts';

/** A promise that never resolves keeps the client waiting. */
export type ModelScript = (request: ModelRequest) => ModelReply | Promise<ModelReply>;

export interface ScriptedModelServer {
  /** Without a path. */
  readonly url: string;
  /** All requests for a message in order of arrival, including background requests. */
  readonly requests: readonly ModelRequest[];
  /** Requests that the server could not answer. A test expects none, because clients may hide an API error. */
  readonly failures: readonly string[];
  close(): Promise<void>;
}

const WIRE_FORMATS: readonly WireFormat[] = [anthropicMessages, openaiResponses, openaiChat, gemini];

/** Other requests get an empty answer, and requests to count tokens get any number. */
const ANYTHING_ELSE = asJson({ input_tokens: 1, totalTokens: 1 });

/** Starts a server on the loopback interface that implements the vendors' APIs with `script` as the model. */
export async function startScriptedModelServer(script: ModelScript): Promise<ScriptedModelServer> {
  const requests: ModelRequest[] = [];
  const failures: string[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { pathname } = new URL(request.url ?? '/', 'http://loopback');
    const format = WIRE_FORMATS.find(({ matches }) => request.method === 'POST' && matches(pathname));
    if (format === undefined) return send(response, 200, ANYTHING_ELSE);
    const parsed = format.parse(JSON.parse(body), pathname);
    const id = requests.push(parsed);
    send(response, 200, format.write(await script(parsed), parsed, id));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      failures.push(`${request.method} ${request.url}: ${error}`);
      // An invalid request is the one error that clients do not retry.
      const detail = { type: 'invalid_request_error', message: String(error) };
      send(response, 400, asJson({ type: 'error', error: detail }));
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    failures,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, status: number, { contentType, body }: WrittenReply): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-cache' });
  response.end(body);
}
