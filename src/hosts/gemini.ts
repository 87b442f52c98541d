import { CLAUDE_HOOK_FILE, CLAUDE_PROJECT_DIR, hookSpecificOutput, type KnownHost } from './host.ts';

const EVENTS = { main: 'AfterAgent', prompt: 'BeforeAgent', edit: 'AfterTool' } as const;

/**
 * Gemini CLI. It has no subagents. Its `stop_hook_active` is false after every tool call, so it is dropped;
 * `prompt_response` joins all responses since the prompt with line breaks.
 */
export const gemini: KnownHost<'gemini'> = {
  name: 'gemini',
  title: 'Gemini CLI',
  recognizes: ({ hook_event_name: name }) => Object.values(EVENTS).some((event) => event === name),
  translate: ({ prompt_response, stop_hook_active: _, ...event }) => ({
    ...event,
    last_assistant_message: prompt_response,
  }),
  answerExtras: ['warnings', 'systemMessage'],
  promptContext: hookSpecificOutput,
  editContext: hookSpecificOutput,
  sendsWholeTurn: true,
  timeout: { unit: 'ms', defaultSeconds: 60 },
  projectVariables: ['GEMINI_PROJECT_DIR', CLAUDE_PROJECT_DIR],
  projectFiles: ['.gemini', 'GEMINI.md'],
  executable: 'gemini',
  mcpFile: '.gemini/settings.json',
  hookFile: {
    path: '.gemini/settings.json',
    otherPaths: ['~/.gemini/settings.json'],
    ...CLAUDE_HOOK_FILE,
    events: EVENTS,
    editTools: 'replace|write_file',
    hasMatcher: false,
    switches: ['enabled', 'disabled', 'notifications'],
    entry: { type: 'command', name: 'ralph-loop' },
    // Without the braces, Gemini itself would insert the directory in quotes of its own.
    projectDirectory: `\${GEMINI_PROJECT_DIR}`,
    needsSilence: true,
    disablesHooks: ({ hooksConfig }) =>
      (hooksConfig as { readonly enabled?: unknown } | null | undefined)?.enabled === false,
  },
  // As Gemini CLI 0.61.0 stores it.
  trust: {
    instructions: 'Gemini runs hooks only in trusted folders: start gemini here once and trust the folder.',
    findProblem({ env, lookUp, isProjectIn }) {
      const file = '~/.gemini/trustedFolders.json';
      const isTrusted = Object.entries(lookUp(file) as object).some(
        ([folder, trust]) => trust === 'TRUST_FOLDER' && isProjectIn(folder),
      );
      const isDisabled =
        lookUp('~/.gemini/settings.json', 'security', 'folderTrust', 'enabled') === false ||
        env.GEMINI_CLI_TRUST_WORKSPACE === 'true';
      return isTrusted || isDisabled
        ? undefined
        : { level: 'error', message: `${file} does not list this folder as trusted.` };
    },
  },
  sampleStop: (event) => ({ event: { ...event, prompt_response: 'done' }, env: {} }),
};
