import { readdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect } from 'vitest';
import { canBeOtherUser, makeReadOnly, ralphLoopAsOther } from '../helpers/other-user.ts';
import { type Project, test, trellisFiles } from '../helpers/project.ts';
import {
  answerOf,
  checkStops,
  decisionOf,
  decisions,
  hookAnswers,
  logOf,
  longestBlockade,
  mainStops,
  STATE_FILE,
  stateOf,
} from '../helpers/stops.ts';

const FAILING = trellisFiles(['false']);
const TASK = '.trellis/tasks/demo';
const ROUND = ['block', 'block', 'block', 'block', 'allow'];

/** Names beside the state file of states that were set aside. */
const setAside = (project: Project) =>
  readdirSync(project.path('.trellis')).filter((name) => name.startsWith('.ralph-state.json.broken'));

describe.concurrent('a state file that cannot be used is renamed, and the count starts at 1, for', () => {
  test.for([
    { state: 'text', content: 'hello\n' },
    { state: 'null', content: 'null' },
    { state: 'an array', content: '[]' },
    { state: 'half an object', content: `{"task": "${TASK}", "iter` },
    { state: 'a negative iteration', content: JSON.stringify({ task: TASK, iteration: -7 }) },
    { state: 'a huge iteration', content: `{"task": "${TASK}", "iteration": 1e308}` },
  ])('$state', async ({ content }, { makeProject }) => {
    const project = makeProject({ ...FAILING, [STATE_FILE]: content });
    expect(await decisions(project, checkStops(project), 12)).toEqual([...ROUND, ...ROUND, 'block', 'block']);
    expect(setAside(project)).toHaveLength(1);
    expect(project.read(`.trellis/${setAside(project)[0]}`)).toBe(content);
  });

  test.for([
    { state: 'a number', content: '5' },
    { state: 'nothing', content: '' },
    { state: 'zeros', content: '\0'.repeat(4096) },
    { state: 'bytes that are not UTF-8', content: Buffer.from([0xff, 0xfe, 0x7b, 0x7d]) },
    { state: 'unclosed nesting', content: '['.repeat(200_000) },
    { state: 'an infinite iteration', content: `{"task": "${TASK}", "iteration": 1e999}` },
    { state: 'half an iteration', content: JSON.stringify({ task: TASK, iteration: 2.5 }) },
    { state: 'an iteration in words', content: JSON.stringify({ task: TASK, iteration: '3' }) },
  ])('$state', async ({ content }, { makeProject }) => {
    const project = makeProject({ ...FAILING, [STATE_FILE]: content });
    expect((await hookAnswers(project, checkStops(project))).reason).toMatch(/^Iteration 1\/5\./);
    expect((await hookAnswers(project, checkStops(project))).reason).toMatch(/^Iteration 2\/5\./);
    expect(readFileSync(project.path(`.trellis/${setAside(project)[0]}`))).toEqual(Buffer.from(content));
    expect(Object.keys(stateOf(project))).toEqual(['task', 'iteration', 'started_at']);
  });

  test('a directory that contains a file', async ({ makeProject }) => {
    const project = makeProject({ ...FAILING, [`${STATE_FILE}/inside`]: 'not to be lost' });
    expect(await decisions(project, checkStops(project), 6)).toEqual([...ROUND, 'block']);
    expect(project.read(`.trellis/${setAside(project)[0]}/inside`)).toBe('not to be lost');
  });
});

describe.concurrent('the limit applies to a state file with', () => {
  const afresh = [...ROUND, 'block'];
  const from3 = ['block', 'allow', ...ROUND];
  const over = ['allow', ...ROUND];
  test.for([
    {
      state: 'the greatest iteration',
      content: { task: TASK, iteration: Number.MAX_SAFE_INTEGER },
      taken: over,
    },
    { state: 'an iteration beyond the cap', content: { task: TASK, iteration: 77 }, taken: over },
    {
      state: 'a start in the future',
      content: { task: TASK, iteration: 3, started_at: '2999-01-01T00:00:00' },
      taken: from3,
    },
    {
      state: 'a start on a day that does not exist',
      content: { task: TASK, iteration: 3, started_at: '2026-02-31T00:00:00' },
      taken: afresh,
    },
    {
      state: 'a start with a time zone',
      content: { task: TASK, iteration: 3, started_at: '2026-01-31T10:30:00Z' },
      taken: afresh,
    },
    { state: 'a number as the start', content: { task: TASK, iteration: 3, started_at: 17 }, taken: afresh },
    { state: 'no start', content: { task: TASK, iteration: 3, started_at: null }, taken: from3 },
    { state: 'no task', content: { task: null, iteration: 3 }, taken: afresh },
    { state: 'no fields', content: {}, taken: afresh },
  ])('$state', async ({ content, taken }, { makeProject }) => {
    const project = makeProject(FAILING);
    project.write({ [STATE_FILE]: JSON.stringify(content) });
    expect(await decisions(project, checkStops(project), taken.length)).toEqual(taken);
  });
});

test.for(['elsewhere.json', '/no/such/directory/state.json', '/dev/zero'])(
  'a state file that is a link to %s is replaced, and the stops are counted',
  async (target, { makeProject }) => {
    const project = makeProject({ ...FAILING, 'elsewhere.json': '{}' });
    symlinkSync(resolve(project.root, target), project.path(STATE_FILE));
    expect(await decisions(project, checkStops(project), 6)).toEqual([...ROUND, 'block']);
    expect(stateOf(project)).toMatchObject({ task: TASK, iteration: 1 });
    expect(project.read('elsewhere.json')).toBe('{}');
  },
);

/** Why the state cannot be written by any user: permissions do not stop root. */
const UNWRITABLE = [
  {
    because: 'a directory is where its lock should be',
    spoil: (project: Project) => {
      project.write({ [`${STATE_FILE}.lock/inside`]: '' });
      // An old one is not waited for.
      utimesSync(project.path(`${STATE_FILE}.lock`), 0, 0);
    },
  },
];

describe.concurrent('a state file that cannot be written', () => {
  for (const { because, spoil } of UNWRITABLE) {
    test(`never blocks more than five times in a row: ${because}`, async ({ makeProject }) => {
      const project = makeProject(FAILING);
      spoil(project);
      // A host that always says this would be blocked for ever, were it believed.
      const taken = await decisions(project, checkStops(project, { stop_hook_active: false }), 12);
      expect(taken).toEqual([...ROUND, ...ROUND, 'block', 'block']);
      expect(logOf(project)[0]?.notes?.[0]).toContain('the loop state cannot be written');
    });

    test(`blocks only if the host says that the agent does not continue: ${because}`, async ({
      makeProject,
    }) => {
      const project = makeProject(FAILING);
      spoil(project);
      const claude = { env: { CLAUDECODE: '1' } };
      const message = {
        systemMessage: expect.stringContaining('loop state cannot be written: `false` still fails'),
      };
      expect(await hookAnswers(project, checkStops(project, { stop_hook_active: true }), claude)).toEqual(
        message,
      );
      expect(
        await hookAnswers(project, checkStops(project, { stop_hook_active: undefined }), claude),
      ).toEqual(message);
      expect(await hookAnswers(project, checkStops(project, { stop_hook_active: false }))).toMatchObject({
        decision: 'block',
      });
    });
  }

  test('and has no fallback never blocks more than five times in a row', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    UNWRITABLE[1]?.spoil(project);
    const taken = await decisions(project, checkStops(project), 12, { env: { TMPDIR: '/dev/null/nowhere' } });
    expect(longestBlockade(taken)).toBeLessThanOrEqual(5);
  });
});

test.skipIf(!canBeOtherUser)(
  'a project that is read-only: judged, counted elsewhere, logged for the user',
  async ({ makeProject }) => {
    const project = makeProject(FAILING);
    makeReadOnly(project);
    const event = JSON.stringify(checkStops(project));
    const taken: ('allow' | 'block')[] = [];
    for (let n = 0; n < 12; n++)
      taken.push(decisionOf(answerOf(await ralphLoopAsOther(project, ['hook'], event))));
    expect(taken).toEqual([...ROUND, ...ROUND, 'block', 'block']);
    expect(readdirSync(project.path('.trellis')).toSorted()).toEqual([
      '.current-task',
      'tasks',
      'worktree.yaml',
    ]);
    expect(logOf(project, 'user').at(-1)).toMatchObject({ answer: 'block', gates: [{ outcome: 'failed' }] });
  },
);

describe('a state file that is removed between two stops', () => {
  test('by a gate never leads to more than five blocks in a row', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify:\n  - rm -rf .trellis; exit 1\n' });
    expect(longestBlockade(await decisions(project, mainStops(project), 12))).toBeLessThanOrEqual(5);
  });
});
