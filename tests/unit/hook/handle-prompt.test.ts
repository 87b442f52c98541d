import { describe, expect } from 'vitest';
import { test } from '../../helpers/project.ts';
import { hookAnswers, logOf } from '../../helpers/stops.ts';
import { CLAUDE_CODE, chains, stops, typed, types } from '../../helpers/typed-gates.ts';

const OFF = { 'worktree.yaml': 'verify: [ "true" ]\nralph:\n  typed_gates: false\n' };

describe('the person reads in the answer to a prompt', () => {
  test('which commands will run, of all steps', async ({ makeProject }) => {
    const prompt = 'a :: verify:"npm test" max:3 --> b :: verify:"make lint" :fast :: "reads well to all"';
    expect(await typed(makeProject(), prompt)).toMatchObject({
      systemMessage:
        'ralph-loop will run: `npm test` (3 attempts), `make lint` (1 attempt); and ask for a review by 1 criterion.',
      context: expect.stringContaining('`npm test`'),
    });
  });

  test('that a command with loop:false runs once', async ({ makeProject }) => {
    const { systemMessage } = await typed(makeProject(), 'x :: verify:"npm test" loop:false');
    expect(systemMessage).toBe('ralph-loop will run: `npm test` (once).');
  });

  test('which gates are not run, beside those that are', async ({ makeProject }) => {
    const { systemMessage } = await typed(makeProject(), 'read this:\n> :: verify:"no"\n:: verify:"yes"');
    expect(systemMessage).toBe(
      'ralph-loop will run: `yes` (5 attempts). Not run, because it is in quoted text, code or a tag, or no blank is before its "::": the gate in line 2.',
    );
  });

  test('which gates are not run, where none is', async ({ makeProject }) => {
    const project = makeProject();
    const prompt = 'read this:\n> :: verify:"a"\n> :: verify:"b"\nand std::verify:"c"';
    expect(await typed(project, prompt)).toEqual({
      systemMessage:
        'ralph-loop runs nothing of this prompt. Not run, because they are in quoted text, code or a tag, or no blank is before their "::": the gates in lines 2, 3, 4.',
      context: undefined,
    });
    expect(chains(project)).toEqual([]);
  });

  test('no secret', async ({ makeProject }) => {
    const env = { ...CLAUDE_CODE.env, API_TOKEN: 'abcd1234efgh5678' };
    const { systemMessage } = await typed(makeProject(), 'x :: verify:"echo abcd1234efgh5678"', { env });
    expect(systemMessage).toContain('`echo ***` (5 attempts)');
  });
});

test.for([
  ['claude-code', true, true],
  ['codex', true, true],
  ['gemini', true, true],
  ['qwen', true, true],
  ['copilot', false, false],
  ['droid', false, false],
  ['cursor', false, false],
  ['unknown', false, false],
] as const)(
  'the answer to a prompt has only keys that %s accepts',
  async ([host, hasContext, hasMessage], { makeProject }) => {
    const project = makeProject();
    const answer = await hookAnswers(project, types(project, 'x :: verify:"a"'), { args: ['--host', host] });
    const expected = [
      ...(hasContext ? ['hookSpecificOutput'] : []),
      ...(hasMessage ? ['systemMessage'] : []),
    ];
    expect(Object.keys(answer)).toEqual(expected);
  },
);

describe('with typed_gates: false', () => {
  test('a gate is text, and the person reads why', async ({ makeProject }) => {
    const project = makeProject(OFF);
    expect(await typed(project, 'x :: verify:"exit 1"')).toEqual({
      systemMessage:
        'ralph-loop runs nothing of this prompt: gates in prompts are off ("ralph: typed_gates: false" in the worktree.yaml).',
      context: undefined,
    });
    expect(logOf(project).map(({ why }) => why)).toEqual(['gates refused: typed gates are off']);
    expect(await stops(project)).toMatchObject({ systemMessage: expect.stringContaining('1 gate passed') });
  });

  test.for(['x :: verify:"npm', ':: gate_action:abort'])(
    '%j is text too',
    async (prompt, { makeProject }) => {
      expect(await typed(makeProject(OFF), prompt)).toMatchObject({
        systemMessage: expect.stringContaining('gates in prompts are off'),
      });
    },
  );

  test('a prompt without gates has no answer', async ({ makeProject }) => {
    expect(await typed(makeProject(OFF), 'a :: Int -> Int')).toEqual({ context: undefined });
  });
});
