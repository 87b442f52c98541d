import type { Checkpoint } from '../../checkpoint/store.ts';

/** `main at 1a2b3c4` */
export function headOf({ branch, head }: Pick<Checkpoint, 'branch' | 'head'>): string {
  return `${branch ?? 'no branch'} ${head === null ? 'without a commit' : `at ${shortCommit(head)}`}`;
}

export function shortCommit(commit: string): string {
  return commit.slice(0, 7);
}

export function leftAloneLines(paths: readonly string[]): string[] {
  return paths.length === 0
    ? []
    : ['Not saved, and never touched, as git does not look into it:', ...paths.map((path) => `  ${path}`)];
}
