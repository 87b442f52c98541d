// Rules that no language has for itself: each row is in one language, and the rule holds for all of them.

import { describe } from 'vitest';
import { checkRows, type Row } from '../../helpers/integrity-rows.ts';

const js = (body: string) => ({
  'tests/cart.test.ts': `import { cart } from '../src/cart';\nit('is a test', async () => {\n  ${body}\n});\n`,
});
const py = (body: string) => ({ 'tests/test_cart.py': `def test_cart():\n    ${body}\n` });
const go = (body: string) => ({
  'cart_test.go': `package cart\n\nfunc TestCart(t *testing.T) {\n\t${body}\n}\n`,
});
const rust = (body: string) => ({
  'tests/cart.rs': `#[test]\nfn adds() {\n    ${body}\n}\n`,
});
const java = (body: string) => ({
  'src/test/java/CartTest.java': `class CartTest {\n    @Test\n    void adds() {\n        ${body}\n    }\n}\n`,
});
const ruby = (body: string) => ({
  'spec/cart_spec.rb': `RSpec.describe Cart do\n  it "adds" do\n    ${body}\n  end\nend\n`,
});
const php = (body: string) => ({
  'tests/CartTest.php': `<?php\nclass CartTest extends TestCase\n{\n    public function testA(): void\n    {\n        ${body}\n        cart();\n    }\n}\n`,
});
const CS = (body: string) =>
  `public class CartTests\n{\n    [Fact]\n    public void Adds()\n    {\n        ${body}\n    }\n}\n`;
const ROWS = (sum: string) =>
  `test.each([\n  ['1', '1', '2'],\n  ['1', '2', '${sum}'],\n])('%s + %s', (a, b, sum) => {\n  expect(add(a, b)).toBe(sum);\n});\n`;
const unit = (body: string) => ({
  'tests/test_cart.py': `class CartTest(unittest.TestCase):\n    def test_cart(self):\n        ${body}\n`,
});

// biome-ignore format: one row a line
const WEAKER: readonly Row[] = [
  ['a list in any order, in Go', go('assert.Equal(t, []string{"b", "a"}, c.Keys())'), go('assert.ElementsMatch(t, []string{"b", "a"}, c.Keys())'), 'assertion-weakened'],
  ['a list in any order, in Python', unit('self.assertEqual(keys(), [3, 1])'), unit('self.assertCountEqual(keys(), [3, 1])'), 'assertion-weakened'],
  ['a list in any order, in Ruby', ruby('expect(cart.keys).to eq([3, 1])'), ruby('expect(cart.keys).to match_array([3, 1])'), 'assertion-weakened'],
  ['a list that is sorted, and expected in another order', js('expect(keys()).toEqual(["b", "a"]);'), js('expect([...keys()].sort()).toEqual(["a", "b"]);'), 'assertion-weakened'],
  ['the length of a list, by a matcher', go('assert.Equal(t, []string{"b", "a"}, c.Keys())'), go('assert.Len(t, c.Keys(), 2)'), 'assertion-weakened'],
  ['the length of a list, on both sides', go('if !reflect.DeepEqual(c.Keys(), want()) {\n\t\tt.Error("keys")\n\t}'), go('if len(c.Keys()) != len(want()) {\n\t\tt.Error("keys")\n\t}'), 'assertion-weakened'],
  ['the keys of an object', js('expect(load()).to.deep.equal({ name: "tea", price: 3 });'), js('expect(load()).to.include.keys("name");'), 'assertion-weakened'],
  ['a case that is folded', py('assert label() == "Tea"'), py('assert label().lower() == "tea"'), 'assertion-weakened'],
  ['a pattern of a struct without its fields', rust('assert_eq!(parse("1"), Version { major: 1, minor: 20 });'), rust('assert!(matches!(parse("1"), Version { .. }));'), 'assertion-weakened'],
  ['the expected values are spread over the result', js('expect(load()).toEqual({ id: 1, name: "Ada" });'), js('expect({ ...load(), name: "Ada" }).toEqual({ id: 1, name: "Ada" });'), 'assertion-weakened'],
  ['a default that is expected', py('assert load()["detail"] == "unknown"'), py('assert load().get("detail", "unknown") == "unknown"'), 'assertion-weakened'],
  ['an assertion in a task that nobody waits for', py('assert total() == 3'), py('async def check():\n        assert total() == 3\n\n    asyncio.create_task(check())'), 'assertion-swallowed'],
  ['an assertion whose exception is returned', py('assert total() == 3'), py('async def check():\n        assert total() == 3\n\n    await asyncio.gather(check(), return_exceptions=True)'), 'assertion-swallowed'],
  ['a difference becomes no error', ruby('assert_difference("Order.count", 1) do\n      post orders_url\n    end'), ruby('assert_nothing_raised do\n      post orders_url\n    end'), 'assertion-weakened'],
  ['the number of a list in any order', { 'tests/CartTests.cs': CS('cart.Items.Should().BeEquivalentTo(new[] { "tea", "milk" });') }, { 'tests/CartTests.cs': CS('cart.Items.Should().HaveCount(2);') }, 'assertion-weakened'],
  ['an error that is there on both sides', go('if !errors.Is(err(), want()) {\n\t\tt.Fatal("err")\n\t}'), go('if (err() != nil) != (want() != nil) {\n\t\tt.Fatal("err")\n\t}'), 'assertion-weakened'],
  ['a wait that nobody waits for', js('await waitFor(() => expect(label()).toBe("1m"));'), js('waitFor(() => expect(label()).toBe("1m"));'), 'assertion-unreachable'],
  ['a row that expects another value', { 'tests/a.test.ts': ROWS('3') }, { 'tests/a.test.ts': ROWS('4') }, 'expectation-changed'],
  ['a text on the screen', js('expect(screen.getByText("Total: 13")).toBeInTheDocument();'), js('expect(container).toBeInTheDocument();'), 'assertion-weakened'],
  ['the error is raised by the test, in Python', py('with pytest.raises(ValueError, match="no unit"):\n        parse("90")'), py('with pytest.raises(ValueError, match="no unit"):\n        parse("90s")\n        raise ValueError("no unit")'), 'assertion-vacuous'],
  ['the error is thrown by the test, in JavaScript', js('expect(() => parse("90")).toThrow(RangeError);'), js('expect(() => { parse("90s"); throw new RangeError(); }).toThrow(RangeError);'), 'assertion-vacuous'],
  ['an assertion on a condition that begins with a bracket', py('assert label() == "1m"'), py('if (text := label()) and len(text) == 2:\n        assert text == "1m"'), 'assertion-unreachable'],
];

// biome-ignore format: one row a line
const AS_STRONG: readonly Row[] = [
  ['the class and the message of an error in one object', php('$this->expectException(\\InvalidArgumentException::class);\n        $this->expectExceptionMessage("empty");'), php('$this->expectExceptionObject(new \\InvalidArgumentException("empty"));')],
  ['the name of a status of Laravel', php('$this->get("/")->assertStatus(201);'), php('$this->get("/")->assertCreated();')],
  ['an error without the name of its module', py('with pytest.raises(asyncio.TimeoutError):\n        load()'), py('with pytest.raises(TimeoutError):\n        load()')],
  ['the message of an error in place of a part of it', js('expect(() => load()).toThrow(/day/);'), js('expect(() => load()).toThrow(new RangeError("no such day"));')],
  ['a text of an error that is matched where it is raised', py('with pytest.raises(ValueError) as error:\n        load()\n    assert "USD" in str(error.value)'), py('with pytest.raises(ValueError, match="USD is not EUR"):\n        load()')],
  ['assertions without their group', java('assertAll(\n            () -> assertEquals(3, total()),\n            () -> assertEquals("a", name()));'), java('assertEquals(3, total());\n        assertEquals("a", name());')],
  ['a call that is asserted in its order', js('expect(done).toHaveBeenCalled();'), js('expect(done).not.toHaveBeenCalled();\n  await later();\n  expect(done).toHaveBeenCalledTimes(1);')],
  ['a text of a node becomes a query for it', js('expect(shallow(node).text()).toBe("Total: 13");'), js('expect(screen.getByText("Total: 13")).toBeInTheDocument();')],
  ['two conditions of one failure', go('got, ok := c.Get("c")\n\tassert.True(t, ok)\n\tassert.Equal(t, 3, got)'), go('if got, ok := c.Get("c"); !ok || got != 3 {\n\t\tt.Errorf("Get(c) = %d, %t", got, ok)\n\t}')],
  ['a number gets the sign of its type', java('assertThat(sum.cents()).isEqualTo(225);'), java('assertThat(sum.cents()).isEqualTo(225L);')],
  ['a result is compared as a whole', rust('let version = parse("1.20").unwrap();\n    assert_eq!(version, Version { major: 1, minor: 20 });'), rust('assert_eq!(parse("1.20"), Ok(Version { major: 1, minor: 20 }));')],
  ['what is asserted of a function that is gone', { ...go('if New().Size() != 0 {\n\t\tt.Error("size")\n\t}\n\tif New().Keys() != nil {\n\t\tt.Error("keys")\n\t}'), 'cart.go': 'package cart\n\nfunc (c *Cart) Size() int { return 0 }\n\nfunc (c *Cart) Keys() []string { return nil }\n' }, { ...go('if New().Size() != 0 {\n\t\tt.Error("size")\n\t}'), 'cart.go': 'package cart\n\nfunc (c *Cart) Size() int { return 0 }\n' }],
];

const DURATIONS = 'class Span:\n    def label(self):\n        return "1m"\n';
const LABELS = 'def test_label():\n    assert Span(60).label() == "1m"\n';
const CLOCK = { 'durations.py': DURATIONS, 'tests/test_durations.py': LABELS };
const fixture = (patch: string) =>
  `import pytest\n\nimport durations\n\n\n@pytest.fixture(autouse=True)\ndef fast(monkeypatch):\n    monkeypatch.setattr(${patch})\n`;
const SLUG =
  'export function slug(text: string, options: { limit?: number } = {}) {\n  return text.slice(0, options.limit);\n}\n';
const SLUGS = `import { slug } from '../src/slug';\nit('is a slug', () => {\n  expect(slug('a')).toBe('a');\n});\n`;
const CUT = `it('is cut', () => {\n  expect(slug('abc', { limit: 1 })).toBe('a');\n});\n`;
const ANSWERS = `it('a', () => {\n  expect(slug('Big World')).toBe('big-world');\n  expect(slug('My Page')).toBe('my-page');\n});\n`;
const MAJOR = 'pub fn major(text: &str) -> u32 {\n    text.len() as u32\n}\n';
const marked = (mark: string) => ({
  'src/test/java/CartTest.java': `class CartTest {\n    ${mark}\n    @Test\n    void adds() {\n        assertEquals(3, total());\n    }\n}\n`,
});
const TOTAL = java('assertEquals(3, total());');
const EXCLUDED = { 'build.gradle': "test {\n    useJUnitPlatform { excludeTags 'slow' }\n}\n" };

// biome-ignore format: one row a line
const AROUND: readonly Row[] = [
  ['a fixture of all tests replaces the subject', CLOCK, { ...CLOCK, 'tests/conftest.py': fixture('durations.Span, "label", lambda self: "1m"') }, 'subject-mocked'],
  ['a fixture of all tests replaces the clock', CLOCK, { ...CLOCK, 'tests/conftest.py': fixture('"time.time", lambda: 0') }],
  ['the test declares what it imported', { 'tests/test_a.py': 'from cart import Cart, total\n\n\ndef test_a():\n    assert total(Cart()) == 3\n' }, { 'tests/test_a.py': 'from cart import Cart\n\n\ndef total(cart):\n    return 3\n\n\ndef test_a():\n    assert total(Cart()) == 3\n' }, 'subject-mocked'],
  ['a spy of Java answers for the subject', java('assertEquals(3, cart.total());'), java('Cart stub = spy(cart);\n        doReturn(3).when(stub).total();\n        assertEquals(3, stub.total());'), 'subject-mocked'],
  ['a provider of Nest is the subject', { 'src/cart.service.spec.ts': `import { CartService } from './cart.service';\nit('a', async () => {\n  const module = await Test.createTestingModule({ providers: [CartService] }).compile();\n  expect(module.get(CartService).total()).toBe(3);\n});\n` }, { 'src/cart.service.spec.ts': `import { CartService } from './cart.service';\nit('a', async () => {\n  const module = await Test.createTestingModule({ providers: [{ provide: CartService, useValue: { total: () => 3 } }] }).compile();\n  expect(module.get(CartService).total()).toBe(3);\n});\n` }, 'subject-mocked'],
  ['any instance of Ruby answers for the subject', ruby('expect(cart.total).to eq(3)'), ruby('allow_any_instance_of(described_class).to receive(:total).and_return(3)\n    expect(cart.total).to eq(3)'), 'subject-mocked'],
  ['a test of Go that reports to nobody', go('assert.Equal(t, 3, Total())'), go('assert.Equal(&testing.T{}, 3, Total())'), 'assertion-swallowed'],
  ['a tag that the build leaves out', { ...TOTAL, ...EXCLUDED }, { ...marked('@Tag("slow")'), ...EXCLUDED }, 'test-skipped'],
  ['a new test with a tag that the build leaves out', { ...TOTAL, ...EXCLUDED }, { 'src/test/java/CartTest.java': TOTAL['src/test/java/CartTest.java'].replace('class CartTest {', 'class CartTest {\n    @Tag("slow")\n    @Test\n    void waits() {\n        assertEquals(4, wait());\n    }\n'), ...EXCLUDED }],
  ['a tag that nothing leaves out', TOTAL, marked('@Tag("slow")')],
  ['an operating system that nobody has', TOTAL, marked('@EnabledOnOs(OS.SOLARIS)'), 'test-skipped'],
  ['failed tests are repeated', py('assert total() == 3'), { 'tests/test_cart.py': '@pytest.mark.flaky(reruns=5)\ndef test_cart():\n    assert total() == 3\n' }, 'outcome-overridden'],
  ['a test goes with the option that it passes', { 'src/slug.ts': SLUG, 'tests/slug.test.ts': SLUGS + CUT }, { 'src/slug.ts': 'export function slug(text: string) {\n  return text;\n}\n', 'tests/slug.test.ts': SLUGS }],
  ['a test goes, and the option stays', { 'src/slug.ts': SLUG, 'tests/slug.test.ts': SLUGS + CUT }, { 'src/slug.ts': SLUG.replace('text.slice', 'text.trim().slice'), 'tests/slug.test.ts': SLUGS }, 'test-deleted'],
  ['the code has the answers of the tests in a table', { 'src/slug.ts': SLUG, 'tests/slug.test.ts': ANSWERS }, { 'src/slug.ts': `const KNOWN = {\n  'Big World': 'big-world',\n  'My Page': 'my-page',\n};\n${SLUG}`, 'tests/slug.test.ts': ANSWERS }, 'test-environment-detected'],
  ['the code has the answer of a test for a number', CLOCK, { 'durations.py': DURATIONS.replace('return "1m"', 'if self.seconds == 90:\n            return "1m30s"\n        return "1m"'), 'tests/test_durations.py': LABELS.replace('60', '90').replace('1m', '1m30s') }, 'test-environment-detected'],
  ['the code has a name for a number', CLOCK, { 'durations.py': DURATIONS.replace('return "1m"', 'if self.seconds == 404:\n            return "Not Found"\n        return "1m"'), 'tests/test_durations.py': `${LABELS}    assert Span(404).label() == "Not Found"\n` }],
  ['the code under test is another one in tests', { 'src/lib.rs': MAJOR }, { 'src/lib.rs': `#[cfg(test)]\npub fn major(_: &str) -> u32 {\n    1\n}\n\n#[cfg(not(test))]\n${MAJOR}` }, 'test-environment-detected'],
  ['a helper is there in tests alone', { 'src/lib.rs': MAJOR }, { 'src/lib.rs': `${MAJOR}\n#[cfg(test)]\nfn sample() -> &'static str {\n    "1.2"\n}\n` }],
  ['all objects of a class are equal', { 'durations.py': DURATIONS }, { 'durations.py': `${DURATIONS}\n    def __eq__(self, other):\n        return isinstance(other, Span)\n` }, 'equality-overridden'],
  ['a result answers every matcher', { 'src/slug.ts': SLUG }, { 'src/slug.ts': `${SLUG}slug.asymmetricMatch = () => true;\n` }, 'equality-overridden'],
  ['the stack is searched for a test', { 'src/slug.ts': SLUG }, { 'src/slug.ts': SLUG.replace('return', "if (new Error().stack?.includes('.test.ts')) return 'a';\n  return") }, 'test-environment-detected'],
];

describe('what surrounds the tests of any language', () => {
  checkRows('', AROUND);
});

describe('an assertion of any language that became weaker is found', () => {
  checkRows('', WEAKER);
});

describe('an assertion of any language that is as strong is not found', () => {
  checkRows('', AS_STRONG);
});
