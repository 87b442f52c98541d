import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findChain } from '../../../src/chain/find-chain.ts';
import type { Chain } from '../../../src/state/chain.ts';
import { chainRoots } from '../../../src/state/chain-location.ts';
import { readChain } from '../../../src/state/chain-store.ts';
import { chainFile, chainOf } from '../../helpers/chain.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

/** Chains that verify stops, started one second after another. */
const files = (...chains: readonly Partial<Chain>[]) =>
  Object.assign(
    {},
    ...chains.map((fields, index) =>
      chainFile({
        ...chainOf({ atStop: 'block', id: `id-${index}` }, new Date(1e12 + index * 1000)),
        ...fields,
      }),
    ),
  );
const NOW = new Date(1e12 + 60_000);
const find = async (root: string, session: string | null = 's') => {
  const { found, expired } = await findChain(chainRoots(root), root, session, NOW);
  return { id: found?.chain.id, root: found?.root, expired: expired.map(({ id }) => id) };
};

describe('the chain of a session is', () => {
  test('its latest one', async () => {
    const root = temporaryTree(files({ session: 's' }, { session: 's' }, { session: 'another' }));
    expect(await find(root)).toMatchObject({ id: 'id-1', root });
  });

  test.for(['a directory inside the project', 'a project inside the project'])(
    'found from %s',
    async (where) => {
      const inner = where.startsWith('a project') ? { 'inner/worktree.yaml': '' } : { 'inner/a.txt': '' };
      const root = temporaryTree({ ...files({ session: 's' }), ...inner });
      expect(await find(join(root, 'inner'))).toMatchObject({ id: 'id-0', root });
    },
  );

  test('the oldest one without a session, which then belongs to it', async () => {
    const root = temporaryTree(files({ session: 'another' }, { session: null }, { session: null }));
    expect(await find(root)).toMatchObject({ id: 'id-1' });
    expect(readChain(root, 'id-1')?.session).toBe('s');
    expect(await find(root, 'second')).toMatchObject({ id: 'id-2' });
  });

  test('not one without a session in a directory above the project', async () => {
    const root = temporaryTree({ ...files({ session: null }), 'inner/a.txt': '' });
    expect(await find(join(root, 'inner'))).toMatchObject({ id: undefined });
  });

  test('not one that stops ignore', async () => {
    const root = temporaryTree(files({ session: 's', atStop: 'nothing' }));
    expect(await find(root)).toMatchObject({ id: undefined });
  });

  test('not an expired one, which is removed', async () => {
    const updated_at = new Date(NOW.getTime() - 25 * 3_600_000).toISOString();
    const root = temporaryTree(files({ session: 's', updated_at }, { session: 'another', updated_at }));
    expect(await find(root)).toMatchObject({ id: undefined, expired: ['id-0', 'id-1'] });
    expect(chainRoots(root)).toEqual([]);
  });
});
