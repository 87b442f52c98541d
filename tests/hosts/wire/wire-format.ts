import type { ModelReply } from '../model-reply.ts';
import type { ModelRequest } from '../model-request.ts';

/** The part of a vendor's API that the clients use. */
export interface WireFormat {
  readonly name: string;
  /** Whether a POST to this path requests the next message of the model. */
  matches(pathname: string): boolean;
  /** @param body the parsed JSON of the request */
  parse(body: unknown, pathname: string): ModelRequest;
  /** @param id unique for each reply */
  write(reply: ModelReply, request: ModelRequest, id: number): WrittenReply;
}

export interface WrittenReply {
  readonly contentType: 'application/json' | 'text/event-stream';
  readonly body: string;
}

export function asJson(document: object): WrittenReply {
  return { contentType: 'application/json', body: JSON.stringify(document) };
}

/** Returns server-sent events, each named by its `type` if it has one. */
export function asEventStream(events: readonly object[]): WrittenReply {
  const body = events.map((event) => {
    const name = 'type' in event ? `event: ${event.type}\n` : '';
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  return { contentType: 'text/event-stream', body: body.join('') };
}
