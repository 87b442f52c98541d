import { describe, expect, test } from 'vitest';
import { failure } from '../../../src/base/result.ts';
import { plain } from '../../../src/messages/paint.ts';
import type { Card } from '../../../src/watch/board.ts';
import { type BoardCommand, handleKey, moveSelection, selectedCard } from '../../../src/watch/keys.ts';
import {
  type BoardFrame,
  computeLayout,
  INITIAL_VIEW,
  type ViewMode,
  type ViewState,
} from '../../../src/watch/view.ts';
import { boardOfNames, cardOf } from '../../helpers/board.ts';

const LANES: ViewMode = { kind: 'lanes' };
const board = boardOfNames(['a b', 'c', 'x']);
const LOOK = { now: '2026-01-31T10:30:00.000Z', footer: 'keys', paint: plain };

function frameOf(view: Partial<ViewState>, fields: Partial<BoardFrame> = {}): BoardFrame {
  const state = { ...INITIAL_VIEW, ...view };
  return {
    board,
    view: state,
    selected: selectedCard(board, state.selected),
    feedback: [],
    columns: 80,
    rows: 12,
    layout: computeLayout(board, { columns: 80, rows: 12 }, LOOK),
    paint: plain,
    ...fields,
  };
}

/** Presses the keys one after another. */
function press(keys: readonly string[], from: BoardFrame) {
  let frame = from;
  let command: BoardCommand | undefined;
  for (const key of keys) {
    const result = handleKey(key, frame);
    command = result.command;
    frame = { ...frame, view: result.view, selected: selectedCard(board, result.view.selected) };
  }
  return { view: frame.view, command };
}

describe('in the lanes', () => {
  test.each([
    [['down'], 'b'],
    [['j'], 'b'],
    [['j', 'k'], 'a'],
    [['down', 'up'], 'a'],
    [['right'], 'c'],
    [['l'], 'c'],
    [['l', 'h'], 'a'],
    [['right', 'left'], 'a'],
    [['j', 'j', 'j'], 'b'],
    [['l', 'l', 'l'], 'x'],
  ])('the keys %j lead to the card %s', (keys, name) => {
    expect(press(keys, frameOf({})).view.selected?.name).toBe(name);
  });

  test.each(['x', 'escape', 'y', 'n', ' ', 'pagedown', '?'])('the key %j does nothing', (key) => {
    expect(press([key], frameOf({}))).toEqual({ view: INITIAL_VIEW, command: undefined });
  });

  test.each(['down', 'enter', 'c'])('the key %s does nothing without a card', (key) => {
    expect(press([key], frameOf({}, { selected: undefined }))).toEqual({
      view: INITIAL_VIEW,
      command: undefined,
    });
  });

  test('q exits', () => {
    expect(press(['q'], frameOf({})).command).toEqual({ kind: 'exit', code: 0 });
  });

  test('the next key removes a notice', () => {
    expect(press(['z'], frameOf({ notice: 'Done.' })).view.notice).toBeUndefined();
  });
});

describe('the feedback', () => {
  const feedback = Array.from({ length: 25 }, (_, index) => `line ${index}`);
  const reading = (top: number) => frameOf({ mode: { kind: 'feedback', top } }, { feedback });

  test('of the selected card opens with Enter', () => {
    const { view } = press(['down', 'enter'], frameOf({}));
    expect(view).toMatchObject({ selected: { name: 'b' }, mode: { kind: 'feedback', top: 0 } });
  });

  test.each(['escape', 'enter'])('closes with %s', (key) => {
    expect(press([key], reading(3)).view.mode).toEqual(LANES);
  });

  test.each([
    // 10 of the 25 lines fit on the screen.
    [0, ['j'], 1],
    [0, ['down', 'down', 'up'], 1],
    [0, ['k'], 0],
    [0, ['pagedown'], 10],
    [0, [' ', ' '], 15],
    [15, ['j'], 15],
    [15, ['pageup'], 5],
    [3, ['pageup'], 0],
    [3, ['left', 'l', 'c', 'z'], 3],
  ])('at line %i scrolls with %j to line %i', (top, keys, to) => {
    expect(press(keys, reading(top)).view.mode).toEqual({ kind: 'feedback', top: to });
  });

  test('with few lines does not scroll', () => {
    const few = frameOf({ mode: { kind: 'feedback', top: 0 } }, { feedback: ['one'] });
    expect(press(['j', 'pagedown'], few).view.mode).toEqual({ kind: 'feedback', top: 0 });
  });

  test('exits with q', () => {
    expect(press(['q'], reading(0)).command).toEqual({ kind: 'exit', code: 0 });
  });
});

describe('cancelling a loop', () => {
  const confirming: ViewMode = { kind: 'confirm', loop: 'b' };

  test('asks for confirmation', () => {
    expect(press(['j', 'c'], frameOf({}))).toMatchObject({ view: { mode: confirming }, command: undefined });
  });

  test('is confirmed with y', () => {
    expect(press(['y'], frameOf({ mode: confirming }))).toMatchObject({
      view: { mode: LANES },
      command: { kind: 'cancel', loop: 'b' },
    });
  });

  test.each(['n', 'escape', 'enter', 'q', 'Y', 'down'])('is not confirmed with %s', (key) => {
    expect(press([key], frameOf({ mode: confirming }))).toMatchObject({
      view: { mode: LANES, notice: 'Nothing was cancelled.' },
      command: undefined,
    });
  });

  test('shows the reason when there is nothing to cancel', () => {
    const over: Card = cardOf('over', { cancel: failure('It has passed') });
    expect(press(['c'], frameOf({}, { selected: over })).view).toMatchObject({
      mode: LANES,
      notice: 'It has passed',
    });
  });
});

test.each([
  ['lanes', LANES],
  ['feedback', { kind: 'feedback', top: 0 }],
  ['the confirmation', { kind: 'confirm', loop: 'b' }],
] as const)('Ctrl-C exits from %s', (_, mode) => {
  expect(press(['ctrl-c'], frameOf({ mode })).command).toEqual({ kind: 'exit', code: 130 });
});

describe('moveSelection', () => {
  const board = boardOfNames(['a b c', '', 'd', 'e f']);
  const sideBySide = [
    ['a', 'down', 'b'],
    ['a', 'up', 'a'],
    ['c', 'down', 'c'],
    ['d', 'up', 'd'],
    // Empty lanes are skipped; a shorter lane is entered at its last card.
    ['a', 'right', 'd'],
    ['c', 'right', 'd'],
    ['f', 'left', 'd'],
    ['d', 'left', 'a'],
    ['e', 'right', 'e'],
    ['a', 'left', 'a'],
  ] as const;
  test.each(sideBySide)('with lanes side by side goes from %s %s to %s', (from, direction, to) => {
    expect(moveSelection(board, selected(from), direction, false).name).toBe(to);
  });

  const stacked = [
    ['a', 'up', 'a'],
    ['b', 'down', 'c'],
    ['c', 'down', 'd'],
    ['d', 'up', 'c'],
    ['f', 'down', 'f'],
    ['b', 'right', 'd'],
    ['f', 'left', 'd'],
    ['b', 'left', 'b'],
    ['e', 'right', 'e'],
  ] as const;
  test.each(stacked)('with stacked lanes goes from %s %s to %s', (from, direction, to) => {
    expect(moveSelection(board, selected(from), direction, true).name).toBe(to);
  });

  function selected(name: string) {
    const card = board.lanes.flatMap(({ cards }) => cards).find((one) => one.name === name);
    if (!card) throw new Error(name);
    return card;
  }
});

describe('selectedCard', () => {
  const hooks = { name: 'hooks', cards: [cardOf('a', { kind: 'hook' })] };
  const board = { lanes: [...boardOfNames(['a', 'b']).lanes, hooks], agents: [], runs: [], worktrees: [] };

  test.each([
    ['finds the card again by its kind and id', cardOf('b', { title: 'another now' }), 'task b'],
    ['distinguishes cards by kind', cardOf('a', { kind: 'hook' }), 'hook a'],
    ['returns the first card when the selected one is gone', cardOf('gone'), 'task a'],
    ['returns the first card when none was selected', undefined, 'task a'],
  ])('%s', (_, card, expected) => {
    const { kind, name } = selectedCard(board, card) ?? {};
    expect(`${kind} ${name}`).toBe(expected);
  });

  test('returns a card that runs when none was selected', () => {
    const running = cardOf('r', { runningSince: '2026-01-31T10:30:00.000Z' });
    const lanes = [...board.lanes, { name: 'coder', cards: [running] }];
    expect(selectedCard({ ...board, lanes }, undefined)).toBe(running);
  });

  test('returns undefined for an empty board', () => {
    expect(selectedCard(boardOfNames(['']), cardOf('a'))).toBeUndefined();
  });
});
