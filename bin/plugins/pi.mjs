// `ralph-loop init` writes this file, and Pi (0.87 or later) loads it as an extension. It starts a command of SETTINGS for each
// prompt, edit and stop of the agent, with the event on stdin. If the answer blocks a stop, the agent gets the reason and goes
// on. Commit it. It needs no packages. `ralph-loop init --uninstall` removes it.
/* eslint-disable */
// biome-ignore-all lint: written by ralph-loop
// biome-ignore-all format: written by ralph-loop
// prettier-ignore
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The command for each event, and the seconds after which its answer is not waited for. */
const SETTINGS = {};

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

export default function ralphLoop(pi) {
  /** The commands that run now. */
  const running = new Set();
  let hasComplained = false;

  on('input', async ({ text, source }, ctx) => {
    if (source === 'extension') return;
    const { decision, reason, hookSpecificOutput } = await ask('UserPromptSubmit', { prompt: text }, ctx);
    if (decision === 'block') {
      show(reason, 'error', ctx);
      return { action: 'handled' };
    }
    const context = hookSpecificOutput?.additionalContext;
    if (context) return { action: 'transform', text: `${text}\n\n${context}` };
  });

  on('tool_result', async ({ toolName, input, content }, ctx) => {
    if (toolName !== 'edit' && toolName !== 'write') return;
    const edit = { tool_name: toolName, tool_input: { file_path: input.path } };
    const { hookSpecificOutput } = await ask('PostToolUse', edit, ctx);
    const note = hookSpecificOutput?.additionalContext;
    if (note) return { content: [...content, { type: 'text', text: note }] };
  });

  on('agent_before_settle', async ({ outcome, entries, continue: goesOn, context }, ctx) => {
    // An interrupted turn is not continued. If it goes on, its last stop is judged.
    if (outcome !== 'completed' || goesOn || context.pendingMessages.length > 0) return;
    const last = context.contextMessages.findLast(({ role }) => role === 'assistant');
    const { decision, reason } = await ask('Stop', { last_assistant_message: textOf(last?.content) }, ctx);
    if (decision !== 'block') return;
    const entry = { type: 'custom_message', customType: 'ralph-loop', content: reason, display: true };
    return { entries: [...entries, entry], continue: true };
  });

  on('session_shutdown', async () => {
    for (const child of running) child.kill();
  });

  /** No error may reach the host. */
  function on(name, handler) {
    pi.on(name, (event, ctx) => handler(event, ctx).catch((error) => void complain(error.message, ctx)));
  }

  /** Starts the command for an event. Its answer is empty if there is none, or if it fails. */
  async function ask(name, fields, ctx) {
    const [hook] = SETTINGS.hooks?.[name] ?? [];
    if (!hook) return {};
    const session = { session_id: ctx.sessionManager.getSessionId(), transcript_path: ctx.sessionManager.getSessionFile() };
    const event = { hook_event_name: name, ...session, cwd: ctx.cwd, project_directories: [root], ...fields };
    const { stdout, problem } = await run(hook, event);
    if (problem) return complain(`${problem}: ${hook.command}`, ctx);
    const answer = stdout.trim() === '' ? {} : Object(JSON.parse(stdout));
    show(answer.systemMessage, 'info', ctx);
    return answer;
  }

  function run({ command, timeout }, event) {
    return new Promise((resolve) => {
      // With `exec`, the command itself gets the signal that ends it.
      const child = spawn(`exec ${command}`, { cwd: root, shell: true });
      const output = { stdout: '', stderr: '' };
      const end = (problem) => {
        clearTimeout(timer);
        running.delete(child);
        resolve({ stdout: output.stdout, problem });
      };
      const timer = setTimeout(() => {
        child.kill();
        end(`no answer after ${timeout} s`);
      }, timeout * 1000);
      running.add(child);
      for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (output[name] += text));
      child.on('error', ({ message }) => end(message));
      child.on('close', (code) => {
        if (child.killed) output.stdout = '';
        end(code === 0 || child.killed ? undefined : problemIn(output.stderr) || `exit code ${code}`);
      });
      // It may end without reading the event.
      child.stdin.on('error', () => {});
      child.stdin.end(JSON.stringify(event));
    });
  }

  /** The person reads once that stops are not verified. */
  function complain(problem, ctx) {
    if (!hasComplained) show(`ralph-loop: stops are not verified: ${problem}`, 'error', ctx);
    hasComplained = true;
    return {};
  }

  function show(message, level, { hasUI, ui }) {
    if (!message) return;
    if (hasUI) ui.notify(message, level);
    else process.stderr.write(`${message}\n`);
  }
}

/** Node's error, or else the first line. */
function problemIn(stderr) {
  return (/^.*Error: .*$/m.exec(stderr) ?? /^.*$/m.exec(stderr.trim()))[0];
}

function textOf(content = '') {
  if (typeof content === 'string') return content;
  return content.filter(({ type }) => type === 'text').map(({ text }) => text).join('\n');
}
