import { describe, expect, test } from 'vitest';
import { type Paint, plain } from '../../../src/messages/paint.ts';
import { type Board, elapsedTime } from '../../../src/watch/board.ts';
import { boardText, cardLines, gateLines, worktreeLines } from '../../../src/watch/board-text.ts';
import { cardOf, runningSince } from '../../helpers/board.ts';
import { logRecord } from '../../helpers/log-record.ts';

const since = '2026-01-31T10:30:00.000Z';
const now = '2026-01-31T10:35:23.900Z';
const running = cardOf('T-1', {
  title: 'Log people in',
  runningSince: since,
  activity: { kind: 'gate', name: 'npm test', since: '2026-01-31T10:35:00.000Z' },
});

const blocked = cardOf('a-task', {
  kind: 'hook',
  title: 'Build the cart',
  progress: '2/5',
  state: 'waits for the next stop',
  failing: 'blocked: gates-failed (test failed, exit 1)',
});

test('boardText prints the lanes and the running agents', () => {
  const board: Board = {
    lanes: [
      { name: 'todo', cards: [] },
      { name: 'coder', cards: [running] },
      { name: 'done', cards: [cardOf('T-2', { state: 'passed after 5s' })] },
      { name: 'stop loops and chains', cards: [blocked] },
    ],
    agents: [
      { stage: 'coder', task: 'T-1', iteration: 3, max: 15, since, costUsd: 0.4 },
      { stage: 'qa', task: 'T-3', iteration: 1, max: 5, since, costUsd: null },
    ],
    runs: [runningSince(0, 'e2e', { waiting: 2 })],
    worktrees: [],
  };
  expect(boardText(board, now, plain)).toBe(
    `TODO 0
CODER 1
  T-1  Log people in
    ↻ Coder (1/15) 5m 23s
    gate npm test 23s
DONE 1
  T-2
    ↻ Coder (1/15)
    passed after 5s
STOP LOOPS AND CHAINS 1
  a-task  Build the cart
    ↻ 2/5
    waits for the next stop
    blocked: gates-failed (test failed, exit 1)

RUNNING AGENTS 2
  Slot 1: coder, T-1, ↻ Ralph: iteration 3/15, running 5m 23s, $0.40
  Slot 2: qa, T-3, ↻ Ralph: iteration 1/5, running 5m 23s

VERIFICATION RUNS 1
  e2e: 5 min so far; 2 processes wait for it`,
  );
});

test.each([
  ['only lanes without agents', [{ name: 'todo', cards: [] }], 'TODO 0'],
  ['that there is nothing without lanes', [], 'There are no tasks and no loops here yet.'],
])('boardText prints %s', (_, lanes, text) => {
  expect(boardText({ lanes, agents: [], runs: [], worktrees: [] }, now, plain)).toBe(text);
});

test('boardText colours what runs, what failed, and the heads of the lanes', () => {
  const lanes = [{ name: 'failed', cards: [running, blocked] }];
  const tagged: Paint = (style, text) => `<${style}>${text}</>`;
  const text = boardText({ lanes, agents: [], runs: [], worktrees: [] }, now, tagged);
  for (const part of [
    '<red><bold>FAILED 2</></>',
    '<yellow>↻ Coder (1/15) 5m 23s</>',
    '<red>blocked: gates-failed (test failed, exit 1)</>',
  ])
    expect(text).toContain(part);
});

test('cardLines puts the name and title of a card without a loop on two lines in a narrow lane', () => {
  const card = cardOf('T-1', { title: 'Log people in', progress: null });
  const texts = (isWide: boolean) => cardLines(card, now, isWide).map(({ text }) => text);
  expect(texts(true)).toEqual(['T-1  Log people in']);
  expect(texts(false)).toEqual(['T-1', 'Log people in']);
});

describe('elapsedTime', () => {
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
  ])('formats %d s as %s', (seconds, words) => {
    expect(elapsedTime(since, at(seconds))).toBe(words);
  });
});

test.each([
  {
    what: 'a part of its usual time',
    seconds: 10,
    usual: 40_000,
    shown: 'test  █████░░░░░░░░░░░░░░░  10 s, about 30 s left',
  },
  {
    what: 'longer than usual',
    seconds: 50,
    usual: 40_000,
    shown: `test  ${'█'.repeat(20)}  50 s so far, usually 40 s`,
  },
  { what: 'for the first time', seconds: 10, usual: null, shown: 'test  10 s so far' },
])('gateLines shows a gate that has run $what', ({ seconds, usual, shown }) => {
  const [gate] = runningSince(seconds).gates;
  const run = { waiting: 0, gates: gate ? [{ ...gate, usual_ms: usual }] : [] };
  expect(gateLines(run, '2026-01-31T10:30:00Z', plain)).toEqual([shown]);
});

test('worktreeLines lists the working trees with what goes on in them', () => {
  const last = logRecord({ gates: [{ name: 'test', outcome: 'failed', exit: 1, duration_ms: 1 }] });
  const trees: Board['worktrees'] = [
    { name: 'shop', branch: 'main', isHere: true, last, runs: [] },
    { name: 'shop-login', branch: 'login', isHere: false, last: undefined, runs: [runningSince(10)] },
    { name: 'detached', branch: null, isHere: false, last: undefined, runs: [] },
  ];
  expect(worktreeLines(trees, '2026-01-31T10:30:00Z', plain)).toEqual([
    'WORKTREES 3',
    '> shop        ✗ test 1/5  main',
    '  shop-login  ● test 10 s  login',
    '  detached    no stop yet',
  ]);
});
