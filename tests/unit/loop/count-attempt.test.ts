import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { countAttempt } from '../../../src/loop/count-attempt.ts';
import type { StopEvent } from '../../../src/loop/stop-event.ts';
import { stopEvent } from '../../helpers/stop-event.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const now = new Date(2026, 0, 31, 10, 30, 0);
const STATE = { task: 't', iteration: 0, started_at: '2026-01-31T10:30:00.000000' };

/** Stops one after another; `writable: false` has a file where the state's directory should be. */
async function stops(
  n: number,
  { writable = true, maxIterations = 5, keep = true, event = {} as Partial<StopEvent> },
) {
  const root = temporaryTree({ file: '', 'spare/': '' });
  const path = join(root, writable ? 'state.json' : 'file/state.json');
  const rules = { maxIterations, stateTimeoutMinutes: 30, spareDirectory: async () => join(root, 'spare') };
  const loop = { key: 't', path, keepAfterReset: keep };
  const stop = () => countAttempt(loop, stopEvent(event), rules, now);
  const attempts = [];
  for (let i = 0; i < n; i++) attempts.push(await stop());
  return { attempts, path, stop };
}

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

describe('where the project cannot be written', () => {
  test('a stop is blocked only if the host says that it does not go on already', async () => {
    const rows = [false, true, undefined].map(async (continuing) =>
      blocks((await stops(1, { writable: false, event: { continuing } })).attempts),
    );

    expect(await Promise.all(rows)).toEqual([[true], [false], [false]]);
  });

  test('the cap holds all the same, by a count kept elsewhere', async () => {
    const { attempts } = await stops(6, { writable: false, event: { continuing: false } });

    expect(blocks(attempts)).toEqual([true, true, true, true, false, false]);
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
