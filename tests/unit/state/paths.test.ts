import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shortHash } from '../../../src/base/short-hash.ts';
import type { StopEvent } from '../../../src/hosts/types.ts';
import {
  isSessionLoopFile,
  locateStopLoop,
  outputDirectory,
  ralphDirectory,
  taskLoopPath,
} from '../../../src/state/paths.ts';
import { stopEvent } from '../../helpers/stop-event.ts';

const locate = (fields: Partial<StopEvent>) => locateStopLoop('/p', undefined, stopEvent(fields));
const fileOf = async (fields: Partial<StopEvent>) => basename((await locate(fields)).path);

test('the files of ralph-loop are below .trellis', () => {
  expect([taskLoopPath('/p'), ralphDirectory('/p'), outputDirectory('/p')]).toEqual([
    '/p/.trellis/.ralph-state.json',
    '/p/.trellis/.ralph',
    '/p/.trellis/.ralph/output',
  ]);
});

test("all stops of a task share one loop, in the Python hook's file", async () => {
  const event = stopEvent({ sessionId: 's', agentId: 'a' });

  expect(await locateStopLoop('/p', '.trellis/tasks/t', event)).toEqual({
    key: '.trellis/tasks/t',
    path: '/p/.trellis/.ralph-state.json',
    blocksPath: '/p/.trellis/.ralph/blocks-s.a.json',
    failuresPath: '/p/.trellis/.ralph/failed-task.json',
    keepAfterReset: true,
  });
});

describe('without a task, each session and agent has a loop', () => {
  test.each([
    [{ sessionId: 's', agentId: 'a' }, 'session:s/a', 'loop-s.a.json'],
    [{ sessionId: 's', agent: 'main' }, 'session:s/main', 'loop-s.main.json'],
    [{ agent: 'check' }, 'session:unknown/check', 'loop-unknown.check.json'],
    [
      { sessionId: '0b6e7c1a-95b5-4f0d-8a63-3c5a6d6b1c2e', agentId: 'a1b2_c-3' },
      'session:0b6e7c1a-95b5-4f0d-8a63-3c5a6d6b1c2e/a1b2_c-3',
      'loop-0b6e7c1a-95b5-4f0d-8a63-3c5a6d6b1c2e.a1b2_c-3.json',
    ],
    // An id that is not simple is distinguished by its hash.
    [
      { sessionId: 'S', agentId: 'a b' },
      `session:S~${shortHash('S')}/a_b~${shortHash('a b')}`,
      `loop-S~${shortHash('S')}.a_b~${shortHash('a b')}.json`,
    ],
  ])('%j', async (fields, key, file) => {
    expect(await locate(fields)).toMatchObject({
      key,
      path: `/p/.trellis/.ralph/${file}`,
      keepAfterReset: false,
    });
    expect(isSessionLoopFile(file)).toBe(true);
  });
});

describe('the loop file of a session with any id is in the ralph directory', () => {
  const ids = [
    '../../../etc/passwd',
    '/etc/passwd',
    '..',
    '.',
    '',
    'a\0b\nc',
    'a b:c*d?e',
    'é検🎉',
    '\ud800',
    'x'.repeat(5000),
    '🎉'.repeat(500),
  ];
  test.each(ids.map((id) => [`${JSON.stringify(id.slice(0, 20))}, ${id.length} long`, id]))(
    '%s',
    async (_, id) => {
      const { path } = await locate({ sessionId: id, agentId: id });

      expect(dirname(path)).toBe('/p/.trellis/.ralph');
      expect(basename(path)).toMatch(/^loop-[\w~-]{1,81}\.[\w~-]{1,81}\.json$/);
      expect(isSessionLoopFile(basename(path))).toBe(true);
    },
  );
});

// Two loops in one file would start each other again at 1, and neither would reach its cap.
describe('two loops never share a file', () => {
  test.each([
    ['different sessions', { sessionId: 'a', agentId: 'x' }, { sessionId: 'b', agentId: 'x' }],
    ['different agents', { sessionId: 'a', agentId: 'x' }, { sessionId: 'a', agentId: 'y' }],
    [
      'a session and an agent that share a dash',
      { sessionId: 'a-b', agentId: 'c' },
      { sessionId: 'a', agentId: 'b-c' },
    ],
    [
      'a session and an agent that share a dot',
      { sessionId: 'a.b', agentId: 'c' },
      { sessionId: 'a', agentId: 'b.c' },
    ],
    ['names that differ in case only', { sessionId: 'a', agentId: 'x' }, { sessionId: 'A', agentId: 'x' }],
    ['names of other letters', { sessionId: 'é', agentId: 'x' }, { sessionId: 'ü', agentId: 'x' }],
    ['an empty name and one that is not said', { sessionId: '', agentId: 'x' }, { agentId: 'x' }],
    [
      "a name that looks like another's hash",
      { sessionId: 'a b', agentId: 'x' },
      { sessionId: `a_b-${shortHash('a b')}`, agentId: 'x' },
    ],
    ['a dot and an underscore', { sessionId: 'a.b', agentId: 'x' }, { sessionId: 'a_b', agentId: 'x' }],
    [
      'long names with the same beginning',
      { sessionId: `${'s'.repeat(90)}1`, agentId: 'x' },
      { sessionId: `${'s'.repeat(90)}2`, agentId: 'x' },
    ],
  ] as [string, Partial<StopEvent>, Partial<StopEvent>][])('%s', async (_, one, other) => {
    const [oneFile, otherFile] = await Promise.all([fileOf(one), fileOf(other)]);

    expect((await locate(one)).key).not.toBe((await locate(other)).key);
    // Nor where case does not count.
    expect(oneFile.toLowerCase()).not.toBe(otherFile.toLowerCase());
  });
});

test.each([
  'log.jsonl',
  'output',
  '.gitignore',
  'loop-a.json.lock',
  'loop-a.json.12.tmp',
  'loop-a.json.broken-1',
  'xloop-a.json',
])('isSessionLoopFile rejects %s', (name) => {
  expect(isSessionLoopFile(name)).toBe(false);
});
