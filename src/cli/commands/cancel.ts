import { cancelByName } from '../../agent-run/cancel.ts';
import { failure, type Result, success } from '../../base/result.ts';
import { rootAround } from '../../config/discover.ts';
import { readCaller } from '../../process/caller.ts';
import { isUnfinished, readAgentRuns } from '../../state/agent-run.ts';
import { readStopLoop, stopLoopFiles } from '../../state/stop-loop.ts';
import { logCommand } from '../record-command.ts';
import { EXIT, fail, print } from '../terminal.ts';

/**
 * `ralph-loop cancel [loop]`: ends the agent of an agent run with all its processes, or allows the next stop of a hook
 * loop.
 *
 * @param name a task, or the key of a hook loop or the end of it; undefined: the only loop of the project
 * @returns the exit code: 0 cancelled, 1 not possible, 2 usage
 */
export async function cancel(name: string | undefined): Promise<number> {
  const root = rootAround(process.cwd()) ?? process.cwd();
  const chosen = name === undefined ? onlyLoop(root) : success(name);
  if (!chosen.ok) return fail(chosen.failure.message, EXIT.usage);
  const caller = readCaller(process.env);
  const context = { now: () => new Date(), env: process.env, by: caller.by };
  const cancelled = await cancelByName(root, chosen.value, context);
  if (!cancelled.ok) return fail([cancelled.failure.message, ...loopList(root)]);
  // The next stop says itself that the loop was cancelled, and by whom.
  await logCommand(root, `cancel ${chosen.value}`, caller);
  print(cancelled.value);
  return EXIT.ok;
}

function onlyLoop(root: string): Result<string> {
  const [name, another] = loopNames(root);
  if (name === undefined) return failure('No loop to cancel.');
  return another === undefined
    ? success(name)
    : failure(['There are several loops; name the one to cancel.', ...loopList(root)].join('\n'));
}

function loopList(root: string): string[] {
  const names = loopNames(root);
  return names.length > 0 ? ['Loops:', ...names.map((name) => `  ${name}`)] : [];
}

function loopNames(root: string): string[] {
  const runs = readAgentRuns(root).filter(isUnfinished);
  const hookLoops = stopLoopFiles(root).flatMap((path) => readStopLoop(path) ?? []);
  const counted = hookLoops.filter(({ iteration }) => iteration > 0);
  return [...runs.map(({ task_id }) => task_id), ...counted.map(({ task }) => task)];
}
