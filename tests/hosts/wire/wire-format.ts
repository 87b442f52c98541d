import type { ModelReply } from '../model-reply.ts';
import type { ModelRequest } from '../model-request.ts';

/** How a client asks its model, and how the model answers: a vendor's API, as far as the clients need it. */
export interface WireFormat {
  readonly name: string;
  /** Whether a POST to this path asks the model for its next message. */
  matches(pathname: string): boolean;
  /** @param body the parsed JSON of the request */
  parse(body: unknown, pathname: string): ModelRequest;
  /** @param id unlike that of any other reply */
  write(reply: ModelReply, request: ModelRequest, id: number): WrittenReply;
}

export interface WrittenReply {
  readonly contentType: 'application/json' | 'text/event-stream';
  readonly body: string;
}

export function asJson(document: object): WrittenReply {
  return { contentType: 'application/json', body: JSON.stringify(document) };
}

/** Server-sent events, each named by its `type` where it has one. */
export function asEventStream(events: readonly object[]): WrittenReply {
  const body = events.map((event) => {
    const name = 'type' in event ? `event: ${event.type}\n` : '';
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  return { contentType: 'text/event-stream', body: body.join('') };
}
