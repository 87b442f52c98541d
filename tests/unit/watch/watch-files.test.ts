import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchFiles } from '../../../src/watch/watch-files.ts';
import { eventually } from '../../helpers/eventually.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

/** Watches `a`, and `a/b`, from the directory that they lie in. */
function watching(root: string, look: () => Promise<boolean>): void {
  const path = (name: string) => join(root, name);
  const directories = () => (existsSync(path('a')) ? [path('a'), path('a/b')] : [root]);
  onTestFinished(watchFiles(directories, look));
}

test('every change is looked at, whichever directories come and go', async () => {
  const root = temporaryTree();
  const path = (name: string) => join(root, name);
  let seen = '';
  watching(root, async () => {
    const isFile = existsSync(path('a/b/file'));
    seen = isFile ? readFileSync(path('a/b/file'), 'utf8') : existsSync(path('a')) ? 'a' : 'nothing';
    return false;
  });
  const isSeen = (what: string) => eventually(`"${what}" is seen`, () => seen === what);
  /** The third cannot be seen by a look at what came before. */
  const fileIsWatched = async (name: string) => {
    for (const text of [`${name} 1`, `${name} 2`, `${name} 3`]) {
      writeFileSync(path('a/b/new'), text);
      renameSync(path('a/b/new'), path('a/b/file'));
      await isSeen(text);
    }
  };
  await isSeen('nothing');
  mkdirSync(path('a'));
  await isSeen('a');
  mkdirSync(path('a/b'));
  await fileIsWatched('made');
  rmSync(path('a/b'), { recursive: true });
  mkdirSync(path('a/b'));
  await fileIsWatched('made anew');
  renameSync(path('a'), path('gone'));
  mkdirSync(path('a/b'), { recursive: true });
  await fileIsWatched('moved away and made anew');
  rmSync(path('a'), { recursive: true });
  await isSeen('nothing');
  mkdirSync(path('a/b'), { recursive: true });
  await fileIsWatched('gone and made anew');
});

test('what changes while it is looked is looked at afterwards, never at the same time', async () => {
  const root = temporaryTree({ 'a/b/file': '' });
  let goOn: () => void = () => {};
  let looks = 0;
  watching(root, async () => {
    looks += 1;
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    return false;
  });
  // Another one tells when the change would have been looked at.
  let others = 0;
  watching(root, async () => {
    others += 1;
    return false;
  });
  await eventually('both look', () => looks === 1 && others === 1);
  writeFileSync(join(root, 'a/b/file'), '1');
  await eventually('the other one looks again', () => others > 1);
  expect(looks).toBe(1);
  goOn();
  await eventually('the change is looked at', () => looks === 2);
  goOn();
});

test('what no file tells is looked at again', async () => {
  let looks = 0;
  watching(temporaryTree({ 'a/b/': '' }), async () => {
    looks += 1;
    return true;
  });
  await eventually('a second look', () => looks === 2);
});
