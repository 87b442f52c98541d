import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ModelReply, replyDocument, replyEvents } from './model-reply.ts';
import { type ModelRequest, parseModelRequest } from './model-request.ts';

export type ModelScript = (request: ModelRequest) => ModelReply;

export interface ScriptedModelServer {
  readonly url: string;
  /** Every request for a message, in order of arrival, those of background errands included. */
  readonly requests: readonly ModelRequest[];
  /** What the server could not answer. A test wants this empty, since clients bury an API error in their own way. */
  readonly failures: readonly string[];
  close(): Promise<void>;
}

/** Speaks enough of Anthropic's Messages API on loopback for a real client to believe that `script` is its model. */
export async function startScriptedModelServer(script: ModelScript): Promise<ScriptedModelServer> {
  const requests: ModelRequest[] = [];
  const failures: string[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { pathname } = new URL(request.url ?? '/', 'http://loopback');
    if (request.method !== 'POST') return sendJson(response, 200, {});
    if (pathname.endsWith('/count_tokens')) return sendJson(response, 200, { input_tokens: 1 });
    if (pathname !== '/v1/messages') return sendJson(response, 200, {});
    const raw = JSON.parse(body);
    const parsed = parseModelRequest(raw);
    requests.push(parsed);
    const id = requests.length;
    const reply = script(parsed);
    if (raw.stream !== true) return sendJson(response, 200, replyDocument(reply, parsed.model, id));
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.end(replyEvents(reply, parsed.model, id));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      failures.push(`${request.method} ${request.url}: ${error}`);
      // An invalid request is the one error that clients do not retry.
      const detail = { type: 'invalid_request_error', message: String(error) };
      sendJson(response, 400, { type: 'error', error: detail });
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

function sendJson(response: ServerResponse, status: number, document: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(document));
}
