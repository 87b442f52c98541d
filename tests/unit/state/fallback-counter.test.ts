import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fallbackCounterPath } from '../../../src/state/paths.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const DIRECTORY = `ralph-loop-${process.getuid?.() ?? 'user'}`;

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Without a log directory, unless one is given. */
const pathOf = (path: string, stateHome = '/dev/null/state') =>
  fallbackCounterPath(path, { XDG_STATE_HOME: stateHome });

/** Gives the running test its own temporary directory. */
function temporaryDirectory(): string {
  const directory = temporaryTree();
  vi.stubEnv('TMPDIR', directory);
  return directory;
}

test('the fallback counter is in a directory that belongs to the user', async () => {
  const directory = join(temporaryDirectory(), DIRECTORY);
  const path = await pathOf('/p/state.json');

  expect(dirname(path)).toBe(directory);
  expect(basename(path)).toMatch(/^[0-9a-f]{16}\.json$/);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test('each loop has its own fallback counter, the same at every call', async () => {
  temporaryDirectory();
  const [path, again, other] = await Promise.all(['/p/a', '/p/a', '/p/b'].map((path) => pathOf(path)));

  expect(again).toBe(path);
  expect(other).not.toBe(path);
});

describe('the fallback counter avoids a temporary directory that this user does not own', () => {
  const fakes: [what: string, make: (path: string) => void][] = [
    ['a file', (path) => writeFileSync(path, '')],
    ['a link to a directory', (path) => symlinkSync(dirname(path), path)],
    ['a broken link', (path) => symlinkSync('gone', path)],
  ];
  test.each(fakes)('and uses the log directory when %s is in its place', async (_, make) => {
    make(join(temporaryDirectory(), DIRECTORY));
    const stateHome = temporaryTree();

    expect(dirname(await pathOf('/p/a', stateHome))).toBe(join(stateHome, 'ralph-loop'));
  });

  test.each(fakes)('and throws when %s is in the place of the log directory too', async (_, make) => {
    make(join(temporaryDirectory(), DIRECTORY));
    const stateHome = temporaryTree();
    make(join(stateHome, 'ralph-loop'));

    await expect(pathOf('/p/a', stateHome)).rejects.toThrow();
  });

  test('and uses the log directory when there is no temporary directory', async () => {
    const stateHome = temporaryTree();
    vi.stubEnv('TMPDIR', '/dev/null');

    expect(dirname(await pathOf('/p/a', stateHome))).toBe(join(stateHome, 'ralph-loop'));
    await expect(pathOf('/p/a')).rejects.toThrow('ENOTDIR');
  });

  test('but uses one that exists and is its own', async () => {
    const directory = join(temporaryDirectory(), DIRECTORY);
    mkdirSync(directory);

    expect(dirname(await pathOf('/p/a'))).toBe(directory);
  });
});
