import { describe, expect, test } from 'vitest';
import type { IntegritySettings } from '../../../src/integrity/find.ts';
import { weakened } from '../../helpers/weakened.ts';

const PATH = 'tests/a.test.js';
const RUNS = "it('adds up', () => {\n  expect(add(1, 2)).toBe(3);\n});\n";
const SKIPPED = RUNS.replace('it(', 'it.skip(');

describe('a finding has the severity that the settings give it', () => {
  test.each<[IntegritySettings, string[]]>([
    [{ integrity: 'block' }, ['test-skipped high']],
    [{ integrity: 'warn' }, ['test-skipped medium']],
    [{ integrity: 'off' }, []],
    [{ integrity: 'block', integrityRules: { 'test-skipped': 'warn' } }, ['test-skipped medium']],
    [{ integrity: 'block', integrityRules: { 'test-skipped': 'off' } }, []],
    [{ integrity: 'off', integrityRules: { 'test-skipped': 'block' } }, ['test-skipped high']],
    [{ integrity: 'warn', integrityRules: { 'test-deleted': 'block' } }, ['test-skipped medium']],
  ])('%j', async (settings, expected) => {
    const findings = await weakened({ [PATH]: RUNS }, { [PATH]: SKIPPED }, settings);
    expect(findings.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual(expected);
  });
});

describe('a comment allows a finding', () => {
  const ALLOW = '// integrity: allow needs a printer\n';
  test.each([
    ['if it is in the base', ALLOW + RUNS, ALLOW + SKIPPED, 'needs a printer'],
    [
      'if it is in the base, on the same line',
      RUNS.replace('\n', ` ${ALLOW}`),
      SKIPPED.replace('\n', ` ${ALLOW}`),
      'needs a printer',
    ],
    ['not if the change adds it', RUNS, ALLOW + SKIPPED, undefined],
    ['not if the change rewords it', ALLOW + RUNS, `// integrity: allow other reason\n${SKIPPED}`, undefined],
    [
      'not if it is copied',
      `${ALLOW}it.skip('other', () => {});\n${RUNS}`,
      `${ALLOW}it.skip('other', () => {});\n${ALLOW}${SKIPPED}`,
      undefined,
    ],
    ['not without a reason', `// integrity: allow\n${RUNS}`, `// integrity: allow\n${SKIPPED}`, undefined],
    ['not far above it', `${ALLOW}\n\n\n\n${RUNS}`, `${ALLOW}\n\n\n\n${SKIPPED}`, undefined],
  ])('%s', async (_, before, after, allowed) => {
    const [finding] = await weakened({ [PATH]: before }, { [PATH]: after });
    expect({ severity: finding?.severity, allowed: finding?.allowed }).toEqual({
      severity: allowed === undefined ? 'high' : 'low',
      allowed,
    });
  });
});
