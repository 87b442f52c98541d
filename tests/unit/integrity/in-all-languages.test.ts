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
  ['a text on the screen', js('expect(screen.getByText("Total: 13")).toBeInTheDocument();'), js('expect(container).toBeInTheDocument();'), 'assertion-weakened'],
  ['the error is raised by the test, in Python', py('with pytest.raises(ValueError, match="no unit"):\n        parse("90")'), py('with pytest.raises(ValueError, match="no unit"):\n        parse("90s")\n        raise ValueError("no unit")'), 'assertion-vacuous'],
  ['the error is thrown by the test, in JavaScript', js('expect(() => parse("90")).toThrow(RangeError);'), js('expect(() => { parse("90s"); throw new RangeError(); }).toThrow(RangeError);'), 'assertion-vacuous'],
  ['an assertion on a condition that begins with a bracket', py('assert label() == "1m"'), py('if (text := label()) and len(text) == 2:\n        assert text == "1m"'), 'assertion-unreachable'],
];

// biome-ignore format: one row a line
const AS_STRONG: readonly Row[] = [
  ['a call that is asserted in its order', js('expect(done).toHaveBeenCalled();'), js('expect(done).not.toHaveBeenCalled();\n  await later();\n  expect(done).toHaveBeenCalledTimes(1);')],
  ['a text of a node becomes a query for it', js('expect(shallow(node).text()).toBe("Total: 13");'), js('expect(screen.getByText("Total: 13")).toBeInTheDocument();')],
  ['two conditions of one failure', go('got, ok := c.Get("c")\n\tassert.True(t, ok)\n\tassert.Equal(t, 3, got)'), go('if got, ok := c.Get("c"); !ok || got != 3 {\n\t\tt.Errorf("Get(c) = %d, %t", got, ok)\n\t}')],
  ['a number gets the sign of its type', java('assertThat(sum.cents()).isEqualTo(225);'), java('assertThat(sum.cents()).isEqualTo(225L);')],
  ['a result is compared as a whole', rust('let version = parse("1.20").unwrap();\n    assert_eq!(version, Version { major: 1, minor: 20 });'), rust('assert_eq!(parse("1.20"), Ok(Version { major: 1, minor: 20 }));')],
  ['what is asserted of a function that is gone', { ...go('if New().Size() != 0 {\n\t\tt.Error("size")\n\t}\n\tif New().Keys() != nil {\n\t\tt.Error("keys")\n\t}'), 'cart.go': 'package cart\n\nfunc (c *Cart) Size() int { return 0 }\n\nfunc (c *Cart) Keys() []string { return nil }\n' }, { ...go('if New().Size() != 0 {\n\t\tt.Error("size")\n\t}'), 'cart.go': 'package cart\n\nfunc (c *Cart) Size() int { return 0 }\n' }],
];

describe('an assertion of any language that became weaker is found', () => {
  checkRows('', WEAKER);
});

describe('an assertion of any language that is as strong is not found', () => {
  checkRows('', AS_STRONG);
});
