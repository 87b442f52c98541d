import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const served = Array.from({ length: 40 }, (_, i) => `GET /carts/${i} was served in ${i % 9} ms\n`).join('');

const failed = (received: string) =>
  `FAIL test/cart.test.ts\n  ● carts › has a lamp\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: 200\n    Received: ${received}\n\n      at Object.toBe (test/cart.test.ts:12:22)\n\nTests:       1 failed, 19 passed, 20 total\n`;

const of = (logged: string, received: string) => excerpt(`${served}${logged}\n${served}${failed(received)}`);

describe('what a program has logged above a failed test that says what is wrong', () => {
  test.each([
    ['an error in a sentence of its own', '10:30:00 [ERROR] mail: mailbox is unavailable\n', '201'],
    [
      'an exception with its stack',
      'Error: a voucher needs a code\n    at redeem (src/voucher.ts:6:35)\n    at handle (src/app.ts:9:3)\n',
      '201',
    ],
    [
      'a record with another status',
      '{"level":50,"time":1795,"statusCode":404,"msg":"no such order"}\n',
      '500',
    ],
    [
      'a record with another status, whatever words it shares with the test',
      '{"level":50,"time":1795,"status":422,"msg":"carts without a lamp"}\n',
      '500',
    ],
    [
      'a request that nobody could parse, which looks like a mistake',
      '{"level":50,"time":1795,"status":400,"msg":"SyntaxError: Unexpected end of JSON input"}\n',
      '500',
    ],
    ['what only mentions a failure', 'rates: attempt 1 failed, 2 are left\n', '201'],
    ['what is no count', 'rates: attempt 1 failed: 503\n', '201'],
    [
      'that a system did not answer, above a test that passed',
      'rates: attempt 1 failed: ECONNRESET\n  ✔ asks again\n',
      '201',
      'ECONNRESET',
    ],
    [
      'an error that was excused and is there twice, both times',
      'rates: attempt 1 failed: ECONNRESET\n  ✔ asks again\nrates: attempt 2 failed: ECONNRESET\n  ✔ gives up\n',
      '201',
      'ECONNRESET',
    ],
    [
      'an exception of a rule, beside a mistake in the code',
      '10:30:00 [ERROR] shop: TypeError: x is undefined\n10:30:01 [ERROR] shop: Error: a voucher needs a code\n',
      '500',
      'needs a code',
    ],
  ])('is left out: %s', (_, logged, received, said = logged.trim()) => {
    expect(of(logged, received)).not.toContain(said);
  });

  test.each([
    ['a mistake in the code', '10:30:00 [ERROR] shop: TypeError: x is undefined', '201'],
    [
      'a mistake in the code, with the status of a server that has failed',
      '{"level":50,"time":1795,"status":503,"msg":"TypeError: x is undefined"}',
      '500',
    ],
    [
      'a mistake in the code, where no test says which status it has seen',
      '{"level":50,"time":1795,"status":400,"msg":"TypeError: x is undefined"}',
      '201',
    ],
    ['that a system did not answer', '10:30:00 [ERROR] shop: connect ECONNREFUSED 127.0.0.1:6379', '201'],
    [
      'a mistake in the code, above a test that passed',
      'TypeError: x is undefined\n  ✔ has a chair',
      '500',
      'TypeError: x is undefined',
    ],
    ['what the test says, too', '10:30:00 [ERROR] shop: no lamp in these carts', '201'],
    [
      'a record with the same status',
      '{"level":50,"time":1795,"statusCode":404,"msg":"no such order"}',
      '404',
    ],
    [
      'an error where a server refused what was asked',
      '10:30:00 [ERROR] mail: mailbox is unavailable',
      '422',
    ],
  ])('is shown: %s', (_, logged, received, said = logged) => {
    expect(of(logged, received)).toContain(said);
  });

  test('is shown if it is of a step before the one whose command is above the failed test', () => {
    const output = `> shop@1.0.0 check\n> sh check.sh\n\n${served}curl: (7) Failed to connect to port 4310\n==> Tests\nnot ok 1 - has a lamp\n  ---\n  error: 'no lamp'\n  expected: 1\n  actual: 0\n  ...\n`;

    expect(excerpt(output)).toContain('Failed to connect');
  });

  test.each(['> shop@1.0.0 test\n> jest', '==> test'])('is shown if it is of a step before: %s', (step) => {
    const linted = '==> lint\nERROR: carts have no price\n';

    expect(of(`${linted}${step}`, '201')).toContain('have no price');
  });

  test('is left out if its status is in the source of the test only', () => {
    const logged = '{"level":50,"time":1795,"statusCode":404,"msg":"no such order"}';
    const source = '    > 12 |     expect(r.status).toBe(404);';
    const output = failed('500').replace('\n      at Object', `${source}\n\n      at Object`);

    expect(excerpt(`${served}${logged}\n${served}${output}`)).not.toContain('no such order');
  });

  test('is shown if it is the result of a task', () => {
    expect(of('@mono/mail build ✖ fail', '201')).toContain('@mono/mail build ✖ fail');
  });

  test('is shown if it is the end of a command, or says that warnings are errors', () => {
    const ends =
      '[lint] command finished with exit code 2\nwarning: unused variable\nCompilation failed due to warnings\n';

    expect(of(ends, '201')).toContain('failed due to warnings');
  });
});

test('what a program has logged is shown above a failed test that says nothing', () => {
  const logged = '10:30:00 [ERROR] mail: mailbox is unavailable';

  expect(excerpt(`${served}${logged}\n${served}not ok 3 - has a lamp\n`)).toContain(logged);
});

describe('where servers have failed in several tests, what they have logged is shown, though tests have passed below it', () => {
  const record = (status: string, type: string, message: string, line: number) =>
    `{"level":50,"err":{"type":"${type}","stack":"${type}: ${message}\\n    at reserve (/p/src/stock.ts:${line}:15)"${status}},"msg":"request failed"}\n  ✓ lists ${type}\n`;
  const logged = [
    record(',"statusCode":409', 'Error', 'only 0 of it left', 17),
    record('', 'TypeError', "reading 'onHand'", 15),
    record('', 'ZodError', 'too small', 11),
  ].join('');
  const failures = (...names: readonly string[]) =>
    names
      .map(
        (name) =>
          ` FAIL  test/orders.test.ts > ${name}\nAssertionError: expected 500 to be 404 // Object.is equality\n\n- Expected\n+ Received\n\n- 404\n+ 500\n\n ❯ test/orders.test.ts:29:26\n\n`,
      )
      .join('');

  test('with its place, also if it is no mistake in the code', () => {
    const shown = excerpt(`${served}${logged}${served}${failures('answers 404', 'answers 400')}`);

    for (const place of ['stock.ts:15:15', 'stock.ts:11:15']) expect(shown).toContain(place);
    expect(shown).not.toContain('stock.ts:17:15');
  });

  test('but not if there is a mistake in the code for each of them', () => {
    const shown = excerpt(`${served}${logged}${served}${failures('answers 404')}`);

    expect(shown).toContain('stock.ts:15:15');
    expect(shown).not.toContain('stock.ts:11:15');
  });
});

test('a command of make that mentions errors is no log: the next one, which failed, is shown', () => {
  const output = `shellcheck -S error bin/backup.sh\nbats --tap test\n1..2\nok 1 keeps a copy\nnot ok 2 keeps three\n# (in test file test/backup.bats, line 7)\n#   \`[ "$count" -eq 3 ]' failed\n# backup-1.tar.gz\nmake: *** [Makefile:7: test] Error 1\n`;

  expect(excerpt(output)).toContain('bats --tap test');
});

test('beside the error right above the failed test, those that tests have passed below are left out, whatever they share with it', () => {
  const logged = (message: string) =>
    `{"level":"ERROR","msg":"request refused","path":"/orders","stack":"ValueError: ${message}\\n    at create (/p/src/orders.js:32:3)"}\n`;
  const results = `${logged('an order needs lines')}tests/test_orders.py::test_empty PASSED\n${logged('no address in the order')}tests/test_orders.py::test_invoice FAILED\n`;
  const section =
    '____ test_invoice ____\n\n>       assert client.post("/orders").status_code == 200\nE       assert 500 == 200\nE        +  where 500 = <Response [500]>.status_code\n\ntests/test_orders.py:50: AssertionError\n==== short test summary info ====\nFAILED tests/test_orders.py::test_invoice - assert 500 == 200\n +  where 500 = <Response [500]>.status_code\n +    where <Response [500]> = post("/orders")\n';
  const shown = excerpt(`${served}${results}${served}${section}`);

  expect(shown).toContain('no address in the order');
  expect(shown).not.toContain('an order needs lines');
});

test('the error of a passed test is left out where a failed test is shown with the command, which is above both', () => {
  const log = 'rates: attempt 1 failed: ECONNRESET\n';
  const output = `> rates@1.0.0 test\n> ava\n\n${log}  ✔ cache › asks again\n${'  ✔ cache › counts\n'.repeat(20)}  ✘ [fail]: cache › adds\n  ─\n\n  cache › adds\n\n  test/cache.test.js:10\n\n   9:   now += 30;\n  10:   t.is(count(), 1);\n\n  Difference (- actual, + expected):\n\n  - 2\n  + 1\n\n  › file://test/cache.test.js:10:5\n\n  ─\n\n  1 test failed\n`;

  expect(excerpt(output)).not.toContain('ECONNRESET');
});

test('where only one of two failed tests has its reason above it, what shares words with them is shown', () => {
  const thrown = (message: string) => `Error: ${message}\n    at create (/p/src/orders.js:32:3)\n`;
  const results = `${thrown('the voucher has expired yesterday')}  ✓ refuses\n${thrown('no address')}  ✗ invoices\n`;
  const said = (name: string, message: string) =>
    failed('201').replace('has a lamp', name).replace('Expected: 200', `Expected: ${message}`);
  const output = `${served}${results}${served}${said('invoices', 'an address')}${said('redeems', 'the voucher has expired')}`;

  expect(excerpt(output)).toContain('expired yesterday');
});

test('what a compiler has found above failed tests is no log, whatever else it is about', () => {
  const vet =
    'internal/queue/queue_test.go:6:2: (*testing.common).Logf format %d has arg Job{1, "sync"} of wrong type queue.Job';

  expect(excerpt(`# example.com/queue\n${vet}\n  ✔ has a chair\n${served}${failed('201')}`)).toContain(vet);
});

test('the name of a suite of Node is no step of a script: what was logged above it is left out', () => {
  const logged = '[ERROR] stock - stock of drill would become -4';
  const suite =
    '▶ cart\n  ✖ has a lamp (1.2ms)\n    TypeError [Error]: rows is not iterable\n        at count (file:///p/src/cart.mjs:7:26)';

  expect(excerpt(`${served}${logged}\n${served}▶ order\n  ✔ has a chair (1.2ms)\n${suite}\n`)).not.toContain(
    logged,
  );
});

describe('what a program has logged below a failed test that says what is wrong', () => {
  const below = (logged: string) =>
    excerpt(
      `${served}${failed('201').replace(/\nTests: .*\n/, '')}\n${logged}\n  ✔ has a chair\n${served}Tests: 1 failed\n`,
    );

  test('is left out with a status that no failed test has seen, above a passed one', () => {
    const logged = '[GET /carts/9] Error: no cart 9\n    at find (/p/src/app.js:17:122) {\n  status: 404\n}';
    const seen = excerpt(
      `${failed('500').replace(/\nTests: .*\n/, '')}\n${logged}\n  ✔ has a chair\n${served}`,
    );

    expect(seen).not.toContain('no cart 9');
  });

  test.each([
    '[2026-11-29T10:30:00.120000+00:00] cart.ERROR: lamp unknown in these carts {"code":"XMAS"} []',
    "2026/11/29 10:30:00 ERROR Cart.Parser - cannot parse the lamp 'broken lamp'",
  ])('is left out, whatever words it shares: %s', (logged) => {
    expect(below(logged)).not.toContain(logged);
  });

  test.each([
    ['a mistake in the code', '10:30:00 [ERROR] shop: TypeError: x is undefined'],
    ['a name of the test', '10:30:00 [ERROR] shop: cannot read "Object.is"'],
    ['what is no record', 'tests/growth.c:5: FAIL: b is "cd", expected "cdefghij"'],
  ])('is shown: %s', (_, logged) => {
    expect(below(logged)).toContain(logged);
  });
});

describe('an exception above a passed test', () => {
  const thrown = (message: string, at: string) => `Error: ${message}\n    at put (/p/src/${at}:6:42)\n`;
  const crashed = (logged: string) =>
    excerpt(
      `${served}${thrown('no bin of that name', 'bins.js')}  ✔ answers 404\n${served}${logged}${served}${failed('500')}`,
    );

  test('is no cause of a crash where another one is', () => {
    const shown = crashed(thrown('the bin is full', 'put.js'));

    expect(shown).not.toContain('no bin of that name');
    expect(shown).toContain('the bin is full');
  });

  test('may be the cause where there is no other', () => {
    expect(crashed('')).toContain('no bin of that name');
  });

  test('is left out below a failed test', () => {
    const logged = thrown('the partner is locked', 'partners.js');
    const shown = excerpt(
      `${failed('201').replace(/\nTests: .*\n/, '')}\n${logged}  ✔ has a chair\n${served}Tests: 1 failed\n`,
    );

    expect(shown).not.toContain('the partner is locked');
  });
});

test('a mistake in the code was expected above a test that passed, if no failed test has seen that the server failed', () => {
  const mistake =
    'TypeError: x is undefined\n    at find (src/app.ts:12:25)\n  ✔ answers 404 for an unknown user\n';

  expect(of(mistake, '201')).not.toContain('x is undefined');
  expect(of(mistake, '500')).toContain('x is undefined');
});

test('an error below the first failed test is left out where the log above each has its reason', () => {
  const logged = (time: number, message: string) =>
    `2026-11-29T08:35:${time}.648Z error: ${message}\n    at find (/p/lib/app.js:12:25)\n    at handle (/p/lib/app.js:16:42)\n`;
  const shown = excerpt(
    `${served}${logged(10, 'GET /users/9: TypeError: x is undefined')}    1) answers 404\n${logged(11, 'POST /users: Error: invalid email')}    ✔ refuses an email\n${served}\n  1 failing\n\n  1) users\n       answers 404:\n\n      AssertionError: expected 500 to equal 404\n      + expected - actual\n\n      -500\n      +404\n\n      at Context.<anonymous> (test/users.test.js:19:27)\n`,
  );

  expect(shown).toContain('x is undefined');
  expect(shown).not.toContain('invalid email');
});
