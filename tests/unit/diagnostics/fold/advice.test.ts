import { expect, test } from 'vitest';
import { withoutGeneralAdvice, withoutRepeatedAdvice } from '../../../../src/diagnostics/fold/advice.ts';

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
  ['how two values were compared', `${ERROR}\n\n       (compared using ==)`, `${ERROR}\n`],
  [
    'where more is written of any error',
    `${ERROR}\nE       (Background on this error at: https://sqlalche.me/e/14/gkpj)`,
    ERROR,
  ],
])('what would be said of any error of a sort is left out: %s', (_, output, shown) => {
  expect(without(output)).toBe(shown);
});

test('how two values were compared is shown if it is not the usual way', () => {
  expect(without(`${ERROR}\n       (compared using equal?)`)).toBe(
    `${ERROR}\n       (compared using equal?)`,
  );
});

test.each([
  ['Error Context: results/adds/error.md', 'Error Context: results/pays/error.md'],
  ["Logs saved to `out/adds.log'.", "Logs saved to `out/pays.log'."],
])(
  'where a runner has written more of a failure is left out where it said so of another one',
  (first, second) => {
    expect(once(`Error: boom\n${first}\nError: bang\n${second}`)).toBe(`Error: boom\n${first}\nError: bang`);
  },
);

const STACK = 'Traceback (most recent call last):\n  File "/p/t.py", line 3, in test_a\n    a()';

test('the heading of a stack of Python is shown once, unless it is not right below what failed', () => {
  const stack = STACK.slice(STACK.indexOf('\n') + 1);
  const chained = `KeyError: 'a'\n\nThe above exception was the direct cause of the following exception:\n\n${STACK}`;

  expect(once(`FAIL: test_a (t.T)\n${STACK}\nFAIL: test_b (t.T)\n${STACK}\n${chained}`)).toBe(
    `FAIL: test_a (t.T)\n${STACK}\nFAIL: test_b (t.T)\n${stack}\n${chained}`,
  );
});

test('the fixtures that pytest has are shown once', () => {
  const missing = (name: string, others: string) =>
    `E       fixture '${name}' not found\n>       available fixtures: cache, capsys${others}\n>       use 'pytest --fixtures [testpath]' for help on them.`;

  expect(once(`${missing('feed', '')}\n${missing('clock', ', feed')}`)).toBe(
    `${missing('feed', '')}\nE       fixture 'clock' not found`,
  );
});

test('the file that an error is about is shown for each error', () => {
  const output = 'Error: boom\nFile: src/a.ts\nError: bang\nFile: src/b.ts';

  expect(once(output)).toBe(output);
});

test.each([
  ['what solves it', `${ERROR}\nPossible solutions:\n- Change the operator to *.`],
  ['the reason', `${ERROR}\nReason:\n1. It was removed.`],
  ['the causes of an exception', 'Caused by:\n  process did not exit successfully'],
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

test('in which file of tests an error was is left out if a frame has it', () => {
  const origin = `This error originated in "test/queue.test.ts" test file. It doesn't mean the error was thrown inside the file itself, but while it was running.`;
  const frame = ' ❯ Queue.send test/queue.test.ts:11:89';

  expect(without(`${ERROR}\n${frame}\n\n${origin}`)).toBe(`${ERROR}\n${frame}\n`);
  expect(without(`${ERROR}\n\n${origin}`)).toBe(`${ERROR}\n\n${origin}`);
});

test("Vitest's example of a mock is left out, up to its end", () => {
  const example =
    'If you need to partially mock a module, you can use "importOriginal" helper inside:\n\nvi.mock(import("../src/pay.js"), async (importOriginal) => {\n  return {\n    ...actual,\n  }\n})\n\n ❯ checkout src/checkout.ts:5:41';
  const lines = example.split('\n').map((text, at) => ({ at, text }));

  expect(withoutGeneralAdvice(lines).map(({ text }) => text)).toEqual([
    '',
    ' ❯ checkout src/checkout.ts:5:41',
  ]);
});
