import { expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../helpers/condensed.ts';
import { feedbackCases, lostFacts } from '../../helpers/feedback-cases.ts';

/** Longer ones take most of the time. */
const MAX_CHARACTERS = 5000;
const CASES = feedbackCases()
  .map(({ events, facts }) => ({ output: events.map(({ text }) => text).join(''), facts }))
  .filter(({ output }) => output.length <= MAX_CHARACTERS);

const behind = (prefix: (i: number) => string) => (output: string) =>
  output
    .replace(/\n$/, '')
    .split('\n')
    .map((line, i) => prefix(i) + line)
    .join('\n');
const FACTS = CASES.flatMap(({ facts }) => facts);
/** The facts that the excerpts lack, each with its name. */
const lostBehind = (wrapped: (output: string) => string) =>
  CASES.flatMap(({ output, facts }) => {
    const excerpt = excerptText(excerptOf(condensed(wrapped(output)), 5300, { hung: false }));
    return lostFacts(excerpt, { facts }).map(({ why, re }) => `${why}: ${re}`);
  });
const time = (i: number) => new Date(Date.UTC(2026, 10, 23, 10) + 37 * i).toISOString();

test.each([
  ['the prefix of a task', behind(() => 'web:test: ')],
  ['the number of a task', behind(() => '[0] ')],
  ['a name that starts with a word for a result', behind(() => '[passes] ')],
  ['a time before each line', behind((i) => `${time(i)} `)],
  ['the side of a box', behind(() => '  │ ')],
  ['a name that is aligned to the right', behind(() => '   web ┊ ')],
  [
    'a time of day, how long the run has taken, and a name',
    behind((i) => `${time(i).slice(11, 23)} + ${37 * i}ms web | `),
  ],
  [
    'a time, and a name before a tab',
    (output: string) => behind((i) => `${time(i)} web\t`)(`\n> test\n${output}`),
  ],
  [
    'the lines of make',
    (output: string) => `node test.js\n${output}\nmake: *** [Makefile:12: test] Error 1\n`,
  ],
  [
    'the end of a step of a CI service',
    (output: string) => `${output}\n##[error]Process completed with exit code 1.\n`,
  ],
])('with %s, recorded outputs keep 98 % of their facts', (_, wrapped) => {
  const lost = lostBehind(wrapped);

  expect(lost.length, lost.join('\n')).toBeLessThanOrEqual(0.02 * FACTS.length);
});

// A list without an indented line, or a short output, does not show what is before its lines.
test.each([
  ['a sign', behind(() => '> ')],
  ['four blanks', behind(() => '    ')],
  ['a sign that is indented', behind(() => '  | ')],
  ['the name of a task in a form of its own', behind(() => 'web ❯ ')],
  ['two names', behind(() => '[ci] [web] ')],
  ['the number of the line', behind((i) => `${String(i + 1).padStart(4)}  `)],
  ['how long the run has taken', behind((i) => `[+${(i / 10).toFixed(1)}s] `)],
])(
  'with what no rule knows, which is before all lines, outputs keep 94 % of their facts: %s',
  (_, wrapped) => {
    const lost = lostBehind(wrapped);

    expect(lost.length, lost.join('\n')).toBeLessThanOrEqual(0.06 * FACTS.length);
  },
);

test('the first column of a table is no prefix, and neither is a result of Go', () => {
  const table = 'lamp\t3\ndesk\t4\nFAIL\tshop/cart\t0.01s\nFAIL\n';
  const shown = excerptText(excerptOf(condensed(table), 5300, { hung: false }));

  expect(shown).toContain('lamp\t3\ndesk\t4\nFAIL\tshop/cart\t0.01s');
});

test('a name before a tab is one of a service below many lines of another program, too', () => {
  const services = ['', '> test', 'ok'].map((text) => `passes\t${text}\n`).join('');
  const said = Array.from({ length: 1100 }, (_, i) => `step: pulling the layer ${i}\n`).join('');
  const { failures } = condensed(`${services}${said}passes\tnpm error code 1\ngates\tError: boom\n`);

  expect(failures.map(({ block }) => block.headline.text)).toEqual([
    '[passes] npm error code 1',
    '[gates] Error: boom',
  ]);
});

test('the number that CTest puts before each line of a test is left out, with what it says of each test', () => {
  const numbered = (number: number, ...lines: readonly string[]) =>
    [
      `test ${number}`,
      `      Start ${number}: T${number}`,
      '',
      ...lines.map((line) => `${number}: ${line}`),
    ].join('\n');
  const frame = [
    'Test command: /p/build/a_test',
    'Running main() from gtest_main.cc',
    '[ RUN      ] Cart.Adds',
  ];
  const failed = [
    '/p/a_test.cpp:8: Failure',
    'Value of: n',
    '  Actual: 3',
    '',
    '[  FAILED  ] Cart.Adds (5 ms)',
  ];
  const result = (number: number, end: string) =>
    `${number}/2 Test #${number}: T${number} ....${end}    0.05 sec`;
  const output = `${numbered(1, ...frame, '[       OK ] Cart.Adds (1 ms)')}\n${result(1, '   Passed')}\n${numbered(2, ...frame, ...failed)}\n${result(2, '***Failed')}\n3: three\n`;
  const shown = excerptText(excerptOf(condensed(output), 5300, { hung: false }));

  expect(shown).toContain('/p/a_test.cpp:8: Failure\nValue of: n\n  Actual: 3\n');
  expect(shown).not.toMatch(/Test command|Running main|^2:/m);
  expect(condensed(output).outline.all?.at(-1)?.text).toBe('3: three');
});
