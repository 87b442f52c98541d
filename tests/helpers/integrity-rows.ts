import { expect, it } from 'vitest';
import { rulesOf, type Texts } from './weakened.ts';

/** A file of tests, or several by path. */
type Files = string | Texts;

/** What is changed, the tests before and after, and the rule that finds it; nothing for an honest change. */
export type Row = readonly [what: string, before: Files, after: Files, rule?: string | undefined];

/** @param path of a row's file, where the row has only one */
export function checkRows(path: string, rows: readonly Row[]): void {
  const files = (given: Files) => (typeof given === 'string' ? { [path]: given } : given);
  it.each(rows.map(([what, before, after, rule]) => ({ what, before, after, rule })))(
    '$what',
    async ({ before, after, rule }) => {
      const rules = await rulesOf(files(before), files(after));
      expect(rules).toEqual(rule === undefined ? [] : expect.arrayContaining([rule]));
    },
  );
}
