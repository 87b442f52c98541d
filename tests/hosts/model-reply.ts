/** A reply of the scripted model: text, or one call of a tool. */
export type ModelReply = { readonly text: string } | ToolCall;

export interface ToolCall {
  readonly tool: string;
  /** The namespace of the tool, if the API has them. */
  readonly namespace?: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What a tool that reads text gets in place of `input`. */
  readonly freeform?: string;
}
