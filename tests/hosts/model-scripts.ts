import type { Client } from './client.ts';
import type { ModelReply } from './model-reply.ts';
import { lastUserText, type ModelRequest } from './model-request.ts';
import type { ModelScript } from './scripted-model-server.ts';

/** Claims to be done, whatever it is told. */
export const neverFixes: ModelScript = () => ({ text: 'All is done.' });

/** Claims to be done, and makes `fixed.txt` once it is sent back. */
export function fixesWhenSentBack(client: Client): ModelScript {
  return (request) =>
    feedbackIn(request) !== undefined && request.messages.at(-1)?.role === 'user'
      ? client.shellCall('touch fixed.txt')
      : { text: 'All is done.' };
}

/** Words that a subagent is started with or defined by, and by which its requests are known. */
export const SUBAGENT_PROMPT = 'Check the work of this scripted project.';

/** The main agent hands the work to a subagent once; that one answers by `script`. */
export function delegates(client: Client, script: ModelScript): ModelScript {
  return (request) => (isCheckAgent(request) ? script(request) : mainModel(client, request));
}

export function isCheckAgent({ system, messages }: ModelRequest): boolean {
  const told = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  return [system, ...told].some((text) => text.includes(SUBAGENT_PROMPT));
}

/** Starts the subagent, waits for it, and is done; so are background errands, such as naming the session, at once. */
function mainModel({ subagent }: Client, { tools, messages }: ModelRequest): ModelReply {
  const done: ModelReply = { text: 'The work is done.' };
  if (subagent === undefined || tools.length === 0) return done;
  const [started, waited] = messages.filter(({ role }) => role === 'tool');
  if (started === undefined) return subagent.start(SUBAGENT_PROMPT);
  if (waited !== undefined || subagent.wait === undefined) return done;
  return subagent.wait(started.text);
}

/** The first line of what ralph-loop told the agent last. */
export function feedbackIn(request: ModelRequest): string | undefined {
  return /Iteration \d+\/\d+\..*/.exec(lastUserText(request))?.[0];
}

type Step = ModelReply | Promise<ModelReply>;

/** What a model does in each iteration of a promise loop: one thing after another, the last of which ends it. */
export function worksThrough(client: Client, iterations: readonly (readonly Step[])[]): ModelScript {
  return (request) => {
    if (isErrand(client, request)) return { text: 'An errand.' };
    const done = request.messages.filter(({ role }) => role === 'tool').length;
    const step = iterations[iterationIn(request) - 1]?.[done];
    if (step === undefined) throw new Error(`nothing more to do in iteration ${iterationIn(request)}`);
    return step;
  };
}

/** The number in the prompt of `ralph-loop run`; 0 where there is no such prompt. */
export function iterationIn({ messages }: ModelRequest): number {
  const told = messages.map(({ text }) => text).join('\n');
  return Number(/^Ralph Iteration: (\d+)\//m.exec(told)?.[1] ?? 0);
}

/** What a client asks beside the work, such as what is worth remembering, is asked without the shell. */
export function isErrand(client: Client, { tools }: ModelRequest): boolean {
  return !tools.includes(client.shellCall('').tool);
}
