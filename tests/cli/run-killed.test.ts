import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { ralphLoop, startRalphLoop } from '../helpers/bin.ts';
import { gitProject } from '../helpers/git-project.ts';
import { test, worktreeYaml } from '../helpers/project.ts';
import { AGENT_COMMAND, iterationsOf, promise, scriptedAgent, startsOf } from '../helpers/scripted-agent.ts';

const KILLS = 50;
/** About as long as the program takes to start and to drive two iterations; what holds, holds whatever it is. */
const LONGEST_MS = 500;

test('a loop that is killed at any moment, over and over, counts every iteration once', async ({
  makeProject,
}) => {
  const project = gitProject(makeProject, {
    'spec.md': 'Write the program.\n',
    'worktree.yaml': `ralph:\n  coder: {max_iterations: 1000}\n${worktreeYaml(['{ name: test, run: test -e ../home/done }'])}`,
    ...scriptedAgent(`date +%N >> work.txt; ${promise()}`),
  });
  let args: readonly string[] = ['run', '--task', 'TASK-001', '--prompt-file', 'spec.md', ...AGENT_COMMAND];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const run = startRalphLoop(project, args);
    await pause(Math.random() * LONGEST_MS);
    run.kill('SIGKILL');
    await run;
    if (project.has('.trellis/.ralph/promise-TASK-001.json')) args = ['run', '--resume', 'TASK-001'];
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
