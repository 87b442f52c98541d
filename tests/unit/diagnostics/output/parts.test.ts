import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { failedParts } from '../../../../src/diagnostics/output/parts.ts';
import { condensed } from '../../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));

/** Says why it failed in lines that beside a sure error would be taken for noise. */
const CHECK =
  'env: 14 variables, all documented\nroute /legal -> no component (routes.json line 14)\nroute /about -> the same as /about-us (routes.json line 3)';
const END = 'npm error Lifecycle script `check` failed with error:';
const TESTS = [
  ' FAIL  src/cart.test.ts > cart > adds up',
  'AssertionError: expected 3 to be 4',
  ...Array.from({ length: 40 }, (_, i) => ` ✓ src/part${i}.test.ts (${i} tests) ${i}ms`),
  ...Array.from({ length: 60 }, (_, i) => `compiled the part ${i} of the pages into dist/${i}/index.html`),
].join('\n');
const command = (name: string) => `\n> web@1.0.0 ${name}\n> node ${name}.js\n\n`;
const behind = (prefix: string, output: string) => output.replace(/^/gm, prefix);

describe.each([
  ['commands of a script', `${command('check')}${CHECK}\n${END}\n${command('test')}${TESTS}\n`, ''],
  ['tasks', `${behind('web:check: ', `${CHECK}\n${END}`)}\n${behind('web:test: ', TESTS)}\n`, 'web:check: '],
])('of several %s', (_, output, prefix) => {
  test('each that failed has its own excerpt', () => {
    const shown = excerpt(output);

    for (const line of CHECK.split('\n')) expect(shown).toContain(`${prefix}${line}`);
    expect(shown).toContain('AssertionError: expected 3 to be 4');
    expect(shown).not.toContain('compiled the part 30 of');
  });
});

test('of tasks by turns, each has its lines in a row', () => {
  const web = ['Error: no name', '    at f (src/a.ts:3:5)'];
  const api = ['Error: no port', '    at g (src/b.ts:7:1)'];
  const byTurns = web.flatMap((line, i) => [`[web] ${line}`, `[api] ${api[i]}`]).join('\n');

  expect(excerpt(byTurns)).toBe(
    [...web.map((line) => `[web] ${line}`), ...api.map((line) => `[api] ${line}`)].join('\n'),
  );
});

test('a task that passed is not shown beside those that failed', () => {
  const shown = excerpt(
    '[lint] src/a.ts(3,5): error TS2322: no\n[unit] ✓ adds up\n[test] Error: no port\n[unit] 1 passed\n',
  );

  expect(shown).toBe('[lint] src/a.ts(3,5): error TS2322: no\n[test] Error: no port');
});

test('where a task may have failed, all tasks have one excerpt', () => {
  const shown = excerpt(
    '[lint] src/a.ts(3,5): error TS2322: no\n[knip] src/orphan.ts\n[test] Error: no port\n',
  );

  expect(shown).toContain('[knip] src/orphan.ts');
});

test('one task and what its runner prints have one excerpt, without the prefix', () => {
  const task = Array.from({ length: 20 }, (_, i) => `[web] Error: no port ${'abcdefghijklmnopqrst'[i]}`);

  expect(excerpt(`${task.join('\n')}\nERROR: "web" exited with 1.\n`)).not.toContain('[web]');
});

test('of two tasks that print blank lines in turn, not all are kept', () => {
  const { outline } = condensed('web:test: \napi:test: \n'.repeat(20_000));

  expect(outline.all).toBeUndefined();
});

test('more parts than fit into one excerpt are not read by themselves', () => {
  const output = Array.from({ length: 40 }, (_, i) => `[task${i}] src/a${i}.ts(1,2): error TS1: no\n`).join(
    '',
  );

  expect(failedParts(condensed(output))).toEqual([]);
});

test('a command beside tasks that print in turn is no part', () => {
  const tasks = ['web', 'api', 'cli'].flatMap((task) => [
    `[${task}] src/a.ts(1,2): error TS1: no`,
    `[${task}] 1 error`,
  ]);
  const output = `${tasks.join('\n')}\n> web@1.0.0 test\n> vitest run\n\nError: no port\n> web@1.0.0 types\n> tsc\n\nError: no name\n`;

  expect(failedParts(condensed(output))).toEqual([]);
});

test('the lines of a part have neither its prefix nor a time twice', () => {
  const times = ['web', 'api'].map(
    (task) => `2026-11-22T16:41:40.123Z [${task}] src/a.ts(1,2): error TS1: no`,
  );
  const plain = ['web', 'api'].map((task) => `[${task}] src/b.ts(3,4): error TS2: no`);
  const shown = excerpt([...times, ...plain].join('\n'));

  expect(shown.match(/\[web\]/g)).toHaveLength(2);
});
