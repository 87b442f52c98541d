import {
  closeSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { makeDirectories, removeEmptyTree } from './directories.ts';
import type { FileWrite } from './plan-restoration.ts';
import type { BlobSink } from './read-batch.ts';
import { EXECUTABLE, LINK } from './read-tracked.ts';
import { ancestorsOf, onDisk, parentOf } from './tree-path.ts';

/** Written first, and given its name when it is whole. What a killed restoration leaves of it, the next takes away. */
const HALF_WRITTEN = '.ralph-restoring';

/**
 * Opens a file or a symbolic link of the working tree for its bytes. It takes its place when it is whole.
 *
 * @throws Refusal where its directory is none any more
 */
export function openFile(top: string, { path, mode }: FileWrite): BlobSink {
  makeDirectories(top, ancestorsOf(path));
  const target = onDisk(top, path);
  const half = onDisk(top, `${parentOf(path)}/${HALF_WRITTEN}`);
  removeEmptyTree(top, path);
  rmSync(half, { force: true });
  return mode === LINK ? linkSink(half, target) : fileSink(half, target, mode === EXECUTABLE);
}

function fileSink(half: Buffer, target: Buffer, isExecutable: boolean): BlobSink {
  const stats = lstatSync(target, { throwIfNoEntry: false });
  const before = stats?.isFile() ? stats : undefined;
  // Who may not read the file may not read the half of it either.
  const file = openSync(half, 'wx', before?.mode);
  return {
    write: (bytes) => writeFileSync(file, bytes),
    end: () => {
      // A checkpoint knows of one bit: whoever may read may run. The others stay as they are.
      const { mode } = before ?? fstatSync(file);
      fchmodSync(file, (isExecutable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111) & 0o7777);
      closeSync(file);
      renameSync(half, target);
    },
  };
}

function linkSink(half: Buffer, target: Buffer): BlobSink {
  const pieces: Buffer[] = [];
  return {
    write: (bytes) => pieces.push(bytes),
    end: () => {
      symlinkSync(Buffer.concat(pieces), half);
      renameSync(half, target);
    },
  };
}
