import { describe, expect, test } from 'vitest';
import { stageSettings } from '../../../src/config/settings.ts';
import { readWorktree } from '../../helpers/read-worktree.ts';

const stageOf = async (ralph: string, agent: string) => {
  const { settings, problems } = await readWorktree(`ralph:\n${ralph}`);
  expect(problems).toEqual([]);
  return stageSettings(agent, settings.promises ?? { agents: {} });
};

describe('a stage has', () => {
  test.each([
    ['coder', 15, 'IMPLEMENTATION_COMPLETE'],
    ['reviewer', 5, 'REVIEW_COMPLETE'],
    ['tester', 10, 'TESTS_COMPLETE'],
    ['qa', 5, 'QA_PASSED'],
    ['designer', 10, 'STAGE_COMPLETE'],
    ['Coder', 10, 'STAGE_COMPLETE'],
    ['constructor', 10, 'STAGE_COMPLETE'],
  ])('by default, for %s: %i iterations, %s', async (agent, maxIterations, completionPromise) => {
    expect(await stageOf('  fail_fast: true\n', agent)).toEqual({
      agent,
      enabled: true,
      maxIterations,
      completionPromise,
      command: undefined,
      prompt: undefined,
    });
  });

  test.each([
    [
      'what is set for all',
      'designer',
      '  default_max_iterations: 3\n  command: a\n',
      { maxIterations: 3, command: 'a' },
    ],
    ['its own default before that of all', 'coder', '  default_max_iterations: 3\n', { maxIterations: 15 }],
    [
      'what is set for it before all',
      'coder',
      '  command: a\n  coder:\n    command: b\n    max_iterations: 2\n    completion_promise: DONE\n    prompt: |\n      Be brief.\n',
      { command: 'b', maxIterations: 2, completionPromise: 'DONE', prompt: 'Be brief.\n' },
    ],
    ['a switch of its own', 'qa', '  qa: {enabled: false}\n', { enabled: false }],
    [
      'no loop where there is none for anyone',
      'qa',
      '  enabled: false\n  qa: {enabled: true}\n',
      { enabled: false },
    ],
    [
      'what an alias stands for',
      'tester',
      '  coder: &a {max_iterations: 7}\n  tester: *a\n',
      { maxIterations: 7 },
    ],
  ])('%s', async (_, agent, ralph, expected) => {
    expect(await stageOf(ralph, agent)).toMatchObject(expected);
  });
});

describe('a mistake is told where it stands', () => {
  test.each([
    [
      '  coder:\n    max_iteration: 3\n',
      '3:5: found unknown key "max_iteration", expected one of enabled, max_iterations, completion_promise, command, prompt; did you mean "max_iterations"?',
    ],
    [
      '  coder:\n    completion_promise: "<promise>X</promise>"\n',
      '3:25: found text "<promise>X</promise>" for "completion_promise", expected text on one line without < and >, as TESTS_COMPLETE',
    ],
    ['  max_cost_usd: -1\n', '2:17: found a number -1 for "max_cost_usd", expected a number above 0'],
    ['  agent:\n    enabled: true\n', /^2:3: found unknown key "agent", .*did you mean "agents"\?$/],
    ['  coder: 5\n', /^2:3: found unknown key "coder"/],
  ])('%s', async (ralph, problem) => {
    const { problems } = await readWorktree(`ralph:\n${ralph}`);
    expect(problems).toEqual([typeof problem === 'string' ? problem : expect.stringMatching(problem)]);
  });
});
