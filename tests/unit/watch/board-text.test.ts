import { describe, expect, test } from 'vitest';
import type { Board } from '../../../src/watch/board.ts';
import { boardText } from '../../../src/watch/board-text.ts';
import { cardLines } from '../../../src/watch/card-lines.ts';
import { timeBetween } from '../../../src/watch/words.ts';
import { cardOf } from '../../helpers/board.ts';

const since = '2026-01-31T10:30:00.000Z';
const now = '2026-01-31T10:35:23.900Z';
const running = cardOf('T-1', {
  title: 'Log people in',
  since,
  activity: { kind: 'gate', name: 'npm test', since: '2026-01-31T10:35:00.000Z' },
});

test('a board is printed with all that is on it', () => {
  const board: Board = {
    lanes: [
      { name: 'todo', cards: [] },
      { name: 'coder', cards: [running] },
      { name: 'done', cards: [cardOf('T-2', { standing: 'passed after 5s' })] },
    ],
    slots: [
      { stage: 'coder', task: 'T-1', iteration: 3, max: 15, since, costUsd: 0.4 },
      { stage: 'qa', task: 'T-3', iteration: 1, max: 5, since, costUsd: null },
    ],
    hooks: [cardOf('a-task', { kind: 'hook', at: '2/5', standing: 'waits for the next stop' })],
  };
  expect(boardText(board, now)).toBe(
    `TODO 0
CODER 1
  T-1  Log people in
    Coder (1/15) 5m 23s
    gate npm test 23s
DONE 1
  T-2
    Coder (1/15)
    passed after 5s

AGENTS AT WORK
  Slot 1: coder, T-1, Ralph: iteration 3/15, running 5m 23s, $0.40
  Slot 2: qa, T-3, Ralph: iteration 1/5, running 5m 23s

HOOK LOOPS AND CHAINS
  a-task (2/5) waits for the next stop`,
  );
});

test('without agents and hooks there are lanes alone', () => {
  expect(boardText({ lanes: [{ name: 'todo', cards: [] }], slots: [], hooks: [] }, now)).toBe('TODO 0');
});

test('a card without a loop is its name and title, on two lines where it is narrow', () => {
  const card = cardOf('T-1', { title: 'Log people in', at: null });
  expect(cardLines(card, now, true)).toEqual(['T-1  Log people in']);
  expect(cardLines(card, now, false)).toEqual(['T-1', 'Log people in']);
});

describe('a time is told', () => {
  const at = (seconds: number) => new Date(Date.parse(since) + seconds * 1000).toISOString();
  test.each([
    [-5, '0s'],
    [0.9, '0s'],
    [59, '59s'],
    [60, '1m 0s'],
    [3599, '59m 59s'],
    [3600, '1h 0m'],
    [86_399, '23h 59m'],
    [86_400, '1d 0h'],
    [273_600, '3d 4h'],
  ])('%d s: %s', (seconds, words) => {
    expect(timeBetween(since, at(seconds))).toBe(words);
  });
});
