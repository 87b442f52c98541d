import { CLAUDE_HOOK_FILE, CLAUDE_PROJECT_DIR, hookSpecificOutput, type KnownHost } from './host.ts';

/**
 * Qwen Code. Older versions send `stop_hook_active: true` on the first stop, so it is dropped. A Stop hook that takes
 * longer than a minute ends the whole run, whatever its timeout is (0.15.10 and 0.24.4; QwenLM/qwen-code#11688).
 */
export const qwen: KnownHost<'qwen'> = {
  name: 'qwen',
  title: 'Qwen Code',
  recognizes: ({ session_id, timestamp }, env) =>
    (env.QWEN_CODE_SESSION_ID !== undefined && env.QWEN_CODE_SESSION_ID === session_id) ||
    (env.QWEN_PROJECT_DIR !== undefined && typeof timestamp === 'string'),
  translate: ({ stop_hook_active: _, crons, ...event }) => ({ ...event, session_crons: crons }),
  // Also without a terminal (measured on 0.24.4).
  wakesMainAgent: () => true,
  answerExtras: ['warnings', 'systemMessage'],
  promptContext: hookSpecificOutput,
  editContext: hookSpecificOutput,
  // 0.24 reads numbers below 1000 as seconds; 0.15 never does.
  timeout: { unit: 'ms', secondsBelow: 1000, defaultSeconds: 60, limitSeconds: 60 },
  blockCap: 8,
  projectVariables: ['QWEN_PROJECT_DIR', CLAUDE_PROJECT_DIR],
  projectFiles: ['.qwen', 'QWEN.md'],
  executable: 'qwen',
  mcpFile: '.qwen/settings.json',
  hookFile: {
    path: '.qwen/settings.json',
    otherPaths: ['~/.qwen/settings.json'],
    ...CLAUDE_HOOK_FILE,
    // 0.24 accepts Claude Code's names too; 0.15 does not.
    editTools: 'edit|write_file|notebook_edit',
    switches: ['enabled', 'disabled', 'notifications'],
    entry: { type: 'command', name: 'ralph-loop' },
    projectDirectory: `\${QWEN_PROJECT_DIR}`,
    needsSilence: true,
  },
  sampleStop: (event) => ({
    event: { ...event, timestamp: new Date(0).toISOString() },
    env: { QWEN_CODE_SESSION_ID: event.session_id },
  }),
};
