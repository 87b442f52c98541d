import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  allFailures,
  hasFailures,
  type PreviousFailures,
  readFailures,
  removeAllFailures,
  removeFailures,
  writeFailures,
} from '../../../src/state/failures.ts';
import { ralphDirectory } from '../../../src/state/paths.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const NAME = 'failed.json';
const memory: PreviousFailures = {
  task: 't',
  iteration: 2,
  tree: 'abc',
  gates: [
    {
      time: '2026-01-31T10:30:00.000Z',
      name: 'test',
      command: 'pnpm test',
      outcome: { reason: 'failed', exitCode: 1 },
      duration_ms: 12,
      errors: ['Error: "検証" 🎉'],
      names: ['adds "検証"'],
      since: 1,
      excerpt: [
        { kind: 'error', text: 'Error: "検証" 🎉' },
        { kind: 'note', text: '… 3 lines …' },
      ],
      log: null,
    },
  ],
};

describe('failures are saved', () => {
  test.each([
    ['where there is nothing yet', {}, NAME],
    ['with its directory', {}, `a/${NAME}`],
    ['over what was remembered before', { [NAME]: JSON.stringify({ ...memory, iteration: 1 }) }, NAME],
    ['over what cannot be read', { [NAME]: 'not json' }, NAME],
  ])('%s', (_, files, name) => {
    const path = join(temporaryTree(files), name);
    writeFailures(path, memory);

    expect(readFailures(path)).toEqual(memory);
    expect(readdirSync(join(path, '..'))).toEqual([NAME]);
  });

  test('and removed', () => {
    const path = join(temporaryTree(), NAME);
    writeFailures(path, memory);
    const before = hasFailures(path);
    removeFailures(path);

    expect([before, hasFailures(path), readFailures(path)]).toEqual([true, false, undefined]);
  });

  test('and removing them twice is not an error', () => {
    expect(() => removeFailures(join(temporaryTree(), NAME))).not.toThrow();
  });
});

test.each([
  '',
  'not json',
  '{"time":"2026',
  'null',
  '[]',
  '1',
  '{}',
  '\0',
  JSON.stringify({ ...memory, gates: undefined }),
  JSON.stringify({ ...memory, gates: [null] }),
  JSON.stringify({ ...memory, gates: [{ ...memory.gates[0], time: 'x' }] }),
  JSON.stringify({ ...memory, gates: [{ name: 'test' }] }),
  JSON.stringify({ ...memory, gates: [{ ...memory.gates[0], outcome: 'failed' }] }),
  JSON.stringify({ ...memory, gates: [{ ...memory.gates[0], errors: 'x' }] }),
  JSON.stringify({ ...memory, gates: [{ ...memory.gates[0], errors: [null] }] }),
  JSON.stringify({ ...memory, gates: [{ ...memory.gates[0], names: 'x' }] }),
  JSON.stringify({ ...memory, gates: [{ ...memory.gates[0], names: [1] }] }),
  JSON.stringify({ ...memory, gates: [{ ...memory.gates[0], excerpt: 'x' }] }),
  JSON.stringify({ ...memory, gates: [{ ...memory.gates[0], excerpt: [null] }] }),
])('readFailures returns undefined for %s', (content) => {
  expect(readFailures(join(temporaryTree({ [NAME]: content }), NAME))).toBeUndefined();
});

test('readFailures reads a record of a version that recorded no names', () => {
  const gates = memory.gates.map(({ names: _, ...gate }) => gate);
  const path = join(temporaryTree({ [NAME]: JSON.stringify({ ...memory, gates }) }), NAME);

  expect(readFailures(path)).toEqual({ ...memory, gates });
});

test('readFailures returns undefined for a directory and a missing file', () => {
  const root = temporaryTree({ [`${NAME}/`]: '' });

  expect([readFailures(join(root, NAME)), readFailures(join(root, 'gone'))]).toEqual([undefined, undefined]);
});

describe('writeFailures does not throw', () => {
  test('when a file is in the place of its directory', () => {
    const root = temporaryTree({ file: 'x' });
    writeFailures(join(root, 'file', NAME), memory);
    removeFailures(join(root, 'file', NAME));

    expect(readFileSync(join(root, 'file'), 'utf8')).toBe('x');
  });

  test('when a directory is in the place of the file', () => {
    const root = temporaryTree({ [`${NAME}/x`]: 'y' });
    writeFailures(join(root, NAME), memory);
    removeFailures(join(root, NAME));

    expect(readdirSync(root)).toEqual([NAME]);
    expect(readFileSync(join(root, NAME, 'x'), 'utf8')).toBe('y');
  });
});

test('allFailures returns the failures of a project, the latest first, and ignores other files', () => {
  const root = temporaryTree({ '.trellis/': '' });
  const at = (time: string) => ({ ...memory, gates: memory.gates.map((gate) => ({ ...gate, time })) });
  const directory = ralphDirectory(root);
  for (const [name, time] of [
    ['failed-a.json', '2026-01-31T10:30:00.000Z'],
    ['failed-b.json', '2026-02-01T00:00:00.000Z'],
  ] as const)
    writeFailures(join(directory, name), at(time));
  writeFileSync(join(directory, 'log.jsonl'), JSON.stringify(memory));
  writeFileSync(join(directory, 'failed-c.json'), 'not json');

  expect(allFailures(root).map(({ gates }) => gates[0]?.time)).toEqual([
    '2026-02-01T00:00:00.000Z',
    '2026-01-31T10:30:00.000Z',
  ]);
  expect(allFailures(temporaryTree())).toEqual([]);

  removeAllFailures(root);
  expect(readdirSync(directory)).toEqual(['log.jsonl']);
  expect(() => removeAllFailures(temporaryTree())).not.toThrow();
});
