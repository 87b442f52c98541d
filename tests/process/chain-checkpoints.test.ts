import { describe, expect } from 'vitest';
import { restoreCheckpoint } from '../../src/checkpoint/restore.ts';
import { listCheckpoints } from '../../src/checkpoint/store.ts';
import { agentSession } from '../helpers/agent-session.ts';
import { gitProject } from '../helpers/git-project.ts';
import { type MakeProject, type Project, test } from '../helpers/project.ts';

const projectOf = (makeProject: MakeProject) => gitProject(makeProject, { 'a.txt': 'before' });
const sessionIn = ({ root, environment }: Project) => agentSession(root, { env: environment });
const kindsIn = async ({ root, environment }: Project) => {
  const listed = await listCheckpoints(root, environment);
  return listed.ok ? listed.value.map(({ kind }) => kind) : listed;
};

describe.concurrent('a chain with rollback:true', () => {
  test('restores its checkpoint at the last attempt, and rescues the work', async ({ makeProject }) => {
    const project = projectOf(makeProject);
    const { submits, stops } = sessionIn(project);
    await submits('x :: verify:"false" max:1 rollback:true');
    project.write({ 'a.txt': 'after', 'new.txt': 'new' });
    const { toPerson = '' } = (await stops()) as { toPerson?: string };
    expect(project.read('a.txt')).toBe('before');
    expect(project.has('new.txt')).toBe(false);
    const [, rescue = ''] = /ralph-loop checkpoint restore (\w+)/.exec(toPerson) ?? [];
    await restoreCheckpoint(project.root, rescue, { now: new Date(), env: project.environment });
    expect([project.read('a.txt'), project.read('new.txt')]).toEqual(['after', 'new']);
  });

  test('keeps the work when it passes, and drops the checkpoint', async ({ makeProject }) => {
    const project = projectOf(makeProject);
    const { submits, stops } = sessionIn(project);
    await submits('x :: verify:"true" rollback:true');
    project.write({ 'a.txt': 'after' });
    expect(await stops()).toMatchObject({ toPerson: 'ralph-loop: `true` passed.' });
    expect(project.read('a.txt')).toBe('after');
    expect(await kindsIn(project)).toEqual([]);
  });

  test('restores its checkpoint when it is aborted, and keeps only the rescue', async ({ makeProject }) => {
    const project = projectOf(makeProject);
    const { submits } = sessionIn(project);
    await submits('x :: verify:"false" rollback:true');
    project.write({ 'a.txt': 'after' });
    const { context } = await submits(':: gate_action:abort');
    expect(context).toContain('The working tree was rolled back');
    expect(project.read('a.txt')).toBe('before');
    expect(await kindsIn(project)).toEqual(['rescue']);
  });

  test('restores its checkpoint when it is verified once and fails', async ({ makeProject }) => {
    const project = projectOf(makeProject);
    const { submits, stops } = sessionIn(project);
    await submits('x :: verify:"false" loop:false rollback:true');
    project.write({ 'a.txt': 'after' });
    expect(await stops()).toMatchObject({
      toPerson: expect.stringContaining('The working tree was rolled back'),
    });
    expect(project.read('a.txt')).toBe('before');
  });
});

describe.concurrent('a chain with checkpoint:true', () => {
  test('that is replaced keeps its checkpoint, whose id the agent gets', async ({ makeProject }) => {
    const project = projectOf(makeProject);
    const { submits } = sessionIn(project);
    const { chain } = await submits('x :: verify:"false" checkpoint:true');
    const { context } = await submits('y :: verify:"true"');
    expect(context).toContain(`ralph-loop checkpoint restore ${chain.checkpoint}`);
  });

  test('that cannot be saved drops its checkpoint', async ({ makeProject }) => {
    const project = projectOf(makeProject);
    project.write({ '.trellis': 'not a directory' });
    expect(await sessionIn(project).isRefused('x :: verify:"false" checkpoint:true')).toContain(
      'The gates cannot be saved',
    );
    expect(await kindsIn(project)).toEqual([]);
  });
});
