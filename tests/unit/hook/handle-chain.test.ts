import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { uptimeMs } from '../../../src/base/time.ts';
import { decideChain } from '../../../src/chain/engine.ts';
import { identifyProcess } from '../../../src/process/process-group.ts';
import type { RunCommand } from '../../../src/process/run-command.ts';
import type { Chain, GateAction } from '../../../src/state/chain.ts';
import { readChains } from '../../../src/state/chain-store.ts';
import { agentSession } from '../../helpers/agent-session.ts';
import { chainFile, chainOf } from '../../helpers/chain.ts';
import { scriptedCommands } from '../../helpers/scripted-commands.ts';
import { temporaryHome, temporaryTree } from '../../helpers/temporary-tree.ts';

const chainIn = (root: string) => readChains(root)[0] as Chain;
/** A person's decision in a terminal. */
const decide = (root: string, action: GateAction) =>
  decideChain(root, chainIn(root).id, action, 'terminal', { now: new Date(), env: {} });
const rewrite = (root: string, fields: Partial<Chain>) => {
  for (const [path, text] of Object.entries(chainFile({ ...chainIn(root), ...fields })))
    writeFileSync(join(root, path), text);
};

describe('a stop of a session with typed gates', () => {
  test('is blocked until the command passes', async () => {
    const root = temporaryTree();
    const { submits, stops } = agentSession(root);
    await submits('fix the bug :: verify:"test -e fixed" max:3');
    const blocked = await stops();
    expect(blocked).toMatchObject({
      decision: 'block',
      why: 'gates-failed',
      reason: expect.stringMatching(/^Iteration 1\/3\.[\s\S]*Command failed: test -e fixed/),
    });
    writeFileSync(join(root, 'fixed'), '');
    expect(await stops()).toEqual({
      decision: 'allow',
      why: 'verified',
      toPerson: 'ralph-loop: `test -e fixed` passed.',
    });
    expect(readChains(root)).toEqual([]);
    expect(await stops()).toEqual({});
  });

  test('is blocked by a command that ran no test', async () => {
    const { submits, stops } = agentSession(temporaryTree());
    await submits('fix it :: verify:"echo 1..0" max:2');

    expect(await stops()).toMatchObject({
      decision: 'block',
      reason: expect.stringMatching(/^Iteration 1\/2\.[\s\S]*ran no test[\s\S]*selects none/),
    });
    expect(await stops()).toMatchObject({
      decision: 'allow',
      why: 'escalated',
      toPerson: expect.stringMatching(
        /^ralph-loop: limit of 2 attempts reached: `echo 1\.\.0` ran no test\./,
      ),
    });
  });

  test('is allowed after the last attempt, and then nothing runs until a person decides', async () => {
    const root = temporaryTree();
    const { submits, stops } = agentSession(root);
    await submits('fix it :: verify:"echo x >> ran; exit 3" max:2');
    expect(await stops()).toMatchObject({ decision: 'block' });
    expect(await stops()).toMatchObject({
      decision: 'allow',
      why: 'escalated',
      toPerson: expect.stringMatching(
        /^ralph-loop: limit of 2 attempts reached: .* failed with exit code 3\. Type ":: gate_action:retry"/,
      ),
    });
    expect(await stops()).toEqual({ decision: 'allow', why: 'escalated' });
    expect(chainIn(root).attempts).toBe(2);
    expect((await submits(':: gate_action:retry')).context).toContain('attempts start again at 1');
    expect(await stops()).toMatchObject({ reason: expect.stringMatching(/^Iteration 1\/2\./) });
    await submits(':: gate_action:abort');
    expect(readChains(root)).toEqual([]);
  });

  test('runs gates with loop:false once, and reports the failure to the person', async () => {
    const root = temporaryTree();
    const { submits, stops } = agentSession(root);
    await submits('try :: verify:"echo no; exit 4" loop:false');
    expect(await stops()).toEqual({
      decision: 'allow',
      why: 'unverified',
      toPerson: expect.stringMatching(
        /^ralph-loop: `echo no; exit 4` failed with exit code 4\.\nno\n\nFull output: /,
      ),
    });
    expect(readChains(root)).toEqual([]);
  });

  test('has the key of the chain, its attempt and its run', async () => {
    const root = temporaryTree();
    const { submits, stopResult } = agentSession(root);
    await submits('fix it :: verify:"false"');
    expect(await stopResult()).toMatchObject({
      root,
      task: `chain:${chainIn(root).id}`,
      attempt: { iteration: 1, maxIterations: 5 },
      summary: { verdict: 'failed' },
    });
  });

  test('is blocked, and not counted, if another process verifies the chain until the deadline', async () => {
    const root = temporaryTree();
    const { submits, stops } = agentSession(root, { deadline: { seconds: 2, atMs: uptimeMs() + 1300 } });
    await submits('fix it :: verify:"false"');
    rewrite(root, { running: await identifyProcess(process.ppid) });
    expect(await stops()).toEqual({
      decision: 'block',
      why: 'out-of-time',
      reason: expect.stringContaining(`being verified by process ${process.ppid}, which has not ended yet`),
    });
    expect(chainIn(root).attempts).toBe(0);
  });

  test.for([
    ['is verified', {}, { decision: 'block', why: 'gates-failed' }, 1],
    ['is asked for a review', { status: 'review' }, { decision: 'block', why: 'review-incomplete' }, 0],
  ] as const)('%s once another process has verified the chain', async ([, fields, answer, attempts]) => {
    const root = temporaryTree();
    const { submits, stops } = agentSession(root);
    await submits('fix it :: verify:"false" :: "is good enough"');
    rewrite(root, { running: await identifyProcess(process.ppid) });
    const answered = stops();
    rewrite(root, { ...fields, running: null });
    expect(await answered).toMatchObject(answer);
    expect(chainIn(root).attempts).toBe(attempts);
  });

  test('is verified though another process has the pid of the one that was killed', async () => {
    const root = temporaryTree();
    const { submits, stops } = agentSession(root);
    await submits('fix it :: verify:"false"');
    rewrite(root, { running: { pid: process.ppid, started: 'earlier' } });
    expect(await stops()).toMatchObject({ decision: 'block', why: 'gates-failed' });
  });

  test('reads the failure and the path of its log when no attempt is left', async () => {
    const { submits, stops } = agentSession(temporaryTree());
    await submits('fix it :: verify:"echo the cart is empty; exit 3" :fast');
    const { toPerson } = (await stops()) as { toPerson?: string };
    expect(toPerson).toMatch(
      /^ralph-loop: limit of 1 attempt reached: .* failed with exit code 3\. Type .*\nthe cart is empty\n\nFull output: \.trellis\/\.ralph\/output\/chain-.*\.log$/,
    );
  });

  test.for(['max:1', ':fast', 'max:2'])('reads the failure after a retry, with %s', async (option) => {
    const { submits, stops } = agentSession(temporaryTree());
    await submits(`fix it :: verify:"echo the cart is empty; exit 3" ${option}`);
    await stops();
    await stops();
    const { context } = await submits(':: gate_action:retry');
    expect(context).toMatch(
      /^The attempts start again at 1\. .*\n\nAt the last attempt, `echo .*` exited with code 3\.\n\n/,
    );
    expect(context).toMatch(/\nthe cart is empty\n\nFull output: \.trellis\/\.ralph\/output\/.*\.log$/);
  });

  test('has the attempts of the command that fails, of several', async () => {
    const root = temporaryTree();
    const { submits, stops } = agentSession(root);
    await submits('fix it :: verify:"test -e a" max:5 :: verify:"test -e b" max:2');
    for (const n of [1, 2, 3])
      expect(await stops()).toMatchObject({
        reason: expect.stringMatching(new RegExp(`^Iteration ${n}/5\\.`)),
      });
    writeFileSync(join(root, 'a'), '');
    expect(await stops()).toMatchObject({ reason: expect.stringMatching(/^Iteration 1\/2\./) });
    expect(await stops()).toMatchObject({
      why: 'escalated',
      toPerson: expect.stringMatching(/limit of 2 attempts reached: `test -e b` failed/),
    });
  });

  test('is blocked as out of time if the deadline comes first', async () => {
    const { submits, stops } = agentSession(temporaryTree(), { deadline: { seconds: 1, atMs: 0 } });
    await submits('fix it :: verify:"true"');
    expect(await stops()).toMatchObject({ decision: 'block', why: 'out-of-time' });
  });

  test('keeps a chain with loop:false if the hook is interrupted', async () => {
    const root = temporaryTree();
    const abort = new AbortController();
    const endHook = () => {
      abort.abort();
      return { how: 'aborted' } as const;
    };
    const { runCommand } = scriptedCommands({ a: endHook });
    const { submits, stops } = agentSession(root, { runCommand, signal: abort.signal });
    await submits('fix it :: verify:"a" loop:false');
    await stops();
    expect(chainIn(root)).toMatchObject({ attempts: 1, status: 'awaiting', running: null });
  });
});

describe('a command of typed gates', () => {
  const env = { PATH: process.env.PATH, API_TOKEN: 'abcdefgh-1234', PLAIN: 'seen' };
  const reasonFor = async (command: string, options: Parameters<typeof agentSession>[1] = {}) => {
    const { submits, stops } = agentSession(temporaryTree(), { env, ...options });
    await submits(`x :: verify:"${command}"`);
    return (await stops()) as { reason?: string };
  };

  test.for([
    { secretsPassed: [], shows: '[] [seen]' },
    { secretsPassed: ['API_TOKEN'], shows: '[***] [seen]' },
  ])('inherits the secrets that the config passes: $secretsPassed', async ({ secretsPassed, shows }) => {
    const { reason } = await reasonFor('echo [$API_TOKEN] [$PLAIN]; exit 1', { secretsPassed });
    expect(reason).toContain(`\n${shows}\n`);
  });

  test('has an empty stdin, and is reported if it calls a missing program', async () => {
    expect((await reasonFor('cat; no-such-program')).reason).toMatch(/no-such-program/);
  });

  test('may remove all files that git ignores', async () => {
    temporaryHome();
    const root = temporaryTree();
    const { submits, stops } = agentSession(root);
    await submits('x :: verify:"rm -r .trellis; test -e fixed" max:2');
    expect(await stops()).toMatchObject({ reason: expect.stringMatching(/^Iteration 1\/2\./) });
    expect(await stops()).toMatchObject({ toPerson: expect.stringContaining('limit of 2 attempts reached') });
  });
});

describe('the steps of typed gates', () => {
  test('are given to the agent one after another', async () => {
    const root = temporaryTree();
    const { submits, stops } = agentSession(root);
    await submits('write it :: verify:"test -e one" --> document it :: verify:"test -e two"');
    writeFileSync(join(root, 'one'), '');
    expect(await stops()).toMatchObject({
      decision: 'block',
      why: 'next-step',
      reason: expect.stringMatching(/^Step 1 of 2 passed\.\nStep 2 of 2:\ndocument it\n/),
    });
    expect(await stops()).toMatchObject({ reason: expect.stringContaining('Command failed: test -e two') });
    writeFileSync(join(root, 'two'), '');
    expect(await stops()).toMatchObject({ toPerson: 'ralph-loop: all typed gates passed.' });
  });

  test('are unverified if one was skipped', async () => {
    const { submits, stops } = agentSession(temporaryTree());
    await submits('one :: verify:"false" max:1 --> two :: verify:"true"');
    await stops();
    const { context } = await submits(':: gate_action:skip');
    expect(context).toMatch(/counts as unverified[\s\S]*Step 2 of 2:\ntwo\n/);
    expect(await stops()).toEqual({
      decision: 'allow',
      why: 'unverified',
      toPerson: 'ralph-loop: 1 step unverified, all others passed.',
    });
  });

  test('skipped in a terminal are reported to the agent at its next stop, once', async () => {
    const root = temporaryTree();
    const { submits, stops } = agentSession(root);
    await submits('one :: verify:"false" max:1 --> write the docs :: verify:"false"');
    await stops();
    await decide(root, 'skip');
    expect(await stops()).toMatchObject({
      decision: 'block',
      why: 'next-step',
      reason: expect.stringMatching(/counts as unverified[\s\S]*Step 2 of 2:\nwrite the docs\n/),
    });
    expect(await stops()).toMatchObject({ reason: expect.stringMatching(/^Iteration 1\/5\./) });
  });

  test.for([
    { action: 'retry', why: 'retried', reason: /^The attempts start again at 1/ },
    { action: 'skip', why: 'next-step', reason: /counts as unverified[\s\S]*Step 2 of 2:\ntwo\n/ },
  ] as const)(
    'continue with the agent if a person decides to $action during the run',
    async ({ action, why, reason }) => {
      const root = temporaryTree();
      const scripted = scriptedCommands({ a: 1 });
      const runCommand: RunCommand = async (spec, hooks) => {
        if (spec.command === 'a') await decide(root, action);
        return scripted.runCommand(spec, hooks);
      };
      const { submits, stops } = agentSession(root, { runCommand });
      await submits('one :: verify:"a" --> two :: verify:"b"');
      expect(await stops()).toMatchObject({ decision: 'block', why, reason: expect.stringMatching(reason) });
      expect(chainIn(root)).toMatchObject({ attempts: 0, running: null, untold: false });
    },
  );

  test('are reported as not verified if a person aborts the chain during the run', async () => {
    const root = temporaryTree();
    const scripted = scriptedCommands();
    const runCommand: RunCommand = async (spec, hooks) => {
      await decide(root, 'abort');
      return scripted.runCommand(spec, hooks);
    };
    const { submits, stops } = agentSession(root, { runCommand });
    await submits('one :: verify:"a"');
    expect(await stops()).toMatchObject({
      decision: 'allow',
      why: 'unverified',
      toPerson: expect.stringMatching(/were not verified at this stop: .* a person aborted it/),
    });
  });
});

describe('the criteria of typed gates', () => {
  test('are reviewed once the commands pass, each with a reason', async () => {
    const root = temporaryTree();
    const { submits, stops } = agentSession(root);
    await submits('x :: verify:"true" :: rest:"follows REST"');
    expect(await stops()).toMatchObject({
      why: 'review',
      reason: expect.stringContaining('GATE rest: PASS - <reason>'),
    });
    expect(await stops('GATE rest: PASS')).toMatchObject({
      why: 'review-incomplete',
      reason: expect.stringContaining('A verdict is missing, has no reason, or is FAIL.'),
    });
    expect(await stops('GATE rest: FAIL - uses GET to delete')).toMatchObject({
      decision: 'block',
      why: 'review-failed',
    });
    // The fix may have broken the commands.
    expect(await stops()).toMatchObject({ reason: expect.stringContaining('The commands pass. Review') });
    expect(await stops('Done.\n\n**GATE rest**: PASS — all verbs fit')).toMatchObject({
      decision: 'allow',
      why: 'verified',
    });
    expect(readChains(root)).toEqual([]);
  });

  test('are left to a person after five failed reviews', async () => {
    const { submits, stops } = agentSession(temporaryTree());
    await submits('x :: verify:"true" :: rest:"follows REST"');
    for (let review = 1; review <= 5; review++) {
      await stops();
      await stops('GATE rest: FAIL - not yet');
    }
    expect(await stops()).toMatchObject({
      decision: 'allow',
      why: 'escalated',
      toPerson: expect.stringContaining('limit of 5 reviews reached: the review did not pass'),
    });
  });
});

describe('a chain without a change for a day', () => {
  const expired = async () => {
    const root = temporaryTree();
    await agentSession(root).submits('x :: verify:"false"');
    rewrite(root, { updated_at: new Date(Date.now() - 25 * 3_600_000).toISOString() });
    return root;
  };

  test('is reported once to the person of its session', async () => {
    const { stops } = agentSession(await expired());
    expect(await stops()).toEqual({
      decision: 'allow',
      why: 'expired',
      toPerson: expect.stringMatching(
        /^ralph-loop: typed gates expired, without activity since .*: `false`\.$/,
      ),
    });
    expect(await stops()).toEqual({});
  });

  test('is only noted at the stop of another session', async () => {
    const { stopResult } = agentSession(await expired(), { session: 'another' });
    expect(await stopResult()).toMatchObject({
      answer: { decision: 'ignore', why: 'no config' },
      notes: [expect.stringMatching(/^chain \S+ has expired/)],
    });
  });
});

test('a session whose project has only chains of other sessions has no answer', async () => {
  const root = temporaryTree(chainFile(chainOf({ session: 'another', atStop: 'block' })));
  expect(await agentSession(root).stopResult()).toBeUndefined();
});
