import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findTask, recordInTask } from '../../../src/agent-run/task-file.ts';
import { agentRunOf, noPromiseRecord } from '../../helpers/agent-run.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const TASK = '.trellis/tasks/01-login/task.json';
const fields = {
  id: 'TASK-001',
  name: 'login',
  title: 'Log in',
  status: 'in_progress',
  metadata: { own: 1 },
};

describe('findTask', () => {
  const files = { [TASK]: JSON.stringify(fields), '.trellis/tasks/02/task.json': '[]' };

  test.for(['01-login', '.trellis/tasks/01-login', 'TASK-001', 'login'])('finds a task by %s', (name) => {
    const root = temporaryTree(files);
    expect(findTask(root, name)).toEqual({
      ok: true,
      value: { path: join(root, TASK), title: 'Log in', requirements: null },
    });
  });

  test('returns the path of the requirements', () => {
    const root = temporaryTree({ ...files, '.trellis/tasks/01-login/prd.md': 'People can log in.' });
    expect(findTask(root, 'login')).toMatchObject({
      value: { requirements: join(root, '.trellis/tasks/01-login/prd.md') },
    });
  });

  test('returns no title when it is blank', () => {
    const root = temporaryTree({ [TASK]: JSON.stringify({ ...fields, title: ' ' }) });
    expect(findTask(root, 'login')).toMatchObject({ value: { title: null } });
  });

  test.for(['TASK-9', '.', '..', '../my-project/a', 'x'.repeat(300)])('finds nothing for %s', (name) => {
    expect(findTask(temporaryTree({ ...files, 'task.json': '{}' }), name)).toEqual({
      ok: true,
      value: undefined,
    });
  });

  test.for([
    ['{"id": ', /^\.trellis\/tasks\/01-login\/task\.json is not a JSON object: .*JSON/],
    ['[1]', /^\.trellis\/tasks\/01-login\/task\.json is not a JSON object: it holds another JSON value$/],
  ] as const)('fails for a file that contains %s', ([text, message]) => {
    expect(findTask(temporaryTree({ [TASK]: text }), '01-login')).toEqual({
      ok: false,
      failure: { message: expect.stringMatching(message) },
    });
  });
});

describe('recordInTask', () => {
  const record = (text: string, run = agentRunOf(), lastMessage = '') => {
    const path = join(temporaryTree({ [TASK]: text }), TASK);
    const result = recordInTask(path, run, lastMessage);
    return { result, text: readFileSync(path, 'utf8') };
  };
  const failed = agentRunOf({ status: 'failed', failure: 'cap', last: noPromiseRecord('the tests fail') });
  const ralph = {
    stage: 'coder',
    iteration: 3,
    max_iterations: 15,
    started_at: '2026-01-31T10:30:00.000Z',
    completion_promise: 'IMPLEMENTATION_COMPLETE',
  };

  test.for(['running', 'interrupted'] as const)('records the progress of a run that is %s', (status) => {
    const { result, text } = record(JSON.stringify(fields), agentRunOf({ status }));
    expect(result).toEqual({ ok: true, value: undefined });
    expect(JSON.parse(text)).toEqual({ ...fields, metadata: { own: 1, ralph } });
  });

  test.for(['passed', 'cancelled'] as const)('removes the progress of a run that is %s', (status) => {
    const { text } = record(
      JSON.stringify({ ...fields, metadata: { own: 1, ralph } }),
      agentRunOf({ status }),
    );
    expect(JSON.parse(text)).toEqual(fields);
  });

  test('records the failure and makes the task one to do', () => {
    const { text } = record(JSON.stringify({ ...fields, metadata: { ralph } }), failed, 'I am stuck.');
    expect(JSON.parse(text)).toEqual({
      ...fields,
      status: 'todo',
      metadata: {
        ralph_failure: {
          stage: 'coder',
          iterations_used: 3,
          last_output: 'I am stuck.',
          reason: 'cap: the tests fail',
        },
      },
    });
  });

  test('keeps the last 2,000 characters of the message', () => {
    const { text } = record('{}', failed, `a${'😀'.repeat(1000)}b`);
    expect(JSON.parse(text).metadata.ralph_failure.last_output).toBe(`\uFFFD${'😀'.repeat(999)}b`);
  });

  test('removes the failure of an earlier run', () => {
    const { text } = record(JSON.stringify({ ...fields, metadata: { own: 1, ralph_failure: {} } }));
    expect(JSON.parse(text).metadata).toEqual({ own: 1, ralph });
  });

  test('replaces metadata that is null', () => {
    expect(JSON.parse(record('{"metadata": null}').text)).toEqual({ metadata: { ralph } });
  });

  test('keeps the indentation of the file', () => {
    expect(record('{\n    "id": "a"\n}\n').text).toMatch(
      /^\{\n {4}"id": "a",\n {4}"metadata": \{\n {8}"ralph"/,
    );
  });

  test('does not write a file that does not change', () => {
    const path = join(temporaryTree({ [TASK]: '{ }' }), TASK);
    recordInTask(path, agentRunOf({ status: 'passed' }), '');
    expect(readFileSync(path, 'utf8')).toBe('{ }');
  });

  test('writes through no symbolic link', () => {
    const root = temporaryTree({ 'real.json': '{}' });
    symlinkSync(join(root, 'real.json'), join(root, 'task.json'));
    expect(recordInTask(join(root, 'task.json'), agentRunOf(), '')).toMatchObject({
      failure: { message: expect.stringContaining('is a symbolic link') },
    });
    expect(readFileSync(join(root, 'real.json'), 'utf8')).toBe('{}');
  });

  test.for(['', '[]', '{"metadata": 1}', '{"id": '])('fails for a file that contains %j', (text) => {
    const { result, text: after } = record(text);
    expect(result).toMatchObject({
      ok: false,
      failure: {
        message: expect.stringMatching(/no longer a valid task file: the agent run is not recorded/),
      },
    });
    expect(after).toBe(text);
  });

  test('fails when the file cannot be written', () => {
    const path = join(temporaryTree({ [`${TASK}/x`]: '' }), TASK);
    expect(recordInTask(path, agentRunOf(), '')).toMatchObject({
      failure: { message: expect.stringContaining('cannot be written: ') },
    });
  });
});
