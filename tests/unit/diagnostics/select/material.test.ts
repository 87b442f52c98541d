import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { SEVERITY } from '../../../../src/diagnostics/lines/rules.ts';
import { materialOf } from '../../../../src/diagnostics/select/material.ts';
import { condensed } from '../../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const findings = (count: number) =>
  Array.from({ length: count }, (_, i) => `./src/a.py:${i + 1}:89: E501 line too long (${90 + i} > 88)`);
const ERROR = 'src/b.py:9: error: Returning Any from function  [no-any-return]';
const shownOf = (output: readonly string[]) => excerpt(`${output.join('\n')}\n`).split('E501').length - 1;

describe('of the findings of a linter that does not say how bad they are', () => {
  test('those of one rule are counted beside a worse error, if there are many', () => {
    expect(shownOf([...findings(20), ERROR])).toBe(3);
    expect(excerpt(`${findings(20).join('\n')}\n${ERROR}\n`)).toContain(`… 17 lines …\n${ERROR}`);
  });

  test.each([
    ['nothing worse is wrong', findings(20), 20],
    ['there are few of a rule', [...findings(7), ERROR], 7],
  ])('all are shown if %s', (_, output, count) => {
    expect(shownOf(output)).toBe(count);
  });
});

test('an error that something passed below is what is wrong, where nothing else is', () => {
  const built = '   Collecting page data ...\n   Generating static pages (0/26) ...\n';
  const error =
    "TypeError: Cannot read properties of null (reading 'name')\n    at page (/p/app/orders/page.js:1:2146)\n";
  const shown = excerptText(
    excerptOf(
      condensed(
        `> portal@6.1.0 build\n> next build\n\n./app/page.tsx\n1:40  Warning: Using img is slow  next/img\n${built}${error} ✓ Generating static pages (26/26)\n${built}`,
      ),
      5300,
      { hung: false },
    ),
  );

  expect(shown).toContain(error.trim());
  expect(shown).not.toContain('Using img is slow');
});

test('what tests that have passed have thrown is not counted', () => {
  const thrown = (count: number) =>
    Array.from(
      { length: count },
      (_, i) => `Error: no lamp in src/${'abcdefghijkl'.charAt(i)}.ts\n    at f (/p/a.js:${i}:1)\n`,
    ).join('\n');
  const tallied = (logged: string) =>
    materialOf(condensed(`${logged}${thrown(9)}`)).tallies.has(SEVERITY.thrown);

  expect(tallied('')).toBe(true);
  expect(tallied(`${thrown(1)}  ✔ adds\n`)).toBe(false);
});
