/** Something that `doctor` looked at, and how it is. */
export interface Finding {
  /** What it is about: the config, the gates, the state, or a host by its title. */
  readonly about: string;
  /** `error`: as it is, it keeps the hook from working. */
  readonly level: 'ok' | 'warning' | 'error';
  readonly what: string;
  /** What to do about it. */
  readonly mend?: string;
}

/** Makes findings that are all about the same. */
export type MakeFinding = (level: Finding['level'], what: string, mend?: string) => Finding;
