import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { ralphGate, startRalphGate } from '../helpers/bin.ts';
import { gateFiles, resultsFilesIn, resultsOf } from '../helpers/gate-config.ts';
import { expectGone } from '../helpers/processes.ts';
import { type Project, test } from '../helpers/project.ts';
import { sleepLong } from '../helpers/shell-commands.ts';
import {
  answerOf,
  checkStops,
  decisionOf,
  type GateHookAnswer,
  gateHookAnswers,
  logOf,
  mainStops,
} from '../helpers/stops.ts';

const PASSING = gateFiles([{ name: 'test', command: 'echo fine; echo careful >&2' }]);
const FAILING = gateFiles([{ name: 'typecheck', command: 'echo "error TS1: bad"; exit 1' }]);
const CLAUDE = { CLAUDECODE: '1' };
const ROUND = ['block', 'block', 'block', 'block', 'allow'];

describe.concurrent('ralph-gate --hook', () => {
  test.for([{ env: {} }, { env: CLAUDE }])(
    'answers with an empty object when the gates pass, with output on stderr, in the environment $env',
    async ({ env }, { makeProject }) => {
      const project = makeProject(PASSING);
      expect(await gateHookAnswers(project, mainStops(project), { env })).toEqual({});
      expect(resultsFilesIn(project)).toHaveLength(1);
    },
  );

  test('blocks with the failed gate, its exit code and its output', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    const answer = await gateHookAnswers(project);
    expect(Object.keys(answer).sort()).toEqual(['decision', 'reason']);
    expect(answer.decision).toBe('block');
    expect(answer.reason).toMatch(/^Gate 'typecheck' failed \(exit 1\):\nerror TS1: bad\n/);
    expect(answer.reason).toContain('\nFull output: .trellis/.ralph/output/typecheck.log\n');
  });

  test.for([
    { command: 'exit 2', short: 'exit 2' },
    { command: 'no-such-program-anywhere', short: 'exit 127' },
    { command: '/', short: 'exit 126' },
    { command: 'kill -KILL $$', short: 'killed by SIGKILL' },
    { command: 'exec sleep 600', timeout: 1, short: 'timed out after 1 s' },
  ])('reports a gate that ended with "$short"', async ({ command, timeout, short }, { makeProject }) => {
    const project = makeProject(gateFiles([{ name: 'test', command, ...(timeout && { timeout }) }]));
    expect((await gateHookAnswers(project)).reason?.split('\n', 1)).toEqual([
      `Gate 'test' failed (${short}):`,
    ]);
  });

  test('reports only the first failure, and the names of the non-blocking gates that failed', async ({
    makeProject,
  }) => {
    const project = makeProject(
      gateFiles(
        [
          { name: 'docs', command: 'echo docs-output; exit 1', blocking: false, order: 1 },
          { name: 'lint', command: 'echo lint-output; exit 2' },
          { name: 'test', command: 'echo test-output; exit 3' },
          { name: 'style', command: 'echo style-output; exit 4', blocking: false },
        ],
        { failFast: false },
      ),
    );
    const { decision, reason, warnings } = await gateHookAnswers(project);
    expect({ decision, warnings }).toEqual({ decision: 'block', warnings: ['docs', 'style'] });
    expect(reason).toMatch(/^Gate 'lint' failed \(exit 2\):\nlint-output\n/);
    expect(reason).not.toMatch(/docs-output|test-output|style-output/);
    expect(resultsOf(project)).toMatchObject({ firstFailure: { name: 'lint' }, warnings: ['docs', 'style'] });
  });

  test('skips the blocking gates after a failure, and runs the non-blocking ones', async ({
    makeProject,
  }) => {
    const project = makeProject(
      gateFiles([
        { name: 'lint', command: 'exit 1' },
        { name: 'test', command: 'touch test.ran' },
        { name: 'style', command: 'touch style.ran; exit 1', blocking: false },
      ]),
    );
    expect(await gateHookAnswers(project)).toMatchObject({ decision: 'block', warnings: ['style'] });
    expect([project.has('test.ran'), project.has('style.ran')]).toEqual([false, true]);
  });

  test('passes with the names of the non-blocking gates that failed', async ({ makeProject }) => {
    const gates = [
      { name: 'style', command: 'exit 1', blocking: false },
      { name: 'docs', command: 'exit 1', blocking: false },
      { name: 'test', command: 'true' },
    ];
    const project = makeProject(gateFiles(gates));
    for (const env of [{}, CLAUDE])
      expect(await gateHookAnswers(project, mainStops(project), { env })).toEqual({
        warnings: ['style', 'docs'],
        systemMessage: expect.stringContaining('style, docs'),
      });
    // Codex rejects unknown keys.
    expect(await gateHookAnswers(project, mainStops(project, { turn_id: 't' }))).toEqual({
      systemMessage: expect.stringContaining('style, docs'),
    });
  });

  test('answers Codex only with keys that it accepts', async ({ makeProject }) => {
    const gates = [
      { name: 'style', command: 'exit 1', blocking: false },
      { name: 'test', command: 'exit 1' },
    ];
    const project = makeProject(gateFiles(gates));
    const answer = await gateHookAnswers(project, mainStops(project, { turn_id: 't' }));
    expect(Object.keys(answer).sort()).toEqual(['decision', 'reason']);
  });

  test.for([
    { what: 'is empty', input: '' },
    { what: 'is not JSON', input: 'not json' },
    { what: 'is half an event', input: '{"hook_event_name":"Stop",' },
    { what: 'is a list', input: '[]' },
    { what: 'is an empty object', input: '{}' },
    { what: 'has an event of another name', input: '{"hook_event_name":"PreCompact"}' },
  ])('guards its working directory if stdin $what', async ({ input }, { makeProject }) => {
    const project = makeProject(FAILING);
    expect((await gateHookAnswers(project, input)).decision).toBe('block');
    project.write(PASSING);
    expect(await gateHookAnswers(project, input)).toEqual({});
  });

  test.for(['check', 'implement', 'main', ''])(
    'guards a subagent of the type %j',
    async (agent, { makeProject }) => {
      const project = makeProject(FAILING);
      expect((await gateHookAnswers(project, checkStops(project, { agent_type: agent }))).decision).toBe(
        'block',
      );
    },
  );

  test("runs the gates in the event's directory, and writes its files beside the config", async ({
    makeProject,
  }) => {
    const project = makeProject({
      ...gateFiles([{ name: 'where', command: 'pwd; exit 1' }]),
      'a/b c/file': '',
    });
    const event = mainStops(project, { cwd: project.path('a/b c') });
    const { reason } = await gateHookAnswers(project, event, { cwd: '/' });
    expect(reason).toContain(`\n${project.path('a/b c')}\n`);
    expect(resultsOf(project).passed).toBe(false);
    expect(readdirSync(project.path('a/b c'))).toEqual(['file']);
  });

  test('uses the gates of --config, relative to the directory of the event', async ({ makeProject }) => {
    const project = makeProject({
      ...FAILING,
      'conf/mine.json': '{"gates": [{"name": "mine", "command": "exit 7"}]}',
      'a/file': '',
    });
    const event = mainStops(project, { cwd: project.path('a') });
    for (const args of [['--config', '../conf/mine.json'], [`--config=${project.path('conf/mine.json')}`]])
      expect((await gateHookAnswers(project, event, { args })).reason).toMatch(
        /^Gate 'mine' failed \(exit 7\):\n/,
      );
  });

  test('ignores a worktree.yaml and the current task', async ({ makeProject }) => {
    const project = makeProject({
      ...PASSING,
      'worktree.yaml': 'verify:\n  - exit 1\n',
      '.trellis/.current-task': 'tasks/demo\n',
      '.trellis/worktree.yaml': 'verify:\n  - exit 1\n',
    });
    expect(await gateHookAnswers(project)).toEqual({});
  });

  test.for([
    { nothing: 'no config', files: {} },
    { nothing: 'a config without gates', files: gateFiles([]) },
    { nothing: 'disabled gates', files: gateFiles([{ name: 'a', command: 'exit 1', enabled: false }]) },
  ])('passes with $nothing', async ({ files }, { makeProject }) => {
    const project = makeProject(files);
    expect(await gateHookAnswers(project)).toEqual({});
    expect(resultsFilesIn(project)).toHaveLength('gate.config.json' in files ? 1 : 0);
  });

  test('guards a directory outside of a repository', async ({ makeProject }) => {
    const project = makeProject(FAILING, { git: false });
    expect((await gateHookAnswers(project)).decision).toBe('block');
  });
});

describe.concurrent('ralph-gate --hook --only', () => {
  const TWO = gateFiles([
    { name: 'lint', command: 'exit 1' },
    { name: 'test', command: 'touch test.ran' },
  ]);

  test.for([[['--only', 'test']], [['--only=test']]])(
    'runs one gate for %j',
    async ([args = []], { makeProject }) => {
      const project = makeProject(TWO);
      expect(await gateHookAnswers(project, mainStops(project), { args })).toEqual({});
      expect(project.has('test.ran')).toBe(true);
      expect(resultsOf(project).results.map(({ name }) => name)).toEqual(['test']);
    },
  );

  test.for([
    { args: ['--only', 'tset'], says: 'Unknown gate "tset"; did you mean "test"?' },
    { args: ['--only', 'deploy'], says: 'Unknown gate "deploy"' },
    { args: ['--only'], says: 'Unknown gate ""' },
  ])('blocks for the unknown gate in $args', async ({ args, says }, { makeProject }) => {
    const project = makeProject(TWO);
    const { decision, reason } = await gateHookAnswers(project, mainStops(project), { args });
    expect(decision).toBe('block');
    expect(reason).toContain(says);
    expect(project.has('test.ran')).toBe(false);
  });
});

describe.concurrent('a stop that never succeeds', () => {
  const after = async (project: Project, stops: number, event: object = mainStops(project)) => {
    const answers: GateHookAnswer[] = [];
    for (let n = 0; n < stops; n++) answers.push(await gateHookAnswers(project, event));
    return answers;
  };

  test('is blocked four times and then allowed with a message, in twelve stops', async ({ makeProject }) => {
    const gates = [
      { name: 'typecheck', command: 'echo "error TS1: bad"; exit 1' },
      { name: 'style', command: 'exit 1', blocking: false },
    ];
    const project = makeProject(gateFiles(gates));
    const answers: GateHookAnswer[] = [];
    for (let n = 0; n < 12; n++) {
      answers.push(...(await after(project, 1)));
      const [file = '', ...others] = resultsFilesIn(project);
      expect(others).toEqual([]);
      rmSync(project.path(file));
    }
    expect(answers.map(decisionOf)).toEqual([...ROUND, ...ROUND, 'block', 'block']);
    for (const { decision, reason, systemMessage, warnings } of answers) {
      expect(warnings).toEqual(['style']);
      if (decision === 'block') expect(reason).toMatch(/^Gate 'typecheck' failed \(exit 1\):\n/);
      else
        expect(systemMessage).toMatch(
          /^ralph-loop: stop allowed after the limit of 5 iterations: `typecheck` still fails/,
        );
    }
  });

  test('is counted per session and agent, not per task', async ({ makeProject }) => {
    const project = makeProject({ ...FAILING, '.trellis/.current-task': 'tasks/demo\n' });
    const others = [
      mainStops(project, { session_id: 'session-2' }),
      checkStops(project),
      checkStops(project, { agent_id: 'agent-2' }),
    ];
    expect((await after(project, 4)).map(decisionOf)).toEqual(ROUND.slice(0, 4));
    for (const event of others) expect(decisionOf(await gateHookAnswers(project, event))).toBe('block');
    expect(decisionOf(await gateHookAnswers(project))).toBe('allow');
    expect(project.has('.trellis/.ralph-state.json')).toBe(false);
  });

  test('is counted from 1 again after a pass', async ({ makeProject }) => {
    const project = makeProject(gateFiles([{ name: 'test', command: 'test -f green' }]));
    await after(project, 3);
    project.write({ green: '' });
    expect(decisionOf(await gateHookAnswers(project))).toBe('allow');
    rmSync(project.path('green'));
    expect((await after(project, 5)).map(decisionOf)).toEqual(ROUND);
  });

  test('is allowed after the limit with an invalid config too', async ({ makeProject }) => {
    const project = makeProject({ 'gate.config.json': '{"gates": [' });
    const answers = await after(project, 6);
    expect(answers.map(decisionOf)).toEqual([...ROUND, 'block']);
    expect(answers[4]?.systemMessage).toMatch(
      /stop allowed after the limit of 5 iterations: the config is still invalid: gate\.config\.json:1:12/,
    );
  });
});

describe.concurrent('ralph-gate --hook blocks with the position of every problem for', () => {
  const gate = '{"name": "test", "command": "touch test.ran"}';
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  test.for([
    { broken: 'an empty config', text: '', says: [/^gate\.config\.json:1:1: .*empty/m] },
    {
      broken: 'a config of malformed JSON',
      text: `{"gates": [\n${gate}`,
      says: [/^gate\.config\.json:2:\d+: .*not valid JSON/m],
    },
    {
      broken: 'a config with wrong types',
      text: `{"gates": [\n{"name": "a", "command": "touch test.ran", "enabled": "false", "order": "10"}\n]}`,
      says: [
        /^gate\.config\.json:2:55: .*"false".*true or false$/m,
        /^gate\.config\.json:2:73: .*a number$/m,
      ],
    },
    {
      broken: 'a config with missing keys and a duplicate name',
      text: `{"gates": [${gate},\n{"name": "test", "command": "x"},\n{"name": "c"},\n{"command": "x"}]}`,
      says: [
        /^gate\.config\.json:2:10: .*"test" again/m,
        /^gate\.config\.json:3:1: .*"command"/m,
        /^gate\.config\.json:4:1: .*"name"/m,
      ],
    },
    {
      broken: 'a config that is nested a million levels deep',
      text: `{"gates": [${gate}], "x": ${nested(1e6)}}`,
      says: [/^gate\.config\.json:\d+:\d+: .*too deeply/m],
    },
    {
      broken: 'a config that is nested 4000 levels deep and has another problem',
      text: `{"gates": [${gate}, 5], "x": ${nested(4000)}}`,
      says: [/^gate\.config\.json:1:\d+: ./m],
    },
  ])('$broken', async ({ text, says }, { makeProject }) => {
    const project = makeProject({ 'gate.config.json': text });
    const { decision, reason } = await gateHookAnswers(project);
    expect(decision).toBe('block');
    for (const problem of says) expect(reason).toMatch(problem);
    expect(project.has('test.ran')).toBe(false);
    expect(resultsOf(project)).toMatchObject({ passed: false, results: [] });
  });

  test.for([
    { what: 'a directory', target: undefined },
    { what: 'a link to itself', target: 'gate.config.json' },
    { what: 'a link to nothing', target: 'gone.json' },
  ])('$what in place of the config', async ({ target }, { makeProject }) => {
    const project = makeProject();
    const path = project.path('gate.config.json');
    if (target === undefined) mkdirSync(path);
    else symlinkSync(target, path);
    const { decision, reason } = await gateHookAnswers(project);
    expect(decision).toBe('block');
    expect(reason).toMatch(/^gate\.config\.json:1:1: ./m);
  });

  test('a missing file of --config', async ({ makeProject }) => {
    const project = makeProject(PASSING);
    const { decision, reason } = await gateHookAnswers(project, mainStops(project), {
      args: ['--config', 'gone.json'],
    });
    expect(decision).toBe('block');
    expect(reason).toMatch(/^gone\.json:1:1: .*no such file$/m);
  });
});

describe.concurrent('a gate that fails blocks the stop', () => {
  test('even if a results file is a link to itself', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    symlinkSync('gate-results-1.json', project.path('gate-results-1.json'));
    expect((await gateHookAnswers(project)).decision).toBe('block');
  });

  test('even if the config has lists nested 4000 levels deep', async ({ makeProject }) => {
    const gate = '{"name": "test", "command": "exit 1"}';
    const text = `{"gates": [${gate}], "x": ${'['.repeat(4000)}${']'.repeat(4000)}}`;
    expect((await gateHookAnswers(makeProject({ 'gate.config.json': text }))).decision).toBe('block');
  });

  test.for(['/bin/true', '/bin/false', '/no/such/bash'])(
    'even if $SHELL is %s',
    async (SHELL, { makeProject }) => {
      const project = makeProject(gateFiles([{ name: 'test', command: 'true' }]));
      const { decision, reason } = await gateHookAnswers(project, mainStops(project), { env: { SHELL } });
      expect(decision).toBe('block');
      expect(reason).toMatch(/^Gate 'test' failed \(not started: .*\$SHELL/);
      expect(reason).toContain(SHELL);
    },
  );

  test.for([
    { what: 'there is a file in place of its directory', outputPath: 'file/results.json' },
    { what: 'there is a directory in its place', outputPath: '.git' },
    { what: 'its directory cannot be created', outputPath: '/proc/results/results.json' },
  ])(
    'and reports that its results cannot be written, because $what',
    async ({ outputPath }, { makeProject }) => {
      const project = makeProject({
        ...gateFiles([{ name: 'test', command: 'test -f green' }], { outputPath }),
        file: '',
      });
      const reported = expect.stringMatching(/^ralph-loop: the results file .+ cannot be written: ./);
      expect(await gateHookAnswers(project)).toEqual({
        decision: 'block',
        reason: expect.stringMatching(/^Gate 'test' failed/),
        systemMessage: reported,
      });
      project.write({ green: '' });
      expect(await gateHookAnswers(project)).toEqual({ systemMessage: reported });
      expect(logOf(project)).toMatchObject([{ notes: [reported] }, { notes: [reported] }]);
    },
  );
});

describe.concurrent('the results of a stop', () => {
  test('are complete before the answer, in a file with the pid of the hook', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    const hook = startRalphGate(project, ['--hook']);
    const whenAnswered = new Promise<readonly string[]>((resolve) =>
      hook.stdout.once('data', () => resolve(resultsFilesIn(project))),
    );
    hook.stdin.end(JSON.stringify(mainStops(project)));
    expect(await whenAnswered).toEqual([`gate-results-${hook.pid}.json`]);
    await hook;
    const ms = expect.any(Number);
    const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
    const typecheck = {
      name: 'typecheck',
      passed: false,
      exitCode: 1,
      stdout: 'error TS1: bad\n',
      stderr: '',
      durationMs: ms,
      skipped: false,
      blocking: true,
      timestamp: expect.stringMatching(ISO),
      reason: 'failed',
    };
    expect(resultsOf(project)).toEqual({
      passed: false,
      timestamp: expect.stringMatching(ISO),
      totalDurationMs: ms,
      results: [typecheck],
      firstFailure: typecheck,
      warnings: [],
    });
  });

  test('are in separate files if several hooks run at once', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map(async (session_id) => {
        const input = JSON.stringify(mainStops(project, { session_id }));
        return answerOf(await ralphGate(project, ['--hook'], { input }));
      }),
    );
    expect(answers.map(decisionOf)).toEqual(Array(6).fill('block'));
    const files = resultsFilesIn(project);
    expect(files).toHaveLength(6);
    for (const file of files) expect(JSON.parse(project.read(file))).toMatchObject({ passed: false });
  });

  test('contain no secret, and neither does the answer', async ({ makeProject }) => {
    const env = { DEPLOY_TOKEN: 'hunter2-hunter2' };
    const project = makeProject(
      gateFiles([
        {
          name: 'test',
          command: 'echo "$DEPLOY_TOKEN"; echo "$OWN_KEY" >&2; exit 1',
          env: { OWN_KEY: 'own-secret-1' },
        },
      ]),
    );
    const { reason = '' } = await gateHookAnswers(project, mainStops(project), { env });
    const [file = ''] = resultsFilesIn(project);
    for (const text of [reason, project.read(file)]) {
      expect(text).toContain('***');
      expect(text).not.toMatch(/hunter2|own-secret/);
    }
  });

  test.for(['a/b', ' a b ', 'x'.repeat(300), "it's", '../../x'])(
    'are written for a gate with the name %j',
    async (name, { makeProject }) => {
      const project = makeProject(gateFiles([{ name, command: 'echo printed; exit 1' }]));
      const { reason = '' } = await gateHookAnswers(project);
      expect(reason.split('\n', 1)[0]).toMatch(/^Gate '.{1,90}' failed \(exit 1\):$/);
      expect(resultsOf(project).firstFailure).toMatchObject({ name });
      const logs = readdirSync(project.path('.trellis/.ralph/output'));
      expect(logs).toEqual([expect.stringMatching(/^.{1,90}\.log$/)]);
    },
  );

  test('are not written if the host ends the hook, which prints nothing and kills its gates', async ({
    makeProject,
  }) => {
    const project = makeProject(gateFiles([{ name: 'slow', command: sleepLong('a.pid') }]));
    const hook = startRalphGate(project, ['--hook']);
    hook.stdin.end(JSON.stringify(mainStops(project)));
    const pid = await project.pidIn('a.pid');
    hook.kill('SIGTERM');
    const { exitCode, stdout, stderr } = await hook;
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 143, stdout: '', stderr: '' });
    await expectGone(pid);
    expect(resultsFilesIn(project)).toEqual([]);
  });

  test('report a gate that did not finish before the deadline', async ({ makeProject }) => {
    const project = makeProject(gateFiles([{ name: 'slow', command: 'exec sleep 600' }]));
    const { decision, reason } = await gateHookAnswers(project, mainStops(project), {
      args: ['--deadline', '1'],
    });
    expect(decision).toBe('block');
    expect(reason).toMatch(/^Gate 'slow' did not finish \(no time before the hook's deadline of 1 s\):\n/);
    expect(resultsOf(project)).toMatchObject({ passed: false, firstFailure: { reason: 'out-of-time' } });
  });
});

test('a gate of the hook has an empty stdin', async ({ makeProject }) => {
  const project = makeProject(gateFiles([{ name: 'read', command: 'cat; echo "[end]"; exit 1' }]));
  const { reason } = await gateHookAnswers(project);
  expect(reason).toMatch(/^Gate 'read' failed \(exit 1\):\n\[end\]\n/);
});

test('an unknown flag is logged, and the agent is still guarded', async ({ makeProject }) => {
  const project = makeProject(FAILING);
  const { decision } = await gateHookAnswers(project, mainStops(project), { args: ['--vebose'] });
  expect(decision).toBe('block');
  expect(logOf(project)).toMatchObject([{ notes: [expect.stringContaining('--vebose')] }]);
});
