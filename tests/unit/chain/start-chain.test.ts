import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { submitPrompt } from '../../../src/chain/start-chain.ts';
import { readChains } from '../../../src/state/chain-store.ts';
import { agentSession } from '../../helpers/agent-session.ts';
import { chainFile, chainOf } from '../../helpers/chain.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const submit = (prompt: string, root: string) =>
  submitPrompt(prompt, root, 'session-1', { now: NOW, env: { PATH: process.env.PATH } });

describe('a prompt with gates starts a chain', () => {
  test('whose verification the agent learns', async () => {
    const root = temporaryTree();
    const { context } = await agentSession(root).submits('fix the bug :: verify:"npm test" max:3');
    // The agent reads the prompt itself too.
    expect(context).toMatch(/^ralph-loop verifies/);
    expect(context).toContain('`npm test` exits with 0 (3 attempts, 300 s each)');
    expect(readChains(root)).toMatchObject([{ session: 'session-1', atStop: 'block', status: 'awaiting' }]);
  });

  test('whose template the agent reads', async () => {
    const root = temporaryTree({ '.claude/commands/fix.md': 'Repair $ARGUMENTS, and add a test.\n' });
    const { context } = await agentSession(root).submits('>>fix the login :: verify:"false"');
    expect(context).toMatch(/^Repair the login, and add a test\.\n\nralph-loop verifies/);
  });

  test('with several steps', async () => {
    const prompt = 'write it :: verify:"a" --> document it :: verify:"b"';
    const { chain, context } = await agentSession(temporaryTree()).submits(prompt);
    expect(chain.steps).toHaveLength(2);
    expect(context).toContain('This task has 2 steps');
  });

  test.for([
    ['verify:"a" loop:false', 'tell'],
    ['verify:"a" loop:false :: verify:"b"', 'block'],
    ['"follows REST"', 'block'],
  ] as const)('for %s that stops answer with %s', async ([gates, atStop]) => {
    const { chain } = await agentSession(temporaryTree()).submits(`do it :: ${gates}`);
    expect(chain.atStop).toBe(atStop);
  });

  test('that replaces the earlier one of its session, with its artifacts', async () => {
    const root = temporaryTree();
    const { submits, stops } = agentSession(root);
    const other = await agentSession(root, { session: 'another' }).submits('other :: verify:"true"');
    await submits('one :: verify:"echo first; false"');
    await stops();
    const { chain } = await submits('two :: verify:"echo second; false"');
    expect(
      readChains(root)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([other.chain.id, chain.id].toSorted());
    expect(await stops()).toMatchObject({ reason: expect.stringContaining('echo second') });
    expect(readdirSync(join(root, '.trellis/.ralph/output'))).toEqual([`chain-${chain.id}`]);
  });

  test('whose id sorts by time', async () => {
    const { chain } = await agentSession(temporaryTree(), { now: () => NOW }).submits('x :: verify:"a"');
    expect(chain.id).toMatch(/^toujs0-[a-z0-9]{4}$/);
  });
});

describe('a prompt is refused, and nothing starts,', () => {
  test.for([
    [
      'if a gate has an error',
      'x :: verify:"npm test',
      /^The gates in this prompt have errors, and nothing was started:\n1:13: .*\nx :: verify:"npm test\n {12}\^$/,
    ],
    ['if an option is misspelled', 'x :: verify:"true" mx:3', /did you mean "max"\?/],
    [
      'if a directory does not exist',
      'x :: verify:"true" workingDir:"nowhere"',
      /^workingDir:"nowhere" is not a directory in the project\.$/,
    ],
    [
      'if a file is no directory',
      'x :: verify:"true" workingDir:"a.txt"',
      /^workingDir:"a\.txt" is not a directory in the project\.$/,
    ],
    [
      'if a gate action is beside gates',
      'do it otherwise :: gate_action:abort :: verify:"true"',
      /gate_action.* beside gates/,
    ],
    [
      'if a gate action has no chain',
      ':: gate_action:skip',
      /^There are no gates in this session that "skip" could apply to\.$/,
    ],
    [
      'if it needs a checkpoint without git',
      'x :: verify:"true" checkpoint:true',
      /^The working tree cannot be saved before the first attempt: /,
    ],
  ] as const)('%s', async ([, prompt, message]) => {
    const root = temporaryTree({ 'a.txt': '' });
    expect(await agentSession(root).isRefused(prompt)).toMatch(message);
    expect(readChains(root)).toEqual([]);
  });

  test('if the project is gone, whose directory is not created again', async () => {
    const root = join(temporaryTree(), 'gone');
    expect(await agentSession(root).isRefused('x :: verify:"true"')).toBe(
      `The gates cannot be saved: there is no directory ${root}.`,
    );
    expect(existsSync(root)).toBe(false);
  });

  test('if the chain cannot be saved', async () => {
    const root = temporaryTree({ '.trellis': 'not a directory' });
    expect(await agentSession(root).isRefused('x :: verify:"true"')).toMatch(
      /^The gates cannot be saved: ENOTDIR/,
    );
  });

  test('with the first ten of thousands of errors', async () => {
    const message = await agentSession(temporaryTree()).isRefused('x :: verify:"a\n'.repeat(3000));
    expect(message).toContain('and 2990 more');
    expect(message.length).toBeLessThan(3000);
  });
});

test('a prompt without gates is ignored, and creates no file', async () => {
  const root = temporaryTree();
  expect(await submit('use std::vector and Foo::bar', root)).toBeUndefined();
  expect(readdirSync(root)).toEqual([]);
});

describe('a gate action', () => {
  test('is about the escalated chain of the session, not about a later one', async () => {
    const session = 'session-1';
    const files = {
      ...chainFile(chainOf({ id: 'a-1', session, status: 'escalated' }, new Date(0))),
      ...chainFile(chainOf({ id: 'b-2', session })),
      ...chainFile(chainOf({ id: 'c-3', session: 'another', status: 'escalated' })),
    };
    const root = temporaryTree(files);
    const { chain, action, context } = await agentSession(root).submits(':: gate_action:abort');
    expect({ id: chain.id, action, context }).toEqual({
      id: 'a-1',
      action: 'abort',
      context: 'ralph-loop no longer verifies this task.',
    });
    expect(readChains(root).map(({ id }) => id)).toEqual(['b-2', 'c-3']);
  });
});
