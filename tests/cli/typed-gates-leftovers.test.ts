import { readdirSync, utimesSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { type Project, test } from '../helpers/project.ts';
import { chains, commitAll, readChain, stops, typed } from '../helpers/typed-gates.ts';

/** What is kept of chains: their files, what failed, and what was printed. */
const kept = (project: Project): string[] =>
  ['.trellis/.ralph', '.trellis/.ralph/output']
    .flatMap((directory) => (project.has(directory) ? readdirSync(project.path(directory)) : []))
    .filter((name) => /^(?:failed-)?chain-/.test(name));

const checkpoints = async (project: Project) => (await ralphLoop(project, ['checkpoint', 'list'])).stdout;

describe.concurrent('nothing is left of a chain', () => {
  const FAILS = 'x :: verify:"echo no; test -e good" max:1';

  test.for([
    [
      'holds at last',
      FAILS.replace('max:1', 'max:2'),
      (project: Project) => {
        project.write({ good: '' });
        return stops(project);
      },
    ],
    ['is skipped', FAILS, (project: Project) => ralphLoop(project, ['gate', 'skip'])],
    ['is called off', FAILS, (project: Project) => typed(project, ':: gate_action:abort')],
  ] as const)('that %s', async ([, prompt, end], { makeProject }) => {
    const project = makeProject();
    await typed(project, prompt);
    await stops(project);
    expect(kept(project)).toHaveLength(3);
    await end(project);
    expect(kept(project)).toEqual([]);
  });

  test('that gave way to another', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, FAILS);
    await stops(project);
    await typed(project, 'y :: verify:"true"');
    expect(kept(project)).toEqual(chains(project));
  });

  test('that was run once, a day later: "why" tells of it until then', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, 'x :: verify:"echo no; exit 3" loop:false');
    await stops(project);
    expect((await ralphLoop(project, ['why'])).stdout).toContain('exit 3');
    await typed(project, 'y :: verify:"true"');
    const left = kept(project).filter((name) => !chains(project).includes(name));
    expect(left).toHaveLength(2);
    const old = new Date(Date.now() - 25 * 3_600_000);
    for (const name of left)
      utimesSync(
        project.path(`.trellis/.ralph/${name.startsWith('failed') ? '' : 'output/'}${name}`),
        old,
        old,
      );
    await typed(project, 'z :: verify:"true"');
    expect(kept(project)).toEqual(chains(project));
  });
});

describe.concurrent('the checkpoint of a chain', () => {
  test('that is called off and rolled back goes; what was there is kept', async ({ makeProject }) => {
    const project = makeProject({ 'a.txt': 'before' });
    commitAll(project);
    await typed(project, 'x :: verify:"false" rollback:true');
    project.write({ 'a.txt': 'after' });
    const { context } = await typed(project, ':: gate_action:abort');
    expect(context).toContain('The working tree was rolled back');
    expect(await checkpoints(project)).toMatch(/^ID.*\n\S+ .* rescue .*\n$/);
  });

  test('that gave way to another is told of', async ({ makeProject }) => {
    const project = makeProject({ 'a.txt': 'before' });
    commitAll(project);
    await typed(project, 'x :: verify:"false" checkpoint:true');
    const { checkpoint } = readChain(project);
    const { context } = await typed(project, 'y :: verify:"true"');
    expect(context).toContain(`ralph-loop checkpoint restore ${checkpoint}`);
  });

  test('that cannot be kept goes', async ({ makeProject }) => {
    const project = makeProject({ '.trellis': 'no directory' });
    commitAll(project);
    const { reason } = await typed(project, 'x :: verify:"false" checkpoint:true');
    expect(reason).toContain('The gates cannot be kept');
    expect(await checkpoints(project)).not.toContain('loop');
  });

  test('that is run once is rolled back to, where its command fails', async ({ makeProject }) => {
    const project = makeProject({ 'a.txt': 'before' });
    commitAll(project);
    await typed(project, 'x :: verify:"false" loop:false rollback:true');
    project.write({ 'a.txt': 'after' });
    expect((await stops(project)).systemMessage).toContain('The working tree was rolled back');
    expect(project.read('a.txt')).toBe('before');
  });
});
