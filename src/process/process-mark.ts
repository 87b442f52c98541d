/** A process, told from another one that has got its number since. */
export interface ProcessMark {
  readonly pid: number;
  /** When it started, as the system tells it; null where it does not. */
  readonly started: string | null;
}
