import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * Makes a directory with files in it, for the running test alone.
 *
 * @param files content by path; a path that ends in a slash is an empty directory
 * @returns its absolute path, symbolic links resolved
 */
export function temporaryTree(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph unit ')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    const target = join(root, path);
    mkdirSync(path.endsWith('/') ? target : dirname(target), { recursive: true });
    if (!path.endsWith('/')) writeFileSync(target, content);
  }
  return root;
}

/** Gives the running test a state directory of the user. Without one, state is in the tree. */
export function temporaryHome(): string {
  const home = temporaryTree();
  const before = process.env.XDG_STATE_HOME;
  process.env.XDG_STATE_HOME = home;
  onTestFinished(() => {
    process.env.XDG_STATE_HOME = before;
  });
  return home;
}
