import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A transcript on the disk. */
export interface FoundFile {
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

const MAX_DEPTH = 6;

/**
 * The files in a directory and below it whose path, relative to it, has a form. Symbolic links below it are not followed:
 * they may lead in a circle.
 *
 * @param onUnreadable is given the directories that exist and cannot be read
 */
export function* findFiles(
  directory: string,
  form: RegExp,
  onUnreadable: (path: string, error: NodeJS.ErrnoException) => void,
  below = '',
  depth = 0,
): Generator<FoundFile> {
  for (const entry of entriesOf(join(directory, below), onUnreadable)) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory() && depth < MAX_DEPTH)
      yield* findFiles(directory, form, onUnreadable, path, depth + 1);
    else if (entry.isFile() && form.test(path)) {
      const stats = statSync(join(directory, path), { throwIfNoEntry: false });
      if (stats) yield { path: join(directory, path), bytes: stats.size, changedAt: stats.mtimeMs };
    }
  }
}

function entriesOf(directory: string, onUnreadable: Parameters<typeof findFiles>[2]) {
  try {
    return readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    if (!['ENOENT', 'ENOTDIR'].includes(failure.code ?? '')) onUnreadable(directory, failure);
    return [];
  }
}
