import type { StopEvent } from '../../src/hosts/types.ts';

/** Returns a stop in Claude Code, by default of the check agent; the agent `main` is the main agent. */
export function stopEvent(fields: Partial<StopEvent> = {}): StopEvent {
  return {
    host: 'claude-code',
    isMain: fields.agent === 'main',
    agent: 'check',
    agentId: undefined,
    sessionId: undefined,
    cwd: undefined,
    projectDirectories: [],
    message: '',
    isWholeTurn: false,
    transcriptPath: undefined,
    skipReason: undefined,
    background: undefined,
    contextEvent: undefined,
    finishPhase: false,
    continuing: undefined,
    ...fields,
  };
}
