import { describe, expect } from 'vitest';
import { ralphLoop, startRalphLoop } from '../helpers/bin.ts';
import { eventually } from '../helpers/eventually.ts';
import { gitProject } from '../helpers/git-project.ts';
import { test, worktreeYaml } from '../helpers/project.ts';
import { waitFor } from '../helpers/puppets.ts';
import { AGENT_COMMAND, promise, RUN, scriptedAgent, startsOf, WORK } from '../helpers/scripted-agent.ts';

const STATE = '.trellis/.ralph/promise-TASK-001.json';
const files = (...scripts: readonly string[]) => ({
  'spec.md': 'Write the program.\n',
  'worktree.yaml': `ralph:\n  coder: {max_iterations: 2}\n${worktreeYaml(['{ name: test, run: test -e done.txt }'])}`,
  ...scriptedAgent(...scripts),
});
const EDIT = 'sed -i.old';

describe.concurrent('an agent that', () => {
  test.for([
    { does: 'sets its count back', script: `${EDIT} 's/"iteration": [0-9]*/"iteration": 0/' ${STATE}` },
    { does: 'writes that it has passed', script: `${EDIT} 's/"running"/"passed"/' ${STATE}` },
    { does: 'corrupts the state', script: `echo '{"id": 7' > ${STATE}` },
    { does: 'removes all untracked files', script: 'git clean -qfdx' },
  ])('$does still reaches its iteration limit', async ({ script }, { makeProject }) => {
    const project = gitProject(makeProject, files(`${script}; ${WORK}`));
    const { exitCode, stdout } = await ralphLoop(project, [...RUN, ...AGENT_COMMAND]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('TASK-001 not verified: iteration limit reached (coder, iteration 2/2).');
    expect(startsOf(project)).toEqual([1, 2]);
  });

  test.for([
    { does: 'removes the config', script: 'rm worktree.yaml' },
    { does: 'switches a gate off', script: `${EDIT} 's/run: test/enabled: false, run: test/' worktree.yaml` },
    { does: 'makes a gate easier', script: `${EDIT} 's/-e done.txt/1/' worktree.yaml` },
    {
      does: 'makes a gate a warning',
      script: `${EDIT} 's/run: test/blocking: false, run: test/' worktree.yaml`,
    },
  ])('$does has not passed it', async ({ script }, { makeProject }) => {
    const project = gitProject(makeProject, files(`${script}; ${WORK}`));
    const { exitCode, stdout } = await ralphLoop(project, [...RUN, ...AGENT_COMMAND]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('promise not kept: gates were removed or changed since the loop began: test');
    expect(project.read('.trellis/.ralph/output/promise-TASK-001/coder-2.md')).toContain(
      'Put them back as they were',
    );
  });

  test('adds a gate has to pass it, too', async ({ makeProject }) => {
    const more = `echo '  - test -e more.txt' >> worktree.yaml; touch done.txt; ${WORK}`;
    const project = gitProject(makeProject, files(more, `touch more.txt; ${promise()}`));
    expect((await ralphLoop(project, [...RUN, ...AGENT_COMMAND])).exitCode).toBe(0);
    expect(startsOf(project)).toEqual([1, 2]);
  });

  test('removes its specification is told it all the same', async ({ makeProject }) => {
    const project = gitProject(makeProject, files(`rm spec.md; ${WORK}`));
    await ralphLoop(project, [...RUN, ...AGENT_COMMAND]);
    expect(project.read('.trellis/.ralph/output/promise-TASK-001/coder-2.md')).toContain(
      'Write the program.',
    );
  });

  test('makes the state unwritable ends the loop, which says what to do', async ({ makeProject }) => {
    const project = gitProject(makeProject, files('rm -r .trellis/.ralph; touch .trellis/.ralph'));
    const { exitCode, stderr } = await ralphLoop(project, [...RUN, ...AGENT_COMMAND]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /^ralph-loop: the state of TASK-001 cannot be written: .*go on with: ralph-loop run --resume TASK-001$/m,
    );
  });

  test('removes the state can be cancelled nevertheless', async ({ makeProject }) => {
    const project = gitProject(
      makeProject,
      files(`rm -r .trellis; touch ../home/removed; ${waitFor('../home/never')}`),
    );
    const run = startRalphLoop(project, [...RUN, ...AGENT_COMMAND]);
    await project.appears('../home/removed');
    await eventually('it is to be cancelled', () => project.has(STATE));
    expect((await ralphLoop(project, ['cancel', 'TASK-001'])).exitCode).toBe(0);
    expect((await run).exitCode).toBe(130);
  });
});
