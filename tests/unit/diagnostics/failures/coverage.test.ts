import { expect, test } from 'vitest';
import { leastCovered } from '../../../../src/diagnostics/failures/coverage.ts';
import type { StoredFailure } from '../../../../src/diagnostics/failures/failure.ts';
import { condensed } from '../../../helpers/condensed.ts';

const ROWS = [
  '  routes.ts        |   69.23 |    42.85 |     100 |   90.23 | 18-19,24-25',
  '  memory-client.ts |     100 |    81.81 |     100 |     100 | 32-34',
  '  logger.ts        |     100 |      100 |      80 |     100 |',
];
const rows = ROWS.map((text, at) => ({ at, text }));
const failuresOf = (output: string): readonly StoredFailure[] => condensed(`${output}\n`).failures;

test.each([
  ['Vitest', 'ERROR: Coverage for branches (77.27%) does not meet global threshold (80%)', [0]],
  ['Jest', 'Jest: "global" coverage threshold for branches (90%) not met: 77.27%', [0, 1]],
  ['Jest, of a directory', 'Jest: Coverage for lines (92%) does not meet "./src/" threshold (95%)', [0]],
  ['a tool that names no column', 'ERROR: coverage is below the minimum of 95%', [0, 2, 1]],
  ['a failure about something else', 'Error: 3 is not 4', []],
])('the rows of a table of coverage are those that are too low: %s', (_, output, shown) => {
  expect(leastCovered(rows, failuresOf(output)).map(({ at }) => at)).toEqual(shown);
});

test('the names of the columns come with the rows of a table of coverage', () => {
  const heading = 'File             | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s ';
  const table = [heading, ...ROWS].map((text, at) => ({ at, text }));
  const failures = failuresOf('Jest: "global" coverage threshold for branches (90%) not met: 77.27%');

  expect(leastCovered(table, failures).map(({ at }) => at)).toEqual([1, 0, 2]);
  expect(condensed(`${heading}\n${ROWS.join('\n')}\n`).outline.coverage.map(({ at }) => at)).toEqual([
    0, 1, 2, 3,
  ]);
});

test('the name of a column of missing lines is no reason why a test below failed', () => {
  const output =
    'Name         Stmts   Miss  Cover   Missing\n-------\nshop/app.py     44      1    98%   45\n\nFAILED tests/test_cart.py::test_adds - assert 3 == 4';

  expect(failuresOf(output).map(({ block }) => block.headline.text)).toEqual([
    'FAILED tests/test_cart.py::test_adds - assert 3 == 4',
  ]);
});
