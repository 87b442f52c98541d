import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exitCodeOf } from '../../../src/gates/report.ts';
import {
  appendProjectLog,
  loggedGate,
  makeSelfIgnored,
  readLog,
  writeLog,
} from '../../../src/state/execution-log.ts';
import { ralphDirectory } from '../../../src/state/paths.ts';
import { OUTCOMES, resultOf } from '../../helpers/gate-results.ts';
import { logRecord } from '../../helpers/log-record.ts';
import { temporaryHome, temporaryTree } from '../../helpers/temporary-tree.ts';

const FIVE_MB = 5 * 1024 * 1024;
const line = (why: string) => `${JSON.stringify(logRecord({ why }))}\n`;
const withField = (key: string, value: unknown) => `${JSON.stringify({ ...logRecord(), [key]: value })}\n`;
const without = (key: string) => withField(key, undefined);
const reasonsIn = (directory: string) => readLog(directory).map(({ why }) => why);

describe('appendProjectLog', () => {
  const LOG = '.trellis/.ralph/log.jsonl';

  test('creates the log in a directory that git ignores, for this user alone', async () => {
    const root = temporaryTree();
    await appendProjectLog(root, logRecord({ why: 'x' }));

    expect(readFileSync(join(root, '.trellis/.ralph/.gitignore'), 'utf8')).toBe('*\n');
    expect(readFileSync(join(root, LOG), 'utf8')).toBe(line('x'));
    expect(statSync(join(root, LOG)).mode & 0o777).toBe(0o600);
    expect(statSync(ralphDirectory(root)).mode & 0o777).toBe(0o700);
  });

  test('appends one line for each record', async () => {
    const root = temporaryTree({ [LOG]: line('a') });
    await appendProjectLog(root, logRecord({ why: 'b\nc' }));

    expect(readFileSync(join(root, LOG), 'utf8').split('\n')).toHaveLength(3);
    expect(reasonsIn(ralphDirectory(root))).toEqual(['a', 'b\nc']);
  });

  test('rotates the log at 5 MB', async () => {
    const root = temporaryTree({
      [LOG]: line('old') + ' '.repeat(FIVE_MB),
      '.trellis/.ralph/log.1.jsonl': line('older'),
    });
    await appendProjectLog(root, logRecord({ why: 'new' }));

    const directory = ralphDirectory(root);
    expect(readdirSync(directory).toSorted()).toEqual(['log.1.jsonl', 'log.jsonl']);
    // By size: the difference of megabytes takes minutes to print.
    expect(statSync(join(directory, 'log.jsonl')).size).toBe(line('new').length);
    expect(statSync(join(directory, 'log.1.jsonl')).size).toBeGreaterThan(FIVE_MB);
    expect(reasonsIn(directory)).toEqual(['old', 'new']);
  });

  test('does not rotate the log below 5 MB', async () => {
    const root = temporaryTree({ [LOG]: ' '.repeat(FIVE_MB) });
    await appendProjectLog(root, logRecord());

    expect(existsSync(join(ralphDirectory(root), 'log.1.jsonl'))).toBe(false);
  });

  test.each([
    ['a directory', (path: string) => mkdirSync(path)],
    ['a FIFO', (path: string) => execFileSync('mkfifo', [path])],
    ['a link to a device', (path: string) => symlinkSync('/dev/null', path)],
    ['a link to a missing file', (path: string) => symlinkSync(`${path}.elsewhere`, path)],
  ])('writes nothing when %s is in the place of the log', async (_, make) => {
    const root = temporaryTree({ '.trellis/.ralph/': '' });
    make(join(root, LOG));

    await expect(appendProjectLog(root, logRecord())).rejects.toThrow(`${join(root, LOG)} is not a file`);
    expect(readdirSync(ralphDirectory(root))).toEqual(['log.jsonl']);
    expect(readLog(ralphDirectory(root))).toEqual([]);
  });

  test.each(['.trellis', '.trellis/.ralph'])(
    'writes nothing when %s is a link out of the project',
    async (link) => {
      const [root, elsewhere] = [temporaryTree({ 'x/': '' }), temporaryTree()];
      mkdirSync(dirname(join(root, link)), { recursive: true });
      symlinkSync(elsewhere, join(root, link));
      const home = temporaryHome();

      await writeLog(root, logRecord({ why: 'x' }), { XDG_STATE_HOME: home });
      expect(readdirSync(elsewhere)).toEqual([]);
      expect(reasonsIn(join(home, 'ralph-loop'))).toEqual(['x']);
    },
  );
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

test.each([
  ['an empty one, of a process that was killed', (path: string) => writeFileSync(path, '')],
  ['a link', (path: string) => symlinkSync('/dev/null', path)],
])('makeSelfIgnored replaces a .gitignore that is %s', (_, make) => {
  const path = join(temporaryTree(), '.gitignore');
  make(path);
  makeSelfIgnored(dirname(path));

  expect(lstatSync(path).isFile()).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('*\n');
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
