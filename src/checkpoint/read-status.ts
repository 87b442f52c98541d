import { isOwnState, shownPath } from './tree-path.ts';

/** What `git status` tells of a working tree. */
export interface Status {
  /** Null before the first commit. */
  readonly head: string | null;
  /** Null where HEAD is detached. */
  readonly branch: string | null;
  /** Tracked files that are not on disk what they are in the index. */
  readonly changed: readonly string[];
  readonly untracked: readonly string[];
  /** Files; and directories, whose names end in a slash. */
  readonly ignored: readonly string[];
  /** Repositories that are no submodules; their names end in a slash. */
  readonly nested: readonly string[];
  /** How many files are not as in HEAD. */
  readonly differing: number;
  /** Why none of this can be saved. */
  readonly problem: string | undefined;
}

/** Asks for the form of the status that `readStatus` reads. */
export const STATUS_ARGS = [
  'status',
  '--porcelain=v2',
  '-z',
  '--branch',
  '--no-ahead-behind',
  '--no-renames',
  '--untracked-files=all',
  '--ignored=matching',
  '--ignore-submodules=none',
];

/** How many fields stand before the path in a line, by its first letter: a tracked, an unmerged, an unknown file. */
const FIELDS_BEFORE_PATH: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1, '!': 1 };

export function readStatus(output: string): Status {
  const lines = output.split('\0');
  const header = (name: string) =>
    lines.find((line) => line.startsWith(`# ${name} `))?.slice(`# ${name} `.length) ?? '';
  const entries = lines.flatMap(entryOf);
  const pathsOf = (kind: string) => entries.flatMap((entry) => (entry.kind === kind ? [entry.path] : []));
  const untracked = pathsOf('?');
  const [oid, branch] = [header('branch.oid'), header('branch.head')];
  return {
    head: oid === '(initial)' ? null : oid,
    branch: branch === '(detached)' ? null : Buffer.from(branch, 'latin1').toString(),
    changed: entries.flatMap(({ kind, status, path }) => (kind === '1' && status[1] !== '.' ? [path] : [])),
    untracked: untracked.filter((path) => !path.endsWith('/')),
    ignored: pathsOf('!'),
    nested: untracked.filter((path) => path.endsWith('/')),
    differing: entries.filter(({ kind }) => kind !== '!').length,
    problem: entries.map(problemOf).find((problem) => problem !== undefined),
  };
}

interface Entry {
  readonly kind: string;
  /** How it differs from HEAD to the index, and from there to the disk: two letters, `.` for not at all. */
  readonly status: string;
  /** Of a submodule `S`, and three letters: whether it is at another commit, has changes, has untracked files. */
  readonly submodule: string;
  readonly path: string;
}

function entryOf(line: string): Entry[] {
  const fields = line.split(' ');
  const [kind = '', status = '', submodule = ''] = fields;
  const count = FIELDS_BEFORE_PATH[kind];
  if (count === undefined) return [];
  const path = fields.slice(count).join(' ');
  return isOwnState(path) ? [] : [{ kind, status, submodule, path }];
}

function problemOf({ kind, submodule, path }: Entry): string | undefined {
  if (kind === 'u') return `${shownPath(path)} is not merged: resolve it, \`git add\` it, and try again`;
  if (kind !== '1' || !/^S.(?:M|.U)/.test(submodule)) return undefined;
  return `the submodule ${shownPath(path)} has changes of its own, which no checkpoint of this repository can hold: commit or stash them in it, and try again`;
}
