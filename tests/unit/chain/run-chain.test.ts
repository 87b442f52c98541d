import { expect, test } from 'vitest';
import { runChain } from '../../../src/chain/run-chain.ts';
import type { RunCommand } from '../../../src/process/run-command.ts';
import { readChain } from '../../../src/state/chain-file.ts';
import { chainFile, chainOf } from '../../helpers/chain.ts';
import { deadPid } from '../../helpers/processes.ts';
import { scriptedCommands } from '../../helpers/scripted-commands.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const { id } = chainOf();

const run = (root: string, runCommand: RunCommand) => {
  const effects = {
    runCommand,
    now: () => new Date(),
    env: {},
    deadline: { seconds: 570, atMs: 1e9 },
    signal: new AbortController().signal,
  };
  return runChain(root, id, effects, { secretsPassed: [] });
};

test('one process runs a chain once at a time', async () => {
  const root = temporaryTree(chainFile(chainOf()));
  const { runCommand } = scriptedCommands({ 'npm test': 1 });
  const [first, second] = await Promise.all([run(root, runCommand), run(root, runCommand)]);

  expect(second).toEqual({ refused: `it is being verified by process ${process.pid}` });
  expect(first).toMatchObject({ attempt: { iteration: 1 }, chain: { status: 'failed', attempts: 1 } });
  expect(await run(root, runCommand)).toMatchObject({ attempt: { iteration: 2 } });
});

test('no run begins where no attempt is left', async () => {
  const root = temporaryTree(chainFile(chainOf({ status: 'escalated', attempts: 5 })));
  const { runCommand, specs } = scriptedCommands();

  expect(await run(root, runCommand)).toEqual({ refused: 'no attempt is left' });
  expect(specs).toEqual([]);
});

test.for([
  { of: 'another process that lives', running: process.ppid, attempts: 0 },
  { of: 'another process that was killed', running: deadPid(), attempts: 1 },
  { of: 'one that was killed, and had the pid of this one', running: process.pid, attempts: 1 },
])('a run $of: the chain is at attempt $attempts', async ({ running, attempts }) => {
  const root = temporaryTree(chainFile(chainOf({ running })));
  await run(root, scriptedCommands({ 'npm test': 1 }).runCommand);

  expect(readChain(root, id)?.attempts).toBe(attempts);
});
