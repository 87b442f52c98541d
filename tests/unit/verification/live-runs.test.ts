import { expect, test } from 'vitest';
import { ownIdentity } from '../../../src/process/process-group.ts';
import { machineSigner } from '../../../src/state/machine-key.ts';
import { claimRun, removeRun, type Wanted } from '../../../src/verification/live-runs.ts';
import { temporaryHome, temporaryTree } from '../../helpers/temporary-tree.ts';

const WANTED: Wanted = {
  tree: 'a tree',
  keys: ['a key'],
  failFast: true,
  takesFinished: true,
  hasPassed: () => false,
};

/** A project with a run that others can join. */
async function projectWithRun() {
  temporaryHome();
  const root = temporaryTree();
  const signer = await machineSigner();
  if (signer === undefined) throw new Error('this user has no key');
  const claim = (wanted: Wanted) =>
    claimRun(root, wanted, signer, ownIdentity, { signal: new AbortController().signal });
  const first = await claim(WANTED);
  if (first === undefined) throw new Error('no run was claimed');
  return { first, claim };
}

test('a run of the same gates on the same files is joined', async () => {
  const { first, claim } = await projectWithRun();
  expect(await claim(WANTED)).toMatchObject({ isJoined: true, run: { id: first.run.id } });
});

test.each([
  ['a pass is taken that was recorded before', true, undefined],
  ['the gates run again without a pass', false, { isJoined: false }],
])('where the owner removes a run while it is joined, %s', async (_, hasPassed, expected) => {
  const { first, claim } = await projectWithRun();
  const joined = await claim({
    ...WANTED,
    hasPassed: () => hasPassed,
    // Asked when the run is found, before it is joined.
    get anyGates() {
      removeRun(first.directory);
      return true;
    },
  });
  if (expected === undefined) expect(joined).toBeUndefined();
  else expect(joined).toMatchObject(expected);
});
