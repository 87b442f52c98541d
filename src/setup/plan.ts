import { lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { failure, type Result, success } from '../base/result.ts';

/** A change of one file: shown as a diff, written, or reverted. */
export interface FileChange {
  /** Relative to the project's root. */
  readonly path: string;
  /** Undefined if the file does not exist. */
  readonly before: string | undefined;
  /** Undefined if the file is removed. */
  readonly after: string | undefined;
  /** The mode of a new file; the default if absent. */
  readonly mode?: number;
}

/** Changes of files, remarks for the person, and the problems that prevent the changes. */
export interface Plan {
  readonly changes: readonly FileChange[];
  readonly remarks: readonly string[];
  readonly problems: readonly string[];
}

export const EMPTY_PLAN: Plan = { changes: [], remarks: [], problems: [] };

/** Reads a file by its path relative to the project's root; the text is undefined if it does not exist. */
export type ReadFile = (path: string) => Result<string | undefined>;

/**
 * Reads a file that may be edited.
 *
 * @returns its text, undefined if it does not exist; a failure if an edit could lose something
 */
export function readEditableFile(root: string, path: string): Result<string | undefined> {
  const file = join(root, path);
  try {
    // The end of a pipe may never come.
    if (!statSync(file).isFile()) return failure(`${path} is not a file`);
    const bytes = readFileSync(file);
    const text = bytes.toString('utf8');
    return Buffer.from(text).equals(bytes) ? success(text) : failure(`${path} is not UTF-8`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') return failure(`${path} cannot be read: ${message}`);
    const isLink = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
    return isLink ? failure(`${path} is a broken symbolic link`) : success(undefined);
  }
}

/** A file after an edit, or the problems that prevent the edit. */
export type EditedFile = Result<
  {
    /** Undefined removes the file, or does not create it. */
    readonly text: string | undefined;
    readonly remarks?: readonly string[];
  },
  readonly string[]
>;

/** Plans the edit of one file. */
export function planEdit(path: string, read: ReadFile, edit: (text: string | undefined) => EditedFile): Plan {
  const file = read(path);
  if (!file.ok) return { ...EMPTY_PLAN, problems: [file.failure.message] };
  const edited = edit(file.value);
  if (!edited.ok) return { ...EMPTY_PLAN, problems: edited.failure };
  const { text, remarks = [] } = edited.value;
  if (text === file.value) return EMPTY_PLAN;
  return { changes: [{ path, before: file.value, after: text }], remarks, problems: [] };
}

export function joinPlans(plans: readonly Plan[]): Plan {
  return {
    changes: plans.flatMap(({ changes }) => changes),
    remarks: plans.flatMap(({ remarks }) => remarks),
    problems: plans.flatMap(({ problems }) => problems),
  };
}

/** Adds a plan that sees the files as the earlier plan leaves them; a file that both change has one change. */
export function planOnTop(earlier: Plan, read: ReadFile, more: (read: ReadFile) => Plan): Plan {
  const earlierChange = (path: string) => earlier.changes.find((change) => change.path === path);
  const later = more((path) => {
    const change = earlierChange(path);
    return change ? success(change.after) : read(path);
  });
  const changes = later.changes.map((change) => ({
    ...change,
    before: (earlierChange(change.path) ?? change).before,
  }));
  const others = earlier.changes.filter(({ path }) => !changes.some((change) => change.path === path));
  return joinPlans([
    { ...earlier, changes: others },
    { ...later, changes },
  ]);
}
