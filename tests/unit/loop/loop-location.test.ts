import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  isSessionLoopFile,
  locateLoop,
  outputDirectory,
  ralphDirectory,
  taskLoopPath,
} from '../../../src/loop/loop-location.ts';
import type { StopEvent } from '../../../src/loop/stop-event.ts';
import { stopEvent } from '../../helpers/stop-event.ts';

const locate = (fields: Partial<StopEvent>) => locateLoop('/p', undefined, stopEvent(fields));
const fileOf = (fields: Partial<StopEvent>) => basename(locate(fields).path);

test('what ralph-loop writes lies below .trellis', () => {
  expect([taskLoopPath('/p'), ralphDirectory('/p'), outputDirectory('/p')]).toEqual([
    '/p/.trellis/.ralph-state.json',
    '/p/.trellis/.ralph',
    '/p/.trellis/.ralph/output',
  ]);
});

test("a task has one loop, whoever's stop it is, in the Python hook's file", () => {
  const event = stopEvent({ sessionId: 's', agentId: 'a' });

  expect(locateLoop('/p', '.trellis/tasks/t', event)).toEqual({
    key: '.trellis/tasks/t',
    path: '/p/.trellis/.ralph-state.json',
    keepAfterReset: true,
  });
});

describe('without a task, a session and an agent have a loop', () => {
  test.each([
    [{ sessionId: 's', agentId: 'a' }, 'session:s/a', 'loop-s-a.json'],
    [{ sessionId: 's', agent: 'main' }, 'session:s/main', 'loop-s-main.json'],
    [{ agent: 'check' }, 'session:unknown/check', 'loop-unknown-check.json'],
  ])('%j', (fields, key, file) => {
    expect(locate(fields)).toEqual({ key, path: `/p/.trellis/.ralph/${file}`, keepAfterReset: false });
    expect(isSessionLoopFile(file)).toBe(true);
  });
});

describe('whatever a session is called, its loop has a file in the directory', () => {
  test.each([
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
  ])('%j', (id) => {
    const { path } = locate({ sessionId: id, agentId: id });

    expect(dirname(path)).toBe('/p/.trellis/.ralph');
    expect(basename(path)).toMatch(/^loop-[\w~!'()*-]{0,90}-[\w~!'()*-]{0,90}\.json$/);
    expect(isSessionLoopFile(basename(path))).toBe(true);
  });
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
    ['a dot and an underscore', { sessionId: 'a.b', agentId: 'x' }, { sessionId: 'a_b', agentId: 'x' }],
    [
      'long names with the same beginning',
      { sessionId: `${'s'.repeat(90)}1`, agentId: 'x' },
      { sessionId: `${'s'.repeat(90)}2`, agentId: 'x' },
    ],
  ])('%s', (_, one, other) => {
    expect(locate(one).key).not.toBe(locate(other).key);
    expect(fileOf(one)).not.toBe(fileOf(other));
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
])('%s is no loop', (name) => {
  expect(isSessionLoopFile(name)).toBe(false);
});
