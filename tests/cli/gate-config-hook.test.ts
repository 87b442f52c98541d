import { chmodSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { ralphGate, ralphLoop } from '../helpers/bin.ts';
import { gateFiles, resultsFilesIn, resultsOf } from '../helpers/gate-config.ts';
import { canBeOtherUser, makeReadOnly, ralphLoopAsOther } from '../helpers/other-user.ts';
import { test, trellisFiles } from '../helpers/project.ts';
import {
  answerOf,
  checkStops,
  decisionOf,
  decisions,
  hookAnswers,
  hookProcessAnswers,
  logOf,
  mainStops,
  sessionOf,
} from '../helpers/stops.ts';

const CLAUDE = { env: { CLAUDECODE: '1' } };
const ROUND = ['block', 'block', 'block', 'block', 'allow'];
const FAILING = gateFiles([{ name: 'typecheck', command: 'echo "error TS1: bad"; exit 1' }]);
const PASSING = gateFiles([{ name: 'test', command: 'echo careful >&2' }]);
const WARNING = gateFiles([
  { name: 'style', command: 'exit 1', blocking: false },
  { name: 'test', command: 'true' },
]);
const SETTINGS = (lines: string) => `ralph:\n${lines}`;

describe.concurrent('ralph-loop hook with a gate config', () => {
  test('blocks in the form of Ralph Gate', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    const answer = await hookAnswers(project, mainStops(project));
    expect(answer).toEqual({
      decision: 'block',
      reason: expect.stringMatching(/^Gate 'typecheck' failed \(exit 1\):\nerror TS1: bad\n/),
    });
    expect(resultsOf(project)).toMatchObject({ passed: false, firstFailure: { name: 'typecheck' } });
  });

  test('counts for the session, even if Trellis has a task', async ({ makeProject }) => {
    const project = makeProject({ ...trellisFiles([]), '.trellis/worktree.yaml': 'copy: []\n', ...FAILING });
    for (const session_id of ['one', 'two', 'one'])
      await hookAnswers(project, checkStops(project, { session_id }));
    expect(project.has('.trellis/.ralph-state.json')).toBe(false);
    expect(logOf(project).map(({ iteration }) => iteration)).toEqual([1, 1, 2]);
  });

  test('reports a pass to a host that shows messages', async ({ makeProject }) => {
    const project = makeProject(PASSING);
    expect(await hookAnswers(project, mainStops(project), CLAUDE)).toEqual({
      systemMessage: expect.stringMatching(/^ralph-loop: 1 gate passed in /),
    });
    expect(await hookProcessAnswers(project, mainStops(project))).toEqual({});
    expect(resultsFilesIn(project)).toHaveLength(2);
  });

  test('reports warnings to a host that ignores unknown keys', async ({ makeProject }) => {
    const project = makeProject(WARNING);
    expect(await hookAnswers(project, mainStops(project), CLAUDE)).toEqual({
      warnings: ['style'],
      systemMessage: expect.stringContaining('style'),
    });
    expect(await hookAnswers(project, mainStops(project))).toEqual({});
    project.write(
      gateFiles([
        { name: 'style', command: 'exit 1', blocking: false },
        { name: 'test', command: 'exit 1' },
      ]),
    );
    expect(await hookAnswers(project, mainStops(project), CLAUDE)).toMatchObject({
      decision: 'block',
      warnings: ['style'],
    });
    for (const event of [mainStops(project), mainStops(project, { turn_id: 't' })])
      expect(Object.keys(await hookAnswers(project, event)).sort()).toEqual(['decision', 'reason']);
  });

  test('allows the fifth stop of a session with a message', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    expect(await decisions(project, mainStops(project), 4)).toEqual(ROUND.slice(0, 4));
    expect(await hookAnswers(project, mainStops(project), CLAUDE)).toEqual({
      systemMessage: expect.stringMatching(
        /^ralph-loop: stop allowed after the limit of 5 iterations: `typecheck` still fails/,
      ),
    });
    expect(await decisions(project, mainStops(project, { session_id: 'session-2' }), 5)).toEqual(ROUND);
  });

  test('shares its loop with ralph-gate --hook, and not with verify', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    const input = JSON.stringify(mainStops(project));
    const gateDecides = async () => decisionOf(answerOf(await ralphGate(project, ['--hook'], { input })));
    expect(await decisions(project, mainStops(project), 2)).toEqual(['block', 'block']);
    expect(await gateDecides()).toBe('block');
    expect((await ralphLoop(project, ['verify'])).exitCode).toBe(1);
    expect(await decisions(project, mainStops(project), 1)).toEqual(['block']);
    expect(await gateDecides()).toBe('allow');
  });

  test.for([
    { agent: 'the check agent', event: checkStops, decision: 'block' },
    { agent: 'the main agent', event: mainStops, decision: 'block' },
  ])('guards $agent', async ({ event, decision }, { makeProject }) => {
    const project = makeProject(FAILING);
    expect(decisionOf(await hookAnswers(project, event(project)))).toBe(decision);
  });

  test('guards no other agent unless a worktree.yaml names it', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    const event = checkStops(project, { agent_type: 'implement' });
    expect(await hookAnswers(project, event)).toEqual({});
    expect(resultsFilesIn(project)).toEqual([]);
    project.write({ 'worktree.yaml': SETTINGS('  agents: [implement]\n') });
    expect(decisionOf(await hookAnswers(project, event))).toBe('block');
    expect(await hookAnswers(project, mainStops(project))).toEqual({});
  });

  test('uses the limit and the variables of a worktree.yaml without verify', async ({ makeProject }) => {
    const gate = { name: 'env', command: 'echo "[$SEEN/$HIDDEN]"; exit 1' };
    const project = makeProject({
      ...gateFiles([gate]),
      'worktree.yaml': SETTINGS('  max_iterations: 2\n  env: { pass: [SEEN] }\n'),
    });
    const options = { env: { SEEN: 'seen', HIDDEN: 'hidden' } };
    expect((await hookAnswers(project, mainStops(project), options)).reason).toContain('\n[seen/]\n');
    expect(decisionOf(await hookAnswers(project, mainStops(project), options))).toBe('allow');
  });

  test("runs its gates in the event's directory", async ({ makeProject }) => {
    const project = makeProject({
      ...gateFiles([{ name: 'where', command: 'pwd; exit 1' }]),
      'a/b c/file': '',
    });
    const event = mainStops(project, { cwd: project.path('a/b c') });
    expect((await hookAnswers(project, event, { cwd: '/' })).reason).toContain(
      `\n${project.path('a/b c')}\n`,
    );
    expect(resultsFilesIn(project)).toHaveLength(1);
  });

  test.for([
    { nothing: 'it has no gates', files: gateFiles([]) },
    { nothing: 'all are disabled', files: gateFiles([{ name: 'a', command: 'exit 1', enabled: false }]) },
  ])('allows the stop because $nothing', async ({ files }, { makeProject }) => {
    const project = makeProject(files);
    expect(await hookAnswers(project, mainStops(project), CLAUDE)).toEqual({});
    expect(logOf(project)).toMatchObject([{ answer: 'allow', why: 'no-gates' }]);
  });

  test('blocks when it is broken, with every problem and its position', async ({ makeProject }) => {
    const project = makeProject({
      '.gaterc': '{"gates": [\n{"name": "a", "command": "b", "order": "1"},\n{"name": "a"}\n]}',
    });
    const { decision, reason } = await hookAnswers(project, mainStops(project));
    expect(decision).toBe('block');
    for (const problem of [/^\.gaterc:2:40: /m, /^\.gaterc:3:1: /m, /^\.gaterc:3:10: /m])
      expect(reason).toMatch(problem);
    expect(logOf(project)).toMatchObject([{ answer: 'block', why: 'config-broken' }]);
  });
});

describe.concurrent('the config in use is', () => {
  const verify = (name: string) => `verify:\n  - 'touch ${name}.ran'\n`;
  const gates = gateFiles([{ name: 'gate', command: 'touch gate.ran' }]);
  const rows = [
    {
      where: 'the worktree.yaml if it has verify',
      files: { 'worktree.yaml': verify('verify') },
      ran: 'verify',
    },
    {
      where: 'the gate config if the worktree.yaml has no verify',
      files: { 'worktree.yaml': SETTINGS('  fail_fast: true\n') },
      ran: 'gate',
    },
    { where: 'the gate config if the worktree.yaml is empty', files: { 'worktree.yaml': '' }, ran: 'gate' },
    {
      where: "Trellis's worktree.yaml if it has verify and there is a task",
      files: trellisFiles(['touch verify.ran']),
      ran: 'verify',
    },
    {
      where: "the gate config, without markers, if Trellis's worktree.yaml has no verify and there is a task",
      files: {
        '.trellis/.current-task': 'tasks/demo\n',
        '.trellis/worktree.yaml': 'copy:\n  - x\n',
        '.trellis/tasks/demo/check.jsonl': '{"reason":"lint"}\n',
      },
      ran: 'gate',
    },
    {
      where: 'the gate config if there is a Trellis task without a worktree.yaml',
      files: { '.trellis/.current-task': 'tasks/demo\n', '.trellis/tasks/demo/task.json': '{}' },
      ran: 'gate',
    },
  ];

  test.for(rows)('$where', async ({ files, ran }, { makeProject }) => {
    for (const door of ['hook', 'verify']) {
      const project = makeProject({ ...gates, ...files });
      if (door === 'hook') expect(await hookAnswers(project, checkStops(project))).toEqual({});
      else expect(await ralphLoop(project, ['verify'])).toMatchObject({ exitCode: 0, stderr: '' });
      expect(['verify', 'gate'].filter((name) => project.has(`${name}.ran`))).toEqual([ran]);
    }
  });

  test('the one of --config, even beside verify commands', async ({ makeProject }) => {
    const files = { 'worktree.yaml': verify('verify'), 'conf/mine.json': gates['gate.config.json'] ?? '' };
    const args = ['--config', 'conf/mine.json'];
    for (const door of ['hook', 'verify']) {
      const project = makeProject(files);
      if (door === 'hook') expect(await hookAnswers(project, mainStops(project), { args })).toEqual({});
      else expect(await ralphLoop(project, ['verify', ...args])).toMatchObject({ exitCode: 0, stderr: '' });
      expect(['verify', 'gate'].filter((name) => project.has(`${name}.ran`))).toEqual(['gate']);
      expect(resultsFilesIn(project, 'conf')).toHaveLength(1);
    }
  });

  test('none if the file of --config is missing, which is an error', async ({ makeProject }) => {
    const project = makeProject({ ...gates, 'worktree.yaml': verify('verify') });
    const args = ['--config', 'gone.json'];
    expect(await hookAnswers(project, mainStops(project), { args })).toMatchObject({
      decision: 'block',
      reason: expect.stringMatching(/^gone\.json:1:1: .*no such file$/m),
    });
    expect(await ralphLoop(project, ['verify', ...args])).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/^gone\.json:1:1: /),
    });
    expect(project.has('gate.ran') || project.has('verify.ran')).toBe(false);
  });

  test('only the one in the working directory without git', async ({ makeProject }) => {
    const project = makeProject({ ...FAILING, 'a/file': '' }, { git: false });
    expect(decisionOf(await hookAnswers(project, mainStops(project)))).toBe('block');
    const elsewhere = { cwd: project.path('a'), session_id: `${sessionOf(project)}-b` };
    expect(await hookAnswers(project, mainStops(project, elsewhere))).toEqual({});
  });
});

describe.concurrent('ralph-loop verify with a gate config', () => {
  const FOUR = gateFiles([
    { name: 'test', command: 'echo why >&2; exit 3', order: 20 },
    { name: 'lint', command: 'true', order: 10 },
    { name: 'build', command: 'touch build.ran', order: 30 },
    { name: 'style', command: 'exit 4', blocking: false, order: 40 },
  ]);

  test('runs the gates in order and writes the results file', async ({ makeProject }) => {
    const project = makeProject(FOUR);
    const { exitCode, stdout, stderr } = await ralphLoop(project, ['verify']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout).toMatch(/✓ lint [\s\S]*✗ test .*code 3\n {4}why\n[\s\S]*⊘ build [\s\S]*⚠ style /u);
    expect(resultsOf(project)).toMatchObject({
      passed: false,
      firstFailure: { name: 'test' },
      warnings: ['style'],
    });
  });

  test('runs the named gates, or all', async ({ makeProject }) => {
    const project = makeProject(FOUR);
    expect((await ralphLoop(project, ['verify', 'lint', 'style'])).exitCode).toBe(0);
    expect(project.has('build.ran')).toBe(false);
    expect((await ralphLoop(project, ['verify', '--no-fail-fast'])).exitCode).toBe(1);
    expect(project.has('build.ran')).toBe(true);
  });

  test('prints the result alone with --json', async ({ makeProject }) => {
    const { exitCode, stdout } = await ralphLoop(makeProject(FOUR), ['verify', '--json']);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: 'failed',
      gates: [
        { name: 'lint' },
        { name: 'test', exit: 3 },
        { name: 'build' },
        { name: 'style', blocking: false },
      ],
    });
  });

  test('prints the shell too with --dry-run', async ({ makeProject }) => {
    const { exitCode, stdout } = await ralphLoop(makeProject(FOUR), ['verify', '--dry-run'], {
      env: { SHELL: '/bin/sh' },
    });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^Shell: \/bin\/sh\n1\. lint: [\s\S]*2\. test: [\s\S]*3\. build: [\s\S]*4\. style: /,
    );
  });

  test.for([
    { args: ['verify', 'bulid'], says: /Unknown gate "bulid"; did you mean "build"\?/ },
    { args: ['verify', '--config'], says: /--config/ },
  ])('rejects $args', async ({ args, says }, { makeProject }) => {
    const { exitCode, stdout, stderr } = await ralphLoop(makeProject(FOUR), args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(says);
  });

  test('runs nothing when the config is broken', async ({ makeProject }) => {
    const project = makeProject({
      'gate.config.json': '{"gates": [{"name": "a", "command": "touch a.ran"}, 5]}',
    });
    const { exitCode, stderr } = await ralphLoop(project, ['verify']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^gate\.config\.json:1:53: .*\n$/);
    expect(project.has('a.ran')).toBe(false);
  });

  test('records a failure for why', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    await ralphLoop(project, ['verify']);
    expect((await ralphLoop(project, ['why'])).stdout).toMatch(/^✗ typecheck exited with code 1/);
  });
});

describe.skipIf(!canBeOtherUser)('without permission', () => {
  test('a config that cannot be read is an error', async ({ makeProject }) => {
    const project = makeProject(PASSING);
    makeReadOnly(project);
    chmodSync(project.path('gate.config.json'), 0);
    const verify = await ralphLoopAsOther(project, ['verify']);
    expect(verify).toMatchObject({ exitCode: 2, stdout: '' });
    expect(verify.stderr).toMatch(/^gate\.config\.json:1:1: .*EACCES/);
    const input = JSON.stringify(mainStops(project));
    expect(JSON.parse((await ralphLoopAsOther(project, ['hook'], input)).stdout)).toMatchObject({
      decision: 'block',
      reason: expect.stringMatching(/^gate\.config\.json:1:1: .*EACCES/m),
    });
  });

  test('gates are judged in a project that cannot be written, and the missing results file is reported', async ({
    makeProject,
  }) => {
    const project = makeProject(FAILING);
    makeReadOnly(project);
    const { exitCode, stdout, stderr } = await ralphLoopAsOther(project, ['verify']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/✗ typecheck .*\n {4}error TS1: bad\n/);
    expect(stderr).toMatch(/^ralph-loop: the results file .+\.json cannot be written: permission denied$/m);
    const answer = await ralphLoopAsOther(project, ['hook'], JSON.stringify(mainStops(project)));
    expect(JSON.parse(answer.stdout).decision).toBe('block');
  });

  test('results are written to a directory that cannot be listed', async ({ makeProject }) => {
    const project = makeProject({
      ...gateFiles([{ name: 'test', command: 'exit 1' }], { outputPath: 'out/gate-results-<pid>.json' }),
      'out/file': '',
    });
    makeReadOnly(project);
    chmodSync(project.path('out'), 0o333);
    const { exitCode, stdout, stderr } = await ralphLoopAsOther(project, ['verify']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout).toMatch(/\n1 of 1 gate failed/);
    expect(resultsFilesIn(project, 'out')).toHaveLength(1);
  });
});
