import { describe, expect, test } from 'vitest';
import { agentRunEndText, agentRunLines, iterationLine } from '../../../src/messages/agent-run.ts';
import { plain } from '../../../src/messages/paint.ts';
import { reportAgentRun } from '../../../src/state/agent-run.ts';
import { agentRunOf, noPromiseRecord } from '../../helpers/agent-run.ts';

describe('the status of an agent run shows', () => {
  const last = noPromiseRecord('the agent did not say that it is done');
  test.for([
    [
      'that its process was killed',
      {},
      false,
      'its process was killed; resume with: ralph-loop run --resume TASK-001',
    ],
    ['that no iteration is running', {}, true, 'between two iterations'],
    ['that the agent is running', { activity: { kind: 'agent' } }, true, 'the agent is running'],
    [
      'which gate is running',
      { activity: { kind: 'gate', name: 'test' } },
      true,
      'its gates are running: test',
    ],
    [
      'how to resume it',
      { status: 'interrupted' },
      false,
      'interrupted; resume with: ralph-loop run --resume TASK-001',
    ],
    ['that it is verified', { status: 'passed', cost_usd: 0.6 }, false, 'verified (3 iterations, $0.60)'],
    [
      'why it failed',
      { status: 'failed', failure: 'budget', last },
      false,
      'not verified: max_cost_usd exceeded (the agent did not say that it is done)',
    ],
    ['that it was cancelled', { status: 'cancelled' }, false, 'cancelled'],
  ] as const)('%s', ([, fields, driven, line]) => {
    const run = reportAgentRun(agentRunOf(fields as never), driven, new Date('2026-01-31T10:35:23Z'));
    expect(agentRunLines([run], plain)).toEqual([
      'Run       TASK-001 (coder): iteration 3/15, started 5 min ago',
      `          ${line}`,
    ]);
  });
});

describe('the line of an iteration shows', () => {
  test.for([
    ['the result', {}, '✗ coder 2/15 (0.1 s) no promise: why'],
    ['the cost', { outcome: 'accepted', cost_usd: 0.3 }, '✓ coder 2/15 (0.1 s, $0.30) promise kept'],
    ['an interruption without a reason', { outcome: 'interrupted' }, '✗ coder 2/15 (0.1 s) interrupted'],
  ] as const)('%s', ([, fields, line]) => {
    expect(iterationLine(agentRunOf({ last: { ...noPromiseRecord('why'), ...fields } }), plain)).toBe(line);
  });
});

describe('the last line of an agent run shows', () => {
  test.for([
    ['that it is verified', { status: 'passed' }, 'TASK-001 verified (3 iterations).'],
    [
      'no iterations of a run with several stages',
      { status: 'passed', stages: ['coder', 'qa'] },
      'TASK-001 verified.',
    ],
    [
      'why it failed, and its cost',
      { status: 'failed', failure: 'cap', cost_usd: 1 },
      'TASK-001 not verified: iteration limit reached (coder, iteration 3/15, $1.00).',
    ],
    ['that it was cancelled', { status: 'cancelled' }, 'Cancelled Ralph loop for TASK-001 at iteration 3/15'],
    [
      'how to resume it',
      { status: 'interrupted' },
      'TASK-001 interrupted (coder, iteration 3/15); all processes have been ended. Resume with: ralph-loop run --resume TASK-001',
    ],
  ] as const)('%s', ([, fields, text]) => {
    expect(agentRunEndText(agentRunOf(fields))).toBe(text);
  });
});
