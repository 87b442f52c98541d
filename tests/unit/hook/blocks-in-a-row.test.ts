import { writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { type Project, test, trellisFiles, worktreeYaml } from '../../helpers/project.ts';
import {
  checkStops,
  decisionOf,
  hookAnswers,
  mainStops,
  STATE_FILE,
  sessionOf,
  stateOf,
} from '../../helpers/stops.ts';

const ROUND = ['block', 'block', 'block', 'block', 'allow'];

/** Sets the times of a state file back, as if it had been written that long ago. */
function age(project: Project, file: string, minutes: number) {
  const older = (time: string) => {
    const date = new Date(new Date(time).getTime() - minutes * 60_000);
    return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, -1);
  };
  const text = project.read(file).replace(/\d{4}-\d\d-\d\dT[\d:.]+/g, older);
  writeFileSync(project.path(file), text);
}

async function stopsWith(project: Project, event: object, n: number, between: (n: number) => void) {
  const decisions: string[] = [];
  for (let stop = 0; stop < n; stop++) {
    if (stop > 0) between(stop);
    decisions.push(decisionOf(await hookAnswers(project, event)));
  }
  return decisions;
}

describe('the limit counts blocks in a row', () => {
  test('of a task, when each stop is eight minutes after the last', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['false']));
    const between = () => {
      age(project, STATE_FILE, 8);
      age(project, `@/blocks-${sessionOf(project)}.agent-1.json`, 8);
    };

    expect(await stopsWith(project, checkStops(project), 5, between)).toEqual(ROUND);
  });

  test('of a session, when each stop is eight minutes after the last', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml(['false']) });
    const between = () => age(project, `@/loop-${sessionOf(project)}.main.json`, 8);

    expect(await stopsWith(project, mainStops(project), 5, between)).toEqual(ROUND);
  });

  test('of all tasks, when the current task changes back and forth', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['false']));
    const between = (n: number) =>
      project.write({ '.trellis/.current-task': `tasks/${n % 2 ? 'other' : 'demo'}` });

    expect(await stopsWith(project, checkStops(project), 5, between)).toEqual(ROUND);
  });

  test('of all tasks, when each stop has a new one', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['false']));
    const between = (n: number) => project.write({ '.trellis/.current-task': `tasks/t${n}` });

    expect(await stopsWith(project, checkStops(project), 5, between)).toEqual(ROUND);
  });

  test('of a task whose state file the agent removes', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['false']));
    const between = () => project.write({ [STATE_FILE]: '{}' });

    expect(await stopsWith(project, checkStops(project), 5, between)).toEqual(ROUND);
  });
});

test('stops that are further apart than the timeout are blocked twenty times at most', async ({
  makeProject,
}) => {
  const project = makeProject({ 'worktree.yaml': worktreeYaml(['false']) });
  const between = () => age(project, `@/loop-${sessionOf(project)}.main.json`, 31);

  expect(await stopsWith(project, mainStops(project), 20, between)).toEqual([
    ...Array.from({ length: 19 }, () => 'block'),
    'allow',
  ]);
});

test('the count starts again at 1 for another agent, and after a pass', async ({ makeProject }) => {
  const project = makeProject(trellisFiles(['test -e fixed']));
  const stop = (more = {}) => hookAnswers(project, checkStops(project, more));
  await stop();
  await stop();
  project.write({ '.trellis/.current-task': 'tasks/other' });

  expect((await stop({ agent_id: 'agent-2' })).reason).toMatch(/^Iteration 1\/5\./);
  expect((await stop()).reason).toMatch(/^Iteration 3\/5\./);
  project.write({ fixed: '' });
  expect(await stop()).toEqual({});
  expect(stateOf(project)).toMatchObject({ iteration: 0 });
});
