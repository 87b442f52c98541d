import { describe, expect, test } from 'vitest';
import { failure } from '../../../src/base/result.ts';
import { type ChainContext, decideChain, verifyChain } from '../../../src/chain/engine.ts';
import { CHAIN_OUTCOMES } from '../../../src/chain/transitions.ts';
import type { Chain } from '../../../src/state/chain.ts';
import { readChain, writeNewChain } from '../../../src/state/chain-store.ts';
import { chainFile, chainOf, commandReport, step } from '../../helpers/chain.ts';
import { type Script, scriptedCommands } from '../../helpers/scripted-commands.ts';
import { stopContext } from '../../helpers/stop-context.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';
import { verifyGate } from '../../helpers/typed-prompt.ts';

const { id } = chainOf();
const VERDICT = { name: 'a', passed: true, reason: 'seen' };
const inReview = chainOf({
  status: 'review',
  reviews: 1,
  attempts: 1,
  steps: [{ ...step('Do it', verifyGate('npm test')), criteria: [{ name: 'a', text: 'a' }] }],
});

/** Verifies a chain, whose command is `npm test`. */
async function verify(
  chain: Chain,
  script: Script = {},
  context: Partial<ChainContext> = {},
  verdicts = [VERDICT],
) {
  const root = temporaryTree(chainFile(chain));
  const { runCommand, specs } = scriptedCommands(script);
  const verified = await verifyChain({ root, chain }, verdicts, {
    ...stopContext({ runCommand }),
    secretsPassed: [],
    isStop: true,
    ...context,
  });
  const ran = specs.filter(({ command }) => command === 'npm test').length;
  return { verified, ran, saved: readChain(root, id) };
}

describe('verifyChain', () => {
  test.for([
    { what: 'that passes', chain: chainOf(), script: {}, event: 'passed', ran: 1 },
    { what: 'that fails', chain: chainOf(), script: { 'npm test': 1 }, event: 'failed', ran: 1 },
    {
      what: 'that fails at its last attempt',
      chain: chainOf({ attempts: 4 }),
      script: { 'npm test': 1 },
      event: 'escalated',
      ran: 1,
    },
    { what: 'that was escalated', chain: chainOf({ status: 'escalated' }), event: 'waiting', ran: 0 },
    { what: 'in review', chain: inReview, event: 'passed', ran: 0 },
  ] as const)('reports the event of a chain $what', async ({ chain, event, ran, ...more }) => {
    const result = await verify(chain, 'script' in more ? more.script : {});
    expect(result).toMatchObject({
      verified: { value: { event, outcome: CHAIN_OUTCOMES[event], before: { id } } },
      ran,
    });
  });

  test('removes a chain that is verified once, and reports its failure', async () => {
    const chain = chainOf({ atStop: 'tell' });
    expect(await verify(chain, { 'npm test': 1 })).toMatchObject({
      verified: { value: { event: 'failed-once', run: { reports: [{ exitCode: 1 }] } } },
      saved: undefined,
    });
  });

  test('escalates a chain that is verified once if a tool call verifies it', async () => {
    const chain = chainOf({ atStop: 'tell' });
    expect(await verify(chain, { 'npm test': 1 }, { isStop: false })).toMatchObject({
      verified: { value: { event: 'escalated' } },
      saved: { status: 'escalated' },
    });
  });

  test('delivers a pending notice at a stop, and runs nothing', async () => {
    expect(await verify(chainOf({ untold: true }))).toMatchObject({
      verified: { value: { event: 'step-skipped' } },
      saved: { untold: false, attempts: 0 },
      ran: 0,
    });
  });

  test('runs the commands at a tool call, though a notice is pending', async () => {
    expect(await verify(chainOf({ untold: true }), {}, { isStop: false })).toMatchObject({ ran: 1 });
  });

  test('fails if the review has ended meanwhile', async () => {
    const root = temporaryTree(chainFile({ ...inReview, status: 'failed' }));
    const context = { ...stopContext(), secretsPassed: [], isStop: true };
    expect(await verifyChain({ root, chain: inReview }, [VERDICT], context)).toEqual(
      failure('it is failed by now'),
    );
  });

  test('reports the checkpoint of an escalated chain to the person', async () => {
    const chain = chainOf({ attempts: 4, checkpoint: 'c1' });
    expect(await verify(chain, { 'npm test': 1 })).toMatchObject({
      verified: { value: { checkpointNote: expect.stringContaining('ralph-loop checkpoint restore c1') } },
    });
  });
});

describe('decideChain', () => {
  const decide = async (
    chain: Chain,
    action: Parameters<typeof decideChain>[2],
    source: Parameters<typeof decideChain>[3],
  ) => {
    const root = temporaryTree();
    await writeNewChain(root, chain);
    const decided = await decideChain(root, id, action, source, { now: new Date(), env: {} });
    return { decided, saved: readChain(root, id) };
  };
  const steps = [step('one', verifyGate('a')), step('two', verifyGate('b'))];
  const results = [commandReport()];

  test.for(['prompt', 'terminal'] as const)('accepts any decision from a %s', async (source) => {
    const chain = chainOf({ status: 'failed', attempts: 2, results });
    expect(await decide(chain, 'retry', source)).toMatchObject({
      decided: { value: { event: 'retried', before: { attempts: 2 } } },
      saved: { status: 'awaiting', attempts: 0, results: [] },
    });
  });

  test.for([
    ['retry', 'awaiting', false],
    ['skip', 'failed', false],
    ['abort', 'awaiting', true],
    ['retry', 'escalated', true],
    ['skip', 'escalated', true],
  ] as const)('to %s a chain that is %s may come from a tool: %s', async ([action, status, ok]) => {
    const { decided } = await decide(chainOf({ status }), action, 'tool');
    expect(decided.ok).toBe(ok);
    if (!ok)
      expect(decided).toEqual(failure(`it is ${status}, and "${action}" is for one that is escalated`));
  });

  test.for([
    ['terminal', true],
    ['prompt', false],
    ['tool', false],
  ] as const)('to skip a step from a %s leaves a pending notice: %s', async ([source, untold]) => {
    const { saved } = await decide(chainOf({ status: 'escalated', steps }), 'skip', source);
    expect(saved).toMatchObject({ step: 1, untold, unverified: [0] });
  });

  test('fails for a chain that does not exist', async () => {
    const root = temporaryTree();
    expect(await decideChain(root, 'x-1', 'abort', 'prompt', { now: new Date(), env: {} })).toEqual(
      failure('there is no chain x-1'),
    );
  });
});
