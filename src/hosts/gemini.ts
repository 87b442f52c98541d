import { CLAUDE_FORM, type KnownHost, quoted } from './host.ts';

/**
 * Gemini CLI. It has no subagents. Its word on whether it is continuing is false after any tool call; what it gives as
 * the response is all of them since the prompt, joined by line breaks.
 */
export const gemini: KnownHost = {
  name: 'gemini',
  title: 'Gemini CLI',
  recognises: ({ hook_event_name }) => hook_event_name === 'AfterAgent',
  translate: ({ prompt_response, stop_hook_active: _, ...event }) => ({
    ...event,
    hook_event_name: 'Stop',
    last_assistant_message: prompt_response,
  }),
  answerKeys: ['decision', 'reason', 'warnings', 'systemMessage'],
  saysWholeTurn: true,
  timeout: { unit: 'ms', defaultSeconds: 60 },
  trust: 'Gemini runs hooks in trusted folders only: start gemini here once, and trust the folder.',
  mcpFile: '.gemini/settings.json',
  hookFile: {
    path: '.gemini/settings.json',
    otherPaths: ['~/.gemini/settings.json'],
    ...CLAUDE_FORM,
    events: { main: 'AfterAgent', prompt: 'BeforeAgent' },
    hasMatcher: false,
    entry: { type: 'command', name: 'ralph-loop' },
    // Without the braces it would put the directory there itself, in quotes of its own.
    inProject: (path) => `"\${GEMINI_PROJECT_DIR}/${quoted(path)}"`,
    needsSilence: true,
  },
};
