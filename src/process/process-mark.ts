/** A process, told from another one that has got its number since. */
export interface ProcessMark {
  readonly pid: number;
  /** When it started, as the system tells it; null where it does not. */
  readonly started: string | null;
}

/** What the system tells of a process: its state, as `ps` abbreviates it, and when it started. */
export interface ProcessLook {
  readonly state: string;
  readonly started: string;
}
