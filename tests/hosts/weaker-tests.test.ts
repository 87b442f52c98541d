import { describe, expect } from 'vitest';
import { BIN, ralphLoop } from '../helpers/bin.ts';
import { git, gitProject } from '../helpers/git-project.ts';
import { type MakeProject, type Project, test } from '../helpers/project.ts';
import type { Client } from './client.ts';
import { codexWithPatchTool } from './clients/codex.ts';
import { CLIENTS } from './clients.ts';
import { installClient } from './install-client.ts';
import type { ModelReply } from './model-reply.ts';
import { isBackgroundRequest } from './model-scripts.ts';
import { type ClientRun, runClient } from './run-client.ts';
import type { ModelScript } from './scripted-model-server.ts';
import { setUpHook } from './set-up-hook.ts';

const FILE = 'tests/sum.test.mjs';
const RUNS = "test('adds', () => equal(sum(2, 3), 5));";
const SKIPPED = RUNS.replace('test(', 'test.skip(');
const NOTE = `${FILE}:4: \`adds\` is skipped`;
const REASON = 'the specification says that sum multiplies';

/** A project whose only test fails. */
async function failingProject(makeProject: MakeProject, client: Client): Promise<Project> {
  const project = gitProject(makeProject, {
    'src/sum.mjs': 'export const sum = (a, b) => a * b;\n',
    [FILE]: `import { equal } from 'node:assert/strict';\nimport test from 'node:test';\nimport { sum } from '../src/sum.mjs';\n${RUNS}\ntest('has a sum', () => equal(typeof sum, 'function'));\n`,
  });
  await setUpHook(project, client.host, { gates: [`node --test ${FILE}`], when: 'changed' });
  git(project, 'add', '.');
  git(project, 'commit', '--quiet', '-m', 'set up');
  return project;
}

/** Does the work, one step after another, and claims to be done at each `done`. */
function works(client: Client, steps: readonly (ModelReply | 'done')[]): ModelScript {
  let next = 0;
  return (request) => {
    if (isBackgroundRequest(client, request)) return { text: 'A background request.' };
    const step = steps[next++] ?? 'done';
    return step === 'done' ? { text: 'All is done.' } : step;
  };
}

const edit = (client: Client, project: Project, from: string, to: string) =>
  client.editCalls({ file: FILE, path: project.path(FILE), from, to });

/** What ralph-loop answered to the stops, with the rules of what it found. */
const stopsIn = ({ log }: ClientRun): string[] =>
  log
    .filter(({ agent, answer }) => agent === 'main' && answer !== 'ignore')
    .map(({ answer, why, findings = [] }) => [answer, why, ...findings.map(({ rule }) => rule)].join(' '));

/** The last message of each request of the agent. */
const lastTexts = (client: Client, { requests }: ClientRun): string[] =>
  requests
    .filter((request) => !isBackgroundRequest(client, request))
    .map(({ messages }) =>
      messages
        .slice(-2)
        .map(({ text }) => text)
        .join('\n'),
    );

// No event follows an edit, and no stop a block, where a turn has one stop.
for (const known of CLIENTS.filter(({ asksOnceATurn }) => !asksOnceATurn)) {
  const client = known.host === 'codex' ? codexWithPatchTool() : known;
  const installation = await installClient(client);
  describe.skipIf(!installation.installed)(`an agent of ${client.title} ${client.version}`, () => {
    const run = async (project: Project, script: ModelScript): Promise<ClientRun> => {
      if (!installation.installed) throw new Error(installation.reason);
      const ended = await runClient(client, installation.command, project, script);
      expect({ complaints: ended.complaints, failures: ended.serverFailures }).toEqual({
        complaints: [],
        failures: [],
      });
      return ended;
    };

    test('that skips the failing test reads a note after the edit, is blocked at the stop, and passes once it has repaired the code', async ({
      makeProject,
    }) => {
      const project = await failingProject(makeProject, client);
      const skip = edit(client, project, RUNS, SKIPPED);
      const restore = edit(client, project, SKIPPED, RUNS);
      const repair = client.shellCall('echo "export const sum = (a, b) => a + b;" > src/sum.mjs');
      const ended = await run(project, works(client, [...skip, 'done', ...restore, repair, 'done']));

      const texts = lastTexts(client, ended);
      expect(texts[skip.length]).toContain(NOTE);
      expect(texts[skip.length + 1]).toContain('is skipped');
      expect(stopsIn(ended)).toEqual(['block integrity test-skipped', 'allow commands-passed']);
    });

    test('that skips the failing test and escalates is allowed to stop, and the person reads the reason', async ({
      makeProject,
    }) => {
      const project = await failingProject(makeProject, client);
      const skip = edit(client, project, RUNS, SKIPPED);
      const escalate = client.shellCall(`node '${BIN}' escalate '${REASON}'`);
      const ended = await run(project, works(client, [...skip, 'done', escalate, 'done']));

      expect(stopsIn(ended)).toEqual([
        'block integrity test-skipped',
        expect.stringMatching(/^allow escalated/),
      ]);
      expect(ended.log.at(-1)?.escalated).toMatchObject({ reason: REASON });
      const message = /ralph-loop: not passed, escalated by .*: the specification says that sum multiplies/;
      if (client.printsMessages) expect(ended.stdout + ended.stderr).toMatch(message);
      const { stdout: report } = await ralphLoop(project, ['report']);
      expect(report).toContain(REASON);
    });
  });
}
