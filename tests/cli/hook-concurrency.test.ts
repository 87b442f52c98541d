import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { deadPid } from '../helpers/processes.ts';
import { type Project, test, trellisFiles } from '../helpers/project.ts';
import { checkStops, hookAnswers, logOf, STATE_FILE, startHook, stateOf } from '../helpers/stops.ts';

const FAILING = trellisFiles(['false'], 'ralph:\n  max_iterations: 1000\n');

/** Hooks that are started together; the iteration that each of them told its agent. */
async function hooksAtOnce(project: Project, number: number): Promise<number[]> {
  const hooks = Array.from({ length: number }, () => hookAnswers(project, checkStops(project)));
  return (await Promise.all(hooks)).map(({ reason }) =>
    Number(/^Iteration (\d+)\/1000\./.exec(reason ?? '')?.[1]),
  );
}

const upTo = (number: number) => Array.from({ length: number }, (_, index) => index + 1);
const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b);

test('fifty hooks at once: each is counted, and whoever reads the state meanwhile sees all of it', async ({
  makeProject,
}) => {
  const project = makeProject(FAILING);
  let [reads, running] = [0, true];
  const seen = new Set<number>();
  const read = () => {
    if (!running) return;
    setImmediate(read);
    if (!project.has(STATE_FILE)) return expect(seen.size, 'a state that was there is gone').toBe(0);
    const state = JSON.parse(readFileSync(project.path(STATE_FILE), 'utf8'));
    expect(Object.keys(state)).toEqual(['task', 'iteration', 'started_at']);
    seen.add(state.iteration);
    reads++;
  };
  const failed = new Promise<never>((_, reject) => process.once('uncaughtException', reject));
  read();
  const iterations = await Promise.race([hooksAtOnce(project, 50), failed]);
  running = false;
  expect(sorted(iterations)).toEqual(upTo(50));
  expect(stateOf(project).iteration).toBe(50);
  expect(sorted(logOf(project).map(({ iteration }) => iteration ?? 0))).toEqual(upTo(50));
  expect(reads).toBeGreaterThan(50);
});

describe('a lock that was left behind', () => {
  test('by a process that is dead is broken, once', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    project.write({ [`${STATE_FILE}.lock`]: String(deadPid()) });
    expect(sorted(await hooksAtOnce(project, 12))).toEqual(upTo(12));
    expect(project.has(`${STATE_FILE}.lock`)).toBe(false);
  });
});

test('hooks of several sessions in a stand-alone project each have a loop of their own', async ({
  makeProject,
}) => {
  const project = makeProject({ 'worktree.yaml': 'verify:\n  - false\n' });
  const sessions = upTo(6).flatMap((n) => [`session-${n}`, `session-${n}`, `session-${n}`]);
  const answers = await Promise.all(
    sessions.map((session_id) => hookAnswers(project, checkStops(project, { session_id }))),
  );
  const firstWords = answers.map(({ reason }) => reason?.slice(0, 'Iteration 1/5.'.length)).toSorted();
  expect(firstWords).toEqual([1, 2, 3].flatMap((n) => Array.from({ length: 6 }, () => `Iteration ${n}/5.`)));
});

test('a hook that waits for its gate holds no lock', async ({ makeProject }) => {
  const project = makeProject(
    trellisFiles(['touch running; while [ ! -e go ] && [ -d "$PWD" ]; do sleep 0.02; done']),
  );
  const slow = startHook(project, checkStops(project));
  await project.appears('running');
  expect(project.has(`${STATE_FILE}.lock`)).toBe(false);
  writeFileSync(project.path('.trellis/worktree.yaml'), 'verify:\n  - false\n');
  expect((await hookAnswers(project, checkStops(project))).reason).toMatch(/^Iteration 2\/5\./);
  project.write({ go: '' });
  expect((await slow).stdout).toBe('');
});
