import { readdirSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { eventually } from '../helpers/eventually.ts';
import { type Project, test } from '../helpers/project.ts';
import { sleepLong } from '../helpers/puppets.ts';
import { hookAnswers, logOf, mainStops, startHook } from '../helpers/stops.ts';
import { CLAUDE_CODE, chains, commitAll, readChain, stops, typed, types } from '../helpers/typed-gates.ts';

describe.concurrent('a gate that is typed', () => {
  test('is shown to the agent, and blocks until it passes', async ({ makeProject }) => {
    const project = makeProject();
    const { context } = await typed(project, 'fix the bug :: verify:"test -e repaired" max:3');
    expect(context).toContain('`test -e repaired` exits with 0 (3 attempts, 300 s each)');
    const first = await stops(project);
    expect(first).toMatchObject({ decision: 'block', reason: expect.stringMatching(/^Iteration 1\/3\./) });
    expect(first.reason).toContain('Command failed: test -e repaired');
    project.write({ repaired: '' });
    expect(await stops(project)).toEqual({ systemMessage: 'ralph-loop: `test -e repaired` passed.' });
    expect(chains(project)).toEqual([]);
    expect(await stops(project)).toEqual({});
  });

  test('allows the stop after its attempts, and waits for the user', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, 'fix it :: verify:"echo no; exit 3" max:2');
    expect((await stops(project)).decision).toBe('block');
    const given = await stops(project);
    expect(given.decision).toBeUndefined();
    expect(given.systemMessage).toMatch(
      /limit of 2 attempts reached: `echo no; exit 3` failed with exit code 3\. Type ":: gate_action:retry"/,
    );
    // Nothing is run any more until somebody says what is to be.
    expect(await stops(project)).toEqual({});
    expect((await typed(project, ':: gate_action:retry')).context).toContain(
      'The attempts start again at 1.',
    );
    expect((await stops(project)).reason).toMatch(/^Iteration 1\/2\./);
    await typed(project, ':: gate_action:abort');
    expect(chains(project)).toEqual([]);
  });

  test('is for its session, and for its main agent alone', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, 'fix it :: verify:"false"');
    expect(await stops(project, { session_id: 'another' })).toEqual({});
    const subagent = { hook_event_name: 'SubagentStop', agent_type: 'check', agent_id: 'a' };
    expect(await stops(project, subagent)).toEqual({});
    expect((await stops(project)).decision).toBe('block');
  });

  test('gives way to what is typed next', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, 'one :: verify:"echo first; false"');
    expect((await stops(project)).reason).toContain('echo first');
    await typed(project, 'two :: verify:"echo second; false"');
    expect((await stops(project)).reason).toContain('echo second');
    expect(chains(project)).toHaveLength(1);
    expect(readdirSync(project.path('.trellis/.ralph/output'))).toHaveLength(1);
  });

  test('with loop:false is run once, and told', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, 'try :: verify:"exit 4" loop:false');
    expect(await stops(project)).toEqual({ systemMessage: 'ralph-loop: `exit 4` failed with exit code 4.' });
    expect(await stops(project)).toEqual({});
  });

  test("comes before the project's own gates, which are judged once it holds", async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify:\n  - test -e own\n' });
    await typed(project, 'fix it :: verify:"test -e typed"');
    expect((await stops(project)).reason).toContain('Command failed: test -e typed');
    project.write({ typed: '' });
    expect((await stops(project)).reason).toContain('Command failed: test -e own');
    project.write({ own: '' });
    expect(await stops(project)).toMatchObject({ systemMessage: expect.stringContaining('1 gate passed') });
  });

  test('does not see secrets, unless the config passes them on', async ({ makeProject }) => {
    const project = makeProject();
    const env = { CLAUDECODE: '1', API_TOKEN: 'abcdefgh-1234', PLAIN: 'seen' };
    const prompt = ':: verify:"echo [$API_TOKEN] [$PLAIN]; exit 1"';
    await typed(project, `x ${prompt}`);
    const { reason } = await hookAnswers(project, mainStops(project), { env });
    expect(reason).toContain('\n[] [seen]\n');
  });

  test('does not hang on a command that reads, and tells one that is missing', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, 'x :: verify:"cat; no-such-program"');
    expect((await stops(project)).reason).toMatch(/no-such-program/);
  });
});

describe.concurrent('steps', () => {
  test('are given to the agent one after the other', async ({ makeProject }) => {
    const project = makeProject();
    const { context } = await typed(
      project,
      'write it :: verify:"test -e one" --> document it :: verify:"test -e two"',
    );
    expect(context).toContain('This task has 2 steps');
    project.write({ one: '' });
    const next = await stops(project);
    expect(next).toMatchObject({ decision: 'block' });
    expect(next.reason).toMatch(/^Step 1 of 2 passed\.\nStep 2 of 2:\ndocument it\n/);
    expect((await stops(project)).reason).toContain('Command failed: test -e two');
    project.write({ two: '' });
    expect(await stops(project)).toEqual({ systemMessage: 'ralph-loop: all typed gates passed.' });
  });
});

test('a skipped step counts as unverified, and the agent gets the next one', async ({ makeProject }) => {
  const project = makeProject();
  await typed(project, 'one :: verify:"false" max:1 --> two :: verify:"true"');
  await stops(project);
  const { context } = await typed(project, ':: gate_action:skip');
  expect(context).toMatch(/counts as unverified[\s\S]*Step 2 of 2:\ntwo\n/);
  expect(await stops(project)).toEqual({
    systemMessage: 'ralph-loop: 1 step unverified, all others passed.',
  });
  expect(logOf(project).at(-1)).toMatchObject({ answer: 'allow', why: 'unverified' });
});

describe.concurrent('criteria', () => {
  test('are reviewed once the commands pass, each with a reason', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, 'x :: verify:"true" :: rest:"follows REST"');
    expect((await stops(project)).reason).toContain('GATE rest: PASS - <reason>');
    const unfounded = await stops(project, { last_assistant_message: 'GATE rest: PASS' });
    expect(unfounded.reason).toContain('A verdict is missing, has no reason, or is FAIL.');
    const failed = await stops(project, { last_assistant_message: 'GATE rest: FAIL - uses GET to delete' });
    expect(failed.decision).toBe('block');
    // What was repaired may have broken the commands.
    expect((await stops(project)).reason).toContain('The commands pass. Review');
    const passed = await stops(project, {
      last_assistant_message: 'Done.\n\n**GATE rest**: PASS — all verbs fit',
    });
    expect(passed.decision).toBeUndefined();
    expect(chains(project)).toEqual([]);
  });
});

describe.concurrent('checkpoints', () => {
  test('rollback:true takes the work back at the last attempt, and keeps it', async ({ makeProject }) => {
    const project = makeProject({ 'a.txt': 'before' });
    commitAll(project);
    await typed(project, 'x :: verify:"false" max:1 rollback:true');
    project.write({ 'a.txt': 'after', 'new.txt': 'new' });
    const { systemMessage } = await stops(project);
    expect(project.read('a.txt')).toBe('before');
    expect(project.has('new.txt')).toBe(false);
    const [, rescue = ''] = /ralph-loop checkpoint restore (\w+)/.exec(systemMessage ?? '') ?? [];
    expect((await ralphLoop(project, ['checkpoint', 'restore', rescue])).exitCode).toBe(0);
    expect([project.read('a.txt'), project.read('new.txt')]).toEqual(['after', 'new']);
  });

  test('a pass keeps the work, and drops the checkpoint', async ({ makeProject }) => {
    const project = makeProject({ 'a.txt': 'before' });
    commitAll(project);
    await typed(project, 'x :: verify:"true" rollback:true');
    project.write({ 'a.txt': 'after' });
    await stops(project);
    expect(project.read('a.txt')).toBe('after');
    expect((await ralphLoop(project, ['checkpoint', 'list'])).stdout).not.toMatch(/loop/);
  });

  test('without git nothing begins', async ({ makeProject }) => {
    const project = makeProject({}, { git: false });
    const { reason } = await typed(project, 'x :: verify:"true" checkpoint:true');
    expect(reason).toContain('The working tree cannot be saved before the first attempt');
    expect(chains(project)).toEqual([]);
  });
});

describe.concurrent('what is refused', () => {
  test.for([
    [
      'a gate that is not understood',
      'x :: verify:"npm test',
      /expected .*\nx :: verify:"npm test\n {12}\^$/,
    ],
    ['an option that is not known', 'x :: verify:"true" mx:3', /did you mean "max"\?/],
    [
      'a directory that is not there',
      'x :: verify:"true" workingDir:"nowhere"',
      /no directory of the project/,
    ],
    [
      'an action beside gates, which would be dropped',
      'do it otherwise :: gate_action:abort :: verify:"true"',
      /gate_action.* beside gates/,
    ],
    ['an action where there is nothing', ':: gate_action:skip', /no gates in this session/],
  ] as const)('%s: the person reads why, and nothing begins', async ([, prompt, why], { makeProject }) => {
    const project = makeProject();
    expect(await typed(project, prompt)).toMatchObject({
      decision: 'block',
      reason: expect.stringMatching(why),
    });
    expect(chains(project)).toEqual([]);
  });

  test('a prompt without gates is nobody’s business: no word, no file', async ({ makeProject }) => {
    const project = makeProject();
    expect(await typed(project, 'use std::vector and Foo::bar')).toMatchObject({ context: undefined });
    expect(project.has('.trellis')).toBe(false);
  });
});

describe.concurrent('ralph-loop gate', () => {
  const escalated = async (project: Project, commands = 'false') => {
    await typed(project, `x :: verify:"${commands}" max:1`);
    await stops(project);
  };

  test.for([
    ['retry', /will be verified at the next stop, starting at attempt 1/, 1],
    ['skip', /the step counts as unverified, and the chain has ended/, 0],
    ['abort', /^Aborted chain /, 0],
  ] as const)('%s acts on the only chain', async ([action, says, left], { makeProject }) => {
    const project = makeProject();
    await escalated(project);
    const { stdout, exitCode } = await ralphLoop(project, ['gate', action]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(says);
    expect(chains(project)).toHaveLength(left);
    expect(logOf(project).at(-1)?.why).toMatch(new RegExp(`^gate ${action}`));
  });

  test.for([
    [['retry'], 1, /^No typed gates in this project/],
    [['rerty'], 2, /Unknown action "rerty", expected retry, skip, abort/],
    [['retry', 'x-1'], 1, /^No chain x-1 in this project/],
  ] as const)('fails for the arguments %j', async ([args, exitCode, says], { makeProject }) => {
    const run = await ralphLoop(makeProject(), ['gate', ...args]);
    expect(run.exitCode).toBe(exitCode);
    expect(run.stderr).toMatch(says);
  });

  test('lists the chains if there are several, as status does', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify: [echo]\n' });
    for (const session of ['a', 'b'])
      await hookAnswers(project, types(project, 'x :: verify:"false"', { session_id: session }), CLAUDE_CODE);
    const run = await ralphLoop(project, ['gate', 'abort']);
    expect(run.exitCode).toBe(1);
    expect(run.stderr.match(/ {2}false, attempt 0\/5, awaiting/g)).toHaveLength(2);
    const { stdout } = await ralphLoop(project, ['status']);
    expect(stdout.match(/^Chain {5}\S+ {2}false, attempt 0\/5, awaiting$/gm)).toHaveLength(2);
  });
});

test('every host with a prompt event is understood', async ({ makeProject }) => {
  const project = makeProject();
  const prompt = 'x :: verify:"true"';
  const said = async (event: object, env = {}) =>
    (await ralphLoop(project, ['hook'], { input: JSON.stringify(event), env })).stdout;
  const gemini = { hook_event_name: 'BeforeAgent', session_id: 's', cwd: project.root, prompt };
  expect(JSON.parse(await said(gemini)).hookSpecificOutput.hookEventName).toBe('BeforeAgent');
  const cursor = {
    hook_event_name: 'beforeSubmitPrompt',
    conversation_id: 'c',
    workspace_roots: [project.root],
  };
  expect(await said({ ...cursor, cursor_version: '3', prompt })).toBe('');
  expect(JSON.parse(await said({ ...cursor, cursor_version: '3', prompt: 'x :: verify:"a' }))).toMatchObject({
    continue: false,
  });
  expect(chains(project)).toHaveLength(2);
  expect(logOf(project).map(({ why }) => why)).toContainEqual(
    expect.stringMatching(/^gates begun: - `true`/),
  );
});

test('a run whose hook is killed counts, and another hook may go on', async ({ makeProject }) => {
  const project = makeProject();
  await typed(project, `x :: verify:"${sleepLong('pid')}" max:3`);
  const hook = startHook(project, mainStops(project), CLAUDE_CODE);
  await project.pidIn('pid');
  // A second hook of the same stop does not run the same commands beside the first.
  expect(await stops(project)).toEqual({});
  hook.kill('SIGKILL');
  await hook;
  const second = startHook(project, mainStops(project), CLAUDE_CODE);
  await eventually('the second attempt is counted', () => readChain(project).attempts === 2);
  second.kill('SIGTERM');
  await second;
  expect(readChain(project)).toMatchObject({ attempts: 2, running: null });
});

test('five sessions at once do not disturb each other', async ({ makeProject }) => {
  const project = makeProject();
  const sessions = ['a', 'b', 'c', 'd', 'e'];
  for (const session of sessions) {
    const prompt = `x :: verify:"echo this is ${session}; exit 1" max:2`;
    await hookAnswers(project, types(project, prompt, { session_id: session }), CLAUDE_CODE);
  }
  const all = () =>
    Promise.all(sessions.map((session) => stops(project, { session_id: session, agent_id: undefined })));
  for (const [index, { reason }] of (await all()).entries()) {
    expect(reason).toMatch(/^Iteration 1\/2\./);
    expect(reason).toContain(`\nthis is ${sessions[index]}\n`);
  }
  expect((await all()).map(({ systemMessage }) => systemMessage)).toEqual(
    sessions.map((session) => expect.stringContaining(`this is ${session}`)),
  );
});
