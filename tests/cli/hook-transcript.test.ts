import { execFileSync } from 'node:child_process';
import { describe, expect } from 'vitest';
import { BIN } from '../helpers/bin.ts';
import { type Project, test } from '../helpers/project.ts';
import { hookAnswers, logOf, mainStops, sessionOf } from '../helpers/stops.ts';

/** Judged by markers alone: `ALL_CHECKS_FINISH`. */
const BY_MARKERS = {
  '.trellis/.current-task': 'tasks/demo\n',
  '.trellis/worktree.yaml': 'ralph:\n  agents: [main]\n',
};
const says = (text: string) => `${JSON.stringify({ role: 'assistant', content: text })}\n`;
const prints = (text: string) => `${JSON.stringify({ role: 'tool', content: text })}\n`;

/** A stop whose event has no last message, as Copilot's and Droid's. */
const stops = (project: Project, more = {}) =>
  mainStops(project, {
    last_assistant_message: undefined,
    transcript_path: project.path('transcript.jsonl'),
    ...more,
  });

describe.concurrent('the last message is read from the transcript', () => {
  test.for([
    ['is there', says('ALL_CHECKS_FINISH'), undefined],
    ['is followed by what a tool printed', says('ALL_CHECKS_FINISH') + prints('x'), undefined],
    ['is the end of 20 MB', prints('x'.repeat(20_000_000)) + says('ALL_CHECKS_FINISH'), undefined],
    ['was said before, and not last', says('ALL_CHECKS_FINISH') + says('done'), 'block'],
    ['was printed by a tool', says('done') + prints('ALL_CHECKS_FINISH'), 'block'],
    ['lies too far back', says('ALL_CHECKS_FINISH') + prints('x'.repeat(1_000_000)), 'block'],
  ] as const)('when it %s', async ([, transcript, decision], { makeProject }) => {
    const project = makeProject({ ...BY_MARKERS, 'transcript.jsonl': transcript });
    expect((await hookAnswers(project, stops(project))).decision).toBe(decision);
  });

  test("when the event has all messages of the turn, as Gemini's has", async ({ makeProject }) => {
    const said = 'ALL_CHECKS_FINISH\ndone';
    const event = (project: Project, more = {}) =>
      stops(project, { hook_event_name: 'AfterAgent', prompt_response: said, ...more });
    const project = makeProject({
      ...BY_MARKERS,
      'transcript.jsonl': `{"type":"gemini","content":"ALL_CHECKS_FINISH"}\n{"type":"gemini","content":"done"}\n`,
    });
    expect((await hookAnswers(project, event(project))).decision).toBe('block');
    // If it cannot be read, the message of the event is used.
    const unread = event(project, { transcript_path: project.path('missing') });
    expect((await hookAnswers(project, unread)).decision).toBeUndefined();
  });

  test('unless the event has it', async ({ makeProject }) => {
    const project = makeProject({ ...BY_MARKERS, 'transcript.jsonl': says('ALL_CHECKS_FINISH') });
    const event = stops(project, { last_assistant_message: 'done' });
    expect((await hookAnswers(project, event)).decision).toBe('block');
  });

  test.for(['.', 'pipe', 'missing'])(
    'and is empty when the transcript is %s',
    async (path, { makeProject }) => {
      const project = makeProject(BY_MARKERS);
      execFileSync('mkfifo', [project.path('pipe')]);
      const event = stops(project, { transcript_path: project.path(path) });
      expect((await hookAnswers(project, event)).decision).toBe('block');
    },
  );
});

test('a stop with a skip reason runs no gate, and the log has the reason', async ({ makeProject }) => {
  const project = makeProject({ 'worktree.yaml': 'verify:\n  - "false"\n' });
  const waiting = { background_tasks: [{ type: 'subagent', status: 'running' }] };
  expect(await hookAnswers(project, mainStops(project, waiting))).toEqual({});
  expect(logOf(project)).toMatchObject([
    { session: sessionOf(project), answer: 'ignore', why: 'the agent waits for 1 background agent' },
  ]);
  expect((await hookAnswers(project, mainStops(project))).decision).toBe('block');
});

test('an agent that a gate has started does not run the gates', async ({ makeProject }) => {
  const hook =
    'printf \'{"hook_event_name":"Stop","cwd":"%s"}\' "$PWD" | node "$BIN" hook > inner.txt; exit 1';
  const project = makeProject({ 'worktree.yaml': `verify:\n  - ${JSON.stringify(hook)}\n` });

  expect((await hookAnswers(project, mainStops(project), { env: { BIN } })).decision).toBe('block');
  expect(project.read('inner.txt')).toBe('');
  expect(logOf(project).map(({ answer, why }) => [answer, why])).toEqual([
    ['ignore', 'a gate started the agent'],
    ['block', 'gates-failed'],
  ]);
});
