import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { SEVERITY } from '../../../../src/diagnostics/lines/rules.ts';
import { Condenser } from '../../../../src/diagnostics/output/condenser.ts';

const COUNT = 100_000;

/** An output of so many lines that most are not read: all of them are alike, but for those at some places. */
function longOutput(alike: (i: number) => string, others: Readonly<Record<number, string>>): string {
  return Array.from({ length: COUNT }, (_, i) => others[i] ?? alike(i)).join('\n');
}

function findingsIn(output: string) {
  const condenser = new Condenser();
  condenser.write('stdout', Buffer.from(output));
  return condenser.findings();
}

function excerptFrom(output: string): string {
  return excerptText(excerptOf(findingsIn(output), 5300, { hung: false }));
}

const MIDDLE = COUNT / 2;

describe('of a long output, the excerpt has', () => {
  const failing = (i: number) => `src/a${i % 900}.c:${i}:5: error: 'x${i}' is not declared`;
  const passing = (i: number) => `✓ adds ${i} numbers`;

  test.each([
    ['an error with other words', failing, 'src/a.c:3:5: error: cannot open the lock of the store'],
    ['an error among passed tests', passing, 'src/a.c:3:5: error: cannot open the lock of the store'],
    ['a line that looks like no other', passing, '(((the disk is full)))'],
  ])('%s', (_, alike, other) => {
    expect(excerptFrom(longOutput(alike, { [MIDDLE]: other }))).toContain(other);
  });

  test('the name of the test above a message that is new', () => {
    const block = (i: number) =>
      ['✗ adds 2 numbers', ...Array.from({ length: 18 }, () => '  step done'), `  Error: got ${i}, want 4`][
        i % 20
      ];
    const shown = excerptFrom(
      longOutput((i) => block(i) ?? '', {
        [MIDDLE]: '✗ adds 7 numbers',
        [MIDDLE + 19]: '  Error: the lock is held by another store',
      }),
    );

    expect(shown).toContain('the lock is held by another store');
    expect(shown).toContain('✗ adds 7 numbers');
  });

  test('the last failure', () => {
    expect(excerptFrom(longOutput(failing, {}))).toContain(failing(COUNT - 1));
  });
});

test('failures that are not read are counted', () => {
  const { tallies } = findingsIn(longOutput((i) => `src/a.c:${i}:5: error: 'x${i}' is not declared`, {}));

  expect(tallies.get(SEVERITY.located)?.count).toBe(COUNT);
});

test('an error was expected if a passed test that is not read follows it', () => {
  const alike = (i: number) => (i % 100 === 0 && i < 0.9 * COUNT ? `✓ adds ${i} numbers` : `step ${i}`);
  const { failures } = findingsIn(longOutput(alike, { [MIDDLE + 1]: 'Error: the store is locked' }));

  expect(failures.map(({ severity }) => severity)).toEqual([SEVERITY.mentioned]);
});
