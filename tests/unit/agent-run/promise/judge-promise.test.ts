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

describe('a promise is accepted', () => {
  test.for<[string, Changes]>([
    ['of a stage that has nothing to show', {}],
    ['with gates that pass', { gates: [LINT, TESTS] }],
    ['with a gate that only warns', { gates: [{ ...LINT, passed: false, blocking: false }] }],
    ['of a coder, where the tree has changed', { stage: 'coder', evidence: { treeChanged: true } }],
    [
      'of a coder who says so, where there is no git',
      { stage: 'coder', evidence: { treeChanged: null, showsChanges: true } },
    ],
    ['of a tester who shows it', { stage: 'tester', evidence: { showsPassingTests: true } }],
    ['of a tester, by the command of a gate', { stage: 'tester', gates: [LINT, TESTS] }],
    ['of a tester, by the name of a gate', { stage: 'tester', gates: [{ ...LINT, name: 'unit-tests' }] }],
    ['of a tester, by a script', { stage: 'tester', gates: [{ ...LINT, command: './run_tests.sh' }] }],
    ['of a tester, by pytest', { stage: 'tester', gates: [{ ...LINT, command: 'uv run pytest -q' }] }],
    ['of a reviewer who approves', { stage: 'reviewer', evidence: { showsApproval: true } }],
    ['of qa, where all gates pass', { stage: 'qa', gates: [LINT, { ...TESTS, blocking: false }] }],
    [
      'by its form alone',
      { verify: false, stage: 'coder', contradictions: [TODO], gates: [{ ...LINT, passed: false }] },
    ],
  ])('%s', ([, changes]) => {
    expect(judged(changes)).toEqual({ accepted: true });
  });
});

describe('a promise is denied', () => {
  const failed = { ...LINT, passed: false };
  const warning = { ...failed, blocking: false };
  test.for<[string, Changes, Denial[]]>([
    ['that is not made', { found: { kind: 'none' } }, [{ reason: 'no-promise', promise: 'DONE' }]],
    [
      'that is not made, by its form alone',
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
    ['where a gate fails', { gates: [failed, TESTS] }, [{ reason: 'gates-failed', gates: [failed] }]],
    [
      'of a coder, by git, whatever is said',
      { stage: 'coder', evidence: { treeChanged: false, showsChanges: true } },
      [{ reason: 'nothing-changed', by: 'git' }],
    ],
    [
      'of a coder who says nothing, where there is no git',
      { stage: 'coder', evidence: { treeChanged: null } },
      [{ reason: 'nothing-changed', by: 'message' }],
    ],
    ['of a tester who shows nothing', { stage: 'tester', gates: [LINT] }, [{ reason: 'no-passing-tests' }]],
    [
      'of a tester whose gate is of no test',
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
      'of qa, where a gate warns',
      { stage: 'qa', gates: [TESTS, warning] },
      [{ reason: 'gates-failed', gates: [warning] }],
    ],
    [
      'for all that speaks against it',
      { stage: 'coder', contradictions: [TODO], gates: [failed] },
      [
        { reason: 'contradicted', contradictions: [TODO] },
        { reason: 'nothing-changed', by: 'git' },
        { reason: 'gates-failed', gates: [failed] },
      ],
    ],
  ])('%s', ([, changes, denials]) => {
    expect(judged(changes)).toEqual({ accepted: false, denials });
  });
});

describe('the agent reads', () => {
  const how = 'write <promise>DONE</promise> alone on a line, outside of code blocks and quotations';
  test.for<[Denial, string]>([
    [
      { reason: 'no-promise', promise: 'DONE' },
      `Your message does not promise that the work is done. When all of it is, ${how}.`,
    ],
    [
      { reason: 'other-promise', promise: 'DONE', text: `do\nne${'x'.repeat(200)}`, line: 2 },
      `Line 2 of your message promises "do ne${'x'.repeat(94)}…", which is not the text that is expected here. When the work is done, ${how}, letter by letter.`,
    ],
    [
      { reason: 'malformed', promise: 'DONE', how: 'in-fence', line: 2 },
      `The promise in line 2 of your message does not count: it stands in a code block. When all of the work is done, ${how}.`,
    ],
    [
      { reason: 'contradicted', contradictions: [TODO] },
      'Your message promises that the work is done, and says that it is not:\n- line 3: TODO: docs\nDo what is left, and promise again when nothing is. If a line is out of date, or speaks of something else, say how it is now.',
    ],
    [
      { reason: 'contradicted', contradictions: Array.from({ length: 6 }, (_, n) => ({ ...TODO, line: n })) },
      'Your message promises that the work is done, and says that it is not:\n- line 0: TODO: docs\n- line 1: TODO: docs\n- line 2: TODO: docs\n- line 3: TODO: docs\n- line 4: TODO: docs\n- and 1 more line\nDo what is left, and promise again when nothing is. If a line is out of date, or speaks of something else, say how it is now.',
    ],
    [
      { reason: 'gates-failed', gates: [{ ...LINT, blocking: false }] },
      '1 gate of the project does not pass:\n- lint (it only warns elsewhere, and counts here)\nRepair the cause, not the gate.',
    ],
    [
      {
        reason: 'gates-failed',
        gates: Array.from({ length: 8 }, (_, n) => ({ ...LINT, name: `gate ${n}` })),
      },
      '8 gates of the project do not pass:\n- gate 0\n- gate 1\n- gate 2\n- gate 3\n- gate 4\n- and 3 more gates\nRepair the cause, not the gate.',
    ],
  ])('of $reason', ([denial, text]) => {
    expect(denialFeedback(denial)).toBe(text);
  });

  test.for<Denial>([
    { reason: 'malformed', promise: 'DONE', how: 'in-quotation', line: 2 },
    { reason: 'malformed', promise: 'DONE', how: 'not-alone', line: 2 },
    { reason: 'malformed', promise: 'DONE', how: 'not-closed', line: 2 },
    { reason: 'nothing-changed', by: 'git' },
    { reason: 'nothing-changed', by: 'message' },
    { reason: 'no-passing-tests' },
    { reason: 'no-approval' },
    { reason: 'no-gates' },
  ])('of %j what is wrong, and what to do', (denial) => {
    const text = denialFeedback(denial);
    expect(text).toMatch(/^[A-Za-z][^\n]*[.;:,] [^\n]*\.$/);
    // Who repeats it contradicts nothing.
    expect(findContradictions(text)).toEqual([]);
  });
});

describe('a person reads, of a denial', () => {
  const gate = { ...TESTS, passed: false };
  test.each<[Denial, string]>([
    [{ reason: 'no-promise', promise: 'X' }, 'the agent did not say that it is done'],
    [{ reason: 'other-promise', promise: 'X', text: 'x', line: 2 }, 'it promised "x", not X'],
    [
      { reason: 'malformed', promise: 'X', how: 'in-fence', line: 2 },
      'its promise does not count: it stands in a code block',
    ],
    [{ reason: 'contradicted', contradictions: [TODO] }, 'its message says otherwise: "TODO: docs"'],
    [{ reason: 'nothing-changed', by: 'git' }, 'git knows of no change'],
    [{ reason: 'nothing-changed', by: 'message' }, 'it names no change'],
    [{ reason: 'no-passing-tests' }, 'nothing shows that tests pass'],
    [{ reason: 'no-approval' }, 'it does not approve'],
    [{ reason: 'no-gates' }, 'there are no gates to prove it'],
    [{ reason: 'gates-failed', gates: [gate, { ...gate, name: 'b' }] }, 'gates do not pass: unit, b'],
  ])('%j', (denial, text) => {
    expect(denialSummary(denial)).toBe(text);
  });
});
