import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { logChain, refusedWhy, startedWhy } from '../../../src/chain/chain-log.ts';
import { chainOf, step } from '../../helpers/chain.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';
import { verifyGate } from '../../helpers/typed-prompt.ts';

describe('a text in the log contains no part of a secret, at whatever length it is cut,', () => {
  const token = 'abcd1234efgh5678';
  const env = { API_TOKEN: token };
  const commands = [0, 20, 30, 40, 50, 60, 230, 240, 250, 260, 270, 280].map(
    (length) => `exit 1; ${'x'.repeat(length)}${token}`,
  );

  test.for(commands)('for the started command %s', (command) => {
    const why = startedWhy(chainOf({ steps: [step('Log in', verifyGate(command))] }), env);
    expect(why).toMatch(/^gates begun: - `exit 1; /);
    expect(why).not.toContain(token.slice(0, 4));
  });

  test.for(commands)('for a refusal with %s', (command) => {
    const why = refusedWhy(`The gates in this prompt have errors:\n1:1: found "${command}"\nmore`, env);
    expect(why).toMatch(/^gates refused: The gates .* found/);
    expect(why).not.toContain(token.slice(0, 4));
    expect(why).not.toContain('more');
  });
});

describe('logChain', () => {
  const entry = { host: 'terminal', session: 's', task: 'chain:a', why: 'gate retry of abcd1234' } as const;
  const context = { now: new Date(0), env: { API_TOKEN: 'abcd1234' } };

  test('appends a record without secrets, which is not about a stop', async () => {
    const root = temporaryTree();
    await logChain(root, entry, context);
    expect(JSON.parse(readFileSync(join(root, '.trellis/.ralph/log.jsonl'), 'utf8'))).toEqual({
      ...entry,
      why: 'gate retry of ***',
      time: '1970-01-01T00:00:00.000Z',
      agent: 'main',
      iteration: null,
      max: null,
      gates: [],
      answer: 'ignore',
    });
  });
});
