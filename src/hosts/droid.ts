import { CLAUDE_FORM, type KnownHost, quoted } from './host.ts';

/** Factory Droid. A subagent is a session of its own, whose Stop can be blocked; its SubagentStop cannot. */
export const droid: KnownHost = {
  name: 'droid',
  title: 'Factory Droid',
  recognises: (_, env) => env.FACTORY_PROJECT_DIR !== undefined,
  skipReason: ({ hook_event_name: name }) =>
    name === 'SubagentStop'
      ? "Droid honours no block here; the child session's own stop is judged"
      : undefined,
  answerKeys: ['decision', 'reason', 'warnings'],
  timeout: { unit: 's', defaultSeconds: 60 },
  mcpFile: '.factory/mcp.json',
  hookFile: {
    path: '.factory/settings.json',
    otherPaths: ['.factory/settings.local.json', '~/.factory/settings.json'],
    ...CLAUDE_FORM,
    events: { main: 'Stop', prompt: 'UserPromptSubmit' },
    hasMatcher: false,
    inProject: (path) => `"$FACTORY_PROJECT_DIR/${quoted(path)}"`,
  },
};
