import { describe, expect } from 'vitest';
import { gitProject } from '../../helpers/git-project.ts';
import { type Files, type Project, test, trellisFiles } from '../../helpers/project.ts';
import { checkStops, decisionOf, gateHookAnswers, hookAnswers, logOf } from '../../helpers/stops.ts';
import { CLAUDE_CODE } from '../../helpers/typed-gates.ts';

/** A gate that prints what the file `output` contains. */
const GATE = '{ name: test, run: "cat output" }';
const passing = (tests: number): Files => ({ output: `  ${tests} passing (3ms)\n` });

const stops = (project: Project) => hookAnswers(project, checkStops(project), CLAUDE_CODE);

describe.concurrent('a stop whose test command ran no test', () => {
  test('is blocked, with what to do', async ({ makeProject }) => {
    const project = makeProject({ ...trellisFiles([GATE]), ...passing(0) });
    const { decision, reason } = await stops(project);

    expect(decision).toBe('block');
    expect(reason).toMatch(/^Iteration 1\/5\. Verification failed:\nCommand failed: cat output\n/);
    expect(reason).toContain('Gate "test" ran no test, after');
    expect(reason).toContain('a filter, a pattern or a path that selects none');
    expect(reason).toContain('Full output: .trellis/.ralph/output/test.log');
    expect(logOf(project)[0]?.gates).toMatchObject([{ outcome: 'empty', exit: 0, tests: 0 }]);
  });

  test('is allowed where the gate allows it', async ({ makeProject }) => {
    const gate = '{ name: test, run: "cat output", allow_empty: true }';
    const project = makeProject({ ...trellisFiles([gate]), ...passing(0) });

    expect(decisionOf(await stops(project))).toBe('allow');
  });

  test('is blocked with the words of Ralph Gate for a gate config', async ({ makeProject }) => {
    const gates = [{ name: 'test', command: 'cat output' }];
    const project = makeProject({ 'gate.config.json': JSON.stringify({ gates }), ...passing(0) });
    const { decision, reason } = await gateHookAnswers(project);

    expect(decision).toBe('block');
    expect(reason).toMatch(/^Gate 'test' failed \(no test\):/);
  });
});

describe.concurrent('a stop whose test command ran fewer tests than at its last pass', () => {
  test('is allowed and reported to the person once', async ({ makeProject }) => {
    const project = makeProject({ ...trellisFiles([GATE]), ...passing(120) });
    const messages = [];
    for (const tests of [120, 40, 40]) {
      project.write(passing(tests));
      messages.push((await stops(project)).systemMessage);
    }

    const drop = '`test` ran 40 tests; at its last pass it ran 120';
    expect(messages.map((message) => message?.includes(drop))).toEqual([false, true, false]);
  });

  test('is reported to the agent if another gate blocks it', async ({ makeProject }) => {
    const lint = '{ name: lint, run: "test ! -e broken" }';
    const project = makeProject({ ...trellisFiles([GATE, lint]), ...passing(120) });
    await stops(project);
    project.write({ ...passing(40), broken: '' });
    const { reason, systemMessage } = await stops(project);

    expect(reason).toContain('`test` ran 40 tests; at its last pass it ran 120. If');
    expect(systemMessage).toContain('`test` ran 40 tests; at its last pass it ran 120');
  });
});

const FLAKY = '`test` is flaky: it failed once and then passed on the same files';

describe.concurrent('a gate that fails and then passes on the same files is flaky', () => {
  test('at a retry, with the output of both attempts in its log', async ({ makeProject }) => {
    const gate =
      '{ name: test, run: "echo attempt; test -e tried && exit 0; touch tried; echo Error: boom; exit 1", retries: 1 }';
    const project = gitProject(makeProject, { ...trellisFiles([gate]), '.gitignore': 'tried\n' });
    const { decision, systemMessage } = await stops(project);

    expect(decision).not.toBe('block');
    expect(systemMessage).toContain(FLAKY);
    expect(logOf(project)[0]?.gates).toMatchObject([{ outcome: 'passed', flaky: 1 }]);
    expect(project.read('.trellis/.ralph/output/test.log')).toBe(
      'attempt\nError: boom\n\n── attempt 2 ──\nattempt\n',
    );
  });

  test('but not if it has changed a file itself', async ({ makeProject }) => {
    const gate = '{ name: test, run: "test -e fixed || { touch fixed; exit 1; }", retries: 1 }';
    const project = gitProject(makeProject, trellisFiles([gate]));
    const { decision, systemMessage } = await stops(project);

    expect(decision).not.toBe('block');
    expect(systemMessage).not.toContain('flaky');
  });

  test('at the next stop', async ({ makeProject }) => {
    const gate = '{ name: test, run: "test -e tried || { touch tried; exit 1; }" }';
    const project = gitProject(makeProject, { ...trellisFiles([gate]), '.gitignore': 'tried\n' });
    const first = await stops(project);
    const next = await stops(project);

    expect([decisionOf(first), decisionOf(next)]).toEqual(['block', 'allow']);
    expect(next.systemMessage).toContain(FLAKY);
  });

  test('and one that fails every time shows the last attempt only', async ({ makeProject }) => {
    const gate =
      '{ name: test, run: "echo x >> tries; echo Error: number $(wc -l < tries); exit 1", retries: 2 }';
    const project = gitProject(makeProject, { ...trellisFiles([gate]), '.gitignore': 'tries\n' });
    const { decision, reason } = await stops(project);

    expect(decision).toBe('block');
    expect(reason).toMatch(/Error: number +3/);
    expect(reason).not.toMatch(/Error: number +[12]/);
  });
});
