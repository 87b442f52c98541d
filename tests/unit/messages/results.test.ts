import { describe, expect, test } from 'vitest';
import { type Paint, plain } from '../../../src/messages/paint.ts';
import {
  excerptLines,
  failureDetails,
  gateName,
  planLines,
  resultLine,
  runText,
  summaryLine,
} from '../../../src/messages/results.ts';
import { findingsOf } from '../../helpers/condensed.ts';
import { markerGate, printed, resultOf, shellGate, summaryOf } from '../../helpers/gate-results.ts';

const ROOT = '/the/project';
const warning = shellGate('w', { blocking: false });

test.each([
  ['a pass', resultOf('a', 'passed', { durationMs: 2100 }), '✓ a    2.1 s'],
  ['a failure', resultOf('a', 'failed', { durationMs: 40 }), '✗ a    40 ms  exited with code 1'],
  ['a warning', resultOf(warning, 'failed'), '⚠ w    0 ms  exited with code 1 (does not block)'],
  ['not run', resultOf('a', 'skipped'), '⊘ a    not run'],
  ['a name that is too wide', resultOf('abcdef', 'skipped'), '⊘ abcdef  not run'],
])('a gate has a line: %s', (_, result, line) => {
  expect(resultLine(result, 3, plain)).toBe(line);
});

test.each([
  ['passed', '<green>✓</green> a  <dim>0 ms</dim>'],
  ['failed', '<red>✗</red> a  <dim>0 ms</dim>  exited with code 1'],
  ['skipped', '<dim>⊘ a  not run</dim>'],
] as const)('a line has the colours that it is given: %s', (reason, line) => {
  const marked: Paint = (style, text) => `<${style}>${text}</${style}>`;

  expect(resultLine(resultOf('a', reason), 1, marked)).toBe(line);
});

test('a run that is over is told at once', () => {
  const logPath = `${ROOT}/.trellis/.ralph/output/test.log`;
  const results = [
    resultOf('lint', 'passed', { durationMs: 2100 }),
    resultOf('t', 'failed', { durationMs: 40, output: printed('1 of 3 failed\n', { logPath }) }),
    resultOf('build', 'skipped'),
  ];

  expect(runText(summaryOf(...results), findingsOf(results), ROOT)).toBe(`✓ lint   2.1 s
✗ t      40 ms  exited with code 1
    1 of 3 failed
    Full output: .trellis/.ralph/output/test.log
⊘ build  not run

1 of 3 gates failed in 12.3 s`);
});

test('a long name is cut, so that the times stand in one column', () => {
  expect(gateName(shellGate('x\ny'.repeat(50)))).toHaveLength(40);
});

describe('what a failed gate printed is shown', () => {
  const logPath = `${ROOT}/.trellis/.ralph/output/a.log`;
  test.each([
    [
      'indented, with its log',
      resultOf('a', 'failed', { output: printed('x\n\n  y\n', { logPath }) }),
      ['    x', '', '      y', '    Full output: .trellis/.ralph/output/a.log'],
    ],
    ['not where it printed nothing', resultOf('a', 'failed'), []],
    ['not of a pass', resultOf('a', 'passed', { output: printed('x', { logPath }) }), []],
    ['not of what was skipped', resultOf('a', 'skipped'), []],
    ['of a warning too', resultOf(warning, 'failed', { output: printed('x') }), ['    x']],
  ])('%s', (_, result, lines) => {
    expect(failureDetails(result, findingsOf([result]).get(result.gate), ROOT, plain)).toEqual(lines);
  });

  test('fitted to the terminal, every line indented', () => {
    const result = resultOf('a', 'failed', { output: printed(`Error: ${'word '.repeat(40)}`, { logPath }) });
    const lines = failureDetails(result, findingsOf([result]).get(result.gate), ROOT, plain, 50);

    expect(lines.length).toBeGreaterThan(4);
    expect(lines.filter((line) => line.length > 50 || !line.startsWith('    '))).toEqual([]);
  });
});

describe('lines of an excerpt', () => {
  const marked: Paint = (style, text) => `<${style}>${text}</${style}>`;
  test.each([
    ['an error is red', { kind: 'error', text: 'a' }, plain, undefined, ['    a'], ['    <red>a</red>']],
    ['a note is dim', { kind: 'note', text: 'a' }, plain, undefined, ['    a'], ['    <dim>a</dim>']],
    ['others are plain', { kind: 'plain', text: 'a' }, plain, undefined, ['    a'], ['    a']],
    ['a blank one stays blank', { kind: 'plain', text: '' }, plain, 40, [''], ['']],
  ] as const)('%s', (_, line, paint, columns, uncoloured, colours) => {
    expect(excerptLines([line], paint, columns)).toEqual(uncoloured);
    expect(excerptLines([line], marked, columns)).toEqual(colours);
  });

  test.each([
    ['words', 'a b '.repeat(50)],
    ['one long word', 'x'.repeat(200)],
    ['wide letters', '検'.repeat(200)],
  ])('are wrapped where the terminal ends: %s', (_, text) => {
    const lines = excerptLines([{ kind: 'plain', text }], plain, 40);
    const width = (line: string) => line.length + (line.match(/検/g)?.length ?? 0);

    expect(lines.filter((line) => width(line) > 40)).toEqual([]);
    expect(
      lines
        .map((line) => line.slice(4))
        .join('')
        .replaceAll(' ', ''),
    ).toBe(text.replaceAll(' ', ''));
  });

  test('keep their own indentation, and at least 20 columns', () => {
    expect(excerptLines([{ kind: 'plain', text: '  a' }], plain, 40)).toEqual(['      a']);
    expect(excerptLines([{ kind: 'plain', text: 'x'.repeat(20) }], plain, 1)).toEqual([
      `    ${'x'.repeat(20)}`,
    ]);
  });
});

test.each([
  [[resultOf('a'), resultOf('b')], '2 gates passed in 12.3 s'],
  [[resultOf('a'), resultOf(warning, 'failed')], '1 gate passed in 12.3 s, 1 warning'],
  [[resultOf('a', 'failed'), resultOf('b', 'skipped')], '1 of 2 gates failed in 12.3 s'],
  [[resultOf('a', 'failed'), resultOf(warning, 'failed')], '1 of 2 gates failed in 12.3 s, 1 warning'],
  [[resultOf('a', 'out-of-time')], '1 of 1 gate did not finish in 12.3 s'],
])('a run is summed up: %#', (results, line) => {
  expect(summaryLine(summaryOf(...results), plain)).toBe(line);
});

test.each([
  ['a command', shellGate('a'), ['1. a', '   120 s at the most']],
  ['a name', shellGate('n', { command: 'a' }), ['1. n: a', '   120 s at the most']],
  [
    'everything',
    shellGate('n', {
      command: 'a\nb',
      cwd: `${ROOT}/x`,
      env: { A: '1', B: '2' },
      timeoutSeconds: 5,
      blocking: false,
      description: 'd',
    }),
    ['1. n: a b', '   5 s at the most, in x, does not block, with A, B set, d'],
  ],
  [
    'what it inherits',
    shellGate('a', { passEnv: ['A', 'B'] }),
    ['1. a', '   120 s at the most, with only A, B of the environment'],
  ],
  [
    'that it inherits nothing in particular',
    shellGate('a', { passEnv: [], env: { C: '1' } }),
    ['1. a', '   120 s at the most, with only the basics of the environment, with C set'],
  ],
  ['a marker', markerGate('M'), ["1. M in the agent's last message"]],
])('a plan names what would run: %s', (_, gate, lines) => {
  expect(planLines([gate], ROOT)).toEqual(lines);
});

test('a plan is numbered', () => {
  expect(planLines([shellGate('a'), shellGate('b')], ROOT).filter((line) => /^\d/.test(line))).toEqual([
    '1. a',
    '2. b',
  ]);
});
