/**
 * Milliseconds since the process started, on a clock that never goes back. The global `performance` would tell the
 * same, but takes longer to load than a hook for an ignored stop takes in all.
 */
export function uptimeMs(): number {
  return process.uptime() * 1000;
}

/** Something that may happen, and that need not be waited for any longer. */
export interface Wait {
  readonly promise: Promise<void>;
  readonly cancel: () => void;
}

/** Resolves when the signal aborts; never without one. */
export function onceAborted(signal: AbortSignal | undefined): Wait {
  let cancel = () => {};
  const promise = new Promise<void>((resolve) => {
    const onAbort = () => resolve();
    signal?.addEventListener('abort', onAbort);
    cancel = () => signal?.removeEventListener('abort', onAbort);
  });
  return { promise, cancel };
}

/** Resolves after a while. */
export function after(ms: number): Wait {
  let cancel = () => {};
  const promise = new Promise<void>((resolve) => {
    const timeout = setTimeout(resolve, ms);
    cancel = () => clearTimeout(timeout);
  });
  return { promise, cancel };
}

/** Waits for a promise, but no longer than `ms`, and leaves no timer behind. */
export async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  const timeUp = after(ms);
  await Promise.race([promise, timeUp.promise]);
  timeUp.cancel();
}
