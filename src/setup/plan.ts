import type { FileChange, PresentFile } from './file-change.ts';

/** Changes to files, what there is to say of them, and what stands in their way. */
export interface Plan {
  readonly changes: readonly FileChange[];
  readonly remarks: readonly string[];
  readonly problems: readonly string[];
}

/** Reads a file of the project, by its path in it. */
export type ReadFile = (path: string) => PresentFile;

export const NOTHING: Plan = { changes: [], remarks: [], problems: [] };

export function joined(plans: readonly Plan[]): Plan {
  return {
    changes: plans.flatMap(({ changes }) => changes),
    remarks: plans.flatMap(({ remarks }) => remarks),
    problems: plans.flatMap(({ problems }) => problems),
  };
}

/** A plan on top of another one: a file that both change is changed once, by both. */
export function planOnTop(earlier: Plan, read: ReadFile, more: (read: ReadFile) => Plan): Plan {
  const changed = (path: string) => earlier.changes.find((change) => change.path === path);
  const later = more((path) => {
    const change = changed(path);
    return change ? { text: change.after } : read(path);
  });
  const changes = later.changes.map((change) => ({
    ...change,
    before: (changed(change.path) ?? change).before,
  }));
  const others = earlier.changes.filter(({ path }) => !changes.some((change) => change.path === path));
  return joined([
    { ...earlier, changes: others },
    { ...later, changes },
  ]);
}
