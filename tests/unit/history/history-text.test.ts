import { describe, expect, test } from 'vitest';
import type { ClaimCounts, History } from '../../../src/history/count-history.ts';
import { historyText, shares } from '../../../src/history/history-text.ts';
import { plain } from '../../../src/messages/paint.ts';

const counts = (
  verified: number,
  stale: number,
  failed: number,
  neverRan: number,
  unknown: number,
): ClaimCounts => ({
  claims: verified + stale + failed + neverRan + unknown,
  ...{ verified, stale, failed, never_ran: neverRan, unknown },
});
const total = counts(60_000, 20_000, 10_000, 30_001, 3456);
const HISTORY: History = {
  hosts: [
    { host: 'claude-code', title: 'Claude Code', transcripts: 1000, turns: 150_000, ...total },
    { host: 'codex', title: 'Codex', transcripts: 1, turns: 1, ...counts(0, 0, 0, 0, 0) },
  ],
  total,
  before: counts(0, 20_000, 10_000, 30_001, 3456),
  since: counts(60_000, 0, 0, 0, 0),
  leftOut: { 'no-edits': 20_000, interrupted: 1, 'no-message': 0, question: 0, 'not-done': 0 },
  span: { from: new Date('2026-01-01T12:00:00'), to: new Date('2026-02-01T12:00:00') },
  bytes: 1,
  unread: [],
  directories: ['/home/dev/.claude/projects'],
};

describe('the table', () => {
  const lines = historyText(HISTORY, undefined, plain).split('\n');

  test('fits into 60 columns', () => {
    expect(lines.filter((line) => line.length > 60)).toEqual([]);
  });

  test('has a row for each host with claims, and their shares', () => {
    expect(lines.slice(2, 6)).toEqual([
      '             claims verified  stale failed never ran unknown',
      'Claude Code 123,457   60,000 20,000 10,000    30,001   3,456',
      'All         123,457   60,000 20,000 10,000    30,001   3,456',
      '                        49 %   16 %    8 %      24 %     3 %',
    ]);
  });

  test('names what is left out, and only that', () => {
    expect(lines.slice(lines.indexOf('20,001 other turns are no claims:') + 1)).toEqual([
      ' 20,000 edited no file of the project',
      '      1 were interrupted',
      '',
    ]);
  });
});

describe('without a claim', () => {
  const none: History = {
    ...HISTORY,
    hosts: [],
    total: counts(0, 0, 0, 0, 0),
    span: undefined,
    leftOut: { ...HISTORY.leftOut, 'no-edits': 0, interrupted: 0 },
  };

  test('the directories that were searched are printed', () => {
    expect(historyText(none, undefined, plain)).toBe(
      'There are no transcripts of agents on this machine. These directories were searched:\n  /home/dev/.claude/projects\n',
    );
  });

  test('what was not read is printed', () => {
    const unread = [{ kind: 'no-sqlite', path: '/home/dev/opencode.db', node: '20.20.2' }] as const;
    expect(historyText({ ...none, unread }, undefined, plain)).toMatch(
      /\n\nNot read: OpenCode's database\. It needs Node 22\.5 or later; this is Node 20\.20\.2\.\n$/,
    );
  });
});

test.each([
  [
    [1, 1, 1],
    [34, 33, 33],
  ],
  [
    [1, 1, 1, 1, 1, 1],
    [17, 17, 17, 17, 16, 16],
  ],
  [
    [0, 5],
    [0, 100],
  ],
  [
    [0, 0],
    [0, 0],
  ],
])('the shares of %j add up', (numbers, expected) => {
  expect(shares(numbers)).toEqual(expected);
});
