import { describe, expect, test } from 'vitest';
import { moveSelection, selectedCard } from '../../../src/watch/move-selection.ts';
import { boardOfNames, cardOf } from '../../helpers/board.ts';

describe('a key leads to a card', () => {
  const board = boardOfNames(['a b c', '', 'd', 'e f'], 'x y');
  const sideBySide = [
    ['a', 'down', 'b'],
    ['a', 'up', 'a'],
    ['c', 'down', 'x'],
    ['f', 'down', 'x'],
    ['x', 'down', 'y'],
    ['y', 'down', 'y'],
    ['y', 'up', 'x'],
    ['x', 'up', 'f'],
    ['d', 'up', 'd'],
    // Empty lanes are passed over; a lane that is not as high has its last card.
    ['a', 'right', 'd'],
    ['c', 'right', 'd'],
    ['f', 'left', 'd'],
    ['d', 'left', 'a'],
    ['e', 'right', 'e'],
    ['a', 'left', 'a'],
    ['x', 'left', 'x'],
    ['x', 'right', 'x'],
  ] as const;
  test.each(sideBySide)('side by side: %s, %s: %s', (from, direction, to) => {
    expect(moveSelection(board, selected(from), direction, false).name).toBe(to);
  });

  const stacked = [
    ['a', 'up', 'a'],
    ['b', 'down', 'c'],
    ['c', 'down', 'd'],
    ['d', 'up', 'c'],
    ['f', 'down', 'x'],
    ['x', 'up', 'f'],
    ['y', 'down', 'y'],
    ['b', 'right', 'd'],
    ['f', 'right', 'x'],
    ['y', 'left', 'e'],
    ['b', 'left', 'b'],
    ['x', 'right', 'x'],
  ] as const;
  test.each(stacked)('stacked: %s, %s: %s', (from, direction, to) => {
    expect(moveSelection(board, selected(from), direction, true).name).toBe(to);
  });

  function selected(name: string) {
    const card = [...board.lanes.flatMap(({ cards }) => cards), ...board.hooks].find(
      (one) => one.name === name,
    );
    if (!card) throw new Error(name);
    return card;
  }
});

describe('the selected card', () => {
  const board = boardOfNames(['a', 'b'], 'a');

  test.each([
    ['is found again by its kind and id', cardOf('b', { title: 'another now' }), 'task b'],
    ['is not one of another kind', cardOf('a', { kind: 'hook' }), 'hook a'],
    ['is the first when it is gone', cardOf('gone'), 'task a'],
    ['is the first when none was selected', undefined, 'task a'],
  ])('%s', (_, card, expected) => {
    const { kind, name } = selectedCard(board, card) ?? {};
    expect(`${kind} ${name}`).toBe(expected);
  });

  test('is one that runs, when none was selected', () => {
    const running = cardOf('r', { since: '2026-01-31T10:30:00.000Z' });
    const lanes = [...board.lanes, { name: 'coder', cards: [running] }];
    expect(selectedCard({ ...board, lanes }, undefined)).toBe(running);
  });

  test('is none on an empty board', () => {
    expect(selectedCard(boardOfNames(['']), cardOf('a'))).toBeUndefined();
  });
});
