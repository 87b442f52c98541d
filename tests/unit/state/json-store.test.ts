import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { JsonStore } from '../../../src/state/json-store.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

interface Counter {
  readonly n: number;
}

const NAME = 'counter.json';
const check = (value: unknown) => {
  const { n } = (value ?? {}) as Partial<Counter>;
  return typeof n === 'number' ? { n } : undefined;
};
const privateStore = (path: string) => new JsonStore<Counter>(path, { check });
const sharedStore = (path: string) => new JsonStore<Counter>(path, { check, tree: dirname(path) });
const increment = (store: JsonStore<Counter>) =>
  store.update((present = { n: 0 }, write) => {
    write({ n: present.n + 1 });
    return present.n + 1;
  });
const valueIn = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const BROKEN = ['not json', '', '{"n":1', 'null', '[]', '{"n":"1"}', '\0'];

describe('JsonStore.update', () => {
  test('creates a missing file and its directory', async () => {
    const path = join(temporaryTree(), 'a/b', NAME);

    expect(await increment(privateStore(path))).toBe(1);
    expect(valueIn(path)).toEqual({ n: 1 });
  });

  test('leaves only the file', async () => {
    const root = temporaryTree({ [NAME]: '{"n":4}' });

    expect(await increment(privateStore(join(root, NAME)))).toBe(5);
    expect(readdirSync(root)).toEqual([NAME]);
  });

  test('loses none of 20 concurrent changes', async () => {
    const path = join(temporaryTree(), NAME);
    const counts = await Promise.all(Array.from({ length: 20 }, () => increment(privateStore(path))));

    expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  });

  test('replaces the file, so that no reader sees half of it', async () => {
    const path = join(temporaryTree({ [NAME]: '{"n":4}' }), NAME);
    const { ino } = lstatSync(path);
    await increment(privateStore(path));

    expect(lstatSync(path).ino).not.toBe(ino);
  });

  test('leaves the file alone when nothing is written', async () => {
    const path = join(temporaryTree({ [NAME]: '{"n":4}' }), NAME);
    const { ino } = lstatSync(path);

    expect(await privateStore(path).update((present) => present)).toEqual({ n: 4 });
    expect(lstatSync(path).ino).toBe(ino);
  });

  test('rejects when the directory cannot be created', async () => {
    await expect(increment(privateStore(join(temporaryTree({ file: '' }), 'file', NAME)))).rejects.toThrow();
  });

  test('rejects when another process holds the lock', async () => {
    const root = temporaryTree({ [NAME]: '{"n":4}', [`${NAME}.lock`]: String(process.pid) });
    const path = join(root, NAME);

    await expect(privateStore(path).update((present) => present, { waitMs: 0 })).rejects.toThrow(
      `${path}.lock is held by process ${process.pid}`,
    );
    expect(valueIn(path)).toEqual({ n: 4 });
  });

  test.each(BROKEN)('overwrites a private file that holds %j', async (broken) => {
    const root = temporaryTree({ [NAME]: broken });

    expect(await increment(privateStore(join(root, NAME)))).toBe(1);
    expect(readdirSync(root)).toEqual([NAME]);
  });

  test.each(BROKEN)('keeps a copy of a shared file that holds %j', async (broken) => {
    const root = temporaryTree({ [NAME]: broken });

    expect(await increment(sharedStore(join(root, NAME)))).toBe(1);
    const [name, aside = ''] = readdirSync(root).toSorted();
    expect([name, aside]).toEqual([NAME, expect.stringMatching(/^counter\.json\.broken-\d{8}T\d{9}Z$/)]);
    expect(readFileSync(join(root, aside), 'utf8')).toBe(broken);
  });

  test('keeps a directory that is in the place of a shared file', async () => {
    const root = temporaryTree({ [`${NAME}/x`]: 'y' });

    expect(await increment(sharedStore(join(root, NAME)))).toBe(1);
    const [, aside = ''] = readdirSync(root).toSorted();
    expect(readFileSync(join(root, aside, 'x'), 'utf8')).toBe('y');
  });
});

describe('JsonStore.update follows no symbolic link', () => {
  const linked = (make: (target: string, path: string) => void) => {
    const root = temporaryTree({ 'elsewhere/counter.json': '{"n":4}', 'here/': '' });
    const [target, path] = [join(root, 'elsewhere', NAME), join(root, 'here', NAME)];
    make(target, path);
    return { root, target, path };
  };

  test.each([
    ['to a file', (target: string, path: string) => symlinkSync(target, path)],
    ['to a file by a relative path', (_: string, path: string) => symlinkSync(`../elsewhere/${NAME}`, path)],
    ['to a missing file', (target: string, path: string) => symlinkSync(`${target}.missing`, path)],
    ['to a device that never ends', (_: string, path: string) => symlinkSync('/dev/zero', path)],
    ['to itself', (_: string, path: string) => symlinkSync(NAME, path)],
  ])('%s', async (_, make) => {
    const { root, target, path } = linked(make);

    expect(await increment(sharedStore(path))).toBe(1);
    expect(lstatSync(path).isFile()).toBe(true);
    expect(readdirSync(join(root, 'here')).toSorted()).toEqual([
      NAME,
      expect.stringMatching(/^counter\.json\.broken-/),
    ]);
    expect(valueIn(target)).toEqual({ n: 4 });
    expect(readdirSync(join(root, 'elsewhere'))).toEqual([NAME]);
  });

  test('that is its directory and leads out of the project', async () => {
    const { root, target } = linked(() => {});
    symlinkSync(dirname(target), join(root, 'here', 'link'));
    const store = new JsonStore<Counter>(join(root, 'here/link', NAME), { check, tree: join(root, 'here') });

    await expect(increment(store)).rejects.toThrow('by a symbolic link');
    expect(readdirSync(dirname(target))).toEqual([NAME]);
  });

  test('in the place of a private file, which is replaced', async () => {
    const { target, path } = linked((target, path) => symlinkSync(target, path));
    await increment(privateStore(path));

    expect(lstatSync(path).isSymbolicLink()).toBe(false);
    expect(valueIn(target)).toEqual({ n: 4 });
  });
});

describe('JsonStore never waits', () => {
  test.each([NAME, `${NAME}.lock`])('for a FIFO in the place of %s', async (name) => {
    const root = temporaryTree();
    execFileSync('mkfifo', [join(root, name)]);
    const past = new Date(Date.now() - 60_000);
    utimesSync(join(root, name), past, past);

    expect(sharedStore(join(root, NAME)).read()).toBeUndefined();
    expect(await increment(sharedStore(join(root, NAME)))).toBe(1);
    expect(valueIn(join(root, NAME))).toEqual({ n: 1 });
  });
});

test('JsonStore writes files that this user alone can read, in directories of the same kind', async () => {
  const path = join(temporaryTree(), 'a/b', NAME);
  await increment(privateStore(path));

  expect(lstatSync(path).mode & 0o777).toBe(0o600);
  expect(lstatSync(dirname(path)).mode & 0o777).toBe(0o700);
});

test('JsonStore ignores a file of more than 16 MB', async () => {
  const path = join(temporaryTree({ [NAME]: `{"n":4}${' '.repeat(17 * 1024 * 1024)}` }), NAME);

  expect(privateStore(path).read()).toBeUndefined();
});

describe('JsonStore.restore', () => {
  test('writes a file that has been removed', async () => {
    const path = join(temporaryTree(), 'cleared', NAME);
    await privateStore(path).restore({ n: 7 });

    expect(valueIn(path)).toEqual({ n: 7 });
  });

  test('leaves a present file as it is', async () => {
    const path = join(temporaryTree({ [NAME]: '{"n":4}' }), NAME);
    await privateStore(path).restore({ n: 7 });

    expect(valueIn(path)).toEqual({ n: 4 });
  });
});

test.each([
  ['a usable file', '{"n":4}', { n: 4 }],
  ['a broken file', 'not json', undefined],
])('JsonStore.read changes nothing on disk: %s', (_, content, expected) => {
  const root = temporaryTree({ [NAME]: content });
  mkdirSync(join(root, 'directory'));

  expect(sharedStore(join(root, NAME)).read()).toEqual(expected);
  expect(sharedStore(join(root, 'missing')).read()).toBeUndefined();
  expect(sharedStore(join(root, 'directory')).read()).toBeUndefined();
  expect(readdirSync(root).toSorted()).toEqual([NAME, 'directory']);
});
