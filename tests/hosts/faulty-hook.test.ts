import { describe, expect } from 'vitest';
import { type Files, type MakeProject, test } from '../helpers/project.ts';
import type { Client } from './client.ts';
import { codex } from './clients/codex.ts';
import { copilot } from './clients/copilot.ts';
import { gemini } from './clients/gemini.ts';
import { qwen, qwenOfNode20 } from './clients/qwen.ts';
import { driveClient } from './drive-client.ts';
import { type Command, installClient } from './install-client.ts';
import { neverFixes } from './model-scripts.ts';

interface FaultyHook {
  readonly fault: string;
  readonly command: string;
  readonly timeoutSeconds?: number;
}

const WORDS_ON_STDERR: FaultyHook = { fault: 'warns on stderr', command: 'echo careful >&2' };
const NO_ANSWERS: readonly FaultyHook[] = [
  { fault: 'prints half a document', command: `printf '{"decision":'` },
  { fault: 'prints plain text', command: 'echo fine' },
];
const FAILURES: readonly FaultyHook[] = [
  { fault: 'fails without a word', command: 'exit 1' },
  { fault: 'outlives its timeout', command: 'exec tail -f /dev/null', timeoutSeconds: 1 },
];

interface Row {
  readonly client: Client;
  readonly hookFile: (command: string, timeoutSeconds: number) => Files;
  readonly tells: readonly FaultyHook[];
  /** What it holds nothing against. */
  readonly passesOver: readonly FaultyHook[];
}

/** All these clients take Claude Code's form; they differ in what a second is. */
const hookIn = (path: string, event: string, second: number) => (command: string, seconds: number) => {
  const hook = { type: 'command', name: 'faulty', command, timeout: seconds * second };
  return { [path]: JSON.stringify({ hooks: { [event]: [{ hooks: [hook] }] } }) };
};
const allTold = { tells: [...FAILURES, ...NO_ANSWERS, WORDS_ON_STDERR], passesOver: [] };

const ROWS: readonly Row[] = [
  {
    client: codex,
    hookFile: hookIn('.codex/hooks.json', 'Stop', 1),
    tells: [...FAILURES, ...NO_ANSWERS],
    passesOver: [WORDS_ON_STDERR],
  },
  { client: gemini, hookFile: hookIn('.gemini/settings.json', 'AfterAgent', 1000), ...allTold },
  { client: qwen, hookFile: hookIn('.qwen/settings.json', 'Stop', 1000), ...allTold },
  { client: qwenOfNode20, hookFile: hookIn('.qwen/settings.json', 'Stop', 1000), ...allTold },
  {
    client: copilot,
    hookFile: hookIn('.github/hooks/faulty.json', 'Stop', 1),
    tells: FAILURES,
    passesOver: [...NO_ANSWERS, WORDS_ON_STDERR],
  },
];

// Without these rows the tests of all hosts could find no complaint merely because nothing looks for one.
for (const { client, hookFile, tells, passesOver } of ROWS) {
  const installation = await installClient(client);
  const program: Command = installation.installed ? installation.command : [''];
  const complaintsOf = async ({ command, timeoutSeconds = 60 }: FaultyHook, makeProject: MakeProject) => {
    const project = makeProject(hookFile(command, timeoutSeconds), { git: false });
    return (await driveClient(client, program, project, neverFixes)).complaints;
  };
  describe.skipIf(!installation.installed)(`a faulty hook of ${client.title} ${client.version}`, () => {
    test.for(tells)('$fault: it is named', async (hook, { makeProject }) => {
      expect(await complaintsOf(hook, makeProject)).not.toEqual([]);
    });
    test.for(passesOver)('$fault: it is passed over', async (hook, { makeProject }) => {
      expect(await complaintsOf(hook, makeProject)).toEqual([]);
    });
  });
}
