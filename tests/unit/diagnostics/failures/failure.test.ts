import { expect, test } from 'vitest';
import { normalized } from '../../../../src/diagnostics/failures/failure.ts';

test.each([
  ['an address differs from run to run', 'Cart<0x7f3a> is empty', 'Cart<0x7f3b> is empty', true],
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
