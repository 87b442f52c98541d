import { setTimeout as pause } from 'node:timers/promises';

/** Far above what any fact needs to come about; only a fact that never does waits so long. */
const PATIENCE_MS = 40_000;
const INTERVAL_MS = 10;

/**
 * Waits until a fact holds, by looking at it again and again.
 *
 * @param what the fact, for the error where it never does: "the gate is running"
 * @returns what the look saw
 */
export async function eventually<T>(what: string, look: () => T | undefined | false | ''): Promise<T> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const seen = look();
    if (seen !== undefined && seen !== false && seen !== '') return seen;
    if (Date.now() > giveUpAt) throw new Error(`never came about: ${what}`);
    await pause(INTERVAL_MS);
  }
}
