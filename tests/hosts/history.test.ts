import { describe, expect } from 'vitest';
import { OPENCODE, TRANSCRIPT_HOSTS } from '../../src/history/transcripts/hosts.ts';
import { ralphLoop } from '../helpers/bin.ts';
import { gitProject } from '../helpers/git-project.ts';
import { test, worktreeYaml } from '../helpers/project.ts';
import { codexWithPatchTool } from './clients/codex.ts';
import { CLIENTS } from './clients.ts';
import { installClient } from './install-client.ts';
import type { ModelReply } from './model-reply.ts';
import type { ModelRequest } from './model-request.ts';
import { feedbackIn, isBackgroundRequest } from './model-scripts.ts';
import { runClient } from './run-client.ts';
import { setUpHook } from './set-up-hook.ts';
import { PRODUCT, SUM } from './sum-project.ts';

/** OpenCode's database needs a Node with SQLite. */
const HOSTS: readonly string[] = [
  ...TRANSCRIPT_HOSTS.map(({ host }) => host),
  ...('sqlite' in process.versions ? [OPENCODE.host] : []),
];

const clients = await Promise.all(
  CLIENTS.filter(({ host }) => HOSTS.includes(host))
    .map((client) => (client.host === 'codex' ? codexWithPatchTool() : client))
    .map(async (client) => ({ client, installation: await installClient(client) })),
);

const TEST =
  "import { equal } from 'node:assert/strict';\nimport { sum } from './sum.mjs';\nequal(sum(2, 3), 5);\n";
const callsIn = ({ messages }: ModelRequest) => messages.filter(({ role }) => role === 'tool').length;
const DONE: ModelReply = { text: 'Done: sum adds both numbers.' };

for (const { client, installation } of clients)
  describe.skipIf(!installation.installed)(`the transcript of ${client.title} ${client.version}`, () => {
    test.for([
      ['verified', PRODUCT, SUM],
      ['failed', SUM, PRODUCT],
    ] as const)(
      'of a turn whose gate ran last shows a claim: %s',
      async ([evidence, from, to], { makeProject }) => {
        if (!installation.installed) return;
        const project = gitProject(makeProject, {
          'worktree.yaml': worktreeYaml(['{ name: test, run: node sum.test.mjs }']),
          'sum.test.mjs': TEST,
          'sum.mjs': `${from}\n`,
        });
        const edits = client.editCalls({ file: 'sum.mjs', path: project.path('sum.mjs'), from, to });
        const steps = [...edits, client.shellCall('node sum.test.mjs')];
        await runClient(client, installation.command, project, (request) => {
          if (isBackgroundRequest(client, request)) return DONE;
          return steps[request.messages.filter(({ role }) => role === 'tool').length] ?? DONE;
        });
        const { stdout } = await ralphLoop(project, ['history', '--json']);
        expect(JSON.parse(stdout)).toMatchObject({ claims: 1, [evidence]: 1, unread: [] });
      },
    );

    test('of a turn that a hook blocked once, and then allowed, shows one claim that is verified', async ({
      makeProject,
    }) => {
      if (!installation.installed) return;
      const difference = 'export const sum = (a, b) => a - b;';
      const project = makeProject({ 'sum.test.mjs': TEST, 'sum.mjs': `${difference}\n` }, { git: false });
      await setUpHook(project, client.host, { gates: ['node sum.test.mjs'] });
      const edits = (from: string, to: string) =>
        client.editCalls({ file: 'sum.mjs', path: project.path('sum.mjs'), from, to });
      const [wrong, right] = [edits(difference, PRODUCT), edits(PRODUCT, SUM)];
      await runClient(client, installation.command, project, (request) => {
        if (isBackgroundRequest(client, request)) return DONE;
        const calls = callsIn(request);
        if (calls < wrong.length) return wrong[calls] ?? DONE;
        return feedbackIn(request) === undefined ? DONE : (right[calls - wrong.length] ?? DONE);
      });
      const { stdout } = await ralphLoop(project, ['history', '--json']);
      expect(JSON.parse(stdout)).toMatchObject({
        ...{ claims: 1, verified: 1, unread: [] },
        since_ralph_loop: { claims: 1 },
      });
    });
  });
