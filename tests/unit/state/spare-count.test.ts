import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fallbackCounterPath } from '../../../src/state/fallback-counter.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const OURS = `ralph-loop-${process.getuid?.() ?? 'user'}`;

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Without a place for logs to fall back on, unless one is given. */
const pathOf = (path: string, stateHome = '/dev/null/state') =>
  fallbackCounterPath(path, { XDG_STATE_HOME: stateHome });

/** A temporary directory of the running test's own. */
function temporaryDirectory(): string {
  const directory = temporaryTree();
  vi.stubEnv('TMPDIR', directory);
  return directory;
}

test("a spare count lies in a directory that is this user's alone", () => {
  const directory = join(temporaryDirectory(), OURS);
  const path = pathOf('/p/state.json');

  expect(dirname(path)).toBe(directory);
  expect(basename(path)).toMatch(/^[0-9a-f]{16}\.json$/);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test('each loop has its own, and keeps it', () => {
  temporaryDirectory();
  const [path, again, other] = ['/p/a', '/p/a', '/p/b'].map((path) => pathOf(path));

  expect(again).toBe(path);
  expect(other).not.toBe(path);
});

describe("what is not this user's directory is not used", () => {
  const fakes: [what: string, make: (path: string) => void][] = [
    ['a file', (path) => writeFileSync(path, '')],
    ['a link to a directory', (path) => symlinkSync(dirname(path), path)],
    ['a link to nothing', (path) => symlinkSync('gone', path)],
  ];
  test.each(fakes)('%s', (_, make) => {
    make(join(temporaryDirectory(), OURS));
    const stateHome = temporaryTree();

    expect(dirname(pathOf('/p/a', stateHome))).toBe(join(stateHome, 'ralph-loop'));
  });

  test.each(fakes)('%s, nor where the logs lie', (_, make) => {
    make(join(temporaryDirectory(), OURS));
    const stateHome = temporaryTree();
    make(join(stateHome, 'ralph-loop'));

    expect(() => pathOf('/p/a', stateHome)).toThrow();
  });

  test('where there is no temporary directory, where the logs lie', () => {
    const stateHome = temporaryTree();
    vi.stubEnv('TMPDIR', '/dev/null');

    expect(dirname(pathOf('/p/a', stateHome))).toBe(join(stateHome, 'ralph-loop'));
    expect(() => pathOf('/p/a')).toThrow('ENOTDIR');
  });

  test('but one that is there already is', () => {
    const directory = join(temporaryDirectory(), OURS);
    mkdirSync(directory);

    expect(dirname(pathOf('/p/a'))).toBe(directory);
  });
});
