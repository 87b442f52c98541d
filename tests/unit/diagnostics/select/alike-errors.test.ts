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

const picture = (i: number) => `/img/lamp-${i}.png was not found, it will remain unchanged\n${served}`;
const ERROR = 'src/view.ts(6,9): error TS2305: Module "./page" has no exported member "lamp".\n';

test('beside a sure error, of the lines of one wording that mention a failure, the first is shown with their count', () => {
  const shown = excerpt(`${picture(1)}${picture(2)}${picture(3)}${ERROR}`);

  expect(shown).toContain('/img/lamp-1.png was not found, it will remain unchanged (×3)');
  expect(shown).not.toContain('lamp-2');
});

test.each([
  ['there are two of them', `${picture(1)}${picture(2)}${ERROR}`],
  ['nothing else is wrong', `${picture(1)}${picture(2)}${picture(3)}`],
])('the lines of one wording that mention a failure are all shown where %s', (_, output) => {
  const shown = excerpt(output);

  for (const name of ['lamp-1', 'lamp-2']) expect(shown).toContain(name);
});
