import type { Host } from './host.ts';

/** Factory Droid. A subagent is a session of its own, whose Stop can be blocked; its SubagentStop cannot. */
export const droid: Host = {
  name: 'droid',
  recognises: (_, env) => env.FACTORY_PROJECT_DIR !== undefined,
  exempts: ({ hook_event_name: name }) =>
    name === 'SubagentStop'
      ? "Droid honours no block here; the child session's own stop is judged"
      : undefined,
  answerKeys: ['decision', 'reason', 'warnings'],
  timeout: { unit: 's', defaultSeconds: 60 },
};
