import { CLAUDE_HOOK_FILE, hookSpecificOutput, type InstalledHook, type KnownHost } from './host.ts';

/**
 * Codex CLI. It drops an answer with a key that it does not know, and allows the stop. No event follows an `apply_patch` that
 * the agent calls in its shell (0.169.0).
 */
export const codex: KnownHost<'codex'> = {
  name: 'codex',
  title: 'Codex',
  recognizes: ({ turn_id }) => typeof turn_id === 'string',
  answerExtras: ['systemMessage'],
  promptContext: hookSpecificOutput,
  editContext: hookSpecificOutput,
  timeout: { unit: 's', defaultSeconds: 600 },
  projectFiles: ['.codex'],
  executable: 'codex',
  mcpFile: '.codex/config.toml',
  hookFile: {
    path: '.codex/hooks.json',
    otherPaths: ['~/.codex/hooks.json'],
    userDirectory: { path: '~/.codex', variable: 'CODEX_HOME' },
    onlyKeys: ['hooks'],
    isFoundBelow: true,
    ...CLAUDE_HOOK_FILE,
    editTools: 'apply_patch',
    // Codex sets no variable, and can be started in any directory of the repository.
    projectDirectory: '$(git rev-parse --show-toplevel 2>/dev/null || pwd)',
  },
  // As Codex 0.169.0 stores it.
  trust: {
    instructions:
      'Codex skips hooks that are not trusted: start codex here, trust the project, then trust the hook in its /hooks screen.',
    findProblem({ root, hooks, env, lookUp, sha256 }) {
      const file = `${env.CODEX_HOME ?? '~/.codex'}/config.toml`;
      if (lookUp(file, 'projects', root, 'trust_level') !== 'trusted')
        return {
          level: 'error',
          message: `${file} does not mark this project as trusted: Codex skips its hooks.`,
        };
      const hashes = hooks
        .filter((hook) => hook.file.startsWith('.codex/'))
        .map((hook) => ({
          hook,
          hash: lookUp(file, 'hooks', 'state', stateKey(root, hook), 'trusted_hash'),
        }));
      const untrusted = hashes.find(({ hash }) => hash === undefined);
      if (untrusted)
        return {
          level: 'error',
          message: `${file} does not mark the hook at ${untrusted.hook.event} as trusted: Codex skips it.`,
        };
      const changed = hashes.find(({ hook, hash }) => hash !== `sha256:${sha256(hashedForm(hook))}`);
      return (
        changed && {
          level: 'warning',
          message: `The hook at ${changed.hook.event} seems to have changed since it was trusted in Codex.`,
        }
      );
    },
  },
  sampleStop: (event) => ({ event: { ...event, turn_id: event.session_id }, env: {} }),
};

/** `<file>:<event>:<index of the group>:<index of the hook>` */
function stateKey(root: string, { file, event, path }: InstalledHook): string {
  const [, , group, , hook] = path;
  return `${root}/${file}:${snakeCase(event)}:${group}:${hook}`;
}

/** The JSON whose SHA-256 Codex stores (read in the source of 0.169.0, checked against what it wrote). */
function hashedForm({ event, matcher, command, timeout }: InstalledHook): string {
  const hook = { async: false, command, timeout: timeout ?? 600, type: 'command' };
  return JSON.stringify({
    event_name: snakeCase(event),
    hooks: [hook],
    ...(matcher !== undefined && { matcher }),
  });
}

function snakeCase(event: string): string {
  return event.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}
