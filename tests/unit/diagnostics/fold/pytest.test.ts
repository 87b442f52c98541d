import { expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { withoutParameters } from '../../../../src/diagnostics/fold/pytest.ts';
import { condensed } from '../../../helpers/condensed.ts';

const of = (output: string) => excerptText(excerptOf(condensed(output), 6000, { hung: false }));
const ruled = (sign: string, title: string) => `${sign.repeat(20)} ${title} ${sign.repeat(20)}`;
const PASSED = Array.from({ length: 60 }, (_, i) => `tests/test_a.py::test_${i} PASSED [ ${i}%]`).join('\n');
const report = (...sections: readonly string[]) =>
  `${PASSED}\n${ruled('=', 'FAILURES')}\n${sections.join('\n')}\n${ruled('=', 'short test summary info')}\nFAILED tests/test_a.py::test_adds - assert 3 == 4\nFAILED tests/test_a.py::test_other - assert 3 == 4\n${ruled('=', '2 failed, 60 passed in 0.20s')}\n`;
const section = (name: string, body: string) => `${ruled('_', name)}\n\n${body}\n`;
const failed = (name: string, sum: number, more = '') =>
  section(
    name,
    `    def ${name}():\n        """Adds."""\n        cart = make_cart()\n>       assert cart.sum == ${sum}\nE       assert 3 == ${sum}\n${more}\ntests/test_a.py:23: AssertionError`,
  );

test('a failed test of pytest has its name, the statement, what it says and its place, without the source above', () => {
  const shown = of(report(failed('test_adds', 4), failed('test_other', 5)));

  for (const [name, sum] of Object.entries({ test_adds: 4, test_other: 5 }))
    expect(shown).toMatch(
      new RegExp(
        `___ ${name} ___\\n(?:… \\d+ lines …\\n)?> +assert cart\\.sum == ${sum}\\nE +assert 3 == ${sum}\\ntests/test_a\\.py:23`,
      ),
    );
  expect(shown).not.toMatch(/make_cart|"""/);
});

test('the line below the place of a call stays, and so does the rest of a statement', () => {
  const shown = of(
    report(
      section(
        'test_adds',
        'tests/test_a.py:11: in test_adds\n    assert total(cart) == 4\nshop/cart.py:7: in total\n    return sum(\nE   TypeError: unsupported operand',
      ),
      section(
        'test_other',
        '    def test_other():\n>       assert total(\n            cart,\n        ) == 4\nE       assert 3 == 4\n\ntests/test_a.py:23: AssertionError',
      ),
    ),
  );

  expect(shown).toContain('tests/test_a.py:11: in test_adds\n    assert total(cart) == 4');
  expect(shown).toContain('>       assert total(\n            cart,\n        ) == 4');
});

test('above a statement that raises an exception, its condition stays', () => {
  const raised =
    '    def price(weight):\n        if weight <= 0:\n            raise RateError("none")\n        for limit, price in BANDS:\n            if weight < limit:\n                return price\n>       raise RateError("too heavy")\nE       shop.RateError: too heavy\n\nshop/rates.py:53: RateError';
  const shown = of(report(section('test_adds', raised), failed('test_other', 5)));

  expect(shown).toContain(
    '            if weight < limit:\n                return price\n>       raise RateError',
  );
  expect(shown).not.toMatch(/weight <= 0|for limit/);
});

test('where a function is from is left out, and so is an expression that is its value', () => {
  const values =
    "E        +  where 3 = <bound method Cart.sum of <shop.Cart object at 0x7f>>('all')\nE        +    where <bound method Cart.sum of <shop.Cart object at 0x7f>> = <shop.Cart object at 0x7f>.sum\nE        +  and   Decimal('4') = Decimal('4')\nE        +  and   datetime.date(2024, 4, 1) = date(2024, 4, 1)\nE        +  and   4 = len([1, 2, 3, 4])";
  const shown = of(report(failed('test_adds', 4, values), failed('test_other', 5)));

  expect(shown).toContain('where 3 = <bound method');
  expect(shown).toContain('and   4 = len(');
  expect(shown).not.toMatch(/where <bound|Decimal|date\(/);
});

test('an example in a text has its place', () => {
  const shown = of(
    report(
      section(
        '[doctest] shop.cart.total',
        '041 Adds.\n042 \n043     >>> total([1, 2])\nExpected:\n    4\nGot:\n    3\n\n/p/shop/cart.py:43: DocTestFailure',
      ),
      failed('test_other', 5),
    ),
  );

  expect(shown).toMatch(
    /\[doctest\] shop\.cart\.total ___\n.*Got:\n {4}3\n\/p\/shop\/cart\.py:43: DocTestFailure/s,
  );
});

test('what a package has raised is shown once, at the call of the test, without the blank lines of its message', () => {
  const message =
    'E       AssertionError: expected call not found.\nE       Expected: send(7)\nE       Actual: send(n=7)\n';
  const notes = 'E       \nE       pytest introspection follows:\nE       \nE       Args:\n';
  const again = '\nDuring handling of the above exception, another exception occurred:\n\n';
  const ofMock = `    def check(*args):\n>       raise AssertionError(text)\n${message}\n/usr/lib/python3.11/unittest/mock.py:933: AssertionError\n`;
  const ofTest = `    def test_sends():\n>       send.assert_called_with(7)\n${message}${notes}\ntests/test_a.py:40: AssertionError`;
  const shown = of(report(section('test_sends', ofMock + again + ofTest), failed('test_other', 5)));

  expect(shown.match(/expected call not found/g)).toHaveLength(1);
  // In the project, it is where the error is.
  const ofProject = ofMock.replace('/usr/lib/python3.11/unittest/mock.py', 'shop/outbox.py');
  expect(of(report(section('test_sends', ofProject + again + ofTest), failed('test_other', 5)))).toContain(
    'shop/outbox.py:933',
  );
  expect(shown).toContain('E       Actual: send(n=7)\ntests/test_a.py:40: AssertionError');
});

test('of two values, pytest shows the items that differ, and the whole of both only where it does not say all of them', () => {
  const whole = 'E         Full diff:\nE         - {"a": 1, "b": 2}\nE         + {"a": 1, "b": 3}';
  const items = (said: string) =>
    of(report(failed('test_adds', 4, `${said}\n${whole}`), failed('test_other', 5)));

  expect(items("E         Differing items:\nE         {'b': 3} != {'b': 2}")).not.toContain('Full diff');
  expect(items('E         Left contains 1 more item:')).not.toContain('"b": 2');
  expect(items('E         At index 1 diff: 3 != 2')).toContain('Full diff');
  expect(items('E         At index 1 diff: 3 != 2\nE         Left contains one more item: 4')).toContain(
    'Full diff',
  );
});

test('of two lists, unittest shows the diff, and the first elements that differ only without it', () => {
  const list = (diff: string) =>
    of(
      `FAIL: test_parse (tests.T.test_parse)\n------\nTraceback (most recent call last):\n  File "t.py", line 3, in test_parse\nAssertionError: Lists differ: ['4-1', '4-10'] != ['4-1', '4-2']\n\nFirst differing element 1:\n'4-10'\n'4-2'\n\n${diff}`,
    );

  expect(list("- ['4-1', '4-10']\n+ ['4-1', '4-2']\n")).not.toContain('First differing');
  expect(list('Diff is 812 characters long.\n')).toContain("'4-10'\n'4-2'");
});

const notSetUp = (...names: readonly string[]) =>
  names.map((text, at) => ({ at, text: `ERROR tests/test_store.py::${text}` }));
const namesIn = (lines: readonly { readonly text: string }[]) => lines.map(({ text }) => text.split('::')[1]);

test('tests that could not be set up, and differ in their parameters only, are one with their number', () => {
  const lines = notSetUp('test_add[2]', 'test_add[3-a]', 'test_total', 'test_add[4] - Error: no table');

  expect(namesIn(withoutParameters(lines))).toEqual(['test_add[2] (×3)', 'test_total']);
});

test.each([
  ['a few', notSetUp('test_add[2]', 'test_add[3]')],
  ['other tests', notSetUp('test_add', 'test_total', 'test_pay')],
  [
    'failed ones',
    ['test_add[2]', 'test_add[3]', 'test_add[4]'].map((name, at) => ({ at, text: `FAILED a.py::${name}` })),
  ],
])('the names of %s are all shown, whatever their parameters', (_, lines) => {
  expect(withoutParameters(lines)).toEqual(lines);
});

test('of the list at the end, a single name stays, without its heading: it is how the test is run again', () => {
  const shown = of(
    `${PASSED}\n${ruled('=', 'FAILURES')}\n${failed('test_adds', 4)}\n${ruled('=', 'short test summary info')}\nFAILED tests/test_a.py::test_adds - assert 3 == 4\n${ruled('=', '1 failed, 60 passed in 0.20s')}\n`,
  );

  expect(shown).toContain('FAILED tests/test_a.py::test_adds');
  expect(shown).not.toContain('short test summary info');
});

test('a file of tests that could not be imported is named once, with the error and the lines that led to it', () => {
  const unread = (name: string) =>
    `${ruled('_', `ERROR collecting tests/${name}.py`)}\nImportError while importing test module '/p/tests/${name}.py'.\nHint: make sure your test modules/packages have valid Python names.\nTraceback:\n/usr/lib/python3.11/importlib/__init__.py:126: in import_module\n    return _bootstrap._gcd_import(name[level:], package, level)\ntests/${name}.py:3: in <module>\n    from shop.${name} import total\nE   ImportError: cannot import name 'total' from 'shop.${name}' (/p/shop/${name}.py)\n`;
  const shown = of(
    `${ruled('=', 'ERRORS')}\n${unread('cart')}${unread('tax')}${ruled('=', 'short test summary info')}\nERROR tests/cart.py\nERROR tests/tax.py\nERROR tests/rates.py\n${ruled('!', 'Interrupted: 3 errors during collection')}\n${ruled('=', '3 errors in 0.20s')}\n`,
  );

  for (const name of ['cart', 'tax']) {
    expect(shown).toContain(`___ ERROR collecting tests/${name}.py ___`);
    expect(shown).toContain(`tests/${name}.py:3: in <module>`);
    expect(shown).not.toContain(`ERROR tests/${name}.py`);
  }
  expect(shown).toContain('ERROR tests/rates.py');
  expect(shown).not.toMatch(/while importing|Hint:|Traceback:/);
});

test('where a long value is from is left out if the line above has shown it, but not with what it was called', () => {
  const order = "Order(number='A-1', lines=['DESK-180', 'CHAIR-7', 'LAMP-2'])";
  const values = (expression: string) =>
    `E        +  where 0 = <bound method Order.discount of ${order}>()\nE        +    where ${order} = ${expression}`;
  const shown = of(
    report(
      failed('test_adds', 4, values('cart.order')),
      failed('test_other', 5, values("load('orders.csv')")),
    ),
  );

  expect(shown).not.toContain('= cart.order');
  expect(shown).toContain("= load('orders.csv')");
});

test('the exception of a test that its framework has logged is shown once', () => {
  const trace =
    'Traceback (most recent call last):\n  File "/p/accounts/views.py", line 23, in create\n    a = create(name=data["name"])\nKeyError: \'name\'\n';
  const logs = (error: string) =>
    `${ruled('-', 'Captured stderr call')}\nERROR 2026-11-29 03:45:20,315 log Internal Server Error: /accounts\n${error}${ruled('-', 'Captured log call')}\nERROR    django.request:log.py:229 Internal Server Error: /accounts\n${error}`;
  const raised = (error: string) =>
    `    def test_adds(client):\n>       client.post("/accounts")\n\ntests/test_a.py:30:\n\naccounts/views.py:23: in create\n    a = create(name=data["name"])\nE   KeyError: 'name'\n\naccounts/views.py:23: KeyError\n${logs(error)}`;
  const once = of(report(section('test_adds', raised(trace)), failed('test_other', 5)));
  const other = of(
    report(section('test_adds', raised(trace.replace("'name'", "'plan'"))), failed('test_other', 5)),
  );

  expect(once.split("KeyError: 'name'")).toHaveLength(2);
  expect(other).toContain("KeyError: 'plan'");
  // In another test, it may be the reason.
  const answered = failed('test_other', 5).trimEnd();
  const both = of(report(section('test_adds', raised('')), `${answered}\n${logs(trace)}`));
  expect(both.slice(both.indexOf('___ test_other ___'))).toContain("KeyError: 'name'");
});

test('of the fixtures that pytest lists, those of the project are named', () => {
  const list = (names: string) =>
    of(
      report(
        section(
          'ERROR at setup of test_adds',
          `file /p/tests/test_a.py, line 29\nE       fixture 'audit_log' not found\n>       available fixtures: ${names}\n>       use 'pytest --fixtures [testpath]' for help on them.\n\n/p/tests/test_a.py:29`,
        ),
        failed('test_other', 5),
      ),
    );

  const shown = list(
    '_django_helper, cache, capsys, client, email, monkeypatch, push_channel, tmp_path, tmpdir_factory',
  );
  expect(shown).toContain('available fixtures: client, email, push_channel, 6 of plugins');
  expect(shown).not.toContain("use 'pytest --fixtures");
  expect(list('email, push_channel')).toContain('available fixtures: email, push_channel\n');
  expect(list('cache, capsys')).toContain('available fixtures: 2 of plugins');
});
