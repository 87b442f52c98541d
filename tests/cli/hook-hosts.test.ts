import { describe, expect } from 'vitest';
import { gateFiles } from '../helpers/gate-config.ts';
import { gitProject } from '../helpers/git-project.ts';
import { type Project, test, worktreeYaml } from '../helpers/project.ts';
import { gateHookAnswers, hookAnswers } from '../helpers/stops.ts';

const BLOCK = { decision: 'block', reason: expect.stringContaining('Error: boom') };
const BLOCK_TWICE = { ...BLOCK, hookSpecificOutput: { hookEventName: 'Stop', ...BLOCK } };
const FOLLOW_UP = { followup_message: expect.stringContaining('Error: boom') };
const FAILING = 'echo "Error: boom"; exit 1';

interface Row {
  readonly host: string;
  readonly event: (project: Project) => object;
  readonly env?: (project: Project) => Readonly<Record<string, string>>;
  readonly answer: object;
}

/** One stop of the main agent each, in the words of the host. Each is of another session: sessions record their projects. */
const ROWS: readonly Row[] = [
  {
    host: 'gemini',
    event: ({ root }) => ({
      hook_event_name: 'AfterAgent',
      session_id: root,
      cwd: root,
      prompt_response: 'done',
    }),
    answer: BLOCK,
  },
  {
    host: 'copilot',
    event: ({ root }) => ({ sessionId: root, timestamp: 1, cwd: root, stopReason: 'end_turn' }),
    env: () => ({ COPILOT_CLI: '1' }),
    answer: BLOCK_TWICE,
  },
  {
    host: 'copilot',
    event: ({ root }) => ({ sessionId: 'vscode', timestamp: '1', cwd: root, hookEventName: 'Stop' }),
    answer: BLOCK_TWICE,
  },
  {
    host: 'goose',
    event: () => ({ event: 'Stop', session_id: 'goose' }),
    env: ({ root }) => ({ PLUGIN_ROOT: `${root}/.agents/plugins/ralph-loop` }),
    answer: BLOCK,
  },
  {
    host: 'openhands',
    event: ({ root }) => ({ event_type: 'Stop', session_id: 'openhands', working_dir: root }),
    answer: {
      decision: 'deny',
      reason: expect.stringContaining('Error: boom'),
      additionalContext: expect.stringContaining('Error: boom'),
    },
  },
  {
    host: 'cursor',
    event: ({ root }) => ({
      hook_event_name: 'stop',
      conversation_id: root,
      cursor_version: '3.1',
      workspace_roots: [root],
      status: 'completed',
      loop_count: 0,
    }),
    answer: FOLLOW_UP,
  },
  {
    host: 'kimi',
    event: ({ root }) => ({
      hook_event_name: 'Stop',
      session_id: root,
      cwd: root,
      client_type: 'kimi_code_cli',
      stop_hook_active: false,
    }),
    answer: {
      hookSpecificOutput: {
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringMatching(
          /Error: boom[\s\S]*This is the only reminder of this turn/,
        ),
      },
    },
  },
  {
    host: 'codex',
    event: ({ root }) => ({ hook_event_name: 'Stop', session_id: root, turn_id: 't', cwd: root }),
    answer: BLOCK,
  },
];

describe.concurrent('a stop is guarded and answered in the form of', () => {
  test.for(ROWS)('$host', async ({ host, event, env, answer }, { makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml([FAILING]) });
    expect(
      await hookAnswers(project, event(project), { env: env?.(project) ?? {}, cwd: project.home }),
    ).toEqual(answer);
    expect(JSON.parse(project.read('.trellis/.ralph/log.jsonl'))).toMatchObject({ host, agent: 'main' });
  });

  test.for(ROWS)('$host by ralph-gate', async ({ event, env, answer }, { makeProject }) => {
    const project = makeProject(gateFiles([{ name: 'test', command: FAILING }]));
    expect(
      await gateHookAnswers(project, event(project), { env: env?.(project) ?? {}, cwd: project.home }),
    ).toEqual(answer);
  });
});

test('at the next prompt, Kimi Code shows the result of the last stop, and a question does not excuse it', async ({
  makeProject,
}) => {
  const project = gitProject(makeProject, { 'worktree.yaml': worktreeYaml(['test -f fixed.txt']) });
  const kimi = { session_id: 's', cwd: project.root, client_type: 'kimi_code_cli' };
  const stop = { ...kimi, hook_event_name: 'Stop', stop_hook_active: false };
  const prompt = (text: string) => ({
    ...kimi,
    hook_event_name: 'UserPromptSubmit',
    prompt: [{ type: 'text', text }],
  });
  const shown = (message: string) => ({ hookSpecificOutput: { message: expect.stringContaining(message) } });
  const denied = { hookSpecificOutput: expect.objectContaining({ permissionDecision: 'deny' }) };

  expect(await hookAnswers(project, prompt('go'))).toEqual({});
  project.write({ 'new.txt': 'x' });
  expect(await hookAnswers(project, stop)).toEqual(denied);
  // Kimi Code lets the repair stop without a further call.
  expect(await hookAnswers(project, prompt('is it done?'))).toEqual(
    shown('the last stop was blocked, and nothing has verified the work since'),
  );
  expect(await hookAnswers(project, stop)).toEqual(denied);
  project.write({ 'fixed.txt': '' });
  await hookAnswers(project, prompt('and now?'));
  expect(await hookAnswers(project, stop)).toEqual({});
  expect(await hookAnswers(project, prompt('thanks'))).toEqual(shown('1 gate passed'));
});
