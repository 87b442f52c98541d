import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runReport } from '../../../src/gates/report.ts';
import { writeReport } from '../../../src/verification/run-and-record.ts';
import { resultOf, summaryOf } from '../../helpers/gate-results.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const NOW = new Date('2026-01-31T10:30:00.000Z');
const REPORT = runReport(summaryOf(resultOf('lint'), resultOf('test', 'failed')), NOW);
const HOUR_MS = 3_600_000;

/** Writes a file, or makes a directory, as it would have been left so many hours before. */
function leave(path: string, hoursAgo: number, { directory = false } = {}): void {
  if (directory) mkdirSync(path);
  else writeFileSync(path, '{}');
  const then = new Date(NOW.getTime() - hoursAgo * HOUR_MS);
  utimesSync(path, then, then);
}

describe('writeReport', () => {
  test('writes the report as JSON', () => {
    const root = temporaryTree();
    const path = join(root, 'results.json');

    expect(writeReport(path, REPORT, NOW)).toEqual([]);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(REPORT);
    expect(readFileSync(path, 'utf8').endsWith('}\n')).toBe(true);
  });

  test('creates the directories of the file', () => {
    const path = join(temporaryTree(), 'a/b c/results.json');

    expect(writeReport(path, REPORT, NOW)).toEqual([]);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(REPORT);
  });

  test('replaces an older file, which a reader can still read to its end', () => {
    const root = temporaryTree({ 'results.json': 'an older one' });
    const path = join(root, 'results.json');
    const reader = openSync(path, 'r');

    expect(writeReport(path, REPORT, NOW)).toEqual([]);
    expect(readFileSync(reader, 'utf8')).toBe('an older one');
    closeSync(reader);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(REPORT);
    expect(readdirSync(root)).toEqual(['results.json']);
  });

  test('replaces a symbolic link, and not the file that it names', () => {
    const root = temporaryTree({ 'important.txt': 'keep' });
    symlinkSync('important.txt', join(root, 'results.json'));

    expect(writeReport(join(root, 'results.json'), REPORT, NOW)).toEqual([]);
    expect(readFileSync(join(root, 'important.txt'), 'utf8')).toBe('keep');
    expect(JSON.parse(readFileSync(join(root, 'results.json'), 'utf8'))).toEqual(REPORT);
  });

  test.each([
    ['a directory is in its place', 'directory'],
    ['a file is in the place of its directory', 'file/results.json'],
    ['its name is too long', `${'x'.repeat(300)}.json`],
    ['a link leads round in its way', 'loop/results.json'],
  ])('returns the reason and leaves nothing behind when %s cannot be written', (_, name) => {
    const root = temporaryTree({ 'directory/file': 'x', file: 'x' });
    symlinkSync('loop', join(root, 'loop'));
    const before = readdirSync(root);

    expect(writeReport(join(root, name), REPORT, NOW).join()).toMatch(
      /^ralph-loop: the results file .+ cannot be written: ./,
    );
    expect(readdirSync(root)).toEqual(before);
  });
});

// Node's own recursive mkdir goes round for ever there.
test.skipIf(!existsSync('/proc/self'))(
  'writeReport returns the reason when a directory takes no children',
  () => {
    expect(writeReport('/proc/a/b/results.json', REPORT, NOW).join()).toMatch(/cannot be written: ./);
  },
);

describe('writeReport removes files of the default name that are older than a day', () => {
  const CURRENT = 'gate-results-99.json';

  test.each([
    ['gate-results-1.json', 25, false],
    ['gate-results-1.json', 24 * 365, false],
    ['gate-results-1.json', 23, true],
    ['gate-results-1.json', -48, true],
    ['gate-results-4194304.json', 25, false],
    ['gate-results-mine.json', 48, true],
    ['gate-results-.json', 48, true],
    ['gate-results-1.json.bak', 48, true],
    ['my-gate-results-1.json', 48, true],
    ['results.json', 48, true],
  ])('%s, %i hours old, stays: %j', (name, hoursAgo, stays) => {
    const root = temporaryTree();
    leave(join(root, name), hoursAgo);

    expect(writeReport(join(root, CURRENT), REPORT, NOW)).toEqual([]);
    expect(existsSync(join(root, name))).toBe(stays);
    expect(existsSync(join(root, CURRENT))).toBe(true);
  });

  test('unless its own file has another name', () => {
    const root = temporaryTree();
    leave(join(root, 'gate-results-1.json'), 48);

    expect(writeReport(join(root, 'results.json'), REPORT, NOW)).toEqual([]);
    expect(readdirSync(root)).toContain('gate-results-1.json');
  });

  test('unless its own file cannot be written', () => {
    const root = temporaryTree();
    leave(join(root, 'gate-results-1.json'), 48);
    mkdirSync(join(root, CURRENT));

    expect(writeReport(join(root, CURRENT), REPORT, NOW).join()).toMatch(/cannot be written/);
    expect(readdirSync(root)).toContain('gate-results-1.json');
  });

  test('and ignores directories of that name', () => {
    const root = temporaryTree();
    leave(join(root, 'gate-results-1.json'), 48, { directory: true });
    symlinkSync('gate-results-2.json', join(root, 'gate-results-2.json'));
    symlinkSync('gone', join(root, 'gate-results-3.json'));
    leave(join(root, 'gate-results-4.json'), 48);

    expect(writeReport(join(root, CURRENT), REPORT, NOW)).toEqual([]);
    expect(JSON.parse(readFileSync(join(root, CURRENT), 'utf8'))).toEqual(REPORT);
    expect(existsSync(join(root, 'gate-results-4.json'))).toBe(false);
    expect(statSync(join(root, 'gate-results-1.json')).isDirectory()).toBe(true);
  });

  // Root may list every directory.
  test.skipIf(process.getuid?.() === 0)('and ignores a directory that cannot be listed', () => {
    const root = temporaryTree({ 'results/': '' });
    const directory = join(root, 'results');
    chmodSync(directory, 0o300);
    try {
      expect(writeReport(join(directory, CURRENT), REPORT, NOW)).toEqual([]);
    } finally {
      chmodSync(directory, 0o700);
    }
    expect(readdirSync(directory)).toEqual([CURRENT]);
  });
});
