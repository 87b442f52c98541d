import { cancelledText } from '../messages/agent-run.ts';
import type { AgentRun } from '../state/agent-run.ts';
import { readAgentRun } from '../state/agent-run-file.ts';
import { cancelStopLoop, readStopLoop, stopLoopFiles } from '../state/stop-loop.ts';
import { cancelPromiseLoop } from './cancel-loop.ts';

/**
 * Calls a loop off: one that drives an agent, by its task; else a hook's, by its key, or the last part of that.
 *
 * @returns what a person is to know of it, or why nothing was done
 * @throws where its state cannot be written
 */
export async function cancelNamedLoop(
  root: string,
  name: string,
  effects: { readonly now: () => Date; readonly env: NodeJS.ProcessEnv },
): Promise<{ readonly said: string } | { readonly refused: string }> {
  const loop = readAgentRun(root, name);
  const path = stopLoopFiles(root).find((file) => isNamed(readStopLoop(file)?.task, name));
  // One that has ended keeps its file, and must not stand before a hook's loop of the same task.
  if (loop && (path === undefined || !hasEnded(loop))) {
    const cancelled = await cancelPromiseLoop(root, name, effects);
    if ('refused' in cancelled) return cancelled;
    return { said: [cancelledText(cancelled.loop), ...cancelled.notes].join('\n') };
  }
  const state = path === undefined ? undefined : await cancelStopLoop(path);
  if (!state) return { refused: `There is no loop ${name}.` };
  const where = `the loop ${state.task} at iteration ${state.iteration}`;
  return { said: `Cancelled ${where}: its next stop is allowed, and nothing is verified then.` };
}

function hasEnded({ status }: AgentRun): boolean {
  return status !== 'running' && status !== 'interrupted';
}

/** By its key as status shows it, or by the last part of it: `demo` is .trellis/tasks/demo. */
function isNamed(key: string | undefined, name: string): boolean {
  return key !== undefined && (key === name || key.split('/').at(-1) === name);
}
