import { describe, expect } from 'vitest';
import { success } from '../../../src/base/result.ts';
import { updateAgentRun } from '../../../src/state/agent-run.ts';
import { readChains } from '../../../src/state/chain-store.ts';
import { pendingEscalations } from '../../../src/state/escalations.ts';
import { allFailures } from '../../../src/state/failures.ts';
import { cancelStopLoop } from '../../../src/state/stop-loop.ts';
import { escalate } from '../../../src/verification/escalate.ts';
import { agentRunOf } from '../../helpers/agent-run.ts';
import { gateFiles, resultsOf } from '../../helpers/gate-config.ts';
import { type Project, test, trellisFiles, worktreeYaml } from '../../helpers/project.ts';
import {
  checkStops,
  type HookAnswer,
  hookAnswers,
  logOf,
  mainStops,
  sessionOf,
} from '../../helpers/stops.ts';
import { typed } from '../../helpers/typed-gates.ts';

const CLAUDE = { CLAUDECODE: '1' };
const FAILING = {
  'worktree.yaml': worktreeYaml(['{ name: lint, run: "exit 1" }', '{ name: test, run: "exit 1" }']),
};
const REASON = 'two rules contradict each other';
const BY = "by an agent's shell (CLAUDECODE=1)";
const WAY_OUT =
  'Never weaken a test or check to pass. If a gate is wrong or cannot be satisfied: ralph-loop escalate --gate <name> "<reason>"';

const stops = (project: Project, more = {}, env = {}): Promise<HookAnswer> =>
  hookAnswers(project, mainStops(project, more), { env: { ...CLAUDE, ...env } });

interface By {
  readonly gate?: string;
  readonly reason?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly now?: Date;
}

const escalates = (project: Project, { gate, reason = REASON, env = {}, now = new Date() }: By = {}) =>
  escalate(project.root, { gate, reason, by: BY }, { env, now });

const sessionIn = (project: Project) => ({ CLAUDE_CODE_SESSION_ID: sessionOf(project) });

describe('an agent that escalates', () => {
  test('is allowed to stop, and the person reads the gate, the reason, and what still fails', async ({
    makeProject,
  }) => {
    const project = makeProject(FAILING);
    expect((await stops(project)).decision).toBe('block');
    expect(await escalates(project, { gate: 'lint', env: sessionIn(project) })).toMatchObject({ ok: true });

    const { decision, systemMessage } = await stops(project);
    expect(decision).toBeUndefined();
    expect(systemMessage).toBe(
      `ralph-loop: not passed, escalated ${BY}: \`lint\`: ${REASON}; \`lint\` still fails`,
    );
    expect(logOf(project).at(-1)).toMatchObject({
      answer: 'allow',
      why: 'escalated',
      escalated: { gate: 'lint', reason: REASON },
    });
    expect(allFailures(project.root)[0]?.escalated).toEqual({ gate: 'lint', reason: REASON });
  });

  test('has begun its loop anew, and is blocked again without another escalation', async ({
    makeProject,
  }) => {
    const project = makeProject(FAILING);
    await stops(project);
    await stops(project);
    await escalates(project);
    await stops(project);
    const { decision, reason } = await stops(project);
    expect(decision).toBe('block');
    expect(reason).toMatch(/^Iteration 1\/5\./);
  });

  test.for([
    { when: 'before any stop', blocks: 0 },
    { when: 'at the last iteration', blocks: 4 },
  ])('is reported as such $when', async ({ blocks }, { makeProject }) => {
    const project = makeProject(FAILING);
    for (let n = 0; n < blocks; n++) await stops(project);
    await escalates(project);
    expect((await stops(project)).systemMessage).toContain(`escalated ${BY}: ${REASON}`);
  });

  test.for([
    { layout: 'a Trellis task', files: trellisFiles(['false']), event: checkStops },
    { layout: 'a gate config', files: gateFiles([{ name: 'lint', command: 'exit 1' }]), event: mainStops },
    {
      layout: 'a config with an error',
      files: { 'worktree.yaml': 'verify:\n  - { nmae: a }\n' },
      event: mainStops,
    },
  ])('is allowed to stop with $layout', async ({ files, event }, { makeProject }) => {
    const project = makeProject(files);
    const stop = () => hookAnswers(project, event(project), { env: CLAUDE });
    await stop();
    await escalates(project);
    expect((await stop()).systemMessage).toContain(`not passed, escalated ${BY}: ${REASON}; `);
    if ('gate.config.json' in files) expect(resultsOf(project).passed).toBe(false);
  });

  test('has not needed it if all gates pass, which is a plain pass', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml(['test -e fixed']) });
    await stops(project);
    await escalates(project, { env: sessionIn(project) });
    project.write({ fixed: '' });
    const { systemMessage } = await stops(project);
    expect(systemMessage).toMatch(/^ralph-loop: 1 gate passed in /);
    expect(systemMessage).toContain(`; the escalation was not needed: ${REASON}`);
    expect(logOf(project).at(-1)).toMatchObject({ why: 'commands-passed' });
    expect(logOf(project).at(-1)?.escalated).toBeUndefined();
  });

  test('is named where the loop was cancelled meanwhile', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['false']));
    const stop = () => hookAnswers(project, checkStops(project), { env: CLAUDE });
    await stop();
    await escalates(project);
    await cancelStopLoop(project.path('.trellis/.ralph-state.json'), 'in a terminal');
    expect((await stop()).systemMessage).toMatch(
      /cancelled in a terminal: .*; escalated by an agent's shell/,
    );
    expect((await stop()).decision).toBe('block');
  });
});

describe('typed gates of an agent that escalates', () => {
  const chainIn = (project: Project) => readChains(project.root)[0];

  test('wait for a person, as those without an attempt left', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, 'fix it :: verify:"exit 3" max:5');
    expect((await stops(project)).decision).toBe('block');
    expect(await escalates(project, { gate: 'exit 3', env: sessionIn(project) })).toMatchObject({ ok: true });
    const { decision, systemMessage } = await stops(project);
    expect(decision).toBeUndefined();
    expect(systemMessage).toMatch(
      /^ralph-loop: not passed, escalated by an agent's shell .*: `exit 3`: two rules .*: `exit 3` failed with exit code 3\. Type ":: gate_action:retry"/,
    );
    expect(chainIn(project)).toMatchObject({ status: 'escalated', escalation: { reason: REASON } });
    expect(logOf(project).at(-1)).toMatchObject({
      task: expect.stringMatching(/^chain:/),
      why: 'escalated',
      escalated: { gate: 'exit 3', reason: REASON },
    });
    await typed(project, ':: gate_action:retry');
    expect(chainIn(project)).toMatchObject({ status: 'awaiting' });
    expect(chainIn(project)?.escalation).toBeUndefined();
    expect((await stops(project)).decision).toBe('block');
  });

  test('stay blocked if it is about a gate of the project', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    await typed(project, 'fix it :: verify:"exit 3" max:5');
    await escalates(project, { gate: 'lint' });
    expect((await stops(project)).reason).toContain('exit 3');
  });
});

test('an escalation of an agent run allows its stop, and stays for the run', async ({ makeProject }) => {
  const project = makeProject(FAILING);
  const run = agentRunOf({ task_id: 'T1' });
  await updateAgentRun(project.root, 'T1', () => success(run));
  const env = { RALPH_LOOP_TREE: run.id };
  await escalates(project, { env });
  expect((await stops(project)).decision).toBe('block');
  expect((await stops(project, {}, env)).systemMessage).toContain('escalated');
  expect(await pendingEscalations(project.root, new Date())).toHaveLength(1);
});

describe('an escalation is not used by', () => {
  test.for<{ who: string; of: (project: Project) => By; stop: (project: Project) => Promise<HookAnswer> }>([
    {
      who: 'another session, if its own is known',
      of: (project) => ({ env: sessionIn(project) }),
      stop: (project) => stops(project, { session_id: 'another' }),
    },
    {
      who: 'a stop after half an hour, if its session is not known',
      of: () => ({ now: new Date(Date.now() - 31 * 60_000) }),
      stop: stops,
    },
  ])('$who', async ({ of, stop }, { makeProject }) => {
    const project = makeProject(FAILING);
    await stops(project);
    await escalates(project, of(project));
    expect((await stop(project)).decision).toBe('block');
  });

  test('the pass of a session that was never blocked, if its session is not known', async ({
    makeProject,
  }) => {
    const project = makeProject(FAILING);
    await stops(project);
    await escalates(project);
    project.write({ 'worktree.yaml': worktreeYaml(['true']) });
    expect((await stops(project, { session_id: 'another' })).systemMessage).not.toContain('escalation');
    project.write(FAILING);
    expect((await stops(project)).systemMessage).toContain('escalated');
  });

  test('a second stop', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    await escalates(project, { env: sessionIn(project) });
    expect((await stops(project)).decision).toBeUndefined();
    expect((await stops(project)).decision).toBe('block');
  });

  test('two stops at once', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    await escalates(project);
    const answers = await Promise.all(['one', 'two'].map((session_id) => stops(project, { session_id })));
    expect(answers.map(({ decision = 'allow' }) => decision).toSorted()).toEqual(['allow', 'block']);
  });

  test('a file that this machine has not signed', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    await escalates(project);
    project.write({ '@/escalations.json': project.read('@/escalations.json').replace(REASON, 'other') });
    expect((await stops(project)).decision).toBe('block');
  });
});

describe('escalate refuses', () => {
  test.for<{ what: string; by: By; message: RegExp }>([
    {
      what: 'no reason',
      by: { reason: '' },
      message: /reason is missing[\s\S]*ralph-loop escalate --gate test "/,
    },
    { what: 'a blank reason', by: { reason: ' \n' }, message: /reason is missing/ },
    { what: 'a reason without a word', by: { reason: '...' }, message: /reason is missing/ },
    {
      what: 'a gate that is misspelled',
      by: { gate: 'tset' },
      message: /no gate "tset"; did you mean "test"/,
    },
    {
      what: 'a gate that is none',
      by: { gate: 'deploy' },
      message: /no gate "deploy"; the gates are: lint, test/,
    },
    { what: 'a gate that calls it', by: { env: { RALPH_LOOP: '1' } }, message: /A gate cannot escalate/ },
  ])('$what', async ({ by, message }, { makeProject }) => {
    const project = makeProject(FAILING);
    const refused = await escalates(project, by);
    expect(refused).toMatchObject({ ok: false, failure: { message: expect.stringMatching(message) } });
    expect(project.has('@/escalations.json')).toBe(false);
  });
});

describe('the way out is in the reason of a block', () => {
  test.for([
    { how: 'of commands', files: FAILING },
    { how: 'of named gates', files: gateFiles([{ name: 'lint', command: 'exit 1' }]) },
    { how: 'of a config with an error', files: { 'worktree.yaml': 'verify:\n  - { nmae: a }\n' } },
  ])('$how from the second one on', async ({ files }, { makeProject }) => {
    const project = makeProject(files);
    const [first, second] = [await stops(project), await stops(project)];
    expect(first.reason).not.toContain('escalate');
    expect(second.reason?.split('\n')).toContain(WAY_OUT);
  });

  test('of markers', async ({ makeProject }) => {
    const project = makeProject({ '.trellis/.current-task': 'tasks/demo\n' });
    const stop = () => hookAnswers(project, checkStops(project), { env: CLAUDE });
    await stop();
    expect((await stop()).reason?.split('\n')).toContain(WAY_OUT);
  });

  test('with a command that works without ralph-loop on PATH', async ({ makeProject }) => {
    const project = makeProject({ ...FAILING, '.trellis/ralph-hook.cjs': '' });
    await stops(project);
    expect((await stops(project)).reason).toContain(
      `: node '${project.path('.trellis/ralph-hook.cjs')}' escalate --gate <name> "<reason>"`,
    );
  });
});
