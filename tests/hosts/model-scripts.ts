import type { Client } from './client.ts';
import type { ModelReply } from './model-reply.ts';
import { lastUserText, type ModelRequest } from './model-request.ts';
import type { ModelScript } from './scripted-model-server.ts';

/** Always claims to be done. */
export const neverFixes: ModelScript = () => ({ text: 'All is done.' });

/** Claims to be done, and creates `fixed.txt` after a block. */
export function fixesWhenSentBack(client: Client): ModelScript {
  return (request) =>
    feedbackIn(request) !== undefined && !hasActed(request)
      ? client.shellCall('touch fixed.txt')
      : { text: 'All is done.' };
}

/** Whether a tool was called after the latest user message, which `system` messages may follow. */
function hasActed({ messages }: ModelRequest): boolean {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(at).some(({ role }) => role === 'tool');
}

/** The prompt of a subagent, by which its requests are recognized. */
export const SUBAGENT_PROMPT = 'Check the work of this scripted project.';

/** Gives the work to a subagent once, which answers with `script`. */
export function delegates(client: Client, script: ModelScript): ModelScript {
  return (request) => (isCheckAgent(request) ? script(request) : mainModel(client, request));
}

export function isCheckAgent({ system, messages }: ModelRequest): boolean {
  const texts = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  return [system, ...texts].some((text) => text.includes(SUBAGENT_PROMPT));
}

/** Starts the subagent, waits for it and ends. Background requests, such as naming the session, end at once. */
function mainModel({ subagent }: Client, { tools, messages }: ModelRequest): ModelReply {
  const done: ModelReply = { text: 'The work is done.' };
  if (subagent === undefined || tools.length === 0) return done;
  const [started, waited] = messages.filter(({ role }) => role === 'tool');
  if (started === undefined) return subagent.start(SUBAGENT_PROMPT);
  if (waited !== undefined || subagent.wait === undefined) return done;
  return subagent.wait(started.text);
}

/** Returns the first line of the latest feedback of ralph-loop. */
export function feedbackIn(request: ModelRequest): string | undefined {
  return /Iteration \d+\/\d+\..*/.exec(lastUserText(request))?.[0];
}

type Step = ModelReply | Promise<ModelReply>;

/** Answers with the steps of each iteration of an agent run, the last of which ends the iteration. */
export function worksInSteps(client: Client, iterations: readonly (readonly Step[])[]): ModelScript {
  return (request) => {
    if (isBackgroundRequest(client, request)) return { text: 'A background request.' };
    const done = request.messages.filter(({ role }) => role === 'tool').length;
    const step = iterations[iterationIn(request) - 1]?.[done];
    if (step === undefined) throw new Error(`nothing more to do in iteration ${iterationIn(request)}`);
    return step;
  };
}

/** Returns the iteration in the prompt of `ralph-loop run`; 0 without such a prompt. */
export function iterationIn({ messages }: ModelRequest): number {
  const texts = messages.map(({ text }) => text).join('\n');
  return Number(/^Ralph Iteration: (\d+)\//m.exec(texts)?.[1] ?? 0);
}

/** Whether it is a background request, such as one for a summary, which cannot call the shell. */
export function isBackgroundRequest(client: Client, { tools }: ModelRequest): boolean {
  return !tools.includes(client.shellCall('').tool);
}
