import { expect, test } from 'vitest';
import { withoutGeneralAdvice } from '../../../src/diagnostics/advice.ts';

const without = (output: string) =>
  withoutGeneralAdvice(output.split('\n').map((text, at) => ({ at, text })))
    .map(({ text }) => text)
    .join('\n');

const ERROR = 'Error: Can not resolve `lodash-es` from src/main.ts.';

test.each([
  [
    'its possible causes',
    `${ERROR}\n\nPotential Causes:\n1.The file does not exist.\n2. It is an alias.\n\nError: Parse failed.`,
    `${ERROR}\n\nError: Parse failed.`,
  ],
  [
    'its common causes, as a list with bullets',
    `${ERROR}\nCommon causes of this problem include:\n  - The plugin is not installed.\nError: Parse failed.`,
    `${ERROR}\nError: Parse failed.`,
  ],
  [
    'the code to write in its place',
    "   ? Then Bo is notified\n       Undefined. Implement with the following snippet:\n\n         Then('{string}', function () {\n           return 'pending';\n         });\n\n6 scenarios (1 undefined, 1 failed)",
    '   ? Then Bo is notified\n       Undefined. Implement with the following snippet:\n6 scenarios (1 undefined, 1 failed)',
  ],
])('what would be said of any error of a sort is left out: %s', (_, output, shown) => {
  expect(without(output)).toBe(shown);
});

test.each([
  ['what solves it', `${ERROR}\nPossible solutions:\n- Change the operator to *.`],
  ['the reason', `${ERROR}\nReason:\n1. It was removed.`],
  ['the causes of an exception', 'Caused by:\n  process did not exit successfully'],
  ['the failures of snippets', 'Checked 3 snippets:\n✗ second of them'],
])('%s is shown', (_, output) => {
  expect(without(output)).toBe(output);
});
