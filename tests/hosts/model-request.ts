/** What a client told the model in one request, flattened to text: all that a script decides on and a test asserts. */
export interface ModelRequest {
  readonly model: string;
  /** The client wants the reply as a stream of events. */
  readonly streamed: boolean;
  readonly system: string;
  /** Names of the tools that the model may call. */
  readonly tools: readonly string[];
  readonly messages: readonly ModelMessage[];
}

export interface ModelMessage {
  /** `user`, `assistant`, or what else the API knows; results of tools are nobody's words: `tool`. */
  readonly role: string;
  readonly text: string;
}

/** The newest words of the user, who is also the voice of hooks. Clients may add `system` messages after them. */
export function lastUserText(request: ModelRequest): string {
  return request.messages.findLast(({ role }) => role === 'user')?.text ?? '';
}
