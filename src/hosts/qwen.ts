import { type KnownHost, quoted } from './host.ts';

/** Qwen Code. Older versions say at the first stop already that they are continuing. */
export const qwen: KnownHost = {
  name: 'qwen',
  title: 'Qwen Code',
  recognises: ({ session_id, timestamp }, env) =>
    (env.QWEN_CODE_SESSION_ID !== undefined && env.QWEN_CODE_SESSION_ID === session_id) ||
    (env.QWEN_PROJECT_DIR !== undefined && typeof timestamp === 'string'),
  translate: ({ stop_hook_active: _, ...event }) => event,
  answerKeys: ['decision', 'reason', 'warnings', 'systemMessage'],
  timeout: { unit: 's', defaultSeconds: 600 },
  blockCap: 8,
  hookFile: {
    path: '.qwen/settings.json',
    otherPaths: ['~/.qwen/settings.json'],
    events: { main: 'Stop', subagent: 'SubagentStop' },
    form: 'grouped',
    hasMatcher: true,
    commandKey: 'command',
    timeoutKey: 'timeout',
    entry: { type: 'command', name: 'ralph-loop' },
    inProject: (path) => `"\${QWEN_PROJECT_DIR}/${quoted(path)}"`,
    needsSilence: true,
  },
};
