import { expect, test } from 'vitest';
import { findReplacedAssertions } from '../../../src/integrity/tests/javascript/replaced-assertions.ts';

type Row = readonly [what: string, added: string, rule?: string | undefined, path?: string];

const TEST = "import { expect, it } from 'vitest';\nit('adds', () => { expect(total()).toBe(3); });\n";

// biome-ignore format: one row a line
const ROWS: readonly Row[] = [
  ['retries of Jest', 'jest.retryTimes(3);', 'outcome-overridden'],
  ['retries of Mocha', "it('x', function () { this.retries(4); });", 'outcome-overridden'],
  ['retries of Playwright', 'test.describe.configure({ retries: 2 });', 'outcome-overridden'],
  ['retries as an option', "it('x', { retry: 3 }, () => {});", 'outcome-overridden'],
  ['dropped errors', "process.on('unhandledRejection', () => {});", 'outcome-overridden'],
  ['a result that is set', "afterEach(function () { this.currentTest.state = 'passed'; });", 'outcome-overridden'],
  ['a prototype', 'Array.prototype.every = () => true;', 'equality-overridden'],
  ['a prototype in brackets', "Object.prototype['valueOf'] = () => 3;", 'equality-overridden'],
  ['a comparison', 'Object.is = () => true;', 'equality-overridden'],
  ['a matcher that always holds', 'expect.extend({ toHaveTotal: () => ({ pass: true, message: () => "" }) });', 'equality-overridden'],
  ['an equality that always holds', 'expect.addEqualityTesters([() => true]);', 'equality-overridden'],
  ['a spy on assert', "vi.spyOn(assert, 'equal').mockImplementation(() => {});", 'equality-overridden'],
  ['a mock of the library', "vi.mock('node:assert', () => ({ default: () => {} }));", 'subject-mocked'],
  ['a prototype in the setup', 'Array.prototype.every = () => true;', 'equality-overridden', 'vitest.setup.ts'],
  ['a matcher that compares', 'expect.extend({ toHaveTotal(cart, sum) { const pass = cart.total === sum; return { pass, message: () => "" }; } });'],
  ['a matcher with two results', 'expect.extend({ toHaveTotal(cart, sum) { if (cart.total === sum) return { pass: true, message: () => "" }; return { pass: false, message: () => "" }; } });'],
  ['a polyfill of the browser', 'Element.prototype.scrollIntoView = vi.fn();'],
  ['an error that fails the run', "process.on('unhandledRejection', (error) => { throw error; });"],
  ['a spy on the exit', "vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);"],
  ['the words in a string', "const text = 'Array.prototype.every = () => true; process.exit(0)';"],
  ['the words in a comment', '// process.exit(0); jest.retryTimes(3)'],
  ['no retries', "it('x', { retry: 0 }, () => {});"],
  ['a status that is compared', "expect(result.status === 'passed').toBe(true);"],
  ['code that is no test', 'process.exit(0);', undefined, 'src/main.ts'],
];

test.each(ROWS.map(([what, added, rule, path = 'tests/cart.test.ts']) => ({ what, added, rule, path })))(
  'what changes the outcome of tests is found or not: $what',
  ({ added, rule, path }) => {
    const before = path.includes('test') ? TEST : 'export {};\n';
    const findings = (was: string) =>
      findReplacedAssertions({
        changes: [{ path, before: was, after: `${before}${added}\n` }],
        read: () => undefined,
      }).map((finding) => finding.rule);
    expect(findings(before)).toEqual(rule === undefined ? [] : [rule]);
    // What was there is no finding.
    expect(findings(`${before}\n\n${added}\n`)).toEqual([]);
  },
);

// biome-ignore format: one row a line
test.each([
  { what: 'that cannot fail', text: 'export const expect = () => ({ toBe() {} });', isFound: true },
  { what: 'that passes the library on', text: "export { expect } from 'vitest';", isFound: false },
  { what: 'that extends the library', text: "import { expect as base } from '@playwright/test';\nexport const expect = base.extend({});", isFound: false },
  { what: 'that throws', text: "export function expect(value) {\n  return { toBe(other) { if (value !== other) throw new Error(''); } };\n}", isFound: false },
])('an import of expect from a file $what is found: $isFound', ({ text, isFound }) => {
  const after = TEST.replace('expect, ', '').replace("'vitest';", "'vitest';\nimport { expect } from './expect';");
  const findings = findReplacedAssertions({
    changes: [{ path: 'tests/cart.test.ts', before: TEST, after }],
    read: (path) => (path === 'tests/expect.ts' ? text : undefined),
  });
  expect(findings.map(({ rule }) => rule)).toEqual(isFound ? ['assertion-vacuous'] : []);
});
