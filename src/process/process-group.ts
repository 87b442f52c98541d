/**
 * Signals every process of a group.
 *
 * @param leader pid of the group's leader, as spawned with `detached: true`
 * @returns false where there is nothing left to signal
 */
export function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch {
    // ESRCH: all gone. EPERM: macOS says so of a group of zombies.
    return false;
  }
}
