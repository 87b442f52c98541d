import { expect, test } from 'vitest';
import { PRIORITY } from '../../../src/diagnostics/failure.ts';
import { condensed } from '../../helpers/condensed.ts';

/** The errors in the failure that is about the end of the first script. */
function errorsAtEnd(...printed: readonly string[]): string[] {
  const { failures } = condensed(
    [
      '> @shop/schema@1.0.0 test',
      '> node check.js',
      ...printed,
      'npm error Lifecycle script `test` failed with error:',
      '',
      '> @shop/cart@1.0.0 test',
      '> mocha',
      '1) adds the costs:',
      '   AssertionError: expected 3 to equal 4',
    ].join('\n'),
  );
  const end = failures.find(({ block }) => block.headline.text.startsWith('npm error'));
  const lines = end?.block.lines ?? [];
  return lines.filter(({ priority }) => priority === PRIORITY.error).map(({ text }) => text);
}

const END = 'npm error Lifecycle script `test` failed with error:';

test('what a script printed last is its error, if it printed no other', () => {
  expect(errorsAtEnd('Type "Order" lost the field "discount".')).toEqual([
    'Type "Order" lost the field "discount".',
    END,
  ]);
});

test('progress that a script printed last is not its error', () => {
  expect(errorsAtEnd('comparing [=====>    ] 50%')).toEqual([END]);
});

test('what a script printed last is not its error, if it printed one before', () => {
  expect(errorsAtEnd('Error: no schema', '', 'Type "Order" is as before.')).not.toContain(
    'Type "Order" is as before.',
  );
});
