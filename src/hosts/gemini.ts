import type { Host } from './host.ts';

/** Gemini CLI. It has no subagents; its word on whether it is continuing is false after any tool call. */
export const gemini: Host = {
  name: 'gemini',
  recognises: ({ hook_event_name }) => hook_event_name === 'AfterAgent',
  translate: ({ prompt_response, stop_hook_active: _, ...event }) => ({
    ...event,
    hook_event_name: 'Stop',
    last_assistant_message: prompt_response,
  }),
  answerKeys: ['decision', 'reason', 'warnings', 'systemMessage'],
  timeout: { unit: 'ms', defaultSeconds: 60 },
};
