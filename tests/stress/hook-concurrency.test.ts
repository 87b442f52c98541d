import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { expect } from 'vitest';
import { deadPid } from '../helpers/processes.ts';
import { type Project, test, trellisFiles } from '../helpers/project.ts';
import { waitFor } from '../helpers/shell-commands.ts';
import { checkStops, hookProcessAnswers, logOf, STATE_FILE, startHook, stateOf } from '../helpers/stops.ts';

const FAILING = trellisFiles(['false'], 'ralph:\n  max_iterations: 1000\n');

/** Starts hooks at once, and returns the iteration in the answer of each. */
async function hooksAtOnce(project: Project, number: number): Promise<number[]> {
  const hooks = Array.from({ length: number }, () => hookProcessAnswers(project, checkStops(project)));
  return (await Promise.all(hooks)).map(({ reason }) =>
    Number(/^Iteration (\d+)\/1000\./.exec(reason ?? '')?.[1]),
  );
}

/** Reads the state repeatedly until it is stopped. */
function readOverAndOver(project: Project) {
  const torn: string[] = [];
  const seen = new Set<number>();
  let stopped = false;
  const read = () => {
    if (stopped) return;
    setImmediate(read);
    let text = 'no file';
    try {
      text = readFileSync(project.path(STATE_FILE), 'utf8');
      const { task, iteration, started_at } = JSON.parse(text);
      if (task !== '.trellis/tasks/demo' || !(iteration > 0) || !started_at) torn.push(text);
      seen.add(iteration);
    } catch {
      // Before the first hook there is none; afterwards there always is.
      if (text !== 'no file' || seen.size > 0) torn.push(text);
    }
  };
  read();
  const stop = () => {
    stopped = true;
    return { torn, seen };
  };
  return { stop };
}

const upTo = (number: number) => Array.from({ length: number }, (_, index) => index + 1);
const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b);

test('fifty concurrent hooks are all counted, and a reader never sees a partial state', async ({
  makeProject,
}) => {
  const project = makeProject(FAILING);
  const reader = readOverAndOver(project);
  const iterations = await hooksAtOnce(project, 50);
  const { torn, seen } = reader.stop();
  expect(torn).toEqual([]);
  expect(seen.size).toBeGreaterThan(1);
  expect(sorted(iterations)).toEqual(upTo(50));
  expect(stateOf(project).iteration).toBe(50);
  expect(sorted(logOf(project).map(({ iteration }) => iteration ?? 0))).toEqual(upTo(50));
});

test.for([
  { left: 'with the pid of a process that is dead', content: () => String(deadPid()) },
  { left: 'long ago, without a pid', content: () => '', age: 'old' },
  {
    left: 'long ago, with the pid of a process that is another',
    content: () => String(process.pid),
    age: 'old',
  },
])('a lock that a dead process left is broken once: $left', async ({ content, age }, { makeProject }) => {
  const project = makeProject(FAILING);
  project.write({ [`${STATE_FILE}.lock`]: content() });
  if (age === 'old') utimesSync(project.path(`${STATE_FILE}.lock`), 0, 0);
  expect(sorted(await hooksAtOnce(project, 8))).toEqual(upTo(8));
  expect(readdirSync(project.path('.trellis')).filter((name) => name.startsWith('.ralph-state'))).toEqual([
    '.ralph-state.json',
  ]);
});

test('concurrent hooks of several sessions in a stand-alone project have separate loops', async ({
  makeProject,
}) => {
  const project = makeProject({ 'worktree.yaml': 'verify:\n  - false\n' });
  const sessions = upTo(6).flatMap((n) => [`session-${n}`, `session-${n}`, `session-${n}`]);
  const answers = await Promise.all(
    sessions.map((session_id) => hookProcessAnswers(project, checkStops(project, { session_id }))),
  );
  const firstWords = answers.map(({ reason }) => reason?.slice(0, 'Iteration 1/5.'.length)).toSorted();
  expect(firstWords).toEqual([1, 2, 3].flatMap((n) => Array.from({ length: 6 }, () => `Iteration ${n}/5.`)));
});

test('a hook that waits for its gate holds no lock', async ({ makeProject }) => {
  const project = makeProject(trellisFiles([`touch running; ${waitFor('go')}`]));
  const slow = startHook(project, checkStops(project));
  await project.appears('running');
  expect(project.has(`${STATE_FILE}.lock`)).toBe(false);
  project.write({ '.trellis/worktree.yaml': 'verify:\n  - false\n' });
  expect((await hookProcessAnswers(project, checkStops(project))).reason).toMatch(/^Iteration 2\/5\./);
  project.write({ go: '' });
  expect((await slow).stdout).toBe('');
});
