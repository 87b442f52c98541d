import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { restoreCheckpoint } from '../../src/checkpoint/restore.ts';
import { listCheckpoints } from '../../src/checkpoint/store.ts';
import { agentSession } from '../helpers/agent-session.ts';
import { chainOf } from '../helpers/chain.ts';
import { git, gitProject } from '../helpers/git-project.ts';
import { logRecord } from '../helpers/log-record.ts';
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

  test('restores its checkpoint when it is aborted after a failed run, and keeps only the rescue', async ({
    makeProject,
  }) => {
    const project = projectOf(makeProject);
    const { submits, stops } = sessionIn(project);
    await submits('x :: verify:"false" rollback:true');
    project.write({ 'a.txt': 'after' });
    await stops();
    const { context } = await submits(':: gate_action:abort');
    expect(context).toContain('The working tree was rolled back');
    expect(project.read('a.txt')).toBe('before');
    expect(await kindsIn(project)).toEqual(['rescue']);
  });

  test.for([
    { what: 'was edited since the last run', fails: true, change: { 'a.txt': 'fixed' } },
    { what: 'was edited outside of the project since', fails: true, change: { '../mine.txt': 'fixed' } },
    { what: 'may have been edited by a person, since nothing ran', fails: false, change: { 'a.txt': 'x' } },
  ])(
    'is not rolled back when it is aborted and the tree $what',
    async ({ fails, change }, { makeProject }) => {
      const repository = gitProject(makeProject, { 'sub/a.txt': 'before' });
      const project = { ...repository, root: repository.path('sub') };
      const { submits, stops } = sessionIn(project);
      const { chain } = await submits('x :: verify:"false" rollback:true');
      if (fails) await stops();
      for (const [file, text] of Object.entries(change)) writeFileSync(join(project.root, file), text);
      const { context } = await submits(':: gate_action:abort');
      expect(context).toContain('The working tree was not rolled back');
      expect(context).toContain(`ralph-loop checkpoint restore ${chain.checkpoint}`);
      for (const [file, text] of Object.entries(change))
        expect(readFileSync(join(project.root, file), 'utf8')).toBe(text);
    },
  );

  test.for(['abort', 'retry', 'skip'] as const)(
    'that was rolled back keeps what a person committed and edited since then, after %s',
    async (action, { makeProject }) => {
      const project = projectOf(makeProject);
      const { submits, stops } = sessionIn(project);
      await submits('x :: verify:"false" max:1 rollback:true --> y :: verify:"false" max:1 rollback:true');
      project.write({ 'a.txt': 'after' });
      await stops();
      project.write({ 'mine.txt': 'mine', 'a.txt': 'fixed' });
      git(project, 'add', '--all');
      git(project, 'commit', '-m', 'mine');
      project.write({ 'a.txt': 'fixed again' });
      const { context } = await submits(`:: gate_action:${action}`);
      expect(context).not.toContain('rolled back');
      if (action !== 'abort') {
        project.write({ 'a.txt': 'after', 'mine.txt': 'theirs' });
        expect(await stops()).toMatchObject({ toPerson: expect.stringContaining('was rolled back') });
      }
      expect([project.read('mine.txt'), project.read('a.txt')]).toEqual(['mine', 'fixed again']);
    },
  );

  test.for([
    {
      what: 'of another session is in progress',
      files: { '@/chain-k3x9-7f2a.json': JSON.stringify(chainOf({ session: 'b' })) },
      is: 'k3x9-7f2a',
    },
    {
      what: 'has passed since',
      files: {
        '.trellis/.ralph/log.jsonl': `${JSON.stringify(logRecord({ time: '2999-01-01T00:00:00Z', task: 'chain:b', answer: 'allow', why: 'verified' }))}\n`,
      },
      is: 'chain b',
    },
  ])('is not rolled back when a chain $what', async ({ files, is }, { makeProject }) => {
    const project = projectOf(makeProject);
    const { submits, stops } = sessionIn(project);
    await submits('x :: verify:"false" max:1 rollback:true');
    project.write({ 'a.txt': 'after', ...files });
    expect(await stops()).toMatchObject({ toPerson: expect.stringContaining(is) });
    expect(project.read('a.txt')).toBe('after');
  });

  test('names the commits that the agent made, and the branch that it left', async ({ makeProject }) => {
    const project = projectOf(makeProject);
    const { submits, stops } = sessionIn(project);
    await submits('x :: verify:"false" max:1 rollback:true');
    const head = git(project, 'rev-parse', '--short=7', 'HEAD').trim();
    git(project, 'checkout', '--quiet', '-b', 'other');
    git(project, 'commit', '--allow-empty', '-m', 'bad');
    expect(await stops()).toMatchObject({
      toPerson: expect.stringMatching(new RegExp(`it was on main at ${head}(.|\\n)*: git switch main`)),
    });
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
    const state = dirname(project.path('@/chain.json'));
    mkdirSync(dirname(state), { recursive: true });
    writeFileSync(state, 'not a directory');
    expect(await sessionIn(project).isRefused('x :: verify:"false" checkpoint:true')).toContain(
      'The gates cannot be saved',
    );
    expect(await kindsIn(project)).toEqual([]);
  });
});
