import { describe, expect } from 'vitest';
import { countHistory } from '../../../src/history/count-history.ts';
import { type Project, test, worktreeYaml } from '../../helpers/project.ts';
import { putTranscripts, RECORDED_HOSTS } from '../../helpers/transcripts.ts';

const GATES = { 'worktree.yaml': worktreeYaml(['{ name: test, run: node sum.test.mjs }']) };

function history({ home }: Project, since?: Date) {
  return countHistory({ home, env: {}, since });
}

describe.each(RECORDED_HOSTS)('a recorded transcript of %s', (host) => {
  test.for([
    ['verified', 'verified'],
    ['stale', 'stale'],
    ['failed', 'failed'],
    ['never', 'never_ran'],
    ['piped', 'unknown'],
  ] as const)('whose turn is %s counts as a claim that is %s', async ([name, evidence], { makeProject }) => {
    const project = makeProject(GATES);
    putTranscripts(project, host, [name]);
    const { total, leftOut, unread } = await history(project);
    expect({ claims: total.claims, [evidence]: total[evidence], unread, leftOut }).toMatchObject({
      claims: 1,
      [evidence]: 1,
      unread: [],
      leftOut: { question: 0 },
    });
  });

  test('whose turn ends with a question is no claim', async ({ makeProject }) => {
    const project = makeProject(GATES);
    putTranscripts(project, host, ['asked']);
    const { total, leftOut } = await history(project);
    expect([total.claims, leftOut.question]).toEqual([0, 1]);
  });
});
