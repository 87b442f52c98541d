import { describe, expect } from 'vitest';
import { gateFiles } from '../helpers/gate-config.ts';
import { type Project, test, worktreeYaml } from '../helpers/project.ts';
import { gateHookAnswers, hookAnswers } from '../helpers/stops.ts';

const BLOCK = { decision: 'block', reason: expect.stringContaining('Error: boom') };
const FOLLOW_UP = { followup_message: expect.stringContaining('Error: boom') };
const FAILING = 'echo "Error: boom"; exit 1';

interface Row {
  readonly host: string;
  readonly event: (project: Project) => object;
  readonly env?: Readonly<Record<string, string>>;
  readonly answer: object;
}

/** One stop of the main agent each, in the words of the host. */
const ROWS: readonly Row[] = [
  {
    host: 'gemini',
    event: ({ root }) => ({
      hook_event_name: 'AfterAgent',
      session_id: 's',
      cwd: root,
      prompt_response: 'done',
    }),
    answer: BLOCK,
  },
  {
    host: 'copilot',
    event: ({ root }) => ({ sessionId: 's', timestamp: 1, cwd: root, stopReason: 'end_turn' }),
    env: { COPILOT_CLI: '1' },
    answer: BLOCK,
  },
  {
    host: 'cursor',
    event: ({ root }) => ({
      hook_event_name: 'stop',
      conversation_id: 's',
      cursor_version: '3.1',
      workspace_roots: [root],
      status: 'completed',
      loop_count: 0,
    }),
    answer: FOLLOW_UP,
  },
  {
    host: 'codex',
    event: ({ root }) => ({ hook_event_name: 'Stop', session_id: 's', turn_id: 't', cwd: root }),
    answer: BLOCK,
  },
];

describe.concurrent('a stop is guarded and answered in the form of', () => {
  test.for(ROWS)('$host', async ({ host, event, env = {}, answer }, { makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml([FAILING]) });
    expect(await hookAnswers(project, event(project), { env, cwd: project.home })).toEqual(answer);
    expect(JSON.parse(project.read('.trellis/.ralph/log.jsonl'))).toMatchObject({ host, agent: 'main' });
  });

  test.for(ROWS)('$host by ralph-gate', async ({ event, env = {}, answer }, { makeProject }) => {
    const project = makeProject(gateFiles([{ name: 'test', command: FAILING }]));
    expect(await gateHookAnswers(project, event(project), { env, cwd: project.home })).toEqual(answer);
  });
});
