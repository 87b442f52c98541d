import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { StopEvent } from '../../../src/hosts/types.ts';
import { makeStateDirectory } from '../../../src/state/execution-log.ts';
import type { LockWait } from '../../../src/state/json-store.ts';
import { fallbackCounterPath, stateDirectory } from '../../../src/state/paths.ts';
import {
  cancelStopLoop,
  countAttempt,
  hasTimedOut,
  leftoverFiles,
  nextAttempt,
  nextBlock,
  readStopLoop,
  removeStopLoop,
  resetState,
  type StopLoop,
  stopLoopFiles,
  stopLoopOf,
} from '../../../src/state/stop-loop.ts';
import { stopEvent } from '../../helpers/stop-event.ts';
import { temporaryHome, temporaryTree } from '../../helpers/temporary-tree.ts';

const now = new Date(2026, 0, 31, 10, 30, 0);
const NOW = '2026-01-31T10:30:00.000000';
const EARLIER = '2026-01-31T10:20:00.123456';
const NAME = '.trellis/.ralph-state.json';
const jsonIn = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

const rules = { task: 'tasks/a', stateTimeoutMinutes: 30 };
const state = (fields: Partial<StopLoop>): StopLoop => ({
  task: 'tasks/a',
  iteration: 2,
  started_at: EARLIER,
  ...fields,
});

describe('nextAttempt', () => {
  test.each([
    ['1 without a state', undefined, 1, NOW],
    ['one more than before', state({}), 3, EARLIER],
    ['1 after a reset', state({ iteration: 0 }), 1, EARLIER],
    ['one more beyond every limit', state({ iteration: 41 }), 42, EARLIER],
    ['one more without a time', state({ started_at: null }), 3, null],
    [
      'one more after a time in the future',
      state({ started_at: '2099-01-01T00:00:00' }),
      3,
      '2099-01-01T00:00:00',
    ],
    ['1 after the timeout', state({ started_at: '2026-01-31T09:59:00' }), 1, NOW],
    ['1 after a time that cannot be parsed', state({ started_at: 'x' }), 1, NOW],
    ['1 after a time with a zone', state({ started_at: `${EARLIER}Z` }), 1, NOW],
    ['1 for another task', state({ task: 'tasks/b' }), 1, NOW],
    ['1 for a task that differs in case', state({ task: 'tasks/A' }), 1, NOW],
  ])('counts %s', (_, previous, iteration, startedAt) => {
    expect(nextAttempt(previous, rules, now)).toEqual({ task: 'tasks/a', iteration, started_at: startedAt });
  });

  test.each([
    ['continues', {}],
    ['starts again', { task: 'tasks/b' }],
  ])('keeps unknown keys of a loop that %s', (_, fields) => {
    expect(nextAttempt(state({ ...fields, x: { y: [1] } }), rules, now)).toMatchObject({ x: { y: [1] } });
  });

  test.each([
    '{"task":"tasks/a","iteration":9007199254740991}',
    '{"task":"tasks/a","iteration":-5}',
    '{"task":"tasks/a","started_at":5}',
  ])('reaches the limit within five attempts from the file %s', (content) => {
    let previous = stopLoopOf(JSON.parse(content));
    const iterations = Array.from({ length: 5 }, () => {
      previous = nextAttempt(previous, rules, now);
      return previous.iteration;
    });

    expect(Math.max(...iterations)).toBeGreaterThanOrEqual(5);
  });
});

describe('nextBlock', () => {
  const minutes = (n: number) => new Date(now.getTime() + n * 60_000);
  /** The counts of stops that are so many minutes apart. */
  const counts = (everyMinutes: number, stops: number) => {
    let previous: StopLoop | undefined;
    return Array.from({ length: stops }, (_, n) => {
      previous = nextBlock(previous, rules, minutes(n * everyMinutes));
      return [previous.iteration, previous.blocks];
    });
  };

  test.each([
    [
      'goes on while stops are less than the timeout apart',
      8,
      [
        [1, 1],
        [2, 2],
        [3, 3],
        [4, 4],
        [5, 5],
      ],
    ],
    [
      'goes on at the timeout',
      30,
      [
        [1, 1],
        [2, 2],
        [3, 3],
      ],
    ],
    [
      'starts again after the timeout, but not the count of blocks',
      31,
      [
        [1, 1],
        [1, 2],
        [1, 3],
      ],
    ],
  ])('%s', (_, everyMinutes, expected) => {
    expect(counts(everyMinutes, expected.length)).toEqual(expected);
  });

  test('takes a count of an earlier version over', () => {
    expect(nextBlock(state({}), rules, now)).toMatchObject({ iteration: 3, blocks: 3, started_at: EARLIER });
  });

  test.each([-5, 'x', null])('does not trust a count of blocks of %j', (blocks) => {
    expect(nextBlock(stopLoopOf({ ...state({}), blocks }), rules, now)).toMatchObject({
      iteration: 3,
      blocks: 3,
    });
  });
});

test('resetState changes only the count', () => {
  expect(resetState(state({ x: 1 }))).toEqual({ task: 'tasks/a', iteration: 0, started_at: EARLIER, x: 1 });
});

describe('stopLoopOf', () => {
  test.each([
    ['{"task":"a","iteration":3,"started_at":"t"}', { task: 'a', iteration: 3, started_at: 't' }],
    [
      '{"task":"a","iteration":0,"started_at":null,"x":[1]}',
      { task: 'a', iteration: 0, started_at: null, x: [1] },
    ],
    ['{"task":"a"}', { task: 'a', iteration: 0, started_at: null }],
    ['{}', { task: '', iteration: 0, started_at: null }],
    ['{"task":null,"iteration":1}', { task: '', iteration: 1, started_at: null }],
    ['{"task":5,"iteration":1}', { task: '', iteration: 1, started_at: null }],
    ['{"task":"a","iteration":1.0}', { task: 'a', iteration: 1, started_at: null }],
    // As for Python's truth values: an empty value never expires, any other has expired.
    ['{"task":"a","started_at":""}', { task: 'a', iteration: 0, started_at: '' }],
    ['{"task":"a","started_at":0}', { task: 'a', iteration: 0, started_at: null }],
    ['{"task":"a","started_at":false}', { task: 'a', iteration: 0, started_at: null }],
    ['{"task":"a","started_at":5}', { task: 'a', iteration: 0, started_at: '5' }],
    ['{"task":"a","started_at":true}', { task: 'a', iteration: 0, started_at: 'true' }],
    ['{"task":"a","started_at":{}}', { task: 'a', iteration: 0, started_at: '{}' }],
  ])('accepts %s', (text, expected) => {
    expect(stopLoopOf(JSON.parse(text))).toEqual(expected);
  });

  test.each([
    'null',
    '[]',
    '5',
    '"text"',
    '{"iteration":-1}',
    '{"iteration":1.5}',
    '{"iteration":1e300}',
    '{"iteration":"3"}',
    '{"iteration":null}',
    '{"iteration":true}',
    '{"iteration":[1]}',
  ])('rejects %s', (text) => {
    expect(stopLoopOf(JSON.parse(text))).toBeUndefined();
  });

  // Python cannot parse these as a time either, and starts the loop again.
  test.each(['5', '20260131', '1769855405', 'true', '{}', '["2026-01-31T10:20:00"]', '{"toString":1}'])(
    'gives a loop that has timed out when its time is %s',
    (startedAt) => {
      const loop = stopLoopOf(JSON.parse(`{"task":"a","started_at":${startedAt}}`));

      expect(loop && hasTimedOut(loop.started_at, 30, now)).toBe(true);
    },
  );
});

const RESET = { task: 't', iteration: 0, started_at: NOW };

/**
 * Counts stops one after another. `writable: false` has a file in the place of the state's directory; `fallback: false`
 * has one in the place of the fallback's.
 */
async function stops(
  n: number,
  {
    writable = true,
    directory = '.',
    fallback = true,
    maxIterations = 5,
    keepAfterReset = true,
    event = {} as Partial<StopEvent>,
    wait = {} as LockWait,
    files = {},
  },
) {
  const root = temporaryTree({ file: '', 'temporary/': '', ...files });
  vi.stubEnv('TMPDIR', join(root, fallback ? 'temporary' : 'file'));
  const env = { XDG_STATE_HOME: join(root, 'file/state') };
  const path = join(root, writable ? directory : 'file', NAME);
  const loop = { key: 't', path, failuresPath: '', keepAfterReset };
  const counting = { maxIterations, stateTimeoutMinutes: 30 };
  const stop = () => countAttempt(loop, stopEvent(event), counting, { now, env }, wait);
  const attempts = [];
  for (let i = 0; i < n; i++) attempts.push(await stop());
  return { attempts, path, stop, root, env };
}

afterEach(() => {
  vi.unstubAllEnvs();
});

const blocks = (attempts: readonly { mayBlock: boolean }[]) => attempts.map(({ mayBlock }) => mayBlock);

describe('countAttempt', () => {
  test.each([
    [5, [true, true, true, true, false, false]],
    [2, [true, false, false]],
    [1, [false, false]],
  ])('may block below a limit of %d, and not at it', async (maxIterations, expected) => {
    const { attempts } = await stops(expected.length, { maxIterations });

    expect(blocks(attempts)).toEqual(expected);
    expect(attempts.map(({ iteration }) => iteration)).toEqual(expected.map((_, i) => i + 1));
    expect(attempts.flatMap(({ notes }) => notes)).toEqual([]);
  });

  test('may block when the host says that the agent continues', async () => {
    expect(blocks((await stops(2, { event: { continuing: true } })).attempts)).toEqual([true, true]);
  });

  test.each([
    ['a new file', undefined, { ...RESET, iteration: 1 }],
    [
      'the file of another task',
      { task: 'u', iteration: 2, started_at: EARLIER, x: 1 },
      { ...RESET, iteration: 1, x: 1 },
    ],
  ])('saves the count in %s', async (_, before, after) => {
    const { path } = await stops(1, { files: before ? { [NAME]: JSON.stringify(before) } : {} });

    expect(jsonIn(path)).toEqual(after);
  });

  test('starts again at 1 and keeps a copy when the file is broken', async () => {
    const { attempts, root } = await stops(1, { files: { [NAME]: 'not json' } });

    expect(attempts[0]?.iteration).toBe(1);
    expect(readdirSync(join(root, '.trellis'))).toContainEqual(
      expect.stringMatching(/^\.ralph-state\.json\.broken-/),
    );
  });
});

describe('the reset of a counted attempt', () => {
  test("keeps a task's file, as the Python hook does", async () => {
    const { attempts, path } = await stops(3, {});
    await attempts.at(-1)?.reset();

    expect(jsonIn(path)).toEqual(RESET);
  });

  test("writes a task's file that a gate has removed", async () => {
    const { attempts, path } = await stops(1, {});
    rmSync(path);
    await attempts[0]?.reset();

    expect(jsonIn(path)).toEqual(RESET);
  });

  test('does not change a file that another task has taken over', async () => {
    const { attempts, path } = await stops(1, {});
    writeFileSync(path, JSON.stringify(state({ task: 'u' })));
    await attempts[0]?.reset();

    expect(jsonIn(path)).toEqual(state({ task: 'u' }));
  });

  test("removes a session's file", async () => {
    const { attempts, path } = await stops(1, { keepAfterReset: false });
    await attempts[0]?.reset();

    expect(existsSync(path)).toBe(false);
  });
});

describe('keeping a counted attempt', () => {
  test.each([
    ['changes nothing when the file is present', () => {}, { ...RESET, iteration: 2 }],
    [
      'writes the file again when a gate has removed it',
      (path: string) => rmSync(path),
      { ...RESET, iteration: 2 },
    ],
    [
      'keeps the count of another hook',
      (path: string) => writeFileSync(path, JSON.stringify({ ...RESET, iteration: 3 })),
      { ...RESET, iteration: 3 },
    ],
  ])('%s', async (_, meanwhile, expected) => {
    const { attempts, path } = await stops(2, {});
    meanwhile(path);
    await attempts.at(-1)?.keep(true);

    expect(jsonIn(path)).toEqual(expected);
  });

  test.each([
    ["writes a session's file when its directory is gone", false, true],
    ["leaves a task's file removed when the directory of Trellis is gone", true, false],
  ])('%s', async (_, keepAfterReset, isThere) => {
    const { attempts, path } = await stops(2, { directory: 'project', keepAfterReset });
    rmSync(dirname(path), { recursive: true });
    await attempts.at(-1)?.keep(true);

    expect(existsSync(path)).toBe(isThere);
  });

  test('holds the limit when a gate removes the file at every stop', async () => {
    const { attempts, path, stop } = await stops(1, {});
    for (let i = 0; i < 5; i++) {
      rmSync(path);
      await attempts.at(-1)?.keep(true);
      attempts.push(await stop());
    }

    expect(blocks(attempts)).toEqual([true, true, true, true, false, false]);
  });
});

describe('countAttempt in a project that cannot be written', () => {
  test.each([
    [false, true],
    [true, false],
    [undefined, false],
  ])('when the host says continuing: %s, it may block: %s', async (continuing, expected) => {
    expect(blocks((await stops(1, { writable: false, event: { continuing } })).attempts)).toEqual([expected]);
  });

  test('applies the limit with the fallback counter', async () => {
    const { attempts } = await stops(6, { writable: false, event: { continuing: false } });

    expect(blocks(attempts)).toEqual([true, true, true, true, false, false]);
    expect(attempts.map(({ iteration }) => iteration)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("counts in this user's temporary directory", async () => {
    const { path, root, env } = await stops(2, { writable: false });
    const fallback = await fallbackCounterPath(path, env);

    expect(fallback.startsWith(join(root, 'temporary/'))).toBe(true);
    expect(jsonIn(fallback)).toMatchObject({ ...RESET, iteration: 2 });
  });

  test('can reset the fallback counter', async () => {
    const { attempts, stop } = await stops(3, { writable: false, event: { continuing: false } });
    await attempts.at(-1)?.reset();

    expect((await stop()).iteration).toBe(1);
  });

  test('notes the reason', async () => {
    const { attempts } = await stops(1, { writable: false });

    expect(attempts[0]?.notes).toEqual([expect.stringMatching(/^the loop state cannot be written: \S+/)]);
  });
});

describe('countAttempt when nothing can be written', () => {
  test.each([
    [false, true],
    [true, false],
    [undefined, false],
  ])(
    'when the host says continuing: %s, each stop is the first and may block: %s',
    async (continuing, mayBlock) => {
      const { attempts } = await stops(2, { writable: false, fallback: false, event: { continuing } });

      expect(attempts.map(({ iteration }) => iteration)).toEqual([1, 1]);
      expect(blocks(attempts)).toEqual([mayBlock, mayBlock]);
    },
  );

  test('notes both reasons', async () => {
    const { attempts } = await stops(1, { writable: false, fallback: false });

    expect(attempts[0]?.notes).toEqual([
      expect.stringMatching(/^the loop state cannot be written: \S+/),
      expect.stringMatching(/^the fallback counter cannot be written either: \S+/),
    ]);
  });

  test('has nothing to reset or to keep', async () => {
    const { attempts } = await stops(1, { writable: false, fallback: false });

    await expect(attempts[0]?.reset()).resolves.toBeUndefined();
    await expect(attempts[0]?.keep(true)).resolves.toBeUndefined();
  });
});

test.each([
  ['longer than the hook can wait', { waitMs: 0 }],
  ['until the host ends the hook', { signal: AbortSignal.abort() }],
])('countAttempt uses the fallback counter when another process holds the lock %s', async (_, wait) => {
  const { attempts, path } = await stops(1, { files: { [`${NAME}.lock`]: String(process.pid) }, wait });

  expect(attempts[0]).toMatchObject({ iteration: 1, mayBlock: false });
  expect(attempts[0]?.notes).toEqual([
    `the loop state cannot be written: ${path}.lock is held by process ${process.pid}`,
  ]);
  expect(existsSync(path)).toBe(false);
});

test.for([
  { cancelled: true, expected: { by: '' } },
  { cancelled: { by: 'in a terminal' }, expected: { by: 'in a terminal' } },
  { cancelled: { by: 'two\nlines' }, expected: { by: 'two lines' } },
  { cancelled: { by: 1 }, expected: undefined },
  { cancelled: 'yes', expected: undefined },
  { cancelled: null, expected: undefined },
])('a loop whose file has cancelled: $cancelled is counted as such', async ({ cancelled, expected }) => {
  const { path, stop } = await stops(1, {});
  const state = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...state, cancelled }));
  expect((await stop()).cancelled).toEqual(expected);
});

test('cancelStopLoop marks the loop, and the next attempt is cancelled', async () => {
  const { path, stop } = await stops(2, {});

  expect(await cancelStopLoop(path, 'in a terminal')).toMatchObject({ task: 't', iteration: 2 });
  expect((await stop()).cancelled).toEqual({ by: 'in a terminal' });
  expect(await cancelStopLoop(join(dirname(path), 'missing.json'), 'in a terminal')).toBeUndefined();
});

test.each([
  ['a file', { [NAME]: '{}' }],
  ['a directory in its place', { [`${NAME}/x`]: 'y' }],
])('removeStopLoop returns whether there was %s', (_, files) => {
  const root = temporaryTree(files);

  expect([removeStopLoop(join(root, NAME)), removeStopLoop(join(root, NAME))]).toEqual([true, false]);
  expect(readdirSync(join(root, '.trellis'))).toEqual([]);
});

test('removeStopLoop takes no lock, and does not remove the lock of another process', () => {
  const root = temporaryTree({ [NAME]: '{}', [`${NAME}.lock`]: String(process.pid) });

  expect(removeStopLoop(join(root, NAME))).toBe(true);
  expect(readdirSync(join(root, '.trellis'))).toEqual([basename(`${NAME}.lock`)]);
});

test('readStopLoop returns undefined for a broken or a missing file', () => {
  const root = temporaryTree({ good: JSON.stringify(state({})), broken: 'not json' });

  expect(['good', 'broken', 'missing'].map((name) => readStopLoop(join(root, name)))).toEqual([
    state({}),
    undefined,
    undefined,
  ]);
});

describe('stopLoopFiles and leftoverFiles', () => {
  test("separate the loops of a project from ralph-loop's other files", () => {
    const root = temporaryTree({
      '.trellis/.ralph-state.json': '{}',
      '.trellis/.ralph-state.json.broken-1': 'x',
      '.trellis/.ralph-state.json.12.tmp': 'x',
      '.trellis/worktree.yaml': '',
      '.trellis/.ralph/loop-b.main.json': '{}',
      '.trellis/.ralph/loop-a.main.json': '{}',
      '.trellis/.ralph/loop-a.main.json.lock': '1',
      '.trellis/.ralph/log.jsonl': '',
    });
    const names = (paths: string[]) => paths.map((path) => path.slice(root.length + 1));

    expect(names(stopLoopFiles(root))).toEqual([
      '.trellis/.ralph-state.json',
      '.trellis/.ralph/loop-a.main.json',
      '.trellis/.ralph/loop-b.main.json',
    ]);
    expect(names(leftoverFiles(root))).toEqual([
      '.trellis/.ralph-state.json.12.tmp',
      '.trellis/.ralph-state.json.broken-1',
      '.trellis/.ralph',
    ]);
  });

  test('are empty in a project without loops', () => {
    const root = temporaryTree();
    mkdirSync(join(root, '.trellis'));

    expect([stopLoopFiles(root), leftoverFiles(root)]).toEqual([[], []]);
  });

  test('include the state directory of the user', () => {
    temporaryHome();
    const root = temporaryTree({ '.trellis/.ralph/loop-a.main.json': '{}' });
    makeStateDirectory(root);
    const loop = join(stateDirectory(root), 'loop-b.main.json');
    writeFileSync(loop, '{}');

    expect(stopLoopFiles(root)).toEqual([loop]);
    expect(leftoverFiles(root)).toEqual([join(root, '.trellis/.ralph'), stateDirectory(root)]);
  });
});
