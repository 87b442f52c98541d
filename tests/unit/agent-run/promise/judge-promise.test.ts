import { describe, expect, test } from 'vitest';
import { findContradictions } from '../../../../src/agent-run/promise/contradictions.ts';
import {
  type Denial,
  denialFeedback,
  denialSummary,
  type JudgedGate,
  judgePromise,
  type PromiseClaim,
} from '../../../../src/agent-run/promise/judge-promise.ts';

const NOTHING_SHOWN = {
  treeChanged: false,
  showsChanges: false,
  showsPassingTests: false,
  showsApproval: false,
};
const LINT: JudgedGate = { name: 'lint', command: 'npm run lint', passed: true, blocking: true };
const TESTS: JudgedGate = { name: 'unit', command: 'npm test', passed: true, blocking: true };
const TODO = { kind: 'todo', line: 3, text: 'TODO: docs' } as const;

type Changes = Partial<Omit<PromiseClaim, 'evidence'>> & { evidence?: Partial<PromiseClaim['evidence']> };

function judged({ evidence, ...changes }: Changes) {
  return judgePromise({
    promise: 'DONE',
    found: { kind: 'made' },
    verify: true,
    contradictions: [],
    stage: 'docs',
    gates: [],
    ...changes,
    evidence: { ...NOTHING_SHOWN, ...evidence },
  });
}

describe('judgePromise accepts a promise', () => {
  test.for<[string, Changes]>([
    ['of a stage that requires no evidence', {}],
    ['when gates pass', { gates: [LINT, TESTS] }],
    ['when a gate that only warns fails', { gates: [{ ...LINT, passed: false, blocking: false }] }],
    ['of a coder when the tree has changed', { stage: 'coder', evidence: { treeChanged: true } }],
    [
      'of a coder who names changes, without git',
      { stage: 'coder', evidence: { treeChanged: null, showsChanges: true } },
    ],
    ['of a tester who shows passing tests', { stage: 'tester', evidence: { showsPassingTests: true } }],
    ['of a tester when the command of a gate runs tests', { stage: 'tester', gates: [LINT, TESTS] }],
    [
      'of a tester when the name of a gate is about tests',
      { stage: 'tester', gates: [{ ...LINT, name: 'unit-tests' }] },
    ],
    [
      'of a tester when a gate runs a test script',
      { stage: 'tester', gates: [{ ...LINT, command: './run_tests.sh' }] },
    ],
    [
      'of a tester when a gate runs pytest',
      { stage: 'tester', gates: [{ ...LINT, command: 'uv run pytest -q' }] },
    ],
    ['of a reviewer who approves', { stage: 'reviewer', evidence: { showsApproval: true } }],
    ['of qa when all gates pass', { stage: 'qa', gates: [LINT, { ...TESTS, blocking: false }] }],
    [
      'in the right form when promises are not verified',
      { verify: false, stage: 'coder', contradictions: [TODO], gates: [{ ...LINT, passed: false }] },
    ],
  ])('%s', ([, changes]) => {
    expect(judged(changes)).toEqual([]);
  });
});

describe('judgePromise denies a promise', () => {
  const failed = { ...LINT, passed: false };
  const warning = { ...failed, blocking: false };
  test.for<[string, Changes, Denial[]]>([
    ['that is not made', { found: { kind: 'none' } }, [{ reason: 'no-promise', promise: 'DONE' }]],
    [
      'that is not made, when promises are not verified',
      { found: { kind: 'none' }, verify: false },
      [{ reason: 'no-promise', promise: 'DONE' }],
    ],
    [
      'of another text, whatever else is wrong',
      { found: { kind: 'other', text: 'done', line: 2 }, contradictions: [TODO], gates: [failed] },
      [{ reason: 'other-promise', promise: 'DONE', text: 'done', line: 2 }],
    ],
    [
      'that is malformed',
      { found: { kind: 'malformed', how: 'in-fence', line: 2 } },
      [{ reason: 'malformed', promise: 'DONE', how: 'in-fence', line: 2 }],
    ],
    [
      'that is contradicted',
      { contradictions: [TODO] },
      [{ reason: 'contradicted', contradictions: [TODO] }],
    ],
    ['when a gate fails', { gates: [failed, TESTS] }, [{ reason: 'gates-failed', gates: [failed] }]],
    [
      'of a coder when git sees no change, whatever the message says',
      { stage: 'coder', evidence: { treeChanged: false, showsChanges: true } },
      [{ reason: 'nothing-changed', by: 'git' }],
    ],
    [
      'of a coder who names no change, without git',
      { stage: 'coder', evidence: { treeChanged: null } },
      [{ reason: 'nothing-changed', by: 'message' }],
    ],
    ['of a tester without evidence', { stage: 'tester', gates: [LINT] }, [{ reason: 'no-passing-tests' }]],
    [
      'of a tester whose gate runs no tests',
      { stage: 'tester', gates: [{ ...LINT, name: 'latest', command: 'contest --attest' }] },
      [{ reason: 'no-passing-tests' }],
    ],
    [
      'of a tester whose gate fails',
      { stage: 'tester', gates: [{ ...TESTS, passed: false }] },
      [{ reason: 'no-passing-tests' }, { reason: 'gates-failed', gates: [{ ...TESTS, passed: false }] }],
    ],
    ['of a reviewer who does not approve', { stage: 'reviewer' }, [{ reason: 'no-approval' }]],
    ['of qa without gates', { stage: 'qa' }, [{ reason: 'no-gates' }]],
    [
      'of qa when a gate that only warns fails',
      { stage: 'qa', gates: [TESTS, warning] },
      [{ reason: 'gates-failed', gates: [warning] }],
    ],
    [
      'for all reasons at once',
      { stage: 'coder', contradictions: [TODO], gates: [failed] },
      [
        { reason: 'contradicted', contradictions: [TODO] },
        { reason: 'nothing-changed', by: 'git' },
        { reason: 'gates-failed', gates: [failed] },
      ],
    ],
  ])('%s', ([, changes, denials]) => {
    expect(judged(changes)).toEqual(denials);
  });
});

describe('denialFeedback', () => {
  const how = 'write <promise>DONE</promise> alone on a line, outside of code blocks and quotations';
  test.for<[Denial, string]>([
    [
      { reason: 'no-promise', promise: 'DONE' },
      `Your message does not promise that the work is done. When all of it is, ${how}.`,
    ],
    [
      { reason: 'other-promise', promise: 'DONE', text: `do\nne${'x'.repeat(200)}`, line: 2 },
      `Line 2 of your message promises "do ne${'x'.repeat(94)}…", which is not the expected text. When the work is done, ${how}, with exactly this text.`,
    ],
    [
      { reason: 'malformed', promise: 'DONE', how: 'in-fence', line: 2 },
      `The promise in line 2 of your message does not count: it is in a code block. When all of the work is done, ${how}.`,
    ],
    [
      { reason: 'contradicted', contradictions: [TODO] },
      'Your message promises that the work is done, and says that it is not:\n- line 3: TODO: docs\nDo what is left, and promise again when nothing is. If a line is out of date, or about something else, say how it is now.',
    ],
    [
      { reason: 'contradicted', contradictions: Array.from({ length: 6 }, (_, n) => ({ ...TODO, line: n })) },
      'Your message promises that the work is done, and says that it is not:\n- line 0: TODO: docs\n- line 1: TODO: docs\n- line 2: TODO: docs\n- line 3: TODO: docs\n- line 4: TODO: docs\n- and 1 more line\nDo what is left, and promise again when nothing is. If a line is out of date, or about something else, say how it is now.',
    ],
    [
      { reason: 'gates-failed', gates: [{ ...LINT, blocking: false }] },
      '1 gate of the project does not pass:\n- lint (a warning, which counts here)\nFix the cause, not the gate.',
    ],
    [
      {
        reason: 'gates-failed',
        gates: Array.from({ length: 8 }, (_, n) => ({ ...LINT, name: `gate ${n}` })),
      },
      '8 gates of the project do not pass:\n- gate 0\n- gate 1\n- gate 2\n- gate 3\n- gate 4\n- and 3 more gates\nFix the cause, not the gate.',
    ],
  ])('explains %j to the agent', ([denial, text]) => {
    expect(denialFeedback(denial)).toBe(text);
  });

  test.for<Denial>([
    { reason: 'malformed', promise: 'DONE', how: 'in-quotation', line: 2 },
    { reason: 'malformed', promise: 'DONE', how: 'not-alone', line: 2 },
    { reason: 'malformed', promise: 'DONE', how: 'not-closed', line: 2 },
    { reason: 'malformed', promise: 'DONE', how: 'taken-back', line: 2 },
    { reason: 'nothing-changed', by: 'git' },
    { reason: 'nothing-changed', by: 'message' },
    { reason: 'no-passing-tests' },
    { reason: 'no-approval' },
    { reason: 'no-gates' },
  ])('says what is wrong and what to do for %j, without contradicting a promise', (denial) => {
    const text = denialFeedback(denial);
    expect(text).toMatch(/^[A-Za-z][^\n]*[.;:,] [^\n]*\.$/);
    expect(findContradictions(text)).toEqual([]);
  });
});

describe('denialSummary is short for', () => {
  const gate = { ...TESTS, passed: false };
  test.each<[Denial, string]>([
    [{ reason: 'no-promise', promise: 'X' }, 'the agent made no promise'],
    [{ reason: 'other-promise', promise: 'X', text: 'x', line: 2 }, 'the agent promised "x", not X'],
    ...[' X ', 'X\u200B', 'X\u00A0'].map((text): [Denial, string] => [
      { reason: 'other-promise', promise: 'X', text, line: 2 },
      `the agent promised "X", which differs from the expected text in white space or invisible characters`,
    ]),
    [
      { reason: 'malformed', promise: 'X', how: 'in-fence', line: 2 },
      'the promise does not count: it is in a code block',
    ],
    [{ reason: 'contradicted', contradictions: [TODO] }, 'the message contradicts it: "TODO: docs"'],
    [{ reason: 'nothing-changed', by: 'git' }, 'git sees no change'],
    [{ reason: 'nothing-changed', by: 'message' }, 'the message names no change'],
    [{ reason: 'no-passing-tests' }, 'nothing shows that tests pass'],
    [{ reason: 'no-approval' }, 'the review does not approve'],
    [{ reason: 'no-gates' }, 'there are no gates to prove it'],
    [{ reason: 'gates-failed', gates: [gate, { ...gate, name: 'b' }] }, 'gates do not pass: unit, b'],
  ])('%j', (denial, text) => {
    expect(denialSummary(denial)).toBe(text);
  });
});
