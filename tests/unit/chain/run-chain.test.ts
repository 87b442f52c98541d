import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failure } from '../../../src/base/result.ts';
import { type ChainRunContext, runChain } from '../../../src/chain/run-chain.ts';
import { identifyProcess, type ProcessIdentity } from '../../../src/process/process-group.ts';
import type { Chain } from '../../../src/state/chain.ts';
import { readChain, removeChain, writeNewChain } from '../../../src/state/chain-store.ts';
import { chainFile, chainOf, step } from '../../helpers/chain.ts';
import { deadPid } from '../../helpers/processes.ts';
import { scriptedCommands } from '../../helpers/scripted-commands.ts';
import { stopContext } from '../../helpers/stop-context.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';
import { verifyGate } from '../../helpers/typed-prompt.ts';

const { id } = chainOf();
const OTHER = await identifyProcess(process.ppid);

const run = (root: string, context: Partial<ChainRunContext>) =>
  runChain(root, id, { ...stopContext(), secretsPassed: [], ...context });

test('a process runs a chain once at a time', async () => {
  const root = temporaryTree(chainFile(chainOf()));
  const { runCommand } = scriptedCommands({ 'npm test': 1 });
  const [first, second] = await Promise.all([run(root, { runCommand }), run(root, { runCommand })]);

  expect(second).toMatchObject({
    failure: { message: `it is being verified by process ${process.pid}`, runner: { pid: process.pid } },
  });
  expect(first).toMatchObject({
    value: { event: 'failed', chain: { status: 'failed', attempts: 1 }, run: { attempt: { iteration: 1 } } },
  });
  expect(await run(root, { runCommand })).toMatchObject({ value: { run: { attempt: { iteration: 2 } } } });
});

test.for([
  ['may still run is not counted', 250, 0],
  ['has run for longer than its commands may is counted', 361, 1],
] as const)('a run of a chain whose live process %s', async ([, seconds, attempts]) => {
  const startedAt = new Date(Date.now() - seconds * 1000);
  const root = temporaryTree(chainFile(chainOf({ running: OTHER }, startedAt)));
  await run(root, { runCommand: scriptedCommands({ 'npm test': 1 }).runCommand });

  expect(readChain(root, id)?.attempts).toBe(attempts);
});

test('an escalated chain is not run', async () => {
  const root = temporaryTree(chainFile(chainOf({ status: 'escalated', attempts: 5 })));
  const { runCommand, specs } = scriptedCommands();

  expect(await run(root, { runCommand })).toEqual(failure('no attempt is left'));
  expect(specs).toEqual([]);
});

test.for([
  ['another live process is not counted', OTHER, 0],
  ['a killed process is counted', { pid: deadPid(), started: '1' }, 1],
  ['a killed process whose pid another process has is counted', { ...OTHER, started: '1' }, 1],
  ['a process that is not known to be the same is counted', { ...OTHER, started: null }, 1],
  ['a pid alone, of an earlier version, is counted', process.ppid, 1],
  ['all processes is counted', { pid: -1, started: OTHER.started }, 1],
  ['the own group is counted', { pid: 0, started: OTHER.started }, 1],
  ['this process, which has lost it, is counted', await identifyProcess(process.pid), 1],
] as const)('a run of a chain that belongs to %s', async ([, running, attempts]) => {
  const root = temporaryTree(chainFile(chainOf({ running: running as ProcessIdentity })));
  await run(root, { runCommand: scriptedCommands({ 'npm test': 1 }).runCommand });

  expect(readChain(root, id)?.attempts).toBe(attempts);
});

describe('the directory of a command', () => {
  const inSub = chainOf({
    steps: [step('Do it', verifyGate('swap'), verifyGate('npm test', { workingDir: './sub' }))],
  });

  test('is resolved when the command starts', async () => {
    const outside = temporaryTree();
    const root = temporaryTree({ ...chainFile(inSub), 'sub/': '' });
    const swap = () => {
      rmSync(join(root, 'sub'), { recursive: true });
      symlinkSync(outside, join(root, 'sub'));
      return { how: 'exited', exitCode: 0 } as const;
    };
    const { runCommand, specs } = scriptedCommands({ swap });
    expect(await run(root, { runCommand })).toMatchObject({
      value: {
        event: 'failed',
        run: { reports: [{ passed: true }, { stderr: expect.stringMatching(/is outside the project$/) }] },
      },
    });
    expect(specs.map(({ command }) => command)).not.toContain('npm test');
  });

  test('may be a link inside the project, which is resolved', async () => {
    const root = temporaryTree({ ...chainFile(inSub), 'real/': '' });
    symlinkSync(join(root, 'real'), join(root, 'sub'));
    const { runCommand, specs } = scriptedCommands();
    await run(root, { runCommand });
    expect(specs.find(({ command }) => command === 'npm test')?.cwd).toBe(join(root, 'real'));
  });
});

test('messages count the attempts of the command that failed', async () => {
  const gates = [verifyGate('a', { maxAttempts: 5 }), verifyGate('b', { maxAttempts: 3 })];
  const root = temporaryTree(chainFile(chainOf({ steps: [step('Do it', ...gates)] })));
  const script = { a: 1, b: 0 };
  const { runCommand } = scriptedCommands({
    a: () => ({ how: 'exited', exitCode: script.a }),
    b: 1,
  });
  await run(root, { runCommand });
  script.a = 0;
  await run(root, { runCommand });
  const ended = await run(root, { runCommand });
  expect(ended).toMatchObject({
    value: {
      event: 'failed',
      run: {
        attempt: { iteration: 2, maxIterations: 3 },
        failed: { attempt: { iteration: 2, maxIterations: 3 }, remembered: [{ name: 'b', since: 1 }] },
      },
    },
  });
});

describe('the commands of a step', () => {
  const ofTwo = chainOf({
    steps: [step('Do it', verifyGate('lint', { workingDir: './sub' }), verifyGate('npm test'))],
  });

  test('run in order, up to the first failure', async () => {
    const root = temporaryTree(chainFile(ofTwo));
    const { runCommand, specs } = scriptedCommands({ lint: 1 });

    expect(await run(root, { runCommand })).toMatchObject({
      value: { run: { reports: [{ command: 'lint', passed: false, exitCode: 1 }] } },
    });
    expect(specs.map(({ command, cwd }) => [command, cwd])).toContainEqual(['lint', join(root, 'sub')]);
    expect(specs.map(({ command }) => command)).not.toContain('npm test');
  });

  test('are reported with the last 5,000 characters of their output', async () => {
    const root = temporaryTree(chainFile(chainOf()));
    const { runCommand } = scriptedCommands({ 'npm test': 1 });
    const long = `${'x'.repeat(6000)}end`;
    const ended = await run(root, {
      runCommand: async (spec, hooks) => {
        const result = await runCommand(spec, hooks);
        return { ...result, output: { ...result.output, head: [{ stream: 'stderr', text: long }] } };
      },
    });
    expect(ended).toMatchObject({
      value: {
        run: {
          reports: [{ stderr: `[...truncated, showing last 5000 chars...]\n${'x'.repeat(4997)}end` }],
        },
      },
    });
  });

  test('are reported as timed out if they took too long', async () => {
    const root = temporaryTree(chainFile(chainOf()));
    const { runCommand } = scriptedCommands({ 'npm test': { how: 'timed-out' } });

    expect(await run(root, { runCommand })).toMatchObject({
      value: { event: 'failed', run: { reports: [{ exitCode: null, timedOut: true }] } },
    });
  });
});

describe('a chain that changes during its run', () => {
  /** Changes the chain's file while the command runs. */
  const during = async (change: (root: string) => void, context: Partial<ChainRunContext> = {}) => {
    const root = temporaryTree();
    await writeNewChain(root, chainOf({ steps: [step('one', verifyGate('a')), step('two')] }));
    const fails = () => {
      change(root);
      return { how: 'exited', exitCode: 1 } as const;
    };
    const ended = await run(root, { runCommand: scriptedCommands({ a: fails }).runCommand, ...context });
    return { ended, kept: readChain(root, id) };
  };
  const change = (fields: Partial<Chain>) => (root: string) => {
    const [[file, text] = ['', '']] = Object.entries(
      chainFile({ ...(readChain(root, id) as Chain), ...fields }),
    );
    writeFileSync(join(root, file), text);
  };

  test('because a person retried it keeps the new attempts', async () => {
    const { ended, kept } = await during(change({ attempts: 0, running: null }));
    expect(ended).toMatchObject({ value: { event: 'retried', chain: { attempts: 0 } } });
    expect(kept).toMatchObject({ attempts: 0, status: 'awaiting', running: null });
  });

  test('because a person skipped its step is at the next step, and no notice is pending', async () => {
    const { ended, kept } = await during(change({ step: 1, attempts: 0, running: null, untold: true }));
    expect(ended).toMatchObject({ value: { event: 'step-skipped' } });
    expect(kept).toMatchObject({ step: 1, untold: false });
  });

  test('because it was removed has no result', async () => {
    const { ended } = await during((root) => removeChain(root, id));
    expect(ended).toEqual(
      failure('it ended while its commands ran: a person aborted it, or typed new gates'),
    );
  });

  test('because its process was interrupted keeps its status, and the attempt counts', async () => {
    const abort = new AbortController();
    const { ended, kept } = await during(() => abort.abort(), { signal: abort.signal });
    expect(ended).toMatchObject({ value: { event: 'interrupted' } });
    expect(kept).toMatchObject({ attempts: 1, status: 'awaiting', running: null });
  });
});
