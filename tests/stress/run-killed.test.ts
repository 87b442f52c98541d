import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { ralphLoop, startRalphLoop } from '../helpers/bin.ts';
import { eventually } from '../helpers/eventually.ts';
import { git, gitProject } from '../helpers/git-project.ts';
import { test, worktreeYaml } from '../helpers/project.ts';
import {
  AGENT_COMMAND,
  iterationsOf,
  promise,
  RUN,
  scriptedAgent,
  startsOf,
} from '../helpers/scripted-agent.ts';
import { sleepLong } from '../helpers/shell-commands.ts';

const SPEC = { 'spec.md': 'Write the program.\n' };
const KILLS = 50;
/** About as long as the program needs to start and to run two iterations. The assertions hold for any value. */
const LONGEST_MS = 500;

test('an agent run that is killed at 50 random moments counts every iteration once', async ({
  makeProject,
}) => {
  const project = gitProject(makeProject, {
    ...SPEC,
    'worktree.yaml': `ralph:\n  coder: {max_iterations: 1000}\n${worktreeYaml(['{ name: test, run: test -e ../home/done }'])}`,
    ...scriptedAgent(`date +%N >> work.txt; ${promise()}`),
  });
  let args: readonly string[] = [...RUN, ...AGENT_COMMAND];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const run = startRalphLoop(project, args);
    await pause(Math.random() * LONGEST_MS);
    run.kill('SIGKILL');
    await run;
    if (project.has('@/promise-TASK-001.json')) args = ['run', '--resume', 'TASK-001'];
  }
  project.write({ '../home/done': '' });
  const { exitCode, stderr } = await ralphLoop(project, args);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });

  const logged = iterationsOf(project).map(({ ralph_iteration }) => ralph_iteration);
  const starts = startsOf(project);
  expect(logged).toEqual(logged.map((_, index) => index + 1));
  expect(starts).toEqual([...new Set(starts)].toSorted((a, b) => a - b));
  expect(logged).toEqual(expect.arrayContaining(starts));
  expect(starts.length).toBeGreaterThan(0);
});

test('one of ten processes that start an agent run of a task at once runs it, and the others leave no files behind', async ({
  makeProject,
}) => {
  const project = gitProject(makeProject, { ...SPEC, ...scriptedAgent(sleepLong('../home/a.pid')) });
  const runs = Array.from({ length: 10 }, () =>
    startRalphLoop(project, [...RUN, '--checkpoint', ...AGENT_COMMAND]),
  );
  await project.pidIn('../home/a.pid');
  let refused = 0;
  for (const run of runs) run.then(({ exitCode }) => (refused += exitCode === 2 ? 1 : 0));
  await eventually('nine processes are refused', () => refused === 9);
  await ralphLoop(project, ['cancel', 'TASK-001']);
  const ended = await Promise.all(runs);
  expect(ended.map(({ exitCode }) => exitCode).toSorted()).toEqual([130, ...Array(9).fill(2)]);
  expect(startsOf(project)).toEqual([1]);
  expect(git(project, 'for-each-ref', 'refs/ralph').trim().split('\n')).toHaveLength(1);
});
