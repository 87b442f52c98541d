import type { CallToolResult } from '@modelcontextprotocol/server';

/** Something that a call could not be done for, in words for the agent. */
export interface Problem {
  readonly problem: string;
}

/**
 * A tool's answer on the wire. Some clients show agents the text alone, others (Claude Code) the structure alone, so
 * the text stands in both. A problem is an error of the tool, which the agent reads; one of the protocol it would not.
 */
export function toolAnswer(answer: { readonly content: string } | Problem): CallToolResult {
  if ('problem' in answer) return { content: [{ type: 'text', text: answer.problem }], isError: true };
  return { content: [{ type: 'text', text: answer.content }], structuredContent: { ...answer } };
}
