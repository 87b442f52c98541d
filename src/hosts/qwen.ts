import { CLAUDE_FORM, type KnownHost, quoted } from './host.ts';

/**
 * Qwen Code. Older versions say at the first stop already that they are continuing. A Stop hook that takes longer than a
 * minute ends the whole run, whatever its timeout is (0.15.10 and 0.24.4; QwenLM/qwen-code#11688).
 */
export const qwen: KnownHost = {
  name: 'qwen',
  title: 'Qwen Code',
  recognises: ({ session_id, timestamp }, env) =>
    (env.QWEN_CODE_SESSION_ID !== undefined && env.QWEN_CODE_SESSION_ID === session_id) ||
    (env.QWEN_PROJECT_DIR !== undefined && typeof timestamp === 'string'),
  translate: ({ stop_hook_active: _, ...event }) => event,
  answerKeys: ['decision', 'reason', 'warnings', 'systemMessage'],
  // Below 1000, 0.24 reads seconds; 0.15 never does.
  timeout: { unit: 'ms', secondsBelow: 1000, defaultSeconds: 60, limitSeconds: 60 },
  blockCap: 8,
  mcpFile: '.qwen/settings.json',
  hookFile: {
    path: '.qwen/settings.json',
    otherPaths: ['~/.qwen/settings.json'],
    ...CLAUDE_FORM,
    entry: { type: 'command', name: 'ralph-loop' },
    inProject: (path) => `"\${QWEN_PROJECT_DIR}/${quoted(path)}"`,
    needsSilence: true,
  },
};
