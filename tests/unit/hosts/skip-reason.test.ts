import { expect, test } from 'vitest';
import { readEvent } from '../../../src/hosts/hosts.ts';

const subagent = { type: 'subagent', agent_type: 'check', status: 'running' };
const qwenAgent = { id: 'general-purpose-call_1', agent_type: 'general-purpose', status: 'running' };
const shell = { type: 'shell', command: 'npm run dev', status: 'running' };
const one = 'it waits for 1 agent in the background';

test.each([
  ['an agent that runs', 'Stop', [subagent], one],
  ["an agent that runs, in Qwen's words", 'Stop', [qwenAgent], one],
  ['a workflow that runs', 'Stop', [{ type: 'workflow', status: 'running' }], one],
  ['an agent that has not begun', 'Stop', [{ ...subagent, status: 'pending' }], one],
  ['two of three', 'Stop', [subagent, shell, qwenAgent], 'it waits for 2 agents in the background'],
  ['an agent that is done', 'Stop', [{ ...subagent, status: 'completed' }], undefined],
  ['a shell, which may never end', 'Stop', [shell], undefined],
  ['none', 'Stop', [], undefined],
  ['what is no list', 'Stop', subagent, undefined],
  ['tasks that are none', 'Stop', [null, 5, 'x', [], {}], undefined],
  ['a subagent among those that run: itself', 'SubagentStop', [subagent], undefined],
])('%s in the background, at a %s', (_, name, tasks, skipReason) => {
  const event = { hook_event_name: name, agent_type: 'check', background_tasks: tasks };
  expect(readEvent(event, {})).toMatchObject({ event: { skipReason } });
});

test('an agent that a gate started is not judged: its stop would start the gate again', () => {
  expect(readEvent({ hook_event_name: 'Stop' }, { RALPH_LOOP: '1' })).toMatchObject({
    event: { skipReason: 'the agent was started by a gate' },
  });
});
