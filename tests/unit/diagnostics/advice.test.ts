import { expect, test } from 'vitest';
import { withoutGeneralAdvice, withoutRepeatedAdvice } from '../../../src/diagnostics/advice.ts';

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
  [
    'the code to write, indented as its heading',
    '   Unregistered request: GET /v2\n\n   You can stub it with the following snippet:\n\n   stub(:get, "/v2").\n     with(headers: {})\n\n   registered stubs:\n\n   stub(:get, "/v1")',
    '   Unregistered request: GET /v2\n\n   You can stub it with the following snippet:\n\n   registered stubs:\n\n   stub(:get, "/v1")',
  ],
])('what would be said of any error of a sort is left out: %s', (_, output, shown) => {
  expect(without(output)).toBe(shown);
});

const SNIPPET =
  "You can implement it with these snippets:\n\n@then('it is off')\ndef step_impl(context):\n    pass";
const SECOND = "@then('it is on')\ndef step_impl(context):\n    pass";

test.each([
  ['after one', `${SNIPPET}\n\n`],
  ['after another one', `${SNIPPET}\n\n${SECOND}\n\n`],
])('what the other stream has printed is shown %s', (_, output) => {
  const below = 'Feature: Kettle\n\n  Scenario: heating\n    Assertion Failed: expected 100';

  expect(without(output + below)).toBe(`You can implement it with these snippets:\n${below}`);
});

test('what is far below the code to write is shown if the blank lines between are not', () => {
  const lines = [...SNIPPET.split('\n'), '', 'Feature: Kettle'].map((text, at) => ({ at, text }));

  expect(withoutGeneralAdvice(lines.filter(({ text }) => text !== '')).map(({ text }) => text)).toEqual([
    'You can implement it with these snippets:',
    'Feature: Kettle',
  ]);
});

test.each([
  ['what solves it', `${ERROR}\nPossible solutions:\n- Change the operator to *.`],
  ['the reason', `${ERROR}\nReason:\n1. It was removed.`],
  [
    'what is below a heading whose code was left out',
    '   You can stub it with the following snippet:\n   registered stubs:\n   stub(:get, "/v1")',
  ],
  ['the causes of an exception', 'Caused by:\n  process did not exit successfully'],
  ['the failures of snippets', 'Checked 3 snippets:\n✗ second of them'],
])('%s is shown', (_, output) => {
  expect(without(output)).toBe(output);
});

const needs = (name: string) =>
  `ERROR in ./src/sign.js 2:0-24\nModule not found: Error: Can't resolve '${name}' in '/p/src'\n\nIf you want to include a polyfill of it, you need to:\n\t- install '${name}-browserify'\n @ ./src/index.js 1:0-33`;
const once = (output: string) =>
  withoutRepeatedAdvice(output.split('\n').map((text, at) => ({ at, text })))
    .map(({ text }) => text)
    .join('\n');

test('advice to the reader is left out where it was given about another name, with its items', () => {
  const second = "ERROR in ./src/sign.js 2:0-24\nModule not found: Error: Can't resolve 'path' in '/p/src'\n";

  expect(once(`${needs('crypto')}\n\n${needs('path')}`)).toBe(
    `${needs('crypto')}\n\n${second}\n @ ./src/index.js 1:0-33`,
  );
});

test.each([
  [
    'what is wrong with another name',
    `"a" is no field of the order of your shop\n"b" is no field of the order, of a shop`,
  ],
  ['an item that no advice is above', "  - install 'a'\n\n  - install 'b'"],
  [
    'an error with words to the reader',
    `Error: you cannot import "a" in this module of yours\nError: you cannot import "b" in this module of yours`,
  ],
  [
    'a place',
    'src/a.ts:3:5 - you may not use "a" in the components\nsrc/a.ts:3:5 - you may not use "b" in the components',
  ],
])('%s is shown again', (_, output) => {
  expect(once(output)).toBe(output);
});
