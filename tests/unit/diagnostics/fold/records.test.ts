import { expect, test } from 'vitest';
import {
  withoutLogsAgain,
  withoutRecordsAgain,
  withoutServerRecords,
} from '../../../../src/diagnostics/fold/records.ts';

const shown = (output: string) =>
  withoutRecordsAgain(output.split('\n').map((text, at) => ({ at, text })))
    .map(({ text }) => text)
    .join('\n');

const exception = (request: string) =>
  `{"level":50,"req":{"method":"POST","url":"${request}"},"err":{"stack":…\n    TypeError: no lamp\n        at total (src/cart.ts:4:5)\n  "msg":"failed"}`;

test.each([
  ['at another time', '10:30:00 [backup] source /srv/orders', '10:30:04 [backup] source /srv/orders'],
  ['in a comment', '# 10:30:00 [INFO] archiving /srv/orders', '# 10:30:04 [INFO] archiving /srv/orders'],
  ['of a server', '[web] 10:30:00.120 info  took the lock', '[web] 10:30:00.320 info  took the lock'],
  ['with its exception, in JSON', exception('/carts/1'), exception('/carts/1')],
  [
    'with its exception, of another request',
    '2026-11-29T10:30:00.120Z error POST /carts/18/pay\nTypeError: no lamp\n    at total (src/cart.ts:4:5)',
    '2026-11-29T10:30:02.120Z error POST /carts/19/pay\nTypeError: no lamp\n    at total (src/cart.ts:4:5)',
  ],
])('a record that was shown before is left out: %s', (_, first, again) => {
  expect(shown(`${first}\ncounted 3 lamps\n${again}\nend`)).toBe(`${first}\ncounted 3 lamps\nend`);
});

test.each([
  ['something else', '10:30:00 [backup] source /srv/orders', '10:30:04 [backup] source /srv/carts'],
  ['another number', '10:30:00 [backup] removed orders-1.tar', '10:30:04 [backup] removed orders-2.tar'],
  ['an error again', '10:30:00 [ERROR] mailbox is unavailable', '10:30:04 [ERROR] mailbox is unavailable'],
  ['a few characters', '10:30:00 retrying', '10:30:04 retrying'],
  ['another exception', exception('/carts/1'), exception('/carts/1').replace('lamp', 'chair')],
  ['an exception of another request', exception('/carts/1'), exception('/orders/1')],
  [
    'an exception from another place',
    '10:30:00.120 error POST /carts/18/pay\nTypeError: no lamp\n    at total (src/cart.ts:4:5)',
    '10:30:02.120 error POST /carts/19/pay\nTypeError: no lamp\n    at total (src/cart.ts:9:5)',
  ],
])('a record that says something new is shown: %s', (_, first, second) => {
  expect(shown(`${first}\n${second}`)).toBe(`${first}\n${second}`);
});

const logged = (part: string, said: string) => `2026-11-29 01:45:51.249 UTC [23223] ${part}:  ${said}`;
const ERROR = logged('ERROR', 'could not create unique index "sku_key"');
const DETAIL = logged('DETAIL', 'Key (sku)=(A-1) is duplicated.');
const STATEMENT = logged('STATEMENT', 'create unique index sku_key on article (sku);');
const CLIENT = 'psql:5.sql:6: ERROR:  could not create unique index "sku_key"';

test.each([
  ['says all of it', [ERROR, DETAIL, STATEMENT], [CLIENT, 'DETAIL:  Key (sku)=(A-1) is duplicated.'], []],
  ['says no detail', [ERROR, DETAIL], [CLIENT], [ERROR, DETAIL]],
  ['says nothing', [ERROR], ['make: *** [db] Error 3'], [ERROR]],
  ['says one of two', [logged('FATAL', 'no such role'), ERROR], [CLIENT], [logged('FATAL', 'no such role')]],
])(
  'what a server of PostgreSQL has logged is left out as far as its client says it: the client %s',
  (_, server, client, left) => {
    const lines = [...server, ...client].map((text, at) => ({ at, text }));

    expect(withoutServerRecords(lines).map(({ text }) => text)).toEqual([...left, ...client]);
  },
);

test('what was logged above several failed tests is shown above the first', () => {
  const lines = (ms: number) => [
    'validation failed: manager is required',
    `POST /employees 422 22 - ${ms} ms`,
  ];
  const [first, second, third] = ['not ok 1 creates 1', 'not ok 2 creates 2', 'not ok 3 creates 3'];
  const other = 'validation failed: email is invalid';
  const output = [...lines(19.266), first, ...lines(2.058), second, other, third].map((text, at) => ({
    at,
    text,
  }));

  expect(withoutLogsAgain(output).map(({ text }) => text)).toEqual([
    ...lines(19.266),
    first,
    second,
    other,
    third,
  ]);
});

test.each([
  [
    'a part of the test above',
    ['not ok 1 a', '  expected 422 to equal 201', 'not ok 2 b', '  expected 422 to equal 201', 'not ok 3 c'],
  ],
  ['a sign', ['---', 'not ok 1 a', '---', 'not ok 2 b']],
])('above several failed tests, %s is shown again', (_, texts) => {
  const lines = texts.map((text, at) => ({ at, text }));

  expect(withoutLogsAgain(lines)).toEqual(lines);
});
