import { describe, expect } from 'vitest';
import { test } from '../helpers/project.ts';
import { claudeCode } from './clients/claude-code.ts';
import { installClient } from './install-client.ts';
import { delegates, fixesWhenSentBack, isCheckAgent } from './model-scripts.ts';
import { runClient } from './run-client.ts';
import { setUpHook } from './set-up-hook.ts';

const FEEDBACK = /^Stop hook feedback:\nIteration 1\/5\./;
/** It has the hook's command line, as it is in the settings. */
const BLOCKING_ERROR =
  /^(?:Subagent)?Stop hook blocking error from command: "node "\$\{CLAUDE_PROJECT_DIR:-[^\n"]{1,60}" hook[^\n"]{0,20}": Iteration 1\/5\./;
const REMINDER = /^<system-reminder>\n(?:Subagent)?Stop hook additional context: Iteration 1\/5\./;

/** The messages in which the model reads why it may not stop. */
const ROWS = [
  { version: '2.1.197', answer: 'block', reads: [FEEDBACK] },
  { version: '2.1.197', answer: 'context', reads: [REMINDER] },
  { version: '2.1.330', answer: 'block', reads: [FEEDBACK, BLOCKING_ERROR] },
  { version: '2.1.330', answer: 'context', reads: [REMINDER] },
] as const;

for (const { version, answer, reads } of ROWS) {
  const client = { ...claudeCode, version };
  const installation = await installClient(client);
  describe.skipIf(!installation.installed)(`with \`answer: ${answer}\`, Claude Code ${version}`, () => {
    test.for(['main', 'check'])(
      'gives the model the reason, and goes on until the gate passes: the agent %s',
      async (agent, { makeProject }) => {
        if (!installation.installed) throw new Error(installation.reason);
        const project = makeProject(client.subagent?.files, { git: false });
        await setUpHook(project, client.host, { gates: ['test -f fixed.txt'], answer });
        const repairs = fixesWhenSentBack(client);
        const script = agent === 'main' ? repairs : delegates(client, repairs);
        const run = await runClient(client, installation.command, project, script);

        expect({ complaints: run.complaints, failures: run.serverFailures }).toEqual({
          complaints: [],
          failures: [],
        });
        const judged = run.log.filter((record) => record.agent === agent && record.answer !== 'ignore');
        expect(judged.map(({ answer: given, why, as }) => [given, why, as])).toEqual([
          ['block', 'gates-failed', answer === 'context' ? 'context' : undefined],
          ['allow', 'commands-passed', undefined],
        ]);
        // Each request repeats the messages before it.
        const last = run.requests.findLast((request) => isCheckAgent(request) === (agent === 'check'));
        const reasons = last?.messages.filter(({ text }) => text.includes('Iteration 1/5.')) ?? [];
        expect(reasons.map(({ text }) => text)).toEqual(reads.map((form) => expect.stringMatching(form)));
      },
    );
  });
}
