import type { KnownHost } from './host.ts';

const ONLY_REMINDER =
  'This is the only reminder of this turn: Kimi Code does not call the hook again before it ends. Run the gates yourself before you stop.';

/**
 * Kimi Code. It continues a turn once, and calls the hook no more before the turn ends; `stop_hook_active` is always false.
 * A Stop of a subagent looks like one of the main agent. It shows the person nothing of what a hook says at a stop.
 */
export const kimi: KnownHost<'kimi'> = {
  name: 'kimi',
  title: 'Kimi Code',
  recognizes: ({ client_type }) => client_type === 'kimi_code_cli',
  translate: ({ stop_hook_active: _, prompt, ...event }) => ({ ...event, prompt: promptText(prompt) }),
  block: (reason) => deny(`${reason}\n\n${ONLY_REMINDER}`),
  rejectPrompt: deny,
  answerExtras: [],
  showsAtPrompt: true,
  promptContext: (_, message) => ({ hookSpecificOutput: { message } }),
  timeout: { unit: 's', defaultSeconds: 30, limitSeconds: 600 },
  blockCap: 1,
  projectFiles: ['.kimi-code'],
  executable: 'kimi',
  hookFile: {
    path: '~/.kimi-code/config.toml',
    otherPaths: [],
    userDirectory: { path: '~/.kimi-code', variable: 'KIMI_CODE_HOME' },
    isOfUser: true,
    isFoundBelow: true,
    events: { main: 'Stop', prompt: 'UserPromptSubmit' },
    form: 'flat',
    hasMatcher: false,
    commandKey: 'command',
    timeoutKey: 'timeout',
    entry: {},
    projectDirectory: '$(git rev-parse --show-toplevel 2>/dev/null || pwd)',
    needsSilence: true,
  },
  sampleStop: (event) => ({ event: { ...event, client_type: 'kimi_code_cli' }, env: {} }),
};

function deny(permissionDecisionReason: string): object {
  return { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason } };
}

/** The text of a prompt, which is a list of parts. */
function promptText(prompt: unknown): unknown {
  if (!Array.isArray(prompt)) return prompt;
  return prompt.flatMap((part) => (typeof part?.text === 'string' ? [part.text] : [])).join('\n');
}
