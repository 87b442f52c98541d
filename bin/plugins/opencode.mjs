// `ralph-loop init` writes this file, and OpenCode or Kilo loads it as a plugin. It starts a command of SETTINGS for each prompt,
// edit and stop of an agent, with the event on stdin. If the answer blocks a stop, the agent gets the reason and goes on.
// Commit it. It needs no packages. `ralph-loop init --uninstall` removes it.
/* eslint-disable */
// biome-ignore-all lint: written by ralph-loop
// biome-ignore-all format: written by ralph-loop
// prettier-ignore
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The command for each event, and the seconds after which its answer is not waited for. */
const SETTINGS = {};

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
/** `opencode run` exits when the session is idle for the first time. */
const isRun = process.argv.slice(2).includes('run');
/** The session that this process continues, and where it leaves the reason of a blocked stop. */
const { RALPH_LOOP_CONTINUED: continued, RALPH_LOOP_REASON: reasonFile } = process.env;
// Not for the commands of the agent.
delete process.env.RALPH_LOOP_CONTINUED;
delete process.env.RALPH_LOOP_REASON;

export const RalphLoop = async ({ client, directory }) => {
  /** The stops of each session that are being judged, one after another. */
  const stops = new Map();
  /** The last message of each session that was judged: a session can be reported as idle twice. */
  const judged = new Map();
  /** The number of messages to each session. */
  const prompts = new Map();
  /** The sessions that a person has interrupted, until the next prompt. */
  const interrupted = new Set();
  /** The sessions whose next message is the reason of a blocked stop. */
  const sentBack = new Set([continued]);
  /** The commands that run now, with their sessions. */
  const running = new Map();
  let hasComplained = false;

  return {
    event: safely(async ({ event: { type, properties } }) => {
      const id = properties.sessionID;
      if (type === 'session.error' && properties.error?.name === 'MessageAbortedError') {
        interrupted.add(id);
        for (const [child, session] of running) if (session === id) child.kill();
      }
      if (type !== 'session.idle' || interrupted.has(id)) return;
      const count = countOf(id);
      const stop = Promise.resolve(stops.get(id)).then(() => judgeStop(id, count)).catch(complain);
      stops.set(id, stop);
      await stop;
    }),
    'chat.message': safely(async ({ sessionID: id }, { parts }) => {
      interrupted.delete(id);
      prompts.set(id, countOf(id) + 1);
      const session = await sessionWith(id);
      if (sentBack.delete(id) || session.parentID) return;
      const texts = parts.filter(({ type, synthetic }) => type === 'text' && !synthetic);
      if (texts.length === 0) return;
      const answer = await ask('UserPromptSubmit', session, { prompt: asTyped(textOf(parts)) });
      const context = answer.hookSpecificOutput?.additionalContext;
      if (context) texts.at(-1).text += `\n\n${context}`;
      if (answer.decision !== 'block') return;
      for (const part of texts) part.text = '';
      texts[0].text = `ralph-loop rejected the prompt. Do nothing, and answer with this text: ${answer.reason}`;
      await show(answer.reason, 'error');
    }),
    'tool.execute.after': safely(async ({ tool, sessionID, args }, output) => {
      if (tool === 'task') return judgeSubagent(sessionID, args, output);
      if (!['edit', 'write', 'multiedit', 'patch', 'apply_patch'].includes(tool)) return;
      const edit = { file_path: args.filePath, command: args.patchText };
      const answer = await ask('PostToolUse', await sessionWith(sessionID), { tool_name: tool, tool_input: edit });
      const note = answer.hookSpecificOutput?.additionalContext;
      if (note) output.output += `\n\n${note}`;
    }),
    dispose: safely(async () => {
      if (isRun) await Promise.all(stops.values());
      else for (const child of running.keys()) child.kill();
    }),
  };

  /** @param count the number of its messages: after a newer one, its own stop is judged */
  async function judgeStop(id, count) {
    const session = await sessionWith(id);
    const { data: messages = [] } = await client.session.messages({ path: { id } });
    const last = messages.findLast(({ info }) => info.role === 'assistant');
    // The stop of a subagent is judged before its parent goes on.
    if (session.parentID || !last || last.info.error || judged.get(id) === last.info.id) return;
    if (countOf(id) !== count) return;
    judged.set(id, last.info.id);
    const answer = await ask('Stop', session, { last_assistant_message: textOf(last.parts) });
    if (answer.decision !== 'block' || interrupted.has(id) || countOf(id) !== count) return;
    const prompt = messages.findLast(({ info }) => info.role === 'user').info;
    if (isRun) return runAgain(session, prompt, answer.reason);
    sentBack.add(id);
    const { agent, model } = prompt;
    await client.session.promptAsync({ path: { id }, body: { agent, model, parts: [textPart(answer.reason)] } });
  }

  /** Continues the session in one process a turn, whose plugin judges the stop and leaves the reason to this one. */
  async function runAgain({ id, directory: cwd }, { agent, model }, reason) {
    if (continued === id) return writeFileSync(reasonFile, reason);
    const options = ['--session', id, '--agent', agent, '--model', `${model.providerID}/${model.modelID}`];
    const words = process.argv.slice(2);
    const kept = words.filter((word, index) => /^--(?:auto|thinking|format=.*)$|^--format$/.test(word) || words[index - 1] === '--format');
    const folder = mkdtempSync(`${tmpdir()}/ralph-loop-`);
    const file = `${folder}/reason`;
    try {
      writeFileSync(file, reason);
      while (existsSync(file)) {
        const child = spawn(process.execPath, ['run', ...options, ...kept], {
          cwd,
          stdio: ['pipe', 'inherit', 'inherit'],
          env: { ...process.env, RALPH_LOOP_CONTINUED: id, RALPH_LOOP_REASON: file },
        });
        child.stdin.on('error', () => {});
        child.stdin.end(readFileSync(file));
        rmSync(file);
        await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  /** Continues the subagent until its stop is allowed. The parent reads its last answer. */
  async function judgeSubagent(parent, { subagent_type: agent }, output) {
    const id = output.metadata?.sessionId;
    if (!id || / state="running"/.test(output.output)) return;
    const session = await sessionWith(id);
    const RESULT = /(?<=<task_result>\n).*(?=\n<\/task_result>)/s;
    let [text] = RESULT.exec(output.output) ?? [output.output];
    while (!interrupted.has(parent)) {
      const answer = await ask('SubagentStop', session, { agent_id: id, agent_type: agent, last_assistant_message: text });
      if (answer.decision !== 'block' || interrupted.has(parent)) break;
      const { data } = await client.session.prompt({ path: { id }, body: { agent, parts: [textPart(answer.reason)] } });
      if (!data) break;
      text = textOf(data.parts);
      output.output = RESULT.test(output.output) ? output.output.replace(RESULT, () => text) : text;
    }
  }

  /** Starts the command for an event. Its answer is empty if there is none, or if it fails. */
  async function ask(name, { id, parentID: parent = id, directory: cwd = directory }, fields) {
    const [hook] = SETTINGS.hooks?.[name] ?? [];
    if (!hook) return {};
    const event = { hook_event_name: name, session_id: parent, cwd, project_directories: [root], ...fields };
    const { stdout, problem } = await run(hook, event, parent);
    if (problem) return complain(`${problem}: ${hook.command}`);
    const answer = stdout.trim() === '' ? {} : Object(JSON.parse(stdout));
    await show(answer.systemMessage, 'info');
    return answer;
  }

  function run({ command, timeout }, event, session) {
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
      running.set(child, session);
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

  async function sessionWith(id) {
    const { data } = await client.session.get({ path: { id } });
    return data ?? { id };
  }

  function countOf(id) {
    return prompts.get(id) ?? 0;
  }

  /** The person reads once that stops are not verified. */
  async function complain(problem) {
    if (!hasComplained) await show(`ralph-loop: stops are not verified: ${problem?.message ?? problem}`, 'error');
    hasComplained = true;
    return {};
  }

  async function show(message, variant) {
    if (!message) return;
    if (isRun) process.stderr.write(`${message}\n`);
    else await client.tui.showToast({ body: { message, variant, duration: 10_000 } });
  }

  /** No error may reach the host. */
  function safely(handler) {
    return (...args) => handler(...args).catch(complain).catch(() => {});
  }
};

/** Node's error, or else the first line. */
function problemIn(stderr) {
  return (/^.*Error: .*$/m.exec(stderr) ?? /^.*$/m.exec(stderr.trim()))[0];
}

/** `opencode run` puts a prompt with blanks between quotation marks. */
function asTyped(prompt) {
  const [, quoted] = /^"(.*)"\s*$/s.exec(prompt) ?? [];
  return isRun && quoted !== undefined ? quoted.replaceAll('\\"', '"') : prompt;
}

function textPart(text) {
  return { type: 'text', text };
}

function textOf(parts) {
  return parts.filter(({ type }) => type === 'text').map(({ text }) => text).join('\n');
}
