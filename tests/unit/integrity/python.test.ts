import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/integrity/languages.ts';
import { lex } from '../../../src/integrity/lexer.ts';
import { python } from '../../../src/integrity/tests/python.ts';
import { checkRows, type Row } from '../../helpers/integrity-rows.ts';

const check = (rows: readonly Row[]) => checkRows('tests/test_cart.py', rows);

function indented(lines: readonly string[]): string {
  return lines.map((line) => `    ${line.replaceAll('\n', '\n    ')}`).join('\n');
}

/** A test function with a body, after what precedes it. */
function test(body: string | readonly string[], before = '', name = 'test_total'): string {
  const lines = typeof body === 'string' ? [body] : body;
  return `${before}${before && '\n'}def ${name}():\n${indented(lines)}\n`;
}

/** A test case of unittest with one method. */
function method(body: string | readonly string[], decorators: readonly string[] = [], rest = ''): string {
  const lines = typeof body === 'string' ? [body] : body;
  const text = [...decorators, 'def test_total(self):', indented(lines)].join('\n');
  return `class CartTest(unittest.TestCase):\n${indented([text])}\n${rest}`;
}

const EQUAL = 'assert total([1, 2]) == 3';
const OTHER = 'def test_empty():\n    assert total([]) == 0\n';
const PLAIN = test(EQUAL);

describe('a test of Python that does not run any more is found', () => {
  check([
    [
      'skipped in its setup',
      method('self.assertEqual(total(), 3)'),
      method('self.assertEqual(total(), 3)', ['def setUp(self):\n    self.skipTest("later")\n']),
      'test-skipped',
    ],
    [
      'skipped by a fixture of all tests',
      PLAIN,
      `@pytest.fixture(autouse=True)\ndef _later():\n    pytest.skip("later")\n\n${PLAIN}`,
      'test-skipped',
    ],

    ['deleted', PLAIN + OTHER, OTHER, 'test-deleted'],
    ['deleted with its file', { 'tests/test_a.py': PLAIN }, {}, 'test-deleted'],
    ['commented out', PLAIN + OTHER, `# def test_total():\n#     ${EQUAL}\n${OTHER}`, 'test-deleted'],
    ['in a string', PLAIN + OTHER, `"""\n${PLAIN}"""\n${OTHER}`, 'test-deleted'],
    [
      'in a thread',
      PLAIN,
      test([`def check():\n    ${EQUAL}`, 'threading.Thread(target=check).start()']),
      'assertion-swallowed',
    ],
    [
      'skipped by a fixture that a mark names',
      PLAIN,
      `@pytest.fixture\ndef slow():\n    pytest.skip("slow")\n\n@pytest.mark.usefixtures("slow")\n${PLAIN}`,
      'test-skipped',
    ],
    [
      'replaced by another test of its name',
      PLAIN,
      `${PLAIN}\n${test('assert total([]) == 0')}`,
      'test-not-collected',
    ],
    ['renamed with an underscore', PLAIN, test(EQUAL, '', '_test_total'), 'test-not-collected'],
    ['renamed to a check', PLAIN, test(EQUAL, '', 'check_total'), 'test-not-collected'],
    ['renamed with a letter in front', PLAIN, test(EQUAL, '', 'xtest_total'), 'test-not-collected'],
    [
      'in a class whose name is not collected',
      `class TestCart:\n    def test_a(self):\n        ${EQUAL}\n`,
      `class CartTests:\n    def test_a(self):\n        ${EQUAL}\n`,
      'test-not-collected',
    ],
    [
      'in a class with a constructor',
      `class TestCart:\n    def test_a(self):\n        ${EQUAL}\n`,
      `class TestCart:\n    def __init__(self):\n        pass\n\n    def test_a(self):\n        ${EQUAL}\n`,
      'test-not-collected',
    ],
    [
      'without its base class',
      method('self.assertEqual(total(), 3)'),
      method('self.assertEqual(total(), 3)').replace('unittest.TestCase', 'object'),
      'test-not-collected',
    ],
    [
      'inside of a function',
      PLAIN,
      `def tests():\n    def test_total():\n        ${EQUAL}\n`,
      'assertion-unreachable',
    ],
    [
      'inside of a helper',
      PLAIN,
      `def make():\n    def test_total():\n        ${EQUAL}\n`,
      'test-not-collected',
    ],
    [
      'in the block of a script',
      PLAIN,
      `if __name__ == '__main__':\n    def test_total():\n        ${EQUAL}\n`,
      'test-not-collected',
    ],
    [
      'replaced by a later function of its name',
      PLAIN,
      `${PLAIN}\ndef test_total():\n    pass\n`,
      'test-emptied',
    ],
    ['set to None', PLAIN, `${PLAIN}\ntest_total = None\n`, 'test-not-collected'],
    ['deleted after its definition', PLAIN, `${PLAIN}\ndel test_total\n`, 'test-not-collected'],
    ['not a test for nose', PLAIN, `${PLAIN}\ntest_total.__test__ = False\n`, 'test-not-collected'],
    [
      'a class that is no test',
      `class TestCart:\n    def test_a(self):\n        ${EQUAL}\n`,
      `class TestCart:\n    __test__ = False\n\n    def test_a(self):\n        ${EQUAL}\n`,
      'test-not-collected',
    ],
    ['a module that is no test', PLAIN, `__test__ = False\n${PLAIN}`, 'test-not-collected'],
    ['a fixture', PLAIN, test(EQUAL, '@pytest.fixture'), 'test-not-collected'],
    [
      'in a file that is not collected',
      { 'tests/test_cart.py': PLAIN },
      { 'tests/cart_checks.py': PLAIN },
      'test-not-collected',
    ],
    ['skipped', PLAIN, test(EQUAL, '@pytest.mark.skip'), 'test-skipped'],
    ['skipped with a reason', PLAIN, test(EQUAL, '@pytest.mark.skip(reason="flaky")'), 'test-skipped'],
    [
      'skipped on a condition that always holds',
      PLAIN,
      test(EQUAL, '@pytest.mark.skipif(True, reason="later")'),
      'test-skipped',
    ],
    [
      'skipped on a constant',
      PLAIN,
      test(EQUAL, 'BROKEN = 1\n@pytest.mark.skipif(BROKEN, reason="later")'),
      'test-skipped',
    ],
    [
      'skipped in continuous integration',
      PLAIN,
      test(EQUAL, '@pytest.mark.skipif(os.environ.get("CI"), reason="slow")'),
      'test-skipped',
    ],
    [
      'skipped on a text as condition',
      PLAIN,
      test(EQUAL, "@pytest.mark.skipif(\"os.environ.get('CI') == '1'\")"),
      'test-skipped',
    ],
    [
      'skipped on newer versions',
      PLAIN,
      test(EQUAL, '@pytest.mark.skipif(sys.version_info >= (3, 8), reason="x")'),
      'test-skipped',
    ],
    [
      'skipped on all versions',
      PLAIN,
      test(EQUAL, '@pytest.mark.skipif(sys.version_info < (3, 99), reason="x")'),
      'test-skipped',
    ],
    [
      'skipped on Linux',
      PLAIN,
      test(EQUAL, '@pytest.mark.skipif(sys.platform.startswith("linux"), reason="x")'),
      'test-skipped',
    ],
    [
      'skipped everywhere but on Windows',
      PLAIN,
      test(EQUAL, '@pytest.mark.skipif(sys.platform != "win32", reason="x")'),
      'test-skipped',
    ],
    [
      'skipped by a named mark',
      PLAIN,
      test(EQUAL, 'later = pytest.mark.skip(reason="later")\n@later'),
      'test-skipped',
    ],
    [
      'skipped by a mark of the module',
      PLAIN,
      `pytestmark = pytest.mark.skip(reason="later")\n${PLAIN}`,
      'test-skipped',
    ],
    [
      'skipped by one mark of several of the module',
      PLAIN,
      `pytestmark = [pytest.mark.unit, pytest.mark.skip]\n${PLAIN}`,
      'test-skipped',
    ],
    [
      'skipped by a mark of its class',
      `class TestCart:\n    def test_a(self):\n        ${EQUAL}\n`,
      `@pytest.mark.skip\nclass TestCart:\n    def test_a(self):\n        ${EQUAL}\n`,
      'test-skipped',
    ],
    [
      'skipped by a mark in its class',
      `class TestCart:\n    def test_a(self):\n        ${EQUAL}\n`,
      `class TestCart:\n    pytestmark = pytest.mark.skip\n    def test_a(self):\n        ${EQUAL}\n`,
      'test-skipped',
    ],
    ['skipped in its body', PLAIN, test(['pytest.skip("flaky")', EQUAL]), 'test-skipped'],
    [
      'skipped in its body on a condition',
      PLAIN,
      test(['if os.getenv("CI"):\n    pytest.skip("flaky")', EQUAL]),
      'test-skipped',
    ],
    [
      'skipped when it fails',
      PLAIN,
      test(['try:\n    assert total([1, 2]) == 3\nexcept AssertionError:\n    pytest.skip("flaky")']),
      'test-skipped',
    ],
    [
      'skipped with its module',
      PLAIN,
      `import pytest\npytest.skip("later", allow_module_level=True)\n${PLAIN}`,
      'test-skipped',
    ],
    [
      'skipped by unittest',
      method('self.assertEqual(total(), 3)'),
      method('self.assertEqual(total(), 3)', ['@unittest.skip("later")']),
      'test-skipped',
    ],
    [
      'skipped unless a variable is set',
      method('self.assertEqual(total(), 3)'),
      method('self.assertEqual(total(), 3)', ['@unittest.skipUnless("SLOW" in os.environ, "slow")']),
      'test-skipped',
    ],
    [
      'skipped by a method',
      method('self.assertEqual(total(), 3)'),
      method(['self.skipTest("later")', 'self.assertEqual(total(), 3)']),
      'test-skipped',
    ],
    [
      'skipped by an exception',
      method('self.assertEqual(total(), 3)'),
      method(['raise unittest.SkipTest("later")', 'self.assertEqual(total(), 3)']),
      'test-skipped',
    ],
    [
      'skipped by an assignment',
      PLAIN,
      `${PLAIN}\ntest_total = pytest.mark.skip(test_total)\n`,
      'test-skipped',
    ],
    [
      'in a condition that never holds',
      PLAIN,
      `if False:\n    def test_total():\n        ${EQUAL}\n`,
      'test-skipped',
    ],
    ['expected to fail', PLAIN, test(EQUAL, '@pytest.mark.xfail(strict=False)'), 'test-expected-to-fail'],
    [
      'expected to fail on a constant',
      PLAIN,
      test(EQUAL, '@pytest.mark.xfail(True, reason="known")'),
      'test-expected-to-fail',
    ],
    ['expected to fail in its body', PLAIN, test(['pytest.xfail("known")', EQUAL]), 'test-expected-to-fail'],
    [
      'expected to fail by unittest',
      method('self.assertEqual(total(), 3)'),
      method('self.assertEqual(total(), 3)', ['@unittest.expectedFailure']),
      'test-expected-to-fail',
    ],
    ['emptied', PLAIN, test('pass'), 'test-emptied'],
    ['emptied but for its docstring', PLAIN, test(['"""Adds up."""', '...']), 'test-emptied'],
    [
      'a generator that nobody runs',
      method('self.assertEqual(total(), 3)'),
      method(['yield', 'self.assertEqual(total(), 3)']),
      'assertion-unreachable',
    ],
    [
      'one example of a property',
      '@given(st.integers())\ndef test_x(x):\n    assert f(x) == x\n',
      '@settings(max_examples=1)\n@given(st.integers())\ndef test_x(x):\n    assert f(x) == x\n',
      'test-skipped',
    ],
    [
      'a property that assumes nothing',
      '@given(st.integers())\ndef test_x(x):\n    assert f(x) == x\n',
      '@given(st.integers())\ndef test_x(x):\n    assume(False)\n    assert f(x) == x\n',
      'assertion-unreachable',
    ],
  ]);
});

const CASES = (rows: string, more = '') =>
  `@pytest.mark.parametrize("raw, expected", ${rows})\ndef test_slug(raw, expected):\n    assert slug(raw) == expected\n${more}`;
const ROWS = '[("A", "a"), ("b C", "b-c"), ("d!", "d")]';
const LIST = (rows: string) => `CASES = ${rows}\n\n${CASES('CASES')}`;
const LOOP = (rows: string) => test([`for raw, expected in ${rows}:\n    assert slug(raw) == expected`]);

describe('a table of Python with fewer rows is found', () => {
  check([
    ['a row is gone', CASES(ROWS), CASES('[("A", "a"), ("d!", "d")]'), 'test-cases-removed'],
    [
      'a row is commented out',
      CASES(ROWS),
      CASES('[("A", "a"),\n  # ("b C", "b-c"),\n  ("d!", "d")]'),
      'test-cases-removed',
    ],
    ['a row of a named list is gone', LIST(ROWS), LIST('[("A", "a")]'), 'test-cases-removed'],
    [
      'a part of a named list',
      LIST(ROWS),
      LIST(ROWS).replace(', CASES)', ', CASES[:1])'),
      'test-cases-removed',
    ],
    [
      'a filter',
      LIST(ROWS),
      LIST(ROWS).replace(', CASES)', ', [c for c in CASES if c[0] != "A"])'),
      'test-cases-removed',
    ],
    ['no row', CASES(ROWS), CASES('[]'), 'test-cases-removed'],
    [
      'a skipped row',
      CASES(ROWS),
      CASES('[pytest.param("A", "a", marks=pytest.mark.skip), ("b C", "b-c"), ("d!", "d")]'),
      'test-cases-removed',
    ],
    [
      'a row that is expected to fail',
      CASES(ROWS),
      CASES('[("A", "a"), ("b C", "b-c"), pytest.param("d!", "d", marks=[pytest.mark.xfail(reason="x")])]'),
      'test-cases-removed',
    ],
    ['a loop over fewer rows', LOOP(ROWS), LOOP('[("A", "a")]'), 'test-cases-removed'],
    ['a loop over nothing', LOOP(ROWS), LOOP('[]'), 'assertion-unreachable'],
    [
      'parameterized',
      '@parameterized.expand([(1, 2), (3, 4)])\ndef test_x(self, a, b):\n    assert f(a) == b\n',
      '@parameterized.expand([(1, 2)])\ndef test_x(self, a, b):\n    assert f(a) == b\n',
      'test-cases-removed',
    ],
    [
      'a fixture with fewer parameters',
      '@pytest.fixture(params=["pg", "sqlite"])\ndef db(request):\n    return request.param\n\ndef test_x(db):\n    assert f(db) == 1\n',
      '@pytest.fixture(params=["sqlite"])\ndef db(request):\n    return request.param\n\ndef test_x(db):\n    assert f(db) == 1\n',
      'test-cases-removed',
    ],
    [
      'an example of a property is gone',
      '@given(st.text())\n@example("ß")\ndef test_x(s):\n    assert f(s) == s\n',
      '@given(st.text())\ndef test_x(s):\n    assert f(s) == s\n',
      'test-cases-removed',
    ],
    ['a row is bent', CASES(ROWS), CASES(ROWS.replace('"b-c"', '"b c"')), 'expectation-changed'],
  ]);
});

/** A row of two bodies, as they are indented in a function. */
const one = (what: string, before: string, after: string, rule?: string): Row => [
  what,
  test(before.replaceAll('\n    ', '\n')),
  test(after.replaceAll('\n    ', '\n')),
  rule,
];
const VALUE = 'assert cart.total == 3';

describe('an assertion of Python that became weaker is found', () => {
  check([
    [
      'a mock of the subject',
      test('assert cart.total([1]) == 1', 'from shop import cart\n'),
      test(
        'assert cart.total([1]) == 1',
        'from shop import cart\n\n@patch("shop.cart.total", return_value=1)',
      ),
      'subject-mocked',
    ],

    one(
      'a member for the whole',
      'assert data() == {"a": 1, "b": 2}',
      'assert data()["a"] == 1',
      'assertion-weakened',
    ),
    one(
      'the keys for the whole',
      'assert data() == {"a": 1, "b": 2}',
      'assert set(data()) == {"a", "b"}',
      'assertion-weakened',
    ),

    one('a rounded value', 'assert mean(x) == 2.25', 'assert round(mean(x)) == 2', 'assertion-weakened'),

    one(
      'one of all',
      'assert all(f(x) == x for x in xs)',
      'assert any(f(x) == x for x in xs)',
      'assertion-weakened',
    ),
    one(
      'an error of the code that ends the test',
      'total = add()\n    assert total == 3',
      'try:\n        total = add()\n    except Exception:\n        return\n    assert total == 3',
      'assertion-unreachable',
    ),
    [
      'an assertion of the library that is defined again',
      method('self.assertEqual(total(), 3)'),
      method('self.assertEqual(total(), 3)', [], '\n    def assertEqual(self, a, b):\n        pass\n'),
      'assertion-removed',
    ],

    one('a constant', VALUE, 'assert True', 'assertion-vacuous'),
    one('a tuple', VALUE, 'assert (cart.total == 3, "the total")', 'assertion-vacuous'),
    one('an alternative that is true', VALUE, 'assert cart.total == 3 or True', 'assertion-vacuous'),
    one('an alternative that is true in front', VALUE, 'assert True or cart.total == 3', 'assertion-vacuous'),
    one('the same value twice', VALUE, 'assert cart.total == cart.total', 'assertion-vacuous'),
    one('a length above nothing', 'assert len(cart) == 2', 'assert len(cart) >= 0', 'assertion-vacuous'),
    one('nothing to check', VALUE, 'assert all(x == 3 for x in [])', 'assertion-vacuous'),
    one('a list', VALUE, 'assert [cart.total == 3]', 'assertion-vacuous'),
    one('a function', VALUE, 'assert lambda: cart.total == 3', 'assertion-vacuous'),
    one(
      'what the code returns',
      'total = add(1, 2)\n    assert total == 3',
      'total = add(1, 2)\n    expected = add(1, 2)\n    assert total == expected',
      'assertion-weakened',
    ),
    one(
      'a name for itself',
      'total = add(1, 2)\n    assert total == 3',
      'total = add(1, 2)\n    expected = total\n    assert total == expected',
      'assertion-weakened',
    ),
    one('not None', VALUE, 'assert cart.total is not None', 'assertion-weakened'),
    one('a type', VALUE, 'assert isinstance(cart.total, int)', 'assertion-weakened'),
    one('a truth', VALUE, 'assert cart.total', 'assertion-weakened'),
    one('a bound', VALUE, 'assert cart.total > 0', 'assertion-weakened'),
    one('one of several', VALUE, 'assert cart.total in (2, 3, 4)', 'assertion-weakened'),
    one('a part', 'assert text == "a b"', 'assert "a" in text', 'assertion-weakened'),
    one('a beginning', 'assert text == "a b"', 'assert text.startswith("a")', 'assertion-weakened'),
    one('a length for a list', 'assert items == [1, 2]', 'assert len(items) == 2', 'assertion-weakened'),
    one('a bound for a length', 'assert len(items) == 2', 'assert len(items) >= 1', 'assertion-weakened'),
    one('any value', 'assert cart.total == 3', 'assert cart.total == ANY', 'assertion-weakened'),
    one(
      'any part',
      'assert cart.data == {"id": 7, "a": 1}',
      'assert cart.data == {"id": ANY, "a": 1}',
      'assertion-weakened',
    ),
    one('inverted', VALUE, 'assert cart.total != 3', 'assertion-weakened'),
    one('inverted truth', 'assert cart.is_open', 'assert not cart.is_open', 'assertion-inverted'),
    one(
      'a wide tolerance',
      'assert mean(x) == pytest.approx(2.25, rel=1e-6)',
      'assert mean(x) == pytest.approx(2.25, rel=1e-1)',
      'assertion-weakened',
    ),
    one(
      'a wide absolute tolerance',
      'assert mean(x) == 2.25',
      'assert mean(x) == pytest.approx(2.25, abs=10)',
      'assertion-weakened',
    ),
    one(
      'few places',
      'self.assertAlmostEqual(mean(x), 2.25)',
      'self.assertAlmostEqual(mean(x), 2.25, places=0)',
      'assertion-weakened',
    ),
    one(
      'a wide delta',
      'self.assertAlmostEqual(mean(x), 2.25)',
      'self.assertAlmostEqual(mean(x), 2.25, delta=5)',
      'assertion-weakened',
    ),
    one(
      'a wide tolerance of numpy',
      'np.testing.assert_allclose(a, b)',
      'np.testing.assert_allclose(a, b, rtol=0.5)',
      'assertion-weakened',
    ),
    one(
      'near in place of equal arrays',
      'np.testing.assert_array_equal(a, b)',
      'np.testing.assert_allclose(a, b, atol=1)',
      'assertion-weakened',
    ),
    one(
      'a wide tolerance of math',
      'assert math.isclose(a, 2.5, rel_tol=1e-9)',
      'assert math.isclose(a, 2.5, rel_tol=0.5)',
      'assertion-weakened',
    ),
    one(
      'frames without types',
      'pd.testing.assert_frame_equal(a, b)',
      'pd.testing.assert_frame_equal(a, b, check_dtype=False)',
      'assertion-weakened',
    ),
    one(
      'a truth with a message',
      'self.assertEqual(cart.total, 3)',
      'self.assertTrue(cart.total, 3)',
      'assertion-weakened',
    ),
    one(
      'not None by unittest',
      'self.assertEqual(cart.total, 3)',
      'self.assertIsNotNone(cart.total)',
      'assertion-weakened',
    ),
    one(
      'not another value',
      'self.assertEqual(cart.total, 3)',
      'self.assertNotEqual(cart.total, 4)',
      'assertion-weakened',
    ),
    one(
      'any error',
      'with pytest.raises(ValueError, match="negative"):\n        pay(-1)',
      'with pytest.raises(Exception):\n        pay(-1)',
      'assertion-weakened',
    ),
    one(
      'an error without its message',
      'with pytest.raises(ValueError, match="negative"):\n        pay(-1)',
      'with pytest.raises(ValueError):\n        pay(-1)',
      'assertion-weakened',
    ),
    one(
      'one of several errors',
      'with pytest.raises(ValueError):\n        pay(-1)',
      'with pytest.raises((ValueError, TypeError)):\n        pay(-1)',
      'assertion-weakened',
    ),
    one(
      'any error by unittest',
      'with self.assertRaises(ValueError):\n        pay(-1)',
      'with self.assertRaises(Exception):\n        pay(-1)',
      'assertion-weakened',
    ),
    one(
      'a message of unittest is gone',
      'with self.assertRaisesRegex(ValueError, "negative"):\n        pay(-1)',
      'with self.assertRaises(ValueError):\n        pay(-1)',
      'assertion-weakened',
    ),
    one(
      'an error that may not come',
      'with pytest.raises(ValueError):\n        pay(-1)',
      'try:\n        pay(-1)\n    except ValueError:\n        pass',
      'assertion-removed',
    ),
    one(
      'a failure that is gone',
      'try:\n        pay(-1)\n        self.fail("no error")\n    except ValueError:\n        pass',
      'try:\n        pay(-1)\n    except ValueError:\n        pass',
      'assertion-removed',
    ),
    one(
      'a call without arguments',
      'send.assert_called_once_with("a")',
      'send.assert_called_once()',
      'assertion-weakened',
    ),
    one('any call', 'send.assert_called_once_with("a")', 'assert send.called', 'assertion-weakened'),
    one(
      'any argument',
      'send.assert_called_once_with("a")',
      'send.assert_called_once_with(ANY)',
      'assertion-weakened',
    ),
    one('any number of calls', 'assert send.call_count == 2', 'assert send.called', 'assertion-weakened'),
    one(
      'a call that is not made',
      'send.assert_called_once()',
      'send.assert_called_once',
      'assertion-vacuous',
    ),
    one(
      'a misspelled assertion',
      'send.assert_called_once_with("a")',
      'send.called_once_with("a")',
      'assertion-removed',
    ),
    one('without assert', VALUE, 'cart.total == 3', 'assertion-removed'),
    one('printed', VALUE, 'print(cart.total)', 'assertion-removed'),
    one('a second assertion is gone', `${VALUE}\n    assert cart.tax == 1`, VALUE, 'assertion-removed'),
    one(
      'caught and passed',
      VALUE,
      `try:\n        ${VALUE}\n    except AssertionError:\n        pass`,
      'assertion-swallowed',
    ),
    one(
      'caught and logged',
      VALUE,
      `try:\n        ${VALUE}\n    except Exception as error:\n        logger.warning(error)`,
      'assertion-swallowed',
    ),
    one(
      'caught by a second clause',
      VALUE,
      `try:\n        ${VALUE}\n    except KeyError:\n        raise\n    except AssertionError:\n        pass`,
      'assertion-swallowed',
    ),
    one(
      'caught without a class',
      VALUE,
      `try:\n        ${VALUE}\n    except:\n        return`,
      'assertion-swallowed',
    ),
    one(
      'suppressed',
      VALUE,
      `with contextlib.suppress(AssertionError):\n        ${VALUE}`,
      'assertion-swallowed',
    ),
    one(
      'an expected failure of the assertion',
      VALUE,
      `with pytest.raises(AssertionError):\n        ${VALUE}`,
      'assertion-swallowed',
    ),
    one(
      'any expected failure',
      VALUE,
      `with pytest.raises(Exception):\n        ${VALUE}`,
      'assertion-swallowed',
    ),
    one(
      'a return at the end',
      VALUE,
      `try:\n        ${VALUE}\n    finally:\n        return`,
      'assertion-swallowed',
    ),
    one('a return in front', VALUE, `return\n    ${VALUE}`, 'assertion-unreachable'),
    one(
      'a return on a condition',
      VALUE,
      `if not os.environ.get("FULL"):\n        return\n    ${VALUE}`,
      'assertion-unreachable',
    ),
    one(
      'a return on the line of its condition',
      VALUE,
      `if os.environ.get("CI"): return\n    ${VALUE}`,
      'assertion-unreachable',
    ),
    one('on a condition', VALUE, `if cart:\n        ${VALUE}`, 'assertion-unreachable'),
    one(
      'on a condition on the same line',
      VALUE,
      `if os.environ.get("FULL"): ${VALUE}`,
      'assertion-unreachable',
    ),
    one('on a condition that never holds', VALUE, `if False:\n        ${VALUE}`, 'assertion-unreachable'),
    one(
      'on a condition inside of the assertion',
      VALUE,
      'assert cart.total == 3 if FULL else True',
      'assertion-unreachable',
    ),
    one('a bent value', VALUE, 'assert cart.total == 4', 'expectation-changed'),
    one(
      'a bent value in a name',
      'expected = 3\n    assert cart.total == expected',
      'expected = 4\n    assert cart.total == expected',
      'expectation-changed',
    ),
    [
      'a bent value in a constant',
      test('assert cart.total == TOTAL', 'TOTAL = 3'),
      test('assert cart.total == TOTAL', 'TOTAL = 4'),
      'expectation-changed',
    ],
    [
      'a helper without assertions',
      `def check(cart):\n    ${VALUE}\n\n${test('check(cart)')}`,
      `def check(cart):\n    pass\n\n${test('check(cart)')}`,
      'assertion-removed',
    ],
    [
      'a fixture without assertions',
      `@pytest.fixture\ndef cart():\n    cart = Cart()\n    assert cart.total == 0\n    return cart\n\ndef test_x(cart):\n    assert cart.id == 1\n`,
      `@pytest.fixture\ndef cart():\n    return Cart()\n\ndef test_x(cart):\n    assert cart.id == 1\n`,
      'assertion-removed',
    ],
    [
      'a script of assertions',
      'from cart import total\nassert total([1]) == 1\nassert total([2]) == 2\n',
      'from cart import total\nassert total([1]) == 1\n',
      'assertion-removed',
    ],
    [
      'a documented example',
      'def f():\n    """\n    >>> add(1, 2)\n    3\n    >>> add(2, 2)\n    4\n    """\n',
      'def f():\n    """\n    >>> add(1, 2)\n    3\n    """\n',
      'assertion-removed',
    ],
    [
      'a documented example is skipped',
      'def f():\n    """\n    >>> add(1, 2)\n    3\n    """\n',
      'def f():\n    """\n    >>> add(1, 2)  # doctest: +SKIP\n    3\n    """\n',
      'assertion-unreachable',
    ],
    [
      'matchers',
      test('assert_that(total, equal_to(3))'),
      test('assert_that(total, not_none())'),
      'assertion-weakened',
    ],
    [
      'a chain of matchers',
      test('assert_that(total).is_equal_to(3)'),
      test('assert_that(total).is_not_none()'),
      'assertion-weakened',
    ],
    [
      'an async test',
      'async def test_x():\n    assert await total() == 3\n',
      'async def test_x():\n    assert await total()\n',
      'assertion-weakened',
    ],
  ]);
});

const UNITTEST = `class CartTest(unittest.TestCase):
    def setUp(self):
        self.cart = Cart()

    def test_total(self):
        self.assertEqual(self.cart.total(), 2.5)
        self.assertTrue(self.cart.is_open)
        self.assertIsNone(self.cart.owner)
        self.assertIn("a", self.cart.names)
        self.assertEqual(len(self.cart), 0)

    def test_remove(self):
        with self.assertRaises(KeyError):
            self.cart.remove("pear")
`;
const PYTEST = `@pytest.fixture
def cart():
    return Cart()


def test_total(cart):
    assert cart.total() == 2.5
    assert cart.is_open
    assert cart.owner is None
    assert "a" in cart.names
    assert len(cart) == 0


def test_remove(cart):
    with pytest.raises(KeyError):
        cart.remove("pear")
`;

describe('an honest change of the tests of Python has no finding', () => {
  check([
    [
      'a mock of a dependency',
      test('assert cart.total([1]) == 1', 'from shop import cart\n'),
      test(
        'assert cart.total([1]) == 1',
        'from shop import cart\n\n@patch("shop.rates.fetch", return_value={})',
      ),
    ],

    one(
      'all members for the whole',
      'assert data() == {"a": 1, "b": 2}',
      'assert data()["a"] == 1\n    assert data()["b"] == 2',
    ),
    one(
      'an order that does not matter',
      'assert names() == ["a", "b"]',
      'assert sorted(names()) == ["a", "b"]',
    ),

    one('all in place of a loop', 'for x in xs:\n        assert x.ok', 'assert all(x.ok for x in xs)'),

    ['unittest becomes pytest', UNITTEST, PYTEST],
    ['pytest becomes unittest', PYTEST, UNITTEST],
    [
      'a class becomes functions',
      `class TestCart:\n    def test_a(self):\n        ${EQUAL}\n`,
      test(EQUAL, '', 'test_a'),
    ],
    ['a test is renamed', PLAIN, test(EQUAL, '', 'test_sum_of_two')],
    [
      'a file is renamed',
      { 'tests/test_cart.py': PLAIN + OTHER },
      { 'tests/unit/test_basket.py': PLAIN + OTHER },
    ],
    [
      'a file is split',
      { 'tests/test_cart.py': PLAIN + OTHER },
      { 'tests/test_cart.py': PLAIN, 'tests/test_empty.py': OTHER },
    ],
    [
      'tests become a table',
      `def test_a():\n    assert slug('A B') == 'a-b'\n\ndef test_c():\n    assert slug('c!') == 'c'\n`,
      `@pytest.mark.parametrize('raw, expected', [('A B', 'a-b'), ('c!', 'c'), (' d', 'd')])\ndef test_slug(raw, expected):\n    assert slug(raw) == expected\n`,
    ],
    [
      'a table becomes tests',
      `@pytest.mark.parametrize('raw, expected', [('A B', 'a-b'), ('c!', 'c')])\ndef test_slug(raw, expected):\n    assert slug(raw) == expected\n`,
      `def test_a():\n    assert slug('A B') == 'a-b'\n\ndef test_c():\n    assert slug('c!') == 'c'\n`,
    ],
    [
      'assertions become a table',
      `def test_slug():\n    assert slug('A B') == 'a-b'\n    assert slug('c!') == 'c'\n`,
      `@pytest.mark.parametrize('raw, expected', [('A B', 'a-b'), ('c!', 'c')])\ndef test_slug(raw, expected):\n    assert slug(raw) == expected\n`,
    ],
    [
      'a table becomes assertions',
      `@pytest.mark.parametrize('raw, expected', [('A B', 'a-b'), ('c!', 'c')])\ndef test_slug(raw, expected):\n    assert slug(raw) == expected\n`,
      `def test_slug():\n    assert slug('A B') == 'a-b'\n    assert slug('c!') == 'c'\n`,
    ],
    [
      'a row becomes a test of its own',
      CASES(ROWS),
      CASES('[("A", "a"), ("d!", "d")]', 'def test_blank():\n    assert slug("b C") == "b-c"\n'),
    ],
    [
      'subtests become a table',
      method([
        'for raw, want in [("A", "a"), ("B!", "b")]:\n    with self.subTest(raw):\n        self.assertEqual(slug(raw), want)',
      ]),
      CASES('[("A", "a"), ("B!", "b")]').replace('test_slug', 'test_total'),
    ],
    ['a list of rows gets a name', CASES(ROWS), LIST(ROWS)],
    [
      'rows get ids',
      CASES('[("A", "a"), ("B", "b")]'),
      CASES('[pytest.param("A", "a", id="upper"), pytest.param("B", "b", id="other")]'),
    ],
    ['a row is added', CASES(ROWS), CASES(`${ROWS.slice(0, -1)}, ("e", "e")]`)],
    [
      'a new row is expected to fail',
      CASES(ROWS),
      CASES(`${ROWS.slice(0, -1)}, pytest.param("e", "f", marks=pytest.mark.xfail)]`),
    ],
    one(
      'an older name of an assertion',
      'self.assertEquals(cart.total, 3)',
      'self.assertEqual(cart.total, 3)',
    ),
    one(
      'the arguments in the other order',
      'self.assertEqual(3, cart.total)',
      'self.assertEqual(cart.total, 3)',
    ),
    one(
      'a narrow tolerance for a fraction',
      'assert mean([0.1, 0.2]) == 0.15',
      'assert mean([0.1, 0.2]) == pytest.approx(0.15, rel=1e-9)',
    ),
    one(
      'the default tolerance',
      'assert mean([0.1, 0.2]) == 0.15',
      'assert mean([0.1, 0.2]) == pytest.approx(0.15)',
    ),
    one(
      'a narrower tolerance',
      'assert mean(x) == pytest.approx(2.25, rel=1e-3)',
      'assert mean(x) == pytest.approx(2.25, rel=1e-6)',
    ),
    one('a stricter mock', 'send.assert_called_once()', 'send.assert_called_once_with("a")'),
    one('a number of calls in another form', 'assert send.call_count == 1', 'send.assert_called_once()'),
    one(
      'a stricter error',
      'with pytest.raises(Exception):\n        pay(-1)',
      'with pytest.raises(ValueError, match="negative"):\n        pay(-1)',
    ),
    one(
      'a message asserted after the block',
      'with pytest.raises(ValueError, match="negative"):\n        pay(-1)',
      'with pytest.raises(ValueError) as error:\n        pay(-1)\n    assert str(error.value) == "negative"',
    ),
    one('a value for a truth', 'assert cart.total', VALUE),
    one(
      'the whole for a part',
      'assert cart.data["a"] == 1\n    assert cart.data["b"] == 2',
      'assert cart.data == {"a": 1, "b": 2}',
    ),
    one(
      'a tuple of values',
      'assert r.status == 200\n    assert r.text == "ok"',
      'assert (r.status, r.text) == (200, "ok")',
    ),
    one('a name for a value', 'assert add(1, 2) == 3', 'result = add(1, 2)\n    assert result == 3'),
    one(
      'a name for the expected value',
      'assert add(1, 2) == [3]',
      'expected = [3]\n    assert add(1, 2) == expected',
    ),
    one('True by a linter', 'assert cart.is_open == True', 'assert cart.is_open'),
    one('an empty list by a linter', 'assert cart.items == []', 'assert not cart.items'),
    one('None by a linter', 'assert cart.owner == None', 'assert cart.owner is None'),
    one(
      'a list that the code fills',
      'seen = []\n    run(seen.append)\n    assert seen == [1]',
      'calls = []\n    run(calls.append)\n    assert calls == [1]',
    ),
    one(
      'formatted',
      `assert cart.total == 3, 'the total'`,
      'assert (\n        cart.total\n        == 3\n    ), "the total"',
    ),
    one('quotes', "assert name == 'a' and f(r'\\d') == 1", 'assert name == "a" and f(r"\\d") == 1'),
    one(
      'a retry that raises',
      VALUE,
      `for attempt in range(3):\n        try:\n            ${VALUE}\n            break\n        except AssertionError:\n            if attempt == 2:\n                raise`,
    ),
    one('cleaned up in any case', VALUE, `try:\n        ${VALUE}\n    finally:\n        cart.close()`),
    one('time is frozen', VALUE, `with freeze_time("2024-01-01"):\n        ${VALUE}`),
    one('a conditional value', VALUE, `size = 1 if cart.small else 2\n    ${VALUE}`),
    [
      'skipped on Windows',
      PLAIN,
      test(EQUAL, '@pytest.mark.skipif(sys.platform == "win32", reason="signals")'),
    ],
    [
      'skipped on older versions',
      PLAIN,
      test(EQUAL, '@pytest.mark.skipif(sys.version_info < (3, 10), reason="match")'),
    ],
    [
      'run on newer versions',
      method('self.assertEqual(total(), 3)'),
      method('self.assertEqual(total(), 3)', ['@unittest.skipUnless(sys.version_info >= (3, 10), "match")']),
    ],
    ['skipped without a library', PLAIN, test(['np = pytest.importorskip("numpy")', EQUAL])],
    [
      'skipped if the import fails',
      PLAIN,
      test(['try:\n    import numpy\nexcept ImportError:\n    pytest.skip("no numpy")', EQUAL]),
    ],
    [
      'the reason of a skip',
      test(EQUAL, '@pytest.mark.skip(reason="a")'),
      test(EQUAL, '@pytest.mark.skip(reason="b, see #7")'),
    ],
    [
      'a condition in place of a skip',
      test(EQUAL, '@pytest.mark.skip'),
      test(EQUAL, '@pytest.mark.skipif(os.environ.get("CI"), reason="a")'),
    ],
    ['runs again', test(EQUAL, '@pytest.mark.skip'), PLAIN],
    ['is expected to pass again', test(EQUAL, '@pytest.mark.xfail'), PLAIN],
    [
      'a new test that is skipped',
      PLAIN,
      `${PLAIN}\n@pytest.mark.skip(reason="not yet")\n${test('assert refund() == 1', '', 'test_refund')}`,
    ],
    [
      'a new test that is expected to fail',
      PLAIN,
      `${PLAIN}\n@pytest.mark.xfail\n${test('assert refund() == 1', '', 'test_refund')}`,
    ],
    ['a mark that says how long it takes', PLAIN, test(EQUAL, '@pytest.mark.slow')],
    ['a timeout', PLAIN, test(EQUAL, '@pytest.mark.timeout(5)')],
    [
      'the words in a docstring',
      PLAIN,
      test(['"""Was @pytest.mark.skip: pytest.skip("flaky"), xfail, assert True."""', EQUAL]),
    ],
    ['the words in a comment', PLAIN, `# pytest.skip("flaky")\n# @pytest.mark.xfail\n${PLAIN}`],
    [
      'the words in a string',
      PLAIN,
      `${PLAIN}\nSOURCE = """\n@pytest.mark.skip\ndef test_total():\n    assert True\n"""\n`,
    ],
    ['types', PLAIN, PLAIN.replace('():', '() -> None:')],
    [
      'an asynchronous test',
      test('assert run(total()) == 3'),
      '@pytest.mark.asyncio\nasync def test_total():\n    assert await total() == 3\n',
    ],
    [
      'a helper',
      test([VALUE, 'assert cart.tax == 1']),
      `def check_cart(cart):\n    ${VALUE}\n    assert cart.tax == 1\n\n${test('check_cart(cart)')}`,
    ],
    [
      'a method as helper',
      method(['self.assertEqual(self.cart.total, 3)']),
      method('self.check()', [], '\n    def check(self):\n        self.assertEqual(self.cart.total, 3)\n'),
    ],
    [
      'a helper of another file',
      { 'tests/test_cart.py': test([VALUE]) },
      {
        'tests/test_cart.py': `from tests.helpers import assert_cart\n\n${test('assert_cart(cart)')}`,
        'tests/helpers.py': `def assert_cart(cart):\n    ${VALUE}\n`,
      },
    ],
    [
      'a shared class',
      `class TestA(unittest.TestCase):\n    def test_x(self):\n        self.assertEqual(f(), 1)\n`,
      `class Shared:\n    def test_x(self):\n        self.assertEqual(f(), 1)\n\nclass TestA(Shared, unittest.TestCase):\n    pass\n`,
    ],
    [
      'a feature that is gone with its tests',
      {
        'src/cart.py': 'def total(x):\n    return 1\n\ndef refund(x):\n    return 2\n',
        'tests/test_cart.py': `${PLAIN}\n${test('assert refund(1) == 2', '', 'test_refund')}`,
      },
      { 'src/cart.py': 'def total(x):\n    return 1\n', 'tests/test_cart.py': PLAIN },
    ],
    [
      'a value that follows the code',
      { 'src/cart.py': 'def total(x):\n    return sum(x)\n', 'tests/test_cart.py': PLAIN },
      {
        'src/cart.py': 'def total(x):\n    return sum(x) + 1\n',
        'tests/test_cart.py': test('assert total([1, 2]) == 4'),
      },
    ],
    [
      'a new test of what is the same twice',
      PLAIN,
      `${PLAIN}\n${test('assert key("a") == key("a")', '', 'test_stable')}`,
    ],
    [
      'numpy asserts in another form',
      test('assert np.array_equal(a, b)'),
      test('np.testing.assert_array_equal(a, b)'),
    ],
    [
      'a property with fewer examples',
      '@settings(max_examples=200)\n@given(st.integers())\ndef test_x(x):\n    assert f(x) == x\n',
      '@settings(max_examples=50)\n@given(st.integers())\ndef test_x(x):\n    assert f(x) == x\n',
    ],
    [
      'a fixture in place of a call',
      test(['cart = Cart()', VALUE]),
      `@pytest.fixture\ndef cart():\n    return Cart()\n\ndef test_total(cart):\n    ${VALUE}\n`,
    ],
    ['a script block', PLAIN, `${PLAIN}\nif __name__ == "__main__":\n    pytest.main()\n`],
    [
      'definitions for two platforms',
      PLAIN,
      `${PLAIN}\nif sys.platform == "win32":\n    def make():\n        return 1\nelse:\n    def make():\n        return 2\n`,
    ],
  ]);
});

describe('a mock of what a test of Python asserts differs from other mocks', () => {
  it.each([
    ['by a decorator', test('assert cart.total() == 3', '@patch("shop.cart.total", return_value=3)'), true],
    [
      'of a method',
      test('cart = Cart()\n    assert cart.total() == 3', '@patch.object(Cart, "total")'),
      true,
    ],
    [
      'by monkeypatch',
      'def test_x(monkeypatch):\n    monkeypatch.setattr(cart, "total", lambda: 3)\n    assert cart.total() == 3\n',
      true,
    ],
    ['by an assignment', test(['cart.total = Mock(return_value=3)', 'assert cart.total() == 3']), true],
    ['of a dependency', test('assert cart.total() == 3', '@patch("shop.rates.fetch")'), false],
    [
      'of another member of the same name',
      test('assert client.get("/") == 3', '@patch("requests.get")'),
      false,
    ],
    [
      'of what another test asserts',
      `${test('order()', '@patch("shop.cart.total")', 'test_order')}\n${test('assert cart.total() == 3')}`,
      false,
    ],
  ])('%s', (_, text, asserted) => {
    const { mocks } = python.read(lex(text, LANGUAGES.python), 'tests/test_cart.py');
    expect(mocks).toMatchObject([{ asserted }]);
  });
});
