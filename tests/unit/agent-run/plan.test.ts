import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AgentRunRequest, currentPrompt, planAgentRun, readGates } from '../../../src/agent-run/plan.ts';
import type { AgentRunOrder } from '../../../src/state/agent-run.ts';
import { agentRunOf } from '../../helpers/agent-run.ts';
import { requestOf } from '../../helpers/agent-run-project.ts';
import { type Files, worktreeYaml } from '../../helpers/project.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const SPEC = { 'spec.md': 'Write the program.\n' };
const TASK = { '.trellis/tasks/01-login/task.json': '{"id": "TASK-001", "title": "Log in"}' };

type Options = Partial<Omit<AgentRunRequest, 'order'>> & { readonly order?: Partial<AgentRunOrder> };

/** Plans a run in a project with these files, by default with the specification in `spec.md`. */
async function planIn(files: Files, { order, ...request }: Options = {}) {
  const root = temporaryTree({ '.git/HEAD': 'ref: refs/heads/main\n', ...files });
  const defaults = requestOf(root);
  return planAgentRun(root, { ...defaults, ...request, order: { ...defaults.order, ...order } });
}

const noPrompt = { prompt_file: null };

describe('planAgentRun', () => {
  test('uses the defaults of the stage without a config', async () => {
    expect(await planIn(SPEC)).toMatchObject({
      ok: true,
      value: {
        task: 'TASK-001',
        taskFile: undefined,
        specification: 'Write the program.\n',
        gates: [],
        rules: {
          stages: [
            {
              agent: 'coder',
              maxIterations: 15,
              completionPromise: 'IMPLEMENTATION_COMPLETE',
              enabled: true,
            },
          ],
          maxCostUsd: Number.POSITIVE_INFINITY,
          maxStalled: 3,
        },
        verifyPromises: true,
        iterationTimeoutSeconds: 3600,
      },
    });
  });

  test('uses the settings of the worktree.yaml', async () => {
    const ralph =
      'ralph:\n  max_cost_usd: 2\n  max_stalled: 5\n  verify_promises: false\n  iteration_timeout: 60\n  coder: {max_iterations: 4, completion_promise: DONE}\n';
    expect(await planIn({ ...SPEC, 'worktree.yaml': ralph })).toMatchObject({
      value: {
        rules: { stages: [{ maxIterations: 4, completionPromise: 'DONE' }], maxCostUsd: 2, maxStalled: 5 },
        verifyPromises: false,
        iterationTimeoutSeconds: 60,
      },
    });
  });

  test('uses the settings of SpecFlow when the worktree.yaml has none', async () => {
    const specflow = { '.specflow/config.yaml': 'ralph:\n  coder: {max_iterations: 4}\n' };
    const worktree = { 'worktree.yaml': worktreeYaml(['true']) };
    expect(await planIn({ ...SPEC, ...specflow, ...worktree })).toMatchObject({
      value: { rules: { stages: [{ maxIterations: 4 }] }, gates: [{ command: 'true' }] },
    });
  });

  test('prefers the settings of the worktree.yaml to those of SpecFlow', async () => {
    const specflow = { '.specflow/config.yaml': 'ralph:\n  coder: {max_iterations: 4}\n' };
    const worktree = { 'worktree.yaml': 'ralph:\n  coder: {max_iterations: 6}\n' };
    expect(await planIn({ ...SPEC, ...specflow, ...worktree })).toMatchObject({
      value: { rules: { stages: [{ maxIterations: 6 }] } },
    });
  });

  test("uses the task's requirements when no prompt file is named", async () => {
    const files = { ...TASK, '.trellis/tasks/01-login/prd.md': 'People can log in.\n' };
    expect(await planIn(files, { order: noPrompt })).toMatchObject({
      value: { specification: 'People can log in.\n', taskFile: { title: 'Log in' } },
    });
  });

  test("prefers a prompt file to the task's requirements", async () => {
    const files = { ...SPEC, ...TASK, '.trellis/tasks/01-login/prd.md': 'People can log in.\n' };
    expect(await planIn(files)).toMatchObject({ value: { specification: 'Write the program.\n' } });
  });

  test.for([
    { what: 'a typed prompt', order: noPrompt, text: 'Typed.', file: null },
    {
      what: 'a saved prompt whose file is gone',
      order: { prompt_file: '/gone.md' },
      text: 'Typed.',
      file: '/gone.md',
    },
    { what: 'the file of a saved prompt', order: {}, text: 'Write the program.\n', file: expect.any(String) },
  ])('uses $what', async ({ order, text, file }) => {
    const files = { ...SPEC, ...TASK, '.trellis/tasks/01-login/prd.md': 'People can log in.\n' };
    expect(await planIn(files, { order, prompt: 'Typed.' })).toMatchObject({
      value: { specification: text, order: { prompt_file: file } },
    });
  });

  test("accepts a stage's own prompt as the specification", async () => {
    const files = { 'worktree.yaml': 'ralph:\n  coder: {prompt: Fix the lint errors.}\n' };
    expect(await planIn(files, { order: noPrompt })).toMatchObject({ ok: true });
  });

  test('runs in the root of the project around the directory', async () => {
    const root = temporaryTree({ '.git/HEAD': 'ref: refs/heads/main\n', ...SPEC, 'src/a.ts': '' });
    expect(await planAgentRun(join(root, 'src'), requestOf(root))).toMatchObject({ value: { root } });
  });
});

describe('planAgentRun reports', () => {
  const long = { 'spec.md': `${'x'.repeat(99)}\n`.repeat(2000) };
  const cases: Record<string, [Files, Options, readonly string[]]> = {
    'an error in the config, with its position': [
      { ...SPEC, 'worktree.yaml': 'ralph:\n  max_stalled: many\n' },
      {},
      ['worktree.yaml:2:16: '],
    ],
    'an error in the config of SpecFlow, with its position': [
      { ...SPEC, '.specflow/config.yaml': 'ralph:\n  max_stalled: many\n' },
      {},
      ['.specflow/config.yaml:2:16: '],
    ],
    'a task file that is not JSON': [
      { ...SPEC, '.trellis/tasks/TASK-001/task.json': '{"id": ' },
      {},
      ['.trellis/tasks/TASK-001/task.json is not a JSON object'],
    ],
    'a misspelt stage': [
      SPEC,
      { stages: ['coder', 'reviwer', 'docs'] },
      ['Unknown stage "reviwer"; did you mean "reviewer"? To use this name, add it below "ralph:"'],
    ],
    'a misspelt stage of the config': [
      { ...SPEC, 'worktree.yaml': 'ralph:\n  documenter: { max_iterations: 2 }\n' },
      { stages: ['documentor', 'Tester'] },
      [
        'Unknown stage "documentor"; did you mean "documenter"?',
        'Unknown stage "Tester"; did you mean "tester"?',
      ],
    ],
    'a prompt file that does not exist': [{}, {}, ['There is no file spec.md.']],
    'a missing specification': [{}, { order: noPrompt }, ['Missing --prompt or --prompt-file']],
    'an empty specification': [{ 'spec.md': ' \n' }, {}, ['Missing --prompt or --prompt-file']],
    'every stage without a command': [
      { 'worktree.yaml': 'ralph:\n  coder: {prompt: x}\n  tester: {command: agent}\n' },
      { order: { command: null, ...noPrompt }, stages: ['coder', 'tester', 'docs'] },
      ['No command for coder, docs: '],
    ],
    'a specification that is too long for an argument': [
      long,
      { order: { command: ['agent', '{prompt}'] } },
      ['leave {prompt} out'],
    ],
    'a qa stage without gates': [
      SPEC,
      { stages: ['coder', 'qa'] },
      ['The stage qa passes when every gate passes'],
    ],
    'all problems at once': [
      {},
      { order: { command: null, ...noPrompt } },
      ['No command for coder', 'Missing --prompt or --prompt-file'],
    ],
  };
  test.for(Object.entries(cases))('%s', async ([, [files, request, problems]]) => {
    const plan = await planIn(files, request);
    expect(plan).toEqual({ ok: false, failure: problems.map((problem) => expect.stringContaining(problem)) });
  });

  test('nothing for a stage of the config whose name is nearly that of another one', async () => {
    const files = { ...SPEC, 'worktree.yaml': 'ralph:\n  coder2: { max_iterations: 5 }\n' };
    expect(await planIn(files, { stages: ['coder2'] })).toMatchObject({ ok: true });
  });

  test('nothing for a long specification that the agent reads on stdin', async () => {
    expect(await planIn(long)).toMatchObject({ ok: true });
  });

  test('nothing for a qa stage without gates when promises are not verified', async () => {
    const files = { ...SPEC, 'worktree.yaml': 'ralph:\n  verify_promises: false\n' };
    expect(await planIn(files, { stages: ['qa'] })).toMatchObject({ ok: true });
  });
});

describe('currentPrompt', () => {
  const run = agentRunOf({ iteration: 1 });
  const planned = async (files: Files) => {
    const plan = await planIn(files);
    if (!plan.ok) throw new Error(plan.failure.join('\n'));
    return plan.value;
  };

  test("puts the stage's own prompt before the specification", async () => {
    const plan = await planned({ ...SPEC, 'worktree.yaml': 'ralph:\n  coder: {prompt: Be brief.}\n' });
    expect(currentPrompt(plan, run)).toContain('## Specification\n\nBe brief.\n\nWrite the program.\n');
  });

  test('keeps the planned specification when its file is empty', async () => {
    const plan = await planned(SPEC);
    rmSync(join(plan.root, 'spec.md'));
    expect(currentPrompt(plan, run)).toContain('Write the program.');
  });
});

describe('readGates', () => {
  test('returns the command gates in the order in which they run', async () => {
    const root = temporaryTree({
      'worktree.yaml': `${worktreeYaml(['{ name: late, run: b, order: 200 }', '{ name: early, run: a }'])}fail_fast: false\n`,
    });
    expect(await readGates(root)).toMatchObject({
      ok: true,
      value: { gates: [{ name: 'early' }, { name: 'late' }] },
    });
  });

  test('returns no gates outside of a project', async () => {
    expect(await readGates(temporaryTree())).toEqual({
      ok: true,
      value: {
        gates: [],
        findings: [],
        failFast: true,
        jobs: 1,
        reuse: true,
        integrity: 'block',
        layout: 'stand-alone',
      },
    });
  });

  test('returns the problems of an invalid config', async () => {
    const root = temporaryTree({ 'worktree.yaml': 'verify:\n  - {name: test}\n' });
    expect(await readGates(root)).toMatchObject({
      ok: false,
      failure: [expect.stringContaining('worktree.yaml:2')],
    });
  });
});
