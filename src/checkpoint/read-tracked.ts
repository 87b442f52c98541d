/** A path in the index. */
export interface TrackedFile {
  readonly path: string;
  /** As git writes it, such as `FILE`. */
  readonly mode: string;
  readonly blob: string;
  /** Git was told not to look at the disk: assume-unchanged, or skip-worktree as in a sparse checkout. */
  readonly isUnwatched: boolean;
}

export const FILE = '100644';
export const EXECUTABLE = '100755';
/** A symbolic link. */
export const LINK = '120000';
export const SUBMODULE = '160000';

/** Asks for the form of the index that `readTracked` reads. */
export const TRACKED_ARGS = ['ls-files', '-s', '-v', '-z'];

export function readTracked(output: string): TrackedFile[] {
  return output
    .split('\0')
    .filter(Boolean)
    .map((line) => {
      // `H 100644 <blob> 0\t<path>`; a letter other than H is a file that is not looked at.
      const tab = line.indexOf('\t');
      const [tag = '', mode = '', blob = ''] = line.slice(0, tab).split(' ');
      return { path: line.slice(tab + 1), mode, blob, isUnwatched: tag !== 'H' };
    });
}
