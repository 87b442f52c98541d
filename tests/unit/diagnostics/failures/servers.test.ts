import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const served = Array.from({ length: 40 }, (_, i) => `GET /carts/${i} was served in ${i % 9} ms\n`).join('');

describe('a server that did not answer', () => {
  const waits = (port: number) =>
    `curl: (7) Failed to connect to 127.0.0.1 port ${port} after 0 ms\n{"level":"info","msg":"listening","port":"4310"}\n${served}`;
  const error =
    "TypeError: Cannot read properties of undefined (reading 'find')\n    at quote (/p/src/quote.js:5:29)\n";

  test('is left out if it has begun to listen since then, and something else went wrong', () => {
    expect(excerpt(`${waits(4310)}${error}`)).not.toContain('Failed to connect');
  });

  test('is shown if another one has, or nothing else went wrong', () => {
    expect(excerpt(`${waits(4311)}${error}`)).toContain('Failed to connect');
    expect(excerpt(waits(4310))).toContain('Failed to connect');
    expect(excerpt(`${waits(4310)}rates: attempt 1 failed, 2 are left\n`)).toContain('Failed to connect');
  });

  test.each([
    ['has begun before', 'listening on port 4310\n', ''],
    ['is only named since then', '', 'GET http://127.0.0.1:4310/carts\n'],
  ])('is shown if it %s', (_, before, after) => {
    const refused = 'curl: (7) Failed to connect to 127.0.0.1 port 4310 after 0 ms\n';

    expect(excerpt(`${before}${refused}${after}${served}${error}`)).toContain('Failed to connect');
  });

  test.each([
    [
      'the time at which it was logged',
      '10:30:00 ERROR connect ECONNREFUSED 127.0.0.1:6379',
      'started in 30 ms',
    ],
    [
      'a part of another number',
      '10:30:00 ERROR connect ECONNREFUSED 127.0.0.1:631',
      'listening on port 6310',
    ],
  ])('is shown if what has begun has only %s', (_, refused, begun) => {
    expect(excerpt(`${refused}\n${begun}\n${served}${error}`)).toContain('ECONNREFUSED');
  });
});
