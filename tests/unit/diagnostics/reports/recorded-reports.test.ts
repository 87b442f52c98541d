import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { addReport } from '../../../../src/diagnostics/reports/add-report.ts';
import { failuresOf } from '../../../../src/diagnostics/reports/failures-of.ts';
import { readReport } from '../../../../src/diagnostics/reports/read-report.ts';
import { condensed } from '../../../helpers/condensed.ts';

/** Reports that real runners wrote about small broken projects, and what an excerpt must and must not contain. */
const CASES = fileURLToPath(new URL('../../../fixtures/reports/', import.meta.url));

interface Expected {
  readonly must: readonly { readonly re: string; readonly why: string }[];
  readonly mustNot: readonly string[];
}

describe.each(readdirSync(CASES))('the excerpt of a report of %s', (name) => {
  const read = readReport(readFileSync(`${CASES}/${name}/report`));
  const report = typeof read === 'string' ? undefined : read;
  const shown = failuresOf(report?.failures ?? [], (text) => text.replaceAll('/project/', ''));
  const excerpt = excerptText(excerptOf(addReport(condensed(''), shown, '/project'), 6000, { hung: false }));
  const { must, mustNot }: Expected = JSON.parse(readFileSync(`${CASES}/${name}/expect.json`, 'utf8'));

  test('is made of a whole report', () => {
    expect(report?.isWhole).toBe(true);
  });

  test.each(must)('contains $why: $re', ({ re }) => {
    expect(excerpt).toMatch(new RegExp(re, 'mu'));
  });

  test.each(mustNot)('does not contain what has not failed: %s', (re) => {
    expect(excerpt).not.toMatch(new RegExp(re, 'mu'));
  });
});
