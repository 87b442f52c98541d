import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readGateHistory } from '../../../src/state/gate-history.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const FILE = '.trellis/.ralph/log.jsonl';
const gate = (name: unknown, outcome: unknown, ms: unknown) => ({ name, outcome, exit: 0, duration_ms: ms });
const line = (...gates: unknown[]) => JSON.stringify({ time: '', answer: 'block', why: '', gates });
const historyOf = (text: string) => Object.fromEntries(readGateHistory(temporaryTree({ [FILE]: text })));

describe('readGateHistory', () => {
  test('returns how each gate ended the last time that it had a result', () => {
    const text = [
      line(gate('a', 'failed', 10), gate('b', 'passed', 20), gate('c', 'out-of-time', 30)),
      line(gate('a', 'passed', 11), gate('b', 'skipped', 0), gate('c', 'interrupted', 3)),
      line(gate('d', 'timed-out', 40), gate('b', 'unaffected', 0)),
    ].join('\n');
    expect(historyOf(`${text}\n`)).toEqual({
      a: { failed: false, durationMs: 11 },
      b: { failed: false, durationMs: 20 },
      c: { failed: false, durationMs: 30 },
      d: { failed: true, durationMs: 40 },
    });
  });

  test.each([
    ['lines of other programs', 'x\n{}\nnull\n[]\n{"gates":5}\n{"gates":[null,5,"a"]}\n'],
    ['gates without a name or a time', line(gate(5, 'failed', 1), gate('b', 'failed', 'long'))],
    ['a line whose start is cut off', `${line(gate('x'.repeat(70_000), 'failed', 1))}\n`],
    ['an empty file', ''],
  ])('takes nothing from %s', (_, text) => {
    expect(historyOf(text)).toEqual({});
  });

  test('reads the end of a long log only', () => {
    const filler = `${line(gate('old', 'failed', 1))}\n`.repeat(2000);
    expect(
      historyOf(`${line(gate('first', 'failed', 1))}\n${filler}${line(gate('new', 'failed', 2))}\n`),
    ).toEqual({
      old: { failed: true, durationMs: 1 },
      new: { failed: true, durationMs: 2 },
    });
  });

  test.each([
    ['a missing log', () => {}],
    ['a directory', (path: string) => mkdirSync(path)],
    [
      'a link',
      (path: string) => {
        writeFileSync(`${path}.target`, line(gate('a', 'failed', 1)));
        symlinkSync(`${path}.target`, path);
      },
    ],
  ])('returns nothing for %s', (_, make) => {
    const root = temporaryTree({ '.trellis/.ralph/other': '' });
    make(join(root, FILE));
    expect(readGateHistory(root)).toEqual(new Map());
  });
});
