import { cancelByName } from '../../agent-run/cancel.ts';
import { rootAround } from '../../config/root-around.ts';
import { readAgentRuns } from '../../state/agent-run.ts';
import { readStopLoop, stopLoopFiles } from '../../state/stop-loop.ts';

const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/**
 * `ralph-loop cancel [loop]`: calls a loop off. The agent of one that is driven is ended, with all that it has started;
 * of a hook's loop, the next stop is allowed.
 *
 * @param named a task, or a hook loop's key or the end of it; undefined: the only loop that there is
 * @returns the exit code: 0 done, 1 it could not be, 2 usage
 */
export async function cancel(named: string | undefined): Promise<number> {
  const root = rootAround(process.cwd()) ?? process.cwd();
  const wanted = named ?? onlyLoop(root);
  if (typeof wanted !== 'string') return refuse(wanted.why, EXIT.usage);
  const cancelled = await cancelByName(root, wanted, { now: () => new Date(), env: process.env });
  if (!cancelled.ok) return refuse(`${cancelled.failure.message}${listOf(root)}`, EXIT.failed);
  process.stdout.write(`${cancelled.value}\n`);
  return EXIT.done;
}

function onlyLoop(root: string): string | { readonly why: string } {
  const names = namesOf(root);
  const [name, another] = names;
  if (name === undefined) return { why: 'There is no loop to be cancelled.' };
  return another === undefined ? name : { why: `Which one? Name it:${listOf(root)}` };
}

function namesOf(root: string): string[] {
  const driven = readAgentRuns(root).filter(({ status }) => status === 'running' || status === 'interrupted');
  const ofHooks = stopLoopFiles(root).flatMap((path) => readStopLoop(path) ?? []);
  const counted = ofHooks.filter(({ iteration }) => iteration > 0);
  return [...driven.map(({ task_id }) => task_id), ...counted.map(({ task }) => task)];
}

function listOf(root: string): string {
  const names = namesOf(root).map((name) => `\n  ${name}`);
  return names.length > 0 ? ` There are:${names.join('')}` : '';
}

function refuse(problem: string, exitCode: number): number {
  process.stderr.write(`${problem}\n`);
  return exitCode;
}
