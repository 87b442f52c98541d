import { describe, expect, test } from 'vitest';
import { failure } from '../../../src/base/result.ts';
import { lastMessageIn, readPromptEvent, readStopEvent } from '../../../src/hosts/normalize.ts';
import { stopEvent } from '../../helpers/stop-event.ts';

/** The stop event in an input that must be one. */
function read(input: unknown, env: NodeJS.ProcessEnv = {}) {
  const event = readStopEvent(input, env);
  if (!event.ok) throw new Error(event.failure.message);
  return event.value;
}
const readSubagent = (fields: object, env?: NodeJS.ProcessEnv) =>
  read({ hook_event_name: 'SubagentStop', agent_type: 'check', ...fields }, env);

describe('readStopEvent', () => {
  test('reads the current field names', () => {
    const input = {
      hook_event_name: 'SubagentStop',
      session_id: 's',
      agent_id: 'a',
      agent_type: 'check',
      cwd: '/repo',
      last_assistant_message: 'done',
      stop_hook_active: true,
    };
    expect(read(input, { CLAUDECODE: '1' })).toEqual(
      stopEvent({ agentId: 'a', sessionId: 's', cwd: '/repo', message: 'done', continuing: true }),
    );
  });

  test('reads the older field names', () => {
    const input = {
      hook_event_name: 'SubagentStop',
      subagent_type: 'check',
      agent_output: 'done',
      prompt: 'go',
    };
    expect(read(input)).toEqual(stopEvent({ host: 'unknown', message: 'done' }));
  });

  describe('reads as the agent', () => {
    test.each([
      ['the main agent of Stop', { hook_event_name: 'Stop' }, 'main'],
      [
        'the main agent of Stop, whatever its type is',
        { hook_event_name: 'Stop', agent_type: 'check' },
        'main',
      ],
      ['the type of a subagent', { agent_type: 'check' }, 'check'],
      ['the type of a subagent, unchanged', { agent_type: ' Check ' }, ' Check '],
      ['a type that is "main"', { agent_type: 'main' }, 'main'],
      ['an empty string without a type', {}, ''],
      ['an empty type', { agent_type: '' }, ''],
      ['an empty type, not the older field', { agent_type: '', subagent_type: 'check', prompt: 'go' }, ''],
      ['an empty string for null', { agent_type: null }, ''],
      ['an empty string for a number', { agent_type: 5 }, ''],
      ['an empty string for a list', { agent_type: ['check'] }, ''],
      [
        'the current field before the older one',
        { agent_type: 'a', subagent_type: 'check', prompt: 'go' },
        'a',
      ],
      [
        'the older field if the current one is null',
        { agent_type: null, subagent_type: 'check', prompt: 'go' },
        'check',
      ],
      ['the older field without a prompt', { subagent_type: 'check' }, 'check'],
      [
        'an empty string for the older field with an empty prompt',
        { subagent_type: 'check', prompt: '' },
        '',
      ],
      ['an empty string for an older field that is a number', { subagent_type: 5, prompt: 'go' }, ''],
    ])('%s', (_, fields, agent) => {
      expect(read({ hook_event_name: 'SubagentStop', ...fields })).toMatchObject({ agent });
    });
  });

  test.each([
    [{ hook_event_name: 'SubagentStop', agent_type: 'main' }, false],
    [{ hook_event_name: 'SubagentStop', subagent_type: 'main', prompt: 'go' }, false],
    [{ hook_event_name: 'SubagentStop', agent_type: 'check' }, false],
    [{ hook_event_name: 'SubagentStop' }, false],
    [{ hook_event_name: 'Stop' }, true],
    [{ hook_event_name: 'Stop', agent_type: 'check' }, true],
  ])('detects the main agent by the event, not by its name: %j', (fields, isMain) => {
    expect(read(fields)).toMatchObject({ isMain });
  });

  test.each([
    [{ subagent_type: 'check', prompt: 'please [finish] it' }, true],
    [{ subagent_type: 'check', prompt: '[Finish]' }, true],
    [{ subagent_type: 'check', prompt: 'finish' }, false],
    [{ subagent_type: 'check', prompt: 5 }, false],
    [{ subagent_type: 'check', agent_output: '[finish]' }, false],
    [{ agent_type: 'check', prompt: '[finish]' }, false],
    [{ agent_type: 'check', last_assistant_message: '[finish]' }, false],
    [{ hook_event_name: 'Stop', subagent_type: 'check', prompt: '[finish]' }, false],
  ])("recognizes Trellis's finish phase by a prompt of the older fields: %j is %s", (fields, finishPhase) => {
    expect(read({ hook_event_name: 'SubagentStop', ...fields })).toMatchObject({ finishPhase });
  });

  test.each([null, 5, true, [], {}, ['x']])('ignores fields of another type: %j', (value) => {
    const fields = { agent_id: value, session_id: value, cwd: value, last_assistant_message: value };
    expect(
      readSubagent({ ...fields, agent_output: value, stop_hook_active: value === true ? 'true' : value }),
    ).toEqual(stopEvent({ host: 'unknown' }));
  });

  test.each([
    ['\0', undefined],
    ['/repo\0/x', undefined],
    ['', ''],
    ['relative', 'relative'],
    ['/with blank/é', '/with blank/é'],
  ])('ignores a directory that file functions reject: %j', (cwd, expected) => {
    expect(readSubagent({ cwd })).toMatchObject({ cwd: expected });
  });

  test.each([
    [4095, true],
    [4096, false],
    [1_000_000, false],
  ])('ignores a directory longer than PATH_MAX: %d characters', (length, isUsed) => {
    const cwd = '/'.padEnd(length, 'x');
    expect(readSubagent({ cwd })).toMatchObject({ cwd: isUsed ? cwd : undefined });
  });

  test.each([
    [{ last_assistant_message: '', agent_output: 'old' }, ''],
    [{ last_assistant_message: null, agent_output: 'old' }, 'old'],
    [{ agent_output: 'old' }, 'old'],
  ])('takes the last message of %j to be %j', (fields, message) => {
    expect(readSubagent(fields)).toMatchObject({ message });
  });

  test.each([
    [null, 'stdin is not a JSON object'],
    [[], 'stdin is not a JSON object'],
    [5, 'stdin is not a JSON object'],
    ['Stop', 'stdin is not a JSON object'],
    [undefined, 'stdin is not a JSON object'],
    [{}, 'the event has no name'],
    [{ hook_event_name: null }, 'the event has no name'],
    [{ hook_event_name: ['Stop'] }, 'the event has no name'],
    [{ hook_event_name: 'subagentstop' }, 'the event "subagentstop" is not a stop'],
    [{ hook_event_name: 'SubagentStop ' }, 'the event "SubagentStop " is not a stop'],
    [{ hook_event_name: 'PreToolUse' }, 'the event "PreToolUse" is not a stop'],
    [{ hook_event_name: 'BeforeAgent' }, 'the event "BeforeAgent" is not a stop'],
    [{ hook_event_name: 'a "b"\n' }, 'the event "a \\"b\\"\\n" is not a stop'],
    [{ hook_event_name: 'x'.repeat(500) }, `the event "${'x'.repeat(60)}" is not a stop`],
  ])('fails for %j: %s', (input, message) => {
    expect(readStopEvent(input, {})).toEqual(failure(message));
  });

  describe('a main agent waits for', () => {
    const AGENT = { id: 'a', type: 'subagent', agent_type: 'check', status: 'running' };
    const QWEN_AGENT = { id: 'general-purpose-call_1', agent_type: 'general-purpose', status: 'running' };
    const SHELL = { id: 's', type: 'shell', command: 'npm test', status: 'running' };
    const CRON = { id: 'c', schedule: '10 9 * * *', recurring: false, prompt: 'go on' };
    const CLAUDE = { CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli' };
    const QWEN = { QWEN_PROJECT_DIR: '/repo' };
    const agents = (n: number) => ({ agents: n, others: [] });
    const others = (...tasks: readonly (readonly [kind: string, id: string])[]) => ({
      agents: 0,
      others: tasks.map(([kind, id]) => ({ kind, id })),
    });
    const waiting = (fields: object, env: NodeJS.ProcessEnv) =>
      read({ hook_event_name: 'Stop', session_id: 's', timestamp: 'now', ...fields }, env).background;

    test.each<[string, unknown, object | undefined]>([
      ['a running agent', [AGENT], agents(1)],
      ["a running agent with Qwen's fields", [QWEN_AGENT], agents(1)],
      ['a running workflow', [{ id: 'w', type: 'workflow', status: 'running' }], agents(1)],
      ['a pending agent', [{ ...AGENT, status: 'pending' }], agents(1)],
      ['two agents and a shell', [AGENT, SHELL, QWEN_AGENT], { ...others(['shell', 'shell s']), agents: 2 }],
      ['a shell', [SHELL], others(['shell', 'shell s'])],
      ['a pending shell', [{ ...SHELL, status: 'pending' }], others(['shell', 'shell s'])],
      ['a shell without a command', [{ ...SHELL, command: 5 }], others(['shell', 'shell s'])],
      ['a monitor', [{ ...SHELL, type: 'monitor' }], others(['task', 'monitor s'])],
      ['a task of an unknown type', [{ ...AGENT, type: 'teammate' }], others(['task', 'teammate a'])],
      ...['completed', 'failed', 'cancelled', 'killed', undefined, 1].map(
        (status): [string, unknown, undefined] => [
          `nothing that is ${status}`,
          [AGENT, SHELL].map((task) => ({ ...task, status })),
          undefined,
        ],
      ),
      [
        'no shell without an id',
        [
          { ...SHELL, id: undefined },
          { ...SHELL, id: '' },
          { ...SHELL, id: 5 },
        ],
        undefined,
      ],
      ['no shell with an endless id', [{ ...SHELL, id: 'x'.repeat(1e6) }], undefined],
      ['nothing in an empty list', [], undefined],
      ['nothing in an object', AGENT, undefined],
      ['nothing in other values', [null, 5, 'x', [], {}, { length: 1e9 }], undefined],
      [
        'a hundred tasks of very many',
        Array.from({ length: 1e5 }, (_, n) => ({ ...SHELL, id: String(n) })),
        { agents: 0, others: expect.objectContaining({ length: 100 }) },
      ],
    ])('%s', (_, tasks, background) => {
      expect(waiting({ background_tasks: tasks }, CLAUDE)).toEqual(background);
    });

    test.each<[string, object, NodeJS.ProcessEnv, object | undefined]>([
      ['a wake-up of Claude Code', { session_crons: [CRON] }, CLAUDE, others(['wake-up', 'wake-up c'])],
      ['a wake-up of Qwen Code', { crons: [CRON] }, QWEN, others(['wake-up', 'wake-up c'])],
      ['no wake-up that repeats', { session_crons: [{ ...CRON, recurring: true }] }, CLAUDE, undefined],
      ['no wake-ups that are no list', { session_crons: CRON, background_tasks: null }, CLAUDE, undefined],
      [
        'no shell and no wake-up of Claude Code without a terminal, which ends them',
        { background_tasks: [SHELL], session_crons: [CRON] },
        { ...CLAUDE, CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' },
        undefined,
      ],
      ['no shell of an unknown host', { background_tasks: [SHELL] }, {}, undefined],
      ['an agent of an unknown host', { background_tasks: [AGENT] }, {}, agents(1)],
    ])('%s', (_, fields, env, background) => {
      expect(waiting(fields, env)).toEqual(background);
    });

    test.each([
      'npm run dev',
      'pnpm --filter web dev',
      'yarn start',
      'npx vite',
      'npx next dev -p 3000',
      'python3 -m http.server 8000',
      './node_modules/.bin/webpack serve',
      'redis-server --port 7777',
      'bin/rails server',
      'php artisan serve',
      'npm test -- --watch',
      'tsc -w',
      'cargo watch -x test',
      'tail -n 5 -F log.txt',
      'docker compose -f dev.yml up',
      'kubectl port-forward svc/db 5432',
      'cd web && npm run start:server',
      'sleep infinity',
      'while true; do make; sleep 1; done',
    ])('no server or watcher: %s', (command) => {
      expect(waiting({ background_tasks: [{ ...SHELL, command }] }, CLAUDE)).toBeUndefined();
    });

    test.each([
      'npm test',
      'npx vitest run',
      'npx vite build',
      'make -j4 all',
      'cargo build --release --features server-side',
      'node scripts/start-tests.mjs',
      'git push origin develop',
      'sleep 300; cat result.txt',
      'gh run list --workflow ci',
    ])('a command that ends: %s', (command) => {
      expect(waiting({ background_tasks: [{ ...SHELL, command }] }, CLAUDE)).toMatchObject({ agents: 0 });
    });

    test('nothing at the stop of a subagent', () => {
      expect(readSubagent({ background_tasks: [AGENT, SHELL] }, CLAUDE).background).toBeUndefined();
    });
  });

  test('does not check an agent that a gate started, whose stop would start the gate again', () => {
    expect(read({ hook_event_name: 'Stop' }, { RALPH_LOOP: '1' })).toMatchObject({
      skipReason: 'a gate started the agent',
    });
  });
});

describe('the events of Cursor, as its documentation describes them:', () => {
  const CURSOR = {
    conversation_id: 'c',
    generation_id: 'g',
    hook_event_name: 'stop',
    cursor_version: '3.1',
    workspace_roots: ['/repo', '/other'],
    status: 'completed',
    loop_count: 0,
  };

  test('a stop of the main agent has the session, the directory and whether a hook continued it', () => {
    expect(read(CURSOR)).toMatchObject({
      host: 'cursor',
      isMain: true,
      sessionId: 'c',
      cwd: '/repo',
      continuing: false,
    });
    expect(read({ ...CURSOR, loop_count: 2 })).toMatchObject({ continuing: true });
  });

  test('a stop of a subagent has its type and its summary', () => {
    const event = { ...CURSOR, hook_event_name: 'subagentStop', subagent_type: 'check', summary: 'done' };
    expect(read(event)).toMatchObject({ isMain: false, agent: 'check', message: 'done' });
  });

  test.each(['aborted', 'error'])('a turn that was %s is not checked', (status) => {
    expect(read({ ...CURSOR, status })).toMatchObject({ skipReason: `the turn was ${status}` });
  });

  test("a stop through Claude Code's hooks is Cursor's", () => {
    const event = { hook_event_name: 'Stop', session_id: 's', cwd: '/repo', cursor_version: '3.1' };
    expect(read(event, { CLAUDECODE: '1' })).toMatchObject({ host: 'cursor', sessionId: 's' });
  });
});

describe("the project's directories are read from", () => {
  const STOP = { hook_event_name: 'Stop' };
  const CURSOR = { hook_event_name: 'stop', cursor_version: '3.1' };
  const rows: [string, object, NodeJS.ProcessEnv, string[]][] = [
    ['the variable of Claude Code', STOP, { CLAUDECODE: '1', CLAUDE_PROJECT_DIR: '/r' }, ['/r']],
    [
      'the variable of the host before that of Claude Code',
      { ...STOP, hook_event_name: 'AfterAgent' },
      { GEMINI_PROJECT_DIR: '/g', CLAUDE_PROJECT_DIR: '/outer' },
      ['/g', '/outer'],
    ],
    ['any variable for an unknown host', STOP, { QWEN_PROJECT_DIR: '/r' }, ['/r']],
    ['no variable of another host', { ...STOP, turn_id: 't' }, { CLAUDE_PROJECT_DIR: '/outer' }, []],
    ['all roots of a workspace', { ...CURSOR, workspace_roots: ['/a', '/b'] }, {}, ['/a', '/b']],
    ['roots that are paths', { ...CURSOR, workspace_roots: [7, null, 'b', '/b\0', '/b'] }, {}, ['/b']],
    ['a root that is no list', { ...CURSOR, workspace_roots: '/a' }, { CURSOR_PROJECT_DIR: '/r' }, ['/r']],
    ['a variable with a blank and a slash', STOP, { CLAUDE_PROJECT_DIR: '/a b/' }, ['/a b/']],
    ['no variable that is empty', STOP, { CLAUDE_PROJECT_DIR: '' }, []],
    ['no variable that is relative', STOP, { CLAUDE_PROJECT_DIR: './r', COPILOT_PROJECT_DIR: '.' }, []],
    ['no variable that begins with a blank', STOP, { CLAUDE_PROJECT_DIR: ' /r' }, []],
    ['no variable that is too long', STOP, { CLAUDE_PROJECT_DIR: `/${'r'.repeat(5000)}` }, []],
  ];
  test.each(rows)('%s', (_, event, env, projectDirectories) => {
    expect(read(event, env)).toMatchObject({ projectDirectories });
  });
});

describe('the camelCase events of Copilot', () => {
  const event = { sessionId: 's', cwd: '/repo', stopReason: 'end_turn', agentId: 'a' };

  test("are not checked if they repeat a subagent's own event", () => {
    expect(read(event)).toMatchObject({ skipReason: 'a subagent stopped, which its own event reports too' });
  });

  test('are stops of a subagent if they name it', () => {
    expect(read({ ...event, agentName: 'check', lastAssistantMessage: 'done' })).toMatchObject({
      host: 'copilot',
      isMain: false,
      agent: 'check',
      agentId: 'a',
      message: 'done',
    });
  });
});

describe('the events of VS Code, as its documentation describes them:', () => {
  const COMMON = {
    timestamp: '2026-02-09T10:30:00.000Z',
    cwd: '/repo',
    sessionId: 's',
    transcript_path: '/t.json',
  };
  const stop = { ...COMMON, hookEventName: 'Stop', stop_hook_active: true };

  test.each([undefined, 'copilot'] as const)('a stop of the main agent, with --host %s', (host) => {
    expect(readStopEvent(stop, {}, host)).toMatchObject({
      value: {
        host: 'copilot',
        isMain: true,
        sessionId: 's',
        cwd: '/repo',
        continuing: true,
        skipReason: undefined,
      },
    });
  });

  test('a stop of a subagent', () => {
    const event = { ...stop, hookEventName: 'SubagentStop', agent_id: 'a', agent_type: 'Plan' };
    expect(read(event)).toMatchObject({ host: 'copilot', isMain: false, agent: 'Plan', agentId: 'a' });
  });

  test('a prompt is no stop', () => {
    const event = { ...COMMON, hookEventName: 'UserPromptSubmit', prompt: 'go' };
    expect(readPromptEvent(event, {}, 'copilot')).toMatchObject({
      name: 'UserPromptSubmit',
      prompt: 'go',
      sessionId: 's',
    });
    expect(readStopEvent(event, {}, 'copilot').ok).toBe(false);
  });

  test.each(['PreToolUse', 'SessionStart', 'PreCompact', 'SubagentStart'])(
    '%s is no stop',
    (hookEventName) => {
      expect(readStopEvent({ ...COMMON, hookEventName }, {}, 'copilot').ok).toBe(false);
    },
  );
});

describe('the events of hosts that were not driven, as their documentation describes them:', () => {
  const DEVIN = { session_id: 's', prompt_id: 'p' };
  const DEVIN_ENV = { DEVIN_PROJECT_DIR: '/repo' };
  const OPENHANDS = { session_id: 's', working_dir: '/repo' };
  const GOOSE_ENV = { PLUGIN_ROOT: '/repo/.agents/plugins/ralph-loop' };

  test.each<[string, object, NodeJS.ProcessEnv, object]>([
    [
      'Devin, which sends no directory',
      { ...DEVIN, hook_event_name: 'Stop', stop_hook_active: true },
      DEVIN_ENV,
      {
        host: 'devin',
        isMain: true,
        sessionId: 's',
        cwd: undefined,
        projectDirectories: ['/repo'],
        continuing: true,
      },
    ],
    [
      'OpenHands',
      { ...OPENHANDS, event_type: 'Stop' },
      { OPENHANDS_PROJECT_DIR: '/repo' },
      { host: 'openhands', isMain: true, sessionId: 's', cwd: '/repo', projectDirectories: ['/repo'] },
    ],
    [
      'Goose, which sends no directory',
      { event: 'Stop', session_id: 's', matcher_context: null, last_assistant_message: 'Done.' },
      GOOSE_ENV,
      {
        host: 'goose',
        isMain: true,
        sessionId: 's',
        cwd: undefined,
        projectDirectories: ['/repo'],
        message: 'Done.',
      },
    ],
  ])('a stop of %s', (_, event, env, expected) => {
    expect(read(event, env)).toMatchObject(expected);
  });

  test.each<[string, object, NodeJS.ProcessEnv, object]>([
    ['Devin', { ...DEVIN, hook_event_name: 'UserPromptSubmit', prompt: 'go' }, DEVIN_ENV, { host: 'devin' }],
    ['OpenHands', { ...OPENHANDS, event_type: 'UserPromptSubmit', message: 'go' }, {}, { host: 'openhands' }],
    [
      'Goose',
      { event: 'UserPromptSubmit', session_id: 's', matcher_context: 'go', message: 'go' },
      GOOSE_ENV,
      { host: 'goose' },
    ],
  ])('a prompt of %s', (_, event, env, expected) => {
    expect(readPromptEvent(event, env)).toMatchObject({
      name: 'UserPromptSubmit',
      prompt: 'go',
      ...expected,
    });
    expect(readStopEvent(event, env).ok).toBe(false);
  });

  test('a hook of Claude Code that Devin started is that of Claude Code', () => {
    const event = { ...DEVIN, hook_event_name: 'Stop' };
    const env = { ...DEVIN_ENV, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's' };
    expect(read(event, env)).toMatchObject({ host: 'claude-code' });
  });
});

describe('readPromptEvent', () => {
  const prompt = 'go';

  test.each([
    ['UserPromptSubmit', { session_id: 's', cwd: '/repo' }, 'unknown'],
    ['BeforeAgent', { session_id: 's', cwd: '/repo' }, 'gemini'],
    ['beforeSubmitPrompt', { conversation_id: 's', workspace_roots: ['/repo'] }, 'cursor'],
    ['UserPromptSubmit', { conversation_id: 's', workspace_roots: ['/repo'] }, 'cursor'],
  ])('reads %s with %j', (name, fields, host) => {
    const input = { hook_event_name: name, prompt, ...fields };
    const projectDirectories = host === 'cursor' ? ['/repo'] : [];
    expect(readPromptEvent(input, {})).toEqual({
      host,
      name,
      prompt,
      byPerson: true,
      sessionId: 's',
      cwd: '/repo',
      projectDirectories,
    });
  });

  test.each([
    ['fix it', true],
    ['<b>fix</b> it', true],
    ['why does <div> fail?', true],
    ['<task-notification>\n<status>completed</status>\n</task-notification>\n', false],
    ['<system-reminder>x</system-reminder>', false],
    ['', false],
    [' \n', false],
  ])('finds out whether a person typed %j', (typed, byPerson) => {
    const input = { hook_event_name: 'UserPromptSubmit', prompt: typed };
    expect(readPromptEvent(input, {})).toMatchObject({ byPerson });
  });

  test('takes the host from the command line', () => {
    const input = { hook_event_name: 'UserPromptSubmit', prompt };
    expect(readPromptEvent(input, {}, 'qwen')).toEqual({
      host: 'qwen',
      name: 'UserPromptSubmit',
      prompt,
      byPerson: true,
      sessionId: undefined,
      cwd: undefined,
      projectDirectories: [],
    });
  });

  test.each([
    null,
    [],
    'UserPromptSubmit',
    {},
    { hook_event_name: 'Stop', prompt },
    { hook_event_name: 'UserPromptSubmit' },
    { hook_event_name: 'UserPromptSubmit', prompt: 5 },
    { hook_event_name: ['UserPromptSubmit'], prompt },
  ])('returns undefined for %j', (input) => {
    expect(readPromptEvent(input, {})).toBeUndefined();
  });
});

describe('lastMessageIn', () => {
  const lines = (...entries: readonly (object | string)[]) =>
    entries.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry))).join('\n');
  const text = (words: string) => ({ type: 'text', text: words });

  test.each([
    [
      'Claude Code',
      lines(
        { type: 'assistant', message: { role: 'assistant', content: [text('first')] } },
        { type: 'user', message: { role: 'user', content: 'assistant' } },
        { type: 'assistant', message: { role: 'assistant', content: [text('last'), text('words')] } },
      ),
      'last\nwords',
    ],
    ['Droid', lines({ type: 'message', message: { role: 'assistant', content: [text('last')] } }), 'last'],
    ['Copilot', lines({ type: 'assistant.message', data: { messageId: 'm', content: 'last' } }), 'last'],
    [
      'Codex',
      lines({
        type: 'response_item',
        payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'last' }] },
      }),
      'last',
    ],
    ['Gemini', lines({ type: 'gemini', content: 'last' }), 'last'],
    ['Qwen', lines({ type: 'assistant', message: { role: 'model', parts: [{ text: 'last' }] } }), 'last'],
    ['a host that writes the message alone', lines({ role: 'assistant', content: 'last' }), 'last'],
  ])('reads the transcript of %s', (_, tail, message) => {
    expect(lastMessageIn(tail)).toBe(message);
  });

  const last = { type: 'assistant', message: { role: 'assistant', content: [text('last')] } };
  const toolUse = { type: 'tool_use', input: {} };
  test.each([
    ['a tool call', lines(last, { message: { role: 'assistant', content: [toolUse] } })],
    ['a thought', lines(last, { role: 'model', parts: [{ text: 'hm', thought: true }] })],
    ['a message of the user', lines(last, { message: { role: 'user', content: [text('no')] } })],
    ['an incomplete line', lines(last, '{"type":"assistant","message":{"role":"assist')],
    ['a blank line', `${lines(last)}\n\n`],
  ])('finds the last message before %s', (_, tail) => {
    expect(lastMessageIn(tail)).toBe('last');
  });

  test('ignores an incomplete first line', () => {
    expect(lastMessageIn(lines('nt":[{"type":"text","text":"x"}]},"type":"assistant"}', last))).toBe('last');
  });

  test.each([
    ['no message of an agent', lines({ type: 'user', message: { role: 'user', content: 'assistant' } })],
    ['blank messages', lines({ role: 'assistant', content: ' ' }, { role: 'assistant', content: [] })],
    ['lines that are not objects', lines('"assistant"', '["assistant"]', 'null', 'assistant')],
    ['no lines', ''],
  ])('returns an empty string for %s', (_, tail) => {
    expect(lastMessageIn(tail)).toBe('');
  });
});
