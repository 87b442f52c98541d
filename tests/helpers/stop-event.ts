import type { StopEvent } from '../../src/loop/stop-event.ts';

/** A stop of Claude Code's check agent, where nothing else is said. */
export function stopEvent(fields: Partial<StopEvent> = {}): StopEvent {
  return {
    host: 'claude-code',
    agent: 'check',
    agentId: undefined,
    sessionId: undefined,
    cwd: undefined,
    message: '',
    finishPhase: false,
    continuing: undefined,
    ...fields,
  };
}
