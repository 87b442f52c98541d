import type { Host } from './host.ts';

/** Factory Droid. A subagent is a session of its own, whose Stop can be blocked; its SubagentStop cannot. */
export const droid: Host = {
  name: 'droid',
  recognises: (_, env) => env.FACTORY_PROJECT_DIR !== undefined,
  translate: (event) =>
    event.hook_event_name === 'SubagentStop'
      ? { why: "Droid honours no block here; the child session's own stop is judged" }
      : { event },
  ignoresUnknownKeys: true,
  showsSystemMessage: false,
  timeoutSeconds: 60,
};
