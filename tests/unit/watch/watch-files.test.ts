import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchFiles } from '../../../src/watch/watch-files.ts';
import { eventually } from '../../helpers/eventually.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

/** Watches `a` and `a/b`, or their root until they exist. */
function watching(root: string, onChange: () => Promise<boolean>): void {
  const path = (name: string) => join(root, name);
  const directories = () => (existsSync(path('a')) ? [path('a'), path('a/b')] : [root]);
  onTestFinished(watchFiles(directories, onChange));
}

test('watchFiles reports every change while directories come and go', async () => {
  const root = temporaryTree();
  const path = (name: string) => join(root, name);
  let seen = '';
  watching(root, async () => {
    const isFile = existsSync(path('a/b/file'));
    seen = isFile ? readFileSync(path('a/b/file'), 'utf8') : existsSync(path('a')) ? 'a' : 'nothing';
    return false;
  });
  const isSeen = (what: string) => eventually(`"${what}" is seen`, () => seen === what);
  /** A call about an earlier change cannot see the third text. */
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
  await fileIsWatched('made again');
  renameSync(path('a'), path('gone'));
  mkdirSync(path('a/b'), { recursive: true });
  await fileIsWatched('moved away and made again');
  rmSync(path('a'), { recursive: true });
  await isSeen('nothing');
  mkdirSync(path('a/b'), { recursive: true });
  await fileIsWatched('gone and made again');
});

test('watchFiles reports a change during a call after the call', async () => {
  const root = temporaryTree({ 'a/b/file': '' });
  let finishCall: () => void = () => {};
  let calls = 0;
  watching(root, async () => {
    calls += 1;
    await new Promise<void>((resolve) => {
      finishCall = resolve;
    });
    return false;
  });
  // A second watcher shows when the change would have been reported.
  let otherCalls = 0;
  watching(root, async () => {
    otherCalls += 1;
    return false;
  });
  await eventually('both are called', () => calls === 1 && otherCalls === 1);
  writeFileSync(join(root, 'a/b/file'), '1');
  await eventually('the second watcher is called again', () => otherCalls > 1);
  expect(calls).toBe(1);
  finishCall();
  await eventually('the change is reported', () => calls === 2);
  finishCall();
});

test('watchFiles calls again without a change when the callback asks for it', async () => {
  let calls = 0;
  watching(temporaryTree({ 'a/b/': '' }), async () => {
    calls += 1;
    return true;
  });
  await eventually('a second call', () => calls === 2);
});

test('watchFiles reports the changes in a directory that appeared during a call', async () => {
  const root = temporaryTree();
  const directory = join(root, 'outside/state');
  const seen: boolean[] = [];
  const onChange = async () => {
    if (seen.length === 0) mkdirSync(directory, { recursive: true });
    seen.push(existsSync(join(directory, 'file')));
    return false;
  };
  onTestFinished(watchFiles(() => [directory], onChange));
  writeFileSync(join(directory, 'file'), '');
  await eventually('the file is seen', () => seen.at(-1));
});
