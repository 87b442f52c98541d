import { expect, test } from 'vitest';
import { collectedPaths } from '../../../src/integrity/tests/runner-paths.ts';

type Row = readonly [what: string, files: Readonly<Record<string, string>>, path: string, reason?: string];

const VITEST = { 'package.json': '{"devDependencies":{"vitest":"4"}}' };
const JEST = { 'package.json': '{"devDependencies":{"jest":"30"}}' };
const include = (list: string) => ({
  'vitest.config.ts': `export default { test: { include: [${list}] } };`,
});

// biome-ignore format: one row a line
const ROWS: readonly Row[] = [
  ['nothing says what is collected', {}, 'scratch/cart.test.ts'],
  ['Vitest by default', VITEST, 'scratch/cart.test.ts'],
  ['Vitest and another name', VITEST, 'tests/cart.tests.ts', 'Vitest does not include tests/cart.tests.ts'],
  ['Vitest and a helper', VITEST, 'tests/cart.ts', 'Vitest does not include tests/cart.ts'],
  ['Vitest beside Mocha', { 'package.json': '{"devDependencies":{"vitest":"4","mocha":"11"}}' }, 'test/cart.js'],
  ['Jest by default', JEST, 'src/__tests__/cart.js'],
  ['Jest and another name', JEST, 'src/cart.tests.js', 'Jest does not include src/cart.tests.js'],
  ['a list of Vitest', include("'tests/**/*.test.ts'"), 'tests/a/cart.test.ts'],
  ['a list of Vitest without the folder', include("'tests/**/*.test.ts'"), 'scratch/cart.test.ts', 'vitest.config.ts does not include scratch/cart.test.ts'],
  ['a list with alternatives', include("'src/**/*.{test,spec}.?(c|m)[jt]s?(x)'"), 'src/cart.spec.mts'],
  ['a folder that Vitest excludes', { 'vitest.config.ts': "export default { test: { exclude: [...defaults, 'tests/old/**'] } };" }, 'tests/old/cart.test.ts', 'vitest.config.ts excludes tests/old/cart.test.ts'],
  ['a folder that Jest ignores', { 'package.json': '{"jest":{"testPathIgnorePatterns":["/node_modules/","/old/"]}}' }, 'tests/old/cart.test.js', 'package.json excludes tests/old/cart.test.js'],
  ['a match of Jest', { 'jest.config.js': "module.exports = { testMatch: ['<rootDir>/tests/**/?(*.)+(spec|test).js'] };" }, 'tests/cart.test.js'],
  ['a regular expression of Jest', { 'jest.config.js': "module.exports = { testRegex: '/tests/.*\\\\.test\\\\.js$' };" }, 'src/cart.test.js', 'jest.config.js does not include src/cart.test.js'],
  ['a folder of Playwright beside Vitest', { ...include("'src/**/*.test.ts'"), 'package.json': '{"devDependencies":{"@playwright/test":"1"}}' }, 'e2e/cart.spec.ts'],
];

test.each(ROWS.map(([what, files, path, reason]) => ({ what, files, path, reason })))(
  'the reason why a runner leaves a test file out: $what',
  ({ files, path, reason }) => {
    expect(collectedPaths((name) => files[name])(path)).toBe(reason);
  },
);
