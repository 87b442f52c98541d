import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { canBeOtherUser, makeReadOnly, ralphLoopAsOther } from '../helpers/other-user.ts';
import { type Project, test } from '../helpers/project.ts';
import { answerOf, hookAnswers, mainStops } from '../helpers/stops.ts';
import { CLAUDE_CODE, chains, commitAll, readChain, stops, typed, types } from '../helpers/typed-gates.ts';

describe.concurrent('the chain of a session is found', () => {
  test.for([
    ['a directory of the repository', { git: true }, {}],
    ['a directory where there is no repository', { git: false }, {}],
    ['a repository inside of the project', { git: true }, { 'inner/.git/HEAD': 'ref: refs/heads/main\n' }],
    ['a project of its own inside of it', { git: true }, { 'inner/worktree.yaml': 'verify: [echo]\n' }],
  ] as const)('where the agent stops in %s', async ([, options, files], { makeProject }) => {
    const project = makeProject({ 'inner/a.txt': '', ...files }, options);
    await typed(project, 'x :: verify:"false"');
    const { reason } = await stops(project, { cwd: project.path('inner') });
    expect(reason).toContain('Command failed: false');
  });

  test('and no other session takes one that lies above its project', async ({ makeProject }) => {
    const project = makeProject({ 'inner/.git/HEAD': 'ref: refs/heads/main\n' });
    await typed(project, 'x :: verify:"false"');
    project.write({
      [`.trellis/.ralph/${chains(project)[0]}`]: JSON.stringify({ ...readChain(project), session: null }),
    });
    expect(await stops(project, { cwd: project.path('inner') })).toEqual({});
  });
});

test('a directory that is gone is not made again', async ({ makeProject }) => {
  const project = makeProject({}, { git: false });
  const cwd = project.path('gone');
  const { reason } = await hookAnswers(project, types(project, 'x :: verify:"true"', { cwd }), CLAUDE_CODE);
  expect(reason).toContain(`there is no directory ${cwd}`);
  expect(project.has('gone')).toBe(false);
});

test('thousands of mistakes are told by the first ones', async ({ makeProject }) => {
  const { reason = '' } = await typed(makeProject(), 'x :: verify:"a\n'.repeat(3000));
  expect(reason).toContain('and 2990 more');
  expect(reason.length).toBeLessThan(3000);
});

describe.concurrent('a chain whose file is not what it shall be is passed over:', () => {
  test.for([
    ['half of it', (text: string) => text.slice(0, 90)],
    ['without a list', (text: string) => text.replace('"unverified"', '"verified"')],
    ['with a step of nothing', (text: string) => text.replace('"steps": [', '"steps": [null,')],
    ['with a command of nothing', (text: string) => text.replace('"command": "false"', '"command": null')],
    ['with a step that it has not', (text: string) => text.replace('"step": 0', '"step": 9')],
  ] as const)('%s', async ([, broken], { makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify: [echo]\n' });
    await typed(project, 'x :: verify:"false"');
    const path = `.trellis/.ralph/${chains(project)[0]}`;
    const text = project.read(path);
    project.write({ [path]: broken(text) });
    expect(project.read(path)).not.toBe(text);
    const { exitCode, stdout } = await ralphLoop(project, ['status']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.not.stringContaining('Chain ') });
    expect((await stops(project)).systemMessage).toContain('1 gate passed');
  });
});

test('a command that removes all that git ignores does not remove its chain', async ({ makeProject }) => {
  const project = makeProject({ 'a.txt': '' });
  commitAll(project);
  await typed(project, 'x :: verify:"git clean -fdxq; test -e repaired" max:2');
  expect((await stops(project)).reason).toMatch(/^Iteration 1\/2\./);
  expect((await stops(project)).systemMessage).toContain('limit of 2 attempts reached');
});

describe.runIf(canBeOtherUser)('a project that cannot be written', () => {
  const asks = async (project: Project, event: object) =>
    answerOf(await ralphLoopAsOther(project, ['hook', '--host', 'claude-code'], JSON.stringify(event)));

  test('gate abort fails with the error of the system', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, 'x :: verify:"false"');
    makeReadOnly(project);
    expect(await asks(project, types(project, ':: gate_action:abort'))).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('EACCES'),
    });
    const { exitCode, stderr } = await ralphLoopAsOther(project, ['gate', 'abort']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/^Cannot abort chain .*EACCES/),
    });
  });

  test("the project's own gates are judged all the same", async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify: [test -e own]\n' });
    await typed(project, 'x :: verify:"false"');
    makeReadOnly(project);
    expect(await asks(project, mainStops(project))).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('Command failed: test -e own'),
      systemMessage: expect.stringContaining('typed gates'),
    });
  });
});
