import { describe, expect, test } from 'vitest';
import { plain } from '../../../src/messages/paint.ts';
import type { RunningAgent } from '../../../src/watch/board.ts';
import { computeLayout, visibleRange } from '../../../src/watch/view.ts';
import { boardOfNames, cardOf, runningSince } from '../../helpers/board.ts';

const agent: RunningAgent = {
  stage: 'coder',
  task: 'T',
  iteration: 1,
  max: 15,
  since: '2026-01-31T10:30:00.000Z',
  costUsd: null,
};
const EMPTY = boardOfNames([]);
const LOOK = { now: '2026-01-31T10:30:00.000Z', footer: 'keys', paint: plain };
/** Cards have two lines: name and progress. */
const layout = (cards: readonly string[], at: { agents?: number; columns: number; rows: number }) =>
  computeLayout(
    { ...boardOfNames(cards), agents: Array.from({ length: at.agents ?? 0 }, () => agent) },
    at,
    LOOK,
  );

describe('computeLayout', () => {
  test.each([
    [3, 60, true],
    [3, 71, true],
    [3, 72, false],
    [5, 119, true],
    [5, 120, false],
  ])('with %i lanes in %i columns stacks the lanes: %s', (lanes, columns, isStacked) => {
    const cards = Array.from({ length: lanes }, () => '');
    expect(layout(cards, { columns, rows: 24 }).isStacked).toBe(isStacked);
  });
});

describe('computeLayout divides the lines, and no part is higher than its content', () => {
  test.each([
    // lanes, agents, columns, rows; rows of the lanes, of the agents, borders
    [['a'], 0, 60, 50, 5, 0, true],
    [['a b', 'c'], 0, 80, 50, 9, 0, true],
    [['a b', 'c', 'd'], 0, 60, 50, 19, 0, true],
    [['a b', 'c', 'd'], 0, 60, 20, 19, 0, true],
    [['a b', 'c', 'd'], 0, 60, 19, 11, 0, false],
    [['a b', 'c', 'd'], 1, 60, 20, 11, 3, false],
    [['a b', 'c', 'd'], 1, 60, 24, 19, 3, true],
    [['a b', 'c', 'd'], 1, 80, 12, 9, 2, true],
    [['a b c d e f g h'], 9, 60, 20, 14, 5, false],
    [['a b c d e f g h'], 9, 60, 24, 18, 5, true],
    // The panel of the agents is removed first.
    [['a b c d e f g h'], 1, 60, 10, 6, 3, false],
    [['a b c d e f g h'], 1, 60, 9, 8, 0, false],
    [[''], 0, 60, 50, 1, 0, true],
  ])('with the lanes %j and %i agents on %i x %i', (lanes, agents, columns, rows, ...expected) => {
    const { laneRows, panels, hasBorders } = layout(lanes, { agents, columns, rows });
    expect([laneRows, panels.length, hasBorders]).toEqual(expected);
  });
});

test.each([
  [12, ['RUNNING AGENTS 1', 'VERIFICATION RUNS 1']],
  [10, ['RUNNING AGENTS 1']],
  [9, ['VERIFICATION RUNS 1']],
  [8, []],
])('computeLayout with %i lines has the panels that leave space for the lanes: %j', (rows, headings) => {
  const board = { ...boardOfNames(['a b c']), agents: [agent], runs: [runningSince(0)] };
  const { panels } = computeLayout(board, { columns: 60, rows }, LOOK);
  expect(panels.filter((line) => !line.startsWith(' '))).toEqual(headings);
});

test.each([
  // A card with borders and its heading has 5 lines, the footer 1.
  [10, []],
  [11, ['LAST FEEDBACK', 'line 0', 'line 1', 'line 2', '… 5 more lines: enter']],
  [15, ['LAST FEEDBACK', ...Array.from({ length: 8 }, (_, index) => `line ${index}`)]],
])('computeLayout with %i lines shows of the feedback what fits: %j', (rows, shown) => {
  const excerpt = Array.from({ length: 8 }, (_, index) => `line ${index}`);
  const { panels } = computeLayout(boardOfNames(['a']), { columns: 60, rows }, { ...LOOK, excerpt });
  expect(panels).toEqual(shown);
});

describe('computeLayout wraps and does not cut', () => {
  const long = cardOf('session:0198c1f2-77aa-7000-8000-1234567890ab/main', {
    kind: 'hook',
    title: 'Build the cart with a very long title that nobody would ever put on a card of a board',
    state: 'waits for the next stop',
    failing: 'blocked: gates-failed (a gate with a long name failed, exit 1; another timed-out)',
  });
  test.each([
    ['the lines of a card in one lane', 60, ['x', 'x']],
    ['the lines of a card in a narrow lane', 60, ['x']],
    ['the lines of a card in a terminal of 24 columns', 24, []],
  ])('%s', (_, columns, others) => {
    const lanes = [{ name: 'todo', cards: [long] }, ...others.map((name) => ({ name, cards: [] }))];
    const at = computeLayout({ ...EMPTY, lanes }, { columns, rows: 40 }, LOOK);
    const { lines = [] } = at.columns[0]?.[0]?.cards[0] ?? {};
    const text = lines.join('').replaceAll(' ', '');
    for (const part of [long.name, long.title, long.state, long.failing])
      expect(text).toContain(part?.replaceAll(' ', ''));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(at.laneColumns - 4);
  });

  test.each([
    ['a running agent', { agents: [{ ...agent, task: 't'.repeat(90) }] }, LOOK],
    ['a running gate', { runs: [runningSince(0, 't'.repeat(90))] }, LOOK],
    ['a notice', {}, { ...LOOK, footer: `Cancelled ${'t'.repeat(90)}` }],
  ])('%s', (_, fields, look) => {
    const { panels, footer } = computeLayout({ ...EMPTY, ...fields }, { columns: 60, rows: 24 }, look);
    const lines = [...panels, ...footer];
    expect(lines.join('').match(/t{40,}/)?.[0].length).toBeGreaterThanOrEqual(79);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  });
});

test.each([
  // heights, selected, rows, from, to
  [[], -1, 5, 0, 0],
  [[2, 2], 0, 4, 0, 2],
  [[2, 2, 2], 0, 4, 0, 2],
  [[2, 2, 2], 1, 4, 0, 2],
  [[2, 2, 2], 2, 4, 2, 3],
  [[1, 1, 1, 1, 1], 3, 2, 2, 4],
  // An entry that is too high has a page of its own.
  [[1, 9, 1], 0, 4, 0, 1],
  [[1, 9, 1], 1, 4, 1, 2],
  [[1, 9, 1], 2, 4, 2, 3],
  [[1, 1], 1, 0, 1, 2],
  // No entry is selected.
  [[2, 2, 2], -1, 4, 0, 2],
])(
  'visibleRange of entries with the heights %j, with entry %i selected, in %i rows is from %i to %i',
  (heights, selected, rows, from, to) => {
    expect(visibleRange(heights, selected, rows)).toEqual({ from, to });
  },
);
