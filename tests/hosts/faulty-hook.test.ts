import { describe, expect } from 'vitest';
import { type Files, type MakeProject, test } from '../helpers/project.ts';
import type { Client } from './client.ts';
import { codex } from './clients/codex.ts';
import { copilot } from './clients/copilot.ts';
import { gemini } from './clients/gemini.ts';
import { qwen, qwenOfNode20 } from './clients/qwen.ts';
import { type Command, installClient } from './install-client.ts';
import { neverFixes } from './model-scripts.ts';
import { runClient } from './run-client.ts';

interface FaultyHook {
  readonly fault: string;
  readonly command: string;
  readonly timeoutSeconds?: number;
}

const OUTPUT_ON_STDERR: FaultyHook = { fault: 'warns on stderr', command: 'echo careful >&2' };
const NO_ANSWERS: readonly FaultyHook[] = [
  { fault: 'prints half a document', command: `printf '{"decision":'` },
  { fault: 'prints plain text', command: 'echo fine' },
];
const FAILURES: readonly FaultyHook[] = [
  { fault: 'fails without output', command: 'exit 1' },
  { fault: 'exceeds its timeout', command: 'exec tail -f /dev/null', timeoutSeconds: 1 },
];

interface Row {
  readonly client: Client;
  readonly hookFile: (command: string, timeoutSeconds: number) => Files;
  readonly reports: readonly FaultyHook[];
  /** Faults that the client ignores. */
  readonly ignores: readonly FaultyHook[];
}

/** All these clients use the hook format of Claude Code, with timeouts in seconds or milliseconds. */
const hookIn = (path: string, event: string, second: number) => (command: string, seconds: number) => {
  const hook = { type: 'command', name: 'faulty', command, timeout: seconds * second };
  return { [path]: JSON.stringify({ hooks: { [event]: [{ hooks: [hook] }] } }) };
};
const allReported = { reports: [...FAILURES, ...NO_ANSWERS, OUTPUT_ON_STDERR], ignores: [] };

const ROWS: readonly Row[] = [
  {
    client: codex,
    hookFile: hookIn('.codex/hooks.json', 'Stop', 1),
    reports: [...FAILURES, ...NO_ANSWERS],
    ignores: [OUTPUT_ON_STDERR],
  },
  { client: gemini, hookFile: hookIn('.gemini/settings.json', 'AfterAgent', 1000), ...allReported },
  { client: qwen, hookFile: hookIn('.qwen/settings.json', 'Stop', 1000), ...allReported },
  { client: qwenOfNode20, hookFile: hookIn('.qwen/settings.json', 'Stop', 1000), ...allReported },
  {
    client: copilot,
    hookFile: hookIn('.github/hooks/faulty.json', 'Stop', 1),
    reports: FAILURES,
    ignores: [...NO_ANSWERS, OUTPUT_ON_STDERR],
  },
];

// These rows show that the tests of all hosts would notice a complaint.
for (const { client, hookFile, reports, ignores } of ROWS) {
  const installation = await installClient(client);
  const program: Command = installation.installed ? installation.command : [''];
  const complaintsOf = async ({ command, timeoutSeconds = 60 }: FaultyHook, makeProject: MakeProject) => {
    const project = makeProject(hookFile(command, timeoutSeconds), { git: false });
    return (await runClient(client, program, project, neverFixes)).complaints;
  };
  describe.skipIf(!installation.installed)(`a faulty hook of ${client.title} ${client.version}`, () => {
    test.for(reports)('is reported if it $fault', async (hook, { makeProject }) => {
      expect(await complaintsOf(hook, makeProject)).not.toEqual([]);
    });
    test.for(ignores)('is ignored if it $fault', async (hook, { makeProject }) => {
      expect(await complaintsOf(hook, makeProject)).toEqual([]);
    });
  });
}
