import { describe } from 'vitest';
import { checkRows, type Row } from '../../helpers/integrity-rows.ts';

const check = (rows: readonly Row[]) => checkRows('tests/helpers.ts', rows);

const EXPECT = 'expect(total(items)).toBe(sum);';
const helper = (body: string, more = '') =>
  `import { total } from '../src/cart';\n${more}\nexport function expectTotal(items, sum) {\n  ${body}\n}\n`;

describe('a helper that other files of tests call', () => {
  check([
    ['no longer asserts', helper(EXPECT), helper('void total(items);'), 'assertion-removed'],
    ['has nothing left', helper(EXPECT), helper(''), 'assertion-removed'],
    [
      'no longer asserts in Python',
      { 'tests/conftest.py': 'def check_total(cart, total):\n    assert cart.total == total\n' },
      { 'tests/conftest.py': 'def check_total(cart, total):\n    print(cart.total)\n' },
      'assertion-removed',
    ],
    [
      'no longer asserts in Ruby',
      { 'spec/support/cart.rb': 'def check_total(cart)\n  expect(cart.total).to eq(3)\nend\n' },
      { 'spec/support/cart.rb': 'def check_total(cart)\n  cart.total\nend\n' },
      'assertion-removed',
    ],
    [
      'no longer asserts in Java',
      {
        'src/test/java/shop/Checks.java':
          'class Checks {\n  static void total(Cart cart) {\n    assertEquals(3, cart.total());\n  }\n}\n',
      },
      {
        'src/test/java/shop/Checks.java':
          'class Checks {\n  static void total(Cart cart) {\n    cart.total();\n  }\n}\n',
      },
      'assertion-removed',
    ],
    ['asserts with another library', helper(EXPECT), helper('assert.equal(total(items), sum);')],
    [
      'asserts through another helper',
      helper(EXPECT),
      helper('expectSum(total(items), sum);', 'const expectSum = (a, b) => {\n  expect(a).toBe(b);\n};'),
    ],
    ['asserts through a helper of another file', helper(EXPECT), helper('expectSum(total(items), sum);')],
    ['throws', helper(EXPECT), helper("if (total(items) !== sum) throw new Error('no');")],
    ['is gone', helper(EXPECT), 'export const items = [1, 2];\n'],
    ['has another name', helper(EXPECT), helper(EXPECT).replace('expectTotal', 'expectSum')],
    [
      'made values only',
      'export function cart() {\n  return { items: [1] };\n}\n',
      'export function cart() {\n  return { items: [1, 2] };\n}\n',
    ],
  ]);
});
