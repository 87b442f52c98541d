import { expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const served = Array.from({ length: 20 }, (_, i) => `GET /carts/${i} was served in ${i % 9} ms\n`).join('');
const TEST =
  'PASS test/order.test.ts\nFAIL test/cart.test.ts\n  ● carts › has a lamp\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: 200\n    Received: 500\n\n      at Object.toBe (test/cart.test.ts:12:22)\n';
const logged = (message: string, place = 'src/refund.js:4:32', caller = 'src/app.js:10:21') =>
  `2026-11-29T10:30:00.120Z ERROR [carts] ${message}\nTypeError: ${message}\n    at refund (${place})\n    at pay (${caller})\n${served}`;
const UGLY = "unknown reason 'ugly'";
const OLD = "unknown reason 'old'";

test('of the errors that were logged from one place, the first is shown with the count of all', () => {
  const shown = excerpt(`${logged(UGLY)}${logged(OLD)}${logged("unknown reason ''")}${TEST}`);

  expect(shown).toContain(`${UGLY} (×3)`);
  expect(shown).not.toContain('old');
});

test.each([
  ['from another place', logged(UGLY), logged(OLD, 'src/refund.js:9:3')],
  ['from another caller', logged(UGLY), logged(OLD, undefined, 'src/app.js:19:3')],
  ['of another class', logged(UGLY), logged(OLD).replace('TypeError', 'RangeError')],
])('an error that was logged %s is shown, too', (_, first, second) => {
  const shown = excerpt(`${first}${second}${TEST}`);

  for (const message of [UGLY, OLD]) expect(shown).toContain(message);
});

test('the errors from one place are all shown where no test has failed', () => {
  const shown = excerpt(`${logged(UGLY)}${logged(OLD)}`);

  for (const message of [UGLY, OLD]) expect(shown).toContain(message);
});
