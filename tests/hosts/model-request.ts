/** A request to the model, flattened to the text that scripts and tests use. */
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
  /** `user`, `assistant` or another role of the API; `tool` for results of tools. */
  readonly role: string;
  readonly text: string;
}

/** Returns the latest user message, which may come from a hook. Clients may add `system` messages after it. */
export function lastUserText(request: ModelRequest): string {
  return request.messages.findLast(({ role }) => role === 'user')?.text ?? '';
}
