/** What the scripted model says: words, or one call of a tool. */
export type ModelReply = { readonly text: string } | ToolCall;

export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}
