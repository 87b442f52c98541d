import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { StopLoopLocation } from '../../../src/state/paths.ts';
import { countAttempt } from '../../../src/state/stop-loop.ts';
import { stopEvent } from '../../helpers/stop-event.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const NOW = new Date('2026-01-31T10:30:00');
const RULES = { maxIterations: 5, stateTimeoutMinutes: 30 };

/** A loop of a session, and the loops of two agents that share the count of a task. */
function loops() {
  const root = temporaryTree({ '.trellis/': '', 'state/': '' });
  const of = (path: string, blocks?: string): StopLoopLocation => ({
    key: 't',
    path: join(root, path),
    ...(blocks !== undefined && { blocksPath: join(root, 'state', blocks) }),
    failuresPath: '',
    keepAfterReset: blocks !== undefined,
  });
  return {
    session: of('state/loop.json'),
    one: of('.trellis/.ralph-state.json', 'blocks-one.json'),
    other: of('.trellis/.ralph-state.json', 'blocks-other.json'),
  };
}

const count = (loop: StopLoopLocation) => countAttempt(loop, stopEvent({}), RULES, { now: NOW, env: {} }, {});
const iterationIn = ({ path }: StopLoopLocation) => JSON.parse(readFileSync(path, 'utf8')).iteration;

describe('a stop that has to wait', () => {
  test.each(['session', 'one'] as const)('uses up no iteration of the loop "%s"', async (name) => {
    const loop = loops()[name];
    await (await count(loop)).keep(true);
    for (let waits = 0; waits < 4; waits += 1) {
      const attempt = await count(loop);
      expect(attempt).toMatchObject({ iteration: 2, waits, mayBlock: true });
      await attempt.wait?.();
      expect(iterationIn(loop)).toBe(1);
    }
  });

  test.each(['session', 'one'] as const)(
    'is counted anew after a stop of "%s" that did not wait',
    async (name) => {
      const loop = loops()[name];
      await (await count(loop)).wait?.();
      expect((await count(loop)).waits).toBe(1);
      expect((await count(loop)).waits).toBe(0);
    },
  );

  test.each(['session', 'one'] as const)('is counted anew after the loop "%s" was reset', async (name) => {
    const loop = loops()[name];
    await (await count(loop)).wait?.();
    await (await count(loop)).reset();
    expect((await count(loop)).waits).toBe(0);
  });

  test('gives back its own count among the stops of several agents, in whichever order', async () => {
    const { one, other } = loops();
    const [first, second] = [await count(one), await count(other)];
    expect([first.iteration, second.iteration]).toEqual([1, 2]);
    await first.wait?.();
    await second.wait?.();
    expect(iterationIn(one)).toBe(0);
    expect((await count(one)).waits).toBe(1);
  });

  test('may not be repeated without end where its count cannot be saved', async () => {
    const { one } = loops();
    const blocksPath = join(one.path, 'no-directory/blocks.json');
    expect((await count({ ...one, blocksPath })).waits).toBe(Number.POSITIVE_INFINITY);
  });

  test('restores no count that was removed meanwhile', async () => {
    const { session } = loops();
    const attempt = await count(session);
    rmSync(session.path);
    await attempt.wait?.();
    expect((await count(session)).iteration).toBe(1);
  });
});
