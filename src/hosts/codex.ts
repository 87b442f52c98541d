import { CLAUDE_FORM, type KnownHost, quoted } from './host.ts';

/** Codex CLI. One key that it does not know, and it lets the agent stop. */
export const codex: KnownHost = {
  name: 'codex',
  title: 'Codex',
  recognises: ({ turn_id }) => typeof turn_id === 'string',
  answerKeys: ['decision', 'reason', 'systemMessage'],
  timeout: { unit: 's', defaultSeconds: 600 },
  trust:
    'Codex skips hooks that it was not told to trust: start codex here, trust the project, and trust the hook in its /hooks screen.',
  mcpFile: '.codex/config.toml',
  hookFile: {
    path: '.codex/hooks.json',
    otherPaths: ['~/.codex/hooks.json'],
    ...CLAUDE_FORM,
    // It sets no variable, and may be started anywhere in the repository.
    inProject: (path) => `"$(git rev-parse --show-toplevel 2>/dev/null || pwd)/${quoted(path)}"`,
  },
};
