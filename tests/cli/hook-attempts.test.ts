import { describe, expect } from 'vitest';
import { type Project, test, trellisFiles } from '../helpers/project.ts';
import { checkStops, decisions, hookAnswers, logOf, sessionOf, stateOf } from '../helpers/stops.ts';

const CLAUDE_CODE = { env: { CLAUDECODE: '1' } };
const TRELLIS = { args: ['--format', 'trellis'] };
const FAILING = trellisFiles(['echo this is why; exit 3']);
const HOLDS = trellisFiles(['test -e repaired']);

/** Four stops that are blocked. */
const fourStops = (project: Project) => decisions(project, checkStops(project), 4);

describe.concurrent('a gate that fails', () => {
  test('blocks four stops, is reported at the fifth, and then blocks again', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    const iterations: unknown[] = [];
    const firstLines: unknown[] = [];
    for (let stop = 1; stop <= 6; stop++) {
      const { reason } = await hookAnswers(project, checkStops(project));
      firstLines.push(reason?.split('\n', 2));
      iterations.push(stateOf(project).iteration);
    }
    const blocked = (n: number) => [
      `Iteration ${n}/5. Verification failed:`,
      'Command failed: echo this is why; exit 3',
    ];
    expect(firstLines).toEqual([blocked(1), blocked(2), blocked(3), blocked(4), undefined, blocked(1)]);
    expect(iterations).toEqual([1, 2, 3, 4, 0, 1]);
  });

  test('is reported to the agent with exit code, output and the path of the log', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    const { decision, reason } = await hookAnswers(project, checkStops(project));
    expect(decision).toBe('block');
    expect(reason).toContain('exited with code 3');
    expect(reason).toContain('\nthis is why\n');
    const [, log = ''] = /^Full output: (.+)$/m.exec(reason ?? '') ?? [];
    expect(project.read(log)).toBe('this is why\n');
  });

  test('is named in the message after the limit', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    await fourStops(project);
    const { decision, systemMessage } = await hookAnswers(project, checkStops(project), CLAUDE_CODE);
    expect(decision).toBeUndefined();
    expect(systemMessage).toMatch(
      /stop allowed after the limit of 5 iterations: `echo this is why; exit 3` still fails, output in \S/,
    );
  });

  test('blocks again after the loop has expired', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    const [task, expired] = ['.trellis/tasks/demo', '2026-01-31T10:30:00.123456'];
    project.write({
      '.trellis/.ralph-state.json': JSON.stringify({ task, iteration: 4, started_at: expired }),
    });
    expect(await decisions(project, checkStops(project), 5)).toEqual([
      'block',
      'block',
      'block',
      'block',
      'allow',
    ]);
  });
});

describe.concurrent('a gate that passes', () => {
  test('allows the stop without an answer', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['true', 'echo output of a gate']));
    expect(await hookAnswers(project, checkStops(project))).toEqual({});
    expect(stateOf(project)).toMatchObject({ task: '.trellis/tasks/demo', iteration: 0 });
  });

  test('is reported to the person in Claude Code, and not to the agent', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['true', 'echo output of a gate']));
    const event = checkStops(project);
    const inAnother = { env: { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'of-the-agent-around' } };
    const inClaudeCode = { env: { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: sessionOf(project) } };
    const message = { systemMessage: expect.stringMatching(/^ralph-loop: 2 gates passed in \S+ m?s$/) };
    expect(await hookAnswers(project, event, CLAUDE_CODE)).toEqual(message);
    expect(await hookAnswers(project, event, inClaudeCode)).toEqual(message);
    expect(await hookAnswers(project, event, inAnother)).toEqual({});
    expect(await hookAnswers(project, event, { env: { CLAUDECODE: '0' } })).toEqual({});
  });

  test('resets the count: the next failure is the first', async ({ makeProject }) => {
    const project = makeProject(HOLDS);
    await decisions(project, checkStops(project), 3);
    project.write({ repaired: '' });
    expect(await hookAnswers(project, checkStops(project))).toEqual({});
    expect(await hookAnswers(project, checkStops(project, { cwd: project.path('.trellis') }))).toEqual({});
    project.write({ '.trellis/worktree.yaml': 'verify:\n  - false\n' });
    expect((await hookAnswers(project, checkStops(project))).reason).toMatch(/^Iteration 1\/5\./);
  });

  test('allows the stop at the limit too', async ({ makeProject }) => {
    const project = makeProject(HOLDS);
    await fourStops(project);
    project.write({ repaired: '' });
    expect(await hookAnswers(project, checkStops(project), CLAUDE_CODE)).toEqual({
      systemMessage: expect.stringContaining('1 gate passed'),
    });
    expect(stateOf(project).iteration).toBe(0);
  });
});

test('the state file has the form of the Python hook', async ({ makeProject }) => {
  const project = makeProject(FAILING);
  const lastMinute = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000 - 60_000);
  const state = {
    task: '.trellis/tasks/demo',
    iteration: 2,
    started_at: `${lastMinute.toISOString().slice(0, 19)}.123456`,
    of_another_tool: { kept: true },
  };
  project.write({ '.trellis/.ralph-state.json': JSON.stringify(state) });
  await hookAnswers(project, checkStops(project));
  expect(stateOf(project)).toEqual({ ...state, iteration: 3 });
  project.write({ '.trellis/.current-task': '.trellis/tasks/another\n' });
  await hookAnswers(project, checkStops(project));
  expect(stateOf(project)).toEqual({
    task: '.trellis/tasks/another',
    iteration: 1,
    started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/),
    of_another_tool: { kept: true },
  });
});

describe.concurrent('markers in the last message', () => {
  const MARKERS = {
    '.trellis/.current-task': 'tasks/demo\n',
    '.trellis/tasks/demo/check.jsonl': '{"reason":"lint"}\n[]\n{"reason":"type check"}\n{"reason":7}\n{}\n',
  };
  const saying = (project: Project, text: string) => checkStops(project, { last_assistant_message: text });

  test('block the stop if one is missing; the log names rows without a reason', async ({ makeProject }) => {
    const project = makeProject(MARKERS);
    const { reason } = await hookAnswers(project, saying(project, 'LINT_FINISH, or so I think'));
    expect(reason).toMatch(/^Iteration 1\/5\. Missing completion markers: TYPE_CHECK_FINISH\.\n/);
    const { reason: all } = await hookAnswers(project, saying(project, 'I am done'));
    expect(all).toMatch(/^Iteration 2\/5\. Missing completion markers: LINT_FINISH, TYPE_CHECK_FINISH\.\n/);
    expect(logOf(project)[0]?.notes).toEqual([
      expect.stringMatching(/^\.trellis\/tasks\/demo\/check\.jsonl:2:1: .*not an object/),
      expect.stringMatching(/^\.trellis\/tasks\/demo\/check\.jsonl:4:1: .*not text/),
    ]);
  });

  test('allow the stop if all are there', async ({ makeProject }) => {
    const project = makeProject(MARKERS);
    expect(await hookAnswers(project, saying(project, 'LINT_FINISH\nTYPE_CHECK_FINISH'))).toEqual({});
  });

  test('are ALL_CHECKS_FINISH by default', async ({ makeProject }) => {
    const project = makeProject({ '.trellis/.current-task': 'tasks/demo\n' });
    expect((await hookAnswers(project, saying(project, 'done'))).reason).toContain(': ALL_CHECKS_FINISH.\n');
    expect(await hookAnswers(project, saying(project, 'ALL_CHECKS_FINISH'))).toEqual({});
  });

  test('are not read from a task outside the project', async ({ makeProject }) => {
    const project = makeProject({ '.trellis/.current-task': '../elsewhere\n' });
    const outside = '{"reason":"leaked"}\n';
    project.write({ '../elsewhere/check.jsonl': outside, '../../elsewhere/check.jsonl': outside });
    const { reason } = await hookAnswers(project, saying(project, 'done'));
    expect(reason).toContain(': ALL_CHECKS_FINISH.\n');
    expect(logOf(project)[0]?.notes).toEqual([expect.stringContaining('outside the project')]);
  });
});

describe.concurrent('--format trellis prints the answers of the Python hook', () => {
  test('for commands: four blocks, the limit, a pass', async ({ makeProject }) => {
    const project = makeProject(HOLDS);
    const [first] = [await hookAnswers(project, checkStops(project), TRELLIS)];
    expect(first.decision).toBe('block');
    expect(first.reason).toMatch(
      /^Iteration 1\/5\. Verification failed:\nCommand failed: test -e repaired\n/,
    );
    await decisions(project, checkStops(project), 3, TRELLIS);
    const last = await hookAnswers(project, checkStops(project), TRELLIS);
    expect(last.decision).toBe('allow');
    expect(last.reason).toMatch(
      /^Max iterations \(5\) reached\. Stopping to prevent infinite loop\.\n.*still fails/,
    );
    project.write({ repaired: '' });
    expect(await hookAnswers(project, checkStops(project), TRELLIS)).toEqual({
      decision: 'allow',
      reason: 'All verify commands passed. Check phase complete.',
    });
  });

  test('for markers', async ({ makeProject }) => {
    const project = makeProject({ '.trellis/.current-task': 'tasks/demo\n' });
    const event = checkStops(project, { last_assistant_message: 'ALL_CHECKS_FINISH' });
    expect(await hookAnswers(project, event, TRELLIS)).toEqual({
      decision: 'allow',
      reason: 'All completion markers found. Check phase complete.',
    });
  });

  test('and nothing for a stop that is not guarded, for every host', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    const event = checkStops(project, { agent_type: 'implement' });
    expect(await hookAnswers(project, event, { ...TRELLIS, ...CLAUDE_CODE })).toEqual({});
  });
});

describe.concurrent('which stops are guarded', () => {
  test.for([
    { event: 'of the check agent', fields: {}, ours: true },
    {
      event: 'in the old form',
      fields: { agent_type: undefined, subagent_type: 'check', prompt: 'p' },
      ours: true,
    },
    {
      event: 'in the old form, of the finish phase',
      fields: { agent_type: undefined, subagent_type: 'check', prompt: 'a [FINISH] b' },
      ours: false,
    },
    { event: 'of another agent', fields: { agent_type: 'checker' }, ours: false },
    { event: 'in other letters', fields: { agent_type: 'Check' }, ours: false },
    { event: 'of an agent without a type', fields: { agent_type: '' }, ours: false },
    { event: 'of the main agent', fields: { hook_event_name: 'Stop' }, ours: false },
    { event: 'that is no stop', fields: { hook_event_name: 'PreToolUse' }, ours: false },
  ])('$event', async ({ fields, ours }, { makeProject }) => {
    const project = makeProject(FAILING);
    const { decision } = await hookAnswers(project, checkStops(project, fields));
    expect(decision).toBe(ours ? 'block' : undefined);
    expect(logOf(project).map(({ answer }) => answer)).toEqual([ours ? 'block' : 'ignore']);
  });
});
