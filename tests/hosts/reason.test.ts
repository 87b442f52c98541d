import { describe, expect } from 'vitest';
import { test } from '../helpers/project.ts';
import { claudeCode } from './clients/claude-code.ts';
import { CLIENTS } from './clients.ts';
import { installClient } from './install-client.ts';
import { lastUserText } from './model-request.ts';
import { feedbackIn, isBackgroundRequest, neverFixes } from './model-scripts.ts';
import { runClient } from './run-client.ts';
import { setUpHook } from './set-up-hook.ts';

/** With what a client may take for its own syntax: markup, entities, mentions of files, commands, placeholders. */
const ERRORS = Array.from(
  { length: 300 },
  (_, i) =>
    `src/page${i}.tsx:${i + 1}:7 - error TS2322: Type '<b class="a">&amp;</b>' is not 'Map<string, "\\n${i}">'. @src/page${i}.tsx \`x\` $ARGUMENTS $1 {{y}} !{z} « ü »`,
);
const LAST_LINE = 'Fix the cause, not the gate. It runs again at your next stop.';

/** Codex puts a reason into an XML element, after it has cut it. */
const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

for (const client of [...CLIENTS, { ...claudeCode, version: '2.1.330' }]) {
  const installation = await installClient(client);
  describe.skipIf(!installation.installed)(`the model of ${client.title} ${client.version}`, () => {
    test('reads the whole reason, and at the next stop what is unchanged', async ({ makeProject }) => {
      if (!installation.installed) throw new Error(installation.reason);
      const project = makeProject({ 'output.txt': `${ERRORS.join('\n')}\n` }, { git: false });
      await setUpHook(project, client.host, { gates: ['cat output.txt; false'] });
      const config = project.read('worktree.yaml');
      project.write({ 'worktree.yaml': config.replace('ralph:\n', 'ralph:\n  max_iterations: 3\n') });
      const run = await runClient(client, installation.command, project, neverFixes);

      expect(run.complaints).toEqual([]);
      const texts = run.requests
        .filter((request) => feedbackIn(request) !== undefined && !isBackgroundRequest(client, request))
        .map(lastUserText);
      const [first = '', second = ''] = [...new Set(client.host === 'codex' ? texts.map(unescaped) : texts)];
      expect(first).toContain(LAST_LINE);
      const shown = first.split('\n').filter((line) => line.startsWith('src/page'));
      expect(shown.length).toBeGreaterThan(10);
      expect(ERRORS).toEqual(expect.arrayContaining(shown));
      if (client.asksOnceATurn) return;
      expect(second).toContain('Unchanged since iteration 1. Remaining errors:\n  src/page');
      expect(second).toContain(LAST_LINE);
    });
  });
}
