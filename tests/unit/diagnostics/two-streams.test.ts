import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../src/diagnostics/excerpt.ts';
import { condensed, type Piece } from '../../helpers/condensed.ts';

const out = (...lines: readonly string[]): Piece => ['stdout', `${lines.join('\n')}\n`];
const err = (...lines: readonly string[]): Piece => ['stderr', `${lines.join('\n')}\n`];

/** The lines of two streams in the order in which they were printed, and what an excerpt has in any order of arrival. */
const KEPT: readonly (readonly [string, pieces: readonly Piece[], ...parts: string[]])[] = [
  [
    'warnings that made a command fail before the tests of another one',
    [
      err(
        'warning: sum/1 is undefined',
        '  lib/shop.ex:7: Shop.total/2',
        '',
        'Compilation failed due to warnings while using the --warnings-as-errors option',
      ),
      out('  1) test adds (ShopTest)', '     test/shop_test.exs:6', '     Assertion with == failed'),
    ],
    'warning: sum/1 is undefined',
    'lib/shop.ex:7: Shop.total/2',
  ],
  [
    'the counts at the end of either stream',
    [
      err('FAIL: test_totals (test_import.Importer)', 'AssertionError: 1204.5 != 1204.75'),
      out(...Array.from({ length: 200 }, (_, i) => `chunk ${i} of ${'warehouse.csv '.repeat(3)}was read`)),
      err('Ran 77 tests in 0.003s', '', 'FAILED (failures=4, errors=2)'),
    ],
    'FAILED (failures=4, errors=2)',
  ],
  [
    'what was done last before a crash',
    [
      out(...Array.from({ length: 20 }, (_, i) => `channel ${i} calibrated`), 'mapping the frame buffer'),
      err('Segmentation fault'),
    ],
    'mapping the frame buffer',
  ],
  [
    'the last test before a crash',
    [
      out(...Array.from({ length: 20 }, (_, i) => `  ✔ decodes sample ${i}`)),
      err('webp: the chunk is longer than the buffer', 'Segmentation fault'),
      out('tests ended with 139'),
    ],
    'decodes sample 19',
  ],
  [
    'the test that began before a crash',
    [
      out('[ RUN      ] Cart.Adds', '[       OK ] Cart.Adds (0 ms)', '[ RUN      ] Cart.Divides'),
      err('Segmentation fault (core dumped)'),
    ],
    'Cart.Divides',
  ],
];

const ofStream = (pieces: readonly Piece[], wanted: Piece[0]) =>
  pieces.filter(([stream]) => stream === wanted);

for (const [name, pieces, ...parts] of KEPT)
  describe(`the excerpt has ${name}`, () => {
    const [stdout, stderr] = [ofStream(pieces, 'stdout'), ofStream(pieces, 'stderr')];

    test.each([
      { arrival: 'in order', arrived: pieces },
      { arrival: 'stdout is read first', arrived: [...stdout, ...stderr] },
      { arrival: 'stderr is read first', arrived: [...stderr, ...stdout] },
    ])('$arrival', ({ arrived }) => {
      const excerpt = excerptText(excerptOf(condensed(arrived), 5300, { hung: false }));

      for (const part of parts) expect(excerpt).toContain(part);
    });
  });

test('an error on one stream has the step that was printed before it on the other', () => {
  const steps = Array.from({ length: 900 }, (_, i) => `Checking packages/${'a'.repeat(i % 9)}${i}`);
  const findings = condensed([out(...steps), err('Error: duplicate id 7'), out('a', 'b')]);

  expect(excerptText(excerptOf(findings, 5300, { hung: false }))).toContain(`${steps.at(-1)}\nError:`);
});
