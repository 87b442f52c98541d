import type { StopEvent } from '../hosts/types.ts';

/**
 * Whether a stop is one that the project wants guarded.
 *
 * @param agents agent types, matched exactly
 * @returns why not, or undefined where it is
 */
export function unguardedReason(event: StopEvent, agents: readonly string[]): string | undefined {
  if (event.finishPhase) return 'the finish phase is not guarded';
  if (event.agent === '') return 'the event names no agent';
  if (event.agent === 'main' && !event.isMain) return 'a subagent called "main" is not the main agent';
  if (!agents.includes(event.agent)) return `agent "${event.agent}" is not among ${agents.join(', ')}`;
  return undefined;
}
