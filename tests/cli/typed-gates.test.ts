import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { canBeOtherUser, makeReadOnly, ralphLoopAsOther } from '../helpers/other-user.ts';
import { expectGone } from '../helpers/processes.ts';
import { type Project, test } from '../helpers/project.ts';
import { waitForChild } from '../helpers/shell-commands.ts';
import { answerOf, hookAnswers, logOf, mainStops, sessionOf, startHook } from '../helpers/stops.ts';
import { CLAUDE_CODE, chains, stops, typed, types } from '../helpers/typed-gates.ts';

// Chains themselves are tested in-process, in tests/unit/chain, tests/unit/hook and tests/process.

/** The log's records since the gates were started, in short: `chain block: gates-failed, test failed`. */
const linesOf = (project: Project) =>
  logOf(project)
    .slice(1)
    .map(({ task, answer, why, gates }) => {
      const ran = gates.map(({ name, outcome }) => `, ${name} ${outcome}`);
      return `${task?.split(':')[0]} ${answer}: ${why}${ran.join('')}`;
    });

describe.concurrent('gates typed into a prompt', () => {
  test("block the stop until they pass, and then the project's own gates do", async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify:\n  - test -e own\n' });
    const { context } = await typed(project, 'fix it :: verify:"test -e typed" max:3');
    expect(context).toContain('`test -e typed` exits with 0 (3 attempts, 300 s each)');
    const first = await stops(project);
    expect(first.reason).toMatch(/^Iteration 1\/3\.[\s\S]*Command failed: test -e typed/);
    project.write({ typed: '' });
    expect((await stops(project)).reason).toContain('Command failed: test -e own');
    project.write({ own: '' });
    expect(await stops(project)).toMatchObject({ systemMessage: expect.stringContaining('1 gate passed') });
    expect(chains(project)).toEqual([]);
    expect(linesOf(project)).toEqual([
      'chain block: gates-failed, test -e typed failed',
      'chain allow: verified, test -e typed passed',
      'session block: gates-failed, test -e own failed',
      'session allow: commands-passed, test -e own passed',
    ]);
    const { stdout } = await ralphLoop(project, ['report']);
    expect(stdout).toMatch(/\n {2}stop loops +1 +0 +1 +0 +0\n {2}chains +1 +0 +1 +0 +0\n/);
    expect(stdout).not.toContain('Not ended');
  });

  test('block only stops of their session, and of its main agent', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, 'fix it :: verify:"false"');
    expect(await stops(project, { session_id: 'another' })).toEqual({});
    const subagent = { hook_event_name: 'SubagentStop', agent_type: 'check', agent_id: 'a' };
    expect(await stops(project, subagent)).toEqual({});
    expect((await stops(project)).decision).toBe('block');
  });

  test('that are escalated are logged at each stop, and reported once', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify: [ "true" ]\n' });
    await typed(project, 'fix it :: verify:"false" max:1');
    await stops(project);
    await stops(project);
    expect(linesOf(project)).toEqual([
      'chain allow: escalated, false failed',
      'session allow: commands-passed, true passed',
      'chain allow: escalated',
      'session allow: commands-passed, true passed',
    ]);
    expect((await ralphLoop(project, ['report'])).stdout).toMatch(/\n {2}chains +1 +0 +0 +1 +0\n/);
  });

  test('are logged in the project of the prompt, own gates in the project of the stop', async ({
    makeProject,
  }) => {
    const project = makeProject({ 'inner/worktree.yaml': 'verify: [ "true" ]\n' });
    await typed(project, 'fix it :: verify:"true"');
    await stops(project, { cwd: project.path('inner') });
    expect(linesOf(project)).toEqual(['chain allow: verified, true passed']);
    expect(project.read('inner/.trellis/.ralph/log.jsonl')).toMatch(/^.*"why":"commands-passed".*\n$/);
  });

  test('are the only ones to be logged if the project guards other agents', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify: [ "true" ]\nralph: { agents: [check] }\n' });
    await typed(project, 'fix it :: verify:"true"');
    await stops(project);
    expect(linesOf(project)).toEqual(['chain allow: verified, true passed']);
  });

  test('are printed with --verbose, before the gates of the project', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify:\n  - test -e own\n' });
    await typed(project, 'fix it :: verify:"true"');
    const event = { hook_event_name: 'Stop', session_id: sessionOf(project), cwd: project.root };
    const { stderr } = await ralphLoop(project, ['hook', '--verbose'], { input: JSON.stringify(event) });
    expect(stderr.match(/"why": ".*"/g)).toEqual(['"why": "verified"', '"why": "gates-failed"']);
  });

  test('with loop:false are shown by "why" after they failed', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, 'x :: verify:"echo no; exit 3" loop:false');
    expect((await stops(project)).systemMessage).toContain('failed with exit code 3');
    expect((await ralphLoop(project, ['why'])).stdout).toContain('exit 3');
  });

  test('with an error are refused, and the person reads why', async ({ makeProject }) => {
    const project = makeProject();
    expect(await typed(project, 'x :: verify:"npm test')).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('found a quote that is not closed'),
    });
    expect(chains(project)).toEqual([]);
    expect(logOf(project).map(({ why }) => why)).toEqual([expect.stringMatching(/^gates refused: /)]);
  });

  test('are read from the prompt events of several hosts', async ({ makeProject }) => {
    const project = makeProject();
    const prompt = 'x :: verify:"true"';
    const said = async (event: object) =>
      (await ralphLoop(project, ['hook'], { input: JSON.stringify(event) })).stdout;
    const gemini = { hook_event_name: 'BeforeAgent', session_id: 's', cwd: project.root, prompt };
    expect(JSON.parse(await said(gemini)).hookSpecificOutput.hookEventName).toBe('BeforeAgent');
    const cursor = {
      hook_event_name: 'beforeSubmitPrompt',
      conversation_id: 'c',
      workspace_roots: [project.root],
      cursor_version: '3',
    };
    expect(await said({ ...cursor, prompt })).toBe('');
    expect(JSON.parse(await said({ ...cursor, prompt: 'x :: verify:"a' }))).toMatchObject({
      continue: false,
    });
    expect(chains(project)).toHaveLength(2);
  });

  test('end with all their processes if they are aborted during the run', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, `x :: verify:"${waitForChild('pid', 'child.pid')}"`);
    const hook = startHook(project, mainStops(project), CLAUDE_CODE);
    const pids = [await project.pidIn('pid'), await project.pidIn('child.pid')];
    await ralphLoop(project, ['gate', 'abort'], CLAUDE_CODE);
    await expectGone(...pids);
    expect(answerOf(await hook)).toEqual({
      systemMessage: expect.stringMatching(
        /^ralph-loop: the typed gates were not verified at this stop: .*; `ralph-loop gate abort \S+` was run by an agent's shell/,
      ),
    });
    expect(chains(project)).toEqual([]);
  });
});

test('a prompt without gates has no answer, and creates no file', async ({ makeProject }) => {
  const project = makeProject();
  expect(await typed(project, 'use std::vector and Foo::bar')).toEqual({ context: undefined });
  expect(project.has('.trellis')).toBe(false);
});

describe.concurrent('ralph-loop gate', () => {
  test.for([
    ['retry', /will be verified at the next stop/, 1],
    ['abort', /^Aborted chain /, 0],
  ] as const)('%s applies to the escalated chain', async ([action, says, left], { makeProject }) => {
    const project = makeProject();
    await typed(project, 'x :: verify:"false" max:1');
    await stops(project);
    const { stdout, exitCode } = await ralphLoop(project, ['gate', action], CLAUDE_CODE);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(says);
    expect(chains(project)).toHaveLength(left);
    expect(logOf(project).at(-1)).toMatchObject({
      host: 'terminal',
      why: `gate ${action}, by an agent's shell (CLAUDECODE=1)`,
    });
  });

  test('skip leads to the next step, which the agent reads at its next stop', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, 'one :: verify:"false" max:1 --> two :: verify:"true"');
    await stops(project);
    const { stdout } = await ralphLoop(project, ['gate', 'skip'], CLAUDE_CODE);
    expect(stdout).toMatch(/counts as unverified, and step 2 of 2 is next/);
    expect((await stops(project)).reason).toMatch(/counts as unverified[\s\S]*Step 2 of 2:\ntwo\n/);
    expect(linesOf(project)).toEqual([
      'chain allow: escalated, false failed',
      "chain ignore: gate skip: the step is unverified, by an agent's shell (CLAUDECODE=1)",
      'chain block: next-step',
    ]);
  });

  test.for([
    [['retry'], 1, /No typed gates in this project/],
    [['rerty'], 2, /Unknown action "rerty", expected retry, skip, abort/],
    [['retry', 'x-1'], 1, /No chain x-1 in this project/],
  ] as const)('%j is refused', async ([args, exitCode, says], { makeProject }) => {
    const run = await ralphLoop(makeProject(), ['gate', ...args]);
    expect(run.exitCode).toBe(exitCode);
    expect(run.stderr).toMatch(says);
  });

  test('needs an id if there are several chains, which status lists', async ({ makeProject }) => {
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

describe.runIf(canBeOtherUser)('in a project that cannot be written', () => {
  const asks = async (project: Project, event: object) =>
    answerOf(await ralphLoopAsOther(project, ['hook', '--host', 'claude-code'], JSON.stringify(event)));

  test('a decision about typed gates is refused with the reason', async ({ makeProject }) => {
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

  test("a stop is still judged by the project's own gates", async ({ makeProject }) => {
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
