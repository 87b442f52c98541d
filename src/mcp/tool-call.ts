import { existsSync } from 'node:fs';
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { failure, type Result, success } from '../base/result.ts';
import { duration, listed } from '../base/text.ts';
import { rootAround } from '../config/discover.ts';
import { RunningGates } from '../gates/running-gates.ts';
import type { GateEvent } from '../gates/types.ts';
import type { RunContext } from '../verification/types.ts';

/** Dependencies of a server, the same for all its calls. */
export interface ServerOptions extends Pick<RunContext, 'runCommand' | 'env' | 'now'> {
  readonly version: string;
  /** Absolute directory that the server was started in. */
  readonly cwd: string;
}

/** Dependencies of one call. */
export interface CallContext {
  readonly cwd: string;
  /** Absolute directory of the project that holds the chains; without a config, `cwd`. */
  readonly root: string;
  readonly context: RunContext;
  readonly onEvent: (event: GateEvent) => void;
}

/** The agent calls a tool, perhaps because the person asked it to. */
export const BY_TOOL = 'by a tool call of the agent';

/** Finds the project again at each call: it may get a config, be moved or removed while the server runs. */
export function callContext(
  { cwd, runCommand, env, now }: ServerOptions,
  call: ServerContext,
): Result<CallContext> {
  if (!existsSync(cwd))
    return failure(
      `${cwd}, where this server was started, does not exist any more: the project was moved or removed. Nothing was done. Start the server again where the project is now.`,
    );
  const { signal } = call.mcpReq;
  return success({
    cwd,
    root: rootAround(cwd, { orAround: true }) ?? cwd,
    // Without a deadline: the client decides how long it waits, and cancels the call.
    context: { runCommand, env, now, signal },
    onEvent: reportProgress(call),
  });
}

/** Clients cancel a call without any message for a while; the official SDK's after 60 s. */
const PROGRESS_INTERVAL_MS = 5000;

/** Sends the client the names of the running commands, when one starts and every few seconds, if it asked for them. */
function reportProgress({ mcpReq }: ServerContext): (event: GateEvent) => void {
  const { _meta: { progressToken } = {}, notify, signal } = mcpReq;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  const send = (message: string) => {
    progress += 1;
    // Fails if the client is gone; then the call is cancelled too.
    notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(
      () => {},
    );
  };
  const running = new RunningGates();
  let timer: NodeJS.Timeout | undefined;
  return (event) => {
    if (event.type === 'output') return;
    running.take(event);
    clearInterval(timer);
    const { names, since } = running;
    if (since === undefined || signal.aborted) return;
    const what = `${listed(names, 100)} ${names.length === 1 ? 'runs' : 'run'}`;
    const elapsed = Date.now() - since;
    send(elapsed < 1000 ? what : `${what}, ${duration(elapsed)}`);
    timer = setInterval(() => send(`${what}, ${duration(Date.now() - since)}`), PROGRESS_INTERVAL_MS);
  };
}

/**
 * A tool's answer for the client. Some clients show agents only the text, others (Claude Code) only the structure, so
 * both contain the text. A failure is an error of the tool, because agents do not read errors of the protocol.
 */
export function toolResult(answer: Result<{ readonly content: string }>): CallToolResult {
  if (!answer.ok) return { content: [{ type: 'text', text: answer.failure.message }], isError: true };
  const { value } = answer;
  return { content: [{ type: 'text', text: value.content }], structuredContent: { ...value } };
}
