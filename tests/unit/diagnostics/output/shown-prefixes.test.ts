import { expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { SEVERITY } from '../../../../src/diagnostics/lines/rules.ts';
import { condensed } from '../../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const time = (i: number) => `2026-11-23T10:00:0${i}.1234567Z `;

const FAILED = [
  ' FAIL  src/cart.test.ts > cart > adds up',
  'AssertionError: expected 3 to be 4',
  '',
  '- Expected',
  '+ Received',
  '',
  '- 4',
  '+ 3',
  '',
  ' ❯ src/cart.test.ts:7:19',
];
const behind = (prefix: (i: number) => string, lines = FAILED) =>
  lines.map((line, i) => (prefix(i) + line).trimEnd()).join('\n');

test.each([
  ['a package and its task', 'web:test: '],
  ['a name in brackets', '[web] '],
  ['a name before a bar', 'web-1  | '],
  ['a folder and its task', 'packages/web test: '],
  ['a time', time],
  ["a step of a container's build, and a time", (i: number) => `#12 ${i}.250 `],
  ['the number of a task', '[0] '],
  ['a number and a name before a bar', '0|web  | '],
  ['a name in brackets and a bar', '[CI/test]   | '],
  ['a time of day', (i: number) => `10:00:0${i} `],
  ['a time of day and a name', (i: number) => `10:00:0${i} web.1  | `],
  ['a day and a time', (i: number) => `Nov 23 10:00:0${i} `],
  ["the time and the stream of GitLab's runner", (i: number) => `${time(i)}00O `],
  ['a time and a task', (i: number) => `${time(i)}web:test: `],
])('%s, before all lines of an output, is not shown, and changes nothing else', (_, prefix) => {
  const output = behind(typeof prefix === 'string' ? () => prefix : prefix);

  expect(excerpt(output)).toBe(excerpt(FAILED.join('\n')));
});

test('what runs a task prints lines without its prefix', () => {
  const output = `• Running test in 1 package\n${behind(() => 'web:test: ')}\n Tasks:    0 successful, 1 total`;

  expect(excerpt(output)).toContain('\nAssertionError: expected 3 to be 4\n');
});

test('a project of Nx is a task where its name is before the lines of one that was announced', () => {
  const web = behind(() => 'web: ');
  const shown = excerpt(`\n> nx run web:test\n\n${web}\n`);

  expect(shown).toContain('\nAssertionError: expected 3 to be 4\n');
  // Before more lines, it would be a wrapper.
  const few = web.split('\n').slice(0, 7).join('\n');
  expect(excerpt(few)).toContain('web: AssertionError: expected 3 to be 4');
});

test('of several projects of Nx, each line names its own', () => {
  const shown = excerpt(
    '> nx run web:lint\nweb: a.ts:3:5: error: no\n\n> nx run api:lint\napi: b.ts:4:5: error: no\n',
  );

  expect(shown).toContain('[web] a.ts:3:5: error: no');
  expect(shown).toContain('[api] b.ts:4:5: error: no');
});

test.each([
  ['a package manager', 'web: ', 'api: ', ['web: > web@1.0.0 lint', 'api: > api@2.0.0 lint']],
  ['the names of their scripts', 'web test: ', 'api test: ', ['web test: bun test', 'api test: bun test']],
])('of several projects that are named by %s, each line names its own', (_, web, api, first) => {
  const error = 'error: expect(received).toBe(expected)\n\nExpected: 1\nReceived: 2';
  const linesOf = (prefix: string) => error.split('\n').map((line) => prefix + line);
  const shown = excerpt([...first, ...linesOf(web), ...linesOf(api)].join('\n'));

  for (const name of [web, api])
    expect(shown).toContain(`[${name.slice(0, -2)}] ${error.split('\n').at(-1)}`);
});

test.each([
  ['once', ['unit test: error: no']],
  ['of tests that failed', ['failed test: adds', 'failed test: subtracts']],
  ['of something else', ['type error: a', 'type error: b']],
])('words before a colon are no project: %s', (_, texts) => {
  expect(excerpt(texts.join('\n'))).toContain(texts.at(-1));
});

test('projects are looked for in the first lines only', () => {
  const lines = Array.from({ length: 1200 }, (_, i) => `step: ${i}${'a'.repeat(i % 9)}`);
  const shown = excerpt([...lines, 'web: > web@1.0.0 lint', 'web: error: no'].join('\n'));

  expect(shown).toContain('web: error: no');
});

test('of several tasks, each line names its own', () => {
  const shown = excerpt(`${behind(() => 'web:test: ')}\n${behind(() => 'api:test: ')}`);

  expect(shown).toContain('web:test: AssertionError: expected 3 to be 4');
  expect(shown).toContain('api:test: AssertionError: expected 3 to be 4');
});

test('of several tasks with a time before each line, the time is not shown', () => {
  const task = (i: number) => (i % 2 === 0 ? 'web:test: ' : 'api:lint: ');
  const shown = excerpt(behind((i) => time(i) + task(i), ['Error: no name', 'Error: no port']));

  expect(shown).toBe('web:test: Error: no name\napi:lint: Error: no port');
});

test.each([
  ['numbered from 1', '[1] src/a.ts exports nothing'],
  ['with the time of day of a logger', '10:00:00 ERROR src/a.ts exports nothing'],
])('a line %s has no prefix', (_, line) => {
  expect(excerpt(`${line}\n`)).toBe(line);
});

test.each(['[end]', '[seen/]', '[lamp desk]'])('%s is text where it is alone on a line', (line) => {
  expect(excerpt(`${line}\n`)).toBe(line);
});

test('a time that few lines have is shown', () => {
  const output = `${time(1)}ERROR no port\n${FAILED.join('\n')}`;

  expect(excerpt(output)).toContain(`${time(1)}ERROR no port`);
});

test('a prefix that says that something failed is shown', () => {
  const output = behind(() => 'INTERNALERROR> ', ['Traceback (most recent call last):', 'ValueError: boom']);

  expect(excerpt(output)).toContain('INTERNALERROR> ValueError: boom');
});

test('the same failure of two tasks is that of each', () => {
  const { failures } = condensed('[web] Error: no name\n[api] Error: no name\n');

  expect(failures.map(({ times }) => times)).toEqual([1, 1]);
});

test('names that two tasks print are no list', () => {
  const { outline } = condensed(
    '[web] would reformat src/a.ts\n[api] would reformat src/b.ts\n[web] would reformat src/c.ts\n[api] would reformat src/d.ts\n',
  );

  expect(outline.lists).toEqual([]);
});

test('indentation behind a time is part of the line', () => {
  expect(excerpt(behind(time, ['Error: boom', '    at f (src/a.ts:3:5)']))).toBe(
    'Error: boom\n    at f (src/a.ts:3:5)',
  );
});

test('a numbered task is known if the first one has printed on the other stream', () => {
  const { failures } = condensed([
    ['stdout', '[0] compiled\n'],
    ['stderr', '[1] TypeError: boom\n[1]     at run (src/a.ts:3:5)\n'],
  ]);

  expect(failures.map(({ severity }) => severity)).toEqual([SEVERITY.thrown]);
});
