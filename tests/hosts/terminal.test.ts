import { describe, expect, onTestFinished } from 'vitest';
import { readLog } from '../../src/state/execution-log.ts';
import { ralphDirectory } from '../../src/state/paths.ts';
import { eventually } from '../helpers/eventually.ts';
import { type Files, type Project, test } from '../helpers/project.ts';
import { canHaveTmux, openScreen } from '../helpers/tmux.ts';
import type { Client } from './client.ts';
import { claudeCode } from './clients/claude-code.ts';
import { kilo, opencode } from './clients/opencode.ts';
import { pi } from './clients/pi.ts';
import { configureClient } from './configure-client.ts';
import { type Command, installClient } from './install-client.ts';
import type { ModelReply } from './model-reply.ts';
import { fixesWhenSentBack } from './model-scripts.ts';
import { type ModelScript, startScriptedModelServer } from './scripted-model-server.ts';
import { setUpHook } from './set-up-hook.ts';

// What a person sees and types.

interface Interface {
  readonly client: Client;
  /** The arguments that start it with the prompt `go`. */
  readonly arguments: readonly string[];
  /** What it asks before Esc interrupts a turn; absent if it does not ask. */
  readonly asks?: string;
}

/** Their plugin sends the reason of a blocked stop itself, and must not send it after an interrupt. */
const PLUGINS: readonly Interface[] = [
  { client: opencode, arguments: ['--prompt', 'go'], asks: 'again' },
  { client: kilo, arguments: ['--prompt', 'go'], asks: 'again' },
  { client: pi, arguments: ['--model', 'scripted/scripted', '--approve', 'go'] },
];

const CLAUDE_CODE: Interface = {
  client: { ...claudeCode, homeFiles: ({ project }) => answeredDialogs(project) },
  arguments: ['--permission-mode', 'bypassPermissions', 'go'],
};

/** The settings of a person who has answered the dialogs of Claude Code's first start. */
function answeredDialogs(project: string): Files {
  const known = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  return {
    '.claude.json': JSON.stringify({
      hasCompletedOnboarding: true,
      theme: 'dark',
      bypassPermissionsModeAccepted: true,
      customApiKeyResponses: { approved: ['dummy'], rejected: [] },
      projects: { [project]: known },
    }),
    '.claude/settings.json': JSON.stringify({ skipDangerousModePermissionPrompt: true }),
  };
}

/** OpenCode took 44 s to its first request on two loaded cores. */
const START_MS = 150_000;

/** An answer that never arrives. */
const NEVER = new Promise<ModelReply>(() => {});

/** Opens the client's interface in a terminal, with `script` as the model until the test ends. */
async function openInterface(
  { client, arguments: args }: Interface,
  command: Command,
  project: Project,
  script: ModelScript,
) {
  const model = await startScriptedModelServer(script);
  onTestFinished(() => model.close());
  const { environment } = await configureClient(client, project, model.url);
  const line = [...command, ...args].map((word) => `'${word}'`).join(' ');
  const screen = openScreen(project, `exec ${line}`, { size: '120x40', env: environment });
  await eventually('the model is asked', () => model.requests.length > 0, START_MS);
  return {
    model,
    screen,
    answers: () =>
      readLog(ralphDirectory(project.root))
        .filter(({ answer }) => answer !== 'ignore')
        .map(({ answer, why }) => `${answer} ${why}`),
  };
}

for (const one of [CLAUDE_CODE, ...PLUGINS]) {
  const { client, asks } = one;
  const installation = await installClient(client);
  const command: Command = installation.installed ? installation.command : [''];
  describe.skipIf(!installation.installed || !canHaveTmux)(
    `the interface of ${client.title} ${client.version}`,
    () => {
      test('shows why a stop is blocked, rings the bell, and goes on until the failure is fixed', async ({
        makeProject,
      }) => {
        const project = makeProject({}, { git: false });
        await setUpHook(project, client.host, { gates: ['test -f fixed.txt'] });
        const config = project.read('worktree.yaml');
        project.write({ 'worktree.yaml': config.replace(/^ralph:\n/m, '$&  notify: bell\n') });
        const { screen, answers } = await openInterface(one, command, project, fixesWhenSentBack(client));
        await screen.shows('Verification failed');
        await eventually('the stop is allowed', () => answers().length === 2);
        expect(answers()).toEqual(['block gates-failed', 'allow commands-passed']);
        await screen.shows('All is done.');
        await eventually('the bell has rung', screen.bell);
      });

      test.runIf(PLUGINS.includes(one))(
        'stays idle after an interrupt, and its next prompt is judged',
        async ({ makeProject }) => {
          const project = makeProject({}, { git: false });
          await setUpHook(project, client.host, { gates: ['true'] });
          let isStuck = true;
          const { screen, answers } = await openInterface(one, command, project, () =>
            isStuck ? NEVER : { text: 'All is done.' },
          );
          screen.press('Escape');
          if (asks !== undefined) {
            await screen.shows(asks);
            screen.press('Escape');
          }
          await screen.shows(/[Ii]nterrupted|[Aa]borted/);
          isStuck = false;
          screen.press('go on', 'Enter');
          await screen.shows('All is done.');
          await eventually('the stop is allowed', () => answers().length > 0);
          expect(answers()).toEqual(['allow commands-passed']);
        },
      );
    },
  );
}
