import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { test } from '../helpers/project.ts';
import { hookAnswers, logOf, mainStops } from '../helpers/stops.ts';
import { CLAUDE_CODE, chains, readChain, stops, typed } from '../helpers/typed-gates.ts';

describe.concurrent('the agent is told', () => {
  test('the text of a template, which the person did not type', async ({ makeProject }) => {
    const project = makeProject({ '.claude/commands/fix.md': 'Repair $ARGUMENTS, and add a test.\n' });
    const { context } = await typed(project, '>>fix the login :: verify:"false"');
    expect(context).toMatch(/^Repair the login, and add a test\.\n\nralph-loop verifies/);
  });

  test('not again what the person did type', async ({ makeProject }) => {
    const { context } = await typed(makeProject(), 'repair the login :: verify:"false"');
    expect(context).toMatch(/^ralph-loop verifies/);
  });

  test('its next step, where a person has skipped one in a terminal', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, 'one :: verify:"false" max:1 --> write the docs :: verify:"false"');
    await stops(project);
    await ralphLoop(project, ['gate', 'skip']);
    expect(await stops(project)).toMatchObject({
      decision: 'block',
      reason: expect.stringMatching(/counts as unverified[\s\S]*Step 2 of 2:\nwrite the docs\n/),
    });
    // Told once, nothing was counted.
    expect((await stops(project)).reason).toMatch(/^Iteration 1\/5\./);
  });
});

describe.concurrent('a chain that nobody has touched for a day', () => {
  const expire = (project: Parameters<typeof readChain>[0]) =>
    project.write({
      [`.trellis/.ralph/${chains(project)[0]}`]: JSON.stringify({
        ...readChain(project),
        updated_at: new Date(Date.now() - 25 * 3_600_000).toISOString(),
      }),
    });

  test('is reported once, in its own session', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, 'x :: verify:"false"');
    expire(project);
    const { systemMessage, decision } = await stops(project);
    expect(decision).toBeUndefined();
    expect(systemMessage).toMatch(/^ralph-loop: typed gates expired, without activity since .*: `false`\./);
    expect(logOf(project).at(-1)).toMatchObject({ why: 'expired' });
    expect(await stops(project)).toEqual({});
  });

  test('is a note in the log, where another session stops', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, 'x :: verify:"false"');
    expire(project);
    expect(await hookAnswers(project, mainStops(project, { session_id: 'another' }), CLAUDE_CODE)).toEqual(
      {},
    );
    expect(logOf(project).at(-1)?.notes).toEqual([expect.stringMatching(/^chain \S+ has expired/)]);
  });
});
