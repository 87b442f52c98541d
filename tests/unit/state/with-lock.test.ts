import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { withLock } from '../../../src/state/json-store.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const LOCK = 'state.json.lock';
const ALIVE = String(process.pid);
/** Above the largest pid that a system gives. */
const DEAD = '99999999';
const SECOND = 1000;

afterEach(() => {
  vi.useRealTimers();
});

/** A lock as its holder left it, so many seconds ago. */
function lockedTree(holder: string, secondsAgo = 0) {
  const root = temporaryTree({ [LOCK]: holder });
  const lock = join(root, LOCK);
  setAge(lock, secondsAgo);
  return { root, path: join(root, 'state.json'), lock };
}

function setAge(path: string, seconds: number): void {
  const time = new Date(Date.now() - seconds * SECOND);
  utimesSync(path, time, time);
}

/** What became of it: the result, or the error's message. */
const settled = (promise: Promise<unknown>) => promise.then(String, (error: Error) => error.message);

describe('withLock', () => {
  test('removes the lock after the work', async () => {
    const root = temporaryTree();
    const lock = join(root, LOCK);

    expect(await withLock(join(root, 'state.json'), () => readFileSync(lock, 'utf8'))).toBe(ALIVE);
    expect(readdirSync(root)).toEqual([]);
  });

  test('removes the lock when the work throws', async () => {
    const root = temporaryTree();
    const fails = () => {
      throw new Error('no');
    };

    await expect(withLock(join(root, 'state.json'), fails)).rejects.toThrow('no');
    expect(readdirSync(root)).toEqual([]);
  });

  test('creates the directory of the lock', async () => {
    const directory = join(temporaryTree(), 'a/b');

    expect(await withLock(join(directory, 'state.json'), () => readdirSync(directory))).toEqual([LOCK]);
  });

  test('rejects when the lock cannot be written', async () => {
    const root = temporaryTree({ file: '' });

    await expect(withLock(join(root, 'file/state.json'), () => {})).rejects.toThrow('ENOTDIR');
  });

  // A holder that was stopped for long finds its lock broken, and taken by the next.
  test("keeps another process's lock", async () => {
    const root = temporaryTree();
    await withLock(join(root, 'state.json'), () => writeFileSync(join(root, LOCK), DEAD));

    expect(readFileSync(join(root, LOCK), 'utf8')).toBe(DEAD);
  });
});

describe('withLock breaks the lock of a process that', () => {
  test.each([
    ['whose holder is dead', DEAD, 0],
    ['whose holder is dead after the clock was set back', DEAD, -3600],
    ['whose holder has been stopped', ALIVE, 11],
    ['whose holder has been stopped after the clock was set back', ALIVE, -11],
    ['without a pid', '', 2],
    ['without a pid, of a clock that was set back', '', -2],
    ['with what is no pid', 'x', 2],
    ['with a pid of 0, which is every process of the group', '0', 2],
    ['with a pid below 0, which is a group', '-1', 2],
    ['with a pid that is no whole number', '1.5', 2],
  ])('%s', async (_, holder, secondsAgo) => {
    const { path, root } = lockedTree(holder, secondsAgo);

    expect(await withLock(path, () => readFileSync(join(root, LOCK), 'utf8'))).toBe(ALIVE);
    expect(readdirSync(root)).toEqual([]);
  });

  test('died, even if the process that began to break it died too', async () => {
    const { path, root, lock } = lockedTree(DEAD);
    mkdirSync(`${lock}.breaking`);
    setAge(`${lock}.breaking`, 11);

    expect(await withLock(path, () => 'done')).toBe('done');
    expect(readdirSync(root)).toEqual([]);
  });

  test('died, but not while another process breaks it', async () => {
    const { path, lock } = lockedTree(DEAD);
    mkdirSync(`${lock}.breaking`);

    expect(await settled(withLock(path, () => 'done', { waitMs: 50 }))).toBe(
      `${lock} is held by process ${DEAD}`,
    );
  });
});

describe('withLock respects the lock of a process that', () => {
  test.each([
    ['whose holder is alive', ALIVE, 0, `process ${ALIVE}`],
    ['whose holder has held it for a while', ALIVE, 8, `process ${ALIVE}`],
    ['whose holder has a clock that is slightly ahead', ALIVE, -8, `process ${ALIVE}`],
    ['whose holder is about to write its pid', '', 0, 'process unknown'],
  ])('%s', async (_, holder, secondsAgo, words) => {
    const { path, lock } = lockedTree(holder, secondsAgo);
    const work = vi.fn();

    expect(await settled(withLock(path, work, { waitMs: 50 }))).toBe(`${lock} is held by ${words}`);
    expect(work).not.toHaveBeenCalled();
    expect(readFileSync(lock, 'utf8')).toBe(holder);
  });
});

describe('withLock waits for another process', () => {
  /** The outcome, once so many milliseconds have passed; undefined where it still waits. */
  async function after(ms: number, waiting: Promise<string>): Promise<string | undefined> {
    let outcome: string | undefined;
    waiting.then((result) => {
      outcome = result;
    });
    await vi.advanceTimersByTimeAsync(ms);
    return outcome;
  }

  test('and then gets the lock', async () => {
    const { path, lock } = lockedTree(ALIVE);
    vi.useFakeTimers();
    const waiting = settled(withLock(path, () => 'done'));

    expect(await after(3000, waiting)).toBeUndefined();
    // Its holder is done.
    writeFileSync(lock, DEAD);
    expect(await after(100, waiting)).toBe('done');
  });

  test.each([
    ['for five seconds', {}, 4400, 5200],
    ['for less time if it has less', { waitMs: 200 }, 150, 300],
    ['for no more than five seconds if it has more time', { waitMs: 600_000 }, 4400, 5200],
  ])('%s', async (_, patience, stillWaits, hasGivenUp) => {
    const { path, lock } = lockedTree(ALIVE);
    vi.useFakeTimers();
    const waiting = settled(withLock(path, () => 'done', patience));

    expect(await after(stillWaits, waiting)).toBeUndefined();
    expect(await after(hasGivenUp - stillWaits, waiting)).toBe(`${lock} is held by process ${ALIVE}`);
  });

  test('until its signal is aborted', async () => {
    const { path, lock } = lockedTree(ALIVE);
    const controller = new AbortController();
    vi.useFakeTimers();
    const waiting = settled(withLock(path, () => 'done', { signal: controller.signal }));

    expect(await after(1000, waiting)).toBeUndefined();
    controller.abort();
    expect(await after(20, waiting)).toBe(`${lock} is held by process ${ALIVE}`);
  });

  test('but takes a free lock even if its signal is aborted', async () => {
    const root = temporaryTree();
    const patience = { waitMs: 0, signal: AbortSignal.abort() };

    expect(await withLock(join(root, 'state.json'), () => existsSync(join(root, LOCK)), patience)).toBe(true);
  });

  test('and breaks a lock that has no pid after a second', async () => {
    const { path } = lockedTree('');
    vi.useFakeTimers();
    const waiting = settled(withLock(path, () => 'done'));

    expect(await after(800, waiting)).toBeUndefined();
    expect(await after(500, waiting)).toBe('done');
  });
});
