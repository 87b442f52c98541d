import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { success } from '../../../src/base/result.ts';
import { opencode } from '../../../src/hosts/opencode.ts';
import { LAUNCHER } from '../../../src/process/own-command.ts';
import { planHooks } from '../../../src/setup/plan-hooks.ts';
import { type MakeProject, test } from '../../helpers/project.ts';

/** Appends each event to `events`, and gives the next of the answers. */
const SCRIPTED = `
const fs = require('fs');
const event = fs.readFileSync(0, 'utf8');
fs.appendFileSync('events', event + '\\n');
const answers = JSON.parse(fs.readFileSync('answers', 'utf8'));
process.stdout.write(JSON.stringify(answers[fs.readFileSync('events', 'utf8').trim().split('\\n').length - 1] ?? {}));
`;
const BLOCK = { decision: 'block', reason: 'Iteration 1/5. Verification failed:' };
const MODEL = { providerID: 'p', modelID: 'm' };
const message = (id: string, role: string, text: string, info = {}) => ({
  info: { id, role, agent: 'build', model: MODEL, ...info },
  parts: [{ type: 'text', text }],
});
type Message = ReturnType<typeof message>;

const { argv } = process;
beforeEach(() => {
  process.argv = ['opencode', 'serve'];
});
afterEach(() => {
  process.argv = argv;
});

interface Call {
  readonly path: { readonly id: string };
  readonly body: { readonly parts: readonly { readonly text: string }[] };
}

/** The plugin that `init` writes, in a project whose launcher gives the answers, with a client of one session `s`. */
async function load(
  makeProject: MakeProject,
  answers: readonly object[],
  launcher: string | null = SCRIPTED,
) {
  const [change] = planHooks([opencode], { agents: ['main', 'check'], gateSeconds: 1 }, () =>
    success(undefined),
  ).changes;
  const path = opencode.hookFile.path.replace('.js', '.mjs');
  const project = makeProject({
    [path]: change?.after ?? '',
    answers: JSON.stringify(answers),
    ...(launcher !== null && { [LAUNCHER]: launcher }),
  });
  const calls: { readonly name: string; readonly text: string; readonly call: object }[] = [];
  const messages: Message[] = [message('m1', 'user', 'go'), message('m2', 'assistant', 'All is done.')];
  const called = (name: string) => async (call: Call) => {
    calls.push({ name, text: call.body.parts[0]?.text ?? '', call });
    return { data: { parts: [{ type: 'text', text: 'I fixed it.' }] } };
  };
  const client = {
    session: {
      get: async ({ path: { id } }: Call) => ({
        data: { id, directory: project.root, ...(id === 'child' && { parentID: 's' }) },
      }),
      messages: async () => ({ data: messages }),
      prompt: called('prompt'),
      promptAsync: called('promptAsync'),
    },
    tui: {
      showToast: async (call: { readonly body: { readonly message: string } }) => {
        calls.push({ name: 'toast', text: call.body.message, call });
      },
    },
  };
  const { RalphLoop } = await import(pathToFileURL(project.path(path)).href);
  const plugin = await RalphLoop({ client, directory: project.root });
  const send = (type: string, properties: object = {}) =>
    plugin.event({ event: { type, properties: { sessionID: 's', ...properties } } });
  return {
    project,
    plugin,
    calls,
    messages,
    idle: () => send('session.idle'),
    interrupt: () => send('session.error', { error: { name: 'MessageAbortedError' } }),
    events: () =>
      project.has('events')
        ? readFileSync(project.path('events'), 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
  };
}

describe("OpenCode's plugin", () => {
  test('continues a blocked session with the reason, as the same agent and model', async ({
    makeProject,
  }) => {
    const { idle, calls, events, project } = await load(makeProject, [{ ...BLOCK, systemMessage: 'a note' }]);
    await idle();
    expect(events()).toEqual([
      {
        hook_event_name: 'Stop',
        session_id: 's',
        cwd: project.root,
        project_directories: [project.root],
        last_assistant_message: 'All is done.',
      },
    ]);
    expect(calls).toMatchObject([
      { name: 'toast', text: 'a note' },
      {
        name: 'promptAsync',
        text: BLOCK.reason,
        call: { path: { id: 's' }, body: { agent: 'build', model: MODEL } },
      },
    ]);
  });

  test('judges a stop once that is reported twice, and each further stop', async ({ makeProject }) => {
    const { idle, messages, events } = await load(makeProject, []);
    await Promise.all([idle(), idle()]);
    messages.push(message('m3', 'assistant', 'Done again.'));
    await idle();
    expect(events().map((event) => event.last_assistant_message)).toEqual(['All is done.', 'Done again.']);
  });

  test('leaves a session that was interrupted until the next prompt', async ({ makeProject }) => {
    const { idle, interrupt, plugin, events } = await load(makeProject, []);
    await interrupt();
    await idle();
    await idle();
    expect(events()).toEqual([]);
    await plugin['chat.message']({ sessionID: 's' }, { parts: [{ type: 'text', text: 'go on' }] });
    await idle();
    expect(events().map((event) => event.hook_event_name)).toEqual(['UserPromptSubmit', 'Stop']);
  });

  test('leaves a stop to the next one if the person has typed a prompt meanwhile', async ({
    makeProject,
  }) => {
    const { idle, plugin, calls } = await load(makeProject, [BLOCK, BLOCK]);
    const judged = idle();
    await plugin['chat.message']({ sessionID: 's' }, { parts: [] });
    await judged;
    expect(calls).toEqual([]);
  });

  test('does not judge a turn that failed, or the session of a subagent', async ({ makeProject }) => {
    const { idle, messages, plugin, events } = await load(makeProject, []);
    messages.push(message('m3', 'assistant', '', { error: { name: 'APIError' } }));
    await idle();
    await plugin.event({ event: { type: 'session.idle', properties: { sessionID: 'child' } } });
    expect(events()).toEqual([]);
  });

  test('does not send its own reason as a prompt', async ({ makeProject }) => {
    const { idle, plugin, events } = await load(makeProject, [BLOCK]);
    await idle();
    await plugin['chat.message']({ sessionID: 's' }, { parts: [{ type: 'text', text: BLOCK.reason }] });
    expect(events().map((event) => event.hook_event_name)).toEqual(['Stop']);
  });

  test('continues a subagent until its stop is allowed, and its parent reads the last answer', async ({
    makeProject,
  }) => {
    const { plugin, calls, events } = await load(makeProject, [BLOCK]);
    const output = {
      output: '<task id="child" state="completed">\n<task_result>\nchecked\n</task_result>\n</task>',
      metadata: { sessionId: 'child' },
    };
    await plugin['tool.execute.after'](
      { tool: 'task', sessionID: 's', args: { subagent_type: 'check' } },
      output,
    );
    expect(calls).toMatchObject([{ name: 'prompt', text: BLOCK.reason, call: { path: { id: 'child' } } }]);
    expect(events()).toMatchObject(
      ['checked', 'I fixed it.'].map((text) => ({
        hook_event_name: 'SubagentStop',
        session_id: 's',
        agent_id: 'child',
        agent_type: 'check',
        last_assistant_message: text,
      })),
    );
    expect(output.output).toContain('<task_result>\nI fixed it.\n</task_result>');
  });

  test('adds context to a prompt, and a note to the result of an edit', async ({ makeProject }) => {
    const context = (additionalContext: string) => ({ hookSpecificOutput: { additionalContext } });
    const { plugin, events } = await load(makeProject, [context('the gates'), context('a weaker test')]);
    const parts = [{ type: 'text', text: 'go' }];
    await plugin['chat.message']({ sessionID: 's' }, { parts });
    expect(parts).toEqual([{ type: 'text', text: 'go\n\nthe gates' }]);
    const output = { output: 'edited' };
    await plugin['tool.execute.after'](
      { tool: 'edit', sessionID: 'child', args: { filePath: '/a.js' } },
      output,
    );
    expect(output.output).toBe('edited\n\na weaker test');
    expect(events()).toMatchObject([
      { prompt: 'go' },
      { session_id: 's', tool_input: { file_path: '/a.js' } },
    ]);
  });

  test('replaces a prompt that is rejected', async ({ makeProject }) => {
    const { plugin, calls } = await load(makeProject, [{ decision: 'block', reason: 'a quote is open' }]);
    const parts = [{ type: 'text', text: 'go :: verify:"x' }];
    await plugin['chat.message']({ sessionID: 's' }, { parts });
    expect(parts[0]?.text).toMatch(/^ralph-loop rejected the prompt\..*a quote is open$/);
    expect(calls).toMatchObject([{ name: 'toast', text: 'a quote is open' }]);
  });

  test.for([
    ['is missing', null, /Cannot find module/],
    ['fails', 'console.error("first\\nlast"); process.exit(3);', /: first: node /],
    ['prints no JSON', 'console.log("fine")', /JSON/],
  ] as const)(
    'reports once, and allows the stop, if the launcher %s',
    async ([, launcher, problem], { makeProject }) => {
      const { idle, messages, calls } = await load(makeProject, [], launcher);
      await idle();
      messages.push(message('m3', 'assistant', 'Done again.'));
      await idle();
      expect(calls).toMatchObject([{ name: 'toast', text: expect.stringMatching(problem) }]);
      expect(calls[0]?.text).toMatch(/^ralph-loop: stops are not verified: /);
    },
  );

  test('ends the command of a session that is interrupted', async ({ makeProject }) => {
    const { idle, interrupt, calls, project } = await load(
      makeProject,
      [],
      "require('fs').writeFileSync('pid', process.pid + '\\n'); setInterval(() => {}, 1000);",
    );
    const judged = idle();
    await project.pidIn('pid');
    await interrupt();
    await judged;
    expect(calls).toEqual([]);
  });
});
