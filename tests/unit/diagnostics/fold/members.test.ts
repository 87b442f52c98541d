import { expect, test } from 'vitest';
import {
  schemasIn,
  withoutDeepMembers,
  withoutSaidMembers,
} from '../../../../src/diagnostics/fold/members.ts';

const linesOf = (output: string) => output.split('\n').map((text, at) => ({ at, text }));
const shown = (lines: readonly { readonly text: string }[]) => lines.map(({ text }) => text).join('\n');
const unsaid = (output: string) => shown(withoutSaidMembers(linesOf(output)));

const ERROR = "ExecaError: git fetch failed: could not resolve 'git.example'";

test.each([
  ['what the error says', `  shortMessage: "git fetch failed: could not resolve 'git.example'",`],
  ['nothing', '  ipcOutput: [],'],
  [
    'a list of what the error says',
    `  stdio: [\n    undefined,\n    '',\n    "could not resolve 'git.example'"\n  ],`,
  ],
])('a member of an error that has %s is left out', (_, member) => {
  expect(unsaid(`${ERROR} {\n${member}\n  exitCode: 128\n}`)).toBe(`${ERROR} {\n  exitCode: 128\n}`);
});

test('the stack of a result in TAP is left out if its place and its message are shown', () => {
  const failure = 'not ok 41 is the sum of prices\n  ---\n    at: total (/p/cart.test.js:5:43)';
  const stack =
    '    stack: |-\n      Error: is the sum of prices\n          at total (/p/cart.test.js:5:43)\n  ...';

  expect(unsaid(`${failure}\n${stack}`)).toBe(`${failure}\n  ...`);
});

test('the stack of a result in TAP is left out if none of its frames is shown', () => {
  const failure = "not ok 41 is the sum of prices\n  error: 'no price'";

  expect(unsaid(`${failure}\n  stack: |-\nnot ok 42 counts\n  stack: |-\n    total (cart.js:5:43)`)).toBe(
    `${failure}\nnot ok 42 counts\n  stack: |-\n    total (cart.js:5:43)`,
  );
});

test('the source of a result in TAP is left out, because its place is named', () => {
  const failure = 'not ok 41 is the sum\n  ---\n    stack: |\n      total (cart.test.js:5:43)';
  const source = '    source: |\n      t.same(sum, 3);\n      --^\n  ...';

  expect(unsaid(`${failure}\n${source}`)).toBe(`${failure}\n  ...`);
});

test.each([
  ['says more', '  reason: "could not resolve \'git.example\' in 3 s",'],
  ['is short', "  host: 'git.example',"],
  ['is what a test expected', "  expected: 'git fetch failed: could not resolve',"],
  ['is no string', '  docs: git fetch failed'],
  ['is empty text', "  instancePath: '',"],
  ['is of a variable', '  BILLING_DSN: undefined'],
  ['is no value', '  operator: null,'],
  [
    'has a part that says more',
    `  stdio: [\n    "could not resolve 'git.example'",\n    'try again later'\n  ],`,
  ],
])('a member is shown if it %s', (_, member) => {
  expect(unsaid(`${ERROR} {\n${member}\n}`)).toBe(`${ERROR} {\n${member}\n}`);
});

test('a member with the message of another test is shown', () => {
  const failure = (name: string) => `not ok ${name}\n  error: 'upstream 503 for the price'`;
  const output = `${failure('1 - total')}\n${failure('2 - rounds')}`;

  expect(unsaid(output)).toBe(output);
});

const settings = (count: number) =>
  Array.from({ length: count }, (_, i) => `    setting${i}: false,`).join('\n');
const dump = (count: number) =>
  `AxiosError: status 422 {\n  code: 'ERR_BAD_REQUEST',\n  config: {\n    adapter: [Function: http],\n${settings(count)}\n    url: 'http://pay.example/v2',\n    data: { field: 'iban' },\n  },\n}`;

test('of a large object, what is deep in it and says nothing of the error is left out', () => {
  expect(shown(withoutDeepMembers(linesOf(dump(20))))).toBe(
    "AxiosError: status 422 {\n  code: 'ERR_BAD_REQUEST',\n  config: {\n    url: 'http://pay.example/v2',\n    data: { field: 'iban' },\n  },\n}",
  );
});

test('data of the project is shown, however large it is', () => {
  const data = dump(20).replace('    adapter: [Function: http],\n', '');

  expect(shown(withoutDeepMembers(linesOf(data)))).toBe(data);
});

test('a small object is shown as it is', () => {
  expect(shown(withoutDeepMembers(linesOf(dump(5))))).toBe(dump(5));
});

test('many lines with a tag are shown', () => {
  const log = Array.from({ length: 30 }, (_, i) => `    [junit] Testcase: adds ${i} FAILED`).join('\n');

  expect(shown(withoutDeepMembers(linesOf(log)))).toBe(log);
});

test('many deep lines of source are shown', () => {
  const source = Array.from({ length: 30 }, (_, i) => `      total += price(${i});`).join('\n');

  expect(shown(withoutDeepMembers(linesOf(source)))).toBe(source);
});

test('of an error of a validator, the schema is found, and not its message', () => {
  const lines = linesOf(
    "Error: wrong options {\n  errors: [\n    {\n      message: 'must be string',\n      schema: [\n        'string'\n      ],\n      parentSchema: {\n        type: 'string'\n      }\n    }\n  ]\n}",
  );

  expect(schemasIn(lines)).toEqual([4, 5, 6, 7, 8, 9]);
});

test('data that has a member called a schema is no schema of a validator', () => {
  expect(schemasIn(linesOf("{\n  schema: {\n    name: 'shop'\n  }\n}"))).toEqual([]);
});
