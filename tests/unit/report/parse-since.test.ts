import { expect, test } from 'vitest';
import { parseSince } from '../../../src/report/parse-since.ts';

const NOW = new Date('2026-03-14T12:00:00.000Z');

test.for([
  { text: '30m', since: new Date('2026-03-14T11:30:00Z') },
  { text: '24h', since: new Date('2026-03-13T12:00:00Z') },
  { text: '7d', since: new Date('2026-03-07T12:00:00Z') },
  { text: '2w', since: new Date('2026-02-28T12:00:00Z') },
  { text: '2026-03-01', since: new Date(2026, 2, 1) },
  { text: '2024-02-29', since: new Date(2024, 1, 29) },
  { text: '2026-03-01T10:30', since: new Date(2026, 2, 1, 10, 30) },
  { text: '2026-03-01T10:30:15', since: new Date(2026, 2, 1, 10, 30, 15) },
  { text: '2026-03-01T10:30Z', since: new Date('2026-03-01T10:30:00Z') },
  { text: '2026-03-01T10:30:15.250+02:00', since: new Date('2026-03-01T08:30:15.250Z') },
])('$text is a time', ({ text, since }) => {
  expect(parseSince(text, NOW)).toEqual(since);
});

test.for([
  ...['', ' ', '7', 'd', '7 d', '7D', '7s', '1y', '-7d', '0d', '1.5d', '7dd', 'yesterday', '99999999999999w'],
  ...['2026', '2026-03', '2026-3-1', '2026-02-31', '2025-02-29', '2026-13-01', '2026-00-10', '2026-01-00'],
  ...['2026-03-01T25:00', '2026-03-01T10', '01.03.2026', '2026-03-01 10:30', '2026-03-01T10:30+2'],
])('"%s" is none', (text) => {
  expect(parseSince(text, NOW)).toBeUndefined();
});
