import { describe, expect, test } from 'vitest';
import { readAgentRun, unusableAgentRun } from '../../../src/state/agent-run.ts';
import { agentRunFile, agentRunOf } from '../../helpers/agent-run.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const RUN = agentRunOf({ driver: { pid: 4711, started: '1' }, agent: { pid: 4712, started: null } });

describe('the state file of an agent run is refused as unusable with', () => {
  const identity = (pid: unknown, started: unknown = null) => ({ pid, started });
  test.for([
    ...[
      '',
      'PATH=',
      '../x',
      'short',
      'with a blank',
      'colon:colon',
      'x'.repeat(65),
      'newline\n',
      7,
      null,
      ['abcdefgh'],
    ].map((id) => ({ id })),
    ...[-1, 0, 1, -4711, 1.5, '4711', true, [4711], null, 2 ** 31, 2 ** 40, 1e300].flatMap((pid) => [
      { driver: identity(pid) },
      { agent: identity(pid, '1') },
    ]),
    { driver: identity(4711, 5) },
    { agent: { pid: 4711 } },
    { driver: 4711 },
    { agent: undefined },
    { stage: 5 },
  ])('%j', (fields) => {
    const root = temporaryTree(agentRunFile({ ...RUN, ...(fields as object) }));
    expect(readAgentRun(root, 'TASK-001')).toBeUndefined();
    expect(unusableAgentRun(root, 'TASK-001')).toBe(
      `${'.trellis/.ralph/promise-TASK-001.json'} is not the state of an agent run: no process was ended. To remove it: ralph-loop reset`,
    );
  });
});

test('the state file of an agent run is read as it was written', () => {
  const root = temporaryTree(agentRunFile(RUN));
  expect(readAgentRun(root, 'TASK-001')).toEqual(RUN);
  expect(unusableAgentRun(root, 'TASK-001')).toBeUndefined();
  expect(unusableAgentRun(root, 'TASK-002')).toBeUndefined();
});
