import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { test, trellisFiles, worktreeYaml } from '../helpers/project.ts';
import {
  checkStops,
  decisions,
  hookAnswers,
  LOG_FILE,
  logOf,
  mainStops,
  OWN_USER_LOG,
  sessionOf,
  stateOf,
} from '../helpers/stops.ts';

const FAILING = trellisFiles(['pwd; exit 1']);

describe.concurrent('the hook finds the project', () => {
  test.for([
    { from: 'its root', cwd: '' },
    { from: 'deep inside', cwd: 'packages/a b/src' },
    { from: 'a directory that is gone', cwd: 'packages/no longer/here' },
    { from: 'a link into it', cwd: '../link' },
  ])('from $from', async ({ cwd }, { makeProject }) => {
    const project = makeProject({ ...FAILING, 'packages/a b/src/index.js': '' });
    symlinkSync(project.path('packages'), project.path('../link'));
    const event = checkStops(project, { cwd: join(project.root, cwd) });
    const { reason } = await hookAnswers(project, event, { cwd: '/' });
    // Gates run at the root.
    expect(reason).toContain(`\n${project.root}\n`);
    expect(stateOf(project).iteration).toBe(1);
  });

  test('when .git is a file, as in a worktree', async ({ makeProject }) => {
    const project = makeProject({ '.git': 'gitdir: /elsewhere\n', ...FAILING }, { git: false });
    expect((await hookAnswers(project, checkStops(project))).decision).toBe('block');
  });
});

describe.concurrent('a project without gates allows the stop without an answer and logs the reason:', () => {
  test('no git repository', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify:\n  - false\n' }, { git: false });
    expect(await hookAnswers(project, mainStops(project), OWN_USER_LOG)).toEqual({});
    expect(logOf(project, 'user')).toMatchObject([
      { answer: 'ignore', why: expect.stringContaining('not in a git repository'), agent: 'main' },
    ]);
    expect(project.has('.trellis')).toBe(false);
  });

  test.for([
    {
      nothing: 'no task',
      files: { '.trellis/worktree.yaml': 'verify:\n  - false\n' },
      why: /no current task/,
    },
    {
      nothing: 'an empty task',
      files: { ...FAILING, '.trellis/.current-task': ' \n' },
      why: /no current task/,
    },
    { nothing: 'no gates', files: { 'worktree.yaml': 'verify:\n' }, why: /^no-gates$/ },
    { nothing: 'an empty config', files: { 'worktree.yaml': '' }, why: /^no-gates$/ },
    {
      nothing: 'every gate disabled',
      files: { 'worktree.yaml': worktreeYaml(['{ name: a, run: "false", enabled: false }']) },
      why: /^no-gates$/,
    },
  ])('$nothing', async ({ files, why }, { makeProject }) => {
    const project = makeProject(files);
    expect(await hookAnswers(project, checkStops(project), { env: { CLAUDECODE: '1' } })).toEqual({});
    expect(logOf(project)).toMatchObject([{ why: expect.stringMatching(why), gates: [] }]);
  });
});

describe.concurrent('a broken config', () => {
  const BROKEN = {
    '.trellis/worktree.yaml':
      "verfy:\n  - 'true'\nverify:\n  - name: lint\n    rum: npm run lint\n    timeout: soon\n",
    '.trellis/.current-task': 'tasks/demo\n',
  };

  test('blocks with the position of every problem, and allows the stop after the limit', async ({
    makeProject,
  }) => {
    const project = makeProject(BROKEN);
    const { decision, reason } = await hookAnswers(project, checkStops(project));
    expect(decision).toBe('block');
    expect(reason).toMatch(/^Iteration 1\/5\. Verification failed:\n/);
    expect(reason).toMatch(/^\.trellis\/worktree\.yaml:1:1: .*"verfy".*did you mean "verify"\?$/m);
    expect(reason).toMatch(/^\.trellis\/worktree\.yaml:5:5: .*"rum".*did you mean "run"\?$/m);
    expect(reason).toMatch(/^\.trellis\/worktree\.yaml:6:14: .*"soon" for "timeout"/m);
    expect(await decisions(project, checkStops(project), 3)).toEqual(['block', 'block', 'block']);
    expect(await hookAnswers(project, checkStops(project), { env: { CLAUDECODE: '1' } })).toEqual({
      systemMessage: expect.stringMatching(
        /stop allowed after the limit of 5 iterations: the config is still invalid: .*worktree\.yaml:1:1/,
      ),
    });
    expect(logOf(project)[0]).toMatchObject({ answer: 'block', why: 'config-broken', gates: [] });
  });

  test('that cannot be read blocks the stop', async ({ makeProject }) => {
    const project = makeProject();
    // A link to itself is the one thing that root cannot read either.
    symlinkSync('worktree.yaml', project.path('worktree.yaml'));
    const { decision, reason } = await hookAnswers(project, mainStops(project));
    expect(decision).toBe('block');
    expect(reason).toContain('worktree.yaml');
  });
});

describe.concurrent('a gate', () => {
  test('has RALPH_LOOP=1 in its environment and inherits the rest', async ({ makeProject }) => {
    const gate =
      '{ name: env, run: "echo $RALPH_LOOP/$MINE/$OWN/$(cat); exit 1", env: { OWN: "two", RALPH_LOOP: "0" } }';
    const project = makeProject(trellisFiles([gate]));
    const { reason } = await hookAnswers(project, checkStops(project), {
      env: { MINE: 'one', RALPH_LOOP: '' },
    });
    expect(reason).toContain('\n1/one/two/\n');
  });

  test('that removes .trellis and fails blocks the stop, and the stop is logged', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['echo cleaning; rm -rf .trellis; exit 1']));
    const { reason } = await hookAnswers(project, checkStops(project));
    expect(reason).toMatch(/^Iteration 1\/5\. Verification failed:\n/);
    expect(reason).toContain('\ncleaning\n');
    expect(logOf(project)).toMatchObject([{ answer: 'block', iteration: 1 }]);
  });

  test('that removes .trellis and passes allows the stop', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['rm -rf .trellis']));
    expect(await hookAnswers(project, checkStops(project))).toEqual({});
  });

  test('that is non-blocking only warns', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['{ name: style, run: "exit 1", blocking: false }', 'true']));
    expect(await hookAnswers(project, checkStops(project), { env: { CLAUDECODE: '1' } })).toEqual({
      systemMessage: expect.stringMatching(/1 gate passed in .*; failed without blocking: style$/),
    });
  });

  test('with a long output has an excerpt in the answer and the whole output in its log', async ({
    makeProject,
  }) => {
    const project = makeProject(trellisFiles(['{ name: test, run: "seq 1 300000; exit 1" }']));
    const { reason = '' } = await hookAnswers(project, checkStops(project));
    expect(reason.length).toBeLessThan(8000);
    expect(reason).toMatch(/\n1\n2\n… 299,997 lines …\n300000\n/);
    const log = project.read('.trellis/.ralph/output/test.log');
    expect(log.split('\n')).toEqual([
      ...Array.from({ length: 300_000 }, (_, index) => String(index + 1)),
      '',
    ]);
  });
});

describe.concurrent('the execution log', () => {
  test('notes a typo in the flags of the hook, for a stop that is not guarded too', async ({
    makeProject,
  }) => {
    const project = makeProject(trellisFiles(['true']));
    await hookAnswers(project, checkStops(project, { agent_type: 'implement' }), { args: ['--verbos'] });

    expect(logOf(project)).toMatchObject([
      { answer: 'ignore', notes: [expect.stringContaining('unknown argument --verbos')] },
    ]);
  });

  test('has a line for each stop with event, gates and answer', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['{ name: lint, run: "true" }', 'exit 3', 'touch never']));
    const before = Date.now();
    await hookAnswers(project, checkStops(project), { env: { CLAUDECODE: '1' } });
    await hookAnswers(project, checkStops(project, { agent_type: 'implement' }));
    const [first, second, ...others] = logOf(project);
    expect(first).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      host: 'claude-code',
      session: sessionOf(project),
      agent: 'check',
      task: '.trellis/tasks/demo',
      iteration: 1,
      max: 5,
      gates: [
        { name: 'lint', outcome: 'passed', exit: 0, duration_ms: expect.any(Number) },
        { name: 'exit 3', outcome: 'failed', exit: 3, duration_ms: expect.any(Number) },
        { name: 'touch never', outcome: 'skipped', exit: null, duration_ms: 0 },
      ],
      answer: 'block',
      why: 'gates-failed',
    });
    expect(Date.parse(first?.time ?? '')).toBeGreaterThanOrEqual(before);
    expect(second).toMatchObject({
      host: 'unknown',
      answer: 'ignore',
      why: expect.stringContaining('"implement"'),
    });
    expect(others).toEqual([]);
  });

  test('is rotated at 5 MB', async ({ makeProject }) => {
    const old = `${JSON.stringify({ time: '2026-01-31T10:30:00.000Z', padding: 'x'.repeat(5.3e6) })}\n`;
    const project = makeProject({ ...FAILING, [LOG_FILE]: old });
    await hookAnswers(project, checkStops(project));
    expect(logOf(project)).toHaveLength(1);
    expect(project.read('.trellis/.ralph/log.1.jsonl')).toBe(old);
  });

  test('is in the directory of the user when the project cannot be written', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['exit 3']));
    mkdirSync(project.path(LOG_FILE), { recursive: true });
    expect((await hookAnswers(project, checkStops(project), OWN_USER_LOG)).decision).toBe('block');
    expect(logOf(project, 'user')).toMatchObject([{ answer: 'block', gates: [{ exit: 3 }] }]);
  });

  test('does not change the answer when it cannot be written', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['exit 3']));
    mkdirSync(project.path(LOG_FILE), { recursive: true });
    const { decision } = await hookAnswers(project, checkStops(project), { env: { HOME: '/dev/null' } });
    expect(decision).toBe('block');
  });

  test('is printed to stderr with --verbose', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['exit 3']));
    const input = JSON.stringify(checkStops(project));
    const { stdout, stderr, exitCode } = await ralphLoop(project, ['hook', '--verbose'], { input });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).decision).toBe('block');
    expect(JSON.parse(stderr)).toEqual(logOf(project)[0]);
  });
});
