import { type FSWatcher, watch } from 'node:fs';
import { basename, sep } from 'node:path';

/** Changes come in flocks (a lock, a temporary file, its new name): they are looked at together. */
const GATHER_MS = 50;
/** How soon is looked again at what no file tells. */
const AGAIN_MS = 5000;

/**
 * Calls `look` now, and whenever something has changed in the directories; never while a call goes on.
 *
 * @param directories absolute paths as they are to be watched now; asked before each look, since they come and go. One
 * that is not there yet is noticed by the directory that it appears in, if that is watched
 * @param look returns whether it is to be called again in five seconds without any change: processes end without a word
 * @returns stops it
 */
export function watchFiles(directories: () => readonly string[], look: () => Promise<boolean>): () => void {
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let isDue = false;
  let isStopped = false;

  const lookIn = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(run, ms);
  };
  const noticeChange = () => {
    if (isDue || isStopped) return;
    isDue = true;
    if (!isLooking) lookIn(GATHER_MS);
  };
  async function run() {
    isDue = false;
    isLooking = true;
    const seesAll = watchAll();
    const looksAgain = await look();
    isLooking = false;
    if (isStopped) return;
    if (isDue) lookIn(GATHER_MS);
    else if (looksAgain || !seesAll) lookIn(AGAIN_MS);
  }

  /** @returns false where the system has no more watches to give */
  function watchAll(): boolean {
    const wanted = new Set(directories());
    for (const path of watchers.keys()) if (!wanted.has(path)) forget(path);
    return [...wanted].map(watchOne).every((watched) => watched);
  }
  function watchOne(path: string): boolean {
    if (watchers.has(path)) return true;
    try {
      const watcher = watch(path, (event, name) => {
        // A directory tells of its own end by its own name. The next one of that name needs a watcher of its own.
        if (event === 'rename' && name === basename(path)) forget(path);
        noticeChange();
      });
      watcher.on('error', () => {
        forget(path);
        noticeChange();
      });
      watchers.set(path, watcher);
      return true;
    } catch (error) {
      return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    }
  }
  /** With all that is below: what lies in a directory that was moved away does not hear of it. */
  function forget(path: string): void {
    for (const [watched, watcher] of watchers) {
      if (watched !== path && !watched.startsWith(path + sep)) continue;
      watcher.close();
      watchers.delete(watched);
    }
  }

  run();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
  };
}
