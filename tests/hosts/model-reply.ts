/** What the scripted model says: words, or one call of a tool. */
export type ModelReply = { readonly text: string } | ToolCall;

export interface ToolCall {
  readonly tool: string;
  /** Of the tool, where the API has such. */
  readonly namespace?: string;
  readonly input: Readonly<Record<string, unknown>>;
}
