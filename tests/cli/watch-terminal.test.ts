import { rmSync } from 'node:fs';
import { describe, expect } from 'vitest';
import type { AgentRun } from '../../src/state/agent-run.ts';
import { naiveLocalTime } from '../../src/state/stop-loop.ts';
import { agentRunOf, noPromiseRecord, savedRun, startDriver } from '../helpers/agent-run.ts';
import { chainOf, savedChain } from '../helpers/chain.ts';
import { eventually } from '../helpers/eventually.ts';
import { endProcess, expectGone } from '../helpers/processes.ts';
import { type Files, type MakeProject, test, trellisFiles, worktreeYaml } from '../helpers/project.ts';
import { checkStops, hookAnswers, STATE_FILE } from '../helpers/stops.ts';
import { canHaveTmux, type Look, onScreen } from '../helpers/tmux.ts';

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();

/** A project with one task to do, one running and one passed, and its board on a screen. */
async function watching(
  makeProject: MakeProject,
  { fields, files, ...look }: { fields?: Partial<AgentRun>; files?: Files } & Look = {},
) {
  const driven = agentRunOf({
    driver: await startDriver(),
    started_at: ago(3723),
    activity: { kind: 'gate', name: 'npm test', since: ago(130) },
    ...fields,
  });
  const passed = agentRunOf({ task_id: 'TASK-002', title: 'Log people out', status: 'passed' });
  const project = makeProject({
    ...trellisFiles(['npm test']),
    '.trellis/tasks/demo/task.json': '{"title":"Write the docs","status":"planning"}',
    ...savedRun(driven),
    ...savedRun(passed),
    ...files,
  });
  return {
    project,
    driven,
    screen: onScreen(project, 'watch', look),
    /** Changes the running agent run. */
    change: (changed: Partial<AgentRun>) => project.write(savedRun({ ...driven, ...changed })),
  };
}

/** A stop loop and a chain. */
const HOOKS: Files = {
  [STATE_FILE]: JSON.stringify({
    task: '.trellis/tasks/other',
    iteration: 2,
    started_at: naiveLocalTime(new Date()),
  }),
  ...savedChain(chainOf()),
};

describe.skipIf(!canHaveTmux)('ralph-loop watch in a terminal', () => {
  test('shows everything in 60 columns and 21 lines', async ({ makeProject }) => {
    const { screen } = await watching(makeProject, {
      fields: { cost_usd: 0.426 },
      files: HOOKS,
      size: '60x21',
    });
    const shown = await screen.shows('q quit');
    const lines = shown.split('\n').map((line) => line.trimEnd());
    expect(lines.slice(0, 10)).toEqual([
      'TODO 1',
      '  demo  Write the docs',
      'CODER 1',
      '> TASK-001  Log people in',
      '    ↻ Coder (3/15) 1h 2m',
      expect.stringMatching(/^ {4}gate npm test 2m \d+s$/),
      'DONE 1',
      '  TASK-002  Log people out',
      '    ↻ Coder (3/15)',
      '    passed after 5m 23s',
    ]);
    expect(lines.slice(10, 21)).toEqual([
      'STOP LOOPS AND CHAINS 2',
      '  .trellis/tasks/other',
      '    ↻ 2/5',
      '    its gates run, or its hook was killed',
      '  k3x9-7f2a npm test',
      '    ↻ 0/5',
      '    waits for the next stop',
      'RUNNING AGENTS 1',
      '  Slot 1: coder, TASK-001',
      '    ↻ Ralph: iteration 3/15, running 1h 2m, $0.43',
      'hjkl/arrows move | enter feedback | c cancel | q quit',
    ]);
    expect(screen.state()).toBe('1 0');
  });

  test('shows the lanes side by side when there is space', async ({ makeProject }) => {
    const { screen } = await watching(makeProject, { size: '100x20' });
    const [heads = '', borders = '', names = ''] = (await screen.shows('q quit')).split('\n');
    expect(heads).toMatch(/^TODO 1 +CODER 1 +DONE 1 +FAILED 0 *$/);
    expect(borders).toMatch(/^╭─+╮┏━+┓╭─+╮ *$/);
    expect(names).toMatch(/^│ {2}demo +│┃> TASK-001 +┃│ {2}TASK-002 +│ *$/);
    expect(names.indexOf('┃> TASK-001')).toBe(heads.indexOf('CODER'));
  });

  test('shows the stop loops first and whole without agent runs, and the last feedback below them', async ({
    makeProject,
  }) => {
    const gate = 'the-unit-tests-of-the-package-that-has-the-longest-name';
    const project = makeProject({
      ...trellisFiles([`{ name: ${gate}, run: exit 1 }`]),
      '.trellis/tasks/demo/task.json': '{"title":"Write the docs","status":"in_progress"}',
    });
    await hookAnswers(project, checkStops(project));
    const screen = onScreen(project, 'watch', { size: '60x50' });
    const lines = (await screen.shows('q quit')).split('\n').map((line) => line.trimEnd());
    const inner = lines.map((line) => line.replace(/^[│┃](.*)[│┃]$/, '$1').trim());
    expect(inner.slice(0, inner.findLastIndex((line) => line !== '') + 1)).toEqual([
      'STOP LOOPS AND CHAINS 1',
      `┏${'━'.repeat(58)}┓`,
      '> .trellis/tasks/demo  Write the docs',
      '↻ 1/5',
      'waits for the next stop',
      'blocked: gates-failed',
      `(${gate}`,
      'failed, exit 1)',
      `┗${'━'.repeat(58)}┛`,
      'IN PROGRESS 1',
      `╭${'─'.repeat(58)}╮`,
      'demo  Write the docs',
      `╰${'─'.repeat(58)}╯`,
      'LAST FEEDBACK',
      `✗ ${gate}`,
      expect.stringMatching(/^exited with code 1, after [\d.]+ m?s$/),
      expect.stringMatching(/^(?:just now|\d+ s ago), at iteration 1 of \.trellis\/tasks\/demo$/),
      '$ exit 1',
      '',
      'It printed nothing.',
      'hjkl/arrows move | enter feedback | c cancel | q quit',
    ]);
  });

  test('redraws the board when the terminal changes its size', async ({ makeProject }) => {
    // Nothing runs, so nothing is redrawn every second.
    const { screen } = await watching(makeProject, { fields: { driver: null }, size: '100x20' });
    await screen.shows('FAILED 0');
    screen.resize(60, 12);
    expect(await screen.shows(/^TODO 1\n> demo {2}Write the docs\nCODER 1\n/)).toContain('q quit');
    expect(screen.shown()).not.toContain('FAILED');
    screen.resize(100, 20);
    await screen.shows('FAILED 0');
  });

  test('follows changes of agent runs, tasks and directories', async ({ makeProject }) => {
    const { project, driven, screen, change } = await watching(makeProject);
    await screen.shows('Coder (3/15)');
    change({ iteration: 4, activity: null });
    await screen.shows('Coder (4/15)');
    change({ stage: 'reviewer', iteration: 1, max_iterations: 5 });
    await screen.shows(/REVIEWER 1\n┏━+┓\n┃> TASK-001/);
    change({ status: 'passed', driver: null });
    await screen.shows('DONE 2');
    await screen.loses('RUNNING AGENTS');
    project.write({ '.trellis/tasks/new/task.json': '{"title":"One more"}' });
    await screen.shows('new  One more');
    rmSync(project.path('@/'), { recursive: true });
    await screen.loses('DONE');
    project.write(savedRun(driven));
    await screen.shows('Coder (3/15)');
    project.write({ '@/promise-half.json': '{"id":' });
    change({ iteration: 5 });
    await screen.shows('Coder (5/15)');
  });

  test('shows the first loop of a project when it begins', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml(['npm test']) });
    const screen = onScreen(project, 'watch');
    await screen.shows('There are no tasks and no loops here yet.');
    project.write(savedRun(agentRunOf()));
    await screen.shows('> TASK-001');
    rmSync(project.path('@/'), { recursive: true });
    await screen.shows('There are no tasks and no loops here yet.');
    project.write(savedRun(agentRunOf()));
    await screen.shows('> TASK-001');
  });

  test('numbers agents with equal progress', async ({ makeProject }) => {
    const started_at = ago(3723);
    const driver = await startDriver();
    const two = (fields: Partial<AgentRun>) => savedRun(agentRunOf({ driver, started_at, ...fields }));
    const project = makeProject({ ...trellisFiles([]), ...two({}), ...two({ task_id: 'TASK-002' }) });
    const screen = onScreen(project, 'watch', { size: '60x24' });
    const running = '    ↻ Ralph: iteration 3/15, running 1h 2m';
    await screen.shows(
      ['RUNNING AGENTS 2', '  Slot 1: coder, TASK-001', running, '  Slot 2: coder, TASK-002', running].join(
        '\n',
      ),
    );
  });

  test('updates the run time every second and notices a killed process', async ({ makeProject }) => {
    const { driven, screen } = await watching(makeProject, { fields: { started_at: ago(10) } });
    const seen = new Set<number>();
    const isSeen = (seconds: number) => seen.has(seconds);
    // The poll every five seconds alone would show every fifth second.
    await eventually('three of five seconds', () => {
      const [, seconds] = /running (\d+)s/.exec(screen.shown()) ?? [];
      if (seconds !== undefined) seen.add(Number(seconds));
      return [...seen].some(
        (from) => [from, from + 1, from + 2, from + 3, from + 4].filter(isSeen).length >= 3,
      );
    });
    endProcess(driven.driver?.pid ?? 0);
    await screen.shows('its run was killed: run --resume continues');
  });

  test('moves the selection with keys', async ({ makeProject }) => {
    const { screen } = await watching(makeProject, { files: HOOKS });
    await screen.shows('> TASK-001');
    screen.press('Down');
    await screen.shows('> TASK-002');
    screen.press('j');
    await screen.shows('> .trellis/tasks/other');
    screen.press('j', 'j', 'j');
    await screen.shows('> k3x9-7f2a');
    screen.press('kk');
    await screen.shows('> TASK-002');
    screen.press('Left', 'h');
    await screen.shows('> demo');
    expect(screen.shown().match(/^> /gm)).toHaveLength(1);
  });

  test('shows the page of the selected card when not all cards fit', async ({ makeProject }) => {
    const tasks = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`.trellis/tasks/t${10 + index}/task.json`, '{}']),
    );
    const screen = onScreen(makeProject({ ...trellisFiles([]), ...tasks }), 'watch', { size: '60x9' });
    expect(await screen.shows('q quit')).toMatch(/^TODO 13\n> demo\n {2}t10\n[\s\S]* {2}0 above, 8 below/);
    screen.press('jjjjj');
    expect(await screen.shows('> t14')).toMatch(/^TODO 13\n> t14\n[\s\S]* {2}5 above, 2 below/);
  });

  test('opens the last feedback about a card, scrolls it and closes it', async ({ makeProject }) => {
    const reasons = Array.from({ length: 30 }, (_, index) => `reason ${index + 1}`);
    const feedback = ['The promise was denied:', ...reasons].join('\n');
    const { screen, change } = await watching(makeProject, { fields: { feedback } });
    await screen.shows('> TASK-001');
    screen.press('Enter');
    const shown = await screen.shows('TASK-001 Coder (3/15): last feedback');
    expect(shown).toMatch(
      /\nThe promise was denied:\nreason 1\n[\s\S]*\nreason 17\nesc back .*\(1-18 of 31\)/,
    );
    screen.press('PageDown');
    await screen.shows(/^reason 30\n.*\(14-31 of 31\)/m);
    change({ feedback: 'Something else' });
    await screen.shows(/last feedback\nSomething else\n/);
    screen.press('Escape');
    await screen.shows('q quit');
    await screen.shows('> TASK-001');
  });

  test.for([
    {
      what: 'the result of the last iteration',
      last: noPromiseRecord('no promise was made'),
      says: 'no promise was made',
    },
    { what: 'that there is none yet', last: null, says: 'No feedback yet.' },
  ])('shows $what if there is no feedback', async ({ last, says }, { makeProject }) => {
    const { screen } = await watching(makeProject, { fields: { last } });
    await screen.shows('> TASK-001');
    screen.press('Enter');
    await screen.shows(says);
  });

  test('shows the last failure of a stop loop as `ralph-loop why` does', async ({ makeProject }) => {
    const gate = {
      time: new Date().toISOString(),
      name: 'unit',
      command: 'npm test',
      outcome: { reason: 'failed', exitCode: 3 },
      duration_ms: 1200,
      errors: [],
      since: null,
      excerpt: [{ kind: 'error', text: 'Error: 3 tests fail' }],
      log: null,
    };
    const memory = { task: '.trellis/tasks/other', iteration: 2, tree: null, gates: [gate] };
    const other = { task: null, iteration: null, tree: null, gates: [{ ...gate, name: 'another' }] };
    const screen = onScreen(
      makeProject({
        ...trellisFiles(['npm test']),
        ...HOOKS,
        '@/failed-task.json': JSON.stringify(memory),
        '@/failed-verify.json': JSON.stringify(other),
      }),
      'watch',
    );
    await screen.shows('> .trellis/tasks/other');
    screen.press('Enter');
    expect(await screen.shows('.trellis/tasks/other 2/5: last feedback')).toMatch(/unit exited with code 3/);
    expect(screen.shown()).toContain('Error: 3 tests fail');
    expect(screen.shown()).not.toContain('another');
  });

  test('asks before it cancels and cancels only after y', async ({ makeProject }) => {
    const { project, screen } = await watching(makeProject);
    const status = () => JSON.parse(project.read('@/promise-TASK-001.json')).status;
    await screen.shows('> TASK-001');
    screen.press('c');
    await screen.shows('Cancel TASK-001? y/n');
    screen.press('n');
    await screen.shows('Nothing was cancelled.');
    expect(status()).toBe('running');
    screen.press('c');
    await screen.shows('Cancel TASK-001? y/n');
    screen.press('y');
    await screen.shows('Cancelled Ralph loop for TASK-001 at iteration 3/15');
    expect(status()).toBe('cancelled');
    await screen.shows(/CANCELLED 1\n┏━+┓\n┃> TASK-001/);
    screen.press('c');
    await screen.shows('TASK-001 has been cancelled: there is nothing to cancel');
  });

  test.for([
    { how: 'q', end: 'q', exit: 0 },
    { how: 'Ctrl-C', end: 'C-c', exit: 130 },
    { how: 'SIGTERM', end: 'SIGTERM', exit: 143 },
    { how: 'SIGINT', end: 'SIGINT', exit: 130 },
    { how: 'an internal error', end: 'SIGUSR2', exit: 1 },
  ] as const)('restores the terminal after $how', async ({ end, exit }, { makeProject }) => {
    const fail = 'process.on("SIGUSR2", () => { throw new Error("broken on purpose") })';
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fail)}` };
    const { project, screen } = await watching(makeProject, { env });
    await screen.shows('> TASK-001');
    expect(screen.state()).toBe('1 0');
    const pid = await project.pidIn('pid');
    if (end.startsWith('SIG')) process.kill(pid, end);
    else screen.press(end);
    const shown = await screen.shows(`exit ${exit}`);
    await expectGone(pid);
    expect(shown).toMatch(/^first screen\n/);
    expect(shown).not.toContain('TASK-001');
    expect(shown.includes('broken on purpose')).toBe(end === 'SIGUSR2');
    expect(screen.state()).toBe('0 1');
    const after = await eventually(
      'the terminal is checked',
      () => project.has('after') && project.read('after'),
    );
    expect(after).toBe(project.read('before'));
  });

  test('exits when its terminal is closed', async ({ makeProject }) => {
    const { project, screen } = await watching(makeProject);
    await screen.shows('> TASK-001');
    const pid = await project.pidIn('pid');
    screen.close();
    await expectGone(pid);
  });

  test('prints colours', async ({ makeProject }) => {
    const { screen } = await watching(makeProject);
    await screen.shows('q quit');
    expect(screen.painted()).toContain('\x1b[1m');
  });

  test('prints no colours when NO_COLOR is set', async ({ makeProject }) => {
    const { screen } = await watching(makeProject, { env: { NO_COLOR: '1' } });
    await screen.shows('q quit');
    expect(screen.painted()).not.toContain('\x1b[');
  });

  test.for([{ env: { CI: 'true' } }, { env: { DEV: 'true' } }])(
    'draws the board with $env',
    async ({ env }, { makeProject }) => {
      const { screen } = await watching(makeProject, { env });
      await screen.shows('> TASK-001');
    },
  );

  test('prints a message without a project and exits', async ({ makeProject }) => {
    const screen = onScreen(makeProject(), 'watch');
    expect(await screen.shows('exit 0')).toContain('No worktree.yaml or gate.config.json was found');
  });
});
