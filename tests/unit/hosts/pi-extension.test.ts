import { pathToFileURL } from 'node:url';
import { describe, expect } from 'vitest';
import { success } from '../../../src/base/result.ts';
import { pi } from '../../../src/hosts/pi.ts';
import { LAUNCHER } from '../../../src/process/own-command.ts';
import { planHooks } from '../../../src/setup/plan-hooks.ts';
import { type MakeProject, test } from '../../helpers/project.ts';

type Handler = (event: object, ctx: object) => Promise<unknown>;

/** The extension that `init` writes, in a project whose launcher records the event and gives the answer. */
async function load(makeProject: MakeProject, answer: object | string) {
  const [change] = planHooks([pi], { agents: ['main'], gateSeconds: 1 }, () => success(undefined)).changes;
  const path = pi.hookFile.path.replace('.js', '.mjs');
  const output = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const project = makeProject({
    [path]: change?.after ?? '',
    output,
    [LAUNCHER]:
      "fs = require('fs'); fs.writeFileSync('event', fs.readFileSync(0)); console.log(fs.readFileSync('output', 'utf8'));",
  });
  const notes: string[] = [];
  const handlers = new Map<string, Handler>();
  const { default: extension } = await import(pathToFileURL(project.path(path)).href);
  extension({ on: (name: string, handler: Handler) => handlers.set(name, handler) });
  const ctx = {
    cwd: project.root,
    hasUI: true,
    ui: { notify: (text: string) => notes.push(text) },
    sessionManager: { getSessionId: () => 's', getSessionFile: () => undefined },
  };
  return {
    notes,
    send: (name: string, event: object) => handlers.get(name)?.(event, ctx),
    event: () => (project.has('event') ? JSON.parse(project.read('event')) : undefined),
  };
}

const SETTLES = {
  outcome: 'completed',
  entries: [{ type: 'custom', customType: 'other' }],
  continue: false,
  context: {
    pendingMessages: [],
    contextMessages: [
      { role: 'assistant', content: [{ type: 'text', text: 'All is done.' }] },
      { role: 'user' },
    ],
  },
};
const BLOCK = { decision: 'block', reason: 'Iteration 1/5.', systemMessage: 'a note' };

describe("Pi's extension", () => {
  test('continues a blocked turn with the reason, after the entries of others', async ({ makeProject }) => {
    const { send, event, notes } = await load(makeProject, BLOCK);
    expect(await send('agent_before_settle', SETTLES)).toEqual({
      continue: true,
      entries: [
        ...SETTLES.entries,
        { type: 'custom_message', customType: 'ralph-loop', content: BLOCK.reason, display: true },
      ],
    });
    expect(event()).toMatchObject({
      hook_event_name: 'Stop',
      session_id: 's',
      last_assistant_message: 'All is done.',
    });
    expect(notes).toEqual(['a note']);
  });

  test.for([
    ['was interrupted', { outcome: 'aborted' }],
    ['failed', { outcome: 'error' }],
    ['goes on already', { continue: true }],
    ['has a queued prompt', { context: { ...SETTLES.context, pendingMessages: [{}] } }],
  ] as const)('leaves a turn that %s', async ([, more], { makeProject }) => {
    const { send, event } = await load(makeProject, BLOCK);
    expect(await send('agent_before_settle', { ...SETTLES, ...more })).toBeUndefined();
    expect(event()).toBeUndefined();
  });

  test('rejects a prompt, and sends none that an extension has written', async ({ makeProject }) => {
    const { send, event, notes } = await load(makeProject, { decision: 'block', reason: 'a quote is open' });
    expect(await send('input', { text: 'go', source: 'extension' })).toBeUndefined();
    expect(event()).toBeUndefined();
    expect(await send('input', { text: 'go', source: 'interactive' })).toEqual({ action: 'handled' });
    expect(notes).toEqual(['a quote is open']);
  });

  test('adds context to a prompt, and a note to the result of an edit', async ({ makeProject }) => {
    const { send } = await load(makeProject, { hookSpecificOutput: { additionalContext: 'read this' } });
    const prompt = { text: 'go', source: 'interactive' };
    expect(await send('input', prompt)).toEqual({ action: 'transform', text: 'go\n\nread this' });
    const edit = { toolName: 'edit', input: { path: 'a.js' }, content: [] };
    expect(await send('tool_result', edit)).toEqual({ content: [{ type: 'text', text: 'read this' }] });
    expect(await send('tool_result', { ...edit, toolName: 'bash' })).toBeUndefined();
  });

  test('reports once, and lets the turn end, if the answer is no JSON', async ({ makeProject }) => {
    const { send, notes } = await load(makeProject, 'fine');
    expect(await send('agent_before_settle', SETTLES)).toBeUndefined();
    expect(await send('agent_before_settle', SETTLES)).toBeUndefined();
    expect(notes).toEqual([expect.stringMatching(/^ralph-loop: stops are not verified: [\s\S]*JSON/)]);
  });
});
