import type { RuleName, Severity } from './rules.ts';

/** One way in which a change made the judge weaker. */
export interface Finding {
  readonly rule: RuleName;
  readonly severity: Severity;
  /** Relative to the project. */
  readonly path: string;
  /** Counts from 1, in the changed file, or in the file of the base where it is gone; undefined for the whole file. */
  readonly line?: number | undefined;
  /** What became weaker: a clause that makes sense alone, such as "`adds up` is skipped". */
  readonly message: string;
  /** The reason why a comment of the base allows it: then its severity is `low`. */
  readonly allowed?: string;
}

/** A file of the project that differs from the base. */
export interface FileChange {
  /** Relative to the project; the path in the base if the file is gone. */
  readonly path: string;
  /** The path in the base, where the file was renamed. */
  readonly oldPath?: string | undefined;
  /** The text in the base; undefined if the file is new. */
  readonly before: string | undefined;
  /** The text now; undefined if the file is gone, or is not read. */
  readonly after: string | undefined;
  /** Why a file that is there is not read: a clause such as "has more than 1 MB". */
  readonly unread?: string | undefined;
}

/** What changed in a project, and the rest of it as far as a rule asks for it. */
export interface ProjectChange {
  readonly changes: readonly FileChange[];
  /** The text of any file of the project as it is now; undefined if there is none. */
  readonly read: (path: string) => string | undefined;
  /** Where a link of the project leads, as it is written; undefined for anything else. Without it, no link is compared. */
  readonly readLink?: (path: string) => string | undefined;
}
