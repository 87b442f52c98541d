import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { handleStop } from '../../../src/hook/handle-stop.ts';
import type { StopEvent } from '../../../src/hosts/types.ts';
import { type Script, scriptedCommands } from '../../helpers/scripted-commands.ts';
import { stopEvent } from '../../helpers/stop-event.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const GATE = 'verify:\n  - a\n';

/** A Trellis project with a task; each stop is judged as the hook would, without a process. */
function project(text: string | undefined) {
  const root = temporaryTree({ '.trellis/tasks/t/check.jsonl': '{"reason":"lint"}' });
  const path = join(root, '.trellis/worktree.yaml');
  const files = { root, layout: 'trellis', ...(text !== undefined && { config: { path, text } }) } as const;
  const stop = async (script: Script = {}, event: Partial<StopEvent> = {}, aborted = false) => {
    const controller = new AbortController();
    if (aborted) controller.abort();
    const { runCommand, specs } = scriptedCommands(script);
    const effects = {
      runCommand,
      now: () => new Date(),
      env: {},
      deadline: { seconds: 570, atMs: 1e9 },
      signal: controller.signal,
    };
    const triage = { guarded: true, project: files, task: '.trellis/tasks/t' } as const;
    const judged = await handleStop(stopEvent(event), { triage, root, chainRoots: [] }, effects);
    // Git is asked too, of what the working tree holds.
    return { ...judged, ran: specs.filter(({ command }) => !command.startsWith('git ')).length };
  };
  const state = join(root, '.trellis/.ralph-state.json');
  const iteration = () => JSON.parse(readFileSync(state, 'utf8')).iteration;
  return { stop, iteration, state };
}

test('blocks a stop four times, allows the fifth, and then starts again', async () => {
  const { stop, iteration } = project(GATE);
  const decisions = [];
  for (let i = 0; i < 6; i++) {
    const { answer, ran } = await stop({ a: 1 });
    decisions.push([answer.decision, ran, iteration()]);
  }

  expect(decisions).toEqual([
    ['block', 1, 1],
    ['block', 1, 2],
    ['block', 1, 3],
    ['block', 1, 4],
    // At the cap the gates still run, so that the answer can say what is left.
    ['allow', 1, 0],
    ['block', 1, 1],
  ]);
});

test('resets the count after a pass', async () => {
  const { stop, iteration } = project(GATE);
  await stop({ a: 1 });
  const { answer } = await stop();

  expect(answer).toMatchObject({
    decision: 'allow',
    why: 'commands-passed',
    toPerson: expect.stringContaining('1 gate passed'),
  });
  expect(iteration()).toBe(0);
});

test('reports the failing gate at the limit', async () => {
  const { stop } = project(`ralph: {max_iterations: 1}\n${GATE}`);

  expect((await stop({ a: 1 })).answer).toMatchObject({
    decision: 'allow',
    why: 'cap-reached',
    toPerson: 'ralph-loop: stop allowed after the limit of 1 iteration: `a` still fails',
  });
});

describe('a stop with a broken config', () => {
  test('is blocked with the problem, and counts, up to the limit', async () => {
    const { stop } = project('ralph: {max_iterations: 2}\nverfy:\n');
    const [first, second] = [await stop(), await stop()];

    expect(first.answer).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('worktree.yaml:2:1: found unknown key "verfy"'),
    });
    expect(second.answer).toMatchObject({ decision: 'allow', why: 'cap-reached' });
  });

  test('runs none of the valid gates', async () => {
    expect((await project('verify:\n  - a\n  - {run: b, timeout: 0}\n').stop()).ran).toBe(0);
  });
});

describe('a stop of a project with markers', () => {
  test.each([
    ['LINT_FINISH', { decision: 'allow', why: 'markers-found' }],
    [
      'done',
      { decision: 'block', reason: expect.stringContaining('Missing completion markers: LINT_FINISH.') },
    ],
  ])('is judged by the last message %j', async (message, answer) => {
    expect((await project(undefined).stop({}, { message })).answer).toMatchObject(answer);
  });
});

describe('a stop that is not guarded is not counted', () => {
  test.each([
    ['another agent', { agent: 'implement' }, 'agent "implement" is not among check'],
    ['the finish phase', { finishPhase: true }, 'the finish phase is not guarded'],
    [
      'a subagent called main',
      { agent: 'main', isMain: false },
      'a subagent called "main" is not the main agent',
    ],
  ])('%s', async (_, event, why) => {
    const judged = await project(GATE).stop({ a: 1 }, event);

    expect(judged).toMatchObject({ answer: { decision: 'ignore', why }, ran: 0 });
    expect(judged.attempt).toBeUndefined();
  });
});

test('keeps the count when a gate removes the state', async () => {
  const { stop, iteration, state } = project(GATE);
  const decisions = [];
  for (let i = 0; i < 5; i++) {
    const a = () => {
      rmSync(state);
      return { how: 'exited', exitCode: 1 } as const;
    };
    decisions.push((await stop({ a })).answer.decision);
  }

  expect(decisions).toEqual(['block', 'block', 'block', 'block', 'allow']);
  expect(iteration()).toBe(0);
});

test('keeps the count when the host ends the hook', async () => {
  const { stop, iteration } = project(GATE);
  await stop({}, {}, true);

  expect(iteration()).toBe(1);
});
