import { CLAUDE_HOOK_FILE, CLAUDE_PROJECT_DIR, type KnownHost } from './host.ts';

/**
 * Devin CLI, as its documentation describes it; not driven. An event has no directory. The default timeout is not documented: the
 * shortest of the other hosts is assumed.
 */
export const devin: KnownHost<'devin'> = {
  name: 'devin',
  title: 'Devin CLI',
  recognizes: ({ prompt_id }, { DEVIN_PROJECT_DIR }) =>
    DEVIN_PROJECT_DIR !== undefined && typeof prompt_id === 'string',
  answerExtras: [],
  timeout: { unit: 's', defaultSeconds: 30 },
  projectVariables: ['DEVIN_PROJECT_DIR', CLAUDE_PROJECT_DIR],
  runsClaudeHooks: true,
  projectFiles: ['.devin'],
  executable: 'devin',
  hookFile: {
    path: '.devin/config.json',
    otherPaths: ['.devin/config.local.json', '~/.config/devin/config.json'],
    ...CLAUDE_HOOK_FILE,
    events: { main: 'Stop', prompt: 'UserPromptSubmit' },
    hasMatcher: false,
    projectDirectory: '$DEVIN_PROJECT_DIR',
  },
  sampleStop: (event) => ({ event: { ...event, prompt_id: event.session_id }, env: {} }),
};
