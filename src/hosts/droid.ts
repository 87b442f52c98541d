import { CLAUDE_HOOK_FILE, CLAUDE_PROJECT_DIR, type KnownHost } from './host.ts';

/**
 * Factory Droid. A subagent is a session of its own, whose Stop can be blocked; its SubagentStop cannot. Nobody has measured
 * what reaches the agent after an edit: Droid needs a login.
 */
export const droid: KnownHost<'droid'> = {
  name: 'droid',
  title: 'Factory Droid',
  recognizes: (_, env) => env.FACTORY_PROJECT_DIR !== undefined,
  skipReason: ({ hook_event_name: name }) =>
    name === 'SubagentStop'
      ? 'Droid ignores a block of SubagentStop; the Stop of the child session is checked'
      : undefined,
  answerExtras: ['warnings'],
  timeout: { unit: 's', defaultSeconds: 60 },
  projectVariables: ['FACTORY_PROJECT_DIR', CLAUDE_PROJECT_DIR],
  projectFiles: ['.factory'],
  executable: 'droid',
  mcpFile: '.factory/mcp.json',
  hookFile: {
    path: '.factory/settings.json',
    otherPaths: ['.factory/settings.local.json', '~/.factory/settings.json'],
    ...CLAUDE_HOOK_FILE,
    events: { main: 'Stop', prompt: 'UserPromptSubmit' },
    hasMatcher: false,
    projectDirectory: '$FACTORY_PROJECT_DIR',
  },
  sampleStop: (event) => ({ event, env: {} }),
};
