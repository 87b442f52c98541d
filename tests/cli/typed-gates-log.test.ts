import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { type Project, test } from '../helpers/project.ts';
import { hookAnswers, LOG_FILE, logOf } from '../helpers/stops.ts';
import { CLAUDE_CODE, stops, typed, types } from '../helpers/typed-gates.ts';

/** The log's lines since the gates were begun, in short: `chain block: gates-failed, test failed`. */
const linesOf = (project: Project) =>
  logOf(project)
    .slice(1)
    .map(({ task, answer, why, gates }) => {
      const ran = gates.map(({ name, outcome }) => `, ${name} ${outcome}`);
      return `${task?.split(':')[0]} ${answer}: ${why}${ran.join('')}`;
    });
const report = async (project: Project) => (await ralphLoop(project, ['report'])).stdout;

describe.concurrent("a stop that is judged by a chain and by the project's own gates", () => {
  test('has a line for each, and the report counts both', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify:\n  - test -e own\n' });
    await typed(project, 'fix it :: verify:"test -e typed"');
    await stops(project);
    project.write({ typed: '' });
    await stops(project);
    project.write({ own: '' });
    await stops(project);
    expect(linesOf(project)).toEqual([
      'chain block: gates-failed, test -e typed failed',
      'chain allow: verified, test -e typed passed',
      'session block: gates-failed, test -e own failed',
      'session allow: commands-passed, test -e own passed',
    ]);
    const text = await report(project);
    expect(text).toMatch(/\n {2}stops of agents +1 +0 +1 +0 +0\n {2}typed gates +1 +0 +1 +0 +0\n/);
    expect(text).not.toContain('Not ended');
  });

  test('tells both with --verbose', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify:\n  - test -e own\n' });
    await typed(project, 'fix it :: verify:"true"');
    const event = { hook_event_name: 'Stop', session_id: 'session-1', cwd: project.root };
    const { stderr } = await ralphLoop(project, ['hook', '--verbose'], { input: JSON.stringify(event) });
    expect(stderr.match(/"why": ".*"/g)).toEqual(['"why": "verified"', '"why": "gates-failed"']);
  });

  test('has each line in the log of its own project', async ({ makeProject }) => {
    const project = makeProject({ 'inner/worktree.yaml': 'verify: [ "true" ]\n' });
    await typed(project, 'fix it :: verify:"true"');
    await stops(project, { cwd: project.path('inner') });
    expect(linesOf(project)).toEqual(['chain allow: verified, true passed']);
    expect(project.read('inner/.trellis/.ralph/log.jsonl')).toMatch(/^.*"why":"commands-passed".*\n$/);
  });

  test('has one line where the project guards other agents', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify: [ "true" ]\nralph: { agents: [check] }\n' });
    await typed(project, 'fix it :: verify:"true"');
    await stops(project);
    expect(linesOf(project)).toEqual(['chain allow: verified, true passed']);
  });

  test('that is given up: the report says so once', async ({ makeProject }) => {
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
    expect(await report(project)).toMatch(/\n {2}typed gates +1 +0 +0 +1 +0\n/);
  });
});

describe.concurrent('the log says what a chain sends the agent back for', () => {
  const said = (last_assistant_message: string) => ({ last_assistant_message });

  test('the next step', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, 'one :: verify:"true" --> two :: verify:"test -e two"');
    await stops(project);
    await stops(project);
    expect(linesOf(project)).toEqual([
      'chain block: next-step, true passed',
      'chain block: gates-failed, test -e two failed',
    ]);
    const status = await ralphLoop(project, ['status']);
    expect(status.stdout).toContain('step 2/2, attempt 1/5, failed');
  });

  test('a next step that a person has skipped to in a terminal', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, 'one :: verify:"false" max:1 --> two :: verify:"true"');
    await stops(project);
    await ralphLoop(project, ['gate', 'skip']);
    await stops(project);
    expect(linesOf(project)).toEqual([
      'chain allow: escalated, false failed',
      'chain ignore: gate skip: the step is unverified',
      'chain block: next-step',
    ]);
  });

  test('a review, and a review that does not pass', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, 'x :: verify:"true" :: rest:"follows REST"');
    await stops(project);
    await stops(project, said('Done.'));
    await stops(project, said('GATE rest: FAIL - uses GET to delete'));
    await stops(project);
    await stops(project, said('GATE rest: PASS - all verbs fit'));
    expect(linesOf(project)).toEqual([
      'chain block: review, true passed',
      'chain block: review-incomplete',
      'chain block: review-failed',
      'chain block: review, true passed',
      'chain allow: verified',
    ]);
    // What was refused was two reviews: the third iteration passed.
    expect(await report(project)).toContain('Passed     1, at iteration 3 in the median');
  });
});

test('a review that fails at the last attempt is escalated', async ({ makeProject }) => {
  const project = makeProject();
  await typed(project, 'x :: verify:"true" :: rest:"follows REST"');
  for (let review = 1; review <= 5; review++) {
    await stops(project);
    await stops(project, { last_assistant_message: 'GATE rest: FAIL - not yet' });
  }
  const { decision, systemMessage } = await stops(project);
  expect(decision).toBeUndefined();
  expect(systemMessage).toContain('limit of 6 attempts reached: the review did not pass');
  expect(linesOf(project).at(-1)).toBe('chain allow: escalated, true passed');
});

test.for([
  ['gates that are begun', 'begun', ':: verify:"'],
  ['gates that are refused', 'refused', ':: verfy:"'],
] as const)(
  'no secret is logged of %s, nor a part of one that was cut',
  async ([, kind, gate], { makeProject }) => {
    const token = 'abcd1234efgh5678';
    const project = makeProject();
    const options = { env: { ...CLAUDE_CODE.env, API_TOKEN: token } };
    const lengths = [0, 20, 30, 40, 50, 60, 280];
    for (const filler of lengths.map((length) => 'x'.repeat(length)))
      await hookAnswers(project, types(project, `Log in ${gate}exit 1; ${filler}${token}"`), options);
    expect(logOf(project).filter(({ why }) => why.startsWith(`gates ${kind}: `))).toHaveLength(
      lengths.length,
    );
    expect(project.read(LOG_FILE)).not.toContain(token.slice(0, 4));
  },
);
