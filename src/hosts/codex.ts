import type { Host } from './host.ts';

/** Codex CLI. One key that it does not know, and it lets the agent stop. */
export const codex: Host = {
  name: 'codex',
  recognises: ({ turn_id }) => typeof turn_id === 'string',
  answerKeys: ['decision', 'reason', 'systemMessage'],
  timeout: { unit: 's', defaultSeconds: 600 },
};
