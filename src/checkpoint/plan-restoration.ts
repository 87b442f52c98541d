import type { Checkpoint } from './checkpoint.ts';
import { SUBMODULE } from './read-tracked.ts';
import { Refusal } from './refusal.ts';
import type { Repository } from './repository.ts';
import type { SavedState } from './save-state.ts';
import { partOf } from './state-tree.ts';
import { ancestorsOf, shownPath } from './tree-path.ts';

export interface FileWrite {
  readonly path: string;
  readonly mode: string;
  readonly blob: string;
}

/** What makes the working tree what a checkpoint holds. */
export interface Restoration {
  /** Files that were made since; all of them are in the present state as it was saved. */
  readonly removals: readonly string[];
  readonly writes: readonly FileWrite[];
  /** Directories in which no file was saved then. */
  readonly directories: readonly string[];
  /** Directories that may have been made since; those that hold nothing go. */
  readonly prunable: readonly string[];
}

/**
 * Compares the present state, as it was saved, with a checkpoint.
 *
 * @throws Refusal where a submodule would have to change: what it holds is in no checkpoint
 */
export async function planRestoration(
  { git }: Repository,
  { tree, directories: present }: SavedState,
  { commit }: Checkpoint,
): Promise<Restoration> {
  const [differences, unsaved, directories] = await Promise.all([
    git([
      'diff-tree',
      '-r',
      '-z',
      '--raw',
      '--no-renames',
      '--ignore-submodules=none',
      partOf(tree, 'worktree'),
      partOf(commit, 'worktree'),
    ]),
    git(['cat-file', 'blob', partOf(commit, 'unsaved')]),
    git(['cat-file', 'blob', partOf(commit, 'directories')]),
  ]);
  const changes = readDifferences(differences);
  const submodule = changes.find(({ from, mode }) => from === SUBMODULE || mode === SUBMODULE);
  if (submodule) throw new Refusal(submoduleWording(submodule));
  // What was there without being saved is there still, though git may no longer be told to ignore it.
  const isUnsaved = within(new Set(unsaved.split('\0')));
  const removals = changes.flatMap(({ path, mode }) => (mode === NONE && !isUnsaved(path) ? [path] : []));
  return {
    removals,
    writes: changes.filter(({ mode }) => mode !== NONE),
    directories: directories.split('\0').filter(Boolean),
    prunable: [...new Set([...removals, ...present.map((path) => `${path}/`)].flatMap(ancestorsOf))].filter(
      (path) => !isUnsaved(path),
    ),
  };
}

/** The mode where there is no file. */
const NONE = '000000';

interface Difference extends FileWrite {
  /** The mode that it has now. */
  readonly from: string;
}

/** `:<mode now> <mode then> <blob now> <blob then> <letter>\0<path>\0`, again and again. */
function readDifferences(output: string): Difference[] {
  const fields = output.split('\0');
  return fields.flatMap((field, index) => {
    if (index % 2 === 1 || field === '') return [];
    const [from = '', mode = '', , blob = ''] = field.slice(1).split(' ');
    return [{ from, mode, blob, path: fields[index + 1] ?? '' }];
  });
}

/** @param paths of files, and of directories with a slash at the end */
function within(paths: ReadonlySet<string>): (path: string) => boolean {
  return (path) =>
    [path, ...ancestorsOf(`${path}/`).map((directory) => `${directory}/`)].some((one) => paths.has(one));
}

function submoduleWording({ path, from, mode, blob }: Difference): string {
  const name = shownPath(path);
  if (from === mode)
    return `the submodule ${name} is at another commit than then, and only you know what is in it: \`git -C ${name} checkout ${blob}\`, and try again`;
  return `${name} is ${from === SUBMODULE ? 'a submodule now, and was none then' : 'no submodule any more'}: put that right, and try again`;
}
