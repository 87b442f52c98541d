import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname, sep } from 'node:path';

/** Changes come together (a lock, a temporary file, its rename), so one call handles those within this time. */
const DEBOUNCE_MS = 50;
/** How often changes are read that no file event reports. */
const POLL_MS = 5000;

/**
 * Calls a function now, and whenever something changes in the directories. Calls never overlap.
 *
 * @param directories returns absolute paths; called before each call, because directories come and go. A missing directory
 * is noticed through the directory in which it appears, if that is one of them; within five seconds otherwise
 * @param onChange returns whether to call it again in five seconds without a change: the end of a process changes no file
 * @returns stops watching
 */
export function watchFiles(
  directories: () => readonly string[],
  onChange: () => Promise<boolean>,
): () => void {
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isDue = false;
  let isStopped = false;

  const schedule = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(run, ms);
  };
  const noticeChange = () => {
    if (isDue || isStopped) return;
    isDue = true;
    if (!isRunning) schedule(DEBOUNCE_MS);
  };
  async function run() {
    isDue = false;
    isRunning = true;
    const isWatchingAll = updateWatchers();
    const needsPolling = await onChange();
    isRunning = false;
    if (isStopped) return;
    if (isDue) schedule(DEBOUNCE_MS);
    else if (needsPolling || !isWatchingAll) schedule(POLL_MS);
  }

  /** @returns false when changes in one of the directories get no event */
  function updateWatchers(): boolean {
    const paths = new Set(directories());
    for (const path of watchers.keys()) if (!paths.has(path)) unwatch(path);
    return [...paths].map((path) => watchDirectory(path, paths)).every((isWatched) => isWatched);
  }
  function watchDirectory(path: string, paths: ReadonlySet<string>): boolean {
    if (watchers.has(path)) return true;
    try {
      const watcher = watch(path, (event, name) => {
        // A directory reports its own removal by its own name. A new directory of that name needs a new watcher.
        if (event === 'rename' && name === basename(path)) unwatch(path);
        noticeChange();
      });
      watcher.on('error', () => {
        unwatch(path);
        noticeChange();
      });
      watchers.set(path, watcher);
      return true;
    } catch (error) {
      const isMissing = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
      return isMissing && paths.has(dirname(path));
    }
  }
  /** Includes the directories below: they get no event when a directory above them is moved away. */
  function unwatch(path: string): void {
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
