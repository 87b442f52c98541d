import { describe, expect } from 'vitest';
import { type Project, test, worktreeYaml } from '../../helpers/project.ts';
import { checkStops, gateHookAnswers, hookAnswers, logOf, mainStops } from '../../helpers/stops.ts';

const CLAUDE_CODE = { CLAUDECODE: '1', AI_AGENT: 'claude-code_2-1-330_harness' };
const CONTEXT = 'answer: context';

const configOf = (...settings: string[]) => ({
  'worktree.yaml': worktreeYaml(
    ['false'],
    ['ralph:', '  when: always', ...settings.map((line) => `  ${line}`)].join('\n'),
  ),
});
const answers = (project: Project, event: object, args: readonly string[] = []) =>
  hookAnswers(project, event, { args, env: CLAUDE_CODE });
/** The answers that the log has, and which of them were context. */
const logged = (project: Project) => logOf(project).map(({ answer, why, as }) => [answer, why, as]);

describe('with `answer: context`, Claude Code gets', () => {
  test('the reason as context, for the main agent and for a subagent', async ({ makeProject }) => {
    const project = makeProject(configOf(CONTEXT));
    for (const event of [mainStops(project), checkStops(project)])
      expect(await answers(project, event)).toEqual({
        hookSpecificOutput: {
          hookEventName: event.hook_event_name,
          additionalContext: expect.stringMatching(
            /^Iteration 1\/5\. Verification failed:\nCommand failed: false\n/,
          ),
        },
      });
    expect(logged(project)).toEqual(Array(2).fill(['block', 'gates-failed', 'context']));
  });

  test('the errors of a broken config as context', async ({ makeProject }) => {
    const project = makeProject(configOf(CONTEXT, 'jobs: none'));
    expect(await answers(project, mainStops(project))).toMatchObject({
      hookSpecificOutput: { additionalContext: expect.stringContaining('"jobs"') },
    });
    expect(logged(project)).toEqual([['block', 'config-broken', 'context']]);
  });

  test('as many of them as blocks, and then the message about the limit', async ({ makeProject }) => {
    const project = makeProject(configOf(CONTEXT, 'max_iterations: 2'));
    await answers(project, mainStops(project));
    const last = await answers(project, mainStops(project));
    expect(last).toEqual({ systemMessage: expect.stringMatching(/`false` still fails/) });
    expect(logged(project)).toEqual([
      ['block', 'gates-failed', 'context'],
      ['allow', 'cap-reached', undefined],
    ]);
  });

  test('the failure of typed gates as context, where the config guards another agent', async ({
    makeProject,
  }) => {
    const project = makeProject(configOf(CONTEXT, 'agents: [check]'));
    const prompt = 'fix it :: verify:"exit 3"';
    await answers(project, mainStops(project, { hook_event_name: 'UserPromptSubmit', prompt }));
    expect(await answers(project, mainStops(project))).toEqual({
      hookSpecificOutput: {
        hookEventName: 'Stop',
        additionalContext: expect.stringContaining('Command failed: exit 3'),
      },
    });
    expect(logged(project).at(-1)).toEqual(['block', 'gates-failed', 'context']);
  });
});

describe('a stop is answered with a block', () => {
  const block = { decision: 'block', reason: expect.any(String) };

  test.for([
    ['without the setting', [], CLAUDE_CODE],
    ['with `answer: block`', ['answer: block'], CLAUDE_CODE],
    ['with another value, which is an error', ['answer: contxt'], CLAUDE_CODE],
    ['in an unknown version of Claude Code', [CONTEXT], { CLAUDECODE: '1' }],
    ['in an unknown host', [CONTEXT], { AI_AGENT: CLAUDE_CODE.AI_AGENT }],
  ] as const)('%s', async ([, settings, env], { makeProject }) => {
    const project = makeProject(configOf(...settings));
    expect(await hookAnswers(project, mainStops(project), { env })).toEqual(block);
    expect(logOf(project)[0]).not.toHaveProperty('as');
  });

  test('in the form of the Python hook', async ({ makeProject }) => {
    const project = makeProject(configOf(CONTEXT));
    expect(await answers(project, mainStops(project), ['--format', 'trellis'])).toEqual(block);
    expect(logOf(project)[0]).not.toHaveProperty('as');
  });

  test('in the hook of Ralph Gate', async ({ makeProject }) => {
    const gates = { gates: [{ name: 'a', command: 'false' }] };
    const project = makeProject({ ...configOf(CONTEXT), 'gate.config.json': JSON.stringify(gates) });
    expect(await gateHookAnswers(project, mainStops(project), { env: CLAUDE_CODE })).toMatchObject(block);
    expect(logOf(project)[0]).not.toHaveProperty('as');
  });
});
