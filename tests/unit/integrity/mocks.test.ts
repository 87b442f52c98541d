import { expect, test } from 'vitest';
import { findWeakerTests } from '../../../src/integrity/tests/find-weaker-tests.ts';

/** A row: what happens, the test before and after, whether the mock replaces what the test is about, other files. */
type Row = readonly [what: string, before: string, after: string, isFound: boolean, path?: string];

const TEST = `import { cart, total } from '../src/cart';
import { rates } from '../src/rates';

it('adds up', () => {
  const sum = total([1, 2]);
  expect(sum).toBe(3);
});
it('loads', async () => {
  expect(await rates.load()).toEqual([1]);
});
`;
const with_ = (line: string) => TEST.replace("it('adds up'", `${line}\n\nit('adds up'`);
const inside = (line: string) => TEST.replace('const sum', `${line}\n  const sum`);

// biome-ignore format: one row a line
const ROWS: readonly Row[] = [
  ['the module under test', TEST, with_("vi.mock('../src/cart');"), true],
  ['the module under test with a factory', TEST, with_("vi.mock('../src/cart', () => ({ total: () => 3 }));"), true],
  ['the function of a partial mock', TEST, with_("vi.mock('../src/cart', async (original) => ({ ...(await original()), total: () => 3 }));"), true],
  ['the function with jest.requireActual', TEST, with_("jest.mock('../src/cart', () => { return { ...jest.requireActual('../src/cart'), total: jest.fn(() => 3) }; });"), true],
  ['the module in Bun', TEST, with_("mock.module('../src/cart', () => ({ total: () => 3 }));"), true],
  ['the function as a spy', TEST.replace('{ cart, total }', '* as cart').replace('total(', 'cart.total('), inside("vi.spyOn(cart, 'total').mockReturnValue(3);").replace('{ cart, total }', '* as cart').replace('total([', 'cart.total(['), true],
  ['the function as a stub of sinon', TEST, inside("sinon.stub(cart, 'total').returns(3);"), true],
  ['the function as a spy of Jasmine', TEST, inside("spyOn(cart, 'total').and.returnValue(3);"), true],
  ['the method of node:test', TEST, inside("mock.method(cart, 'total', () => 3);"), true],
  ['the mocked function', TEST, inside('vi.mocked(total).mockReturnValue(3);'), true],
  ['the member by assignment', TEST.replace('{ cart, total }', '* as cart').replace('total(', 'cart.total('), inside('cart.total = () => 3;').replace('{ cart, total }', '* as cart').replace('total([', 'cart.total(['), true],
  ['the prototype by assignment', TEST.replace('{ cart, total }', '{ Cart }').replace('total(', 'new Cart().total('), inside('Cart.prototype.total = () => 3;').replace('{ cart, total }', '{ Cart }').replace('total([', 'new Cart().total(['), true],
  ['a function of the test itself', TEST, TEST.replace("import { cart, total } from '../src/cart';\n", 'const total = (items) => items.length + 1;\n'), true],
  ['a declared function of the test itself', TEST, TEST.replace("import { cart, total } from '../src/cart';\n", 'function total() {\n  return 3;\n}\n'), true],
  ['an import of a fake', TEST, TEST.replace('../src/cart', './fakes/cart'), true],
  ['an import of a mock beside', TEST, TEST.replace('../src/cart', '../src/__mocks__/cart'), true],
  ['a renamed import of a fixture', TEST, TEST.replace("{ cart, total } from '../src/cart'", "{ fakeTotal as total } from './fixtures'"), true],
  ['a module that the test uses', TEST, with_("vi.mock('../src/log');"), false],
  ['the network', TEST, with_("vi.stubGlobal('fetch', vi.fn());"), false],
  ['the clock', TEST, with_('vi.useFakeTimers();'), false],
  ['a collaborator as a spy', TEST, inside("vi.spyOn(console, 'error').mockImplementation(() => {});"), false],
  ['a spy that calls through', TEST, inside("const spy = vi.spyOn(cart, 'total');"), false],
  ['other members of the module', TEST, with_("vi.mock('../src/cart', async (original) => ({ ...(await original()), save: vi.fn() }));"), false],
  ['a spy that only watches the module', TEST, with_("vi.mock('../src/cart', { spy: true });"), false],
  ['a path that moved', TEST, TEST.replace('../src/cart', '../src/cart/index'), false],
  ['a package alias', TEST, TEST.replace('../src/cart', '@/cart'), false],
  ['a mock that was there', with_("vi.mock('../src/cart');"), with_("vi.mock('../src/cart', () => ({ total: () => 3 }));"), false],
  ['a module of the same name elsewhere', TEST, with_("vi.mock('../api/cart');"), false],
  ['a helper of the test', TEST, TEST.replace("it('adds up'", "const items = () => [1, 2];\n\nit('adds up'"), false],
  ['a global that is asserted', TEST.replace('total([1, 2])', 'Date.now()'), inside("vi.spyOn(Date, 'now').mockReturnValue(3);").replace('total([1, 2])', 'Date.now()'), false],
  ['a mock that goes', with_("vi.mock('../src/cart');"), TEST, false],
];

test.each(ROWS.map(([what, before, after, isFound]) => ({ what, before, after, isFound })))(
  'a mock of $what is found: $isFound',
  ({ before, after, isFound }) => {
    const change = { path: 'tests/cart.test.ts', before, after };
    const findings = findWeakerTests({ changes: [change], read: () => undefined });
    const found = findings.filter(({ severity }) => severity !== 'low').map(({ rule }) => rule);
    expect(found).toEqual(isFound ? ['subject-mocked'] : []);
  },
);

test('a new test may mock what it wants, but not what it asserts', () => {
  const findings = (after: string) =>
    findWeakerTests({
      changes: [{ path: 'tests/cart.test.ts', before: undefined, after }],
      read: () => undefined,
    });
  expect(findings(with_("vi.mock('../src/log');"))).toEqual([]);
  expect(findings(inside("vi.spyOn(cart, 'total').mockReturnValue(3);"))).toMatchObject([
    { rule: 'subject-mocked', severity: 'medium' },
  ]);
});
