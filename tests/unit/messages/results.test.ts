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
const NOW = new Date('2026-01-31T10:30:00.000Z');
const warning = shellGate('w', { blocking: false });

test.each([
  ['a pass', resultOf('a', 'passed', { durationMs: 2100 }), '✓ a    2.1 s'],
  [
    'a reused pass',
    resultOf('a', 'passed', { reused: '2026-01-31T10:27:00Z' }),
    '✓ a    reused (passed 3 min ago)',
  ],
  [
    'a pass in the future',
    resultOf('a', 'passed', { reused: '2027-01-31T10:27:00Z' }),
    '✓ a    reused (passed just now)',
  ],
  ['known failures', resultOf('a', 'passed', { known: 3 }), '✓ a    0 ms  3 known failures'],
  ['a failure', resultOf('a', 'failed', { durationMs: 40 }), '✗ a    40 ms  exited with code 1'],
  ['a warning', resultOf(warning, 'failed'), '⚠ w    0 ms  exited with code 1 (non-blocking)'],
  ['that it was not run', resultOf('a', 'skipped'), '⊘ a    not run'],
  ['a name that is too wide', resultOf('abcdef', 'skipped'), '⊘ abcdef  not run'],
])('the line of a gate shows %s', (_, result, line) => {
  expect(resultLine(result, 3, plain, NOW)).toBe(line);
});

test.each([
  ['passed', '<green>✓</green> a  <dim>0 ms</dim>'],
  ['failed', '<red>✗</red> a  <dim>0 ms</dim>  exited with code 1'],
  ['skipped', '<dim>⊘ a  not run</dim>'],
] as const)('the line of a gate is coloured: %s', (reason, line) => {
  const marked: Paint = (style, text) => `<${style}>${text}</${style}>`;

  expect(resultLine(resultOf('a', reason), 1, marked, NOW)).toBe(line);
});

test('the text of a run has a line for each gate, the excerpts and a summary', () => {
  const logPath = `${ROOT}/.trellis/.ralph/output/test.log`;
  const results = [
    resultOf('lint', 'passed', { durationMs: 2100 }),
    resultOf('t', 'failed', { durationMs: 40, output: printed('1 of 3 failed\n', { logPath }) }),
    resultOf('build', 'skipped'),
  ];

  expect(runText(summaryOf(...results), findingsOf(results), ROOT, NOW)).toBe(`✓ lint   2.1 s
✗ t      40 ms  exited with code 1
    1 of 3 failed
    Full output: .trellis/.ralph/output/test.log
⊘ build  not run

1 of 3 gates failed in 12.3 s`);
});

test('cuts a gate name to 40 characters', () => {
  expect(gateName(shellGate('x\ny'.repeat(50)))).toHaveLength(40);
});

describe('the details of a gate', () => {
  const logPath = `${ROOT}/.trellis/.ralph/output/a.log`;
  test.each([
    [
      'are its indented output and its log',
      resultOf('a', 'failed', { output: printed('x\n\n  y\n', { logPath }) }),
      ['    x', '', '      y', '    Full output: .trellis/.ralph/output/a.log'],
    ],
    ['are empty without output', resultOf('a', 'failed'), []],
    ['are empty if it passed', resultOf('a', 'passed', { output: printed('x', { logPath }) }), []],
    ['are empty if it was skipped', resultOf('a', 'skipped'), []],
    ['are shown for a non-blocking gate', resultOf(warning, 'failed', { output: printed('x') }), ['    x']],
  ])('%s', (_, result, lines) => {
    expect(failureDetails(result, findingsOf([result]).get(result.gate), ROOT, plain)).toEqual(lines);
  });

  const unformatted = printed('Checking formatting...\n[warn] src/a.ts\n[warn] Code style issues found\n', {
    logPath,
  });
  test.each([
    [
      'with the command that fixes what is reported',
      {},
      '`npx prettier --write src/a.ts` fixes the formatting.',
    ],
    [
      'with the directory in which that command runs',
      { cwd: `${ROOT}/web` },
      'In web, `npx prettier --write src/a.ts` fixes the formatting.',
    ],
  ])('end %s, and the log', (_, fields, fix) => {
    const gate = shellGate('npx prettier --check .', { cwd: ROOT, ...fields });
    const result = resultOf(gate, 'failed', { output: unformatted });
    const lines = failureDetails(result, findingsOf([result]).get(gate), ROOT, plain);
    expect(lines.slice(-2)).toEqual([`    ${fix}`, '    Full output: .trellis/.ralph/output/a.log']);
    expect(lines.filter((line) => line.includes('--write'))).toHaveLength(1);
  });

  test('name no fixing command if the cause is outside of the code', () => {
    const output = printed(
      '[warn] src/a.ts\n[warn] Code style issues found\nError: ENOSPC: no space left on device\n',
    );
    const result = resultOf('npx prettier --check .', 'failed', { output });
    const lines = failureDetails(result, findingsOf([result]).get(result.gate), ROOT, plain);
    expect(lines.join('\n')).not.toContain('--write');
  });

  test('are wrapped to the terminal, with every line indented', () => {
    const result = resultOf('a', 'failed', { output: printed(`Error: ${'word '.repeat(40)}`, { logPath }) });
    const lines = failureDetails(result, findingsOf([result]).get(result.gate), ROOT, plain, 50);

    expect(lines.length).toBeGreaterThan(4);
    expect(lines.filter((line) => line.length > 50 || !line.startsWith('    '))).toEqual([]);
  });
});

describe('the lines of an excerpt', () => {
  const marked: Paint = (style, text) => `<${style}>${text}</${style}>`;
  test.each([
    ['are red for an error', { kind: 'error', text: 'a' }, plain, undefined, ['    a'], ['    <red>a</red>']],
    ['are dim for a note', { kind: 'note', text: 'a' }, plain, undefined, ['    a'], ['    <dim>a</dim>']],
    ['have no colour otherwise', { kind: 'plain', text: 'a' }, plain, undefined, ['    a'], ['    a']],
    ['stay blank', { kind: 'plain', text: '' }, plain, 40, [''], ['']],
  ] as const)('%s', (_, line, paint, columns, uncoloured, colours) => {
    expect(excerptLines([line], paint, columns)).toEqual(uncoloured);
    expect(excerptLines([line], marked, columns)).toEqual(colours);
  });

  test.each([
    ['words', 'a b '.repeat(50)],
    ['one long word', 'x'.repeat(200)],
    ['wide letters', '検'.repeat(200)],
  ])('are wrapped to the width of the terminal: %s', (_, text) => {
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

  test('keep their own indentation and are at least 20 columns wide', () => {
    expect(excerptLines([{ kind: 'plain', text: '  a' }], plain, 40)).toEqual(['      a']);
    expect(excerptLines([{ kind: 'plain', text: 'x'.repeat(20) }], plain, 1)).toEqual([
      `    ${'x'.repeat(20)}`,
    ]);
  });
});

test.each([
  [[resultOf('a'), resultOf('b')], '2 gates passed in 12.3 s'],
  [
    [resultOf('a'), resultOf('b', 'passed', { reused: '2026-01-31T10:27:00Z' }), resultOf(warning, 'failed')],
    '2 gates passed in 12.3 s, 1 reused, 1 warning',
  ],
  [[resultOf('a'), resultOf(warning, 'failed')], '1 gate passed in 12.3 s, 1 warning'],
  [[resultOf(warning, 'failed')], '1 gate failed without blocking in 12.3 s'],
  [[resultOf('a', 'failed'), resultOf('b', 'skipped')], '1 of 2 gates failed in 12.3 s'],
  [[resultOf('a', 'failed'), resultOf(warning, 'failed')], '1 of 2 gates failed in 12.3 s, 1 warning'],
  [
    [
      resultOf('a', 'passed', { durationMs: 2000, reused: 'then' }),
      resultOf('b'),
      resultOf(warning, 'failed'),
    ],
    '2 gates passed in 12.3 s, 1 reused (saved 2 s), 1 warning',
  ],
  [
    [resultOf('a', 'passed', { durationMs: 2000, reused: 'then' }), resultOf('b', 'failed')],
    '1 of 2 gates failed in 12.3 s, 1 reused (saved 2 s)',
  ],
  [[resultOf('a', 'out-of-time')], '1 of 1 gate did not finish in 12.3 s'],
])('summarizes a run: %#', (results, line) => {
  expect(summaryLine(summaryOf(...results), plain, NOW)).toBe(line);
});

test.each([
  ['a command', shellGate('a'), ['1. a', '   timeout 120 s']],
  ['a name', shellGate('n', { command: 'a' }), ['1. n: a', '   timeout 120 s']],
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
    ['1. n: a b', '   timeout 5 s, in x, non-blocking, sets A, B, d'],
  ],
  [
    'the variables that it inherits',
    shellGate('a', { passEnv: ['A', 'B'] }),
    ['1. a', '   timeout 120 s, inherits only A, B'],
  ],
  [
    'that it inherits the basic variables only',
    shellGate('a', { passEnv: [], env: { C: '1' } }),
    ['1. a', '   timeout 120 s, inherits only the basic variables, sets C'],
  ],
  ['a marker', markerGate('M'), ["1. M in the agent's last message"]],
])('a plan shows %s', (_, gate, lines) => {
  expect(planLines([gate], ROOT, 2)).toEqual(lines);
});

test('a plan numbers its gates', () => {
  expect(planLines([shellGate('a'), shellGate('b')], ROOT, 1)).toEqual([
    '1. a',
    '   timeout 120 s',
    '2. b',
    '   timeout 120 s',
  ]);
});

test('a plan shows what runs at the same time', () => {
  const gates = [
    shellGate('a', { order: 1 }),
    shellGate('b', { needs: ['a', 'not-selected'] }),
    shellGate('c', { needs: ['not-selected'], exclusive: true }),
  ];
  expect(planLines(gates, ROOT, 4)).toEqual([
    'Up to 4 gates of the same order run at the same time.',
    '1. a',
    '   order 1, timeout 120 s',
    '2. b',
    '   order 100, needs a, timeout 120 s',
    '3. c',
    '   order 100, runs alone, timeout 120 s',
  ]);
});

test('a gate that fail-fast ended is not shown as one that was not run', () => {
  expect(resultLine(resultOf('a', 'skipped', { durationMs: 5 }), 1, plain, new Date())).toBe('⊘ a  stopped');
  expect(resultLine(resultOf('a', 'skipped'), 1, plain, new Date())).toBe('⊘ a  not run');
});
