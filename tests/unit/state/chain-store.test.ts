import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { success } from '../../../src/base/result.ts';
import { isChainExpired } from '../../../src/state/chain.ts';
import {
  moveChain,
  readChains,
  readStoredChains,
  removeExpired,
  removeOldArtifacts,
} from '../../../src/state/chain-store.ts';
import { chainFile, chainOf } from '../../helpers/chain.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

test('a file with the id of another chain is ignored, and its id leads to no other file', () => {
  const [file = ''] = Object.keys(chainFile(chainOf()));
  // Relative to the directory of the chain's outputs, `.trellis/.ralph/output/chain-x`.
  const root = temporaryTree({
    [file]: JSON.stringify(chainOf({ id: 'x/../../../../mine' }, new Date(0))),
    '.trellis/.ralph/output/chain-x/a.log': '',
    'mine/text.txt': '',
  });
  expect(readChains(root)).toEqual([]);
  expect(removeExpired(readStoredChains([root]), new Date())).toEqual({ live: [], expired: [] });
  expect(existsSync(join(root, 'mine/text.txt'))).toBe(true);
});

describe('a file is ignored', () => {
  const chain = chainOf();
  const [file = ''] = Object.keys(chainFile(chain));
  const chainsIn = (text: string) => readChains(temporaryTree({ [file]: text }));

  test.for([
    { what: 'with an unknown status', fields: { status: 'done' } },
    { what: 'without results', fields: { results: undefined } },
    { what: 'without a list of unverified steps', fields: { unverified: 1 } },
    { what: 'with a step without commands', fields: { steps: [{ text: 'Do it', criteria: [] }] } },
    {
      what: 'with a command that is no text',
      fields: { steps: [{ text: '', verify: [{ command: null }], criteria: [] }] },
    },
    { what: 'with a step that is null', fields: { steps: [null] } },
    { what: 'with the index of a missing step', fields: { step: 9 } },
  ])('$what', ({ fields }) => {
    expect(chainsIn(JSON.stringify({ ...chain, ...fields }))).toEqual([]);
  });

  test('that is cut off', () => {
    expect(chainsIn(JSON.stringify(chain))).toEqual([chain]);
    expect(chainsIn(JSON.stringify(chain).slice(0, 90))).toEqual([]);
  });
});

test('a chain of a removed project is missing, and its directory is not created again', async () => {
  const root = join(temporaryTree(), 'gone');
  const moved = await moveChain(root, 'k3-1', (chain) => success({ chain }));
  expect(moved).toEqual({ ok: false, failure: { message: 'there is no chain k3-1' } });
  expect(existsSync(root)).toBe(false);
});

test.for([
  ['2026-11-22T09:59:00Z', false],
  ['2026-11-22T10:01:00Z', true],
] as const)('a chain without a change since 2026-11-21T10:00:00Z has expired at %s: %s', ([now, expired]) => {
  expect(isChainExpired(chainOf({}, new Date('2026-11-21T10:00:00Z')), new Date(now))).toBe(expired);
});

test('removeOldArtifacts removes artifacts of ended chains after a day', () => {
  const artifacts = (id: string) => ({
    [`.trellis/.ralph/failed-chain-${id}.json`]: '{}',
    [`.trellis/.ralph/output/chain-${id}/a.log`]: '',
  });
  const live = chainOf();
  const root = temporaryTree({ ...chainFile(live), ...artifacts(live.id), ...artifacts('ended-1') });
  const left = (id: string) =>
    Object.keys(artifacts(id)).filter((path) => existsSync(join(root, path))).length;

  removeOldArtifacts(root, new Date());
  expect(left('ended-1')).toBe(2);
  removeOldArtifacts(root, new Date(Date.now() + 25 * 3_600_000));
  expect([left('ended-1'), left(live.id)]).toEqual([0, 2]);
});
