import type { StopEvent } from '../../src/hosts/types.ts';

/** A stop of Claude Code's check agent, where nothing else is said; one of `main` is the main agent's. */
export function stopEvent(fields: Partial<StopEvent> = {}): StopEvent {
  return {
    host: 'claude-code',
    isMain: fields.agent === 'main',
    agent: 'check',
    agentId: undefined,
    sessionId: undefined,
    cwd: undefined,
    message: '',
    isWholeTurn: false,
    transcriptPath: undefined,
    skipReason: undefined,
    finishPhase: false,
    continuing: undefined,
    ...fields,
  };
}
