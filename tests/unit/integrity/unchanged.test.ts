import { describe, expect, test } from 'vitest';
import { withoutUnchangedTests } from '../../../src/integrity/tests/unchanged.ts';
import { rulesOf, weakened } from '../../helpers/weakened.ts';

const path = 'tests/large.test.ts';
const one = (n: number) => `  it('adds ${n} and one', () => {\n    expectSum(${n}, ${n + 1});\n  });\n`;
const HELPER = 'function expectSum(n, sum) {\n  expect(add(n, 1)).toBe(sum);\n}\n';
/** Long enough that its unchanged tests are left out. */
const LARGE = `${HELPER}describe('add', () => {\n${Array.from({ length: 60 }, (_, n) => one(n)).join('')}});\n`;

describe('in a large file whose tests did not change', () => {
  test.each([
    ['a suite that is skipped is found', LARGE.replace('describe(', 'describe.skip('), 'test-skipped'],
    [
      'a helper that asserts less is found',
      LARGE.replace('.toBe(sum)', '.toBeDefined()'),
      'assertion-weakened',
    ],
    ['a test that is gone is found', LARGE.replace(one(7), ''), 'test-deleted'],
  ])('%s', async (_, after, rule) => {
    expect(await rulesOf({ [path]: LARGE }, { [path]: after })).toEqual([rule]);
  });
});

describe('in a large file of which one test changed', () => {
  const after = LARGE.replace("it('adds 7 and", "it.skip('adds 7 and");

  test('the finding has the line of the file', async () => {
    const [finding] = await weakened({ [path]: LARGE }, { [path]: after });
    const line = after.split('\n').findIndex((text) => text.includes('it.skip')) + 1;
    expect(finding).toMatchObject({ rule: 'test-skipped', line });
  });

  test('the other tests are not read', () => {
    const { before, after: now } = withoutUnchangedTests({ path, before: LARGE, after });
    expect([before, now].map((text) => text?.match(/adds \d+ and/g))).toEqual([
      ['adds 7 and'],
      ['adds 7 and'],
    ]);
  });
});
