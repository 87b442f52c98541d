import { expect, test } from 'vitest';
import { parseStatus } from '../../../src/checkpoint/working-tree.ts';

const ID = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';
const tracked = (status: string, path: string, submodule = 'N...') =>
  `1 ${status} ${submodule} 100644 100644 100644 ${ID} ${ID} ${path}`;
const read = (...lines: readonly string[]) =>
  parseStatus([`# branch.oid ${ID}`, '# branch.head main', ...lines, ''].join('\0'));

test('parseStatus returns the differences between HEAD, the index and the disk', () => {
  const status = read(
    tracked('M.', 'staged'),
    tracked('.M', ' a  b '),
    tracked('MD', 'gone'),
    tracked('.A', 'to be added'),
    '? new',
    '? new one\n',
    '? a/repository/',
    '! ignored.log',
    '! node_modules/',
  );
  expect(status).toEqual({
    head: ID,
    branch: 'main',
    changed: [' a  b ', 'gone', 'to be added'],
    untracked: ['new', 'new one\n'],
    ignored: ['ignored.log', 'node_modules/'],
    nested: ['a/repository/'],
    differing: 7,
    problem: undefined,
  });
});

test('parseStatus leaves out the state of ralph-loop', () => {
  const ralphState = [
    '? .trellis/.ralph-state.json',
    '? a/.trellis/.ralph/log.jsonl',
    '! .trellis/.ralph/',
    tracked('.M', '.trellis/.ralph-state.json'),
  ];
  expect(read(...ralphState, '? x.trellis/.ralph', '? .trellis/task')).toMatchObject({
    changed: [],
    untracked: ['x.trellis/.ralph', '.trellis/task'],
    ignored: [],
    differing: 2,
  });
});

test('parseStatus returns null without a commit and without a branch', () => {
  expect(parseStatus('# branch.oid (initial)\0# branch.head (detached)\0')).toMatchObject({
    head: null,
    branch: null,
  });
});

test.each([
  ['no problem for a submodule at another commit', tracked('.M', 'lib', 'SC..'), undefined],
  [
    'a problem for a submodule with a changed file',
    tracked('.M', 'my lib', 'SCM.'),
    /^the submodule my lib has uncommitted changes/,
  ],
  [
    'a problem for a submodule with a new file',
    tracked('.M', 'lib', 'S..U'),
    /^the submodule lib has uncommitted changes/,
  ],
  [
    'a problem for a conflict',
    `u UU N... 100644 100644 100644 100644 ${ID} ${ID} ${ID} a b`,
    /^a b is not merged/,
  ],
])('parseStatus returns %s', (_, line, problem) => {
  if (problem) expect(read(line).problem).toMatch(problem);
  else expect(read(line).problem).toBeUndefined();
});
