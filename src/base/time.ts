/**
 * Milliseconds since the process started, on a monotonic clock. `performance.now()` takes longer to load than the hook
 * takes to ignore an event.
 */
export function uptimeMs(): number {
  return process.uptime() * 1000;
}

/** A promise, and the function that stops waiting for it. */
interface Wait {
  readonly promise: Promise<void>;
  readonly cancel: () => void;
}

/** Resolves when the signal aborts; never without a signal. */
export function onceAborted(signal: AbortSignal | undefined): Wait {
  let cancel = () => {};
  const promise = new Promise<void>((resolve) => {
    const onAbort = () => resolve();
    signal?.addEventListener('abort', onAbort);
    cancel = () => signal?.removeEventListener('abort', onAbort);
  });
  return { promise, cancel };
}

/** Resolves after `ms` milliseconds. */
export function after(ms: number): Wait {
  let cancel = () => {};
  const promise = new Promise<void>((resolve) => {
    const timeout = setTimeout(resolve, ms);
    cancel = () => clearTimeout(timeout);
  });
  return { promise, cancel };
}

/** Resolves with the promise, or after `ms` milliseconds, and leaves no timer running. */
export async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  const timeUp = after(ms);
  await Promise.race([promise, timeUp.promise]);
  timeUp.cancel();
}
