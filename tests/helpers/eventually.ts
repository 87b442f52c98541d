import { setTimeout as pause } from 'node:timers/promises';

/** Far above what any condition needs. */
const TIMEOUT_MS = 40_000;
const INTERVAL_MS = 10;

/**
 * Waits until a condition holds, by polling.
 *
 * @param what the condition, for the error message: "the gate is running"
 * @param timeoutMs longer for what takes that long on a loaded machine
 * @returns the result of the last check
 */
export async function eventually<T>(
  what: string,
  check: () => T | undefined | false | '',
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const result = check();
    if (result !== undefined && result !== false && result !== '') return result;
    if (Date.now() > deadline) throw new Error(`timed out waiting until ${what}`);
    await pause(INTERVAL_MS);
  }
}
