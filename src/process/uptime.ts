/**
 * Milliseconds since the process started, on a clock that never goes back. The global `performance` would tell the
 * same, but takes longer to load than a hook for an ignored stop takes in all.
 */
export function uptimeMs(): number {
  return process.uptime() * 1000;
}
