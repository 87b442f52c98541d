import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { startTimeOf } from '../../../src/process/process-group.ts';
import { withLock } from '../../../src/state/json-store.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const LOCK = 'state.json.lock';
const ALIVE = String(process.pid);
const THIS = `${process.pid} ${startTimeOf(process.pid) ?? ''}`;
/** Above the largest pid that a system gives. */
const DEAD = '99999999';
const SECOND = 1000;

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

    expect(await withLock(join(root, 'state.json'), () => readFileSync(lock, 'utf8'))).toBe(THIS);
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
    ['whose holder is dead', DEAD, 2],
    ['whose holder is dead after the clock was set back', DEAD, -3600],
    ['whose pid another process has now', `${ALIVE} 1`, 2],
    ['that does not say when it started, though the system does', ALIVE, 2],
    ['without a pid', '', 2],
    ['without a pid, of a clock that was set back', '', -2],
    ['with what is no pid', 'x', 2],
    ['with a pid of 0, which is every process of the group', '0', 2],
    ['with a pid below 0, which is a group', '-1', 2],
    ['with a pid that is no whole number', '1.5', 2],
  ])('%s', async (_, holder, secondsAgo) => {
    const { path, root } = lockedTree(holder, secondsAgo);

    expect(await withLock(path, () => readFileSync(join(root, LOCK), 'utf8'))).toBe(THIS);
    expect(readdirSync(root)).toEqual([]);
  });

  test('died, even if the process that began to break it died too', async () => {
    const { path, root, lock } = lockedTree(DEAD, 2);
    mkdirSync(`${lock}.breaking`);
    setAge(`${lock}.breaking`, 4);

    expect(await withLock(path, () => 'done')).toBe('done');
    expect(readdirSync(root)).toEqual([]);
  });

  test('died, but not while another process breaks it', async () => {
    const { path, lock } = lockedTree(DEAD, 2);
    mkdirSync(`${lock}.breaking`);

    expect(await settled(withLock(path, () => 'done', { waitMs: 50 }))).toBe(
      `${lock} is held by process ${DEAD}`,
    );
  });
});

describe('withLock respects the lock of a process that', () => {
  test.each([
    ['whose holder is alive', THIS, 0, `process ${ALIVE}`],
    ['whose holder has been stopped', THIS, 3600, `process ${ALIVE}`],
    ['whose holder has a clock that is ahead', THIS, -3600, `process ${ALIVE}`],
    ['that may run in another PID namespace', DEAD, 0, `process ${DEAD}`],
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
  test('and then gets the lock', async () => {
    const { path, lock } = lockedTree(THIS);
    const work = vi.fn(() => 'done');
    const waiting = withLock(path, work);
    await setTimeout(20);

    expect(work).not.toHaveBeenCalled();
    rmSync(lock);
    expect(await waiting).toBe('done');
  });

  test('until its signal is aborted', async () => {
    const { path, lock } = lockedTree(THIS);
    const controller = new AbortController();
    const waiting = settled(withLock(path, () => 'done', { signal: controller.signal, waitMs: 600_000 }));
    controller.abort();

    expect(await waiting).toBe(`${lock} is held by process ${ALIVE}`);
  });

  test('but takes a free lock even if its signal is aborted', async () => {
    const root = temporaryTree();
    const patience = { waitMs: 0, signal: AbortSignal.abort() };

    expect(await withLock(join(root, 'state.json'), () => existsSync(join(root, LOCK)), patience)).toBe(true);
  });

  test('and breaks a lock that names no process after a second', async () => {
    const { path } = lockedTree('');

    expect(await withLock(path, () => 'done')).toBe('done');
  });
});
