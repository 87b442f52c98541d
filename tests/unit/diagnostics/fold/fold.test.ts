import { expect, test } from 'vitest';
import { folded } from '../../../../src/diagnostics/fold/fold.ts';

function shown(text: string): string {
  const lines = text.split('\n').map((line, at) => ({ at, text: line }));
  return folded(lines, [])
    .shown.map((line) => line.text)
    .join('\n');
}

test('the name of a failed test is left out where the same task shows its details', () => {
  expect(shown('web:test: ✗ adds\nweb:test: ✗ adds\nweb:test:   expected 3 to be 4')).toBe(
    'web:test: ✗ adds\nweb:test:   expected 3 to be 4',
  );
});

test('the name of a failed test is shown where another task has the details of one with the same name', () => {
  const text = 'api:test: ✗ adds\nweb:test: ✗ adds\nweb:test:   expected 3 to be 4';

  expect(shown(text)).toBe(text);
});
