import { describe, expect } from 'vitest';
import { ralphLoop, startRalphLoop } from '../helpers/bin.ts';
import { eventually } from '../helpers/eventually.ts';
import { descendantsOf, expectGone } from '../helpers/processes.ts';
import { type Project, test } from '../helpers/project.ts';
import { sleepLong } from '../helpers/puppets.ts';
import { iterationsOf } from '../helpers/scripted-agent.ts';
import { agentOfRun } from './agent-of-run.ts';
import { type Command, installClient } from './install-client.ts';
import { JSON_MODES } from './json-modes.ts';
import type { ModelReply } from './model-reply.ts';
import { isErrand, iterationIn, worksThrough } from './model-scripts.ts';
import type { ScriptedModelServer } from './scripted-model-server.ts';
import { claims, PRODUCT, SPECIFICATION, SUM, unwrittenSum, writesSum } from './unwritten-sum.ts';

/** An answer that the model holds back. */
const NEVER = new Promise<ModelReply>(() => {});

for (const { client, words, forms, tellsNoTokens } of JSON_MODES) {
  const installation = await installClient(client);
  const program: Command = installation.installed ? installation.command : [''];
  const [usual] = forms;
  describe.skipIf(!installation.installed)(`${client.title} ${client.version}, driven by run`, () => {
    test.for(forms)(
      '%s: is sent back once, and believed when it has worked',
      async (form, { makeProject }) => {
        const project = unwrittenSum(makeProject);
        const script = worksThrough(client, [
          [claims('All is done.')],
          [writesSum(client, SUM), claims('I wrote sum.mjs.')],
        ]);
        const { server, run, env } = await agentOfRun(client, program, [...words, ...form], project, script);

        expect(await ralphLoop(project, run, { env })).toMatchObject({ exitCode: 0, stderr: '' });
        expect(server.failures).toEqual([]);
        expect(outcomesIn(project)).toEqual(['1 denied', '2 accepted']);
        expect(toldIn(2, server)).toContain('git sees no change since this run started');
        const { tokens } = await statusOf(project);
        if (tellsNoTokens) return expect(tokens).toBeNull();
        // The model takes one to read any request, and one to answer it. An errand may end after the client has told.
        const work = server.requests.filter((request) => !isErrand(client, request));
        expect(tokens).toBeGreaterThanOrEqual(2 * work.length);
        expect(tokens).toBeLessThanOrEqual(2 * server.requests.length);
      },
    );

    test('is interrupted while it waits for its model, and resumed', async ({ makeProject }) => {
      const project = unwrittenSum(makeProject);
      const script = worksThrough(client, [[NEVER], [writesSum(client, SUM), claims('I wrote sum.mjs.')]]);
      const { server, run, env } = await agentOfRun(client, program, [...words, ...usual], project, script);
      const running = startRalphLoop(project, run, { env });
      await eventually('the model is asked', () => server.requests.length > 0);
      const tree = descendantsOf(running.pid ?? 0);
      running.kill('SIGINT');

      expect((await running).exitCode).toBe(130);
      expect(tree).not.toEqual([]);
      await expectGone(...tree);
      const resumed = await ralphLoop(project, ['run', '--resume', 'TASK-001'], { env });
      expect(resumed).toMatchObject({ exitCode: 0, stderr: '' });
      expect(outcomesIn(project)).toEqual(['1 interrupted', '2 accepted']);
    });

    test('is cancelled while it works, and gone with all that it has started', async ({ makeProject }) => {
      const project = unwrittenSum(makeProject);
      const [own, stray] = ['../home/own.pid', '../home/stray.pid'];
      const work = client.shellCall(`setsid sh -c '${sleepLong(stray)}' & ${sleepLong(own)}`);
      const script = worksThrough(client, [[work]]);
      const { run, env } = await agentOfRun(client, program, [...words, ...usual], project, script);
      const running = startRalphLoop(project, run, { env });
      const pids = [await project.pidIn(own), await project.pidIn(stray)];
      const tree = descendantsOf(running.pid ?? 0);

      expect(await ralphLoop(project, ['cancel', 'TASK-001'])).toMatchObject({
        exitCode: 0,
        stdout: 'Cancelled Ralph loop for TASK-001 at iteration 1/15\n',
      });
      expect(tree).toEqual(expect.arrayContaining(pids));
      await expectGone(...tree);
      expect((await running).exitCode).toBe(130);
      expect(outcomesIn(project)).toEqual(['1 cancelled']);
    });
  });
}

const [{ client: claudeCode, words, forms }] = JSON_MODES;
const installation = await installClient(claudeCode);

describe.skipIf(!installation.installed)('Claude Code, driven by run', () => {
  test('is told of its own words and of its gate, until its claim is true', async ({ makeProject }) => {
    if (!installation.installed) return;
    const project = unwrittenSum(makeProject);
    const file_path = project.path('sum.mjs');
    const script = worksThrough(claudeCode, [
      [claims('I looked around.\n\nTODO: write sum.mjs')],
      [writesSum(claudeCode, PRODUCT), claims('I wrote sum.mjs.')],
      [
        { tool: 'Read', input: { file_path } },
        { tool: 'Edit', input: { file_path, old_string: 'a * b', new_string: 'a + b' } },
        claims('I corrected sum.mjs.'),
      ],
    ]);
    const { server, run, env } = await agentOfRun(
      claudeCode,
      installation.command,
      [...words, ...forms[0]],
      project,
      script,
    );

    expect(await ralphLoop(project, run, { env })).toMatchObject({ exitCode: 0, stderr: '' });
    expect(server.failures).toEqual([]);
    expect(project.read('sum.mjs')).toBe(`${SUM}\n`);

    expect(toldIn(1, server)).toContain(SPECIFICATION);
    expect(toldIn(2, server)).toContain('says that it is not:\n- line 3: TODO: write sum.mjs');
    expect(toldIn(3, server)).toContain('AssertionError [ERR_ASSERTION]');
    expect(toldIn(3, server)).toContain('6 !== 5');

    const costs = [1, 2, 3].map((iteration) => costPrinted(project, iteration));
    const claimed = { stage: 'coder', ralph_max: 15, promise_found: true };
    const denied = { ...claimed, outcome: 'denied', continuing: true, gates: [{ outcome: 'failed' }] };
    const accepted = { ...claimed, outcome: 'accepted', continuing: false, gates: [{ outcome: 'passed' }] };
    expect(iterationsOf(project)).toMatchObject([
      { ralph_iteration: 1, ...denied, tokens: 2, cost_usd: costs[0] },
      { ralph_iteration: 2, ...denied, tokens: 4, cost_usd: costs[1] },
      { ralph_iteration: 3, ...accepted, tokens: 6, cost_usd: costs[2] },
    ]);
    expect(await statusOf(project)).toMatchObject({
      status: 'passed',
      iteration: 3,
      tokens: 12,
      cost_usd: expect.closeTo(
        costs.reduce((sum, cost) => sum + cost),
        9,
      ),
    });
  });
});

function outcomesIn(project: Project): string[] {
  return iterationsOf(project).map(({ ralph_iteration, outcome }) => `${ralph_iteration} ${outcome}`);
}

/** What the model read in an iteration. */
function toldIn(iteration: number, { requests }: ScriptedModelServer): string {
  return requests
    .filter((request) => iterationIn(request) === iteration)
    .flatMap(({ messages }) => messages.filter(({ role }) => role === 'user').map(({ text }) => text))
    .join('\n');
}

/** What the client itself says that an iteration has cost. */
function costPrinted(project: Project, iteration: number): number {
  const output = project.read(`.trellis/.ralph/output/promise-TASK-001/coder-${iteration}.log`);
  return Number(/"total_cost_usd":([\d.e-]+)/.exec(output)?.[1]);
}

async function statusOf(project: Project) {
  const { stdout } = await ralphLoop(project, ['status', '--json']);
  return JSON.parse(stdout).promise_loops[0];
}
