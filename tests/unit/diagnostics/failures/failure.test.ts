import { expect, test } from 'vitest';
import { normalized, PRIORITY } from '../../../../src/diagnostics/failures/failure.ts';
import { SEVERITY } from '../../../../src/diagnostics/lines/rules.ts';
import { condensed } from '../../../helpers/condensed.ts';

test.each([
  ['an address differs from run to run', 'Cart<0x7f3a> is empty', 'Cart<0x7f3b> is empty', true],
  [
    'a port that the system has chosen differs from run to run',
    'Get "http://127.0.0.1:44841/fares": EOF',
    'Get "http://127.0.0.1:40123/fares": EOF',
    true,
  ],
  [
    'a port of a service does not',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'connect ECONNREFUSED 127.0.0.1:5433',
    false,
  ],
  [
    'the process and the time of a record in JSON differ from run to run',
    '{"level":60,"time":1795904783264,"pid":27500,"msg":"no box"}',
    '{"level":60,"time":1795904799999,"pid":27611,"msg":"no box"}',
    true,
  ],
  ['an amount in cents does not', '{"cents":1795904}', '{"cents":1795905}', false],
  ['a number of the base 16 that is compared does not', 'reads: 0 != 0xfe', 'reads: 0 != 0xfd', false],
  [
    'one that was expected does not',
    'FAIL head: got 0x0f, expected 0x47',
    'FAIL head: got 0x0f, expected 0x48',
    false,
  ],
])('of two texts that are compared, %s', (_, first, second, areEqual) => {
  expect(normalized(first) === normalized(second)).toBe(areEqual);
});

const logged = (request: string, place = 'src/cart.ts:4:5', message = 'no lamp') =>
  `[web] 2026-11-29T10:30:00.120Z error unhandled in POST ${request}\n[web] TypeError: ${message}\n[web]     at total (${place})\n[web] 2026-11-29T10:30:00.180Z info  GET / 200\n`;
const inJson = (request: string) =>
  `{"level":50,"reqId":"${request}","err":{"stack":"TypeError: no lamp\\n    at total (src/cart.ts:4:5)"},"msg":"failed"}\n`;

test.each([
  ['of another request', logged('/carts/18'), logged('/carts/19'), [2]],
  ['of another request, in JSON', inJson('req-4'), inJson('req-5'), [2]],
  ['of another path', logged('/carts/18'), logged('/orders/18'), [1, 1]],
  ['from another place', logged('/carts/18'), logged('/carts/19', 'src/cart.ts:9:5'), [1, 1]],
  ['with another message', logged('/carts/18'), logged('/carts/19', undefined, 'no chair'), [1, 1]],
  [
    'that is its own record',
    'Error: cart 18\n    at total (src/cart.ts:4:5)\n\n',
    'Error: cart 19\n    at total (src/cart.ts:4:5)\n',
    [1, 1],
  ],
])('an exception that is logged again is, or is not, the same one: %s', (_, first, second, times) => {
  const { failures } = condensed(first + second);

  expect(failures.map((stored) => stored.times)).toEqual(times);
});

test('the place above what a linter has found is worth more than the source that it quotes', () => {
  const { failures } = condensed(
    'In scripts/backup.sh line 9:\nfor old in $(ls $target); do\n                ^-----^ SC2086 (info): Double quote to prevent globbing.\n',
  );

  expect(failures[0]?.block.lines.map(({ priority }) => priority)).toEqual([
    PRIORITY.place,
    PRIORITY.code,
    PRIORITY.error,
  ]);
});

test.each([
  ['ℹ', SEVERITY.warning],
  ['⚠', SEVERITY.warning],
  ['✖', SEVERITY.thrown],
])('how bad it is what a linter has found at a place is said by the sign below it: %s', (sign, severity) => {
  const { failures } = condensed(
    `src/hooks/useLeave.ts:10:11 lint/style/useTemplate ━━━━━━━━━━\n\n  ${sign} Template literals are preferred.\n`,
  );

  expect(failures[0]?.block.severity).toBe(severity);
});
