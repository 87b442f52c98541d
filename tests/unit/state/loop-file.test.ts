import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  leftovers,
  loopFiles,
  peekLoop,
  removeLoop,
  saveAttempt,
  saveReset,
} from '../../../src/state/loop-file.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const NAME = 'state.json';
const now = new Date(2026, 0, 31, 10, 30, 0);
const rules = { task: 't', stateTimeoutMinutes: 30 };
const fresh = { task: 't', iteration: 1, started_at: '2026-01-31T10:30:00.000000' };
const earlier = { task: 't', iteration: 2, started_at: '2026-01-31T10:20:00.000000', x: { y: 1 } };

const stateIn = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

describe('a stop attempt is saved', () => {
  test.each([
    ['where there is no state', undefined, fresh],
    ['on top of the state, with the keys that we do not know', earlier, { ...earlier, iteration: 3 }],
    ['over the state of another task', { ...earlier, task: 'u' }, { ...fresh, x: { y: 1 } }],
  ])('%s', async (_, before, after) => {
    const root = temporaryTree(before ? { [NAME]: JSON.stringify(before) } : {});
    const path = join(root, NAME);

    expect(await saveAttempt(path, rules, now)).toEqual(after);
    expect(stateIn(path)).toEqual(after);
    expect(readdirSync(root)).toEqual([NAME]);
  });

  test('with its directory where that is missing', async () => {
    const path = join(temporaryTree(), 'a/b', NAME);
    await saveAttempt(path, rules, now);

    expect(stateIn(path)).toEqual(fresh);
  });

  test('each of many at once', async () => {
    const path = join(temporaryTree(), NAME);
    const saved = await Promise.all(Array.from({ length: 20 }, () => saveAttempt(path, rules, now)));

    expect(saved.map(({ iteration }) => iteration).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 1),
    );
  });

  test('or the caller hears that it cannot be', async () => {
    const root = temporaryTree({ file: '' });

    await expect(saveAttempt(join(root, 'file', NAME), rules, now)).rejects.toThrow();
  });

  test('or the caller hears that another holds its lock', async () => {
    const lock = `${NAME}.lock`;
    const root = temporaryTree({ [NAME]: JSON.stringify(earlier), [lock]: String(process.pid) });

    await expect(saveAttempt(join(root, NAME), rules, now, { waitMs: 0 })).rejects.toThrow(
      `${join(root, lock)} is held by process ${process.pid}`,
    );
    expect(stateIn(join(root, NAME))).toEqual(earlier);
  });

  test('as a new file, so that no reader sees half of it', async () => {
    const root = temporaryTree({ [NAME]: JSON.stringify(earlier) });
    const path = join(root, NAME);
    const inode = lstatSync(path).ino;
    await saveAttempt(path, rules, now);

    expect(lstatSync(path).ino).not.toBe(inode);
  });
});

describe('a state that cannot be used is kept beside the new one', () => {
  const aside = `${NAME}.broken-${now.toISOString().replace(/[-:.]/g, '')}`;
  test.each([
    'not json',
    '',
    '{"task":"t","itera',
    'null',
    '[]',
    '{"iteration":-1}',
    '{"iteration":"2"}',
    '\0',
  ])('%j', async (broken) => {
    const root = temporaryTree({ [NAME]: broken });

    expect(await saveAttempt(join(root, NAME), rules, now)).toEqual(fresh);
    expect(readdirSync(root).toSorted()).toEqual([NAME, aside]);
    expect(readFileSync(join(root, aside), 'utf8')).toBe(broken);
  });

  test('a directory', async () => {
    const root = temporaryTree({ [`${NAME}/x`]: 'y' });

    expect(await saveAttempt(join(root, NAME), rules, now)).toEqual(fresh);
    expect(readFileSync(join(root, aside, 'x'), 'utf8')).toBe('y');
  });
});

describe('a state file that is a link stays one', () => {
  test.each([
    ['to a state', JSON.stringify(earlier), 3],
    ['to a state that cannot be used', 'not json', 1],
    ['to nothing yet', undefined, 1],
  ])('%s', async (_, content, iteration) => {
    const root = temporaryTree({ 'elsewhere/': '', 'here/': '' });
    const [target, path] = [join(root, 'elsewhere/shared.json'), join(root, 'here', NAME)];
    if (content !== undefined) writeFileSync(target, content);
    symlinkSync(target, path);
    await saveAttempt(path, rules, now);

    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(stateIn(target)).toMatchObject({ task: 't', iteration });
    expect(readdirSync(join(root, 'here'))).toEqual([NAME]);
  });

  test.each([
    ['to a state', JSON.stringify(earlier), 3],
    ['to nothing yet', undefined, 1],
  ])('relative, %s', async (_, content, iteration) => {
    const root = temporaryTree({ 'elsewhere/': '', 'here/': '' });
    const [target, path] = [join(root, 'elsewhere/shared.json'), join(root, 'here', NAME)];
    if (content !== undefined) writeFileSync(target, content);
    symlinkSync('../elsewhere/shared.json', path);
    await saveAttempt(path, rules, now);

    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(stateIn(target)).toMatchObject({ task: 't', iteration });
  });

  test('and the state that cannot be used is kept beside what it leads to', async () => {
    const root = temporaryTree({ 'elsewhere/shared.json': 'not json' });
    symlinkSync(join(root, 'elsewhere/shared.json'), join(root, NAME));
    await saveAttempt(join(root, NAME), rules, now);

    expect(readdirSync(join(root, 'elsewhere')).toSorted()).toEqual([
      'shared.json',
      expect.stringMatching(/^shared\.json\.broken-/),
    ]);
  });
});

describe('a reset', () => {
  test('sets the count to 0 and keeps the rest', async () => {
    const path = join(temporaryTree({ [NAME]: JSON.stringify(earlier) }), NAME);
    await saveReset(path, { ...earlier, iteration: 3 });

    expect(stateIn(path)).toEqual({ ...earlier, iteration: 0 });
  });

  test('leaves a loop alone that another task has taken over', async () => {
    const path = join(temporaryTree({ [NAME]: JSON.stringify({ ...earlier, task: 'u' }) }), NAME);
    await saveReset(path, earlier);

    expect(stateIn(path)).toEqual({ ...earlier, task: 'u' });
  });

  test('writes the state where it is gone', async () => {
    const path = join(temporaryTree(), NAME);
    await saveReset(path, earlier);

    expect(stateIn(path)).toEqual({ ...earlier, iteration: 0 });
  });
});

test.each([
  ['a file', { [NAME]: '{}' }],
  ['a directory in its place', { [`${NAME}/x`]: 'y' }],
])('removing a loop tells whether there was one: %s', (_, files) => {
  const root = temporaryTree(files);

  expect([removeLoop(join(root, NAME)), removeLoop(join(root, NAME))]).toEqual([true, false]);
  expect(readdirSync(root)).toEqual([]);
});

test('removing a loop takes no lock, and leaves that of another alone', () => {
  const root = temporaryTree({ [NAME]: '{}', [`${NAME}.lock`]: String(process.pid) });

  expect(removeLoop(join(root, NAME))).toBe(true);
  expect(readdirSync(root)).toEqual([`${NAME}.lock`]);
});

test.each([
  [JSON.stringify(earlier), earlier],
  ['not json', undefined],
])('looking at a state changes nothing: %j', (content, state) => {
  const root = temporaryTree({ [NAME]: content });

  expect(peekLoop(join(root, NAME))).toEqual(state);
  expect(peekLoop(join(root, 'gone'))).toBeUndefined();
  expect(readdirSync(root)).toEqual([NAME]);
});

test('the loops of a project are told from everything else that lies there', () => {
  const root = temporaryTree({
    '.trellis/.ralph-state.json': '{}',
    '.trellis/.ralph-state.json.broken-1': 'x',
    '.trellis/.ralph-state.json.12.tmp': 'x',
    '.trellis/worktree.yaml': '',
    '.trellis/.ralph/loop-b.main.json': '{}',
    '.trellis/.ralph/loop-a.main.json': '{}',
    '.trellis/.ralph/loop-a.main.json.lock': '1',
    '.trellis/.ralph/log.jsonl': '',
  });
  const names = (paths: string[]) => paths.map((path) => path.slice(root.length + 1));

  expect(names(loopFiles(root))).toEqual([
    '.trellis/.ralph-state.json',
    '.trellis/.ralph/loop-a.main.json',
    '.trellis/.ralph/loop-b.main.json',
  ]);
  expect(names(leftovers(root))).toEqual([
    '.trellis/.ralph-state.json.12.tmp',
    '.trellis/.ralph-state.json.broken-1',
    '.trellis/.ralph',
  ]);
});

test('a project without loops has none', () => {
  const root = temporaryTree();
  mkdirSync(join(root, '.trellis'));

  expect([loopFiles(root), leftovers(root)]).toEqual([[], []]);
});
