import { describe, expect, test } from 'vitest';
import { plain } from '../../../src/messages/paint.ts';
import type { Card } from '../../../src/watch/board.ts';
import { layoutOf } from '../../../src/watch/layout.ts';
import { selectedCard } from '../../../src/watch/move-selection.ts';
import { type Command, pressKey } from '../../../src/watch/press-key.ts';
import { FIRST_VIEW, type Mode, type Seen, type View } from '../../../src/watch/view.ts';
import { boardOfNames, cardOf } from '../../helpers/board.ts';

const LANES: Mode = { kind: 'lanes' };
const board = boardOfNames(['a b', 'c'], 'x');

function seen(view: Partial<View>, more: Partial<Seen> = {}): Seen {
  const whole = { ...FIRST_VIEW, ...view };
  return {
    board,
    view: whole,
    selected: selectedCard(board, whole.selected),
    feedback: [],
    columns: 60,
    rows: 12,
    layout: layoutOf(board, 60, 12),
    now: '2026-01-31T10:30:00.000Z',
    paint: plain,
    ...more,
  };
}

/** Presses keys one after another. */
function press(keys: readonly string[], from: Seen) {
  let now = from;
  let command: Command | undefined;
  for (const key of keys) {
    const reaction = pressKey(key, now);
    command = reaction.command;
    now = { ...now, view: reaction.view, selected: selectedCard(board, reaction.view.selected) };
  }
  return { view: now.view, command };
}

describe('among the lanes', () => {
  test.each([
    [['down'], 'b'],
    [['j'], 'b'],
    [['j', 'k'], 'a'],
    [['down', 'up'], 'a'],
    [['right'], 'c'],
    [['l'], 'c'],
    [['l', 'h'], 'a'],
    [['right', 'left'], 'a'],
    [['j', 'j', 'j'], 'x'],
  ])('%j leads to %s', (keys, name) => {
    expect(press(keys, seen({})).view.selected?.name).toBe(name);
  });

  test.each(['x', 'escape', 'y', 'n', ' ', 'pagedown', '?'])('%j does nothing', (key) => {
    expect(press([key], seen({}))).toEqual({ view: FIRST_VIEW, command: undefined });
  });

  test.each(['down', 'enter', 'c'])('%s does nothing where there is no card', (key) => {
    expect(press([key], seen({}, { selected: undefined }))).toEqual({ view: FIRST_VIEW, command: undefined });
  });

  test('q ends it', () => {
    expect(press(['q'], seen({})).command).toEqual({ kind: 'end', code: 0 });
  });

  test('a notice is gone with the next key', () => {
    expect(press(['z'], seen({ notice: 'Done.' })).view.notice).toBeUndefined();
  });
});

describe('feedback', () => {
  const feedback = Array.from({ length: 25 }, (_, index) => `line ${index}`);
  const reading = (top: number) => seen({ mode: { kind: 'feedback', top } }, { feedback });

  test('is opened with Enter, of the card that is selected', () => {
    const { view } = press(['down', 'enter'], seen({}));
    expect(view).toMatchObject({ selected: { name: 'b' }, mode: { kind: 'feedback', top: 0 } });
  });

  test.each(['escape', 'enter'])('is closed with %s', (key) => {
    expect(press([key], reading(3)).view.mode).toEqual(LANES);
  });

  test.each([
    // 10 of the 25 lines are on the screen.
    [0, ['j'], 1],
    [0, ['down', 'down', 'up'], 1],
    [0, ['k'], 0],
    [0, ['pagedown'], 10],
    [0, [' ', ' '], 15],
    [15, ['j'], 15],
    [15, ['pageup'], 5],
    [3, ['pageup'], 0],
    [3, ['left', 'l', 'c', 'z'], 3],
  ])('from line %i on, %j leads to line %i', (top, keys, to) => {
    expect(press(keys, reading(top)).view.mode).toEqual({ kind: 'feedback', top: to });
  });

  test('of few lines stays where it is', () => {
    const few = seen({ mode: { kind: 'feedback', top: 0 } }, { feedback: ['one'] });
    expect(press(['j', 'pagedown'], few).view.mode).toEqual({ kind: 'feedback', top: 0 });
  });

  test('is left for good with q', () => {
    expect(press(['q'], reading(0)).command).toEqual({ kind: 'end', code: 0 });
  });
});

describe('cancelling', () => {
  const asking: Mode = { kind: 'asking', task: 'b' };

  test('is asked for', () => {
    expect(press(['j', 'c'], seen({}))).toMatchObject({ view: { mode: asking }, command: undefined });
  });

  test('is done after y', () => {
    expect(press(['y'], seen({ mode: asking }))).toMatchObject({
      view: { mode: LANES },
      command: { kind: 'cancel', task: 'b' },
    });
  });

  test.each(['n', 'escape', 'enter', 'q', 'Y', 'down'])('is not done after %s', (key) => {
    expect(press([key], seen({ mode: asking }))).toMatchObject({
      view: { mode: LANES, notice: 'Nothing was cancelled.' },
      command: undefined,
    });
  });

  test('is refused where there is nothing to cancel, and told why', () => {
    const over: Card = cardOf('over', { cancel: { why: 'It has passed.' } });
    expect(press(['c'], seen({}, { selected: over })).view).toMatchObject({
      mode: LANES,
      notice: 'It has passed.',
    });
  });
});

test.each([
  ['lanes', LANES],
  ['feedback', { kind: 'feedback', top: 0 }],
  ['the question', { kind: 'asking', task: 'b' }],
] as const)('Ctrl-C ends it, from %s', (_, mode) => {
  expect(press(['ctrl-c'], seen({ mode })).command).toEqual({ kind: 'end', code: 130 });
});
