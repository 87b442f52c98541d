import { expect } from 'vitest';
import { plain } from '../../../src/messages/paint.ts';
import { readProjectStatus, statusText } from '../../../src/report/status.ts';
import { agentRunOf } from '../../helpers/agent-run.ts';
import { chainOf, step } from '../../helpers/chain.ts';
import { test, trellisFiles } from '../../helpers/project.ts';
import { checkStops, hookAnswers, mainStops } from '../../helpers/stops.ts';
import { verifyGate } from '../../helpers/typed-prompt.ts';

const CLAUDE = { env: { CLAUDECODE: '1' } };
const chain = chainOf({ session: null, steps: [step('x', verifyGate('touch ran'))] });
const FOREIGN = {
  [`.trellis/.ralph/chain-${chain.id}.json`]: JSON.stringify(chain),
  '.trellis/.ralph/promise-TASK-001.json': JSON.stringify(agentRunOf()),
  '.trellis/.ralph/loop-session-1.main.json':
    '{"task":"session:session-1/main","iteration":4,"started_at":null}',
  '.trellis/.ralph/failed-task.json': '{"task":null,"iteration":1,"tree":null,"gates":[]}',
};

test('state that a repository brings runs nothing at a stop', async ({ makeProject }) => {
  const project = makeProject({ 'README.md': '', ...FOREIGN });

  expect(await hookAnswers(project, mainStops(project, { session_id: 'foreign' }), CLAUDE)).toEqual({});
  expect(project.has('ran')).toBe(false);
});

test('state that a repository brings decides nothing, and the person reads that', async ({ makeProject }) => {
  const project = makeProject({ 'worktree.yaml': 'verify:\n  - false\n', ...FOREIGN });
  const { reason, systemMessage } = await hookAnswers(
    project,
    mainStops(project, { session_id: 'session-1' }),
    CLAUDE,
  );

  expect(reason).toMatch(/^Iteration 1\/5\./);
  expect(systemMessage).toBe(
    'ralph-loop: ignored .trellis/.ralph/chain-k3x9-7f2a.json and 3 other files: state in the repository decides nothing. To remove it: ralph-loop reset --all',
  );
  expect(project.has('ran')).toBe(false);
});

test('status names the state that a repository brings', async ({ makeProject }) => {
  const project = makeProject({ ...trellisFiles(['true']), ...FOREIGN });
  const status = await readProjectStatus(project.root, new Date());
  const text = statusText(status, { from: project.root, now: new Date(), paint: plain });

  expect({ chains: status.chains, runs: status.promise_loops, loops: status.loops }).toEqual({
    chains: [],
    runs: [],
    loops: [],
  });
  for (const path of Object.keys(FOREIGN)) expect(text).toContain(`ignored ${path}: `);
});

test('a stop that passes reports the state that a repository brings, too', async ({ makeProject }) => {
  const project = makeProject({ ...trellisFiles(['true']), ...FOREIGN });

  expect((await hookAnswers(project, checkStops(project), CLAUDE)).systemMessage).toMatch(
    /1 gate passed in .*; ignored /,
  );
});
