import { expect } from 'vitest';
import { runCommand } from '../../../src/process/run-command.ts';
import { gateKeys } from '../../../src/verification/gate-keys.ts';
import { tracked } from '../../../src/verification/record-baseline.ts';
import { shellGate } from '../../helpers/gate-results.ts';
import { gitProject } from '../../helpers/git-project.ts';
import { test } from '../../helpers/project.ts';

test('a run that records failures is not joined by one that does not know them', async ({ makeProject }) => {
  const { root, environment: env } = gitProject(makeProject, { 'a.txt': 'a' });
  const [gate, signal] = [shellGate('a'), new AbortController().signal];
  const gates = [gate, tracked(gate, root), { ...gate, name: 'b' }];
  const context = { runCommand, now: () => new Date(), env, signal };
  const { keys } = await gateKeys({ root, gates }, context);
  const [plain, recording, renamed] = gates.map((each) => keys.get(each));
  expect(plain).toEqual(expect.any(String));
  expect(renamed).toBe(plain);
  expect(recording).not.toBe(plain);
});
