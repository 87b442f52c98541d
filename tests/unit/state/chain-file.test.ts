import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readChains, removeExpiredChains } from '../../../src/state/chain-file.ts';
import { chainFile, chainOf } from '../../helpers/chain.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

test('a file whose chain says that it is another is passed over, and leads nowhere', () => {
  const begun = new Date(0);
  const [file = ''] = Object.keys(chainFile(chainOf()));
  // Beside the directory of its runs' outputs, `.trellis/.ralph/output/chain-x`.
  const root = temporaryTree({
    [file]: JSON.stringify(chainOf({ id: 'x/../../../../mine' }, begun)),
    '.trellis/.ralph/output/chain-x/a.log': '',
    'mine/text.txt': '',
  });
  expect(readChains(root)).toEqual([]);
  expect(removeExpiredChains(root, new Date())).toEqual([]);
  expect(existsSync(join(root, 'mine/text.txt'))).toBe(true);
});

test.for([
  { what: 'a status that is none', fields: { status: 'done' } },
  { what: 'no results', fields: { results: undefined } },
  { what: 'no list of what went unverified', fields: { unverified: 1 } },
  { what: 'a step without commands', fields: { steps: [{ text: 'Do it', criteria: [] }] } },
  { what: 'a step that is none', fields: { steps: [null] } },
])('a file of another version is passed over: $what', ({ fields }) => {
  const chain = chainOf();
  const [file = ''] = Object.keys(chainFile(chain));
  expect(readChains(temporaryTree({ [file]: JSON.stringify(chain) }))).toEqual([chain]);
  expect(readChains(temporaryTree({ [file]: JSON.stringify({ ...chain, ...fields }) }))).toEqual([]);
});
