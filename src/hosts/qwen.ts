import type { Host } from './host.ts';

/** Qwen Code. Older versions say at the first stop already that they are continuing. */
export const qwen: Host = {
  name: 'qwen',
  recognises: ({ session_id, timestamp }, env) =>
    (env.QWEN_CODE_SESSION_ID !== undefined && env.QWEN_CODE_SESSION_ID === session_id) ||
    (env.QWEN_PROJECT_DIR !== undefined && typeof timestamp === 'string'),
  translate: ({ stop_hook_active: _, ...event }) => event,
  answerKeys: ['decision', 'reason', 'warnings', 'systemMessage'],
  timeout: { unit: 's', defaultSeconds: 600 },
  blockCap: 8,
};
