import { expect, test } from 'vitest';
import { normalized, PRIORITY } from '../../../../src/diagnostics/failures/failure.ts';
import { condensed } from '../../../helpers/condensed.ts';

test.each([
  ['an address differs from run to run', 'Cart<0x7f3a> is empty', 'Cart<0x7f3b> is empty', true],
  [
    'a port that the system has chosen differs from run to run',
    'Get "http://127.0.0.1:44841/fares": EOF',
    'Get "http://127.0.0.1:40123/fares": EOF',
    true,
  ],
  [
    'a port of a service does not',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'connect ECONNREFUSED 127.0.0.1:5433',
    false,
  ],
  ['a number of the base 16 that is compared does not', 'reads: 0 != 0xfe', 'reads: 0 != 0xfd', false],
  [
    'one that was expected does not',
    'FAIL head: got 0x0f, expected 0x47',
    'FAIL head: got 0x0f, expected 0x48',
    false,
  ],
])('of two texts that are compared, %s', (_, first, second, areEqual) => {
  expect(normalized(first) === normalized(second)).toBe(areEqual);
});

test('the place above what a linter has found is worth more than the source that it quotes', () => {
  const { failures } = condensed(
    'In scripts/backup.sh line 9:\nfor old in $(ls $target); do\n                ^-----^ SC2086 (info): Double quote to prevent globbing.\n',
  );

  expect(failures[0]?.block.lines.map(({ priority }) => priority)).toEqual([
    PRIORITY.place,
    PRIORITY.code,
    PRIORITY.error,
  ]);
});
