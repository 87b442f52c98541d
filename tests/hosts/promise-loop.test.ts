import { describe, expect } from 'vitest';
import { readLog } from '../../src/state/execution-log.ts';
import { ralphDirectory } from '../../src/state/paths.ts';
import { ralphLoop, startRalphLoop } from '../helpers/bin.ts';
import { eventually } from '../helpers/eventually.ts';
import { gitProject } from '../helpers/git-project.ts';
import { descendantsOf, expectGone } from '../helpers/processes.ts';
import { type Project, test } from '../helpers/project.ts';
import { iterationsOf } from '../helpers/scripted-agent.ts';
import { sleepLong } from '../helpers/shell-commands.ts';
import { agentRunClient } from './agent-run-client.ts';
import { type Command, installClient } from './install-client.ts';
import { JSON_MODES } from './json-modes.ts';
import type { ModelReply } from './model-reply.ts';
import { feedbackIn, isBackgroundRequest, iterationIn, worksInSteps } from './model-scripts.ts';
import type { ModelScript, ScriptedModelServer } from './scripted-model-server.ts';
import { setUpHook } from './set-up-hook.ts';
import { claims, PRODUCT, SPECIFICATION, SUM, SUM_FILES, sumProject, writeSum } from './sum-project.ts';

/** An answer that never arrives. */
const NEVER = new Promise<ModelReply>(() => {});

for (const { client, words, hookWords = [], forms, reportsNoTokens } of JSON_MODES) {
  const installation = await installClient(client);
  const program: Command = installation.installed ? installation.command : [''];
  const [usual] = forms;
  describe.skipIf(!installation.installed)(
    `${client.title} ${client.version}, started by ralph-loop run,`,
    () => {
      test.for(forms)(
        'with the options %j is denied once, and accepted after it has done the work',
        async (form, { makeProject }) => {
          const project = sumProject(makeProject);
          const script = worksInSteps(client, [
            [claims('All is done.')],
            [writeSum(client, SUM), claims('I wrote sum.mjs.')],
          ]);
          const { server, run, env } = await agentRunClient(
            client,
            program,
            [...words, ...form],
            project,
            script,
          );

          expect(await ralphLoop(project, run, { env })).toMatchObject({ exitCode: 0, stderr: '' });
          expect(server.failures).toEqual([]);
          expect(outcomesIn(project)).toEqual(['1 denied', '2 accepted']);
          expect(promptsIn(2, server)).toContain('git sees no change since this run started');
          const { tokens } = await statusOf(project);
          if (reportsNoTokens) return expect(tokens).toBeNull();
          // The model counts one token for a request and one for its answer. A background request may end after the client has reported its figures.
          const work = server.requests.filter((request) => !isBackgroundRequest(client, request));
          expect(tokens).toBeGreaterThanOrEqual(2 * work.length);
          expect(tokens).toBeLessThanOrEqual(2 * server.requests.length);
        },
      );

      test('is sent back by the hook within an iteration, and its last message is verified', async ({
        makeProject,
      }) => {
        const project = gitProject(makeProject, SUM_FILES);
        await setUpHook(project, client.host, { gates: ['node sum.test.mjs'] });
        const script: ModelScript = (request) => {
          if (isBackgroundRequest(client, request)) return { text: 'A background request.' };
          const calls = request.messages.filter(({ role }) => role === 'tool').length;
          if (calls === 0) return writeSum(client, PRODUCT);
          if (feedbackIn(request) === undefined) return claims('I wrote sum.mjs.\n\nTODO: look at it');
          return calls === 1 ? writeSum(client, SUM) : claims('I corrected sum.mjs.');
        };
        const options = [...words, ...usual, ...hookWords];
        const { run, env } = await agentRunClient(client, program, options, project, script);

        expect(await ralphLoop(project, run, { env })).toMatchObject({ exitCode: 0, stderr: '' });
        expect(outcomesIn(project)).toEqual(['1 accepted']);
        const stops = ['block gates-failed', 'allow commands-passed'];
        expect(stopsIn(project)).toEqual(stops.slice(0, client.asksOnceATurn ? 1 : undefined));
      });

      test('is interrupted while it waits for its model, and is resumed', async ({ makeProject }) => {
        const project = sumProject(makeProject);
        const script = worksInSteps(client, [[NEVER], [writeSum(client, SUM), claims('I wrote sum.mjs.')]]);
        const { server, run, env } = await agentRunClient(
          client,
          program,
          [...words, ...usual],
          project,
          script,
        );
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

      test('is cancelled while it works, and ends with all its processes', async ({ makeProject }) => {
        const project = sumProject(makeProject);
        const [own, detached] = ['../home/own.pid', '../home/detached.pid'];
        const work = client.shellCall(`setsid sh -c '${sleepLong(detached)}' & ${sleepLong(own)}`);
        const script = worksInSteps(client, [[work]]);
        const { run, env } = await agentRunClient(client, program, [...words, ...usual], project, script);
        const running = startRalphLoop(project, run, { env });
        const pids = [await project.pidIn(own), await project.pidIn(detached)];
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
    },
  );
}

const [{ client: claudeCode, words, forms }] = JSON_MODES;
const installation = await installClient(claudeCode);

describe.skipIf(!installation.installed)('Claude Code, started by ralph-loop run,', () => {
  test('gets the contradictions of its message and the failure of its gate until its promise is true', async ({
    makeProject,
  }) => {
    if (!installation.installed) return;
    const project = sumProject(makeProject);
    const file_path = project.path('sum.mjs');
    const script = worksInSteps(claudeCode, [
      [claims('I looked around.\n\nTODO: write sum.mjs')],
      [writeSum(claudeCode, PRODUCT), claims('I wrote sum.mjs.')],
      [
        { tool: 'Read', input: { file_path } },
        { tool: 'Edit', input: { file_path, old_string: 'a * b', new_string: 'a + b' } },
        claims('I corrected sum.mjs.'),
      ],
    ]);
    const { server, run, env } = await agentRunClient(
      claudeCode,
      installation.command,
      [...words, ...forms[0]],
      project,
      script,
    );

    expect(await ralphLoop(project, run, { env })).toMatchObject({ exitCode: 0, stderr: '' });
    expect(server.failures).toEqual([]);
    expect(project.read('sum.mjs')).toBe(`${SUM}\n`);

    expect(promptsIn(1, server)).toContain(SPECIFICATION);
    expect(promptsIn(2, server)).toContain('says that it is not:\n- line 3: TODO: write sum.mjs');
    expect(promptsIn(3, server)).toContain('AssertionError [ERR_ASSERTION]');
    expect(promptsIn(3, server)).toContain('6 !== 5');

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

/** What the hook answered to the stops. */
function stopsIn(project: Project): string[] {
  return readLog(ralphDirectory(project.root))
    .filter(({ answer }) => answer === 'block' || answer === 'allow')
    .map(({ answer, why }) => `${answer} ${why}`);
}

function outcomesIn(project: Project): string[] {
  return iterationsOf(project).map(({ ralph_iteration, outcome }) => `${ralph_iteration} ${outcome}`);
}

/** Returns the user messages that the model received in an iteration. */
function promptsIn(iteration: number, { requests }: ScriptedModelServer): string {
  return requests
    .filter((request) => iterationIn(request) === iteration)
    .flatMap(({ messages }) => messages.filter(({ role }) => role === 'user').map(({ text }) => text))
    .join('\n');
}

/** Returns the cost of an iteration as the client reports it. */
function costPrinted(project: Project, iteration: number): number {
  const output = project.read(`.trellis/.ralph/output/promise-TASK-001/coder-${iteration}.log`);
  return Number(/"total_cost_usd":([\d.e-]+)/.exec(output)?.[1]);
}

async function statusOf(project: Project) {
  const { stdout } = await ralphLoop(project, ['status', '--json']);
  return JSON.parse(stdout).promise_loops[0];
}
