import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exitCodeOf } from '../../../src/gates/report.ts';
import { appendLog, loggedGate, makeSelfIgnored, readLog } from '../../../src/state/execution-log.ts';
import { OUTCOMES, resultOf } from '../../helpers/gate-results.ts';
import { logRecord } from '../../helpers/log-record.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const FIVE_MB = 5 * 1024 * 1024;
const line = (why: string) => `${JSON.stringify(logRecord({ why }))}\n`;
const withField = (key: string, value: unknown) => `${JSON.stringify({ ...logRecord(), [key]: value })}\n`;
const without = (key: string) => withField(key, undefined);
const reasonsIn = (directory: string) => readLog(directory).map(({ why }) => why);

describe('appendLog', () => {
  test('creates the log in a directory that git ignores', async () => {
    const directory = join(temporaryTree(), 'a/b');
    await appendLog(directory, logRecord({ why: 'x' }));

    expect(readFileSync(join(directory, '.gitignore'), 'utf8')).toBe('*\n');
    expect(readFileSync(join(directory, 'log.jsonl'), 'utf8')).toBe(line('x'));
  });

  test('appends one line for each record', async () => {
    const directory = temporaryTree({ 'log.jsonl': line('a') });
    await appendLog(directory, logRecord({ why: 'b\nc' }));

    expect(readFileSync(join(directory, 'log.jsonl'), 'utf8').split('\n')).toHaveLength(3);
    expect(reasonsIn(directory)).toEqual(['a', 'b\nc']);
  });

  test('rotates the log at 5 MB', async () => {
    const directory = temporaryTree({
      'log.jsonl': line('old') + ' '.repeat(FIVE_MB),
      'log.1.jsonl': line('older'),
    });
    await appendLog(directory, logRecord({ why: 'new' }));

    expect(readdirSync(directory).toSorted()).toEqual(['log.1.jsonl', 'log.jsonl']);
    // By size: the difference of megabytes takes minutes to print.
    expect(statSync(join(directory, 'log.jsonl')).size).toBe(line('new').length);
    expect(statSync(join(directory, 'log.1.jsonl')).size).toBeGreaterThan(FIVE_MB);
    expect(reasonsIn(directory)).toEqual(['old', 'new']);
  });

  test('does not rotate the log below 5 MB', async () => {
    const directory = temporaryTree({ 'log.jsonl': ' '.repeat(FIVE_MB) });
    await appendLog(directory, logRecord());

    expect(existsSync(join(directory, 'log.1.jsonl'))).toBe(false);
  });

  test('rejects when the log cannot be written', async () => {
    await expect(appendLog(join(temporaryTree({ file: '' }), 'file/log'), logRecord())).rejects.toThrow();
  });

  // A pipe or a device in its place would be waited for, or take the line for ever.
  test.each([
    ['a directory', (path: string) => mkdirSync(path)],
    ['a link to a device', (path: string) => symlinkSync('/dev/null', path)],
  ])('rejects when %s is in the place of the log', async (_, make) => {
    const path = join(temporaryTree(), 'log.jsonl');
    make(path);

    await expect(appendLog(dirname(path), logRecord())).rejects.toThrow(`${path} is not a file`);
  });

  test('follows a symbolic link', async () => {
    const root = temporaryTree({ 'elsewhere/': '', 'here/': '' });
    symlinkSync(join(root, 'elsewhere/x.jsonl'), join(root, 'here/log.jsonl'));
    await appendLog(join(root, 'here'), logRecord({ why: 'x' }));

    expect(readFileSync(join(root, 'elsewhere/x.jsonl'), 'utf8')).toBe(line('x'));
  });
});

describe('readLog', () => {
  test.each([
    ['text', 'not json\n'],
    ['half a line', '{"time":"2026\n'],
    ['a blank line', '\n'],
    ['no object', '5\nnull\n"time"\n'],
    ['no record', '{"x":1}\n[]\n'],
    ['a NUL', '\0\0\0\n'],
    // A line that is no record of ours must not end `status`.
    ['a record without its gates', '{"time":"2026-01-31T10:30:00.000Z"}\n'],
    ['a record whose gates are no list', '{"time":"2026-01-31T10:30:00.000Z","gates":5}\n'],
    ['a record without a time', without('time')],
    ['a record without an answer', without('answer')],
    ['a record without a reason', without('why')],
    ['a record with all but its gates', without('gates')],
    ['a time that is a number', withField('time', 1769855405)],
    ['an answer that is null', withField('answer', null)],
    ['a reason that is a list', withField('why', ['x'])],
    ['gates that are a mapping', withField('gates', {})],
  ])('skips %s', (_, broken) => {
    const directory = temporaryTree({ 'log.jsonl': line('a') + broken + line('b') });

    expect(reasonsIn(directory)).toEqual(['a', 'b']);
  });

  test('accepts a record of a later version', () => {
    const later = JSON.stringify({ time: 't', answer: 'retry', why: 'x', gates: [], more: 1 });

    expect(readLog(temporaryTree({ 'log.jsonl': `${later}\n` }))).toEqual([JSON.parse(later)]);
  });

  test('returns nothing without a log', () => {
    expect(readLog(join(temporaryTree(), 'gone'))).toEqual([]);
  });
});

test('makeSelfIgnored keeps an existing .gitignore', () => {
  const directory = temporaryTree({ '.gitignore': 'mine\n' });
  makeSelfIgnored(directory);

  expect(readFileSync(join(directory, '.gitignore'), 'utf8')).toBe('mine\n');
});

test.each([
  [OUTCOMES.passed, 0],
  [{ reason: 'failed', exitCode: 3 } as const, 3],
  [OUTCOMES['not-found'], 127],
  [OUTCOMES['not-executable'], 126],
  [OUTCOMES.killed, null],
  [OUTCOMES['timed-out'], null],
  [OUTCOMES['out-of-time'], null],
  [OUTCOMES['not-started'], null],
  [OUTCOMES.interrupted, null],
  [OUTCOMES['marker-missing'], null],
  [OUTCOMES.skipped, null],
])('the logged exit code of the outcome %j is %j', (outcome, exit) => {
  expect(exitCodeOf(outcome)).toBe(exit);
});

test('loggedGate returns name, outcome, exit code and whole milliseconds', () => {
  expect(loggedGate(resultOf('a', 'failed', { durationMs: 12.6 }))).toEqual({
    name: 'a',
    outcome: 'failed',
    exit: 1,
    duration_ms: 13,
  });
});
