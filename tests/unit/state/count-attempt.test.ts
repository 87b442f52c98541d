import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { StopEvent } from '../../../src/hosts/types.ts';
import { countAttempt } from '../../../src/state/count-attempt.ts';
import { fallbackCounterPath } from '../../../src/state/fallback-counter.ts';
import type { Patience } from '../../../src/state/state-lock.ts';
import { stopEvent } from '../../helpers/stop-event.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const now = new Date(2026, 0, 31, 10, 30, 0);
const STATE = { task: 't', iteration: 0, started_at: '2026-01-31T10:30:00.000000' };

/**
 * Stops one after another. `writable: false` has a file where the state's directory should be; `spare: false` has one
 * where the places for a spare count should be.
 */
async function stops(
  n: number,
  {
    writable = true,
    directory = '.',
    spare = true,
    maxIterations = 5,
    keep = true,
    event = {} as Partial<StopEvent>,
    patience = {} as Patience,
    files = {},
  },
) {
  const root = temporaryTree({ file: '', 'temporary/': '', ...files });
  vi.stubEnv('TMPDIR', join(root, spare ? 'temporary' : 'file'));
  vi.stubEnv('XDG_STATE_HOME', join(root, 'file/state'));
  const path = join(root, writable ? directory : 'file', 'state.json');
  const rules = { maxIterations, stateTimeoutMinutes: 30 };
  const loop = { key: 't', path, failuresPath: '', keepAfterReset: keep };
  const stop = () => countAttempt(loop, stopEvent(event), rules, now, patience);
  const attempts = [];
  for (let i = 0; i < n; i++) attempts.push(await stop());
  return { attempts, path, stop, root };
}

afterEach(() => {
  vi.unstubAllEnvs();
});

const blocks = (attempts: readonly { mayBlock: boolean }[]) => attempts.map(({ mayBlock }) => mayBlock);

describe('a stop may be blocked up to the cap, and never at it', () => {
  test.each([
    [5, [true, true, true, true, false, false]],
    [2, [true, false, false]],
    [1, [false, false]],
  ])('of %d', async (maxIterations, expected) => {
    const { attempts } = await stops(expected.length, { maxIterations });

    expect(blocks(attempts)).toEqual(expected);
    expect(attempts.map(({ iteration }) => iteration)).toEqual(expected.map((_, i) => i + 1));
    expect(attempts.flatMap(({ notes }) => notes)).toEqual([]);
  });

  test('whatever the host says of going on', async () => {
    expect(blocks((await stops(2, { event: { continuing: true } })).attempts)).toEqual([true, true]);
  });
});

describe('a loop that is reset', () => {
  test("keeps a task's file, as the Python hook leaves it", async () => {
    const { attempts, path } = await stops(3, {});
    await attempts.at(-1)?.reset();

    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(STATE);
  });

  test("removes a session's file", async () => {
    const { attempts, path } = await stops(1, { keep: false });
    await attempts[0]?.reset();

    expect(existsSync(path)).toBe(false);
  });
});

describe('a count is kept', () => {
  test.each([
    ['as it is', () => {}, { ...STATE, iteration: 2 }],
    ['though a gate removed its file', (path: string) => rmSync(path), { ...STATE, iteration: 2 }],
    [
      'and what another hook has counted meanwhile is too',
      (path: string) => writeFileSync(path, JSON.stringify({ ...STATE, iteration: 3 })),
      { ...STATE, iteration: 3 },
    ],
  ])('%s', async (_, meanwhile, expected) => {
    const { attempts, path } = await stops(2, {});
    meanwhile(path);
    await attempts.at(-1)?.keep();

    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(expected);
  });

  test.each([
    ["a session's, with its directory", false, true],
    ["a task's, unless its directory is gone, and the task with it", true, false],
  ])('%s', async (_, keep, isThere) => {
    const { attempts, path } = await stops(2, { directory: 'project', keep });
    rmSync(dirname(path), { recursive: true });
    await attempts.at(-1)?.keep();

    expect(existsSync(path)).toBe(isThere);
  });

  test('up to the cap, though each time a gate removes it', async () => {
    const { attempts, path, stop } = await stops(1, {});
    for (let i = 0; i < 5; i++) {
      rmSync(path);
      await attempts.at(-1)?.keep();
      attempts.push(await stop());
    }

    expect(blocks(attempts)).toEqual([true, true, true, true, false, false]);
  });
});

describe('where the project cannot be written', () => {
  test('a stop is blocked only if the host says that it does not go on already', async () => {
    for (const [continuing, expected] of [
      [false, true],
      [true, false],
      [undefined, false],
    ])
      expect(blocks((await stops(1, { writable: false, event: { continuing } })).attempts)).toEqual([
        expected,
      ]);
  });

  test('the cap holds all the same, by a count kept elsewhere', async () => {
    const { attempts } = await stops(6, { writable: false, event: { continuing: false } });

    expect(blocks(attempts)).toEqual([true, true, true, true, false, false]);
    expect(attempts.map(({ iteration }) => iteration)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("it is kept in this user's own directory, by the loop's path", async () => {
    const { path, root } = await stops(2, { writable: false });
    const spare = fallbackCounterPath(path, process.env);

    expect(spare.startsWith(join(root, 'temporary/'))).toBe(true);
    expect(JSON.parse(readFileSync(spare, 'utf8'))).toEqual({ ...STATE, iteration: 2 });
  });

  test('the count kept elsewhere can be reset', async () => {
    const { attempts, stop } = await stops(3, { writable: false, event: { continuing: false } });
    await attempts.at(-1)?.reset();

    expect((await stop()).iteration).toBe(1);
  });

  test('the log is told why', async () => {
    const { attempts } = await stops(1, { writable: false });

    expect(attempts[0]?.notes).toEqual([expect.stringMatching(/^the loop state cannot be written: \S+/)]);
  });
});

describe('where nothing can be written at all', () => {
  test.each([
    [false, true],
    [true, false],
    [undefined, false],
  ])(
    "each stop is the first, and blocked by the host's word alone: it goes on already: %s",
    async (continuing, mayBlock) => {
      const { attempts } = await stops(2, { writable: false, spare: false, event: { continuing } });

      expect(attempts.map(({ iteration }) => iteration)).toEqual([1, 1]);
      expect(blocks(attempts)).toEqual([mayBlock, mayBlock]);
    },
  );

  test('the log is told of both', async () => {
    const { attempts } = await stops(1, { writable: false, spare: false });

    expect(attempts[0]?.notes).toEqual([
      expect.stringMatching(/^the loop state cannot be written: \S+/),
      expect.stringMatching(/^nor can it elsewhere: \S+/),
    ]);
  });

  test('there is nothing to reset, nor to keep', async () => {
    const { attempts } = await stops(1, { writable: false, spare: false });

    await expect(attempts[0]?.reset()).resolves.toBeUndefined();
    await expect(attempts[0]?.keep()).resolves.toBeUndefined();
  });
});

describe('where another holds the lock', () => {
  const files = { 'state.json.lock': String(process.pid) };
  test.each([
    ['for longer than the hook can wait', { waitMs: 0 }],
    ['and the host ends the hook', { signal: AbortSignal.abort() }],
  ])('%s, the stop is counted elsewhere', async (_, patience) => {
    const { attempts, path } = await stops(1, { files, patience });

    expect(attempts[0]).toMatchObject({ iteration: 1, mayBlock: false });
    expect(attempts[0]?.notes).toEqual([
      `the loop state cannot be written: ${path}.lock is held by process ${process.pid}`,
    ]);
    expect(existsSync(path)).toBe(false);
  });
});
