import type { GateOutcome } from '../gates/gate.ts';

/** What failed at the last stop of a loop, or in the last `verify`. */
export interface FailureMemory {
  /** The loop's key; null for `verify`. */
  readonly task: string | null;
  readonly iteration: number | null;
  /** The working tree as it was when the agent was sent back to work; null where git does not tell. */
  readonly tree: string | null;
  readonly gates: readonly RememberedGate[];
}

/** A line of an excerpt: of the output, or a word of ours about what was left out. */
export interface ExcerptLine {
  readonly kind: 'error' | 'plain' | 'note';
  readonly text: string;
}

/** A gate that failed. */
export interface RememberedGate {
  /** When its run ended: UTC, ISO 8601. */
  readonly time: string;
  readonly name: string;
  readonly command: string;
  readonly outcome: GateOutcome;
  readonly duration_ms: number;
  /** Its errors without what differs from run to run: the same errors are the same failure. */
  readonly errors: readonly string[];
  /** The iteration since which it fails in the same way. */
  readonly since: number | null;
  readonly excerpt: readonly ExcerptLine[];
  /** Absolute path of its full output. */
  readonly log: string | null;
}

/**
 * The memory of a loop's previous stop.
 *
 * @returns undefined where it is that of another loop, or of one that was begun again
 */
export function memoryOf(
  memory: FailureMemory | undefined,
  task: string,
  iteration: number,
): FailureMemory | undefined {
  if (memory?.task !== task || memory.iteration === null) return undefined;
  return memory.iteration < iteration ? memory : undefined;
}
