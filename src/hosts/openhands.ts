import { CLAUDE_HOOK_FILE, type KnownHost } from './host.ts';

/**
 * OpenHands, as its documentation describes it; not driven. Its file may have Claude Code's event names. The person reads the
 * reason, and the agent reads `additionalContext`.
 */
export const openhands: KnownHost<'openhands'> = {
  name: 'openhands',
  title: 'OpenHands',
  recognizes: ({ event_type, working_dir }) =>
    typeof event_type === 'string' && typeof working_dir === 'string',
  translate: ({ event_type, working_dir, message, ...event }) => ({
    ...event,
    hook_event_name: event.hook_event_name ?? event_type,
    cwd: working_dir,
    prompt: event.prompt ?? message,
  }),
  block: deny,
  rejectPrompt: deny,
  answerExtras: [],
  promptContext: (_, additionalContext) => ({ additionalContext }),
  timeout: { unit: 's', defaultSeconds: 60 },
  projectVariables: ['OPENHANDS_PROJECT_DIR'],
  projectFiles: ['.openhands'],
  executable: 'openhands',
  hookFile: {
    path: '.openhands/hooks.json',
    otherPaths: [],
    ...CLAUDE_HOOK_FILE,
    events: { main: 'Stop', prompt: 'UserPromptSubmit' },
    hasMatcher: false,
    projectDirectory: '$OPENHANDS_PROJECT_DIR',
  },
  sampleStop: ({ hook_event_name, cwd, ...event }) => ({
    event: { ...event, event_type: hook_event_name, working_dir: cwd },
    env: {},
  }),
};

function deny(reason: string): object {
  return { decision: 'deny', reason, additionalContext: reason };
}
